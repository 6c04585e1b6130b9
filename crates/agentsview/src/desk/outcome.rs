//! What the world tells the desk after an action.

use recall_core::ReviewAction;
use recall_engine::{ReviewItem, ReviewRequest, Reviewed};

use super::state::{Action, Desk, Extent, Made, Mode, Proposal, Tone};
use super::words;

impl Desk {
    /// The item of the current entry is here.
    pub(crate) fn lay(&mut self, item: ReviewItem) {
        self.item = Some(Box::new(item));
    }

    /// The current entry is in the archive no more.
    pub(crate) fn gone(&mut self) {
        if self.position < self.queue.len() {
            let ticket = self.queue.remove(self.position);
            let text = format!("Entry {} is gone from the archive.", ticket.id);
            self.say(Tone::Notice, text);
            self.position = self.position.min(self.queue.len());
        }
        self.turn_to(self.position);
    }

    /// A decision was written down.
    pub(crate) fn decided(&mut self, proposal: &Proposal, reviewed: &Reviewed) -> Action {
        self.made.push(Made {
            number: reviewed.decision.number,
            id: proposal.id.clone(),
            action: reviewed.decision.action,
        });
        let text = format!("{}: {}", proposal.id, words::after(reviewed));
        self.say(Tone::Done, text);
        let settles = reviewed.decision.action != ReviewAction::Edit;
        for ticket in self.queue.iter_mut().filter(|it| it.id == proposal.id) {
            ticket.settled |= settles;
        }
        if settles && self.current() == Some(&proposal.id) {
            self.turn_to_next_waiting();
        } else {
            self.turn_to(self.position);
        }
        self.load()
    }

    /// A decision was taken back: its entry comes onto the desk again.
    pub(crate) fn taken_back(&mut self, reviewed: &Reviewed) -> Action {
        let Some(made) = self.made.pop() else {
            return Action::Stay;
        };
        self.say(Tone::Done, words::undone(made.action));
        let place = self.queue.iter().position(|ticket| ticket.id == made.id);
        if let Some(position) = place {
            // Only what is in force can wait.
            self.queue[position].settled = !reviewed.is_in_force();
            self.turn_to(position);
        } else {
            self.turn_to(self.position);
        }
        self.load()
    }

    /// Something could not be taken back.
    pub(crate) fn not_taken_back(&mut self, why: &str) {
        self.say(Tone::Refused, words::sentence(why));
    }

    /// A decision was refused. What was typed stays to be changed.
    pub(crate) fn refused(&mut self, proposal: &Proposal, draft: Option<String>, why: &str) {
        self.say(Tone::Refused, words::sentence(why));
        if draft.is_some() {
            self.mode = Mode::Held {
                proposal: None,
                draft,
            };
        } else if matches!(proposal.request, ReviewRequest::Accept { .. })
            || matches!(self.mode, Mode::Held { .. })
        {
            self.mode = Mode::Viewing;
        }
    }

    /// The archive cannot be written now; the decision waits for another try.
    pub(crate) fn busy(&mut self, proposal: Proposal, draft: Option<String>, why: &str) {
        self.say(Tone::Refused, words::sentence(why));
        self.mode = Mode::Held {
            proposal: Some(proposal),
            draft,
        };
    }

    /// The entry is not any more as it was read. It is fetched again before anything is decided.
    pub(crate) fn changed(&mut self, draft: Option<String>, why: &str) -> Action {
        self.turn_to(self.position);
        self.say(Tone::Refused, why);
        if draft.is_some() {
            self.mode = Mode::Held {
                proposal: None,
                draft,
            };
        }
        self.load()
    }

    /// What came back from the editor cannot be read.
    pub(crate) fn misread(&mut self, draft: String, why: &str) {
        self.say(Tone::Refused, words::sentence(why));
        self.mode = Mode::Held {
            proposal: None,
            draft: Some(draft),
        };
    }

    /// Nothing was edited.
    pub(crate) fn unedited(&mut self, tone: Tone, why: &str) {
        self.mode = Mode::Viewing;
        self.say(tone, why);
    }

    /// How much of what lies here is visible.
    pub(crate) fn measured(&mut self, extent: Extent) {
        self.extent = extent;
        self.scroll = self.scroll.min(extent.last());
    }

    fn load(&self) -> Action {
        if self.current().is_some() {
            Action::Load
        } else {
            Action::Stay
        }
    }
}
