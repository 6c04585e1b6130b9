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
    /// Where each message's own digest occurs. Made when the first lost passage is looked for, since
    /// most changes lose none.
    openings: OnceCell<HashMap<String, Vec<usize>>>,
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
        Self {
            messages,
            by_uuid,
            openings: OnceCell::new(),
        }
    }

    /// The messages.
    pub fn messages(&self) -> &[CitedMessage] {
        &self.messages
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

    /// Every run of `count` messages that opens with the message of that digest, or every run at all
    /// if the opening is not known.
    pub(super) fn passages<'a>(
        &'a self,
        opening: Option<&str>,
        count: usize,
    ) -> Box<dyn Iterator<Item = &'a [CitedMessage]> + 'a> {
        let Some(opening) = opening else {
            // `windows` would panic at 0.
            return Box::new(self.messages.windows(count.max(1)));
        };
        let starts = self.openings().get(opening).map_or(&[][..], Vec::as_slice);
        Box::new(
            starts
                .iter()
                .filter_map(move |start| self.messages.get(*start..start.checked_add(count)?)),
        )
    }

    fn openings(&self) -> &HashMap<String, Vec<usize>> {
        self.openings.get_or_init(|| {
            let mut openings: HashMap<String, Vec<usize>> = HashMap::new();
            for (index, message) in self.messages.iter().enumerate() {
                openings
                    .entry(opening_digest(message))
                    .or_default()
                    .push(index);
            }
            openings
        })
    }
}
