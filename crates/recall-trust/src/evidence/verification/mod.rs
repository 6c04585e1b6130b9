//! Whether evidence still holds after its transcript changed (S-E02, S-E03).
//!
//! A [`Transcript`] is the whole of a session as it is now. [`verify`] takes the evidence of one
//! entry and says where it is to be found, or why it is not to be found any more. Verdicts are
//! values: whoever holds the transaction writes them down.

mod transcript;

use transcript::Extent;
pub use transcript::Transcript;

use recall_core::digest::{ContentDigest, content_digest};
use recall_core::{
    CitedMessage, Evidence, Ordinal, OrdinalRange, RevocationReason, SourceUuid, ToolUseId,
};

/// Where cited messages are, with the stable ids of the first and the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The messages.
    pub range: OrdinalRange,
    /// The stable id of the first, where its format has one.
    pub start_uuid: Option<SourceUuid>,
    /// The stable id of the last, where its format has one.
    pub end_uuid: Option<SourceUuid>,
}

/// A citation that holds, at another place than its rows say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// The rows of the citation, by [`Evidence::id`].
    pub rows: Vec<i64>,
    /// Where it is now.
    pub place: Place,
    /// Whether its messages moved; otherwise only a stable id became known.
    pub shifted: bool,
}

/// What a look at the transcript makes of an entry's evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All of it holds; the citations that are to be found elsewhere now.
    Holds(Vec<Correction>),
    /// Something does not hold; why the first such citation does not.
    Revoked(RevocationReason),
}

/// Verifies the evidence of one entry, given in stored order.
///
/// A citation is found by its stable ids, and where it has none by its ordinals. One whose anchor
/// was lost is looked for in the whole session by its digest, and has moved if there is exactly one
/// such place. One whose anchors are there but whose text changed, and one whose anchor is
/// ambiguous, is revoked at once.
pub fn verify(evidence: &[Evidence], transcript: &Transcript) -> Verdict {
    let mut corrections = Vec::new();
    for citation in citations(evidence) {
        match citation.locate(transcript) {
            Ok(place) if place == citation.place => {}
            Ok(place) => corrections.push(Correction {
                shifted: place.range != citation.place.range,
                rows: citation.rows,
                place,
            }),
            Err(reason) => return Verdict::Revoked(reason),
        }
    }
    Verdict::Holds(corrections)
}

/// One citation: the rows that share a place and a digest.
struct Citation<'a> {
    rows: Vec<i64>,
    place: Place,
    digest: Option<&'a ContentDigest>,
    extent: Option<Extent<'a>>,
    tool_use_ids: Vec<ToolUseId>,
}

fn citations(evidence: &[Evidence]) -> Vec<Citation<'_>> {
    let mut citations: Vec<Citation<'_>> = Vec::new();
    for row in evidence {
        let place = Place {
            range: row.range,
            start_uuid: row.start_uuid.clone(),
            end_uuid: row.end_uuid.clone(),
        };
        let digest = row.content_digest.as_ref();
        let known = citations
            .iter_mut()
            .find(|citation| citation.place == place && citation.digest == digest);
        if let Some(citation) = known {
            citation.rows.push(row.id);
            citation.tool_use_ids.extend(row.tool_use_id.clone());
        } else {
            citations.push(Citation {
                rows: vec![row.id],
                place,
                digest,
                extent: row.message_count.map(|count| Extent {
                    messages: count as usize,
                    bytes: row.content_bytes,
                    opening: row.opening_digest.as_deref(),
                }),
                tool_use_ids: row.tool_use_id.clone().into_iter().collect(),
            });
        }
    }
    citations
}

/// How much text is hashed in the search for one lost citation, in bytes. Only a transcript of
/// thousands of equal messages comes near it.
const MAX_LOOKED_THROUGH: usize = 64 * 1024 * 1024;

fn text_bytes(messages: &[CitedMessage]) -> usize {
    messages.iter().map(|message| message.content.len()).sum()
}

/// An anchor that could not be resolved.
enum Lost {
    /// It is gone, so the text may be elsewhere.
    Gone(RevocationReason),
    /// It cannot be what it was; the text is not looked for.
    Void(RevocationReason),
}

impl Citation<'_> {
    fn locate(&self, transcript: &Transcript) -> Result<Place, RevocationReason> {
        let Some(digest) = self.digest else {
            return Err(RevocationReason::MissingDigest);
        };
        match self.at_its_anchors(transcript, digest) {
            Ok(place) => Ok(place),
            Err(Lost::Void(reason)) => Err(reason),
            Err(Lost::Gone(reason)) => self.elsewhere(transcript, digest).ok_or(reason),
        }
    }

    fn at_its_anchors(
        &self,
        transcript: &Transcript,
        digest: &ContentDigest,
    ) -> Result<Place, Lost> {
        use RevocationReason as Reason;

        let Place {
            range,
            start_uuid,
            end_uuid,
        } = &self.place;
        let start = resolve(transcript, start_uuid.as_ref(), range.start())
            .map_err(|lost| lost.because(Reason::StartEndpointUnresolved))?;
        let end = resolve(transcript, end_uuid.as_ref(), range.end())
            .map_err(|lost| lost.because(Reason::EndEndpointUnresolved))?;
        // An ordinal anchors nothing once rows may have moved: what fails behind one may only be
        // elsewhere. What fails between two stable ids has changed.
        let lost = |reason| match (start_uuid, end_uuid) {
            (Some(_), Some(_)) => Lost::Void(reason),
            _ => Lost::Gone(reason),
        };
        let range =
            OrdinalRange::new(start, end).map_err(|_| lost(Reason::InvalidResolvedRange))?;
        let messages = transcript
            .stored(range)
            .ok_or_else(|| lost(Reason::WindowInvalid))?;
        if !self.tools_occur(messages) {
            return Err(lost(Reason::SelectionInvalid));
        }
        if !self.says(digest, messages) {
            return Err(lost(Reason::ContentDigestMismatch));
        }
        Ok(transcript.place(messages, range))
    }

    /// The one place in the session that has the same digest.
    fn elsewhere(&self, transcript: &Transcript, digest: &ContentDigest) -> Option<Place> {
        let mut found = None;
        let mut hashed = 0;
        for messages in transcript.passages(self.extent?) {
            hashed += text_bytes(messages);
            if hashed > MAX_LOOKED_THROUGH {
                return None;
            }
            let is_it = self.tools_occur(messages) && self.says(digest, messages);
            if is_it && found.replace(messages).is_some() {
                return None;
            }
        }
        let messages = found?;
        let range = OrdinalRange::new(messages.first()?.ordinal, messages.last()?.ordinal).ok()?;
        Some(transcript.place(messages, range))
    }

    fn says(&self, digest: &ContentDigest, messages: &[CitedMessage]) -> bool {
        content_digest(digest.version(), messages, &self.tool_use_ids) == *digest
    }

    fn tools_occur(&self, messages: &[CitedMessage]) -> bool {
        self.tool_use_ids.iter().all(|id| {
            let mut calls = messages.iter().flat_map(|message| &message.tool_calls);
            calls.any(|call| call.tool_use_id.as_ref() == Some(id))
        })
    }
}

/// An endpoint whose stable id does not lead to one message.
enum Unresolved {
    Absent,
    Ambiguous,
}

impl Unresolved {
    fn because(&self, reason: RevocationReason) -> Lost {
        match self {
            Self::Absent => Lost::Gone(reason),
            Self::Ambiguous => Lost::Void(reason),
        }
    }
}

/// Endpoints resolve independently, so that one may have a stable id and the other none.
fn resolve(
    transcript: &Transcript,
    uuid: Option<&SourceUuid>,
    ordinal: Ordinal,
) -> Result<Ordinal, Unresolved> {
    let Some(uuid) = uuid else {
        return Ok(ordinal);
    };
    match transcript.carrying(uuid) {
        [one] => Ok(*one),
        [] => Err(Unresolved::Absent),
        _ => Err(Unresolved::Ambiguous),
    }
}

#[cfg(test)]
mod tests;
