//! An archive of any number of entries that cite the sessions they came from.

use std::path::{Path, PathBuf};

use agentsview_formats::{Agent, ParsedFile, ParsedMessage, ParsedSession};
use recall_config::DataDir;
use recall_core::{
    CitedMessage, Confidence, Entry, EntryId, EntryType, Ordinal, OrdinalRange, ReviewState, Role,
    SessionId, Status, Timestamp,
};
use recall_store::{
    Durability, FileStamp, FileUpdate, Growth, ScanRecord, Store, StorePaths, StoredSource,
    Transaction,
};
use recall_trust::evidence::verification::Transcript;
use recall_trust::evidence::{Selection, bind, window};
use recall_trust::insertion::{Confirmed, Draft, NewEntry, Provenance, RestoredEntry};
use recall_trust::review::AutomatedReview;

use crate::made::now;
use crate::text::{Chance, Lexicon, Topic, eastern};

const MESSAGES: u32 = 20;
const ENTRIES_A_SESSION: usize = 50;
const SESSIONS_A_WRITE: usize = 100;
const DAYS: usize = 730;

/// Each twice as large as the one after the next, about.
const PROJECTS: [&str; 12] = [
    "lantern", "harbour", "orchard", "meadow", "quarry", "beacon", "thicket", "granary", "ferry",
    "cooper", "mill", "weir",
];

/// A data directory with the archive, and its cache when there is one.
pub(crate) struct Corpus {
    pub(crate) data: DataDir,
}

impl Corpus {
    /// The corpus of that size. It is made once and kept: `directory` is for what can be made again.
    pub(crate) async fn of(entries: usize, directory: &Path, lexicon: &Lexicon) -> Self {
        let path = directory.join(format!("corpus-{entries}"));
        let data = DataDir::at(&path);
        if !path.exists() {
            let unfinished = directory.join("corpus-unfinished");
            let _ = std::fs::remove_dir_all(&unfinished);
            let store = Store::open(&paths(&DataDir::at(&unfinished)))
                .await
                .unwrap();
            Author::new(lexicon, entries).write(&store).await;
            store.close().await;
            std::fs::rename(&unfinished, &path).unwrap();
        }
        Self { data }
    }

    pub(crate) fn paths(&self) -> StorePaths {
        paths(&self.data)
    }

    /// The whole of its index, made anew at the next refresh.
    pub(crate) fn forget_index(&self) {
        let _ = std::fs::remove_dir_all(self.data.cache());
    }

    pub(crate) fn directory(&self) -> PathBuf {
        self.data.path().to_owned()
    }
}

fn paths(data: &DataDir) -> StorePaths {
    StorePaths {
        database: data.archive(),
        lock: data.lock(),
    }
}

/// Whose sessions and entries these are.
struct Author<'l> {
    lexicon: &'l Lexicon,
    chance: Chance,
    entries: usize,
    /// Texts of the latest entries, for some that say nearly the same.
    said: Vec<(String, String)>,
}

/// A session while its entries are written.
struct Written {
    session: ParsedSession,
    topic: Topic,
    age: usize,
}

impl<'l> Author<'l> {
    fn new(lexicon: &'l Lexicon, entries: usize) -> Self {
        Self {
            lexicon,
            chance: Chance::new(0xe117),
            entries,
            said: Vec::new(),
        }
    }

    async fn write(&mut self, store: &Store) {
        let sessions = self.entries.div_ceil(ENTRIES_A_SESSION);
        let mut next = 0;
        for start in (0..sessions).step_by(SESSIONS_A_WRITE) {
            let end = (start + SESSIONS_A_WRITE).min(sessions);
            let written: Vec<Written> = (start..end).map(|number| self.session(number)).collect();
            let updates: Vec<FileUpdate> = written.iter().map(update).collect();
            store.apply(&updates, |_| true, now()).await.unwrap();
            let mut transaction = store.begin(Durability::Process).await.unwrap();
            for written in &written {
                let messages = cited(&mut transaction, &written.session.id).await;
                for _ in 0..ENTRIES_A_SESSION.min(self.entries - next) {
                    let entry = self.entry(next, written, &messages, &mut transaction).await;
                    transaction.insert_restored(entry).await.unwrap();
                    next += 1;
                }
            }
            transaction.commit().await.unwrap();
        }
    }

    fn session(&mut self, number: usize) -> Written {
        let chance = &mut self.chance;
        let topic = self.lexicon.topic(chance);
        let age = chance.below(DAYS);
        let at = days_ago(age, chance);
        // The larger of two draws is twice as often in the upper half.
        let place = chance
            .below(PROJECTS.len())
            .min(chance.below(PROJECTS.len()));
        let project = PROJECTS[place];
        let branch = match chance.below(4) {
            0 => format!("fix/{}", self.lexicon.name(chance)),
            1 => format!("feature/{}", self.lexicon.name(chance)),
            _ => "main".to_owned(),
        };
        let mut messages = Vec::new();
        for ordinal in 0..MESSAGES {
            let (role, words) = match ordinal % 2 {
                0 => (Role::User, chance.between(10, 60)),
                _ => (Role::Assistant, chance.between(60, 160)),
            };
            let text = self.lexicon.prose(&topic, words, chance);
            messages.push(ParsedMessage {
                timestamp: Some(at),
                ..ParsedMessage::new(Ordinal::new(ordinal), role, text)
            });
        }
        let session = ParsedSession {
            id: SessionId::new(format!("session-{number}")).unwrap(),
            agent: *chance.of(Agent::ALL),
            project: project.to_owned(),
            cwd: format!("/srv/code/{project}"),
            git_branch: branch,
            source_session_id: format!("session-{number}"),
            source_version: String::new(),
            parent: None,
            name: String::new(),
            started_at: Some(at),
            ended_at: Some(at),
            termination: None,
            is_automated: false,
            messages,
        };
        Written {
            session,
            topic,
            age,
        }
    }

    async fn entry(
        &mut self,
        number: usize,
        written: &Written,
        transcript: &[CitedMessage],
        transaction: &mut Transaction,
    ) -> NewEntry {
        let session = &written.session;
        let start = u32::try_from(self.chance.below(MESSAGES as usize - 3)).unwrap();
        let length = u32::try_from(self.chance.below(3)).unwrap();
        let range = OrdinalRange::new(Ordinal::new(start), Ordinal::new(start + length)).unwrap();
        let messages = transcript
            .iter()
            .filter(|message| range.contains(message.ordinal))
            .cloned()
            .collect();
        let activity = transaction
            .session_activity(&session.id, now())
            .await
            .unwrap();
        let window = window(session.id.clone(), range, messages, activity).unwrap();
        let selection = Selection {
            range,
            tool_use_ids: Vec::new(),
        };
        let evidence = Provenance::Verified(bind(&window, &selection).unwrap());
        let quoted = &session.messages[start as usize].content;
        let snippet = quoted[..quoted.floor_char_boundary(self.chance.between(60, 160))].to_owned();
        let draft = self.draft(number, written);
        let review = AutomatedReview::Unreviewed;
        let entry = NewEntry::automated(draft, review, &evidence, &[snippet], now()).unwrap();
        let entry = self.standing(entry.into_entry(), written.age);
        let transcript = Transcript::new(transcript.to_vec());
        let judged = RestoredEntry::judge(entry, Some(&transcript)).unwrap();
        NewEntry::restored(judged, Confirmed::given(true).unwrap())
    }

    fn draft(&mut self, number: usize, written: &Written) -> Draft {
        let (title, body) = self.said(written);
        let chance = &mut self.chance;
        let trigger = if chance.percent(70) {
            self.lexicon.prose(&written.topic, 8, chance)
        } else {
            String::new()
        };
        Draft {
            entry_type: *chance.of(EntryType::ALL),
            trigger,
            confidence: Confidence::new([0.5, 0.7, 0.8, 0.9][chance.below(4)]).ok(),
            project: written.session.project.clone(),
            cwd: written.session.cwd.clone(),
            git_branch: written.session.git_branch.clone(),
            agent: written.session.agent.as_str().to_owned(),
            ..Draft::new(
                EntryId::new(format!("entry-{number:06}")).unwrap(),
                written.session.id.clone(),
                title,
                body,
            )
        }
    }

    /// A title and a body.
    fn said(&mut self, written: &Written) -> (String, String) {
        let chance = &mut self.chance;
        let said = if !self.said.is_empty() && chance.percent(2) {
            let (title, body) = chance.of(&self.said).clone();
            (title, format!("{body} {}", self.lexicon.word(chance)))
        } else if chance.percent(5) {
            (eastern(6, chance), eastern(40, chance))
        } else {
            let (title, body) = (chance.between(5, 11), chance.between(30, 90));
            (
                self.lexicon.prose(&written.topic, title, chance),
                self.lexicon.prose(&written.topic, body, chance),
            )
        };
        if self.said.len() < 200 {
            self.said.push(said.clone());
        } else {
            let place = chance.below(self.said.len());
            self.said[place] = said.clone();
        }
        said
    }

    /// Six of ten were seen by a person, one of ten is no longer in force.
    fn standing(&mut self, mut entry: Entry, age: usize) -> Entry {
        let chance = &mut self.chance;
        if chance.percent(60) {
            entry.review_state = ReviewState::HumanReviewed;
            entry.transferable = true;
        }
        if chance.percent(10) {
            entry.status = Status::Archived;
        }
        let at = days_ago(age, chance);
        entry.created_at = at;
        entry.updated_at = at;
        entry
    }
}

fn days_ago(days: usize, chance: &mut Chance) -> Timestamp {
    const DAY: usize = 24 * 60 * 60 * 1_000;
    let back = i64::try_from(days * DAY + chance.below(DAY)).unwrap();
    Timestamp::from_millisecond(now().as_millisecond() - back).unwrap()
}

async fn cited(transaction: &mut Transaction, session: &SessionId) -> Vec<CitedMessage> {
    let whole = OrdinalRange::new(Ordinal::new(0), Ordinal::new(MESSAGES - 1)).unwrap();
    transaction.cited_messages(session, whole).await.unwrap()
}

fn update(written: &Written) -> FileUpdate {
    FileUpdate {
        path: format!("/srv/sessions/{}.jsonl", written.session.id),
        agent: written.session.agent,
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
        growth: Growth::New,
        scans: vec![ScanRecord::default()],
        parsed: ParsedFile {
            sessions: vec![written.session.clone()],
            ..ParsedFile::default()
        },
    }
}
