use proptest::prelude::*;
use recall_core::EntryId;

use super::*;
use crate::fixtures::entry;

const TITLE: &str = "Raise busy_timeout before the nightly job";
const BODY: &str = "The nightly job holds the write lock for up to four seconds. Set busy_timeout to \
    5000 in store/pool.go, or readers fail with E1042. The pool opens a connection for each worker.";

fn similarity(one: &Entry, other: &Entry) -> f64 {
    let (one, other) = (Keys::of(one).shingles, Keys::of(other).shingles);
    shingle::similarity(shingle::overlap(&one, &other), one.len(), other.len())
}

fn renamed(entry: &Entry, id: &str) -> Entry {
    Entry {
        id: EntryId::new(id).unwrap(),
        ..entry.clone()
    }
}

// B-13
#[test]
fn what_says_the_same_is_a_near_duplicate() {
    let known = entry("a", TITLE, BODY);
    for (title, body, least) in [
        (TITLE, BODY, 1.0),
        // Other order, other spelling.
        (
            "Raise busyTimeout before the nightly job",
            "Set busy-timeout to 5000 in store/pool.go, or readers fail with E1042. The pool opens \
             a connection for each worker. The nightly job holds the write lock for up to four \
             seconds.",
            0.9,
        ),
        // A few other words.
        (
            "Raise busy_timeout before the nightly job runs",
            "The nightly job holds the write lock for up to five seconds. Set busy_timeout to \
             5000 in store/pool.go or some readers fail with E1042. The pool opens one connection \
             for each worker.",
            NEAR,
        ),
        // A part of it.
        (
            "",
            "Set busy_timeout to 5000 in store/pool.go, or readers fail with E1042.",
            0.9,
        ),
    ] {
        let asked = entry("b", title, body);
        let measured = similarity(&known, &asked);
        assert!(measured >= least, "{measured} {body}");
    }
    let chinese = entry(
        "a",
        "",
        "夜间任务会长时间占用写锁。请把 busy_timeout 设为 5000。",
    );
    let edited = entry(
        "b",
        "",
        "请把 busyTimeout 设为 5000。夜间任务会长时间占用着写锁。",
    );
    assert!(similarity(&chinese, &edited) >= NEAR);
    let japanese = entry(
        "a",
        "",
        "夜間ジョブは書き込みロックを長く保持する。タイムアウトを五秒にする。",
    );
    let edited = entry(
        "b",
        "",
        "夜間ジョブは書き込みロックを長く保持します。タイムアウトを五秒にする。",
    );
    assert!(similarity(&japanese, &edited) >= NEAR);
}

// B-13
#[test]
fn what_is_only_related_is_no_near_duplicate() {
    let known = entry("a", TITLE, BODY);
    for (title, body) in [
        // One title, another body.
        (
            TITLE,
            "Ask the owner of the schedule first: a longer wait delays the report, and two \
             customers read it at six in the morning.",
        ),
        // One subject.
        (
            "Where busy_timeout is set",
            "store/pool.go sets busy_timeout for each connection; the test harness sets its own.",
        ),
        // A translation.
        (
            "夜间任务之前调高 busy_timeout",
            "夜间任务最多占用写锁四秒。在 store/pool.go 中把 busy_timeout 设为 5000，否则读取会以 E1042 \
             失败。连接池为每个工作线程打开一个连接。",
        ),
    ] {
        let measured = similarity(&known, &entry("b", title, body));
        assert!(measured < 0.35, "{measured} {body}");
    }
}

#[test]
fn the_most_similar_come_first_and_the_entry_itself_never() {
    let known = [
        entry("d", TITLE, BODY),
        entry("c", TITLE, BODY),
        entry("b", TITLE, &format!("{BODY} Nobody complained.")),
        entry("a", "Use squash merges", "History stays readable."),
    ];
    let found = SimilarityIndex::new(&known).near_duplicates(&known[0]);
    let ids: Vec<_> = found.iter().map(|found| found.id.as_str()).collect();
    assert_eq!(ids, ["c", "b"]);
    assert!((found[0].similarity - 1.0).abs() < 1e-12);
}

#[test]
fn without_words_nothing_is_found() {
    let known = [entry("a", "", " … "), entry("b", "", "")];
    let index = SimilarityIndex::new(&known);
    for entry in &known {
        assert_eq!(index.near_duplicates(entry), []);
        assert_eq!(index.contradictions(entry), []);
    }
    assert_eq!(SimilarityIndex::new(&[]).near_duplicates(&known[0]), []);
}

// No text may hold the review up, however many entries repeat it.
#[test]
fn thousands_of_equal_entries_give_few_to_compare() {
    let many: Vec<_> = (0..3_000)
        .map(|number| entry(&format!("e{number:04}"), TITLE, BODY))
        .collect();
    let index = SimilarityIndex::new(&many);
    let own = Keys::of(&many[7]).shingles;
    let keys = || own.iter().map(|shingle| (*shingle, 1));
    assert!(index.shingles.shared(keys(), MOST_READ).read <= MOST_READ);
    let some = index.shingles.shared(keys(), 6_000);
    assert_eq!(some.read, 6_000, "whole lists, as many as allowed");
    assert_eq!(best(some.weights, |a, b| a.cmp(&b)).len(), MOST_CANDIDATES);
    let found = index.near_duplicates(&many[7]);
    assert_eq!(found.len(), MOST_DUPLICATES);
    assert!(found.iter().all(|found| found.similarity > 0.999));
}

/// Sentences that often meet, in a few names, values and words.
fn sentences() -> impl Strategy<Value = String> {
    let sentence = (
        prop::sample::select(vec![
            "Use",
            "Never use",
            "Do not set",
            "Set",
            "Run",
            "Do not run",
            "不要使用",
            "必须使用",
            "if",
        ]),
        prop::sample::select(vec![
            "busy_timeout",
            "`git push`",
            "pool.go",
            "tabs",
            "连接池",
        ]),
        prop::sample::select(vec![
            "",
            " to 100",
            " = 5000",
            " in tests",
            " by hand",
            ", not spaces",
        ]),
    )
        .prop_map(|(verb, name, rest)| format!("{verb} {name}{rest}. "));
    prop::collection::vec(sentence, 1..4).prop_map(|sentences| sentences.concat())
}

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    prop::collection::vec(sentences(), 1..8).prop_map(|bodies| {
        let numbered = bodies.iter().enumerate();
        numbered
            .map(|(number, body)| entry(&format!("e{number}"), "", body))
            .collect()
    })
}

proptest! {
    // Each case builds indexes and compares all its entries.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_of_the_entries_does_not_matter(
        (given, shuffled) in entries().prop_flat_map(|given| (Just(given.clone()), Just(given).prop_shuffle()))
    ) {
        let (one, other) = (SimilarityIndex::new(&given), SimilarityIndex::new(&shuffled));
        for entry in &given {
            prop_assert_eq!(one.near_duplicates(entry), other.near_duplicates(entry));
            prop_assert_eq!(one.contradictions(entry), other.contradictions(entry));
        }
    }

    #[test]
    fn an_entry_is_its_own_duplicate_under_another_id(given in entries()) {
        let index = SimilarityIndex::new(&given);
        for entry in &given {
            let found = index.near_duplicates(&renamed(entry, "other"));
            let own = found.iter().find(|found| found.id == entry.id);
            prop_assert!(own.is_some_and(|own| (own.similarity - 1.0).abs() < 1e-12));
            prop_assert!(index.near_duplicates(entry).iter().all(|found| found.id != entry.id));
        }
    }

    #[test]
    fn similarity_and_contradiction_go_both_ways(given in entries()) {
        let index = SimilarityIndex::new(&given);
        for (one, other) in given.iter().zip(given.iter().skip(1)) {
            let duplicate = |of: &Entry, to: &Entry| {
                let found = index.near_duplicates(of);
                found.into_iter().find(|found| found.id == to.id).map(|found| found.similarity.to_bits())
            };
            prop_assert_eq!(duplicate(one, other), duplicate(other, one));
            let contradicts =
                |of: &Entry, to: &Entry| index.contradictions(of).iter().any(|found| found.id == to.id);
            prop_assert_eq!(contradicts(one, other), contradicts(other, one));
        }
    }

    #[test]
    fn any_text_is_compared(
        texts in prop::collection::vec(
            prop::collection::vec(
                prop_oneof![
                    any::<char>(),
                    prop::sample::select("`'\"-_=:.,(aA1数不要使用 \n".chars().collect::<Vec<_>>()),
                ],
                0..60,
            ).prop_map(String::from_iter),
            2,
        )
    ) {
        let known = [entry("a", &texts[0], &texts[1]), entry("b", &texts[1], &texts[0])];
        let index = SimilarityIndex::new(&known);
        for entry in &known {
            for found in index.near_duplicates(entry) {
                prop_assert!((NEAR..=1.0).contains(&found.similarity));
            }
            for found in index.contradictions(entry) {
                prop_assert!(found.subject.len() <= LONGEST_QUOTE);
            }
        }
    }
}
