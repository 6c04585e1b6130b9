use proptest::prelude::*;
use recall_core::{EntryType, Scope};

use super::*;
use crate::render::samples::{HOSTILE, assert_harmless, hostile_entry, pool_entry};

fn changed(from: &str, to: &str) -> Result<Option<Edit>, DraftError> {
    let entry = pool_entry();
    let draft = text(&entry);
    assert!(draft.contains(from), "{from}");
    read(&draft.replacen(from, to, 1), &entry)
}

#[test]
fn a_draft_holds_every_field() {
    insta::assert_snapshot!("draft", text(&pool_entry()));
}

#[test]
fn an_unchanged_draft_changes_nothing() {
    let mut lines = pool_entry();
    lines.trigger = "first\n\n  second\nthird".to_owned();
    lines.body = format!("# no comment\n{BODY}\n{END}\ntitle: no field\n");
    for entry in [pool_entry(), hostile_entry(), lines] {
        assert_eq!(read(&text(&entry), &entry), Ok(None));
        let with_returns = text(&entry).replace('\n', "\r\n") + "\r\n\r\n";
        assert_eq!(read(&with_returns, &entry), Ok(None));
    }
}

#[test]
fn a_change_is_only_what_differs() {
    let edit = changed("Close the pool before", "Shut the pool before")
        .unwrap()
        .unwrap();
    assert_eq!(
        edit.title.as_deref(),
        Some("Shut the pool before the runtime stops")
    );
    assert_eq!(
        Edit {
            title: None,
            ..edit
        },
        Edit::default()
    );

    let edit = changed("scope: repository", "scope: project")
        .unwrap()
        .unwrap();
    assert_eq!(edit.scope, Some(Scope::Project));
    let edit = changed("type: debugging_method", "type:warning")
        .unwrap()
        .unwrap();
    assert_eq!(edit.entry_type, Some(EntryType::Warning));
    let edit = changed("uncertainty: seen with one driver only\n", "uncertainty:\n");
    assert_eq!(edit.unwrap().unwrap().uncertainty.as_deref(), Some(""));
    let edit = changed("then drop the runtime.", "then stop.\n\n# Really\n")
        .unwrap()
        .unwrap();
    assert!(edit.body.unwrap().ends_with("then stop.\n\n# Really"));
    let edit = changed("trigger: a test hangs at its end", "trigger: one\n\n  two").unwrap();
    assert_eq!(edit.unwrap().trigger.as_deref(), Some("one\n\ntwo"));
}

#[test]
fn a_field_that_is_left_out_stays_as_it_is() {
    assert_eq!(changed("scope: repository\n", ""), Ok(None));
}

#[test]
fn what_cannot_be_read_is_said_with_its_line() {
    let wrong = [
        ("scope:", "reach:"),
        ("scope: repository", "scope: ocean"),
        ("trigger:", "title:"),
        ("type: debugging_method", "no field at all"),
        ("title: Close", "  Close"),
        ("body:\n", ""),
        ("--- end of the body ---", ""),
    ];
    let messages: Vec<String> = wrong
        .iter()
        .map(|(from, to)| changed(from, to).unwrap_err().to_string())
        .collect();
    insta::assert_snapshot!("draft_errors", messages.join("\n"));
}

#[test]
fn an_editor_finds_no_settings_in_hostile_text() {
    let mut entry = pool_entry();
    entry.title = "vim: set shell=x :".to_owned();
    entry.body = "vim: set shell=x :".to_owned();
    let text = text(&entry);
    let lines: Vec<&str> = text.lines().collect();
    for line in lines[..5].iter().chain(&lines[lines.len() - 5..]) {
        assert!(!line.contains("vim:"), "{line}");
    }
    assert_harmless(&super::text(&hostile_entry()));
}

proptest! {
    #[test]
    fn any_text_goes_through_the_editor_unchanged(
        body in "(\\PC|\n|\r|\t|: |#|\u{1b}\\[2J){0,60}",
        trigger in "(\\PC|\n|  |: |#){0,40}",
        title in "\\PC{0,40}",
    ) {
        let mut entry = pool_entry();
        entry.body = body + HOSTILE;
        entry.trigger = trigger;
        entry.title = title;
        prop_assert_eq!(read(&text(&entry), &entry), Ok(None));
    }
}
