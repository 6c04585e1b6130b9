use std::fmt::Write as _;

use super::*;
use crate::desk::samples::{desk, desk_in, hostile_item, id};
use recall_core::ReviewAction;

use crate::desk::state::{Extent, Made, Message};

fn accept(transferable: bool, entry_type: Option<EntryType>) -> ReviewRequest {
    ReviewRequest::Accept {
        transferable,
        entry_type,
    }
}

fn decided(action: Action) -> (ReviewRequest, String) {
    match action {
        Action::Decide(proposal) => {
            assert_eq!(proposal.id, id("a"));
            (proposal.request, proposal.note)
        }
        other => panic!("no decision: {other:?}"),
    }
}

fn typed(desk: &mut Desk, text: &str) -> Action {
    let mut action = Action::Stay;
    for c in text.chars() {
        action = desk.press(&match c {
            '\n' => Key::Enter,
            '\t' => Key::Tab,
            c => Key::Char(c),
        });
    }
    action
}

/// Every key that means anything anywhere.
fn every_key() -> Vec<Key> {
    let mut keys: Vec<Key> = "abcdefghijklmnopqrstuvwxyzAQ?0123456789 \u{c}\u{15}"
        .chars()
        .map(Key::Char)
        .collect();
    keys.extend([
        Key::Enter,
        Key::Escape,
        Key::Tab,
        Key::BackTab,
        Key::Backspace,
        Key::Del,
        Key::ArrowUp,
        Key::ArrowDown,
        Key::ArrowLeft,
        Key::ArrowRight,
        Key::PageUp,
        Key::PageDown,
        Key::Home,
        Key::End,
        Key::Unknown,
        Key::UnknownEscSeq(vec!['[']),
    ]);
    keys
}

fn every_mode() -> Vec<Mode> {
    let proposal = Proposal {
        id: id("a"),
        request: ReviewRequest::Archive,
        note: String::new(),
    };
    vec![
        Mode::Viewing,
        Mode::Help,
        Mode::Kind {
            claimed: EntryType::Procedure,
        },
        Mode::Transferable { entry_type: None },
        Mode::Reason(Line::default()),
        Mode::Note(Line::default()),
        Mode::Replacement {
            direction: Direction::ByOther,
            line: Line::default(),
        },
        Mode::Held {
            proposal: Some(proposal),
            draft: Some("text".to_owned()),
        },
    ]
}

/// What a key does in a mode, as a word: the action, else the new mode, else nothing.
fn effect(mode: &Mode, key: &Key) -> String {
    let mut desk = desk_in(mode.clone());
    desk.measured(Extent {
        height: 10,
        rows: 50,
    });
    desk.scroll = 20;
    desk.position = 1;
    desk.made.push(Made {
        number: 7,
        id: id("a"),
        action: ReviewAction::Archive,
    });
    let before = desk.clone();
    let word = |text: &str| text.split([' ', '(', '{']).next().unwrap_or("").to_owned();
    match desk.press(key) {
        Action::Stay => {}
        Action::Load => return format!("load {}", desk.current().unwrap()),
        Action::Decide(proposal) => {
            return format!(
                "{} {}",
                word(&format!("{:?}", proposal.request)),
                proposal.note
            )
            .trim_end()
            .to_owned();
        }
        action => return word(&format!("{action:?}")),
    }
    desk.message = None;
    let is_typing = matches!(
        before.mode,
        Mode::Reason(_) | Mode::Note(_) | Mode::Replacement { .. }
    );
    if is_typing && desk.mode != before.mode && matches!(key, Key::Char(_)) {
        return "type".to_owned();
    }
    if desk.mode != before.mode {
        return format!("{:?}", desk.mode);
    }
    if desk.scroll != before.scroll {
        return "scroll".to_owned();
    }
    if desk != before {
        return "toggle".to_owned();
    }
    "nothing".to_owned()
}

// B-01
#[test]
fn every_key_in_every_mode() {
    let mut table = String::new();
    for mode in every_mode() {
        let name = format!("{mode:?}");
        writeln!(table, "{}", name.split([' ', '(', '{']).next().unwrap()).unwrap();
        let mut effects: Vec<(String, Vec<String>)> = Vec::new();
        for key in every_key() {
            let effect = effect(&mode, &key);
            let name = match key {
                Key::Char(c) => format!("{c:?}").replace('\'', ""),
                other => format!("{other:?}"),
            };
            match effects.iter_mut().find(|(known, _)| *known == effect) {
                Some((_, keys)) => keys.push(name),
                None => effects.push((effect, vec![name])),
            }
        }
        for (effect, keys) in effects {
            writeln!(table, "  {effect}: {}", keys.join(" ")).unwrap();
        }
    }
    insta::assert_snapshot!("every_key", table);
}

#[test]
fn ctrl_c_leaves_from_anywhere() {
    for mode in every_mode() {
        assert_eq!(desk_in(mode).press(&Key::CtrlC), Action::Quit);
    }
}

#[test]
fn escape_decides_nothing_anywhere() {
    for mode in every_mode() {
        let mut desk = desk_in(mode);
        assert_eq!(desk.press(&Key::Escape), Action::Stay);
        assert_eq!(desk.mode, Mode::Viewing);
    }
}

#[test]
fn an_acceptance_asks_whether_the_entry_is_transferable() {
    for (key, transferable) in [("ay", true), ("an", false)] {
        let (request, note) = decided(typed(&mut desk(), key));
        assert_eq!((request, note.as_str()), (accept(transferable, None), ""));
    }
    assert_eq!(
        typed(&mut desk(), "a\n"),
        Action::Stay,
        "there is no default"
    );
}

#[test]
fn what_was_toggled_before_is_not_asked_and_holds_for_one_entry() {
    assert_eq!(decided(typed(&mut desk(), "ta")).0, accept(true, None));
    assert_eq!(decided(typed(&mut desk(), "tta")).0, accept(false, None));
    let mut desk = desk();
    typed(&mut desk, "tn");
    assert_eq!(desk.transferable, None);
}

// S-E04: evidence that is nobody's word carries a guarded kind only with the label in view
#[test]
fn an_entry_that_claims_a_kind_is_accepted_as_one_or_as_what_it_is() {
    let claimed = || {
        let mut desk = desk();
        let mut item = hostile_item();
        item.entry.id = id("a");
        desk.lay(item);
        desk
    };
    let kind = Some(EntryType::Procedure);
    assert_eq!(decided(typed(&mut claimed(), "a1y")).0, accept(true, kind));
    assert_eq!(decided(typed(&mut claimed(), "a2n")).0, accept(false, None));
    assert_eq!(decided(typed(&mut claimed(), "ta1")).0, accept(true, kind));
    assert_eq!(typed(&mut claimed(), "ay"), Action::Stay);
}

#[test]
fn a_rejection_has_a_quick_or_a_typed_reason() {
    for (number, reason) in (1..).zip(REASONS) {
        let made = decided(typed(&mut desk(), &format!("x{number}\n")));
        assert_eq!(made, (ReviewRequest::Reject, reason.to_owned()));
    }
    let made = decided(typed(&mut desk(), "x2 days later it was true\n"));
    let reason = "2 days later it was true".to_owned();
    assert_eq!(made, (ReviewRequest::Reject, reason));
    assert_eq!(typed(&mut desk(), "x2 days"), Action::Stay);
    let made = decided(typed(&mut desk(), "xsince 2 weeks \n"));
    assert_eq!(made, (ReviewRequest::Reject, "since 2 weeks".to_owned()));
    let mut desk = desk();
    assert_eq!(typed(&mut desk, "x  \n"), Action::Stay);
    assert!(desk.message.is_some(), "it says that a reason is needed");
    assert_eq!(
        typed(&mut desk, "9\n"),
        Action::Decide(Proposal {
            id: id("a"),
            request: ReviewRequest::Reject,
            note: "9".to_owned(),
        })
    );
}

#[test]
fn a_paste_is_text_where_text_is_asked_for_and_nothing_elsewhere() {
    for mode in every_mode() {
        let before = desk_in(mode);
        let mut desk = before.clone();
        desk.paste("quay-7 ");
        match &desk.mode {
            Mode::Reason(line) | Mode::Note(line) | Mode::Replacement { line, .. } => {
                assert_eq!(line.text(), "quay-7 ");
            }
            _ => assert_eq!(desk, before),
        }
    }
}

#[test]
fn an_entry_is_archived_with_or_without_a_note() {
    for (keys, note) in [("r\n", ""), ("rold\n", "old")] {
        let made = decided(typed(&mut desk(), keys));
        assert_eq!(made, (ReviewRequest::Archive, note.to_owned()));
    }
}

// B-13
#[test]
fn a_supersession_names_a_candidate_or_an_id_in_either_direction() {
    let supersede = |id: &str, by: &str| {
        Action::Decide(Proposal {
            id: crate::desk::samples::id(id),
            request: ReviewRequest::Supersede {
                by: crate::desk::samples::id(by),
            },
            note: String::new(),
        })
    };
    for (keys, action) in [
        ("s1\n", supersede("a", "pool-first")),
        ("s2\n", supersede("a", "pool-last")),
        ("s3\n", supersede("a", "3")),
        ("squay-7\n", supersede("a", "quay-7")),
        ("s\t1\n", supersede("pool-first", "a")),
        ("s\t\t1\n", supersede("a", "pool-first")),
        ("s1\t\n", supersede("pool-first", "a")),
        ("s\n", Action::Stay),
    ] {
        assert_eq!(typed(&mut desk(), keys), action, "{keys:?}");
    }
}

#[test]
fn steps_lead_through_the_queue_and_not_beyond() {
    let mut desk = desk();
    assert_eq!(typed(&mut desk, "p"), Action::Stay);
    assert_eq!(typed(&mut desk, "j"), Action::Load);
    assert_eq!(desk.press(&Key::ArrowRight), Action::Load);
    assert_eq!(desk.current(), Some(&id("c")));
    assert_eq!(typed(&mut desk, "n"), Action::Stay);
    assert_eq!(typed(&mut desk, "k"), Action::Load);
    assert_eq!(desk.press(&Key::ArrowLeft), Action::Load);
    assert_eq!(desk.current(), Some(&id("a")));
}

#[test]
fn nothing_can_be_decided_where_nothing_lies() {
    for key in "aexsrt".chars() {
        let mut desk = Desk::new(vec![id("a")], 1);
        assert_eq!(desk.press(&Key::Char(key)), Action::Stay, "{key}");
        assert_eq!(desk.mode, Mode::Viewing, "{key}");
    }
}

#[test]
fn scrolling_stops_at_both_ends_and_keeps_a_row() {
    let mut desk = desk();
    desk.measured(Extent {
        height: 10,
        rows: 25,
    });
    for (key, scroll) in [
        (Key::Char(' '), 9),
        (Key::PageDown, 15),
        (Key::ArrowUp, 14),
        (Key::Char('b'), 5),
        (Key::End, 15),
        (Key::ArrowDown, 15),
        (Key::Home, 0),
        (Key::PageUp, 0),
    ] {
        desk.press(&key);
        assert_eq!(desk.scroll, scroll, "{key:?}");
    }
}

#[test]
fn a_message_lasts_until_the_next_key() {
    let mut desk = desk();
    desk.message = Some(Message {
        tone: Tone::Done,
        text: "Done.".to_owned(),
    });
    desk.press(&Key::ArrowDown);
    assert_eq!(desk.message, None);
}
