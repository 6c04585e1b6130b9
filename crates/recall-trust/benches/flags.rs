//! How long it takes to look for instructions in what an archive may hold.

use divan::{Bencher, black_box, counter::BytesCount};
use recall_trust::instructions::flags;

const INNOCENT: &str = include_str!("../src/instructions/samples/innocent.txt");

fn main() {
    divan::main();
}

/// What engineers write down, without a word that an instruction is known by.
const PLAIN: &[&str] = &[
    "The nightly job holds the write lock for minutes, so that every other writer waits in vain.",
    "Raise busy_timeout to 5000 and keep one writer; the pool in store/pool.rs has four readers.",
    "error[E0597]: `connection` does not live long enough, borrowed value dropped at line 214.",
    "cargo nextest passes again after the fixture was moved below crates/store/tests.",
    "Der Test hängt, weil die Verbindung die Laufzeit überlebt.",
    "数据库被锁定是因为备份任务占用了写锁。",
];

/// What the lines of an entry are like.
#[derive(Debug, Clone, Copy)]
enum Lines {
    /// Nearly all of ASCII, hardly a word of interest.
    Plain,
    /// Each all but an instruction, half of them of other scripts: the worst that honest text can be.
    NearMisses,
}

/// Entries of about 400 bytes each.
fn entries(count: usize, lines: Lines) -> Vec<String> {
    let lines: Vec<&str> = match lines {
        Lines::Plain => PLAIN.to_vec(),
        Lines::NearMisses => INNOCENT.lines().collect(),
    };
    (0..count)
        .map(|number| {
            let mut text = String::new();
            let mut next = number * 7;
            while text.len() < 400 {
                text.push_str(lines[next % lines.len()]);
                text.push('\n');
                next += 1;
            }
            text
        })
        .collect()
}

#[divan::bench(args = [Lines::Plain, Lines::NearMisses], sample_count = 20)]
fn ten_thousand_entries_of_400_bytes(bencher: Bencher<'_, '_>, lines: Lines) {
    let entries = entries(10_000, lines);
    let bytes: usize = entries.iter().map(String::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        entries
            .iter()
            .filter(|text| !flags(black_box(text)).is_empty())
            .count()
    });
}
