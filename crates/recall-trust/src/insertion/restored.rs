//! Entries that come back from a backup.
//!
//! A backup says everything of an entry, its standing too, and anyone can write such a file. So
//! [`RestoredEntry::judge`] believes it in nothing that the host can find out, and
//! [`NewEntry::restored`] takes the rest only on the word of a person.

use recall_core::{Entry, ReviewState, Status};

use super::check::{check_evidence, check_text};
use super::{Draft, InsertError, NewEntry};
use crate::evidence::verification::Transcript;
use crate::evidence::{self, Doubt, MAX_SNIPPET_BYTES, MAX_SNIPPETS, speakers};
use crate::limits::{self, MAX_ID_BYTES};

/// Bytes of all quotations of a row of evidence.
const MAX_QUOTED_BYTES: usize = MAX_SNIPPETS * (MAX_SNIPPET_BYTES + 1);

/// Proof that a person confirmed what is about to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confirmed(());

impl Confirmed {
    /// `None` unless the person said yes.
    pub fn given(yes: bool) -> Option<Self> {
        yes.then_some(Self(()))
    }
}

/// What became of an entry's evidence on its way back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestoredEvidence {
    /// It is as it was backed up: verified again, or without provenance before.
    AsItWas,
    /// It was verified, at another place than it was backed up with.
    Shifted,
    /// It was verified once and cannot be verified now.
    Unverified(Doubt),
}

/// An entry of a backup after its evidence was looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct RestoredEntry {
    entry: Entry,
    evidence: RestoredEvidence,
}

impl RestoredEntry {
    /// Checks what must hold for every entry that an archive had. It needs no transcript, so that a
    /// whole file can be checked before anything is written.
    pub fn check(entry: &Entry) -> Result<(), InsertError> {
        limits::check(&content(entry))?;
        check_text(entry)?;
        check_evidence(entry)?;
        for row in &entry.evidence {
            // Not one by one: archives of the first schema kept all quotations of a row as one.
            limits::check_bytes("snippets", &row.snippet(), MAX_QUOTED_BYTES)?;
            let tool_use_id = row.tool_use_id.as_ref().map_or("", AsRef::as_ref);
            limits::check_bytes("tool_use_id", tool_use_id, MAX_ID_BYTES)?;
        }
        if entry.provenance_ok && entry.revocation.is_some() {
            return Err(InsertError::RevokedProvenance(entry.id.clone()));
        }
        let linked = [&entry.supersedes, &entry.superseded_by];
        if linked.into_iter().flatten().any(|other| *other == entry.id) {
            return Err(InsertError::SupersedesItself(entry.id.clone()));
        }
        match &entry.superseded_by {
            Some(successor) if entry.status == Status::Accepted => {
                Err(InsertError::ReplacedInForce {
                    id: entry.id.clone(),
                    successor: successor.clone(),
                })
            }
            _ => Ok(()),
        }
    }

    /// Looks at an entry of a backup beside the transcript of its session as it is stored now.
    /// Provenance comes back only if the evidence holds; otherwise the rows stay as a claim, which
    /// can be verified when the transcript is there. A revoked entry stays revoked, and one without
    /// provenance stays without.
    pub fn judge(mut entry: Entry, transcript: Option<&Transcript>) -> Result<Self, InsertError> {
        Self::check(&entry)?;
        let mut outcome = RestoredEvidence::AsItWas;
        if entry.provenance_ok {
            let held = transcript
                .ok_or(Doubt::NoTranscript)
                .and_then(|transcript| evidence::hold(&entry.evidence, transcript));
            match held {
                Ok(held) => {
                    entry.evidence = held.rows;
                    if held.shifted {
                        outcome = RestoredEvidence::Shifted;
                    }
                }
                Err(doubt) => {
                    entry.provenance_ok = false;
                    outcome = RestoredEvidence::Unverified(doubt);
                }
            }
        }
        // As for whatever a program makes: nobody's word tells nobody what to do.
        if entry.review_state != ReviewState::HumanReviewed
            && let Some(kind) = speakers::kind_held_back(entry.entry_type, &entry.speakers())
        {
            entry.claimed_type = Some(std::mem::replace(&mut entry.entry_type, kind));
        }
        Ok(Self {
            entry,
            evidence: outcome,
        })
    }

    /// What became of its evidence.
    pub fn evidence(&self) -> RestoredEvidence {
        self.evidence
    }

    /// The entry as it would be stored.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The same without the entry that it replaced, which does not come back.
    #[must_use]
    pub fn without_predecessor(mut self) -> Self {
        self.entry.supersedes = None;
        self
    }

    /// The same without the entry that replaced it, which does not come back. If that one's session
    /// was removed for good, this one is in force again, as when a session is removed (S-R03).
    #[must_use]
    pub fn without_successor(mut self, was_removed: bool) -> Self {
        self.entry.superseded_by = None;
        if was_removed {
            self.entry.status = Status::Accepted;
        }
        self
    }

    /// Every text of an entry with its name, quotations included. Whoever checks texts walks this.
    pub fn texts(entry: &Entry) -> Vec<(&'static str, String)> {
        let quoted = entry.evidence.iter().flat_map(|row| &row.snippets);
        content(entry)
            .texts()
            .into_iter()
            .map(|(name, text)| (name, text.to_owned()))
            .chain(quoted.map(|text| ("snippet", text.clone())))
            .collect()
    }

    /// Whether an archive that has `stored` under this id has this entry. What the host keeps right
    /// by itself does not count: whether the evidence verifies, where it stands, its digests, and
    /// the times.
    pub fn is_same(backed_up: &Entry, stored: &Entry) -> bool {
        constant(backed_up) == constant(stored)
    }
}

impl NewEntry {
    /// An entry of a backup that a person confirmed: who vouched for it is that person's word.
    pub fn restored(restored: RestoredEntry, _confirmed: Confirmed) -> Self {
        Self(restored.entry)
    }

    /// The same entry, archived with its links: it comes back, and a person rejected it.
    #[must_use]
    pub fn restored_rejected(mut self) -> Self {
        self.0.status = Status::Archived;
        self
    }
}

/// What an entry says, for what checks that.
fn content(entry: &Entry) -> Draft {
    Draft {
        id: entry.id.clone(),
        entry_type: entry.entry_type,
        scope: entry.scope,
        title: entry.title.clone(),
        body: entry.body.clone(),
        trigger: entry.trigger.clone(),
        confidence: entry.confidence,
        uncertainty: entry.uncertainty.clone(),
        project: entry.project.clone(),
        cwd: entry.cwd.clone(),
        git_branch: entry.git_branch.clone(),
        agent: entry.agent.clone(),
        source_session_id: entry.source_session_id.clone(),
        source_episode_id: entry.source_episode_id.clone(),
        source_run_id: entry.source_run_id.clone(),
        extractor_method: entry.extractor_method.clone(),
        model: entry.model.clone(),
        supersedes: entry.supersedes.clone(),
    }
}

/// What of an entry changes by a person's decision alone.
fn constant(entry: &Entry) -> impl PartialEq + use<> {
    let quoted: Vec<_> = entry
        .evidence
        .iter()
        .map(|row| (row.tool_use_id.clone(), row.snippets.clone()))
        .collect();
    let standing = (
        entry.status,
        entry.review_state,
        entry.transferable,
        entry.claimed_type,
    );
    // What it replaces is part of its content.
    (
        content(entry),
        standing,
        entry.superseded_by.clone(),
        quoted,
    )
}

#[cfg(test)]
mod tests;
