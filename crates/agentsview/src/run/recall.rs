//! `agentsview recall`.

use std::fs::File;
use std::io::BufReader;

use agentsview_api::{
    BriefDocument, EntryDocument, ExitCode, ImportDocument, ListDocument, QueryDocument,
    StatsDocument,
};
use recall_core::Surface;
use recall_engine::{ListRequest, QueryRequest, StatsRequest};

use super::Place;
use crate::cli::{Format, ImportArgs, RankingArgs, RecallCommand};
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
                filter: args
                    .filter
                    .resolve(args.trusted.trusted_only, surroundings)?,
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
                filter: args
                    .filter
                    .resolve(args.trusted.trusted_only, surroundings)?,
                text: args.query.clone(),
                limit: args.limit,
            };
            let answer = place.reading().await?.stats(&request).await?;
            Output::document(format, &StatsDocument::from(&answer), render::stats)
        }
        RecallCommand::Query(args) => {
            let request = QueryRequest {
                filter: args
                    .filter
                    .resolve(args.trusted.trusted_only, surroundings)?,
                include_context: args.context,
                ..ranked(&args.text, args.ranking)
            };
            let answer = place.reading().await?.query(&request).await?;
            Output::document(format, &QueryDocument::from(&answer), |document| {
                render::query(document, view(args.ranking))
            })
        }
        RecallCommand::Brief(args) => {
            let request = QueryRequest {
                filter: args.filter.resolve(args.trusted_only, surroundings)?,
                surface: Surface::Brief,
                include_context: true,
                ..ranked(&args.task, args.ranking)
            };
            let answer = place.reading().await?.query(&request).await?;
            Output::document(format, &BriefDocument::from(&answer), |document| {
                render::brief(document, view(args.ranking))
            })
        }
        RecallCommand::Import(args) => import(args, place, format).await,
    }
}

fn ranked(text: &str, ranking: RankingArgs) -> QueryRequest {
    QueryRequest {
        mode: ranking.mode,
        limit: ranking.limit,
        context_max_bytes: ranking.context_max_bytes,
        ..QueryRequest::new(text)
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
    if !plan.allow_production_import && place.is_production()? {
        return Err(Failure::new(
            ExitCode::Refused,
            "the default data directory is guarded against imports",
        )
        .hint("say --allow-production-import, or try it elsewhere with AGENTSVIEW_DATA_DIR"));
    }
    let path = place.absolute(&plan.file);
    let file = File::open(&path).map_err(|error| {
        let exit = match error.kind() {
            std::io::ErrorKind::NotFound => ExitCode::NotFound,
            _ => ExitCode::Failure,
        };
        Failure::new(exit, format!("cannot open {}: {error}", path.display()))
    })?;
    let engine = if plan.options.dry_run {
        place.reading().await?
    } else {
        place.writing().await?
    };
    let report = engine
        .import(&mut BufReader::new(file), plan.options)
        .await?;
    engine.close().await;
    let document = ImportDocument::from(&report);
    let ending = render::import_ending(&document, plan.options.keep_going);
    Ok(Output::document(format, &document, render::import)?.ending(ending))
}
