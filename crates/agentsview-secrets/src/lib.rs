//! Rules that recognise credentials, their findings and their masks.
