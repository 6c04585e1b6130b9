//! What a trajectory becomes in the archive.

use recall_core::{EpisodeId, Scope, SessionId, Timestamp};
use recall_store::EvaluationSession;
use recall_trust::insertion::{Draft, NewEntry, Provenance};
use recall_trust::review::AutomatedReview;

use super::identity::Identity;
use super::text::{chunks, flatten};
use super::{EvalError, TrajectoryRequest};
use crate::screen::screen;

/// A trajectory as it is stored: the session that stands for it, and entries that passed the
/// insertion boundary.
pub(super) struct Corpus<'a> {
    pub(super) id: SessionId,
    pub(super) session: EvaluationSession<'a>,
    pub(super) entries: Vec<NewEntry>,
}

impl<'a> Corpus<'a> {
    /// `None` if the trajectory holds no text.
    pub(super) fn of(
        request: &'a TrajectoryRequest,
        now: Timestamp,
    ) -> Result<Option<Self>, EvalError> {
        let text = flatten(&request.trajectory);
        if text.is_empty() {
            return Ok(None);
        }
        screen(texts(request, &text))?;
        let identity = Identity::new(request, &text);
        let id = identity.corpus()?;
        let chunks = chunks(&text);
        let count = chunks.len();
        let mut entries = Vec::with_capacity(count);
        for (index, chunk) in chunks.into_iter().enumerate() {
            // A run of white space inside one text can fill a chunk, and no entry is blank.
            if chunk.trim().is_empty() {
                continue;
            }
            let trajectory = &request.trajectory_id;
            let draft = Draft {
                scope: Scope::Repository,
                project: request.project.clone(),
                cwd: request.cwd.clone(),
                git_branch: request.git_branch.clone(),
                agent: request.agent.clone(),
                source_episode_id: Some(EpisodeId::new(format!("{trajectory}:chunk:{index}"))?),
                source_run_id: Some(request.run_id.clone()),
                extractor_method: request.extractor_method.clone(),
                ..Draft::new(
                    identity.chunk(index)?,
                    id.clone(),
                    format!("{trajectory} [chunk {}/{count}]", index + 1),
                    chunk,
                )
            };
            let review = AutomatedReview::EvalRaw;
            entries.push(NewEntry::automated(
                draft,
                review,
                &Provenance::None,
                &[],
                now,
            )?);
        }
        let session = EvaluationSession {
            source_version: &request.source_version,
            project: &request.project,
            agent: &request.agent,
            cwd: &request.cwd,
            git_branch: &request.git_branch,
        };
        Ok(Some(Self {
            id,
            session,
            entries,
        }))
    }
}

/// Everything of the request that entries are made of. The whole text is looked through for secrets,
/// since one could stand across the end of a chunk.
fn texts<'a>(request: &'a TrajectoryRequest, text: &'a str) -> [(&'static str, &'a str); 9] {
    [
        ("run_id", request.run_id.as_str()),
        ("trajectory_id", &request.trajectory_id),
        ("extractor_method", &request.extractor_method),
        ("source_version", &request.source_version),
        ("project", &request.project),
        ("agent", &request.agent),
        ("cwd", &request.cwd),
        ("git_branch", &request.git_branch),
        ("trajectory", text),
    ]
}
