//! `agentsview recall review`, and the commands that look back on what was decided.

use clap::{ArgAction, Args, Subcommand, ValueEnum};
use recall_core::{EntryId, EntryType, Scope, SessionId};
use recall_engine::ReverifyScope;
use recall_store::QueueOrder;

use super::filter::FilterArgs;
use super::word::word;

/// Arguments of `recall review`.
///
/// Its flags choose what lies on the desk; a command has flags of its own.
#[derive(Debug, Args)]
pub(crate) struct ReviewArgs {
    #[command(flatten)]
    pub(crate) queue: Box<QueueArgs>,
    /// One step of a review; without one, the queue opens at the terminal
    #[command(subcommand)]
    pub(crate) command: Option<ReviewCommand>,
}

/// One step of a review, for scripts and for those who know the entry.
#[derive(Debug, Subcommand)]
pub(crate) enum ReviewCommand {
    /// List the entries that wait for a person
    List(Box<QueueArgs>),
    /// Show an entry beside its evidence, and what repeats or contradicts it
    Show(EntryArg),
    #[command(flatten)]
    Decide(DecideCommand),
}

/// A decision about one entry.
#[derive(Debug, Subcommand)]
pub(crate) enum DecideCommand {
    /// Say that an entry is right
    Accept(AcceptArgs),
    /// Say it in other words; the original is kept
    Edit(Box<EditArgs>),
    /// Say that an entry is wrong; its id stays rejected
    Reject(RejectArgs),
    /// Replace an entry by another one that is stored already
    Supersede(SupersedeArgs),
    /// Retire an entry; it stays for history
    Archive(NotedArgs),
    /// Put an archived or rejected entry in force again
    Restore(NotedArgs),
}

/// Flags of `recall review` and `recall review list`.
#[derive(Debug, Args)]
pub(crate) struct QueueArgs {
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    /// Which come first
    #[arg(long, value_enum, default_value_t = Order::Oldest)]
    pub(crate) order: Order,
    /// At most this many entries; 0 means 50, and 500 is the most
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,
}

/// Which entries of the queue come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// Those that wait longest
    Oldest,
    /// Those whose source was least sure
    LeastSure,
    /// Session by session
    Session,
}

impl QueueArgs {
    /// Whether nothing was chosen.
    pub(crate) fn is_plain(&self) -> bool {
        let Self {
            filter,
            order,
            limit,
        } = self;
        filter.is_empty() && *order == Order::Oldest && limit.is_none()
    }
}

impl From<Order> for QueueOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::Oldest => Self::Oldest,
            Order::LeastSure => Self::LeastSure,
            Order::Session => Self::BySession,
        }
    }
}

/// An entry.
#[derive(Debug, Args)]
pub(crate) struct EntryArg {
    /// The entry's id
    #[arg(value_parser = |text: &str| EntryId::new(text))]
    pub(crate) id: EntryId,
}

/// Arguments of `recall review accept`.
#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    #[command(flatten)]
    pub(crate) entry: EntryArg,
    /// Whether it holds outside its own session; asked for if left out
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        action = ArgAction::Set
    )]
    pub(crate) transferable: Option<bool>,
    /// Accept it as this kind, also as one that its evidence cannot carry alone
    #[arg(long = "as", value_name = "TYPE", value_parser = word::<EntryType>(EntryType::WORDS))]
    pub(crate) entry_type: Option<EntryType>,
    #[command(flatten)]
    pub(crate) note: NoteArg,
}

/// `--note`.
#[derive(Debug, Args)]
pub(crate) struct NoteArg {
    /// A remark for the review log
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) note: String,
}

/// An entry and a remark.
#[derive(Debug, Args)]
pub(crate) struct NotedArgs {
    #[command(flatten)]
    pub(crate) entry: EntryArg,
    #[command(flatten)]
    pub(crate) note: NoteArg,
}

/// Arguments of `recall review edit`. At least one of its texts or words is given.
#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    pub(crate) entry: EntryArg,
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    #[command(flatten)]
    pub(crate) note: NoteArg,
}

/// What an edit changes; a text of `-` is read from standard input.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct ChangeArgs {
    /// The title, in one line; - reads standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,
    /// The conclusion itself; - reads standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) body: Option<String>,
    /// When it applies; - reads standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) trigger: Option<String>,
    /// What remains unsure; - reads standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) uncertainty: Option<String>,
    /// How far it reaches
    #[arg(long, value_name = "SCOPE", value_parser = word::<Scope>(Scope::WORDS))]
    pub(crate) scope: Option<Scope>,
    /// What kind of conclusion it is
    #[arg(long = "type", value_name = "TYPE", value_parser = word::<EntryType>(EntryType::WORDS))]
    pub(crate) entry_type: Option<EntryType>,
}

/// Arguments of `recall review reject`.
#[derive(Debug, Args)]
pub(crate) struct RejectArgs {
    #[command(flatten)]
    pub(crate) entry: EntryArg,
    /// What is wrong with it
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}

/// Arguments of `recall review supersede`.
#[derive(Debug, Args)]
pub(crate) struct SupersedeArgs {
    #[command(flatten)]
    pub(crate) entry: EntryArg,
    /// The entry that says it better
    #[arg(long, value_name = "ID", value_parser = |text: &str| EntryId::new(text))]
    pub(crate) by: EntryId,
    #[command(flatten)]
    pub(crate) note: NoteArg,
}

/// Flags of `recall reverify`: which sessions.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct ReverifyArgs {
    /// Only entries of this session
    #[arg(long, value_name = "ID", value_parser = |text: &str| SessionId::new(text))]
    session: Option<SessionId>,
    /// The entries of every session
    #[arg(long)]
    all: bool,
}

impl ReverifyArgs {
    /// Which sessions to verify.
    pub(crate) fn scope(&self) -> ReverifyScope {
        match &self.session {
            Some(session) => ReverifyScope::Session(session.clone()),
            None => ReverifyScope::All,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command, RecallCommand};
    use clap::Parser;

    fn review(words: &[&str]) -> Result<ReviewArgs, clap::Error> {
        let words = ["agentsview", "recall", "review"].iter().chain(words);
        match Cli::try_parse_from(words)?.command {
            Command::Recall(RecallCommand::Review(args)) => Ok(args),
            other => panic!("{other:?}"),
        }
    }

    fn accept(flags: &[&str]) -> AcceptArgs {
        let words = [&["accept", "e-1"], flags].concat();
        match review(&words).unwrap().command {
            Some(ReviewCommand::Decide(DecideCommand::Accept(args))) => args,
            other => panic!("{other:?}"),
        }
    }

    // B-01
    #[test]
    fn review_alone_is_the_queue() {
        assert!(review(&[]).unwrap().command.is_none());
        let args = review(&["--order", "least-sure", "--limit", "3", "--agent", "claude"]).unwrap();
        assert!(args.command.is_none());
        assert_eq!(
            (args.queue.order, args.queue.limit),
            (Order::LeastSure, Some(3))
        );
    }

    #[test]
    fn transferable_is_a_word_that_has_to_be_said() {
        assert_eq!(accept(&[]).transferable, None);
        assert_eq!(accept(&["--transferable"]).transferable, Some(true));
        assert_eq!(accept(&["--transferable=false"]).transferable, Some(false));
        let granted = accept(&["--transferable", "--as", "preference"]);
        assert_eq!(granted.entry_type, Some(EntryType::Preference));
    }

    #[test]
    fn an_edit_changes_something_and_a_rejection_says_why() {
        for incomplete in [
            &["edit", "e-1"][..],
            &["edit", "e-1", "--note", "why"],
            &["reject", "e-1"],
            &["supersede", "e-1"],
        ] {
            assert!(review(incomplete).is_err(), "{incomplete:?}");
        }
        assert!(review(&["edit", "e-1", "--body", "-"]).is_ok());
        assert!(review(&["edit", "e-1", "--scope", "tool", "--title", "T"]).is_ok());
    }

    #[test]
    fn what_to_verify_is_said_once() {
        let reverify = |flags: &[&str]| {
            let words = ["agentsview", "recall", "reverify"].iter().chain(flags);
            Cli::try_parse_from(words)
        };
        assert!(reverify(&[]).is_err());
        assert!(reverify(&["--all", "--session", "s-1"]).is_err());
        for (flags, all) in [(&["--all"][..], true), (&["--session", "s-1"], false)] {
            let Command::Recall(RecallCommand::Reverify(args)) = reverify(flags).unwrap().command
            else {
                panic!("no reverify");
            };
            assert_eq!(args.scope() == ReverifyScope::All, all);
        }
    }
}
