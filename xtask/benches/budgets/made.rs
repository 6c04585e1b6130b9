//! An invented session of any length, and entries that cite it.

use agentsview_formats::{Agent, ParsedFile, ParsedMessage, ParsedSession};
use recall_core::{EntryId, Ordinal, OrdinalRange, Role, SessionId, SourceUuid, Timestamp};
use recall_store::{
    Applied, Durability, FileStamp, FileUpdate, Growth, ScanRecord, Store, StorePaths, StoredSource,
};
use recall_trust::evidence::{Selection, bind, window};
use recall_trust::insertion::{Draft, NewEntry, Provenance};
use recall_trust::review::AutomatedReview;

pub(crate) fn now() -> Timestamp {
    "2026-03-04T05:06:07.000Z".parse().unwrap()
}

fn session_id() -> SessionId {
    SessionId::new("made").unwrap()
}

pub(crate) struct Archive {
    pub(crate) store: Store,
    _directory: tempfile::TempDir,
}

/// In memory where the system offers that: the disk's moods are not what is measured.
fn directory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

pub(crate) async fn archive() -> Archive {
    let directory = directory();
    let paths = StorePaths {
        database: directory.path().join("archive.db"),
        lock: directory.path().join("archive.lock"),
    };
    Archive {
        store: Store::open(&paths).await.unwrap(),
        _directory: directory,
    }
}

/// Which stable ids a session's messages have.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ids {
    Stable,
    None,
}

/// About a kilobyte of text a message, as sessions have.
pub(crate) fn message(number: u32, ids: Ids) -> ParsedMessage {
    let text = format!("Message {number} says what was found and what was tried. ").repeat(18);
    ParsedMessage {
        timestamp: Some(now()),
        source_type: "assistant".to_owned(),
        source_uuid: match ids {
            Ids::Stable => SourceUuid::new(format!("uuid-{number}")).ok(),
            Ids::None => None,
        },
        ..ParsedMessage::new(
            Ordinal::new(number),
            [Role::User, Role::Assistant][number as usize % 2],
            text,
        )
    }
}

impl Archive {
    /// Writes the session's messages, numbered by their places.
    pub(crate) async fn write(&self, mut messages: Vec<ParsedMessage>) -> Applied {
        for (ordinal, message) in (0..).zip(&mut messages) {
            message.ordinal = Ordinal::new(ordinal);
        }
        let session = ParsedSession {
            id: session_id(),
            agent: Agent::Claude,
            project: "lantern".to_owned(),
            cwd: "/srv/code/lantern".to_owned(),
            git_branch: "main".to_owned(),
            source_session_id: "made".to_owned(),
            source_version: String::new(),
            parent: None,
            name: String::new(),
            started_at: Some(now()),
            ended_at: Some(now()),
            termination: None,
            is_automated: false,
            messages,
        };
        let update = FileUpdate {
            path: "/srv/sessions/made.jsonl".to_owned(),
            agent: Agent::Claude,
            source: StoredSource {
                stamp: FileStamp {
                    size: 1,
                    modified_ns: 1,
                    changed_ns: 1,
                    inode: 1,
                    device: 1,
                },
                consumed_bytes: 1,
                prefix_sha256: [7; 32],
                parser_version: 1,
            },
            growth: Growth::Rewrite,
            scans: vec![ScanRecord::default()],
            parsed: ParsedFile {
                sessions: vec![session],
                ..ParsedFile::default()
            },
        };
        self.store.apply(&[update], |_| true, now()).await.unwrap()
    }

    /// Stores an entry that cites three messages from `start` on.
    pub(crate) async fn cite(&self, start: u32) {
        let mut transaction = self.store.begin(Durability::Process).await.unwrap();
        let range = OrdinalRange::new(Ordinal::new(start), Ordinal::new(start + 2)).unwrap();
        let messages = transaction
            .cited_messages(&session_id(), range)
            .await
            .unwrap();
        let activity = transaction
            .session_activity(&session_id(), now())
            .await
            .unwrap();
        let window = window(session_id(), range, messages, activity).unwrap();
        let selection = Selection {
            range,
            tool_use_ids: Vec::new(),
        };
        let evidence = Provenance::Verified(bind(&window, &selection).unwrap());
        let review = AutomatedReview::Unreviewed;
        let entry = NewEntry::automated(draft(start), review, &evidence, &[], now()).unwrap();
        transaction.insert(&entry, now()).await.unwrap();
        transaction.commit().await.unwrap();
    }
}

fn draft(number: u32) -> Draft {
    Draft {
        project: "lantern".to_owned(),
        cwd: "/srv/code/lantern".to_owned(),
        git_branch: "main".to_owned(),
        agent: "claude".to_owned(),
        ..Draft::new(
            EntryId::new(format!("entry-{number}")).unwrap(),
            session_id(),
            format!("Entry {number}"),
            "Body",
        )
    }
}
