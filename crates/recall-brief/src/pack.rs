//! The walk through the budget.

use recall_core::{ContextBlock, ContextMeta, Entry, RankedEntry};
use recall_text::{Focus, clean_block};
use recall_trust::instructions;

use crate::fence::{FOOTER, HEADER};
use crate::form::Form;

/// The room that an entry may take at least, in bytes, while there is that much.
const SMALLEST_SHARE: usize = 450;

/// Fewer bytes than this are not worth writing an entry anew, and too few for another entry.
const LEAST_GAIN: usize = 48;

/// An entry in the block.
struct Packed<'e> {
    ranked: &'e RankedEntry,
    form: Form,
    flags: Vec<&'static str>,
    text: String,
    whole: bool,
}

/// Packs ranked entries, best first, into one fenced block of at most `budget` bytes.
///
/// Each entry may take an equal share of what is left, or 450 bytes if that is more. One that does
/// not fit in full is reduced to what the `query` is about; one that does not fit even so is left
/// out, and those behind it are still tried. What is left in the end goes to the reduced entries,
/// best first. A budget too small for the fence packs nothing.
///
/// In the result's `meta`, `omitted_count` is the number of entries that are not in the block, and
/// `truncated_from` the number of all entries if any is not. `truncated` is also set if all are in
/// the block and some are reduced.
///
/// Entry text cannot leave its place: it is cleaned, kept to prefixed lines, and anything that
/// reads like a fence line is replaced. Text that reads like instructions stays and is flagged.
pub fn pack(entries: &[RankedEntry], query: &str, budget: usize) -> ContextBlock {
    let focus = Focus::new(query);
    let fence = HEADER.len() + 1 + FOOTER.len();
    let mut left = budget.saturating_sub(fence);
    let mut packed: Vec<Packed<'_>> = Vec::new();
    for (index, ranked) in entries.iter().enumerate() {
        let share = (left / (entries.len() - index))
            .max(SMALLEST_SHARE)
            .min(left);
        if share < LEAST_GAIN {
            break;
        }
        // The line feed before the entry is part of its share.
        let room = share - 1;
        let flags = flags(&ranked.entry);
        let form = Form::new(&ranked.entry, &flags);
        let Some((text, whole)) = write(&form, packed.len() + 1, room, &focus) else {
            continue;
        };
        left -= text.len() + 1;
        packed.push(Packed {
            ranked,
            form,
            flags,
            text,
            whole,
        });
    }
    for (index, entry) in packed
        .iter_mut()
        .enumerate()
        .filter(|(_, entry)| !entry.whole)
    {
        if left < LEAST_GAIN {
            break;
        }
        let room = entry.text.len() + left;
        if let Some((text, whole)) = write(&entry.form, index + 1, room, &focus)
            && text.len() > entry.text.len()
        {
            left = room - text.len();
            (entry.text, entry.whole) = (text, whole);
        }
    }
    block(&packed, entries.len())
}

/// The entry in full if it fits, else reduced; and whether it is in full.
fn write(form: &Form, number: usize, room: usize, focus: &Focus) -> Option<(String, bool)> {
    let full = form.full(number);
    if full.len() <= room {
        return Some((full, true));
    }
    form.reduced(number, room, focus).map(|text| (text, false))
}

/// Why an entry reads like instructions, over all of its text: what was cut off counts too, since
/// it says what kind of entry this is.
fn flags(entry: &Entry) -> Vec<&'static str> {
    let mut text = format!("{}\n{}\n{}", entry.title, entry.body, entry.trigger);
    for row in &entry.evidence {
        text.push('\n');
        text.push_str(&row.snippet());
    }
    instructions::flags(&clean_block(&text))
}

fn block(packed: &[Packed<'_>], entry_count: usize) -> ContextBlock {
    let omitted_count = entry_count - packed.len();
    let mut meta = ContextMeta {
        truncated: omitted_count > 0 || packed.iter().any(|entry| !entry.whole),
        truncated_from: if omitted_count > 0 { entry_count } else { 0 },
        omitted_count,
        ..ContextMeta::default()
    };
    if packed.is_empty() {
        return ContextBlock {
            text: String::new(),
            meta,
        };
    }
    let mut text = String::from(HEADER);
    for entry in packed {
        text.push('\n');
        text.push_str(&entry.text);
        describe(entry, &mut meta);
    }
    text.push('\n');
    text.push_str(FOOTER);
    ContextBlock { text, meta }
}

fn describe(packed: &Packed<'_>, meta: &mut ContextMeta) {
    let entry = &packed.ranked.entry;
    meta.included_ids.push(entry.id.clone());
    meta.included_types
        .insert(entry.id.clone(), entry.entry_type);
    meta.included_reasons
        .insert(entry.id.clone(), packed.ranked.reasons.clone());
    push_new(&mut meta.source_session_ids, Some(&entry.source_session_id));
    push_new(
        &mut meta.source_episode_ids,
        entry.source_episode_id.as_ref(),
    );
    push_new(&mut meta.source_run_ids, entry.source_run_id.as_ref());
    if !packed.flags.is_empty() {
        meta.flagged.insert(entry.id.clone(), packed.flags.clone());
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
