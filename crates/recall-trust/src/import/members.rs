//! The members of an import line: read by name and type, trimmed, nothing left over.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::error::LineError;
use super::json::kind;

/// Every member that a line may have.
pub(super) const MEMBERS: &[&str] = &[
    "candidate_id",
    "session_id",
    "run_id",
    "episode_id",
    "type",
    "scope",
    "title",
    "body",
    "trigger",
    "confidence",
    "uncertainty",
    "project",
    "cwd",
    "git_branch",
    "agent",
    "extractor_method",
    "model",
    "label",
    "transferable",
    "provenance_ok",
    "supersedes_entry_id",
    "evidence",
];

const EVIDENCE_MEMBERS: &[&str] = &[
    "ordinal_start",
    "ordinal_end",
    "tool_use_ids",
    "snippets",
    "speakers",
];

/// What only the host derives: accepting it from a line would let an importer vouch for itself
/// (S-E04).
const HOST_CONTROLLED: &[&str] = &[
    "review_state",
    "status",
    "superseded_by_entry_id",
    "created_at",
    "updated_at",
    "message_start_source_uuid",
    "message_end_source_uuid",
    "content_digest",
    "digest_version",
    "authorization_digest",
];

/// How alike two names must be for one to be suggested for the other, from 0 to 1.
const LIKENESS: f64 = 0.85;

/// A line after its form was checked: every text trimmed, an absent one empty. Of the reviewer's
/// verdict it matters whether it was given at all.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Members {
    pub(super) candidate_id: String,
    pub(super) session_id: String,
    pub(super) run_id: String,
    pub(super) episode_id: String,
    pub(super) entry_type: String,
    pub(super) scope: String,
    pub(super) title: String,
    pub(super) body: String,
    pub(super) trigger: String,
    pub(super) confidence: Option<f64>,
    pub(super) uncertainty: String,
    pub(super) project: String,
    pub(super) cwd: String,
    pub(super) git_branch: String,
    pub(super) agent: String,
    pub(super) extractor_method: String,
    pub(super) model: String,
    pub(super) label: Option<String>,
    pub(super) transferable: Option<bool>,
    pub(super) provenance_ok: Option<bool>,
    pub(super) supersedes: String,
    pub(super) evidence: EvidenceMembers,
}

/// The evidence of a line: tool uses without blank and repeated ones, snippets as they are.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct EvidenceMembers {
    pub(super) start: Option<i64>,
    pub(super) end: Option<i64>,
    pub(super) tool_use_ids: Vec<String>,
    pub(super) snippets: Vec<String>,
    pub(super) speakers: Vec<String>,
}

impl Members {
    /// Reads the members of a line. `null` means absent.
    pub(super) fn read(object: Map<String, Value>) -> Result<Self, LineError> {
        let mut reader = Reader::new(object, "")?;
        let evidence = match reader.take("evidence") {
            None => EvidenceMembers::default(),
            Some(Value::Object(object)) => EvidenceMembers::read(object)?,
            Some(other) => return Err(LineError::EvidenceNotAnObject(kind(&other))),
        };
        let members = Self {
            candidate_id: reader.text("candidate_id")?,
            session_id: reader.text("session_id")?,
            run_id: reader.text("run_id")?,
            episode_id: reader.text("episode_id")?,
            entry_type: reader.text("type")?,
            scope: reader.text("scope")?,
            title: reader.text("title")?,
            body: reader.text("body")?,
            trigger: reader.text("trigger")?,
            confidence: reader.number("confidence")?,
            uncertainty: reader.text("uncertainty")?,
            project: reader.text("project")?,
            cwd: reader.text("cwd")?,
            git_branch: reader.text("git_branch")?,
            agent: reader.text("agent")?,
            extractor_method: reader.text("extractor_method")?,
            model: reader.text("model")?,
            label: reader.optional_text("label")?,
            transferable: reader.flag("transferable")?,
            provenance_ok: reader.flag("provenance_ok")?,
            supersedes: reader.text("supersedes_entry_id")?,
            evidence,
        };
        reader.finish(MEMBERS)?;
        Ok(members)
    }
}

impl EvidenceMembers {
    fn read(object: Map<String, Value>) -> Result<Self, LineError> {
        let mut reader = Reader::new(object, "evidence.")?;
        let mut seen = HashSet::new();
        let mut tool_use_ids = reader.texts("tool_use_ids")?;
        tool_use_ids.retain_mut(|id| {
            *id = id.trim().to_owned();
            !id.is_empty() && seen.insert(id.clone())
        });
        let snippets = reader.texts("snippets")?;
        let evidence = Self {
            start: reader.whole("ordinal_start")?,
            end: reader.whole("ordinal_end")?,
            tool_use_ids,
            snippets,
            speakers: reader.texts("speakers")?,
        };
        reader.finish(EVIDENCE_MEMBERS)?;
        Ok(evidence)
    }
}

/// Takes members out of an object, so that what is left over is what nobody knows.
struct Reader {
    object: Map<String, Value>,
    /// What stands before a member's name in an error.
    place: &'static str,
}

impl Reader {
    fn new(object: Map<String, Value>, place: &'static str) -> Result<Self, LineError> {
        let is_controlled = |name: &String| {
            HOST_CONTROLLED
                .iter()
                .any(|controlled| controlled.eq_ignore_ascii_case(name))
        };
        match object.keys().find(|name| is_controlled(name)) {
            Some(name) => Err(LineError::HostControlled(format!("{place}{name}"))),
            None => Ok(Self { object, place }),
        }
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.object.remove(name).filter(|value| !value.is_null())
    }

    fn wrong_type(&self, name: &str, expected: &'static str, found: &Value) -> LineError {
        LineError::WrongType {
            member: format!("{}{name}", self.place),
            expected,
            found: kind(found),
        }
    }

    fn text(&mut self, name: &str) -> Result<String, LineError> {
        self.optional_text(name).map(Option::unwrap_or_default)
    }

    fn optional_text(&mut self, name: &str) -> Result<Option<String>, LineError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim().to_owned())),
            Some(other) => Err(self.wrong_type(name, "a text", &other)),
        }
    }

    fn texts(&mut self, name: &str) -> Result<Vec<String>, LineError> {
        let items = match self.take(name) {
            None => Vec::new(),
            Some(Value::Array(items)) => items,
            Some(other) => return Err(self.wrong_type(name, "an array of texts", &other)),
        };
        items
            .into_iter()
            .map(|item| match item {
                Value::String(text) => Ok(text),
                other => Err(self.wrong_type(name, "an array of texts", &other)),
            })
            .collect()
    }

    fn flag(&mut self, name: &str) -> Result<Option<bool>, LineError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(self.wrong_type(name, "true or false", &other)),
        }
    }

    fn number(&mut self, name: &str) -> Result<Option<f64>, LineError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(number.as_f64()),
            Some(other) => Err(self.wrong_type(name, "a number", &other)),
        }
    }

    fn whole(&mut self, name: &str) -> Result<Option<i64>, LineError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Number(number)) => match number.as_i64() {
                Some(whole) => Ok(Some(whole)),
                None => Err(LineError::NotWhole {
                    member: format!("{}{name}", self.place),
                    found: number.to_string(),
                }),
            },
            Some(other) => Err(self.wrong_type(name, "a whole number", &other)),
        }
    }

    /// Refuses what was not taken. An unknown member is a misspelt one more often than not, and a
    /// line must not lose a field in silence.
    fn finish(self, known: &'static [&'static str]) -> Result<(), LineError> {
        let Some(name) = self.object.keys().next() else {
            return Ok(());
        };
        let member = format!("{}{name}", self.place);
        Err(match nearest(name, known) {
            Some(nearest) => LineError::MisspeltMember { member, nearest },
            None => LineError::UnknownMember(member),
        })
    }
}

fn nearest(name: &str, known: &'static [&'static str]) -> Option<&'static str> {
    let name = name.to_lowercase();
    known
        .iter()
        .map(|known| (strsim::jaro_winkler(&name, known), *known))
        .filter(|(likeness, _)| *likeness >= LIKENESS)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> Result<Members, LineError> {
        match value {
            Value::Object(object) => Members::read(object),
            other => panic!("not an object: {other}"),
        }
    }

    fn message(value: Value) -> String {
        read(value).unwrap_err().to_string()
    }

    #[test]
    fn every_member_of_the_list_is_known() {
        for name in MEMBERS {
            assert_eq!(
                read(json!({ *name: null })),
                Ok(Members::default()),
                "{name}"
            );
        }
        for name in EVIDENCE_MEMBERS {
            assert_eq!(
                read(json!({ "evidence": { *name: null } })),
                Ok(Members::default()),
                "{name}"
            );
        }
    }

    // S-E04
    #[test]
    fn model_098_a_host_controlled_member_is_refused_even_when_null() {
        for name in HOST_CONTROLLED {
            assert_eq!(
                message(json!({ *name: null })),
                format!("{name} is host-controlled; remove it, even when it is null")
            );
            assert_eq!(
                message(json!({ "evidence": { *name: "x" } })),
                format!("evidence.{name} is host-controlled; remove it, even when it is null")
            );
        }
    }

    #[test]
    fn model_099_an_unknown_member_is_refused_with_the_nearest_known_one() {
        assert_eq!(
            message(json!({ "Title": "x" })),
            "unknown member \"Title\"; did you mean \"title\"?"
        );
        assert_eq!(
            message(json!({ "transferrable": true })),
            "unknown member \"transferrable\"; did you mean \"transferable\"?"
        );
        assert_eq!(
            message(json!({ "evidence": { "snippet": "x" } })),
            "unknown member \"evidence.snippet\"; did you mean \"snippets\"?"
        );
        assert!(message(json!({ "Review_State": "x" })).contains("host-controlled"));
        let far = message(json!({ "zzz\u{1b}": 1 }));
        assert!(far.starts_with("unknown member \"zzz\\u{1b}\"; known are candidate_id, "));
    }

    #[test]
    fn model_101_every_text_is_trimmed_and_a_snippet_is_not() {
        let members = read(json!({
            "title": " \u{a0}a b\n",
            "evidence": { "tool_use_ids": [" t1 ", "t1", "t2", "  "], "snippets": [" s ", " "] },
        }))
        .unwrap();
        assert_eq!(members.title, "a b");
        assert_eq!(members.evidence.tool_use_ids, ["t1", "t2"]);
        assert_eq!(members.evidence.snippets, [" s ", " "]);
    }

    #[test]
    fn model_094_and_095_a_member_of_the_wrong_type_is_refused_by_name() {
        assert_eq!(
            message(json!({ "evidence": [] })),
            "invalid evidence JSON: it must be an object, found an array"
        );
        assert_eq!(
            message(json!({ "evidence": { "ordinal_start": 0.5 } })),
            "invalid JSON: evidence.ordinal_start must be a whole number in range, found 0.5"
        );
        assert_eq!(
            message(json!({ "title": 7 })),
            "invalid JSON: title must be a text, found a number"
        );
        assert_eq!(
            message(json!({ "transferable": "true" })),
            "invalid JSON: transferable must be true or false, found a text"
        );
        assert_eq!(
            message(json!({ "evidence": { "snippets": ["a", 1] } })),
            "invalid JSON: evidence.snippets must be an array of texts, found a number"
        );
    }
}
