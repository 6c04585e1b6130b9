//! The walk through the budget.

use std::cell::OnceCell;

use recall_core::{ContextBlock, ContextMeta, RankedEntry};
use recall_text::Focus;
use recall_trust::instructions;

use crate::fence::Fence;
use crate::form::Form;

/// The room that an entry may take at least, in bytes, while there is that much.
const SMALLEST_SHARE: usize = 450;

/// Fewer bytes than this hold no entry, and are not worth writing one anew.
const LEAST_ROOM: usize = 48;

/// An entry, packed or not.
struct Slot<'a> {
    ranked: &'a RankedEntry,
    /// Made when it is first tried: most entries of a long answer never are.
    prepared: OnceCell<Prepared<'a>>,
    written: Option<Written>,
}

/// What an entry has to say.
struct Prepared<'a> {
    form: Form<'a>,
    flags: Vec<&'static str>,
}

/// What of it is in the block.
struct Written {
    text: String,
    is_whole: bool,
}

/// Packs ranked entries, best first, into one block of at most `budget` bytes within `fence`.
///
/// Each entry may take an equal share of what is left, or 450 bytes if that is more. One that does
/// not fit in full is reduced to what the `query` is about; one that does not fit even so is left
/// out, and those behind it are still tried. What is left in the end goes to the reduced entries,
/// best first, and then to those that were left out. A budget too small for the fence packs
/// nothing.
///
/// In the result's `meta`, `omitted_count` is the number of entries that are not in the block, and
/// `truncated_from` the number of all entries if any is not. `truncated` is also set if all are in
/// the block and some are reduced.
///
/// Entry text cannot leave its place: it is cleaned, kept to prefixed lines, and anything that
/// reads like a fence line is replaced. Text that reads like instructions stays and is flagged.
/// Every packed entry names its source.
pub fn pack(entries: &[RankedEntry], query: &str, budget: usize, fence: &Fence) -> ContextBlock {
    let mut packing = Packing {
        fence,
        focus: Focus::new(query),
        left: budget.saturating_sub(fence.header().len() + 1 + fence.footer().len()),
        // A line feed, the largest number, a full stop and a blank.
        frame: 3 + entries.len().to_string().len(),
        slots: entries.iter().map(Slot::of).collect(),
    };
    packing.share_out();
    packing.grow();
    while packing.admit() {
        packing.grow();
    }
    block(&packing.slots, fence)
}

/// The walk through the budget.
struct Packing<'a> {
    fence: &'a Fence,
    focus: Focus,
    /// Bytes that no entry takes.
    left: usize,
    /// Bytes that an entry takes beside its text.
    frame: usize,
    slots: Vec<Slot<'a>>,
}

impl<'a> Slot<'a> {
    fn of(ranked: &'a RankedEntry) -> Self {
        Self {
            ranked,
            prepared: OnceCell::new(),
            written: None,
        }
    }

    fn prepared(&self, fence: &'a Fence) -> &Prepared<'a> {
        self.prepared.get_or_init(|| {
            let flags = instructions::entry_flags(&self.ranked.entry);
            Prepared {
                form: Form::new(&self.ranked.entry, &flags, fence),
                flags,
            }
        })
    }

    fn is_reduced(&self) -> bool {
        self.written.as_ref().is_some_and(|it| !it.is_whole)
    }
}

impl Packing<'_> {
    /// Gives each entry its share, in order.
    fn share_out(&mut self) {
        for index in 0..self.slots.len() {
            let share = (self.left / (self.slots.len() - index)).max(SMALLEST_SHARE);
            if self.left < LEAST_ROOM {
                return;
            }
            self.add(index, share.min(self.left));
        }
    }

    /// Gives what is left to the reduced entries, in order.
    fn grow(&mut self) {
        for index in 0..self.slots.len() {
            if self.left < LEAST_ROOM {
                return;
            }
            let slot = &self.slots[index];
            let Some(before) = slot.written.as_ref().filter(|_| slot.is_reduced()) else {
                continue;
            };
            let taken = before.text.len();
            if let Some(written) = self.write(index, taken + self.left)
                && written.text.len() > taken
            {
                self.left -= written.text.len() - taken;
                self.slots[index].written = Some(written);
            }
        }
    }

    /// Gives what is left to the first entry that was left out and fits after all.
    fn admit(&mut self) -> bool {
        (0..self.slots.len()).any(|index| {
            self.left >= LEAST_ROOM
                && self.slots[index].written.is_none()
                && self.add(index, self.left)
        })
    }

    /// Adds an entry if it can be written in `share` bytes, its frame included.
    fn add(&mut self, index: usize, share: usize) -> bool {
        let written = share
            .checked_sub(self.frame)
            .and_then(|room| self.write(index, room));
        if let Some(written) = &written {
            self.left -= self.frame + written.text.len();
        }
        self.slots[index].written = written;
        self.slots[index].written.is_some()
    }

    /// The entry in at most `room` bytes: in full if it fits, else reduced.
    fn write(&self, index: usize, room: usize) -> Option<Written> {
        let form = &self.slots[index].prepared(self.fence).form;
        let full = form.full();
        if full.len() <= room {
            return Some(Written {
                text: full,
                is_whole: true,
            });
        }
        let text = form.reduced(room, &self.focus)?;
        Some(Written {
            text,
            is_whole: false,
        })
    }
}

fn block(slots: &[Slot<'_>], fence: &Fence) -> ContextBlock {
    let mut meta = ContextMeta::default();
    let mut text = fence.header();
    for slot in slots {
        let Some(written) = &slot.written else {
            meta.omitted_count += 1;
            continue;
        };
        describe(slot, &mut meta);
        let number = meta.included_ids.len();
        for part in ["\n", &number.to_string(), ". ", &written.text] {
            text.push_str(part);
        }
    }
    text.push('\n');
    text.push_str(&fence.footer());
    if meta.omitted_count > 0 {
        meta.truncated_from = slots.len();
    }
    meta.truncated = meta.omitted_count > 0 || slots.iter().any(Slot::is_reduced);
    if meta.included_ids.is_empty() {
        text.clear();
    }
    ContextBlock { text, meta }
}

fn describe(slot: &Slot<'_>, meta: &mut ContextMeta) {
    let entry = &slot.ranked.entry;
    meta.included_ids.push(entry.id.clone());
    meta.included_types
        .insert(entry.id.clone(), entry.entry_type);
    meta.included_reasons
        .insert(entry.id.clone(), slot.ranked.reasons.clone());
    push_new(&mut meta.source_session_ids, Some(&entry.source_session_id));
    push_new(
        &mut meta.source_episode_ids,
        entry.source_episode_id.as_ref(),
    );
    push_new(&mut meta.source_run_ids, entry.source_run_id.as_ref());
    let flags = slot.prepared.get().map(|prepared| &prepared.flags);
    if let Some(flags) = flags.filter(|flags| !flags.is_empty()) {
        meta.flagged.insert(entry.id.clone(), flags.clone());
    }
}

fn push_new<T: Clone + PartialEq>(list: &mut Vec<T>, item: Option<&T>) {
    if let Some(item) = item
        && !list.contains(item)
    {
        list.push(item.clone());
    }
}

#[cfg(test)]
mod tests;
