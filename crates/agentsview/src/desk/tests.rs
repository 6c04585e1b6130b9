use std::path::{Path, PathBuf};

use clap::Parser;
use recall_config::Environment;
use recall_core::{
    EntryId, EntryType, Ordinal, OrdinalRange, Scope, SessionId, SystemClock, Timestamp,
};
use recall_engine::Engine;
use recall_store::Durability;
use recall_trust::evidence::{bind, window};
use recall_trust::review::{AutomatedReview, Reviewer};
use recall_trust::{Draft, NewEntry, Provenance, Selection};

use super::*;
use crate::cli::Cli;
use crate::desk::samples::{PlannedEdit, Script, id};

const SESSION: &str = "1a57e001-0000-4000-8000-000000000001";

/// The example sessions, and entries that wait.
struct World {
    directory: tempfile::TempDir,
    place: Place,
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(future)
}

fn place(directory: &Path) -> Place {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/demo");
    let environment = Environment::new(directory, directory)
        .with("USER", "kim")
        .with("AGENTSVIEW_DATA_DIR", directory.join("data"))
        .with("CLAUDE_PROJECTS_DIR", fixtures.join("claude"))
        .with("CODEX_SESSIONS_DIR", fixtures.join("codex"));
    Place::new(environment, directory.to_owned())
}

fn draft(id: &str, body: &str) -> Draft {
    Draft {
        id: EntryId::new(id).unwrap(),
        entry_type: EntryType::Fact,
        scope: Scope::Repository,
        title: format!("Title of {id}"),
        body: body.to_owned(),
        trigger: String::new(),
        confidence: None,
        uncertainty: String::new(),
        project: "lantern".to_owned(),
        cwd: String::new(),
        git_branch: String::new(),
        agent: "claude".to_owned(),
        source_session_id: SessionId::new(SESSION).unwrap(),
        source_episode_id: None,
        source_run_id: None,
        extractor_method: "session_review".to_owned(),
        model: String::new(),
        supersedes: None,
    }
}

async fn insert(engine: &Engine, draft: Draft, now: Timestamp) {
    let mut transaction = engine.store().begin(Durability::Process).await.unwrap();
    let session = draft.source_session_id.clone();
    let range = OrdinalRange::new(Ordinal::new(0), Ordinal::new(1)).unwrap();
    let messages = transaction.cited_messages(&session, range).await.unwrap();
    let activity = transaction.session_activity(&session, now).await.unwrap();
    let window = window(session, range, messages, activity).unwrap();
    let selection = Selection {
        range,
        tool_use_ids: Vec::new(),
    };
    let provenance = Provenance::Verified(bind(&window, &selection).unwrap());
    let entry =
        NewEntry::automated(draft, AutomatedReview::Unreviewed, &provenance, &[], now).unwrap();
    transaction.insert(&entry, now).await.unwrap();
    transaction.commit().await.unwrap();
}

impl World {
    /// Three entries wait: a, b and c; a and b say the same.
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let place = place(directory.path());
        let sync = Cli::try_parse_from(["agentsview", "sync"]).unwrap();
        crate::run::run(&sync, &place).unwrap();
        block_on(async {
            use recall_core::Clock;

            let engine = place.writing().await.unwrap();
            let now = SystemClock.now();
            let same = "Wrap each write in a retry of three attempts when the file is locked.";
            insert(&engine, draft("a", same), now).await;
            insert(&engine, draft("b", same), now).await;
            insert(&engine, draft("c", "The store is one file."), now).await;
            engine.close().await;
        });
        Self { directory, place }
    }

    fn run(&self, script: &mut Script) -> Output {
        block_on(run(&QueueRequest::default(), &self.place, script)).unwrap()
    }

    fn entry(&self, name: &str) -> recall_core::Entry {
        block_on(async {
            let engine = self.place.reading().await.unwrap();
            engine.entry(&id(name)).await.unwrap()
        })
    }
}

/// Decides as somebody else, while the desk waits for a key.
fn elsewhere(place: &Place, name: &'static str, request: ReviewRequest) {
    let place = place.clone();
    std::thread::spawn(move || {
        block_on(async {
            let engine = place.writing().await.unwrap();
            let other = Reviewer::new("robin").unwrap();
            engine
                .review(&id(name), &request, "", &other)
                .await
                .unwrap();
            engine.close().await;
        });
    })
    .join()
    .unwrap();
}

// B-01
#[test]
fn decisions_are_written_down_at_once_and_summed_up() {
    let world = World::new();
    let mut script = Script::new("ayx2\nan");
    let output = world.run(&mut script);
    assert_eq!(
        output.text,
        "2 accepted, 1 rejected; nothing waits any more\n"
    );
    assert!(script.shown[2].contains("Accepted and trusted."));
    assert!(
        script.shown[2].contains("2 of 3  1 decided"),
        "{}",
        script.shown[2]
    );
    let last = script.shown.last().unwrap();
    assert!(
        last.contains("Accepted, not trusted: Nobody has said"),
        "{last}"
    );
    assert!(last.contains("Nothing waits any more."), "{last}");
    assert!(recall_trust::is_trusted(&world.entry("a")));
    assert!(world.entry("b").is_rejected && !world.entry("c").transferable);
}

// B-01: a decision is made on what was read
#[test]
fn what_was_typed_ahead_of_a_screen_decides_nothing_about_what_it_shows() {
    for (bursts, summary, titles) in [
        (
            &["x2\nayay"][..],
            "1 rejected; 2 entries still wait\n",
            "Title of b",
        ),
        (
            &["nr\n"],
            "nothing decided; 3 entries still wait\n",
            "Title of b",
        ),
        (
            &["ayuuuu", "u", "x"],
            "nothing decided; 3 entries still wait\n",
            "Title of a",
        ),
    ] {
        let world = World::new();
        let mut script = Script::in_bursts(bursts);
        assert_eq!(world.run(&mut script).text, summary, "{bursts:?}");
        let last = script.shown.last().unwrap();
        assert!(last.contains(titles), "{bursts:?}: {last}");
    }
}

#[test]
fn a_decision_is_taken_back_and_its_entry_lies_there_again() {
    let world = World::new();
    let before = world.entry("a");
    let mut script = Script::new("x1\nayuuu");
    let output = world.run(&mut script);
    assert_eq!(output.text, "nothing decided; 3 entries still wait\n");
    let [.., first, second, third] = &script.shown[..] else {
        panic!("too few screens");
    };
    assert!(first.contains("Taken back: accepted.") && first.contains("Title of b"));
    assert!(second.contains("Taken back: rejected.") && second.contains("Title of a"));
    assert!(third.contains("Nothing was decided here yet."), "{third}");
    let after = world.entry("a");
    assert_eq!((after.status, after.is_rejected), (before.status, false));
}

#[test]
fn only_what_was_decided_here_last_is_taken_back_here() {
    let world = World::new();
    let mut script = Script::new("x1\nu");
    let place = world.place.clone();
    script.meanwhile = Box::new(move |shown| {
        if shown == 4 {
            elsewhere(&place, "c", ReviewRequest::Archive);
        }
    });
    let output = world.run(&mut script);
    assert_eq!(output.text, "1 rejected; 2 entries still wait\n");
    let last = script.shown.last().unwrap();
    assert!(last.contains("Somebody decided after that"), "{last}");
    assert!(world.entry("a").is_rejected);
}

#[test]
fn what_changed_since_it_was_read_is_shown_again_instead_of_decided() {
    let world = World::new();
    let mut script = Script::new("ay");
    let place = world.place.clone();
    script.meanwhile = Box::new(move |shown| {
        if shown == 2 {
            let edit = recall_trust::review::Edit {
                body: Some("Always run it as root.".to_owned()),
                ..recall_trust::review::Edit::default()
            };
            elsewhere(&place, "a", ReviewRequest::Edit(edit));
        }
    });
    let output = world.run(&mut script);
    assert_eq!(output.text, "nothing decided; 3 entries still wait\n");
    let last = script.shown.last().unwrap();
    assert!(
        last.contains("since you read this entry, somebody decided on it"),
        "{last}"
    );
    assert!(last.contains("Always run it as root."), "{last}");
    assert_eq!(world.entry("a").review_state.as_str(), "unreviewed_auto");
}

#[test]
fn a_decision_waits_while_somebody_else_writes() {
    let world = World::new();
    let (release, held) = std::sync::mpsc::channel::<()>();
    let (ready, is_ready) = std::sync::mpsc::channel();
    let place = world.place.clone();
    let holder = std::thread::spawn(move || {
        block_on(async {
            let engine = place.writing().await.unwrap();
            ready.send(()).unwrap();
            held.recv().unwrap();
            engine.close().await;
        });
    });
    is_ready.recv().unwrap();
    let mut holder = Some(holder);
    let mut script = Script::new("xtoo old\n\n\n");
    script.meanwhile = Box::new(move |shown| {
        if shown == 11 {
            release.send(()).unwrap();
            holder.take().unwrap().join().unwrap();
        }
    });
    let output = world.run(&mut script);
    assert!(
        script.shown[10].contains("It is kept. Enter tries it again."),
        "{}",
        script.shown[10]
    );
    assert!(script.shown[9].contains("It is kept. Enter tries it again."));
    assert_eq!(output.text, "1 rejected; 2 entries still wait\n");
    assert!(world.entry("a").is_rejected);
}

// B-01: edits keep the original
#[test]
fn an_edit_is_stored_and_the_entry_still_waits() {
    let world = World::new();
    let mut script = Script::new("eay");
    script.edits =
        [Box::new(|text: &str| text.replace("three attempts", "two attempts")) as _].into();
    let output = world.run(&mut script);
    assert_eq!(output.text, "1 accepted, 1 edited; 2 entries still wait\n");
    assert!(script.shown[1].contains("Edited; the original is kept."));
    assert!(world.entry("a").body.contains("two attempts"));
}

#[test]
fn a_text_that_cannot_be_read_or_stored_is_kept_and_opened_again() {
    let world = World::new();
    let mut script = Script::new("eee");
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    script.edits = [
        Box::new(|text: &str| text.replace("title:", "heading:").replace("three", "two")) as _,
        Box::new(move |text: &str| {
            assert!(text.contains("two attempts"), "{text}");
            text.replace("heading:", "title:")
                .replace("locked", &secret)
        }) as PlannedEdit,
        Box::new(|text: &str| {
            assert!(
                text.contains("ghp_") && text.contains("two attempts"),
                "{text}"
            );
            text.replace("ghp_", "x")
        }) as _,
    ]
    .into();
    let output = world.run(&mut script);
    assert!(
        script.shown[1].contains("there is no field \"heading\""),
        "{}",
        script.shown[1]
    );
    assert!(
        script.shown[2].contains("looks like a secret"),
        "{}",
        script.shown[2]
    );
    assert_eq!(output.text, "1 edited; 3 entries still wait\n");
}

#[test]
fn an_unchanged_text_is_no_edit() {
    let world = World::new();
    let mut script = Script::new("e");
    script.edits = [Box::new(str::to_owned) as _].into();
    let output = world.run(&mut script);
    assert_eq!(output.text, "nothing decided; 3 entries still wait\n");
    assert!(script.shown[1].contains("Nothing was changed."));
}

// B-13
#[test]
fn a_near_duplicate_takes_the_place_of_the_entry() {
    let world = World::new();
    let mut script = Script::new("s1\n");
    let output = world.run(&mut script);
    assert_eq!(output.text, "1 superseded; 2 entries still wait\n");
    assert_eq!(world.entry("a").superseded_by, Some(id("b")));
}

#[test]
fn the_entry_takes_the_place_of_a_near_duplicate_and_still_waits() {
    let world = World::new();
    let mut script = Script::new("s\t1\n");
    let output = world.run(&mut script);
    assert_eq!(output.text, "1 superseded; 2 entries still wait\n");
    assert_eq!(world.entry("b").superseded_by, Some(id("a")));
    let last = script.shown.last().unwrap();
    assert!(
        last.contains("1 of 3  1 decided") && last.contains("Title of a"),
        "{last}"
    );
}

#[test]
fn what_the_rules_refuse_is_said_and_can_be_mended() {
    let world = World::new();
    let mut script = Script::new("snone\n");
    let output = world.run(&mut script);
    assert_eq!(output.text, "nothing decided; 3 entries still wait\n");
    let last = script.shown.last().unwrap();
    assert!(
        last.contains("none not found") && last.contains("number or id: none_"),
        "{last}"
    );
}

#[test]
fn only_what_is_asked_for_lies_on_the_desk() {
    let world = World::new();
    let mut script = Script::new("");
    let request = QueueRequest {
        limit: Some(2),
        ..QueueRequest::default()
    };
    block_on(run(&request, &world.place, &mut script)).unwrap();
    assert!(
        script.shown[0].contains("1 of 2 (and 1 more)"),
        "{}",
        script.shown[0]
    );
}

#[test]
fn an_empty_queue_needs_no_screen_and_an_unsigned_review_is_none() {
    let world = World::new();
    world.run(&mut Script::new("r\nr\nr\n"));
    let mut script = Script::new("");
    assert_eq!(world.run(&mut script).text, "nothing waits for review\n");
    assert!(script.shown.is_empty());

    let nobody = Environment::new(world.directory.path(), world.directory.path());
    let nobody = Place::new(nobody, PathBuf::new());
    let failure = block_on(run(&QueueRequest::default(), &nobody, &mut script)).unwrap_err();
    assert_eq!(failure.exit, ExitCode::Usage);
}
