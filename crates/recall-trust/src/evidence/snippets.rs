//! Whether a quotation occurs in what it quotes.

use std::collections::BTreeSet;

use recall_core::{CitedMessage, Evidence, OrdinalRange, Speaker, ToolUseId};
use serde_json::Value;

use super::{EvidenceError, speakers};

/// How many snippets one citation may carry.
pub const MAX_SNIPPETS: usize = 32;
/// How many bytes a snippet may have.
pub const MAX_SNIPPET_BYTES: usize = 4 * 1024;

/// How much of a snippet an error repeats.
const OPENING_CHARS: usize = 60;

/// The text that a citation may quote, passage by passage: a quotation never runs from one message
/// or tool use into the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CitedText(Vec<Passage>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Passage {
    speaker: Speaker,
    text: String,
    /// Whether its decoded string values can be quoted as well.
    is_json: bool,
}

impl CitedText {
    pub(super) fn of(messages: &[CitedMessage], selected: &[ToolUseId]) -> Self {
        let mut passages: Vec<Passage> = messages
            .iter()
            .map(|message| Passage {
                speaker: speakers::of_message(message),
                text: message.content.clone(),
                is_json: false,
            })
            .collect();
        let calls = messages.iter().flat_map(|message| &message.tool_calls);
        for call in calls {
            let id = call.tool_use_id.as_ref();
            if !id.is_some_and(|id| selected.contains(id)) {
                continue;
            }
            // What is asked of a tool is the model's word, what comes back is not.
            passages.push(Passage {
                speaker: Speaker::Assistant,
                text: call.input_json.clone(),
                is_json: true,
            });
            passages.extend(call.results.iter().map(|result| Passage {
                speaker: speakers::of_result(call),
                text: result.clone(),
                is_json: false,
            }));
        }
        Self(passages)
    }

    /// Whose words the quotations are, or without quotations whose words are cited: sorted, each
    /// once. Refuses the first quotation that occurs in no passage.
    ///
    /// Without quotations a tool's arguments do not count: they ask for what the result says.
    pub(super) fn speakers(
        &self,
        snippets: &[String],
        range: OrdinalRange,
    ) -> Result<Vec<Speaker>, EvidenceError> {
        let mut speakers = BTreeSet::new();
        if snippets.is_empty() {
            let said = self
                .0
                .iter()
                .filter(|passage| !passage.is_json && !passage.text.trim().is_empty());
            speakers.extend(said.map(|passage| passage.speaker));
        } else {
            let passages = self.readings();
            for (number, snippet) in (1..).zip(snippets) {
                let quoted = collapsed(snippet);
                let holding = || passages.iter().filter(|(_, text)| text.contains(&quoted));
                if holding().next().is_none() {
                    return Err(EvidenceError::SnippetNotFound {
                        number,
                        opening: quoted.chars().take(OPENING_CHARS).collect(),
                        range,
                    });
                }
                speakers.extend(holding().map(|(speaker, _)| *speaker));
            }
        }
        Ok(speakers.into_iter().collect())
    }

    /// Every text that can be quoted, white space folded.
    fn readings(&self) -> Vec<(Speaker, String)> {
        let mut readings = Vec::new();
        for passage in &self.0 {
            readings.push((passage.speaker, collapsed(&passage.text)));
            // An input that is not JSON can only be quoted as it was written.
            if passage.is_json
                && let Ok(value) = serde_json::from_str(&passage.text)
            {
                let mut strings = Vec::new();
                push_strings(&value, &mut strings);
                readings.extend(strings.into_iter().map(|text| (passage.speaker, text)));
            }
        }
        readings
    }
}

/// Recursion is bounded, since `serde_json` refuses deeply nested input.
fn push_strings(value: &Value, passages: &mut Vec<String>) {
    match value {
        Value::String(text) => passages.push(collapsed(text)),
        Value::Array(items) => items.iter().for_each(|item| push_strings(item, passages)),
        Value::Object(members) => members
            .values()
            .for_each(|member| push_strings(member, passages)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn collapsed(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// Refuses too many snippets, too long ones and blank ones.
pub(crate) fn check_snippets(snippets: &[String]) -> Result<(), EvidenceError> {
    if snippets.len() > MAX_SNIPPETS {
        return Err(EvidenceError::TooManySnippets {
            count: snippets.len(),
            limit: MAX_SNIPPETS,
        });
    }
    for (number, snippet) in (1..).zip(snippets) {
        if snippet.len() > MAX_SNIPPET_BYTES {
            return Err(EvidenceError::SnippetTooLong {
                number,
                bytes: snippet.len(),
                limit: MAX_SNIPPET_BYTES,
            });
        }
        if snippet.trim().is_empty() {
            return Err(EvidenceError::BlankSnippet { number });
        }
    }
    Ok(())
}

/// One row a tool use, or the row itself without any; only the first keeps the snippet.
pub(crate) fn spread(row: Evidence, tool_use_ids: &[ToolUseId]) -> Vec<Evidence> {
    let Some((first, others)) = tool_use_ids.split_first() else {
        return vec![row];
    };
    let bare = Evidence {
        snippets: Vec::new(),
        ..row.clone()
    };
    let head = Evidence {
        tool_use_id: Some(first.clone()),
        ..row
    };
    let tail = others.iter().map(|id| Evidence {
        tool_use_id: Some(id.clone()),
        ..bare.clone()
    });
    std::iter::once(head).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evidence::{BoundEvidence, Selection, SessionActivity, bind, window};
    use crate::fixtures::{call, message, message_with_calls, range, session, tool};

    fn bound(tools: &[&str]) -> BoundEvidence {
        let mut write = call(
            "Write",
            "t1",
            r#"{"text":"line one\nline \"two\"","n":[7]}"#,
        );
        write.results = vec!["wrote 2 lines".to_owned()];
        let mut other = call("Read", "t2", r#"{"path":"b.rs"}"#);
        other.results = vec!["never selected".to_owned()];
        let messages = vec![
            message(0, "Run  the\n\tformatter\u{a0}now."),
            message_with_calls(1, "It passed.", vec![write, other]),
            message(2, "Outside."),
        ];
        let window = window(
            session("s"),
            range(0, 2),
            messages,
            SessionActivity::default(),
        )
        .unwrap();
        let selection = Selection {
            range: range(0, 1),
            tool_use_ids: tools.iter().map(|id| tool(id)).collect(),
        };
        bind(&window, &selection).unwrap()
    }

    fn holds(tools: &[&str], snippet: &str) -> bool {
        bound(tools).rows(&[snippet.to_owned()]).is_ok()
    }

    // model weakness 1
    #[test]
    fn a_snippet_must_occur_in_the_cited_messages() {
        assert!(holds(&[], "Run the formatter now."));
        assert!(holds(&[], " the formatter\nnow"));
        for invented in [
            "never said this",
            "run the formatter",
            "Runthe",
            "now. It passed.",
            "Outside.",
        ] {
            assert!(!holds(&[], invented), "{invented}");
        }
        let error = bound(&[])
            .rows(&["It passed.".to_owned(), "never\u{1b} said".to_owned()])
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "snippet 2 (\"never\\u{1b} said\") does not occur in the cited messages 0-1 or the \
             selected tool uses; quote the transcript verbatim"
        );
    }

    #[test]
    fn only_a_selected_tool_use_can_be_quoted() {
        assert!(!holds(&[], "wrote 2 lines"));
        assert!(holds(&["t1"], "wrote 2 lines"));
        assert!(!holds(&["t1"], "never selected"));
        assert!(holds(&["t1", "t2"], "never selected"));
    }

    #[test]
    fn a_json_input_is_quoted_as_written_or_as_it_reads() {
        assert!(holds(&["t1"], r"line one\nline \"));
        assert!(holds(&["t1"], "line one\nline \"two\""));
        assert!(holds(&["t1"], r#""n":[7]"#));
        assert!(!holds(&["t1"], "line one\nline two"));
    }

    #[test]
    fn model_092_the_first_row_carries_the_snippets_and_every_tool_use_has_a_row() {
        let snippets = ["It passed.", "Run  the"].map(str::to_owned);
        let rows = bound(&["t2", "t1", "t1"]).rows(&snippets).unwrap();
        let shown: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row.tool_use_id.as_ref().unwrap().as_str(),
                    row.snippet().into_owned(),
                )
            })
            .collect();
        let joined = "It passed.\nRun  the".to_owned();
        assert_eq!(shown, [("t1", joined), ("t2", String::new())]);
        assert_eq!(rows[0].content_digest, rows[1].content_digest);

        let alone = bound(&[]).rows(&[]).unwrap();
        assert_eq!(alone.len(), 1);
        assert_eq!(alone[0].tool_use_id, None);
    }

    // S-E01
    #[test]
    fn evidence_remembers_whose_words_were_quoted() {
        use Speaker::{Assistant, ToolOutput};
        let speakers = |tools: &[&str], snippets: &[&str]| {
            let snippets: Vec<String> = snippets.iter().map(|one| (*one).to_owned()).collect();
            bound(tools).rows(&snippets).unwrap()[0].speakers.clone()
        };
        assert_eq!(speakers(&[], &[]), [Assistant]);
        assert_eq!(speakers(&["t1"], &[]), [Assistant, ToolOutput]);
        assert_eq!(speakers(&["t1"], &["wrote 2 lines"]), [ToolOutput]);
        assert_eq!(speakers(&["t1"], &["line one"]), [Assistant]);
        assert_eq!(
            speakers(&["t1"], &["wrote 2 lines", "It passed."]),
            [Assistant, ToolOutput]
        );
    }

    // model weakness 14
    #[test]
    fn snippets_are_bounded_in_number_and_length() {
        let many = vec!["It passed.".to_owned(); MAX_SNIPPETS + 1];
        assert_eq!(
            bound(&[]).rows(&many),
            Err(EvidenceError::TooManySnippets {
                count: 33,
                limit: 32
            })
        );
        assert_eq!(
            bound(&[]).rows(&["x".repeat(MAX_SNIPPET_BYTES + 1)]),
            Err(EvidenceError::SnippetTooLong {
                number: 1,
                bytes: 4097,
                limit: 4096
            })
        );
    }

    #[test]
    fn a_blank_snippet_is_refused_and_not_dropped() {
        for blank in ["", " \n\t", "\u{a0}"] {
            let snippets = ["It passed.", blank].map(str::to_owned);
            let error = bound(&[]).rows(&snippets).unwrap_err();
            assert_eq!(error, EvidenceError::BlankSnippet { number: 2 });
            assert_eq!(
                error.to_string(),
                "snippet 2 is blank; quote the transcript or leave it out"
            );
        }
    }

    proptest! {
        #[test]
        fn every_piece_of_a_cited_message_is_a_valid_snippet(
            content in any::<String>(),
            cut in any::<(prop::sample::Index, prop::sample::Index)>(),
        ) {
            let boundaries: Vec<usize> =
                content.char_indices().map(|(at, _)| at).chain([content.len()]).collect();
            let (a, b) = (*cut.0.get(&boundaries), *cut.1.get(&boundaries));
            let snippet = content[a.min(b)..a.max(b)].to_owned();
            prop_assume!(!snippet.trim().is_empty());
            let window = window(session("s"), range(0, 0), vec![message(0, &content)], SessionActivity::default()).unwrap();
            let selection = Selection { range: range(0, 0), tool_use_ids: vec![] };
            let bound = bind(&window, &selection).unwrap();
            prop_assert!(bound.rows(std::slice::from_ref(&snippet)).is_ok());
            let invented = format!("{snippet}\u{e000}");
            prop_assume!(!content.contains('\u{e000}'));
            prop_assert!(bound.rows(&[invented]).is_err());
        }
    }
}
