//! Wire types, their JSON schema and the exit codes: the stable contract.
