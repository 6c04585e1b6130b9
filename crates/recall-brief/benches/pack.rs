//! How long a brief of the usual size takes once its entries are ranked.

#![expect(
    clippy::expect_used,
    reason = "the entries are constants, and nothing is measured without them"
)]

use divan::{Bencher, black_box};
use recall_brief::{Fence, pack};
use recall_core::{
    Entry, EntryId, Evidence, Nonce, Ordinal, OrdinalRange, RankedEntry, SessionId, Timestamp,
};

fn main() {
    divan::main();
}

/// Ranked entries with bodies of 600 to 2000 bytes.
fn ranked(count: usize) -> Vec<RankedEntry> {
    const SENTENCES: [&str; 4] = [
        "The nightly job held the write lock for four minutes, so that every request waited. ",
        "Raising busy_timeout to 5000 hid the symptom and left the cause in store/pool.rs. ",
        "Wir haben den Auftrag in kleine Stücke geteilt, und seitdem wartet niemand mehr. ",
        "数据库被锁定是因为备份任务占用了写锁。把它分成小批次以后就正常了。",
    ];
    let now = Timestamp::from_millisecond(0).expect("the epoch is a time");
    (0..count)
        .map(|number| {
            let session = SessionId::new(format!("session-{number}")).expect("a valid id");
            let id = EntryId::new(format!("entry-{number}")).expect("a valid id");
            let range = OrdinalRange::new(Ordinal::new(4), Ordinal::new(9)).expect("in order");
            let size = 600 + number * 331 % 1400;
            let sentences = SENTENCES.iter().cycle().skip(number);
            let body = sentences.copied().take(size / 75).collect::<String>();
            let title = "The write lock of the nightly job";
            RankedEntry::unranked(Entry {
                evidence: vec![Evidence {
                    snippets: vec!["error: database is locked".to_owned()],
                    ..Evidence::claimed(session.clone(), range)
                }],
                ..Entry::new(id, session, title, body, now)
            })
        })
        .collect()
}

#[divan::bench(args = [4_000, 16_000])]
fn fifty_entries(bencher: Bencher<'_, '_>, budget: usize) {
    let entries = ranked(50);
    let fence = Fence::new(Nonce::new(7));
    bencher.bench_local(|| {
        pack(
            black_box(&entries),
            "which job holds the write lock",
            budget,
            &fence,
        )
    });
}
