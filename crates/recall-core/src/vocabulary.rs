//! The closed word lists of the domain. Past the border of the program they are enums, never text.

use std::fmt;

/// A word that is not in the list it was looked up in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {list} \"{word}\"; use one of: {}", known.join(", "))]
pub struct UnknownWord {
    /// The list, for example `entry type`.
    pub list: &'static str,
    /// The word as given.
    pub word: String,
    /// Every word of the list.
    pub known: &'static [&'static str],
}

macro_rules! word_list {
    (
        $(#[$doc:meta])* $name:ident, $list:literal {
            $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),+
        }

        impl $name {
            /// Every value, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The words of [`Self::ALL`].
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word that stands for this value in storage, JSON and on the command line.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(UnknownWord {
                        list: $list,
                        word: word.to_owned(),
                        known: Self::WORDS,
                    }),
                }
            }
        }
    };
}

word_list! {
    /// What kind of conclusion an entry is (S-M01).
    EntryType, "entry type" {
        /// Something that is so.
        Fact = "fact",
        /// Something that was chosen, usually with its reason.
        Decision = "decision",
        /// Steps that reach a goal.
        Procedure = "procedure",
        /// A way to find the cause of a fault.
        DebuggingMethod = "debugging_method",
        /// Something that goes wrong.
        Warning = "warning",
        /// How the user wants things done.
        Preference = "preference",
        /// Something not settled yet.
        OpenQuestion = "open_question",
    }
}

word_list! {
    /// How far an entry reaches (S-M02).
    Scope, "scope" {
        /// Everywhere.
        Global = "global",
        /// One project.
        Project = "project",
        /// One repository.
        Repository = "repository",
        /// One branch.
        Branch = "branch",
        /// One file.
        File = "file",
        /// One tool.
        Tool = "tool",
        /// One agent.
        Agent = "agent",
    }
}

word_list! {
    /// Whether an entry is in force (S-M03).
    Status, "status" {
        /// In force.
        Accepted = "accepted",
        /// Kept for history: superseded, rejected or retired.
        Archived = "archived",
    }
}

word_list! {
    /// Who vouches for an entry (S-M04). Only the reviewed import and a person's review produce
    /// `human_reviewed`.
    ReviewState, "review state" {
        /// A person read and accepted it.
        HumanReviewed = "human_reviewed",
        /// A program produced it and nobody looked.
        UnreviewedAuto = "unreviewed_auto",
        /// A program produced it and a calibration measured that program.
        CalibratedAuto = "calibrated_auto",
        /// Evaluation material, never an answer.
        EvalRaw = "eval_raw",
    }
}

impl ReviewState {
    /// Reads a review state as writers may give it: trimmed, and an empty one means
    /// `unreviewed_auto` (S-M04).
    pub fn normalise(text: &str) -> Result<Self, UnknownWord> {
        match text.trim() {
            "" => Ok(Self::UnreviewedAuto),
            word => word.parse(),
        }
    }
}

word_list! {
    /// A reviewer's verdict on an import line that keeps it.
    Label, "label" {
        /// Right as it stands.
        Correct = "correct",
        /// Worth keeping with its uncertainty.
        UsefulButUncertain = "useful-but-uncertain",
        /// Both sides have merit.
        GenuineTradeoff = "genuine-tradeoff",
    }
}

word_list! {
    /// Why an import line was passed over without being an error.
    SkipReason, "skip reason" {
        /// The line says that the conclusion does not transfer.
        NotTransferable = "not_transferable",
        /// The line says that its provenance was found wanting.
        ProvenanceNotOk = "provenance_not_ok",
        /// The reviewer's label is no keeper.
        LabelNotKeeper = "label_not_keeper",
        /// The same candidate is already stored, or came earlier in the file.
        Duplicate = "duplicate",
        /// The id is already taken by an entry with other content.
        Conflict = "conflict",
        /// A person rejected this id.
        Rejected = "rejected",
    }
}

word_list! {
    /// Where an entry stands in the chain of supersession; derived, never stored.
    Lifecycle, "lifecycle" {
        /// In force, linked to nothing.
        Active = "active",
        /// It replaced another entry.
        Replacement = "replacement",
        /// Another entry replaced it, or it is archived.
        Superseded = "superseded",
        /// It replaced one entry and was replaced by another.
        ReplacementSuperseded = "replacement_superseded",
    }
}

word_list! {
    /// How a query ranks (S-C03).
    QueryMode, "query mode" {
        /// By words.
        Lexical = "lexical",
        /// By meaning.
        Vector = "vector",
        /// Both, fused.
        Hybrid = "hybrid",
    }
}

word_list! {
    /// Where a query was asked; a word of the measurement ledger (S-L01).
    Surface, "surface" {
        /// A query.
        Query = "query",
        /// A brief.
        Brief = "brief",
        /// A calibration run.
        Calibration = "calibration",
    }
}

word_list! {
    /// Why a query brought nothing (S-L02).
    MissReason, "miss reason" {
        /// Nothing ranked.
        NoResults = "no_results",
        /// Something ranked, and none of it fitted the context.
        ContextEmpty = "context_empty",
    }
}

word_list! {
    /// Who wrote a message.
    Role, "role" {
        /// The person, or what the agent program injected in the person's place.
        User = "user",
        /// The model.
        Assistant = "assistant",
        /// The agent program.
        System = "system",
        /// A tool.
        Tool = "tool",
    }
}

word_list! {
    /// Who said what an entry cites. What a tool brought is nobody's word: it may only report what
    /// somebody else wrote, so it decides nothing on its own.
    Speaker, "speaker" {
        /// The person.
        User = "user",
        /// The model, in its answer or in what it asked of a tool.
        Assistant = "assistant",
        /// A tool, or the agent program in the person's place.
        ToolOutput = "tool_output",
        /// A page that a tool fetched from elsewhere.
        FetchedPage = "fetched_page",
    }
}

word_list! {
    /// Why an entry's provenance was revoked (S-E03).
    RevocationReason, "revocation reason" {
        /// The stable id of its first message is on no message any more, or on several.
        StartEndpointUnresolved = "start_endpoint_unresolved",
        /// The stable id of its last message is on no message any more, or on several.
        EndEndpointUnresolved = "end_endpoint_unresolved",
        /// Its last message stands before its first one now.
        InvalidResolvedRange = "invalid_resolved_range",
        /// Its range does not begin and end at stored messages any more.
        WindowInvalid = "window_invalid",
        /// A tool use that it cites is not in its range any more.
        SelectionInvalid = "selection_invalid",
        /// There is no digest to compare its text with.
        MissingDigest = "missing_digest",
        /// The cited text is not what it was.
        ContentDigestMismatch = "content_digest_mismatch",
    }
}

word_list! {
    /// What a person did to an entry; the words of the review log (B-01).
    ReviewAction, "review action" {
        /// Vouched for it.
        Accept = "accept",
        /// Changed its text or its kind.
        Edit = "edit",
        /// Found it wrong; it is archived, and stays rejected when it is extracted again.
        Reject = "reject",
        /// Replaced it by another entry.
        Supersede = "supersede",
        /// Retired it.
        Archive = "archive",
        /// Put it in force again.
        Restore = "restore",
        /// Took the named decision back.
        Undo = "undo",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back_as_its_value() {
        for value in EntryType::ALL {
            assert_eq!(value.as_str().parse(), Ok(*value));
        }
        for value in SkipReason::ALL {
            assert_eq!(value.as_str().parse(), Ok(*value));
        }
    }

    #[test]
    fn an_unknown_word_is_an_error_that_names_the_list() {
        let error = "rumor".parse::<Scope>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown scope \"rumor\"; use one of: global, project, repository, branch, file, tool, agent"
        );
    }

    // S-M04
    #[test]
    fn an_omitted_review_state_is_unreviewed_and_an_unknown_one_is_refused() {
        assert_eq!(
            ReviewState::normalise("  "),
            Ok(ReviewState::UnreviewedAuto)
        );
        assert_eq!(
            ReviewState::normalise(" eval_raw "),
            Ok(ReviewState::EvalRaw)
        );
        assert!(ReviewState::normalise("self_approved").is_err());
    }
}
