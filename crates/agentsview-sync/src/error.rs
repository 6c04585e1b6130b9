//! What stops a sync.

/// Why a sync or a scan could not go on. Trouble with a single file is no error: it is reported in
/// the [`crate::SyncReport`].
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The archive could not be read or written.
    #[error(transparent)]
    Store(#[from] recall_store::StoreError),
    /// The thread that reads files ended before its work was done.
    #[error("reading session files stopped unexpectedly; run the sync again")]
    ReaderStopped,
}
