//! Filters, limits and counts.

use recall_core::{
    EntryFilter, EntryId, EntryType, EpisodeId, Facet, FilterKey, Lifecycle, Ordinal, OrdinalRange,
    Role, RunId, Scope, SessionId, Status,
};
use recall_store::MessageQuery;

use crate::made::{Archive, archive, draft, entry, new_entry};

async fn ids(archive: &Archive, filter: &EntryFilter) -> Vec<String> {
    let entries = archive.store.entries(filter, None).await.unwrap();
    entries
        .into_iter()
        .map(|entry| entry.id.to_string())
        .collect()
}

#[tokio::test]
async fn a_directory_filter_reaches_below_it_and_no_further() {
    let archive = archive().await.with_session("s1").await;
    for (id, cwd) in [
        ("exact", "/srv/code/app"),
        ("below", "/srv/code/app/src"),
        ("sibling", "/srv/code/app-two"),
        ("above", "/srv/code"),
        ("wild", "/srv/code/app%"),
    ] {
        let mut draft = draft(id, "s1");
        draft.cwd = cwd.to_owned();
        archive.insert(&new_entry(draft)).await.unwrap();
    }
    let mut filter = EntryFilter::default();
    filter.set(FilterKey::Cwd, "/srv/code/app/").unwrap();
    assert_eq!(ids(&archive, &filter).await, ["below", "exact"]);
    filter.set(FilterKey::Cwd, "/").unwrap();
    assert_eq!(ids(&archive, &filter).await.len(), 5);
}

#[tokio::test]
async fn model_078_and_079_filters_join_and_the_default_is_every_accepted_entry() {
    let archive = archive().await.with_session("s1").await;
    let mut other = draft("b", "s1");
    other.project = "website".to_owned();
    archive.insert(&entry("a", "s1")).await.unwrap();
    archive.insert(&new_entry(other)).await.unwrap();
    archive
        .raw("UPDATE recall_entries SET status = 'archived' WHERE id = 'b'")
        .await
        .unwrap();
    assert_eq!(ids(&archive, &EntryFilter::default()).await, ["a"]);
    let mut filter = EntryFilter::default();
    filter.set(FilterKey::Status, "archived").unwrap();
    assert_eq!(ids(&archive, &filter).await, ["b"]);
    filter.set(FilterKey::Project, "lantern").unwrap();
    assert!(ids(&archive, &filter).await.is_empty());
}

// S-C02
#[tokio::test]
async fn every_row_of_the_filter_table_reaches_the_database() {
    let archive = archive()
        .await
        .with_session("s1")
        .await
        .with_session("s2")
        .await;
    archive.insert(&entry("plain", "s1")).await.unwrap();
    let mut other = draft("other", "s2");
    other.entry_type = EntryType::Warning;
    other.scope = Scope::File;
    other.project = "website".to_owned();
    other.cwd = "/srv/code/website".to_owned();
    other.git_branch = "fix".to_owned();
    other.agent = "codex".to_owned();
    other.extractor_method = "by hand".to_owned();
    other.source_episode_id = EpisodeId::optional("ep").unwrap();
    other.source_run_id = RunId::optional("run").unwrap();
    other.supersedes = EntryId::optional("plain").unwrap();
    archive.insert(&new_entry(other)).await.unwrap();
    archive
        .raw("UPDATE recall_entries SET review_state = 'human_reviewed' WHERE id = 'other'")
        .await
        .unwrap();
    for (key, value) in [
        (FilterKey::Project, "website"),
        (FilterKey::Cwd, "/srv/code/website"),
        (FilterKey::GitBranch, "fix"),
        (FilterKey::Agent, "codex"),
        (FilterKey::Type, "warning"),
        (FilterKey::Scope, "file"),
        (FilterKey::Status, "accepted"),
        (FilterKey::ReviewState, "human_reviewed"),
        (FilterKey::ExtractorMethod, "by hand"),
        (FilterKey::SourceSessionId, "s2"),
        (FilterKey::SourceEpisodeId, "ep"),
        (FilterKey::SourceRunId, "run"),
        (FilterKey::SupersedesEntryId, "plain"),
    ] {
        let mut filter = EntryFilter::default();
        filter.set(key, value).unwrap();
        assert_eq!(ids(&archive, &filter).await, ["other"], "{key:?}");
        // The archived predecessor differs in everything, so another value finds nothing.
        if key != FilterKey::Status {
            filter.status = Some(Status::Archived);
            assert!(ids(&archive, &filter).await.is_empty(), "{key:?}");
        }
    }
    let mut filter = EntryFilter::default();
    filter.set(FilterKey::SupersededByEntryId, "other").unwrap();
    filter.set(FilterKey::Status, "archived").unwrap();
    assert_eq!(ids(&archive, &filter).await, ["plain"]);
}

#[tokio::test]
async fn counting_in_the_database_equals_counting_the_entries() {
    let archive = archive().await.with_session("s1").await;
    for id in ["a", "b", "c"] {
        archive.insert(&entry(id, "s1")).await.unwrap();
    }
    archive
        .raw("UPDATE recall_entries SET provenance_ok = 0, agent = '' WHERE id = 'b'")
        .await
        .unwrap();
    let filter = EntryFilter::default();
    let (counted, truncated) = archive.store.stats(&filter, None).await.unwrap();
    let mut expected = recall_core::Summary::default();
    for entry in archive.store.entries(&filter, None).await.unwrap() {
        expected.add(&entry, &[]);
    }
    assert_eq!((counted, truncated), (expected, false));
    let (limited, truncated) = archive.store.stats(&filter, Some(2)).await.unwrap();
    assert_eq!((limited.count, truncated), (2, true));
    assert_eq!(limited.tally(Facet::Type)["fact"], 2);
    let (exact, truncated) = archive.store.stats(&filter, Some(3)).await.unwrap();
    assert_eq!((exact.count, truncated), (3, false));
}

#[tokio::test]
async fn model_016_every_combination_of_links_and_status_has_its_place_in_the_chain() {
    let archive = archive().await.with_session("s1").await;
    for (id, replaced) in [
        ("a", None),
        ("b", Some("a")),
        ("c", Some("b")),
        ("d", None),
        ("e", None),
        ("f", None),
        ("g", Some("f")),
    ] {
        let mut draft = draft(id, "s1");
        draft.supersedes = replaced.map(|id| EntryId::new(id).unwrap());
        archive.insert(&new_entry(draft)).await.unwrap();
    }
    archive
        .raw("UPDATE recall_entries SET status = 'archived' WHERE id IN ('e', 'g')")
        .await
        .unwrap();
    let places = [
        ("a", Lifecycle::Superseded),
        ("b", Lifecycle::ReplacementSuperseded),
        ("c", Lifecycle::Replacement),
        ("d", Lifecycle::Active),
        ("e", Lifecycle::Superseded),
        ("g", Lifecycle::Replacement),
    ];
    for (id, place) in places {
        assert_eq!(archive.entry(id).await.lifecycle(), place, "{id}");
    }
    // Counted in the database, by the same rules.
    for (status, expected) in [
        ("accepted", vec![("active", 1), ("replacement", 1)]),
        (
            "archived",
            vec![
                ("replacement", 1),
                ("replacement_superseded", 1),
                ("superseded", 3),
            ],
        ),
    ] {
        let mut filter = EntryFilter::default();
        filter.set(FilterKey::Status, status).unwrap();
        let (counted, _) = archive.store.stats(&filter, None).await.unwrap();
        let tally = counted.tally(Facet::Lifecycle);
        let tally: Vec<(&str, u64)> = tally.iter().map(|(name, n)| (name.as_str(), *n)).collect();
        assert_eq!(tally, expected);
    }
}

#[tokio::test]
async fn model_080_a_link_leads_to_exactly_the_entry_at_its_other_end() {
    let archive = archive().await.with_session("s1").await;
    for (id, replaced) in [("a", None), ("b", Some("a")), ("c", Some("b")), ("d", None)] {
        let mut draft = draft(id, "s1");
        draft.supersedes = replaced.map(|id| EntryId::new(id).unwrap());
        archive.insert(&new_entry(draft)).await.unwrap();
    }
    let linked = async |status: &str, key: FilterKey, id: &str| {
        let mut filter = EntryFilter::default();
        filter.set(FilterKey::Status, status).unwrap();
        filter.set(key, id).unwrap();
        ids(&archive, &filter).await
    };
    let (supersedes, superseded_by) =
        (FilterKey::SupersedesEntryId, FilterKey::SupersededByEntryId);
    assert_eq!(linked("accepted", supersedes, "b").await, ["c"]);
    assert_eq!(linked("archived", supersedes, "a").await, ["b"]);
    assert_eq!(linked("archived", superseded_by, "b").await, ["a"]);
    assert_eq!(linked("archived", superseded_by, "c").await, ["b"]);
    assert!(linked("accepted", superseded_by, "b").await.is_empty());
    assert!(linked("accepted", supersedes, "d").await.is_empty());
}

#[tokio::test]
async fn messages_are_read_by_range_and_role() {
    let archive = archive().await.with_session("s1").await;
    let session = SessionId::new("s1").unwrap();
    let query = MessageQuery {
        range: OrdinalRange::new(Ordinal::new(1), Ordinal::new(3)).ok(),
        roles: vec![Role::Assistant],
        limit: Some(5),
    };
    let messages = archive.store.messages(&session, &query).await.unwrap();
    let ordinals: Vec<u32> = messages
        .iter()
        .map(|message| message.ordinal.get())
        .collect();
    assert_eq!(ordinals, [1, 3]);
}
