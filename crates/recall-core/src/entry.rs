//! Entries and the evidence that anchors them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::digest::ContentDigest;
use crate::{
    EntryId, EntryType, EpisodeId, Lifecycle, Ordinal, ReviewState, RevocationReason, RunId, Scope,
    SessionId, SourceUuid, Speaker, Status, Timestamp, ToolUseId,
};

/// A number that cannot be a confidence.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("invalid confidence {0}; must be between 0 and 1")]
pub struct ConfidenceError(pub f64);

/// How sure the source of an entry was: a number from 0 to 1. "Unknown" is `Option::None`, which
/// stays distinct from 0.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    /// Refuses everything outside 0 to 1, NaN included.
    pub fn new(value: f64) -> Result<Self, ConfidenceError> {
        if (0.0..=1.0).contains(&value) {
            Ok(Self(value))
        } else {
            Err(ConfidenceError(value))
        }
    }

    /// The number, from 0 to 1.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// Two ordinals in the wrong order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid ordinal range {start}-{end}: the end lies before the start")]
pub struct OrdinalRangeError {
    /// The first ordinal.
    pub start: Ordinal,
    /// The last ordinal.
    pub end: Ordinal,
}

/// An inclusive range of message ordinals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OrdinalRange {
    start: Ordinal,
    end: Ordinal,
}

impl OrdinalRange {
    /// Refuses a range whose end lies before its start.
    pub fn new(start: Ordinal, end: Ordinal) -> Result<Self, OrdinalRangeError> {
        if end < start {
            Err(OrdinalRangeError { start, end })
        } else {
            Ok(Self { start, end })
        }
    }

    /// The first ordinal of the range.
    pub fn start(self) -> Ordinal {
        self.start
    }

    /// The last ordinal of the range.
    pub fn end(self) -> Ordinal {
        self.end
    }

    /// Whether the ordinal lies in the range.
    pub fn contains(self, ordinal: Ordinal) -> bool {
        (self.start..=self.end).contains(&ordinal)
    }

    /// Whether the whole of `other` lies in the range.
    pub fn covers(self, other: Self) -> bool {
        self.contains(other.start) && self.contains(other.end)
    }
}

impl std::fmt::Display for OrdinalRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.start, self.end)
    }
}

/// One row of evidence: a range of messages in the entry's source session, at most one selected
/// tool use, and the digest of what was cited.
///
/// A citation of several tool uses is stored as one row a tool use; the rows share range, stable
/// ids and digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The row's identity in the store; it orders the rows of an entry. 0 before it is stored.
    pub id: i64,
    /// The cited session; always the entry's source session (S-E05).
    pub session_id: SessionId,
    /// The cited messages.
    pub range: OrdinalRange,
    /// The stable id of the first cited message, where its format has one.
    pub start_uuid: Option<SourceUuid>,
    /// The stable id of the last cited message, where its format has one.
    pub end_uuid: Option<SourceUuid>,
    /// How many stored messages are cited; `None` if never verified. Ordinals have gaps, so the
    /// range does not tell.
    pub message_count: Option<u32>,
    /// How many bytes of text the cited messages have, tool uses apart; `None` if it is not known.
    pub content_bytes: Option<u64>,
    /// The digest of the cited content; `None` if never verified.
    pub content_digest: Option<ContentDigest>,
    /// The digest of the first cited message alone, by which the passage is found again when its
    /// anchors are lost; `None` if it is not known.
    pub opening_digest: Option<String>,
    /// Who said it: of the quotations if there are any, else of everything cited. Sorted, each
    /// once; empty if it is not known.
    pub speakers: Vec<Speaker>,
    /// The selected tool use.
    pub tool_use_id: Option<ToolUseId>,
    /// Quotations to show and to search; checked to occur in the cited content when it was bound.
    /// Of the rows of one citation only the first has them.
    pub snippets: Vec<String>,
}

impl Evidence {
    /// A citation that nobody verified: no stable ids, no digest, no speakers, no quotations.
    pub fn claimed(session_id: SessionId, range: OrdinalRange) -> Self {
        Self {
            id: 0,
            session_id,
            range,
            start_uuid: None,
            end_uuid: None,
            message_count: None,
            content_bytes: None,
            content_digest: None,
            opening_digest: None,
            speakers: Vec::new(),
            tool_use_id: None,
            snippets: Vec::new(),
        }
    }

    /// The quotations as one text, a line break between them.
    pub fn snippet(&self) -> Cow<'_, str> {
        match self.snippets.as_slice() {
            [] => Cow::Borrowed(""),
            [one] => Cow::Borrowed(one),
            many => Cow::Owned(many.join("\n")),
        }
    }
}

/// That an entry's evidence stopped matching its transcript. It stays revoked whatever the
/// transcript says later (S-E03).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revocation {
    /// What was wrong first.
    pub reason: RevocationReason,
    /// When it was found.
    pub at: Timestamp,
}

/// One reusable conclusion with its context, its source and its standing.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Immutable identity.
    pub id: EntryId,
    /// What kind of conclusion it is.
    pub entry_type: EntryType,
    /// How far it reaches.
    pub scope: Scope,
    /// Whether it is in force.
    pub status: Status,
    /// Who vouches for it.
    pub review_state: ReviewState,
    /// One line.
    pub title: String,
    /// The conclusion itself.
    pub body: String,
    /// When it applies; empty if unsaid.
    pub trigger: String,
    /// How sure its source was.
    pub confidence: Option<Confidence>,
    /// What remains unsure, in words; empty if unsaid.
    pub uncertainty: String,
    /// Project name; empty if unknown.
    pub project: String,
    /// Working directory; empty if unknown.
    pub cwd: String,
    /// Git branch; empty if unknown.
    pub git_branch: String,
    /// Agent name; empty if unknown.
    pub agent: String,
    /// The one session that the entry belongs to (S-M06).
    pub source_session_id: SessionId,
    /// The stretch of work it came from.
    pub source_episode_id: Option<EpisodeId>,
    /// The run that produced it.
    pub source_run_id: Option<RunId>,
    /// The method that produced it; empty if unknown.
    pub extractor_method: String,
    /// The model that produced it; empty if none.
    pub model: String,
    /// Whether it holds outside its own session.
    pub transferable: bool,
    /// Whether its evidence was bound by the host and still verifies.
    pub provenance_ok: bool,
    /// Why it does not verify any more; never set beside `provenance_ok`.
    pub revocation: Option<Revocation>,
    /// The kind that its author claimed and that what it cites cannot carry alone; a person's
    /// acceptance can grant it.
    pub claimed_type: Option<EntryType>,
    /// Whether a person rejected it, and nobody took that back.
    pub is_rejected: bool,
    /// Whether its source session is in the trash, or was removed for good.
    pub is_source_withdrawn: bool,
    /// The entry that this one replaced.
    pub supersedes: Option<EntryId>,
    /// The entry that replaced this one.
    pub superseded_by: Option<EntryId>,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When its standing last changed.
    pub updated_at: Timestamp,
    /// Its evidence, in stored order.
    pub evidence: Vec<Evidence>,
}

impl Entry {
    /// An entry in force that says only this: a fact about its project, unreviewed, unverified and
    /// not transferable.
    pub fn new(
        id: EntryId,
        source_session_id: SessionId,
        title: impl Into<String>,
        body: impl Into<String>,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            entry_type: EntryType::Fact,
            scope: Scope::Project,
            status: Status::Accepted,
            review_state: ReviewState::UnreviewedAuto,
            title: title.into(),
            body: body.into(),
            trigger: String::new(),
            confidence: None,
            uncertainty: String::new(),
            project: String::new(),
            cwd: String::new(),
            git_branch: String::new(),
            agent: String::new(),
            source_session_id,
            source_episode_id: None,
            source_run_id: None,
            extractor_method: String::new(),
            model: String::new(),
            transferable: false,
            provenance_ok: false,
            revocation: None,
            claimed_type: None,
            is_rejected: false,
            is_source_withdrawn: false,
            supersedes: None,
            superseded_by: None,
            created_at: now,
            updated_at: now,
            evidence: Vec::new(),
        }
    }

    /// Everybody whose words its evidence rests on; empty if that is not known.
    pub fn speakers(&self) -> BTreeSet<Speaker> {
        let rows = self.evidence.iter();
        rows.flat_map(|row| row.speakers.iter().copied()).collect()
    }

    /// Where the entry stands in the chain of supersession; the first matching rule wins.
    pub fn lifecycle(&self) -> Lifecycle {
        match (&self.supersedes, &self.superseded_by, self.status) {
            (Some(_), Some(_), _) => Lifecycle::ReplacementSuperseded,
            (Some(_), None, _) => Lifecycle::Replacement,
            (None, Some(_), _) | (None, None, Status::Archived) => Lifecycle::Superseded,
            (None, None, Status::Accepted) => Lifecycle::Active,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_lies_between_zero_and_one() {
        assert!(Confidence::new(0.0).is_ok() && Confidence::new(1.0).is_ok());
        for wrong in [-0.1, 1.2, f64::NAN, f64::INFINITY] {
            assert!(Confidence::new(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_range_never_runs_backwards() {
        let (one, two) = (Ordinal::new(1), Ordinal::new(2));
        assert!(OrdinalRange::new(two, one).is_err());
        let range = OrdinalRange::new(one, two).unwrap();
        assert!(range.contains(two) && !range.contains(Ordinal::FIRST));
    }
}
