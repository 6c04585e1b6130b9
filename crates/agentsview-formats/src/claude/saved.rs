//! Tool output that was too long for the transcript and lies in a file of its own.

use std::path::Path;

use super::turn::{Side, Turn};
use crate::Surroundings;
use crate::text::storable;

const SAVED_TO: &str = "Full output saved to: ";

/// Puts saved output in the place of the notes that stand for it, as far as it can be had.
pub(super) fn restore(turn: &mut Turn, surroundings: &dyn Surroundings) {
    let Side::User(input) = &mut turn.side else {
        return;
    };
    for (_, result) in &mut input.results {
        let output = saved_path(&result.content).and_then(|path| surroundings.saved_output(path));
        if let Some(output) = output {
            result.content = storable(output);
        }
    }
}

/// The file that a note names. Output that merely quotes such a note is none: the note comes
/// first, on a line of its own.
fn saved_path(content: &str) -> Option<&Path> {
    let note = content.trim_start();
    let note = note.strip_prefix("<persisted-output>").unwrap_or(note);
    let line = note.trim_start().lines().next()?;
    let (before, path) = line.split_once(SAVED_TO)?;
    let is_note = before.is_empty() || before.starts_with("Output too large");
    (is_note && !path.trim().is_empty()).then(|| Path::new(path.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_note_at_the_start_names_a_file() {
        let path = Some(Path::new("/s/tool-results/a b.txt"));
        for note in [
            "<persisted-output>\nOutput too large (43KB). Full output saved to: /s/tool-results/a b.txt\n\nPreview:\nx",
            "Output too large (43KB). Full output saved to: /s/tool-results/a b.txt",
            "Full output saved to: /s/tool-results/a b.txt",
        ] {
            assert_eq!(saved_path(note), path, "{note}");
        }
        for output in [
            "",
            "log\nFull output saved to: /etc/x",
            "It says: Full output saved to: /etc/x",
            "Full output saved to: ",
        ] {
            assert_eq!(saved_path(output), None, "{output}");
        }
    }
}
