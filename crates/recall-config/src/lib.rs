//! Where things are on this machine and which data directories are guarded.
