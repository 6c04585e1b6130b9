//! What verifying evidence adds to the write that changes a session: a session of 10,000 messages
//! that 500 entries cite.

use std::time::{Duration, Instant};

use agentsview_formats::ParsedMessage;

use crate::Measured;
use crate::made::{Archive, Ids, archive, message};

const MESSAGES: u32 = 10_000;
const ENTRIES: u32 = 500;
const BUDGET: Duration = Duration::from_millis(150);
const RUNS: usize = 7;

/// A change that the session goes through and comes back from.
struct Change {
    name: &'static str,
    ids: Ids,
    apply: fn(&mut Vec<ParsedMessage>, Ids),
}

const CHANGES: [Change; 4] = [
    Change {
        name: "one message appended",
        ids: Ids::Stable,
        apply: |messages, ids| messages.push(message(MESSAGES + 1, ids)),
    },
    Change {
        name: "one message put before all others, stable ids",
        ids: Ids::Stable,
        apply: |messages, ids| messages.insert(0, message(MESSAGES + 1, ids)),
    },
    Change {
        name: "one message put before all others, no ids",
        ids: Ids::None,
        apply: |messages, ids| messages.insert(0, message(MESSAGES + 1, ids)),
    },
    Change {
        name: "every cited message edited",
        ids: Ids::Stable,
        apply: |messages, _| {
            for message in messages {
                message.content.push('!');
            }
        },
    },
];

pub(crate) async fn measure(is_wanted: &dyn Fn(&str) -> bool, report: &mut dyn FnMut(Measured)) {
    for change in CHANGES {
        let work = format!("verification: {}", change.name);
        if !is_wanted(&work) {
            continue;
        }
        // A write costs several times what is measured here and its time varies with the disk, so
        // the least of each is compared.
        let bare = least(&change, 0).await;
        let cited = least(&change, ENTRIES).await;
        report(Measured {
            work,
            budget: Some(BUDGET),
            time: cited.saturating_sub(bare),
        });
    }
}

async fn least(change: &Change, entries: u32) -> Duration {
    let plain: Vec<ParsedMessage> = (0..MESSAGES)
        .map(|number| message(number, change.ids))
        .collect();
    let mut changed = plain.clone();
    (change.apply)(&mut changed, change.ids);
    let mut least = Duration::MAX;
    for _ in 0..RUNS {
        // Anew for each run, since a revocation is for good.
        let archive = prepared(&plain, entries).await;
        let started = Instant::now();
        let applied = archive.write(changed.clone()).await;
        least = least.min(started.elapsed());
        let evidence = applied.evidence;
        let seen = evidence.kept + evidence.shifted.len() as u64 + evidence.revoked.len() as u64;
        assert_eq!(seen, u64::from(entries), "every entry was looked at");
    }
    least
}

async fn prepared(messages: &[ParsedMessage], entries: u32) -> Archive {
    let archive = archive().await;
    archive.write(messages.to_vec()).await;
    for entry in 0..entries {
        archive.cite(entry * (MESSAGES / ENTRIES.max(1))).await;
    }
    archive
}
