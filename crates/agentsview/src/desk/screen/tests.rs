use super::*;
use crate::desk::line::Line;
use crate::desk::samples::{desk, desk_in, hostile_item, text};
use crate::desk::state::{Desk, Direction, Mode, Tone};
use crate::render::samples::assert_harmless;

fn at(desk: &Desk, columns: usize, rows: usize) -> String {
    let (screen, _) = draw(desk, Size { columns, rows });
    assert!(screen.rows().len() <= rows);
    for row in screen.rows() {
        assert!(row.width() <= columns, "{row:?}");
    }
    text(&screen)
}

fn hostile() -> Desk {
    let mut desk = desk();
    desk.lay(hostile_item());
    desk
}

// B-01, B-13
#[test]
fn an_entry_stands_above_its_evidence_on_a_narrow_screen() {
    insta::assert_snapshot!("narrow", at(&desk(), 80, 24));
    let mut desk = desk();
    let (_, extent) = draw(
        &desk,
        Size {
            columns: 80,
            rows: 24,
        },
    );
    desk.measured(extent);
    desk.scroll = extent.last();
    insta::assert_snapshot!("narrow_end", at(&desk, 80, 24));
}

// B-01, B-13
#[test]
fn an_entry_stands_beside_its_evidence_on_a_wide_screen() {
    insta::assert_snapshot!("wide", at(&desk(), 140, 40));
}

#[test]
fn hostile_text_reaches_no_terminal() {
    for columns in [20, 80, 140] {
        let text = at(&hostile(), columns, 40);
        assert_harmless(&text);
    }
    insta::assert_snapshot!("hostile", at(&hostile(), 140, 40));
}

// S-E04
#[test]
fn the_label_is_in_view_when_a_kind_is_chosen() {
    let mut desk = hostile();
    desk.mode = Mode::Kind {
        claimed: recall_core::EntryType::Procedure,
    };
    let text = at(&desk, 80, 24);
    assert!(
        text.contains("WARNING: it rests on fetched text alone"),
        "{text}"
    );
    insta::assert_snapshot!("kind", text);
}

#[test]
fn every_question_shows_what_its_keys_do() {
    let mut typed = Line::default();
    typed.take(&console::Key::Char('2'));
    let modes = [
        Mode::Help,
        Mode::Transferable { entry_type: None },
        Mode::Reason(Line::default()),
        Mode::Note(typed.clone()),
        Mode::Replacement {
            direction: Direction::OfOther,
            line: typed,
        },
        Mode::Held {
            proposal: None,
            draft: Some(String::new()),
        },
    ];
    let mut all = String::new();
    for mode in modes {
        let mut desk = desk_in(mode);
        desk.say(Tone::Refused, "It was refused.");
        all += &at(&desk, 80, 24);
        all += &"=".repeat(80);
        all.push('\n');
    }
    insta::assert_snapshot!("questions", all);
}

#[test]
fn what_is_asked_is_in_view_on_the_smallest_screen() {
    for (columns, rows) in [(1, 1), (10, 2), (20, 5), (40, 8)] {
        at(&desk(), columns, rows);
    }
    let text = at(&desk_in(Mode::Transferable { entry_type: None }), 60, 6);
    assert!(
        text.contains("transferable)?") && text.contains("y yes"),
        "{text}"
    );
}

#[test]
fn a_finished_stack_says_so() {
    let mut desk = Desk::new(Vec::new(), 0);
    desk.say(Tone::Done, "Accepted and trusted.");
    insta::assert_snapshot!("finished", at(&desk, 60, 8));
}
