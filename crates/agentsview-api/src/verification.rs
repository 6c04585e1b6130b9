//! What verifying evidence did.

use recall_core::{EntryId, RevocationReason};
use recall_engine::ReverifyReport;
use recall_store::{RevokedEntry, Verification};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::is_zero;

/// What became of entries whose evidence was verified again.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct VerificationDocument {
    /// Entries whose evidence is where it was.
    pub kept: u64,
    /// Entries whose evidence moved with its text; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shifted: Vec<String>,
    /// Entries whose evidence does not hold any more; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub revoked: Vec<RevokedEntryDocument>,
}

/// An entry that lost its provenance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RevokedEntryDocument {
    /// The entry.
    pub entry_id: String,
    /// Its session.
    pub session_id: String,
    /// What was wrong first.
    #[schemars(extend("enum" = RevocationReason::WORDS))]
    pub reason: String,
}

/// The answer of `recall reverify`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReverifyDocument {
    /// Sessions looked at.
    pub sessions: u64,
    /// What became of entries whose evidence had been verified before.
    pub evidence: VerificationDocument,
    /// Entries whose evidence nobody had verified and which holds; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirmed: Vec<String>,
    /// Entries whose evidence still cannot be verified; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unconfirmed: Vec<UnconfirmedEntryDocument>,
    /// Entries whose evidence had been revoked before and which stay so; left out if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stay_revoked: u64,
}

/// An entry whose evidence cannot be verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnconfirmedEntryDocument {
    /// The entry.
    pub entry_id: String,
    /// Why not.
    pub message: String,
}

impl From<&ReverifyReport> for ReverifyDocument {
    fn from(report: &ReverifyReport) -> Self {
        let unconfirmed = |(entry, reason): &(EntryId, String)| UnconfirmedEntryDocument {
            entry_id: entry.to_string(),
            message: reason.clone(),
        };
        Self {
            sessions: report.sessions,
            evidence: VerificationDocument::from(&report.verification),
            confirmed: report.confirmed.iter().map(ToString::to_string).collect(),
            unconfirmed: report.unconfirmed.iter().map(unconfirmed).collect(),
            stay_revoked: report.stay_revoked,
        }
    }
}

impl From<&Verification> for VerificationDocument {
    fn from(verification: &Verification) -> Self {
        Self {
            kept: verification.kept,
            shifted: verification
                .shifted
                .iter()
                .map(ToString::to_string)
                .collect(),
            revoked: verification.revoked.iter().map(Into::into).collect(),
        }
    }
}

impl From<&RevokedEntry> for RevokedEntryDocument {
    fn from(revoked: &RevokedEntry) -> Self {
        Self {
            entry_id: revoked.entry_id.to_string(),
            session_id: revoked.session_id.to_string(),
            reason: revoked.reason.to_string(),
        }
    }
}
