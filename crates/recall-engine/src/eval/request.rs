//! What a caller asks to ingest.

use recall_core::RunId;
use serde::Deserialize;
use serde_json::Value;

use super::EvalError;

/// How many bytes a request may have. The scan for secrets looks through as many.
pub const MAX_REQUEST_BYTES: usize = agentsview_secrets::MAX_FIELD_BYTES;
/// How many characters run, trajectory, method and version may have each, once trimmed.
pub const MAX_FIELD_CHARACTERS: usize = 200;
/// How many bytes they may have each: a title has 500, and the trajectory is most of one.
pub const MAX_FIELD_BYTES: usize = 400;

/// The project and agent of a trajectory that names none.
const HARNESS: &str = "eval-harness";

/// One trajectory to ingest, checked.
///
/// ```
/// use recall_engine::eval::{EvalError, TrajectoryRequest};
///
/// let json = br#"{"run_id":"run-1","trajectory_id":"t-1","extractor_method":"plain",
///     "source_version":"v1","trajectory":[{"role":"user","content":"Why does it lock?"}]}"#;
/// assert!(TrajectoryRequest::parse(json).is_ok());
///
/// let error = TrajectoryRequest::parse(br#"{"run_id":"run-1"}"#).unwrap_err();
/// assert!(matches!(error, EvalError::Missing("trajectory_id")));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryRequest {
    pub(super) run_id: RunId,
    pub(super) trajectory_id: String,
    pub(super) extractor_method: String,
    pub(super) source_version: String,
    pub(super) project: String,
    pub(super) agent: String,
    pub(super) cwd: String,
    pub(super) git_branch: String,
    pub(super) trajectory: Value,
}

/// The members of a request; `null` means absent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    run_id: Option<String>,
    trajectory_id: Option<String>,
    extractor_method: Option<String>,
    source_version: Option<String>,
    project: Option<String>,
    agent: Option<String>,
    cwd: Option<String>,
    git_branch: Option<String>,
    trajectory: Option<Value>,
}

impl TrajectoryRequest {
    /// Reads a request: one JSON object with the members `run_id`, `trajectory_id`,
    /// `extractor_method`, `source_version` and `trajectory` (any value but `null`), and if wanted
    /// `project`, `agent` (both `eval-harness` if absent), `cwd` and `git_branch`. Texts are
    /// trimmed, and a blank one is an absent one. Of a name that occurs twice inside the trajectory
    /// the last value counts; a member that occurs twice is refused.
    ///
    /// # Errors
    /// [`EvalError::TooLarge`], [`EvalError::Json`] (also for a member that is not listed),
    /// [`EvalError::Missing`], [`EvalError::TooLong`] or [`EvalError::ControlCharacter`].
    pub fn parse(json: &[u8]) -> Result<Self, EvalError> {
        if json.len() > MAX_REQUEST_BYTES {
            return Err(EvalError::TooLarge { bytes: json.len() });
        }
        // Serde would take an array for the members in their order, which nobody means.
        if !json.trim_ascii_start().starts_with(b"{") {
            return Err(EvalError::Json("a request is one object".to_owned()));
        }
        // The message may quote the request, so a secret in it is masked.
        let members: Members = serde_json::from_slice(json)
            .map_err(|error| EvalError::Json(agentsview_secrets::mask(&error.to_string())))?;
        Ok(Self {
            run_id: RunId::new(required("run_id", members.run_id)?)?,
            trajectory_id: required("trajectory_id", members.trajectory_id)?,
            extractor_method: required("extractor_method", members.extractor_method)?,
            source_version: required("source_version", members.source_version)?,
            trajectory: members.trajectory.ok_or(EvalError::Missing("trajectory"))?,
            project: optional(members.project, HARNESS),
            agent: optional(members.agent, HARNESS),
            cwd: optional(members.cwd, ""),
            git_branch: optional(members.git_branch, ""),
        })
    }
}

fn required(field: &'static str, text: Option<String>) -> Result<String, EvalError> {
    let text = optional(text, "");
    let (characters, bytes) = (text.chars().count(), text.len());
    if text.is_empty() {
        Err(EvalError::Missing(field))
    } else if characters > MAX_FIELD_CHARACTERS || bytes > MAX_FIELD_BYTES {
        Err(EvalError::TooLong {
            field,
            characters,
            bytes,
        })
    } else if text.chars().any(char::is_control) {
        Err(EvalError::ControlCharacter(field))
    } else {
        Ok(text)
    }
}

fn optional(text: Option<String>, absent: &str) -> String {
    let text = text.unwrap_or_default();
    match text.trim() {
        "" => absent.to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn members() -> Map<String, Value> {
        let Value::Object(members) = json!({
            "run_id": "run-1", "trajectory_id": "t-1", "extractor_method": "plain",
            "source_version": "v1", "trajectory": ["text"],
        }) else {
            unreachable!()
        };
        members
    }

    fn parse(members: &Map<String, Value>) -> Result<TrajectoryRequest, EvalError> {
        TrajectoryRequest::parse(&serde_json::to_vec(members).unwrap())
    }

    fn with(name: &str, value: Value) -> Result<TrajectoryRequest, EvalError> {
        let mut members = members();
        members.insert(name.to_owned(), value);
        parse(&members)
    }

    // S-E08
    #[test]
    fn model_135_each_required_member_is_missed() {
        for name in [
            "run_id",
            "trajectory_id",
            "extractor_method",
            "source_version",
            "trajectory",
        ] {
            let mut without = members();
            without.remove(name);
            for refused in [parse(&without), with(name, Value::Null)] {
                assert!(
                    matches!(refused, Err(EvalError::Missing(missing)) if missing == name),
                    "{name}"
                );
            }
        }
        assert!(matches!(
            with("run_id", json!(" \t")),
            Err(EvalError::Missing("run_id"))
        ));
    }

    // S-E08
    #[test]
    fn model_135_texts_are_bounded_once_trimmed() {
        for name in [
            "run_id",
            "trajectory_id",
            "extractor_method",
            "source_version",
        ] {
            for full in ["x".repeat(200), format!("  {}\n", "é".repeat(200))] {
                assert!(with(name, json!(full)).is_ok(), "{name}");
            }
            for long in ["x".repeat(201), "🪔".repeat(101)] {
                assert!(
                    matches!(with(name, json!(long)), Err(EvalError::TooLong { field, .. }) if field == name),
                    "{name}"
                );
            }
            assert!(matches!(
                with(name, json!("a\u{1b}[2J")),
                Err(EvalError::ControlCharacter(field)) if field == name
            ));
        }
    }

    // S-E08
    #[test]
    fn model_135_what_is_no_such_object_is_refused() {
        let unknown = with("trajectory_file", json!("x")).unwrap_err().to_string();
        assert!(
            unknown.starts_with("invalid trajectory JSON: unknown field `trajectory_file`"),
            "{unknown}"
        );
        assert!(matches!(with("run_id", json!(1)), Err(EvalError::Json(_))));
        let deep = format!(r#"{{"trajectory":{}"#, "[".repeat(100_000));
        for bad in [
            &b""[..],
            b"[]",
            br#"["run-1","t-1","plain","v1",null,null,null,null,"text"]"#,
            b"\xef\xbb\xbf{}",
            b"null",
            b"{",
            b"{} {}",
            b"{\"run_id\":\"\xff\"}",
            br#"{"run_id":"a","run_id":"b"}"#,
            deep.as_bytes(),
        ] {
            assert!(matches!(
                TrajectoryRequest::parse(bad),
                Err(EvalError::Json(_))
            ));
        }
        let large = vec![b' '; MAX_REQUEST_BYTES + 1];
        assert!(matches!(
            TrajectoryRequest::parse(&large),
            Err(EvalError::TooLarge { .. })
        ));
    }

    // S-E08
    #[test]
    fn the_context_is_the_harness_unless_said_otherwise() {
        let plain = parse(&members()).unwrap();
        assert_eq!((&*plain.project, &*plain.agent), (HARNESS, HARNESS));
        assert_eq!((&*plain.cwd, &*plain.git_branch), ("", ""));
        assert_eq!(with("agent", json!(" ")).unwrap(), plain);
        assert_eq!(with("cwd", Value::Null).unwrap(), plain);
        assert_eq!(
            with("project", json!(" lantern ")).unwrap().project,
            "lantern"
        );
    }
}
