//! `agentsview secrets`.

use agentsview_secrets::rule_names;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use recall_store::FindingQuery;

use super::number::number;

const DEFAULT_FINDINGS: usize = 50;
const MAX_FINDINGS: usize = 500;

/// What to do about credentials in transcripts.
#[derive(Debug, Subcommand)]
pub(crate) enum SecretsCommand {
    /// Scan archived sessions for credentials
    Scan {
        /// Only sessions that the present rules have not seen as they are now
        #[arg(long)]
        backfill: bool,
    },
    /// List what the scans found, masked
    List(FindingsArgs),
}

/// Flags of `secrets list`.
#[derive(Debug, Args)]
pub(crate) struct FindingsArgs {
    /// Only findings of this rule
    #[arg(
        long,
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(rule_names())
    )]
    rule: Option<String>,
    /// Only findings in sessions of this project
    #[arg(long, value_name = "TEXT")]
    project: Option<String>,
    /// Only findings in sessions of this agent
    #[arg(long, value_name = "TEXT")]
    agent: Option<String>,
    /// At most this many findings; 0 means 50, and 500 is the most
    #[arg(
        long,
        value_name = "N",
        default_value_t = DEFAULT_FINDINGS,
        allow_negative_numbers = true,
        value_parser = number::<usize>
    )]
    limit: usize,
}

impl FindingsArgs {
    /// The flags as the archive's question.
    pub(crate) fn query(&self) -> FindingQuery {
        FindingQuery {
            rule: self.rule.clone(),
            project: self.project.clone(),
            agent: self.agent.clone(),
            limit: match self.limit {
                0 => DEFAULT_FINDINGS,
                limit => limit.min(MAX_FINDINGS),
            },
        }
    }
}
