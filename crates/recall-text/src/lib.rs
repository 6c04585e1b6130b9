//! The one analyser, excerpts and the cleaning of hostile text.
