//! What a tool brought back.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::record::{Field, texts};

/// A tool's output as shown and judged.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) content: String,
    /// `ok`, `errored`, or empty if the output does not say.
    pub(super) status: &'static str,
}

/// Where one agent stands that works aside.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AgentState {
    pub(super) agent_id: String,
    pub(super) status: String,
    pub(super) content: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Record<'a> {
    #[serde(borrow)]
    output: Field<'a>,
    #[serde(borrow)]
    content: Field<'a>,
    #[serde(borrow)]
    success: Field<'a>,
    #[serde(borrow)]
    metadata: Field<'a>,
    #[serde(borrow)]
    agent_id: Field<'a>,
    #[serde(borrow)]
    agent_path: Field<'a>,
    #[serde(borrow)]
    status: Field<'a>,
}

fn record(text: &str) -> Option<Record<'_>> {
    text.starts_with('{')
        .then(|| serde_json::from_str(text).ok())?
}

/// Reads the `output` of a result. It is plain text, a list of parts, or a record with the text
/// inside; the record may itself be written as text.
pub(super) fn read(output: Field<'_>) -> Output {
    if let Some(inner) = output.object::<Record<'_>>()
        && inner.content.is_present()
    {
        let mut read = plain(&texts(inner.content).join("\n"));
        if let Some(status) = status_word(inner.success.raw()) {
            read.status = status;
        }
        return read;
    }
    let parts = texts(output);
    if parts.is_empty() {
        // An empty text is an empty output; another shape is kept as it is written.
        let written = output.raw();
        let is_text = written.starts_with('"') || written == "[]";
        return plain(if is_text { "" } else { written });
    }
    plain(&parts.join("\n"))
}

fn status_word(success: &str) -> Option<&'static str> {
    match success {
        "true" => Some("ok"),
        "false" => Some("errored"),
        _ => None,
    }
}

fn plain(text: &str) -> Output {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Metadata<'a> {
        #[serde(borrow)]
        exit_code: Field<'a>,
    }
    if let Some(inner) = record(text)
        && let Some(metadata) = inner.metadata.object::<Metadata<'_>>()
    {
        let content = inner.output.text();
        return Output {
            content: content.map_or_else(
                // Output that is present and blank is blank; anything else stays as written.
                || {
                    if inner.output.raw().starts_with('"') {
                        String::new()
                    } else {
                        text.to_owned()
                    }
                },
                std::borrow::Cow::into_owned,
            ),
            status: exit_status(metadata.exit_code.raw()),
        };
    }
    Output {
        content: text.to_owned(),
        status: stated_exit_code(text).map_or("", exit_status),
    }
}

fn exit_status(exit_code: &str) -> &'static str {
    match exit_code.parse::<i64>() {
        Ok(0) => "ok",
        Ok(_) => "errored",
        Err(_) => "",
    }
}

/// The exit code in the few lines that newer versions put before the output proper.
fn stated_exit_code(text: &str) -> Option<&str> {
    text.lines()
        .take(5)
        .take_while(|line| !line.starts_with("Output:"))
        .find_map(|line| {
            line.strip_prefix("Exit code: ")
                .or_else(|| line.strip_prefix("Process exited with code "))
        })
        .map(str::trim)
}

/// The id of the agent that a call started, from its output.
pub(super) fn started_agent(content: &str) -> Option<String> {
    record(content)?
        .agent_id
        .text()
        .map(std::borrow::Cow::into_owned)
}

/// The agents that a call waited for, from its output; empty if none came to an end.
pub(super) fn waited_agents(content: &str) -> Vec<AgentState> {
    let states: BTreeMap<String, Field<'_>> = record(content)
        .and_then(|waited| waited.status.object())
        .unwrap_or_default();
    states
        .into_iter()
        .map(|(agent_id, state)| agent_state(agent_id, state))
        .collect()
}

/// The agent that a note of the program is about.
pub(super) fn noted_agent(note: &str) -> Option<AgentState> {
    let note = record(note)?;
    let agent_id = note.agent_id.text().or_else(|| note.agent_path.text())?;
    Some(agent_state(agent_id.into_owned(), note.status))
}

/// A state is one word, or a word with the agent's last message.
fn agent_state(agent_id: String, state: Field<'_>) -> AgentState {
    let told = state
        .object::<BTreeMap<String, Field<'_>>>()
        .and_then(|told| told.into_iter().next());
    let (status, content) = match told {
        Some((status, message)) => (status, message.owned()),
        None => (state.owned(), String::new()),
    };
    AgentState {
        agent_id,
        status,
        content,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::record::{Item, object};
    use super::*;

    fn output_of(output: &serde_json::Value) -> (String, &'static str) {
        let line = json!({ "output": output }).to_string();
        let item: Item<'_> = object(line.as_bytes()).unwrap();
        let read = read(item.output);
        (read.content, read.status)
    }

    #[test]
    fn the_exit_code_tells_how_a_command_ended() {
        for (output, content, status) in [
            (
                json!(r#"{"output":"hi\n","metadata":{"exit_code":0}}"#),
                "hi\n",
                "ok",
            ),
            (
                json!(r#"{"output":"","metadata":{"exit_code":1}}"#),
                "",
                "errored",
            ),
            (json!(r#"{"output":"hi","metadata":{}}"#), "hi", ""),
            (
                json!(r#"{"output":7,"metadata":{"exit_code":0}}"#),
                r#"{"output":7,"metadata":{"exit_code":0}}"#,
                "ok",
            ),
            (
                json!("Exit code: 2\nWall time: 0 s\nOutput:\nno"),
                "Exit code: 2\nWall time: 0 s\nOutput:\nno",
                "errored",
            ),
            (
                json!("Wall time: 0\nProcess exited with code 0\nOutput:\n"),
                "Wall time: 0\nProcess exited with code 0\nOutput:\n",
                "ok",
            ),
            (json!("Output:\nExit code: 2"), "Output:\nExit code: 2", ""),
            (json!("plain"), "plain", ""),
        ] {
            assert_eq!(output_of(&output), (content.to_owned(), status));
        }
    }

    #[test]
    fn output_of_every_shape_is_kept() {
        for (output, content, status) in [
            (json!({"type": "input_text", "text": "a\n"}), "a\n", ""),
            (
                json!([{"text": "a"}, {"text": "b"}, {"image_url": "x"}]),
                "a\nb",
                "",
            ),
            (json!({"content": "no", "success": false}), "no", "errored"),
            (json!({"strange": 1}), r#"{"strange":1}"#, ""),
            (json!(""), "", ""),
            (json!(null), "", ""),
            (json!(12), "12", ""),
        ] {
            assert_eq!(output_of(&output), (content.to_owned(), status));
        }
    }

    #[test]
    fn agents_are_found_in_the_outputs_about_them() {
        assert_eq!(
            started_agent(r#"{"agent_id":"a1","nickname":"Ada"}"#).as_deref(),
            Some("a1")
        );
        assert_eq!(started_agent("no record"), None);
        let waited = waited_agents(
            r#"{"status":{"a1":{"completed":"Found it."},"a2":"running"},"timed_out":false}"#,
        );
        let words: Vec<_> = waited
            .iter()
            .map(|state| (&*state.agent_id, &*state.status, &*state.content))
            .collect();
        assert_eq!(
            words,
            [("a1", "completed", "Found it."), ("a2", "running", "")]
        );
        assert!(waited_agents(r#"{"status":{},"timed_out":true}"#).is_empty());
        assert_eq!(
            noted_agent(r#"{"agent_path":"a1","status":{"errored":"No."}}"#),
            Some(AgentState {
                agent_id: "a1".to_owned(),
                status: "errored".to_owned(),
                content: "No.".to_owned(),
            })
        );
    }
}
