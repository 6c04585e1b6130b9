//! `agentsview session`.

use clap::{Args, Subcommand};
use recall_core::{Ordinal, OrdinalRange, Role, SessionId};
use recall_store::{MessageQuery, SessionQuery};

use super::number::number;
use super::word::word;

const DEFAULT_SESSIONS: usize = 200;
const MAX_SESSIONS: usize = 500;

/// What to see of the archived sessions.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// List sessions, most recently active first
    List(SessionListArgs),
    /// Show one session
    Get(SessionArg),
    /// Read the messages of a session
    Messages(MessagesArgs),
    /// Hide a session and withdraw the trust in its entries
    Trash(SessionArg),
    /// Bring a session back from the trash
    Restore(SessionArg),
    /// Forget a session for good and keep it out of every later sync
    Delete(DeleteArgs),
}

/// A session.
#[derive(Debug, Args)]
pub(crate) struct SessionArg {
    /// The session's id
    #[arg(value_parser = |text: &str| SessionId::new(text))]
    pub(crate) id: SessionId,
}

/// Arguments of `session delete`.
#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    pub(crate) session: SessionArg,
    /// Delete; without it nothing is lost and the command says what would be
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Flags of `session list`.
#[derive(Debug, Args)]
pub(crate) struct SessionListArgs {
    /// Only sessions of this project
    #[arg(long, value_name = "TEXT")]
    project: Option<String>,
    /// Only sessions of this agent
    #[arg(long, value_name = "TEXT")]
    agent: Option<String>,
    /// At most this many sessions; 0 means 200, and 500 is the most
    #[arg(
        long,
        value_name = "N",
        default_value_t = DEFAULT_SESSIONS,
        allow_negative_numbers = true,
        value_parser = number::<usize>
    )]
    limit: usize,
    /// Also sessions that no person was behind
    #[arg(long)]
    include_automated: bool,
    /// Also sessions that another session started
    #[arg(long)]
    include_children: bool,
    /// Only sessions in the trash
    #[arg(long)]
    trashed: bool,
}

impl SessionListArgs {
    /// The flags that would show more sessions and were not given.
    pub(crate) fn flags_for_more(&self) -> Vec<&'static str> {
        [
            ("--include-automated", self.include_automated),
            ("--include-children", self.include_children),
        ]
        .into_iter()
        .filter_map(|(flag, is_given)| (!is_given).then_some(flag))
        .collect()
    }

    /// The flags as the archive's question.
    pub(crate) fn query(&self) -> SessionQuery {
        SessionQuery {
            project: self.project.clone(),
            agent: self.agent.clone(),
            include_automated: self.include_automated,
            include_children: self.include_children,
            trashed: self.trashed,
            limit: match self.limit {
                0 => DEFAULT_SESSIONS,
                limit => limit.min(MAX_SESSIONS),
            },
        }
    }
}

/// Arguments of `session messages`.
#[derive(Debug, Args)]
pub(crate) struct MessagesArgs {
    /// The session's id
    #[arg(value_parser = |text: &str| SessionId::new(text))]
    pub(crate) id: SessionId,
    /// Start at this ordinal
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "around",
        allow_negative_numbers = true,
        value_parser = number::<u32>
    )]
    from: Option<u32>,
    /// At most this many messages; 0 means all, as does leaving it out
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "around",
        allow_negative_numbers = true,
        value_parser = number::<usize>
    )]
    limit: Option<usize>,
    /// The message of this ordinal, and those about it
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = number::<u32>
    )]
    around: Option<u32>,
    /// How many ordinals before --around
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        requires = "around",
        allow_negative_numbers = true,
        value_parser = number::<u32>
    )]
    before: u32,
    /// How many ordinals after --around
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        requires = "around",
        allow_negative_numbers = true,
        value_parser = number::<u32>
    )]
    after: u32,
    /// Only messages of these roles, separated by commas
    #[arg(
        long = "role",
        value_name = "ROLES",
        value_delimiter = ',',
        value_parser = word::<Role>(Role::WORDS)
    )]
    roles: Vec<Role>,
}

impl MessagesArgs {
    /// The flags as the archive's question.
    pub(crate) fn query(&self) -> MessageQuery {
        let ends = match (self.around, self.from) {
            (Some(middle), _) => Some((
                middle.saturating_sub(self.before),
                middle.saturating_add(self.after),
            )),
            (None, Some(from)) => Some((from, u32::MAX)),
            (None, None) => None,
        };
        MessageQuery {
            range: ends.and_then(|(start, end)| {
                OrdinalRange::new(Ordinal::new(start), Ordinal::new(end)).ok()
            }),
            roles: self.roles.clone(),
            limit: self.limit.filter(|limit| *limit > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;

    fn session(words: &[&str]) -> Result<SessionCommand, clap::Error> {
        let words = ["agentsview", "session"].iter().chain(words);
        match Cli::try_parse_from(words)?.command {
            Command::Session(command) => Ok(command),
            other => panic!("{other:?}"),
        }
    }

    fn messages(flags: &[&str]) -> MessageQuery {
        let words: Vec<_> = ["messages", "s-1"].iter().chain(flags).copied().collect();
        match session(&words).unwrap() {
            SessionCommand::Messages(args) => args.query(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_list_is_clamped_and_never_empty_by_zero() {
        for (flags, limit) in [
            (&["list"][..], 200),
            (&["list", "--limit", "0"], 200),
            (&["list", "--limit", "9999"], 500),
            (&["list", "--limit", "7"], 7),
        ] {
            let SessionCommand::List(args) = session(flags).unwrap() else {
                panic!("no list");
            };
            assert_eq!(args.query().limit, limit, "{flags:?}");
        }
        assert!(session(&["list", "--limit", "-1"]).is_err());
    }

    #[test]
    fn only_flags_that_were_not_given_would_show_more() {
        let more = |flags: &[&str]| match session(flags).unwrap() {
            SessionCommand::List(args) => args.flags_for_more(),
            other => panic!("{other:?}"),
        };
        let both = ["--include-automated", "--include-children"];
        assert_eq!(more(&["list"]), both);
        assert_eq!(more(&["list", both[0]]), [both[1]]);
    }

    #[test]
    fn a_limit_of_zero_reads_every_message() {
        assert_eq!(messages(&["--limit", "0"]).limit, None);
        assert_eq!(messages(&[]).limit, None);
        assert_eq!(messages(&["--limit", "7"]).limit, Some(7));
    }

    #[test]
    fn messages_are_read_from_a_place_or_around_one() {
        let ends = |query: MessageQuery| {
            query
                .range
                .map(|range| (range.start().get(), range.end().get()))
        };
        assert_eq!(ends(messages(&[])), None);
        assert_eq!(ends(messages(&["--from", "7"])), Some((7, u32::MAX)));
        assert_eq!(ends(messages(&["--around", "3"])), Some((0, 8)));
        let narrow = ["--around", "9", "--before", "1", "--after", "0"];
        assert_eq!(ends(messages(&narrow)), Some((8, 9)));
        assert!(session(&["messages", "s-1", "--around", "3", "--from", "1"]).is_err());
        assert!(session(&["messages", "s-1", "--before", "3"]).is_err());
    }

    #[test]
    fn roles_are_words_of_the_domain() {
        let query = messages(&["--role", "user,assistant"]);
        assert_eq!(query.roles, [Role::User, Role::Assistant]);
        assert!(session(&["messages", "s-1", "--role", "boss"]).is_err());
    }
}
