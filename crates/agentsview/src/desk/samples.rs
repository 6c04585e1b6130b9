//! Invented items for the tests of the desk, and a terminal that plays a script.

use std::collections::VecDeque;
use std::io;

use agentsview_formats::{ParsedMessage, ParsedToolCall, ToolCategory, ToolResult};
use console::Key;
use recall_core::{
    Entry, EntryId, EntryType, Evidence, Ordinal, OrdinalRange, ReviewAction, ReviewState, Role,
    SessionId, Speaker, ToolUseId,
};
use recall_engine::{Passage, ReviewItem};
use recall_lexical::similar::{Contradiction, Difference, Duplicate};
use recall_trust::review::Decision;

use super::editor::EditorError;
use super::input::Input;
use super::screen::{Screen, Size};
use super::state::{Desk, Mode};
use super::terminal::Terminal;
use crate::render::samples::{HOSTILE, hostile_entry, pool_entry};

pub(super) fn id(text: &str) -> EntryId {
    EntryId::new(text).unwrap()
}

fn message(ordinal: u32, role: Role, content: &str) -> ParsedMessage {
    ParsedMessage {
        ordinal: Ordinal::new(ordinal),
        role,
        content: content.to_owned(),
        thinking_text: String::new(),
        timestamp: None,
        is_system: false,
        model: String::new(),
        usage: None,
        source_type: String::new(),
        source_subtype: String::new(),
        source_uuid: None,
        source_parent_uuid: String::new(),
        provider_message_id: String::new(),
        provider_request_id: String::new(),
        is_sidechain: false,
        is_compact_boundary: false,
        tool_calls: Vec::new(),
    }
}

fn call(id: &str, tool: &str, result: &str) -> ParsedToolCall {
    ParsedToolCall {
        tool_use_id: Some(ToolUseId::new(id).unwrap()),
        tool_name: tool.to_owned(),
        category: ToolCategory::Bash,
        input_json: "{}".to_owned(),
        file_path: String::new(),
        skill_name: String::new(),
        subagent_session_id: None,
        results: vec![ToolResult {
            source: "tool_result".to_owned(),
            status: "ok".to_owned(),
            content: result.to_owned(),
            timestamp: None,
            agent_id: String::new(),
        }],
    }
}

fn range(start: u32, end: u32) -> OrdinalRange {
    OrdinalRange::new(Ordinal::new(start), Ordinal::new(end)).unwrap()
}

fn waiting(name: &str) -> Entry {
    Entry {
        id: id(name),
        review_state: ReviewState::UnreviewedAuto,
        transferable: false,
        supersedes: None,
        extractor_method: "session_review".to_owned(),
        model: "model-1".to_owned(),
        ..pool_entry()
    }
}

/// An entry that the person and the agent said, with one that repeats and one that contradicts it.
pub(super) fn plain_item(name: &str) -> ReviewItem {
    let mut entry = waiting(name);
    entry.evidence.truncate(1);
    let mut answer = message(5, Role::Assistant, "Closing the pool first ends the hang.");
    answer.tool_calls = vec![
        call("call_7", "Bash", "the pool still holds\n2 connections"),
        call("call_8", "Read", "not to be seen"),
    ];
    let other = |name: &str, title: &str, body: &str| Entry {
        title: title.to_owned(),
        body: body.to_owned(),
        ..Entry {
            id: id(name),
            ..pool_entry()
        }
    };
    let decision = Decision {
        number: 4,
        entry_id: id(name),
        action: ReviewAction::Edit,
        reviewer: "kim".to_owned(),
        at: entry.updated_at,
        note: "clearer title".to_owned(),
        standing: None,
        other: None,
        undoes: None,
        undone_by: None,
    };
    ReviewItem {
        passages: vec![Passage {
            range: range(3, 5),
            tool_use_ids: vec![ToolUseId::new("call_7").unwrap()],
            messages: vec![
                message(3, Role::User, "Why does the test hang at its end?"),
                answer,
            ],
        }],
        duplicates: vec![(
            Duplicate {
                id: id("pool-first"),
                similarity: 0.83,
            },
            other(
                "pool-first",
                "Pool first, runtime second",
                "Close the pool, then stop.",
            ),
        )],
        contradictions: vec![(
            Contradiction {
                id: id("pool-last"),
                subject: "the pool".to_owned(),
                difference: Difference::Negation {
                    ours: "Close the pool first.".to_owned(),
                    theirs: "Never close the pool first.".to_owned(),
                },
            },
            other(
                "pool-last",
                "Leave the pool alone",
                "Never close the pool first.",
            ),
        )],
        decisions: vec![decision],
        entry,
    }
}

/// An entry that a fetched page would like to be a procedure, hostile from end to end.
pub(super) fn hostile_item() -> ReviewItem {
    let mut entry = Entry {
        evidence: vec![Evidence {
            speakers: vec![Speaker::FetchedPage],
            snippets: vec![HOSTILE.to_owned()],
            ..Evidence::claimed(SessionId::new("s-1").unwrap(), range(2, 2))
        }],
        entry_type: EntryType::Fact,
        claimed_type: Some(EntryType::Procedure),
        review_state: ReviewState::UnreviewedAuto,
        ..hostile_entry()
    };
    entry.transferable = false;
    let mut fetched = message(2, Role::Assistant, HOSTILE);
    fetched.tool_calls = vec![call("call_9", "WebFetch", &HOSTILE.repeat(3))];
    fetched.tool_calls[0].tool_name = format!("WebFetch{HOSTILE}");
    ReviewItem {
        passages: vec![Passage {
            range: range(2, 2),
            tool_use_ids: vec![ToolUseId::new("call_9").unwrap()],
            messages: vec![fetched],
        }],
        duplicates: Vec::new(),
        contradictions: vec![(
            Contradiction {
                id: id("x"),
                subject: HOSTILE.to_owned(),
                difference: Difference::Values {
                    ours: HOSTILE.to_owned(),
                    theirs: HOSTILE.to_owned(),
                },
            },
            Entry {
                id: id("x"),
                ..hostile_entry()
            },
        )],
        decisions: Vec::new(),
        entry,
    }
}

/// A desk with three entries, the first of them on it.
pub(super) fn desk() -> Desk {
    let mut desk = Desk::new(vec![id("a"), id("b"), id("c")], 3);
    desk.lay(plain_item("a"));
    desk
}

pub(super) fn desk_in(mode: Mode) -> Desk {
    let mut desk = desk();
    desk.mode = mode;
    desk
}

/// What a person makes of a text in the editor.
pub(super) type PlannedEdit = Box<dyn Fn(&str) -> String>;

/// A terminal that plays keys, and edits as it is told; it keeps what it was shown.
pub(super) struct Script {
    pub(super) size: Size,
    /// What is typed at once, once nothing is left of what was typed before.
    pub(super) keys: VecDeque<VecDeque<Key>>,
    typed_ahead: VecDeque<Key>,
    pub(super) edits: VecDeque<PlannedEdit>,
    pub(super) shown: Vec<String>,
    /// Called before each key with its number: what the world does meanwhile.
    pub(super) meanwhile: Box<dyn FnMut(usize)>,
}

impl Script {
    /// Every key is pressed when the one before was taken.
    pub(super) fn new(keys: &str) -> Self {
        Self::in_bursts(keys.chars().map(String::from))
    }

    /// The keys of a burst are pressed at once, without waiting for what they do.
    pub(super) fn in_bursts<T: AsRef<str>>(bursts: impl IntoIterator<Item = T>) -> Self {
        let key = |c| match c {
            '\n' => Key::Enter,
            '\t' => Key::Tab,
            c => Key::Char(c),
        };
        let burst = |burst: T| burst.as_ref().chars().map(key).collect();
        Self {
            size: Size {
                columns: 80,
                rows: 24,
            },
            keys: bursts.into_iter().map(burst).collect(),
            typed_ahead: VecDeque::new(),
            edits: VecDeque::new(),
            shown: Vec::new(),
            meanwhile: Box::new(|_| {}),
        }
    }
}

impl Terminal for Script {
    fn size(&self) -> Size {
        self.size
    }

    fn show(&mut self, screen: &Screen) -> io::Result<()> {
        self.shown.push(text(screen));
        Ok(())
    }

    fn forget_typed(&mut self) -> io::Result<()> {
        self.typed_ahead.clear();
        Ok(())
    }

    fn input(&mut self) -> io::Result<Input> {
        (self.meanwhile)(self.shown.len());
        let key = self.typed_ahead.pop_front();
        let key = key.or_else(|| {
            let mut burst = self.keys.pop_front()?;
            let first = burst.pop_front();
            self.typed_ahead = burst;
            first
        });
        key.map(Input::Key)
            .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    fn edit(&mut self, text: &str) -> Result<String, EditorError> {
        let edit = self
            .edits
            .pop_front()
            .expect("an edit that was not planned");
        Ok(edit(text))
    }
}

/// A screen as a person reads it.
pub(super) fn text(screen: &Screen) -> String {
    let mut text = String::new();
    for row in screen.rows() {
        let line: String = row.spans().iter().map(super::screen::Span::text).collect();
        text += line.trim_end();
        text.push('\n');
    }
    text
}
