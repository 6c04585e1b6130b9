//! Asking from a process that starts for one question, as a person at a terminal does.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Measured;
use crate::corpus::Corpus;
use crate::text::{Chance, Lexicon};

const BUDGET: Duration = Duration::from_millis(60);
const RUNS: usize = 20;

/// What is measured.
pub(crate) const NAMES: [&str; 4] = [
    "cold process: rare word",
    "cold process: sentence",
    "cold process: very common words",
    "cold process: nonsense",
];

pub(crate) fn measure(
    corpus: &Corpus,
    lexicon: &Lexicon,
    title: &str,
    is_wanted: &dyn Fn(&str) -> bool,
    report: &mut dyn FnMut(Measured),
) {
    let mut chance = Chance::new(0xc01d);
    let topic = lexicon.topic(&mut chance);
    let texts = [
        lexicon.rare_word(&mut chance).to_owned(),
        format!("how do I {}?", lexicon.prose(&topic, 12, &mut chance)),
        format!(
            "{} {}",
            lexicon.common_word(&mut chance),
            lexicon.common_word(&mut chance)
        ),
        "zqvxjk wqzzv".to_owned(),
    ];
    let mut program = None;
    for (name, text) in NAMES.iter().zip(&texts) {
        let work = format!("{title}, {name}");
        if !is_wanted(&work) {
            continue;
        }
        let program = program.get_or_insert_with(built);
        let ask = || {
            let mut command = Command::new(&*program);
            command
                .args(["recall", "query", text])
                .env("AGENTSVIEW_DATA_DIR", corpus.directory())
                .stdout(Stdio::null());
            command
        };
        let mut times: Vec<Duration> = (0..RUNS).map(|_| timed(&mut ask())).collect();
        times.sort_unstable();
        println!("{work}: {} kB of memory at most", most_memory(&mut ask()));
        report(Measured {
            work: format!("{work}, median"),
            budget: Some(BUDGET),
            time: times[RUNS / 2],
        });
        report(Measured {
            work: format!("{work}, slowest"),
            budget: None,
            time: times[RUNS - 1],
        });
    }
}

/// The program as it is released.
fn built() -> PathBuf {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--package", "agentsview"])
        .status()
        .unwrap();
    assert!(status.success());
    // Beside the folder that this benchmark lies in.
    let own = std::env::current_exe().unwrap();
    let folder = own.parent().and_then(Path::parent).unwrap();
    folder
        .join("agentsview")
        .with_extension(std::env::consts::EXE_EXTENSION)
}

fn timed(command: &mut Command) -> Duration {
    let started = Instant::now();
    let status = command.status().unwrap();
    let time = started.elapsed();
    assert!(status.code().is_some_and(|code| code <= 1), "{status}");
    time
}

/// The most memory that a process had, looked at all the time; mapped pages count.
fn most_memory(command: &mut Command) -> u64 {
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let lines = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = lines
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        most = most.max(peak.and_then(|peak| peak.parse().ok()).unwrap_or(0));
    }
    most
}
