//! Forgetting for good: one session, or Recall as a whole (S-L05).

use std::io;

use recall_core::SessionId;
use recall_store::{Durability, Removal, Transaction};
use recall_trust::insertion::Confirmed;

use crate::backup::{Backup, Holdings};
use crate::{Engine, EngineError};

/// Whether a reset forgets what people decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewLog {
    /// The log stays: what was rejected stays rejected.
    Keep,
    /// It goes as well.
    Forget,
}

impl Engine {
    /// Forgets every entry, with its evidence and its replaced wordings; the archive of sessions is
    /// not touched. `save` is handed a backup first and returns when it is safe on disk. Nothing is
    /// forgotten that is not in it: it was read in the transaction that forgets.
    ///
    /// # Errors
    /// [`EngineError::BackupNotSaved`] if `save` failed, and then nothing is forgotten;
    /// [`EngineError::Cache`] if files of the index that hold their words could not be removed.
    pub async fn reset(
        &self,
        log: ReviewLog,
        _confirmed: Confirmed,
        save: &mut (dyn FnMut(&Backup) -> io::Result<()> + Send),
    ) -> Result<Holdings, EngineError> {
        let mut transaction = self.store.begin(Durability::PowerCut).await?;
        let backup = self.read_backup(&mut transaction).await?;
        save(&backup).map_err(EngineError::BackupNotSaved)?;
        transaction.forget_entries(log == ReviewLog::Keep).await?;
        transaction.commit().await?;
        self.sweep_index().await?;
        Ok(backup.holdings())
    }

    /// Forgets a session for good, with its entries and their words in the index; see
    /// [`Store::delete_session`](recall_store::Store::delete_session).
    ///
    /// # Errors
    /// [`EngineError::Cache`] if files of the index that hold their words could not be removed.
    /// Calling it again tries that again.
    pub async fn delete_session(
        &self,
        session: &SessionId,
    ) -> Result<Option<Removal>, EngineError> {
        let removal = self.store.delete_session(session, self.clock.now()).await?;
        self.sweep_index().await?;
        Ok(removal)
    }

    pub(crate) async fn read_backup(
        &self,
        transaction: &mut Transaction,
    ) -> Result<Backup, EngineError> {
        let backup = Backup {
            created_at: self.clock.now(),
            decisions: transaction.all_decisions().await?,
            entries: transaction.all_entries().await?,
            wordings: transaction.all_wordings().await?,
        };
        backup.check()?;
        Ok(backup)
    }
}
