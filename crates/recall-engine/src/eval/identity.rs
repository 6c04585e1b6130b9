//! The ids of a corpus and its chunks, which say exactly what was ingested.
//!
//! An id is the lower-case hex SHA-256 of a compact JSON array: a word for the kind of id with the
//! version of these rules, then run, trajectory, extractor method, source version, project, agent,
//! working directory, branch, and the hex SHA-256 of the flattened text; for a chunk also its index
//! from 0, as a number. So the same request finds its corpus again, and one that differs in any of
//! these, the context included, makes another corpus instead of keeping old values in silence.

use recall_core::digest::hex;
use recall_core::{EntryId, IdError, SessionId};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::TrajectoryRequest;

/// The kind of a corpus id. Version 1 left the context out.
const CORPUS: &str = "eval-trajectory-session/v2";
/// The kind of a chunk id.
const CHUNK: &str = "eval-trajectory/v2";

/// What was ingested, and in which context.
pub(super) struct Identity<'a> {
    request: &'a TrajectoryRequest,
    content: String,
}

impl<'a> Identity<'a> {
    pub(super) fn new(request: &'a TrajectoryRequest, text: &str) -> Self {
        Self {
            request,
            content: sha256(text),
        }
    }

    /// The session that stands for the trajectory.
    pub(super) fn corpus(&self) -> Result<SessionId, IdError> {
        SessionId::new(self.digest(CORPUS, None))
    }

    /// The entry of a chunk, by its index from 0.
    pub(super) fn chunk(&self, index: usize) -> Result<EntryId, IdError> {
        EntryId::new(self.digest(CHUNK, Some(index)))
    }

    fn digest(&self, kind: &str, index: Option<usize>) -> String {
        let TrajectoryRequest {
            run_id,
            trajectory_id,
            extractor_method,
            source_version,
            project,
            agent,
            cwd,
            git_branch,
            trajectory: _,
        } = self.request;
        let texts = [
            kind,
            run_id.as_str(),
            trajectory_id,
            extractor_method,
            source_version,
            project,
            agent,
            cwd,
            git_branch,
            &self.content,
        ];
        let texts = texts.into_iter().map(Value::from);
        let array: Value = texts.chain(index.map(Value::from)).collect();
        sha256(&array.to_string())
    }
}

fn sha256(text: &str) -> String {
    hex(&Sha256::digest(text))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use recall_core::RunId;

    use super::*;

    fn request() -> TrajectoryRequest {
        TrajectoryRequest {
            run_id: RunId::new("run-1").unwrap(),
            trajectory_id: "t<1>".to_owned(),
            extractor_method: "plain".to_owned(),
            source_version: "v\"1\"".to_owned(),
            project: "lantern".to_owned(),
            agent: "claude".to_owned(),
            cwd: "/srv/code/lantern".to_owned(),
            git_branch: "main".to_owned(),
            trajectory: Value::Null,
        }
    }

    fn corpus(request: &TrajectoryRequest, text: &str) -> String {
        Identity::new(request, text).corpus().unwrap().to_string()
    }

    // S-E08
    #[test]
    fn the_ids_are_bit_exact() {
        let request = request();
        let identity = Identity::new(&request, "Grüße");
        assert_eq!(
            identity.corpus().unwrap().as_str(),
            "098f6605d27d3c2642184900a88078067412b8f07fa5aafe046193db157b989e"
        );
        assert_eq!(
            identity.chunk(1).unwrap().as_str(),
            "802598075f7324e00036222402e72e900464b37633f22d3ec315c703a190686c"
        );
    }

    // S-E08; model weakness 25
    #[test]
    fn model_132_whatever_changes_makes_another_corpus() {
        let changes: [fn(&mut TrajectoryRequest); 9] = [
            |_| {},
            |request| request.run_id = RunId::new("run-2").unwrap(),
            |request| request.trajectory_id.push('x'),
            |request| request.extractor_method.push('x'),
            |request| request.source_version.push('x'),
            |request| request.project.push('x'),
            |request| request.agent.push('x'),
            |request| request.cwd.push('x'),
            |request| request.git_branch.push('x'),
        ];
        let mut ids: BTreeSet<String> = changes
            .iter()
            .map(|change| {
                let mut other = request();
                change(&mut other);
                corpus(&other, "text")
            })
            .collect();
        ids.insert(corpus(&request(), "other text"));
        assert_eq!(ids.len(), 10);

        let mut shifted = request();
        shifted.agent = "claud".to_owned();
        shifted.cwd = "e/srv/code/lantern".to_owned();
        assert!(
            ids.insert(corpus(&shifted, "text")),
            "fields do not run together"
        );
    }
}
