use recall_core::Scope;

use super::*;
use crate::fixtures::entry;
use crate::similar::MOST_CANDIDATES;

/// What the entry `ours` contradicts in `theirs`: the subject and the difference, both ways found.
#[track_caller]
fn found(ours: &str, theirs: &str) -> Option<(String, Difference)> {
    let ours = entry("ours", "", ours);
    let theirs = [entry("theirs", "", theirs)];
    let found = SimilarityIndex::new(&theirs).contradictions(&ours);
    let turned = SimilarityIndex::new(std::slice::from_ref(&ours)).contradictions(&theirs[0]);
    assert_eq!(found.len(), turned.len(), "found both ways or not at all");
    found
        .into_iter()
        .next()
        .map(|found| (found.subject, found.difference))
}

// B-13
#[test]
fn opposite_advice_on_one_subject_is_a_contradiction() {
    for (ours, theirs, subject) in [
        (
            "Use `mmap_size` for the archive.",
            "Do not use mmap_size for the archive.",
            "mmap_size",
        ),
        (
            "Always run `cargo nextest run` before pushing.",
            "Never run `cargo nextest run` before pushing, it takes too long.",
            "cargo nextest run",
        ),
        (
            "The migration worked. Edit schema/0003_runs.sql by hand to add the column.",
            "You must not edit `schema/0003_runs.sql` by hand.",
            "schema/0003_runs.sql",
        ),
        (
            "Pass --locked to the release build.",
            "Don't pass --locked to the release build.",
            "--locked",
        ),
        (
            "Enable `auto_vacuum` on new archives.",
            "Disable autoVacuum on new archives.",
            "auto_vacuum",
        ),
        (
            "Use squash merges.",
            "We no longer use squash merges because they lose history.",
            "squash merges",
        ),
        (
            "Use tabs instead of spaces.",
            "Use spaces instead of tabs.",
            "tabs",
        ),
        (
            "The importer retries on E1042.",
            "The importer does not retry on E1042.",
            "E1042",
        ),
        ("Prefer tokio over async-std.", "Avoid tokio.", "tokio"),
        (
            "Never forget to run `just lint`.",
            "Do not run `just lint`.",
            "just lint",
        ),
        (
            "在处理函数中必须使用 unwrap_or_default。",
            "不要在处理函数中使用 unwrap_or_default。",
            "unwrap_or_default",
        ),
        (
            "提交前不要运行集成测试。",
            "提交前必须运行集成测试。",
            "提交前 集成测试",
        ),
        ("应该使用连接池。", "禁止使用连接池。", "连接池"),
        (
            "请启用 query_cache。",
            "请禁用 query_cache。",
            "query_cache",
        ),
        (
            "必ず query_cache を使用する。",
            "query_cache は使わない。",
            "query_cache",
        ),
    ] {
        let found = found(ours, theirs);
        assert!(
            matches!(&found, Some((found, Difference::Negation { .. })) if found == subject),
            "{ours} {found:?}"
        );
    }
}

// B-13
#[test]
fn differing_values_of_one_setting_are_a_contradiction() {
    for (ours, theirs, subject, value, other) in [
        (
            "Keep busy_timeout 5000 for the pool.",
            "We found that busy_timeout = 100 is enough.",
            "busy_timeout",
            "5000",
            "100",
        ),
        (
            "Pin `schema_tool` to v1.2.",
            "`schema_tool` must be v2.0 everywhere.",
            "schema_tool",
            "v1.2",
            "v2.0",
        ),
        (
            "Start it with --wal=true.",
            "Start it with --wal=false.",
            "--wal",
            "true",
            "false",
        ),
        (
            "journal_mode = WAL",
            "```\njournal_mode = DELETE\n```",
            "journal_mode",
            "WAL",
            "DELETE",
        ),
        (
            "Start the worker with wal=true.",
            "Start the worker with wal=off.",
            "wal",
            "true",
            "off",
        ),
        (
            "将 retry_limit 设置为 3。",
            "retry_limit 应为 10。",
            "retry_limit",
            "3",
            "10",
        ),
        (
            "retry_delay is 5 s",
            "retry_delay: 200ms",
            "retry_delay",
            "5 s",
            "200ms",
        ),
    ] {
        let values = Difference::Values {
            ours: value.to_owned(),
            theirs: other.to_owned(),
        };
        assert_eq!(
            found(ours, theirs),
            Some((subject.to_owned(), values)),
            "{ours}"
        );
    }
}

// B-13: a false alarm costs more than a missed pair.
#[test]
fn what_agrees_or_may_both_hold_is_no_contradiction() {
    for (ours, theirs) in [
        // The same side.
        ("Use `mmap_size`.", "Always use mmap_size."),
        ("Never use `mmap_size`.", "Avoid mmap_size."),
        ("Do not disable `auto_vacuum`.", "Enable auto_vacuum."),
        ("不要禁用 query_cache。", "必须启用 query_cache。"),
        ("Use tabs instead of spaces.", "Use tabs, not spaces."),
        ("Prefer tokio over async-std.", "Avoid async-std."),
        // Another subject or another action.
        (
            "Use pool.go for connections.",
            "Do not edit pool.go by hand.",
        ),
        (
            "Use `mmap_size` for reads.",
            "Never use `cache_size` for reads.",
        ),
        (
            "Run `cargo test` before a push.",
            "Never run `cargo test --release` before a push.",
        ),
        (
            "Read src/a/mod.rs first.",
            "Do not read src/b/mod.rs first.",
        ),
        ("Use squash merges.", "Do not use merge queues."),
        (
            "Do not stop, restart or kill the worker.",
            "Never restart the worker.",
        ),
        ("Never commit `.env`.", "Commit `.env.example`."),
        ("Do not use port 8080.", "Use port 9090."),
        (
            "The tool does not support Windows.",
            "The tool supports Linux.",
        ),
        (
            "The cache is not shared between workers.",
            "The cache is shared between threads.",
        ),
        (
            "Do not delete old weekly snapshots manually.",
            "Delete old weekly logs manually.",
        ),
        (
            "Do not run migrations by hand; use `just migrate`.",
            "Run `just migrate` after a pull.",
        ),
        // Another place or time; an exception.
        (
            "Use `unwrap` in tests.",
            "Do not use `unwrap` in production.",
        ),
        (
            "Use `unwrap`.",
            "If the input is hostile, do not use `unwrap`.",
        ),
        (
            "Use `mmap_size`.",
            "Never use `mmap_size` on network drives.",
        ),
        ("In tests keep busy_timeout 100.", "Keep busy_timeout 5000."),
        (
            "If the disk is slow, busy_timeout = 9000.",
            "busy_timeout = 5000",
        ),
        // The reason for the same advice.
        (
            "Using `unwrap` in handlers crashes the worker.",
            "Do not use `unwrap` in handlers.",
        ),
        (
            "在处理函数中使用 unwrap 会导致崩溃。",
            "不要在处理函数中使用 unwrap。",
        ),
        (
            "If you do not set busy_timeout, the job fails.",
            "Set busy_timeout.",
        ),
        // No plain advice.
        ("Should we use `mmap_size`?", "Do not use `mmap_size`."),
        ("We did not use `mmap_size`.", "Use `mmap_size`."),
        (
            "Use `mmap_size`.",
            "Do not use `mmap_size` unless it is needed.",
        ),
        ("It prints \"do not use mmap_size\".", "Use mmap_size."),
        ("Use not only `mmap_size`.", "Use `mmap_size`."),
        ("Not all jobs use `mmap_size`.", "Use `mmap_size`."),
        (
            "elif isinstance(value, list)",
            "elif not isinstance(text, str)",
        ),
        ("sys.stdout = old_stdout", "sys.stdout = stdout"),
    ] {
        assert_eq!(found(ours, theirs), None, "{ours} | {theirs}");
    }
}

// B-13
#[test]
fn one_value_in_two_spellings_and_no_value_are_no_contradiction() {
    for (ours, theirs) in [
        ("busy_timeout = 5000", "busy_timeout 5_000"),
        ("busy_timeout = 5000", "Set busy_timeout to 5,000 ms."),
        ("--wal=true", "--wal=on"),
        ("retry_delay: 5s", "retry_delay: 5000ms"),
        (
            "Raise busy_timeout from 100 to 5000.",
            "busy_timeout = 5000",
        ),
        (
            "busy_timeout = 100 failed. busy_timeout = 5000 worked.",
            "busy_timeout = 100",
        ),
        (
            "Do not set busy_timeout to 100.",
            "Set busy_timeout to 5000.",
        ),
        ("see pool.go:12", "see pool.go:40"),
        (
            "indent = 2 for the report writer",
            "the test data has indent = 4",
        ),
        (
            "row = json.loads(text, strict=True)",
            "return json.loads(line, strict=False)",
        ),
        (
            "The build breaks on Node 18.",
            "The build passes on Node 20.",
        ),
    ] {
        assert_eq!(found(ours, theirs), None, "{ours} | {theirs}");
    }
}

#[test]
fn entries_of_two_projects_do_not_meet_unless_one_reaches_further() {
    let in_project = |id: &str, project: &str, body: &str| {
        let mut entry = entry(id, "", body);
        project.clone_into(&mut entry.project);
        entry
    };
    let ours = in_project("a", "atlas", "busy_timeout = 100");
    let mut theirs = [in_project("b", "borealis", "busy_timeout = 5000")];
    assert!(
        SimilarityIndex::new(&theirs)
            .contradictions(&ours)
            .is_empty()
    );
    theirs[0].scope = Scope::Global;
    assert_eq!(SimilarityIndex::new(&theirs).contradictions(&ours).len(), 1);
}

#[test]
fn a_quotation_is_one_sentence_and_not_long() {
    let tail = "and again ".repeat(40);
    let ours = format!("We met it. Use `mmap_size`, {tail}. It was late.");
    let (_, difference) = found(&ours, "Never use `mmap_size`.").unwrap();
    let Difference::Negation { ours, theirs } = difference else {
        panic!("{difference:?}");
    };
    assert!(ours.starts_with("Use `mmap_size`, and") && ours.len() <= LONGEST_QUOTE);
    assert_eq!(theirs, "Never use `mmap_size`.");
}

// No name may hold the review up, however many entries share it.
#[test]
fn thousands_that_share_a_name_give_few_to_compare() {
    let many: Vec<_> = (0..5_000)
        .map(|number| entry(&format!("e{number:04}"), "", "Never use `mmap_size`."))
        .collect();
    let index = SimilarityIndex::new(&many);
    let ours = entry("ours", "", "Use `mmap_size`.");
    let shared = index.terms.shared(Keys::of(&ours).terms, MOST_READ);
    assert!(shared.read <= MOST_READ);
    assert_eq!(
        best(shared.weights, |a, b| a.cmp(&b)).len(),
        MOST_CANDIDATES
    );
    let found = index.contradictions(&ours);
    assert_eq!(found.len(), MOST_CONTRADICTIONS);
    assert_eq!(found[0].id.as_str(), "e0000");
    assert_eq!(index.terms.shared(Keys::of(&ours).terms, 4_999).read, 0);
}
