//! Entries as lines that [`parse_line`](super::parse_line) reads.

use recall_core::{
    Entry, EntryId, EpisodeId, Label, OrdinalRange, ReviewState, RunId, Speaker, ToolUseId,
};
use serde::Serialize;

use crate::evidence::speakers;
use crate::trusted::is_trusted;

#[derive(Serialize)]
struct Line<'a> {
    candidate_id: &'a str,
    session_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    episode_id: Option<&'a str>,
    r#type: &'static str,
    scope: &'static str,
    title: &'a str,
    body: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    trigger: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    uncertainty: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    project: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    cwd: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    git_branch: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    agent: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    extractor_method: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    model: &'a str,
    label: &'static str,
    transferable: bool,
    provenance_ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    supersedes_entry_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<LineEvidence<'a>>,
}

#[derive(Serialize)]
struct LineEvidence<'a> {
    ordinal_start: u32,
    ordinal_end: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_use_ids: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    snippets: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    speakers: Vec<&'static str>,
}

/// Writes an entry as one line of a reviewed import, without its line break.
///
/// A trusted entry reads back as a candidate that says the same; it names no predecessor, since
/// that is archived and cannot be imported again. Any other entry is written as what it is, so that
/// the import passes over it with the reason. An entry that cites several stretches does not fit a
/// line, and says that its provenance is not sound.
pub fn write_line(entry: &Entry) -> serde_json::Result<String> {
    let evidence = one_citation(entry);
    serde_json::to_string(&Line {
        candidate_id: entry.id.as_str(),
        session_id: entry.source_session_id.as_str(),
        run_id: entry.source_run_id.as_ref().map(RunId::as_str),
        episode_id: entry.source_episode_id.as_ref().map(EpisodeId::as_str),
        r#type: entry.claimed_type.unwrap_or(entry.entry_type).as_str(),
        scope: entry.scope.as_str(),
        title: &entry.title,
        body: &entry.body,
        trigger: &entry.trigger,
        confidence: entry.confidence.map(recall_core::Confidence::get),
        uncertainty: &entry.uncertainty,
        project: &entry.project,
        cwd: &entry.cwd,
        git_branch: &entry.git_branch,
        agent: &entry.agent,
        extractor_method: &entry.extractor_method,
        model: &entry.model,
        label: label(entry),
        transferable: entry.transferable,
        provenance_ok: entry.provenance_ok && evidence.is_some(),
        supersedes_entry_id: entry
            .supersedes
            .as_ref()
            .filter(|_| !is_trusted(entry))
            .map(EntryId::as_str),
        evidence,
    })
}

/// A label that keeps the line, or one that says why nobody should.
fn label(entry: &Entry) -> &'static str {
    if is_trusted(entry) {
        Label::Correct.as_str()
    } else if entry.is_rejected {
        "rejected"
    } else if entry.review_state != ReviewState::HumanReviewed {
        entry.review_state.as_str()
    } else if entry.is_source_withdrawn {
        "source_withdrawn"
    } else {
        entry.status.as_str()
    }
}

/// That the kind was granted by a person who saw who speaks; only a kind that needs it says so.
fn seen_speakers(entry: &Entry) -> Vec<&'static str> {
    let speakers = entry.speakers();
    if speakers::kind_held_back(entry.entry_type, &speakers).is_none() {
        return Vec::new();
    }
    speakers.into_iter().map(Speaker::as_str).collect()
}

fn one_citation(entry: &Entry) -> Option<LineEvidence<'_>> {
    let range: OrdinalRange = entry.evidence.first()?.range;
    entry
        .evidence
        .iter()
        .all(|row| row.range == range)
        .then(|| LineEvidence {
            ordinal_start: range.start().get(),
            ordinal_end: range.end().get(),
            tool_use_ids: entry
                .evidence
                .iter()
                .filter_map(|row| row.tool_use_id.as_ref().map(ToolUseId::as_str))
                .collect(),
            snippets: entry
                .evidence
                .iter()
                .flat_map(|row| row.snippets.iter().map(String::as_str))
                .collect(),
            speakers: seen_speakers(entry),
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use recall_core::{
        Confidence, EntryType, Evidence, Revocation, RevocationReason, Scope, SkipReason, Status,
    };

    use super::*;
    use crate::fixtures::{entry_id, now, range, session, tool, trusted_entry};
    use crate::import::{LineVerdict, parse_line};

    fn cited() -> Entry {
        let mut entry = trusted_entry();
        let mut row = Evidence::claimed(session("s1"), range(3, 5));
        row.tool_use_id = Some(tool("t1"));
        row.snippets = vec![" said so\n".to_owned()];
        let mut other = row.clone();
        other.tool_use_id = Some(tool("t2"));
        other.snippets.clear();
        entry.evidence = vec![row, other];
        entry
    }

    fn read(entry: &Entry) -> LineVerdict {
        parse_line(1, write_line(entry).unwrap().as_bytes())
    }

    type Spoil = fn(&mut Entry);

    // B-12
    #[test]
    fn an_entry_that_is_not_trusted_is_passed_over_with_the_reason() {
        let spoils: [(Spoil, SkipReason, &str); 7] = [
            (
                |entry| entry.transferable = false,
                SkipReason::NotTransferable,
                "accepted",
            ),
            (
                |entry| entry.provenance_ok = false,
                SkipReason::ProvenanceNotOk,
                "accepted",
            ),
            (
                |entry| {
                    entry.provenance_ok = false;
                    entry.revocation = Some(Revocation {
                        reason: RevocationReason::ContentDigestMismatch,
                        at: now(),
                    });
                },
                SkipReason::ProvenanceNotOk,
                "accepted",
            ),
            (
                |entry| entry.review_state = ReviewState::UnreviewedAuto,
                SkipReason::LabelNotKeeper,
                "unreviewed_auto",
            ),
            (
                |entry| entry.status = Status::Archived,
                SkipReason::LabelNotKeeper,
                "archived",
            ),
            (
                |entry| {
                    entry.status = Status::Archived;
                    entry.is_rejected = true;
                },
                SkipReason::LabelNotKeeper,
                "rejected",
            ),
            (
                |entry| entry.is_source_withdrawn = true,
                SkipReason::LabelNotKeeper,
                "source_withdrawn",
            ),
        ];
        for (spoil, reason, label) in spoils {
            let mut entry = cited();
            spoil(&mut entry);
            let LineVerdict::Skip(item) = read(&entry) else {
                panic!("{entry:?}");
            };
            assert_eq!((item.skipped, item.label.as_str()), (Some(reason), label));
        }
    }

    #[test]
    fn what_does_not_fit_a_line_says_so() {
        let mut entry = cited();
        entry.evidence[1].range = range(7, 8);
        let LineVerdict::Skip(item) = read(&entry) else {
            panic!("two ranges");
        };
        assert_eq!(item.skipped, Some(SkipReason::ProvenanceNotOk));
    }

    #[test]
    fn a_trusted_entry_does_not_name_what_it_replaced() {
        let mut entry = cited();
        entry.supersedes = Some(entry_id("old"));
        let LineVerdict::Candidate(candidate) = read(&entry) else {
            panic!("no candidate");
        };
        assert_eq!(candidate.supersedes(), None);
    }

    // B-12
    proptest! {
        #[test]
        fn a_trusted_entry_reads_back_as_what_it_was(
            texts in prop::collection::vec("\\S(.{0,20}\\S)?", 9),
            confidence in prop::option::of(0.0..=1.0),
            kind in prop::sample::select(EntryType::ALL),
            scope in prop::sample::select(Scope::ALL),
        ) {
            let mut entry = cited();
            entry.title.clone_from(&texts[0]);
            entry.title.retain(|c| !matches!(c, '\n' | '\r'));
            entry.body = format!("{}\n{}", texts[1], texts[2]);
            entry.trigger.clone_from(&texts[3]);
            entry.uncertainty.clone_from(&texts[4]);
            entry.project.clone_from(&texts[5]);
            entry.cwd.clone_from(&texts[6]);
            entry.git_branch.clone_from(&texts[7]);
            entry.model.clone_from(&texts[8]);
            entry.confidence = confidence.map(|it| Confidence::new(it).unwrap());
            (entry.entry_type, entry.scope) = (kind, scope);
            prop_assume!(!entry.title.trim().is_empty());
            let LineVerdict::Candidate(candidate) = read(&entry) else {
                panic!("no candidate: {:?}", read(&entry));
            };
            prop_assert!(candidate.same_content(&entry), "{candidate:?}");
        }
    }
}
