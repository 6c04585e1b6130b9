//! Reviewed entries that cite what is stored, bound the way an import binds them, and the ways in
//! which a changed transcript comes to be written.

use agentsview_formats::{ParsedMessage, ParsedToolCall};
use recall_core::{Entry, EntryId, Ordinal, Timestamp};
use recall_store::{Applied, Durability, FileUpdate, Growth};
use recall_trust::evidence::{bind, window};
use recall_trust::import::{Candidate, LineVerdict, parse_line};
use recall_trust::insertion::NewEntry;
use serde_json::json;

use crate::made::{Archive, call, file, message, now, session};

/// Long enough after everything that no result is waited for any more.
pub(crate) fn later() -> Timestamp {
    "2026-03-05T05:06:07.000Z".parse().unwrap()
}

/// What a reviewed line cites.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cited<'a> {
    pub(crate) session: &'a str,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) tools: &'a [&'a str],
}

impl Cited<'_> {
    fn candidate(&self, id: &str, supersedes: Option<&str>) -> Candidate {
        let line = json!({
            "candidate_id": id, "session_id": self.session, "type": "fact", "scope": "project",
            "title": format!("Title of {id}"), "body": "Body", "label": "correct",
            "transferable": true, "provenance_ok": true, "supersedes_entry_id": supersedes,
            "evidence": {
                "ordinal_start": self.first, "ordinal_end": self.last, "tool_use_ids": self.tools,
            },
        });
        match parse_line(1, line.to_string().as_bytes()) {
            LineVerdict::Candidate(candidate) => *candidate,
            other => panic!("{other:?}"),
        }
    }
}

/// The messages that most tests cite from: two tool uses in the second one.
pub(crate) fn said() -> Vec<ParsedMessage> {
    let texts = ["Do it", "Running", "And?", "It works", "Thanks", "Bye"];
    let mut messages: Vec<_> = (0..)
        .zip(texts)
        .map(|(ordinal, text)| message(ordinal, text))
        .collect();
    messages[1].tool_calls = vec![call("t1", Some("ok")), call("t2", Some("fine"))];
    messages
}

pub(crate) fn without_ids(mut messages: Vec<ParsedMessage>) -> Vec<ParsedMessage> {
    for message in &mut messages {
        message.source_uuid = None;
    }
    messages
}

/// The messages with ordinals without gaps.
pub(crate) fn renumbered(mut messages: Vec<ParsedMessage>) -> Vec<ParsedMessage> {
    for (ordinal, message) in (0..).zip(&mut messages) {
        message.ordinal = Ordinal::new(ordinal);
    }
    messages
}

/// The messages with another one before them.
pub(crate) fn one_before(messages: &[ParsedMessage]) -> Vec<ParsedMessage> {
    let mut first = message(0, "Before all that");
    first.source_uuid = None;
    renumbered([&[first], messages].concat())
}

pub(crate) fn called<'a>(message: &'a mut ParsedMessage, id: &str) -> &'a mut ParsedToolCall {
    message
        .tool_calls
        .iter_mut()
        .find(|call| call.tool_use_id.as_ref().unwrap().as_str() == id)
        .unwrap()
}

/// How a transcript of a session that is stored already comes in again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Write {
    /// The file only grew, which may still bring late results or another branch.
    Append,
    /// Bytes that were read before changed.
    Rewrite,
    /// `sync --full`: the file is as it was, and a newer parser reads it again.
    Full,
    /// Another file took the place of the first one.
    InodeReplaced,
    /// The file is gone and another one holds the session.
    Moved,
}

impl Write {
    pub(crate) const ALL: [Self; 5] = [
        Self::Append,
        Self::Rewrite,
        Self::Full,
        Self::InodeReplaced,
        Self::Moved,
    ];

    pub(crate) fn update(self, id: &str, messages: &[ParsedMessage]) -> FileUpdate {
        let growth = match self {
            Self::Append | Self::Full => Growth::Append,
            Self::Rewrite | Self::InodeReplaced => Growth::Rewrite,
            Self::Moved => Growth::New,
        };
        let path = match self {
            Self::Moved => format!("/srv/moved/{id}.jsonl"),
            _ => path_of(id),
        };
        let mut update = file(&path, growth, vec![session(id, messages.to_vec())]);
        match self {
            Self::Full => update.source.parser_version = 2,
            Self::InodeReplaced => update.source.stamp.inode = 77,
            _ => update.source.consumed_bytes = 9,
        }
        update
    }
}

pub(crate) fn path_of(session: &str) -> String {
    format!("/srv/sessions/{session}.jsonl")
}

impl Archive {
    /// Stores the transcript of a session that the archive does not have.
    pub(crate) async fn store(&self, id: &str, messages: &[ParsedMessage]) {
        let session = session(id, messages.to_vec());
        self.apply(file(&path_of(id), Growth::New, vec![session]))
            .await;
    }

    /// Stores the transcript of a session again, as it is now.
    pub(crate) async fn write(
        &self,
        write: Write,
        id: &str,
        messages: &[ParsedMessage],
    ) -> Result<Applied, recall_store::StoreError> {
        let is_present = |_: &str| write != Write::Moved;
        let update = write.update(id, messages);
        self.store.apply(&[update], is_present, later()).await
    }

    /// A reviewed entry, bound to what is stored.
    pub(crate) async fn cite(&self, id: &str, cited: Cited<'_>) -> Entry {
        self.cite_in_place_of(id, cited, None).await
    }

    pub(crate) async fn cite_in_place_of(
        &self,
        id: &str,
        cited: Cited<'_>,
        old: Option<&str>,
    ) -> Entry {
        let candidate = cited.candidate(id, old);
        let (owner, range) = (candidate.session_id(), candidate.selection.range);
        let mut transaction = self.store.begin(Durability::Process).await.unwrap();
        let messages = transaction.cited_messages(owner, range).await.unwrap();
        let activity = transaction.session_activity(owner, later()).await.unwrap();
        let window = window(owner.clone(), range, messages, activity).unwrap();
        let bound = bind(&window, &candidate.selection).unwrap();
        let new = NewEntry::verified(&candidate, &bound, now()).unwrap();
        transaction.insert(&new, now()).await.unwrap();
        transaction.commit().await.unwrap();
        self.entry(id).await
    }

    pub(crate) async fn entry(&self, id: &str) -> Entry {
        let id = EntryId::new(id).unwrap();
        self.store.entry(&id).await.unwrap().unwrap()
    }

    /// The corpus revision and the query revision.
    pub(crate) async fn counters(&self) -> (u64, u64) {
        let (corpus, query) = self.store.revisions().await.unwrap();
        (corpus.get(), query.get())
    }
}
