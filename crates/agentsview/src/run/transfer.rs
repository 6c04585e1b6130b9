//! `agentsview recall export`, `restore` and `reset`.

use std::io;
use std::path::{Path, PathBuf};

use agentsview_api::{ExitCode, ExportDocument, ResetDocument, RestoreDocument};
use recall_engine::{Backup, EngineError, RestoreMode};

use super::Place;
use super::recall::open;
use super::saved_file::{SavedFile, directory, make_private_directory};
use crate::cli::{ExportArgs, Format, ResetArgs, RestoreArgs};
use crate::failure::Failure;
use crate::output::Output;
use crate::render;

pub(super) async fn export(
    args: &ExportArgs,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let plan = args.plan(place.surroundings())?;
    let Some(path) = plan.output.map(|path| place.absolute(&path)) else {
        let mut text = Vec::new();
        place
            .reading()
            .await?
            .export(&plan.request, &mut text)
            .await?;
        return String::from_utf8(text)
            .map(Output::text)
            .map_err(|error| Failure::new(ExitCode::Failure, error));
    };
    let engine = place.reading().await?;
    let unwritten = |error: &io::Error| {
        unsaved(
            &path,
            error,
            "say --force to replace it, or choose another name",
        )
    };
    if place.is_own(&path)? {
        return Err(Failure::new(
            ExitCode::Refused,
            format!("{} lies in the data directory", path.display()),
        )
        .hint("choose another place"));
    }
    let mut file = SavedFile::begin(&path, plan.replace).map_err(|error| unwritten(&error))?;
    let exported =
        engine
            .export(&plan.request, file.text())
            .await
            .map_err(|error| match error {
                EngineError::Output(error) => unwritten(&error),
                other => other.into(),
            })?;
    file.finish().map_err(|error| unwritten(&error))?;
    let document = ExportDocument {
        format: plan.format.to_owned(),
        output: path.display().to_string(),
        entries: exported.entries,
    };
    Output::document(format, &document, render::export)
}

pub(super) async fn restore(
    args: &RestoreArgs,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let (input, mode) = args.plan(place.surroundings())?;
    let (name, mut backup) = open(&input, place)?;
    let scratch = tempfile::tempdir().map_err(|error| {
        Failure::new(
            ExitCode::Failure,
            format!("cannot make a temporary directory: {error}"),
        )
    })?;
    let engine = match mode {
        RestoreMode::DryRun => place.reading_or_empty(scratch.path()).await?,
        RestoreMode::Write(_) => place.writing().await?,
    };
    let report = engine.restore(&mut *backup, mode).await;
    engine.close().await;
    let report = report.map_err(|error| match error {
        EngineError::Backup(error) => Failure::usage(format!("{name}: {error}"))
            .hint("nothing was restored; give a file that `agentsview recall export` wrote"),
        EngineError::Input(error) => {
            Failure::new(ExitCode::Failure, format!("cannot read {name}: {error}"))
                .hint("give a backup, or - for standard input")
        }
        other => other.into(),
    })?;
    let document = RestoreDocument::from(&report);
    let shortfall = render::restore_shortfall(&document);
    Ok(Output::document(format, &document, render::restore)?.short_of(shortfall))
}

pub(super) async fn reset(
    args: &ResetArgs,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let engine = place.reading().await?;
    let Some(confirmed) = args.confirmed() else {
        let holdings = engine.backup().await?.holdings();
        return Err(render::unconfirmed_reset(holdings, args.log()));
    };
    engine.close().await;
    let named = args
        .backup(place.surroundings())?
        .map(|path| place.absolute(&path));
    let backups = place.backups()?;
    let mut saved = None;
    let mut save = |backup: &Backup| {
        let path = if let Some(path) = &named {
            path.clone()
        } else {
            make_private_directory(&backups)?;
            backups.join(file_name(backup))
        };
        // Known before it succeeds, so that a failure can name it.
        let path = saved.insert(path);
        let mut file = SavedFile::begin(path, false)?;
        backup.write_to(file.text())?;
        file.finish()
    };
    let engine = place.writing().await?;
    let holdings = engine.reset(args.log(), confirmed, &mut save).await;
    engine.close().await;
    let path: PathBuf = saved.unwrap_or(backups);
    let holdings = holdings.map_err(|error| match error {
        EngineError::BackupNotSaved(error) => {
            let failure = unsaved(&path, &error, "choose another name");
            Failure {
                message: format!("{}, so nothing was forgotten", failure.message),
                ..failure
            }
        }
        other => other.into(),
    })?;
    let document = ResetDocument::new(path.display().to_string(), holdings, args.log());
    Output::document(format, &document, render::reset)
}

/// A name that sorts by time and that every file system takes.
fn file_name(backup: &Backup) -> String {
    format!(
        "recall-{}.jsonl",
        backup.created_at.to_string().replace(':', "-")
    )
}

fn unsaved(path: &Path, error: &io::Error, if_there: &str) -> Failure {
    let name = path.display();
    if error.kind() == io::ErrorKind::AlreadyExists {
        Failure::new(ExitCode::Refused, format!("{name} exists already")).hint(if_there)
    } else if !directory(path).is_dir() {
        let missing = directory(path).display();
        Failure::new(
            ExitCode::NotFound,
            format!("cannot write {name}: there is no directory {missing}"),
        )
        .hint("make it, or choose another place")
    } else {
        Failure::new(ExitCode::Failure, format!("cannot write {name}: {error}"))
            .hint("check that its directory may be written")
    }
}
