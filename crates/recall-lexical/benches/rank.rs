//! How fast documents become a segment, and how fast a question is ranked among 10,000 of them. The
//! texts are made from made-up words and a fixed seed; few of the words are in most documents, most
//! of them are in few.

#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed benchmark")]

use std::sync::LazyLock;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use recall_core::{Entry, EntryFilter, EntryId, SessionId, Timestamp};
use recall_lexical::{Document, Index, Query, SegmentBuilder};

const DOCUMENTS: usize = 10_000;
const VOCABULARY: u32 = 5_000;

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut state = 0x1234_5678;
    (0..DOCUMENTS)
        .map(|number| {
            let id = EntryId::new(format!("entry-{number}")).unwrap();
            let session = SessionId::new(format!("session-{}", number / 20)).unwrap();
            let (title, body) = (text(8, &mut state), text(150, &mut state));
            Entry::new(id, session, title, body, now())
        })
        .collect()
});

static INDEX: LazyLock<Index> =
    LazyLock::new(|| Index::build(ENTRIES.iter().map(Document::from_entry)).unwrap());

fn now() -> Timestamp {
    "2026-03-18T12:00:00Z".parse().unwrap()
}

/// Words of which the first are the most frequent, from a generator of 32 bits.
fn text(words: usize, state: &mut u32) -> String {
    let mut text = String::new();
    for _ in 0..words {
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        // The smaller the bound, the smaller the number: about every n-th is below 1/n of them.
        let bound = 1 + (*state >> 16) % VOCABULARY;
        text.push_str(&word(*state % bound));
        text.push(' ');
    }
    text
}

/// A word of its own for each number.
fn word(number: u32) -> String {
    const SYLLABLES: [&str; 16] = [
        "ba", "do", "fe", "gi", "ku", "la", "mo", "ne", "pi", "ru", "sa", "to", "ve", "wi", "zu",
        "cha",
    ];
    let syllable = |shift: u32| SYLLABLES[(number >> shift) as usize % 16];
    [syllable(0), syllable(4), syllable(8), syllable(12)].concat()
}

fn measure(bencher: Bencher<'_, '_>, question: &str) {
    LazyLock::force(&INDEX);
    let (query, filter) = (Query::parse(question), EntryFilter::default());
    bencher.bench(|| INDEX.rank(black_box(&query), &filter, now(), 50));
}

#[divan::bench]
fn rare_word(bencher: Bencher<'_, '_>) {
    measure(bencher, &word(4_900));
}

#[divan::bench]
fn very_common_words(bencher: Bencher<'_, '_>) {
    measure(bencher, &[word(0), word(1), word(2)].join(" "));
}

#[divan::bench]
fn sentence(bencher: Bencher<'_, '_>) {
    measure(bencher, &text(12, &mut 0x5eed));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn building(bencher: Bencher<'_, '_>) {
    LazyLock::force(&ENTRIES);
    bencher.counter(ItemsCount::new(DOCUMENTS)).bench(|| {
        let documents = ENTRIES.iter().map(Document::from_entry);
        documents.collect::<SegmentBuilder>().finish().unwrap()
    });
}

fn main() {
    divan::main();
}
