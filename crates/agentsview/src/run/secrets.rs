//! `agentsview secrets`.

use agentsview_api::{FindingsDocument, SecretScanDocument};
use recall_core::SystemClock;

use super::Place;
use super::progress::Bar;
use crate::cli::{Format, SecretsCommand};
use crate::failure::Failure;
use crate::output::Output;
use crate::render;

pub(super) async fn run(
    command: &SecretsCommand,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    match command {
        SecretsCommand::Scan { backfill } => {
            let engine = place.changing().await?;
            let bar = Bar::new("Scanning");
            let report = agentsview_sync::scan_archive(
                engine.store(),
                *backfill,
                &SystemClock,
                &mut |done, all| bar.set(done, all),
            )
            .await?;
            drop(bar);
            engine.close().await;
            Output::document(
                format,
                &SecretScanDocument::from(&report),
                render::secret_scan,
            )
        }
        SecretsCommand::List(args) => {
            let engine = place.reading().await?;
            let findings = engine.store().findings(&args.query()).await?;
            Output::document(
                format,
                &FindingsDocument::from(findings.as_slice()),
                render::findings,
            )
        }
    }
}
