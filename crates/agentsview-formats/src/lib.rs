//! One module per agent: bytes of a session file in, a parsed session out.
