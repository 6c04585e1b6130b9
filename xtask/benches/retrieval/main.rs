//! How well questions find their entries, run by `cargo xtask eval`; see `docs/retrieval.md`.
//!
//! A benchmark and no chore of its own, so that a release build asks the questions and `xtask`
//! needs no archive.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark reports to the terminal"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use clap::Parser;
use recall_lexical::Policy;
use retrieval_evaluation::{
    Archive, Baseline, EvaluationError, QuestionSet, Report, SetReport, ablate, baselines,
    evaluate, find,
};

/// Measure how well questions find their entries.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask eval", bin_name = "cargo xtask eval")]
struct Options {
    /// A folder of sets, or one set
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Only this set; may be repeated
    #[arg(long = "set", value_name = "NAME")]
    sets: Vec<String>,
    /// Write the report as JSON, `-` for standard output instead of the tables
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// List every question whose first place is not right
    #[arg(long)]
    misses: bool,
    /// Rank again without each part of the score
    #[arg(long)]
    ablate: bool,
    /// Where relative paths start
    #[arg(long, hide = true, default_value = "")]
    from: PathBuf,
    /// What cargo tells every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
enum BenchmarkError {
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    #[error("the report cannot be written: {0}")]
    Write(#[from] io::Error),
    #[error("the report is no JSON: {0}")]
    Json(#[from] serde_json::Error),
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), BenchmarkError> {
    let data = options.from.join(&options.data);
    let sets = chosen(find(&data)?, &options.sets)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut report = Report {
        policy: Policy::NAME,
        sets: Vec::new(),
    };
    for set in &sets {
        eprintln!("{} …", set.name);
        // The table stands beside the sets, whether one or all of them were asked for.
        let folder = set.path.parent().unwrap_or(&data);
        let baselines = baselines(folder)?;
        report
            .sets
            .push(runtime.block_on(measured(set, baselines, options))?);
    }
    let Some(path) = &options.json else {
        print!("{report}");
        return Ok(());
    };
    let json = serde_json::to_string_pretty(&report)?;
    if path == Path::new("-") {
        println!("{json}");
    } else {
        fs::write(options.from.join(path), json + "\n")?;
        print!("{report}");
    }
    Ok(())
}

async fn measured(
    set: &QuestionSet,
    mut baselines: BTreeMap<String, Baseline>,
    options: &Options,
) -> Result<SetReport, EvaluationError> {
    let archive = Archive::of(set).await?;
    let mut report = evaluate(set, &archive).await?;
    report.baseline = baselines.remove(&set.name);
    if options.ablate {
        report.ablation = ablate(&archive, &set.questions()?)?;
    }
    if !options.misses {
        report.misses.clear();
    }
    Ok(report)
}

fn chosen(sets: Vec<QuestionSet>, names: &[String]) -> Result<Vec<QuestionSet>, EvaluationError> {
    if let Some(name) = names
        .iter()
        .find(|name| sets.iter().all(|set| set.name != **name))
    {
        let known: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
        return Err(EvaluationError::UnknownSet {
            name: name.clone(),
            known: known.join(", "),
        });
    }
    Ok(sets
        .into_iter()
        .filter(|set| names.is_empty() || names.contains(&set.name))
        .collect())
}
