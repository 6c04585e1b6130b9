//! The desk as a value: what waits, what lies on it, and what is being asked about it.

use recall_core::{Entry, EntryId, EntryType, ReviewAction};
use recall_engine::{ReviewItem, ReviewRequest};

use super::line::Line;

/// A decision that a person made and that is still to be written down.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Proposal {
    /// The entry that is decided upon.
    pub(crate) id: EntryId,
    /// The decision.
    pub(crate) request: ReviewRequest,
    /// The person's words.
    pub(crate) note: String,
}

/// What the world has to do after a key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    /// Nothing but to show the desk again.
    Stay,
    /// Fetch the item of [`Desk::current`].
    Load,
    /// Write a decision down.
    Decide(Proposal),
    /// Take this decision back.
    Undo(i64),
    /// Open this text in the editor; `None` stands for the entry on the desk.
    Edit(Option<String>),
    /// Leave.
    Quit,
}

/// Which of two entries gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// The other entry replaces the one on the desk.
    ByOther,
    /// The one on the desk replaces the other.
    OfOther,
}

/// What the next key answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mode {
    /// Nothing: keys are commands.
    Viewing,
    /// Nothing: the keys are explained.
    Help,
    /// As which kind is it accepted?
    Kind {
        /// The kind that its author claimed.
        claimed: EntryType,
    },
    /// Does it hold outside its own session?
    Transferable {
        /// The kind it is accepted as; `None` leaves it the kind it is.
        entry_type: Option<EntryType>,
    },
    /// Why is it rejected?
    Reason(Line),
    /// Is it archived, and with which words?
    Note(Line),
    /// Which other entry is it about?
    Replacement {
        /// Which of both gives way.
        direction: Direction,
        /// The number of a candidate, or an id.
        line: Line,
    },
    /// What becomes of something that could not be written down?
    Held {
        /// What to try again; `None` if the text has to be changed first.
        proposal: Option<Proposal>,
        /// The text from the editor, if that was it.
        draft: Option<String>,
    },
}

/// How a message is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// It was done.
    Done,
    /// To be known.
    Notice,
    /// It was not done.
    Refused,
}

/// One message on the status line; raw text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// How it is meant.
    pub(crate) tone: Tone,
    /// What it says.
    pub(crate) text: String,
}

/// An entry of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ticket {
    pub(super) id: EntryId,
    /// Whether it waits no longer.
    pub(super) settled: bool,
}

/// A decision that was made at this desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Made {
    /// Its number in the log.
    pub(super) number: i64,
    pub(super) id: EntryId,
    pub(super) action: ReviewAction,
}

/// How much of the longer column is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Extent {
    /// Rows that are visible at once.
    pub(crate) height: usize,
    /// Rows there are.
    pub(crate) rows: usize,
}

impl Extent {
    /// The last row that may stand at the top.
    pub(crate) fn last(self) -> usize {
        self.rows.saturating_sub(self.height)
    }
}

/// The desk.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Desk {
    pub(super) queue: Vec<Ticket>,
    /// The ticket whose item lies on the desk, or is to be fetched.
    pub(super) position: usize,
    /// How many entries wait beside those of the queue.
    pub(super) beyond: u64,
    pub(super) item: Option<Box<ReviewItem>>,
    pub(super) mode: Mode,
    /// What the coming acceptance says of it; `None` asks.
    pub(super) transferable: Option<bool>,
    pub(super) message: Option<Message>,
    /// The row at the top.
    pub(super) scroll: usize,
    pub(super) extent: Extent,
    pub(super) made: Vec<Made>,
}

impl Desk {
    /// A desk in front of a queue of which nothing is fetched yet. `total` is how many entries wait
    /// in all.
    pub(crate) fn new(queue: Vec<EntryId>, total: u64) -> Self {
        let shown = u64::try_from(queue.len()).unwrap_or(u64::MAX);
        Self {
            queue: queue
                .into_iter()
                .map(|id| Ticket { id, settled: false })
                .collect(),
            position: 0,
            beyond: total.saturating_sub(shown),
            item: None,
            mode: Mode::Viewing,
            transferable: None,
            message: None,
            scroll: 0,
            extent: Extent::default(),
            made: Vec::new(),
        }
    }

    /// The entry whose item belongs on the desk; `None` if nothing waits any more.
    pub(crate) fn current(&self) -> Option<&EntryId> {
        self.queue.get(self.position).map(|ticket| &ticket.id)
    }

    /// What lies on the desk.
    pub(crate) fn item(&self) -> Option<&ReviewItem> {
        self.item.as_deref()
    }

    /// What the next key answers.
    pub(crate) fn mode(&self) -> &Mode {
        &self.mode
    }

    /// The text from the editor that is kept, if one is.
    pub(crate) fn draft(&self) -> Option<String> {
        match &self.mode {
            Mode::Held { draft, .. } => draft.clone(),
            _ => None,
        }
    }

    /// How many entries of the queue still wait.
    pub(crate) fn waiting(&self) -> u64 {
        let here = self.queue.iter().filter(|ticket| !ticket.settled).count();
        self.beyond
            .saturating_add(u64::try_from(here).unwrap_or(u64::MAX))
    }

    /// Every decision that was made here and stands.
    pub(crate) fn decisions(&self) -> impl Iterator<Item = ReviewAction> + '_ {
        self.made.iter().map(|made| made.action)
    }

    /// The other entries that may take part in a supersession, in the order of their numbers.
    pub(crate) fn candidates(&self) -> Vec<&Entry> {
        let Some(item) = self.item() else {
            return Vec::new();
        };
        let mut found: Vec<&Entry> = Vec::new();
        let duplicates = item.duplicates.iter().map(|(_, entry)| entry);
        let contradictions = item.contradictions.iter().map(|(_, entry)| entry);
        for entry in duplicates.chain(contradictions) {
            if found.iter().all(|known| known.id != entry.id) {
                found.push(entry);
            }
        }
        found
    }

    pub(super) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.message = Some(Message {
            tone,
            text: text.into(),
        });
    }

    /// Puts the ticket's item next, without what was meant for the one before.
    pub(super) fn turn_to(&mut self, position: usize) {
        self.position = position;
        self.item = None;
        self.mode = Mode::Viewing;
        self.transferable = None;
        self.scroll = 0;
    }

    /// Turns to the next entry that waits; behind the last one to the first that was passed over.
    pub(super) fn turn_to_next_waiting(&mut self) {
        let waits = |(_, ticket): &(usize, &Ticket)| !ticket.settled;
        let tickets = || self.queue.iter().enumerate();
        let next = tickets()
            .skip(self.position + 1)
            .find(waits)
            .or_else(|| tickets().find(waits))
            .map_or(self.queue.len(), |(position, _)| position);
        self.turn_to(next);
    }
}
