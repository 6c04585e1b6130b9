//! Bringing a backup back (B-12).
//!
//! The file is checked as a whole, then everything is decided from one look at the archive, then it
//! is written. A dry run stops before the last.

mod history;
mod plan;
mod report;

pub use report::{RestoreItem, RestoreReport, RestoreSkip, RowCounts};

use std::collections::HashMap;
use std::io::BufRead;

use recall_store::{Durability, Transaction};
use recall_trust::insertion::{Confirmed, NewEntry};

use crate::backup::Backup;
use crate::{Engine, EngineError};
use history::LogFate;
use plan::Plan;

/// How far a restore goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestoreMode {
    /// It looks and writes nothing.
    DryRun,
    /// It writes what a person confirmed.
    Write(Confirmed),
}

impl Engine {
    /// Brings entries, decisions and replaced wordings of a backup back, in one transaction. What
    /// the archive has already is left as it is. Provenance comes back where the evidence verifies
    /// against the stored transcript and nowhere else; see [`RestoredEntry`].
    ///
    /// # Errors
    /// [`EngineError::Backup`] if the file cannot be restored, before anything is written.
    ///
    /// [`RestoredEntry`]: recall_trust::insertion::RestoredEntry
    pub async fn restore(
        &self,
        input: &mut (dyn BufRead + Send),
        mode: RestoreMode,
    ) -> Result<RestoreReport, EngineError> {
        let backup = Backup::read_from(input)?;
        let mut transaction = match mode {
            RestoreMode::DryRun => self.store.snapshot().await?,
            RestoreMode::Write(_) => self.store.begin(Durability::PowerCut).await?,
        };
        let plan = Plan::of(backup, &mut transaction).await?;
        let report = plan.report(mode == RestoreMode::DryRun);
        if let RestoreMode::Write(confirmed) = mode {
            self.carry_out(plan, &mut transaction, confirmed).await?;
            transaction.commit().await?;
        }
        Ok(report)
    }

    async fn carry_out(
        &self,
        plan: Plan,
        transaction: &mut Transaction,
        confirmed: Confirmed,
    ) -> Result<(), EngineError> {
        // The log first: it tells which ids are rejected, and wordings name its rows.
        let mut numbers: HashMap<i64, i64> = HashMap::new();
        for (decision, fate) in &plan.decisions {
            let number = match fate {
                LogFate::Present(number) => *number,
                LogFate::Appended => {
                    let undoes = decision
                        .undoes
                        .and_then(|undone| numbers.get(&undone).copied());
                    transaction.append_decision(decision, undoes).await?
                }
                LogFate::LeftOut => continue,
            };
            numbers.insert(decision.number, number);
        }
        for entry in plan.entries {
            let new = NewEntry::restored(entry, confirmed);
            transaction
                .insert_placeholder_session(&new, self.clock.now())
                .await?;
            transaction.insert_restored(new).await?;
        }
        for replaced in &plan.wordings {
            if let Some(number) = numbers.get(&replaced.replaced_by) {
                transaction
                    .keep_wording(&replaced.entry_id, *number, &replaced.wording)
                    .await?;
            }
        }
        Ok(())
    }
}
