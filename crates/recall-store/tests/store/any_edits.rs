//! Whatever happens to a transcript, an entry is trusted only while its text stands where it cites
//! it, and what was revoked never comes back.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use agentsview_formats::ParsedMessage;
use proptest::prelude::*;
use proptest::sample::Index;
use recall_core::{Entry, EntryFilter, Ordinal, OrdinalRange, Revocation, SessionId};
use recall_store::MessageQuery;
use recall_trust::trusted::is_trusted;

use crate::citing::{Cited, Write, renumbered, said};
use crate::made::{Archive, archive, call, message};

#[derive(Debug, Clone)]
enum Edit {
    Insert(Index, String),
    Remove(Index),
    Reword(Index, String),
    LoseId(Index),
    CopyId(Index, Index),
    Swap(Index, Index),
    LateResult(Index),
    LoseCall(Index),
    Restore,
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        (at(), "[ab]{0,2}").prop_map(|(at, text)| Edit::Insert(at, text)),
        at().prop_map(Edit::Remove),
        (at(), "[ab]{0,2}").prop_map(|(at, text)| Edit::Reword(at, text)),
        at().prop_map(Edit::LoseId),
        (at(), at()).prop_map(|(from, to)| Edit::CopyId(from, to)),
        (at(), at()).prop_map(|(one, other)| Edit::Swap(one, other)),
        at().prop_map(Edit::LateResult),
        at().prop_map(Edit::LoseCall),
        Just(Edit::Restore),
    ]
}

fn edited(
    edit: &Edit,
    original: &[ParsedMessage],
    mut now: Vec<ParsedMessage>,
) -> Vec<ParsedMessage> {
    match edit {
        Edit::Restore => return original.to_vec(),
        Edit::Insert(at, text) => {
            let mut inserted = message(0, text);
            inserted.source_uuid = None;
            now.insert(at.index(now.len() + 1), inserted);
        }
        Edit::Remove(at) if now.len() > 1 => {
            now.remove(at.index(now.len()));
        }
        Edit::Remove(_) => {}
        Edit::Reword(at, text) => at.get_mut(&mut now).content.clone_from(text),
        Edit::LoseId(at) => at.get_mut(&mut now).source_uuid = None,
        Edit::CopyId(from, to) => {
            let uuid = from.get(&now).source_uuid.clone();
            to.get_mut(&mut now).source_uuid = uuid;
        }
        Edit::Swap(one, other) => {
            let (one, other) = (one.index(now.len()), other.index(now.len()));
            now.swap(one, other);
        }
        Edit::LateResult(at) => {
            if let Some(call) = at.get_mut(&mut now).tool_calls.first_mut() {
                call.results.extend(said()[1].tool_calls[0].results.clone());
            }
        }
        Edit::LoseCall(at) => {
            at.get_mut(&mut now).tool_calls.pop();
        }
    }
    renumbered(now)
}

/// Few words and few ids, so that text recurs; ordinals with gaps.
fn any_transcript() -> impl Strategy<Value = Vec<ParsedMessage>> {
    let one = (1..3_u32, "[ab]{0,2}", any::<bool>(), 0..3_u8);
    prop::collection::vec(one, 1..7).prop_map(|rows| {
        let mut ordinal = 0;
        rows.into_iter()
            .map(|(step, text, has_id, calls)| {
                ordinal += step;
                let mut message = message(ordinal, &text);
                message.source_uuid.take_if(|_| !has_id);
                message.tool_calls = (0..calls)
                    .map(|call_index| {
                        let result = (call_index == 0).then_some("ok");
                        call(&format!("t{ordinal}-{call_index}"), result)
                    })
                    .collect();
                message
            })
            .collect()
    })
}

/// What an entry cites of these messages, word by word.
fn text(entry: &Entry, messages: &[ParsedMessage]) -> String {
    let cited = |id: &recall_core::ToolUseId| {
        entry
            .evidence
            .iter()
            .any(|row| row.tool_use_id.as_ref() == Some(id))
    };
    let mut text = String::new();
    for message in messages {
        writeln!(text, "{}: {}", message.role, message.content).unwrap();
        for call in &message.tool_calls {
            if call.tool_use_id.as_ref().is_some_and(cited) {
                let results: Vec<&str> = call
                    .results
                    .iter()
                    .map(|result| result.content.as_str())
                    .collect();
                writeln!(text, "{} {} {results:?}", call.tool_name, call.input_json).unwrap();
            }
        }
    }
    text
}

async fn stored(archive: &Archive, range: OrdinalRange) -> Vec<ParsedMessage> {
    let query = MessageQuery {
        range: Some(range),
        ..MessageQuery::default()
    };
    let session = SessionId::new("s1").unwrap();
    let messages = archive.store.messages(&session, &query).await.unwrap();
    let is_stored = |ordinal: Ordinal| messages.iter().any(|message| message.ordinal == ordinal);
    assert!(
        is_stored(range.start()) && is_stored(range.end()),
        "{range}"
    );
    messages
}

/// What the entries said when they were bound, and which of them are revoked since.
#[derive(Default)]
struct Promises {
    said: BTreeMap<String, String>,
    revoked: BTreeMap<String, Revocation>,
}

impl Promises {
    async fn check(&mut self, archive: &Archive) {
        let mut trusted = Vec::new();
        for (id, said) in &self.said {
            let entry = archive.entry(id).await;
            if let Some(revocation) = self.revoked.get(id) {
                assert_eq!(entry.revocation.as_ref(), Some(revocation), "{id}");
            }
            if let Some(revocation) = entry.revocation {
                assert!(!is_trusted(&entry));
                self.revoked.insert(id.clone(), revocation);
            } else {
                assert!(is_trusted(&entry), "nothing else takes trust away");
                let messages = stored(archive, entry.evidence[0].range).await;
                assert_eq!(&text(&entry, &messages), said, "{id}");
                trusted.push(id.clone());
            }
        }
        let filter = EntryFilter {
            trusted_only: true,
            ..EntryFilter::default()
        };
        let mut listed: Vec<String> = archive
            .store
            .entries(&filter, None)
            .await
            .unwrap()
            .iter()
            .map(|entry| entry.id.to_string())
            .collect();
        listed.sort_unstable();
        assert_eq!(listed, trusted);
    }
}

async fn hold(
    original: Vec<ParsedMessage>,
    citations: Vec<(Index, Index, bool)>,
    edits: Vec<(Edit, prop::sample::Selector)>,
) {
    let archive = archive().await;
    archive.store("s1", &original).await;
    let mut promises = Promises::default();
    for (number, (from, to, with_tools)) in citations.into_iter().enumerate() {
        let (from, to) = (from.index(original.len()), to.index(original.len()));
        let messages = &original[from.min(to)..=from.max(to)];
        let tools: Vec<&str> = messages
            .iter()
            .flat_map(|message| &message.tool_calls)
            .filter(|_| with_tools)
            .map(|call| call.tool_use_id.as_ref().unwrap().as_str())
            .collect();
        let cited = Cited {
            session: "s1",
            first: messages[0].ordinal.get(),
            last: messages[messages.len() - 1].ordinal.get(),
            tools: &tools,
        };
        let id = format!("e{number}");
        let entry = archive.cite(&id, cited).await;
        promises.said.insert(id, text(&entry, messages));
    }
    promises.check(&archive).await;
    let mut now = original.clone();
    for (edit, write) in edits {
        now = edited(&edit, &original, now);
        archive
            .write(write.select(Write::ALL), "s1", &now)
            .await
            .unwrap();
        promises.check(&archive).await;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    // S-E02, S-E03
    #[test]
    fn an_entry_is_trusted_only_while_its_text_stands_where_it_is_cited(
        original in any_transcript(),
        citations in prop::collection::vec((any::<Index>(), any::<Index>(), any::<bool>()), 1..4),
        edits in prop::collection::vec((any_edit(), any::<prop::sample::Selector>()), 1..8),
    ) {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
            .block_on(hold(original, citations, edits));
    }
}
