//! What each key does in each mode.

use console::Key;
use recall_core::{EntryId, EntryType};
use recall_engine::ReviewRequest;

use super::line::Line;
use super::state::{Action, Desk, Direction, Mode, Proposal, Tone};

/// Reasons at hand, by the number that stands for them.
pub(crate) const REASONS: [&str; 5] = [
    "wrong",
    "outdated",
    "duplicate",
    "too specific",
    "not useful",
];

impl Desk {
    /// Takes a key and says what the world has to do.
    pub(crate) fn press(&mut self, key: &Key) -> Action {
        if *key == Key::CtrlC {
            return Action::Quit;
        }
        self.message = None;
        match self.mode.clone() {
            Mode::Viewing => self.command(key),
            Mode::Help => {
                self.mode = Mode::Viewing;
                Action::Stay
            }
            _ if *key == Key::Escape => {
                self.mode = Mode::Viewing;
                self.say(Tone::Notice, "Nothing was decided.");
                Action::Stay
            }
            _ if self.scrolls(key) => Action::Stay,
            Mode::Kind { claimed } => self.answer_kind(key, claimed),
            Mode::Transferable { entry_type } => self.answer_transferable(key, entry_type),
            Mode::Reason(line) => self.answer_reason(key, line),
            Mode::Note(line) => self.answer_note(key, line),
            Mode::Replacement { direction, line } => self.answer_replacement(key, direction, line),
            Mode::Held { proposal, draft } => match key {
                Key::Enter => proposal.map_or(Action::Stay, Action::Decide),
                Key::Char('e') => draft.map_or(Action::Stay, |draft| Action::Edit(Some(draft))),
                _ => Action::Stay,
            },
        }
    }

    /// Takes a text that was pasted, if a text is asked for; it is never a command or an answer.
    pub(crate) fn paste(&mut self, text: &str) {
        if let Mode::Reason(line) | Mode::Note(line) | Mode::Replacement { line, .. } =
            &mut self.mode
        {
            for c in text.chars() {
                line.take(&Key::Char(c));
            }
        }
    }

    fn command(&mut self, key: &Key) -> Action {
        match key {
            Key::Char('q') => return Action::Quit,
            Key::Char('?') => self.mode = Mode::Help,
            Key::Char('u') => return self.undo(),
            Key::Char('j' | 'n') | Key::ArrowRight => return self.step(1),
            Key::Char('k' | 'p') | Key::ArrowLeft => return self.step(-1),
            Key::Char(' ') => self.scroll_by(self.page()),
            Key::Char('b') => self.scroll_by(-self.page()),
            _ if self.scrolls(key) => {}
            _ => return self.command_on_item(key),
        }
        Action::Stay
    }

    /// The commands that need an entry on the desk.
    fn command_on_item(&mut self, key: &Key) -> Action {
        let Some(item) = self.item() else {
            return Action::Stay;
        };
        let (claimed, transferable) = (item.entry.claimed_type, item.entry.transferable);
        match key {
            Key::Char('a') => {
                if let Some(claimed) = claimed {
                    self.mode = Mode::Kind { claimed };
                    return Action::Stay;
                }
                return self.ask_transferable(None);
            }
            Key::Char('e') => return Action::Edit(None),
            Key::Char('x') => self.mode = Mode::Reason(Line::default()),
            Key::Char('r') => self.mode = Mode::Note(Line::default()),
            Key::Char('s') => {
                self.mode = Mode::Replacement {
                    direction: Direction::ByOther,
                    line: Line::default(),
                };
            }
            Key::Char('t') => self.transferable = Some(!self.transferable.unwrap_or(transferable)),
            _ => {}
        }
        Action::Stay
    }

    fn undo(&mut self) -> Action {
        if let Some(made) = self.made.last() {
            return Action::Undo(made.number);
        }
        self.say(
            Tone::Notice,
            "Nothing was decided here yet. `agentsview recall undo` takes back what was decided \
             before.",
        );
        Action::Stay
    }

    fn step(&mut self, by: isize) -> Action {
        // Behind the last entry there is nothing to show, and from there one step leads back.
        let target = self.position.min(self.queue.len()).checked_add_signed(by);
        match target {
            Some(target) if target < self.queue.len() => {
                self.turn_to(target);
                Action::Load
            }
            Some(_) => {
                self.say(Tone::Notice, "That is the last one.");
                Action::Stay
            }
            None => {
                self.say(Tone::Notice, "That is the first one.");
                Action::Stay
            }
        }
    }

    /// The question is passed over if it was answered before.
    fn ask_transferable(&mut self, entry_type: Option<EntryType>) -> Action {
        if let Some(transferable) = self.transferable {
            return self.decide(
                ReviewRequest::Accept {
                    transferable,
                    entry_type,
                },
                "",
            );
        }
        self.mode = Mode::Transferable { entry_type };
        Action::Stay
    }

    fn answer_kind(&mut self, key: &Key, claimed: EntryType) -> Action {
        match key {
            Key::Char('1') => self.ask_transferable(Some(claimed)),
            Key::Char('2') => self.ask_transferable(None),
            _ => Action::Stay,
        }
    }

    fn answer_transferable(&mut self, key: &Key, entry_type: Option<EntryType>) -> Action {
        let transferable = match key {
            Key::Char('y') => true,
            Key::Char('n') => false,
            _ => return Action::Stay,
        };
        self.decide(
            ReviewRequest::Accept {
                transferable,
                entry_type,
            },
            "",
        )
    }

    fn answer_reason(&mut self, key: &Key, mut line: Line) -> Action {
        if *key == Key::Enter {
            let typed = line.text().trim();
            // A digit may begin a sentence, so it is a choice only if nothing follows it.
            let quick = (1..)
                .zip(REASONS)
                .find(|(number, _)| typed == usize::to_string(number));
            let reason = quick.map_or(typed, |(_, reason)| reason);
            if reason.is_empty() {
                self.say(Tone::Refused, "A rejection needs a reason.");
                return Action::Stay;
            }
            return self.decide(ReviewRequest::Reject, reason);
        }
        line.take(key);
        self.mode = Mode::Reason(line);
        Action::Stay
    }

    fn answer_note(&mut self, key: &Key, mut line: Line) -> Action {
        if *key == Key::Enter {
            return self.decide(ReviewRequest::Archive, line.text().trim());
        }
        line.take(key);
        self.mode = Mode::Note(line);
        Action::Stay
    }

    fn answer_replacement(&mut self, key: &Key, direction: Direction, mut line: Line) -> Action {
        match key {
            Key::Tab => {
                let direction = match direction {
                    Direction::ByOther => Direction::OfOther,
                    Direction::OfOther => Direction::ByOther,
                };
                self.mode = Mode::Replacement { direction, line };
            }
            Key::Enter => {
                return match self.named(line.text()) {
                    Ok(other) => self.supersede(direction, other),
                    Err(why) => {
                        self.say(Tone::Refused, why);
                        Action::Stay
                    }
                };
            }
            _ => {
                line.take(key);
                self.mode = Mode::Replacement { direction, line };
            }
        }
        Action::Stay
    }

    /// The entry that was meant: the number of a candidate, else an id.
    fn named(&self, text: &str) -> Result<EntryId, String> {
        let text = text.trim();
        let candidates = self.candidates();
        let numbered = text
            .parse::<usize>()
            .ok()
            .and_then(|number| candidates.get(number.checked_sub(1)?));
        if let Some(entry) = numbered {
            return Ok(entry.id.clone());
        }
        EntryId::new(text).map_err(|error| format!("{error}; type a number or an id"))
    }

    fn supersede(&mut self, direction: Direction, other: EntryId) -> Action {
        let Some(item) = self.item() else {
            return Action::Stay;
        };
        let (id, by) = match direction {
            Direction::ByOther => (item.entry.id.clone(), other),
            Direction::OfOther => (other, item.entry.id.clone()),
        };
        Action::Decide(Proposal {
            id,
            request: ReviewRequest::Supersede { by },
            note: String::new(),
        })
    }

    fn decide(&self, request: ReviewRequest, note: &str) -> Action {
        self.item().map_or(Action::Stay, |item| {
            Action::Decide(Proposal {
                id: item.entry.id.clone(),
                request,
                note: note.to_owned(),
            })
        })
    }

    /// Scrolls if the key asks for that and is no text.
    fn scrolls(&mut self, key: &Key) -> bool {
        match key {
            Key::ArrowDown => self.scroll_by(1),
            Key::ArrowUp => self.scroll_by(-1),
            Key::PageDown => self.scroll_by(self.page()),
            Key::PageUp => self.scroll_by(-self.page()),
            Key::Home => self.scroll = 0,
            Key::End => self.scroll = self.extent.last(),
            _ => return false,
        }
        true
    }

    /// One row stays in view, so that a reader finds the place.
    fn page(&self) -> isize {
        isize::try_from(self.extent.height.saturating_sub(1).max(1)).unwrap_or(1)
    }

    fn scroll_by(&mut self, rows: isize) {
        self.scroll = self
            .scroll
            .saturating_add_signed(rows)
            .min(self.extent.last());
    }
}

#[cfg(test)]
mod tests;
