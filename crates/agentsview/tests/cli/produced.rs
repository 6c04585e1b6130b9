//! Entries that no person saw, as a program puts them into an archive.

use recall_core::{
    Clock, EntryId, EntryType, Ordinal, OrdinalRange, Scope, SessionId, SystemClock, ToolUseId,
};
use recall_store::{Durability, Store, StorePaths};
use recall_trust::evidence::{self, Selection, SessionActivity};
use recall_trust::insertion::{Draft, NewEntry, Provenance};
use recall_trust::review::AutomatedReview;

use crate::world::World;

/// The first session of the demo.
pub(crate) const SESSION: &str = "1a57e001-0000-4000-8000-000000000001";

/// What an invented program concluded from [`SESSION`].
pub(crate) struct Produced<'a> {
    pub(crate) id: &'a str,
    pub(crate) kind: EntryType,
    pub(crate) title: &'a str,
    pub(crate) body: &'a str,
    /// The cited messages, the first and the last.
    pub(crate) range: (u32, u32),
    /// The cited tool use; empty if none.
    pub(crate) tool_use: &'a str,
    /// What it quotes; empty if nothing.
    pub(crate) quote: &'a str,
}

/// Stores the entry, its evidence bound as the host binds it.
pub(crate) fn produce(world: &World, produced: &Produced<'_>) {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(store(world, produced));
}

async fn store(world: &World, produced: &Produced<'_>) {
    let directory = world.path("data");
    let store = Store::open(&StorePaths {
        database: directory.join("archive.db"),
        lock: directory.join("archive.lock"),
    })
    .await
    .unwrap();
    let session = SessionId::new(SESSION).unwrap();
    let (start, end) = produced.range;
    let selection = Selection {
        range: OrdinalRange::new(Ordinal::new(start), Ordinal::new(end)).unwrap(),
        tool_use_ids: ToolUseId::optional(produced.tool_use)
            .unwrap()
            .into_iter()
            .collect(),
    };
    let mut transaction = store.begin(Durability::PowerCut).await.unwrap();
    let messages = transaction
        .cited_messages(&session, selection.range)
        .await
        .unwrap();
    let activity = SessionActivity::default();
    let window = evidence::window(session.clone(), selection.range, messages, activity).unwrap();
    let bound = evidence::bind(&window, &selection).unwrap();
    let quotes: Vec<String> = match produced.quote {
        "" => Vec::new(),
        quote => vec![quote.to_owned()],
    };
    let now = SystemClock.now();
    let entry = NewEntry::automated(
        draft(produced, session),
        AutomatedReview::Unreviewed,
        &Provenance::Verified(bound),
        &quotes,
        now,
    )
    .unwrap();
    transaction.insert(&entry, now).await.unwrap();
    transaction.commit().await.unwrap();
    store.close().await;
}

fn draft(produced: &Produced<'_>, source_session_id: SessionId) -> Draft {
    Draft {
        entry_type: produced.kind,
        scope: Scope::Repository,
        project: "lantern".to_owned(),
        cwd: "/srv/code/lantern".to_owned(),
        git_branch: "main".to_owned(),
        agent: "claude".to_owned(),
        extractor_method: "invented".to_owned(),
        ..Draft::new(
            EntryId::new(produced.id).unwrap(),
            source_session_id,
            produced.title,
            produced.body,
        )
    }
}
