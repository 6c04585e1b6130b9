//! The rules of ranking, each on a handful of entries.

use proptest::prelude::*;
use recall_core::{Entry, EntryFilter, EpisodeId, MatchReason, RankedEntry};

use crate::fixtures::{entry, now, with_confidence, with_snippet};
use crate::{Document, Index, Layer, Query, SegmentBuilder};

/// Entries that share no word with the tests' questions, so that rarity means something.
fn filler() -> impl Iterator<Item = Entry> {
    (0..8).map(|number| {
        entry(
            &format!("z{number}"),
            "squash merges",
            "rebase before review",
        )
    })
}

fn ask(entries: Vec<Entry>, query: &str) -> Vec<RankedEntry> {
    let entries: Vec<Entry> = entries.into_iter().chain(filler()).collect();
    best(&entries, query, 50)
}

fn best(entries: &[Entry], query: &str, limit: usize) -> Vec<RankedEntry> {
    ranked(entries, query, &EntryFilter::default(), limit)
}

fn ranked(entries: &[Entry], query: &str, filter: &EntryFilter, limit: usize) -> Vec<RankedEntry> {
    let index = Index::build(entries.iter().map(Document::from_entry)).unwrap();
    let hits = index.rank(&Query::parse(query), filter, now(), limit);
    hits.into_iter()
        .map(|hit| {
            let entry = entries.iter().find(|entry| entry.id == hit.id).unwrap();
            hit.with(entry.clone())
        })
        .collect()
}

fn ids(ranked: &[RankedEntry]) -> Vec<&str> {
    ranked
        .iter()
        .map(|ranked| ranked.entry.id.as_str())
        .collect()
}

#[track_caller]
fn one(entry: Entry, query: &str) -> RankedEntry {
    let mut ranked = ask(vec![entry], query);
    assert_eq!(ranked.len(), 1, "{query}");
    ranked.remove(0)
}

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!(
        (value - expected).abs() < 1e-9,
        "{value} instead of {expected}"
    );
}

// ranking behaviour 2
#[test]
fn a_word_in_title_and_snippet_counts_in_both_overlaps_and_is_paid_once() {
    let ranked = one(with_snippet(entry("a", "pool", ""), "pool"), "pool");
    assert_eq!(ranked.breakdown.keyword_overlap, 1);
    assert_eq!(ranked.breakdown.evidence_keyword_overlap, 1);
    near(ranked.breakdown.evidence_idf_score, 0.0);
    assert_eq!(
        ranked.reasons,
        [MatchReason::Keyword, MatchReason::Evidence]
    );
}

// ranking behaviour 3
#[test]
fn a_word_in_a_snippet_alone_is_worth_less() {
    let own = one(entry("a", "", "pool"), "pool");
    let evidence = one(with_snippet(entry("a", "", ""), "pool"), "pool");
    near(evidence.breakdown.keyword_idf_score, 0.0);
    assert!(evidence.breakdown.evidence_idf_score > 0.0);
    assert!(evidence.score < own.score);
}

// W6
#[test]
fn a_title_counts_more_than_a_passing_mention() {
    let long = format!("pool {}", "something else entirely ".repeat(20));
    let ranked = ask(
        vec![entry("a", "notes", &long), entry("b", "pool", "text")],
        "pool",
    );
    assert_eq!(ids(&ranked), ["b", "a"]);
}

// ranking behaviours 4 and 5
#[test]
fn a_whole_name_out_of_code_is_boosted() {
    near(
        one(entry("a", "busy_timeout", ""), "busyTimeout")
            .breakdown
            .identifier_boost,
        2.0,
    );
    near(
        one(entry("a", "sha256", ""), "sha256")
            .breakdown
            .identifier_boost,
        2.0,
    );
    near(
        one(entry("a", "1234 handler", ""), "1234 handler")
            .breakdown
            .identifier_boost,
        0.0,
    );
    near(
        one(entry("a", "busy timeout", ""), "busy_timeout")
            .breakdown
            .identifier_boost,
        0.0,
    );
}

// ranking behaviour 6, reversed by W4; B-02
#[test]
fn words_and_the_name_made_of_them_meet_both_ways() {
    for (text, query) in [
        ("busy_timeout", "busy timeout"),
        ("busy timeout", "busyTimeout"),
    ] {
        assert_eq!(
            ids(&ask(vec![entry("a", text, "")], query)),
            ["a"],
            "{text}: {query}"
        );
    }
    assert!(ask(vec![entry("a", "timeout", "")], "busy_timeout").is_empty());
}

// ranking behaviours 7 to 9
#[test]
fn paths_are_entities_whole_and_by_file_name() {
    let boost = |query: &str| {
        let ranked = one(entry("a", "", "see internal/store/pool.go pool"), query);
        ranked.breakdown.entity_boost
    };
    near(boost("pool.go"), 1.5);
    near(boost("pool go"), 0.0);
    near(boost("internal/store/pool.go"), 3.0);
    near(boost("xpool.go pool"), 0.0);
}

// W21
#[test]
fn a_pasted_error_line_meets_its_entry() {
    let stored = entry(
        "a",
        "",
        "It said error[E0597]: `x` does not live long enough",
    );
    let ranked = one(stored, "what is E0597 about");
    near(ranked.breakdown.entity_boost, 1.5);
}

// ranking behaviour 12
#[test]
fn surroundings_are_entities_and_answer_alone_only_if_asked_alone() {
    let stored = || -> Vec<Entry> {
        (0..5)
            .map(|number| {
                let mut entry = entry(&format!("a{number}"), "unrelated", &format!("w{number}"));
                entry.project = "atlas-api".to_owned();
                entry
            })
            .collect()
    };
    let ranked = ask(stored(), "atlas-api");
    assert_eq!(ranked.len(), 5);
    near(ranked[0].breakdown.entity_boost, 1.5);
    assert_eq!(ranked[0].reasons, [MatchReason::Entity]);
    let question = "atlas-api nightly compaction dies while locking database";
    assert!(ask(stored(), question).is_empty());
}

// W1
#[test]
fn one_common_word_of_a_long_question_is_not_an_answer() {
    let entries = |id: &str| -> Vec<Entry> {
        (0..6)
            .map(|n| entry(&format!("{id}{n}"), "node", "hydration of pages"))
            .collect()
    };
    let mut all = entries("n");
    all.push(entry("k", "kubernetes upgrade", "drain each node first"));
    let ranked = ask(all, "prepare the kubernetes upgrade and node drain");
    assert_eq!(ids(&ranked), ["k"]);
}

// W11
#[test]
fn a_time_lifts_answers_and_makes_none() {
    let mut old = entry("a", "pool", "winter");
    old.updated_at = "2026-01-01T00:00:00Z".parse().unwrap();
    let mut recent = entry("b", "pool", "spring");
    recent.updated_at = "2026-03-17T10:00:00Z".parse().unwrap();
    let mut unrelated = entry("c", "cache", "");
    unrelated.updated_at = recent.updated_at;
    let ranked = ask(vec![old, recent, unrelated], "pool yesterday");
    assert_eq!(ids(&ranked), ["b", "a"]);
    near(ranked[0].breakdown.temporal_boost, 1.0);
    near(ranked[1].breakdown.temporal_boost, 0.0);
    assert!(ask(vec![entry("a", "pool", "")], "yesterday").is_empty());
}

// ranking behaviours 22 and 23; W23
#[test]
fn confidence_decides_between_near_equals_and_makes_no_answer() {
    let sure = with_confidence(entry("a", "pool", ""), 1.0);
    near(one(sure.clone(), "pool").breakdown.confidence_bonus, 0.5);
    near(
        one(entry("a", "pool", ""), "pool")
            .breakdown
            .confidence_bonus,
        0.0,
    );
    assert!(ask(vec![sure], "cache").is_empty());
}

// ranking behaviour 24, reversed by W1
#[test]
fn a_question_without_any_term_has_no_answer() {
    assert!(ask(vec![entry("a", "what is this", "")], "what is this?").is_empty());
    assert!(ask(vec![entry("a", "pool", "")], "?!").is_empty());
}

// ranking behaviour 25, reversed by W2; B-02
#[test]
fn a_question_without_blanks_finds_its_characters() {
    let entries = vec![
        entry("a", "数据库锁定", "夜间任务失败"),
        entry("b", "图片缓存", ""),
    ];
    assert_eq!(ids(&ask(entries.clone(), "数据库锁定")), ["a"]);
    assert_eq!(ids(&ask(entries, "锁")), ["a"]);
}

// ranking behaviour 43
#[test]
fn equal_scores_are_ordered_by_source() {
    let of = |id: &str, episode: Option<&str>| {
        let mut entry = entry(id, "pool", &format!("word{id}"));
        entry.source_episode_id = episode.map(|text| EpisodeId::new(text).unwrap());
        entry
    };
    // Without an episode the session counts: `s1`.
    let entries = vec![
        of("d", None),
        of("a", Some("t2")),
        of("c", Some("e1")),
        of("b", Some("e1")),
    ];
    assert_eq!(ids(&ask(entries, "pool")), ["b", "c", "d", "a"]);
}

#[test]
fn the_limit_cuts_the_tail() {
    let entries: Vec<Entry> = (0..9)
        .map(|n| entry(&format!("a{n}"), "pool", &format!("word{n}")))
        .collect();
    let ranked = best(&entries, "pool", 3);
    assert_eq!(ids(&ranked), ["a0", "a1", "a2"]);
    assert!(best(&entries, "pool", 0).is_empty());
}

#[test]
fn matched_terms_are_spelled_as_asked_and_sorted() {
    let ranked = one(
        entry("a", "pool", "busyTimeout deadlock"),
        "Pool busy_timeout deadlock lunch",
    );
    assert_eq!(ranked.matched_terms, ["busy_timeout", "deadlock", "pool"]);
}

// B-02
#[test]
fn a_misspelt_word_is_forgiven_only_if_nothing_holds_it() {
    let entries = vec![
        entry("a", "Migration", "locks"),
        entry("b", "Migraton", "typo"),
    ];
    assert_eq!(ids(&ask(entries.clone(), "migratoin")), ["a", "b"]);
    assert_eq!(ids(&ask(entries, "migraton")), ["b"]);
    let right = one(entry("a", "Migration", ""), "migration").score;
    assert!(one(entry("a", "Migration", ""), "migratoin").score < right);
    assert!(
        ask(vec![entry("a", "pools", "")], "poolz").is_empty(),
        "too short"
    );
}

// W1
#[test]
fn words_that_say_little_count_for_less() {
    let entries = vec![
        entry("a", "before", "lunch"),
        entry("b", "deadlock", "lunch"),
    ];
    assert_eq!(ids(&ask(entries, "deadlock before lunch")), ["b", "a"]);
}

// W1
#[test]
fn what_the_best_answer_covers_decides_whether_there_is_one() {
    let weak = || entry("weak", "replica lag", "");
    let question = "deadlock replica sharding quorum failover";
    assert!(ask(vec![weak()], question).is_empty());
    let good = entry("good", "deadlock sharding quorum", "");
    assert_eq!(ids(&ask(vec![weak(), good], question)), ["good", "weak"]);
}

// W15
#[test]
fn entries_that_say_the_same_are_one_answer_with_the_others_named() {
    let text = "Raise busy_timeout before the nightly job starts to write";
    let mut entries: Vec<Entry> = (0..4)
        .map(|n| entry(&format!("a{n}"), "pool", text))
        .collect();
    entries.push(entry("b", "pool", &text.replace("Raise", "Never raise")));
    let index = Index::build(entries.iter().map(Document::from_entry)).unwrap();
    let query = Query::parse("pool busy_timeout");
    let hits = index.rank(&query, &EntryFilter::default(), now(), 50);
    let ids: Vec<&str> = hits.iter().map(|hit| hit.id.as_str()).collect();
    assert_eq!(ids, ["a0", "b"]);
    let others: Vec<&str> = hits[0]
        .duplicates
        .iter()
        .map(recall_core::EntryId::as_str)
        .collect();
    assert_eq!(others, ["a1", "a2", "a3"]);
    assert_eq!(
        index
            .rank_each(&query, &EntryFilter::default(), now(), 50)
            .len(),
        5
    );
}

#[test]
fn a_trusted_entry_never_stands_behind_an_untrusted_one_of_the_same_words() {
    let mut loose = entry("a", "pool", "busy_timeout");
    loose.review_state = recall_core::ReviewState::UnreviewedAuto;
    let ranked = ask(vec![loose, entry("b", "pool", "busy_timeout")], "pool");
    assert_eq!(ids(&ranked), ["a", "b"]);
}

#[test]
fn duplicates_do_not_shorten_a_page() {
    let mut entries: Vec<Entry> = (0..100)
        .map(|n| entry(&format!("a{n}"), "pool pool", ""))
        .collect();
    entries.extend((0..3).map(|n| entry(&format!("b{n}"), "pool", &format!("word{n}"))));
    assert_eq!(ask(entries, "pool").len(), 4);
}

// S-M03
#[test]
fn what_was_superseded_never_stands_above_its_successor() {
    let archived = |id: &str, by: Option<&str>, body: &str| {
        let mut entry = entry(id, "pool", body);
        entry.status = recall_core::Status::Archived;
        entry.superseded_by = by.map(|by| recall_core::EntryId::new(by).unwrap());
        entry
    };
    // The oldest matches best and its successors worse and worse.
    let entries = vec![
        archived("a", Some("b"), "deadlock deadlock deadlock timeout"),
        archived(
            "b",
            Some("c"),
            "deadlock timeout, and many other words that dilute it",
        ),
        archived(
            "c",
            None,
            "timeout, and many other words besides that dilute it even more so",
        ),
        archived("d", Some("gone"), "deadlock timeout"),
    ];
    let filter = EntryFilter {
        status: Some(recall_core::Status::Archived),
        ..Default::default()
    };
    let ranked = ranked(&entries, "pool deadlock timeout", &filter, 50);
    assert_eq!(ids(&ranked), ["d", "c", "b", "a"]);
    assert!(
        ranked[3].score > ranked[1].score,
        "each keeps its own score"
    );
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let text = "([a-e]{1,2} |busy_timeout |fooBar |a/b\\.rs |数据库|error: [a-c] [a-c]\\. ){0,12}";
    (text, text, text, 0.0..=1.0_f64).prop_map(|(title, body, snippet, confidence)| {
        with_confidence(
            with_snippet(entry("x", &title, &body), &snippet),
            confidence,
        )
    })
}

fn any_query() -> impl Strategy<Value = String> {
    let text = "([a-e]{1,2} |busyTimeout |foo_bar |b\\.rs |数据|yesterday |latest |`a b` ){1,8}";
    prop_oneof![3 => text, 1 => "\\PC{0,30}"]
}

proptest! {
    // S-C06, B-07; ranking behaviour 80; W9
    #[test]
    fn scores_are_their_parts_and_do_not_depend_on_the_order_of_entries(
        entries in prop::collection::vec(any_entry(), 1..12),
        query in any_query(),
    ) {
        let entries: Vec<Entry> = entries
            .into_iter()
            .enumerate()
            .map(|(n, mut entry)| {
                entry.id = recall_core::EntryId::new(format!("e{n}")).unwrap();
                entry
            })
            .collect();
        let forward = best(&entries, &query, 50);
        for ranked in &forward {
            prop_assert_eq!(ranked.score.to_bits(), ranked.breakdown.total().to_bits());
            prop_assert_eq!(&ranked.reasons, &ranked.breakdown.reasons());
            prop_assert!(ranked.score > 0.0 || query.trim().is_empty());
        }
        prop_assert!(forward.is_sorted_by(|a, b| a.score >= b.score));
        let reversed: Vec<Entry> = entries.into_iter().rev().collect();
        let backward = best(&reversed, &query, 50);
        prop_assert_eq!(forward, backward);
    }

    #[test]
    fn any_text_can_be_indexed_and_asked_for(title in "\\PC{0,40}", query in any::<String>()) {
        let _ = best(&[entry("a", &title, &query)], &query, 10);
    }

    // ranking W10
    #[test]
    fn no_boost_explodes(words in prop::collection::vec("[a-z]{3,6}_[a-z0-9]{2}", 1..40)) {
        let text = words.join(" ");
        let ranked = best(&[entry("a", &text, &text)], &text, 1);
        let parts = ranked[0].breakdown;
        prop_assert!(parts.phrase_boost <= 4.0);
        prop_assert!(parts.identifier_boost <= 6.0 && parts.entity_boost <= 6.0);
    }

    // An index on disk grows by layers; nobody may see where one ends.
    #[test]
    fn layers_answer_to_the_bit_as_one_segment(
        versions in prop::collection::vec((0_usize..8, prop::option::weighted(0.8, any_entry())), 1..24),
        cuts in prop::collection::vec(0_usize..24, 0..3),
        query in any_query(),
    ) {
        // Each version replaces the entry of its number, or takes it away.
        let id = |number: usize| recall_core::EntryId::new(format!("e{number}")).unwrap();
        let mut latest: std::collections::BTreeMap<usize, Entry> = std::collections::BTreeMap::new();
        let mut layers = Vec::new();
        let mut cuts = cuts;
        cuts.push(versions.len());
        cuts.sort_unstable();
        let mut from = 0;
        for cut in cuts {
            let upto = cut.clamp(from, versions.len());
            let mut changed = std::collections::BTreeSet::new();
            for (number, version) in &versions[from..upto] {
                changed.insert(*number);
                match version.clone() {
                    Some(mut entry) => {
                        entry.id = id(*number);
                        latest.insert(*number, entry);
                    }
                    None => {
                        latest.remove(number);
                    }
                }
            }
            from = upto;
            let documents = changed.iter().filter_map(|number| latest.get(number));
            layers.push(Layer {
                segment: documents.map(Document::from_entry).collect::<SegmentBuilder>().segment().unwrap(),
                gone: changed.iter().map(|number| id(*number)).collect(),
            });
        }
        let layered = Index::new(layers);
        let fresh = Index::build(latest.values().map(Document::from_entry)).unwrap();
        prop_assert_eq!(layered.len(), fresh.len());
        let query = Query::parse(&query);
        let filter = EntryFilter::default();
        prop_assert_eq!(
            layered.rank(&query, &filter, now(), 50),
            fresh.rank(&query, &filter, now(), 50)
        );
    }
}
