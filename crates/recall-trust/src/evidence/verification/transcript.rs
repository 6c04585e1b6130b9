//! A whole session, ready to be looked into.

use std::cell::OnceCell;
use std::collections::HashMap;

use recall_core::digest::opening_digest;
use recall_core::{CitedMessage, Ordinal, OrdinalRange, SourceUuid};

use super::Place;

/// Every stored message of a session, by rising ordinal.
#[derive(Debug)]
pub struct Transcript {
    messages: Vec<CitedMessage>,
    by_uuid: HashMap<SourceUuid, Vec<Ordinal>>,
    /// How many bytes of text stand before each message, and before the end.
    offsets: Vec<u64>,
    /// The digest of each message alone, shortened, made when it is first asked for: most changes
    /// lose no passage.
    openings: Vec<OnceCell<Short>>,
}

/// The first 64 bits of a digest. They only sort out what need not be hashed in full.
type Short = u64;

fn short(hex: &str) -> Option<Short> {
    hex.get(..16)
        .and_then(|start| Short::from_str_radix(start, 16).ok())
}

/// What is known of a passage wherever it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent<'a> {
    /// How many messages it has.
    pub(super) messages: usize,
    /// How many bytes of text they have.
    pub(super) bytes: Option<u64>,
    /// The digest of the first of them.
    pub(super) opening: Option<&'a str>,
}

impl Transcript {
    /// The messages of a session, which rise by ordinal.
    pub fn new(messages: Vec<CitedMessage>) -> Self {
        let mut by_uuid: HashMap<SourceUuid, Vec<Ordinal>> = HashMap::new();
        for message in &messages {
            if let Some(uuid) = &message.source_uuid {
                by_uuid
                    .entry(uuid.clone())
                    .or_default()
                    .push(message.ordinal);
            }
        }
        let mut offsets = vec![0];
        let mut end = 0;
        for message in &messages {
            end += message.content.len() as u64;
            offsets.push(end);
        }
        Self {
            openings: vec![OnceCell::new(); messages.len()],
            messages,
            by_uuid,
            offsets,
        }
    }

    /// The messages.
    pub fn messages(&self) -> &[CitedMessage] {
        &self.messages
    }

    /// The messages of a range, without stable ids that several messages carry: those anchor none.
    pub(in crate::evidence) fn anchored(&self, range: OrdinalRange) -> Vec<CitedMessage> {
        let mut messages: Vec<CitedMessage> = self
            .messages
            .iter()
            .filter(|message| range.contains(message.ordinal))
            .cloned()
            .collect();
        for message in &mut messages {
            message
                .source_uuid
                .take_if(|uuid| self.carrying(uuid).len() > 1);
        }
        messages
    }

    /// Every message that carries a stable id.
    pub(super) fn carrying(&self, uuid: &SourceUuid) -> &[Ordinal] {
        self.by_uuid.get(uuid).map_or(&[], Vec::as_slice)
    }

    /// The messages of a range; `None` unless it begins and ends at stored ones.
    pub(super) fn stored(&self, range: OrdinalRange) -> Option<&[CitedMessage]> {
        let index = |ordinal| {
            self.messages
                .binary_search_by_key(&ordinal, |message| message.ordinal)
                .ok()
        };
        self.messages
            .get(index(range.start())?..=index(range.end())?)
    }

    /// Where these messages are, with the stable ids that they have now. An id that several messages
    /// carry anchors none of them.
    pub(super) fn place(&self, messages: &[CitedMessage], range: OrdinalRange) -> Place {
        let anchor = |message: Option<&CitedMessage>| {
            let uuid = message?.source_uuid.as_ref()?;
            (self.carrying(uuid).len() == 1).then(|| uuid.clone())
        };
        Place {
            range,
            start_uuid: anchor(messages.first()),
            end_uuid: anchor(messages.last()),
        }
    }

    /// Every run of messages that may be this passage, the cheapest tests first.
    pub(super) fn passages(&self, extent: Extent<'_>) -> impl Iterator<Item = &[CitedMessage]> {
        // `windows` would panic at 0.
        let runs = self.messages.windows(extent.messages.max(1)).enumerate();
        let opening = extent.opening.and_then(short);
        runs.filter(move |(start, run)| {
            let bytes = self.offsets[start + run.len()] - self.offsets[*start];
            extent.bytes.is_none_or(|wanted| wanted == bytes)
                && opening.is_none_or(|wanted| wanted == self.opening(*start))
        })
        .map(|(_, run)| run)
    }

    fn opening(&self, index: usize) -> Short {
        *self.openings[index]
            .get_or_init(|| short(&opening_digest(&self.messages[index])).unwrap_or_default())
    }
}
