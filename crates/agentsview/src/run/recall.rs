//! `agentsview recall`.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use agentsview_api::{
    BriefDocument, EntryDocument, ExitCode, ExplainDocument, ImportDocument, ListDocument,
    QueryDocument, StatsDocument,
};
use recall_engine::{EngineError, ListRequest, QueryRequest, StatsRequest};
use recall_trust::import::{ImportRequest, permit};
use recall_trust::review::Reviewer;

use super::{Place, review, transfer};
use crate::cli::{Format, ImportArgs, ImportInput, RankingArgs, RecallCommand};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::{self, View};

pub(super) async fn run(
    command: &RecallCommand,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let surroundings = place.surroundings();
    match command {
        RecallCommand::List(args) => {
            let request = ListRequest {
                filter: args.trusted.filter(&args.filter, surroundings)?,
                text: args.query.clone(),
                limit: args.limit,
            };
            let answer = place.reading().await?.list(&request).await?;
            Output::document(format, &ListDocument::from(&answer), render::list)
        }
        RecallCommand::Get(args) => {
            let entry = place.reading().await?.entry(&args.id).await?;
            Output::document(format, &EntryDocument::from(&entry), |document| {
                render::entry(document, args.evidence)
            })
        }
        RecallCommand::Stats(args) => {
            let request = StatsRequest {
                filter: args.trusted.filter(&args.filter, surroundings)?,
                text: args.query.clone(),
                limit: args.limit,
            };
            let answer = place.reading().await?.stats(&request).await?;
            Output::document(format, &StatsDocument::from(&answer), render::stats)
        }
        RecallCommand::Query(args) => {
            let request = QueryRequest {
                filter: args.trusted.filter(&args.filter, surroundings)?,
                include_context: args.context,
                ..ranked(QueryRequest::new(&args.text), args.ranking)
            };
            if let Some(entry) = &args.explain {
                let answer = place.reading().await?.explain(&request, entry).await?;
                let document = ExplainDocument::from(&answer);
                return Output::document(format, &document, render::explain);
            }
            let answer = place.reading().await?.query(&request).await?;
            Output::document(format, &QueryDocument::from(&answer), |document| {
                render::query(document, view(args.ranking))
            })
        }
        RecallCommand::Brief(args) => {
            let brief = QueryRequest::brief(&args.task);
            let request = QueryRequest {
                filter: args.filter(&brief.filter, surroundings)?,
                ..ranked(brief, args.ranking)
            };
            let answer = place.reading().await?.query(&request).await?;
            Output::document(format, &BriefDocument::from(&answer), |document| {
                render::brief(document, view(args.ranking))
            })
        }
        RecallCommand::Import(args) => import(args, place, format).await,
        RecallCommand::Review(args) => review::run(args, place, format).await,
        RecallCommand::History(entry) => review::history(&entry.id, place, format).await,
        RecallCommand::Undo => review::undo(place, format).await,
        RecallCommand::Reverify(args) => review::reverify(&args.scope(), place, format).await,
        RecallCommand::Export(args) => transfer::export(args, place, format).await,
        RecallCommand::Restore(args) => transfer::restore(args, place, format).await,
        RecallCommand::Reset(args) => transfer::reset(args, place, format).await,
    }
}

fn ranked(request: QueryRequest, ranking: RankingArgs) -> QueryRequest {
    QueryRequest {
        mode: ranking.mode,
        limit: ranking.limit,
        context_max_bytes: ranking.context_max_bytes,
        ..request
    }
}

fn view(ranking: RankingArgs) -> View {
    View {
        scores: ranking.scores,
        evidence: ranking.evidence,
        summary: ranking.summary,
    }
}

async fn import(args: &ImportArgs, place: &Place, format: Format) -> Result<Output, Failure> {
    let plan = args.plan(place.surroundings())?;
    permit(ImportRequest {
        dry_run: plan.options.dry_run,
        confirmed: plan.confirmed,
        allow_production: plan.allow_production_import,
        is_production: place.is_production()?,
    })?;
    let reviewer = place.reviewer()?.unwrap_or_else(Reviewer::of_import);
    let (name, mut lines) = open(&plan.input, place)?;
    // A dry run and the import itself fail alike where there is no archive yet.
    let engine = if plan.options.dry_run {
        place.reading().await?
    } else {
        place.changing().await?
    };
    let report = engine.import(&mut *lines, plan.options, &reviewer).await;
    engine.close().await;
    let document = ImportDocument::from(&report.map_err(|error| {
        match error {
            EngineError::Input(error) => {
                Failure::new(ExitCode::Failure, format!("cannot read {name}: {error}"))
                    .hint("give a file of JSON lines, or - for standard input")
            }
            other => other.into(),
        }
    })?);
    let shortfall = render::import_shortfall(&document, &name, plan.options);
    Ok(Output::document(format, &document, render::import)?.short_of(shortfall))
}

/// The lines to read, and what to call their source.
pub(super) fn open(
    input: &ImportInput,
    place: &Place,
) -> Result<(String, Box<dyn BufRead + Send>), Failure> {
    let file = match input {
        ImportInput::Stdin => {
            let lines = Box::new(BufReader::new(io::stdin()));
            return Ok(("standard input".to_owned(), lines));
        }
        ImportInput::File(file) => place.absolute(file),
    };
    let name = file.display().to_string();
    match File::open(&file) {
        Ok(_) if file.is_dir() => Err(Failure::usage(format!("{name} is a directory"))
            .hint("give a file, or - for standard input")),
        Ok(file) => Ok((name, Box::new(BufReader::new(file)))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::new(
            ExitCode::NotFound,
            format!("{name} does not exist"),
        )),
        Err(error) => Err(
            Failure::new(ExitCode::Failure, format!("cannot open {name}: {error}"))
                .hint("check that it may be read"),
        ),
    }
}
