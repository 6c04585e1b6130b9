//! Pure trust policy: who is trusted and why not, evidence authorisation, supersession, reviewed import lines.
