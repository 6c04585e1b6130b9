//! Whatever is wrong with a file is counted and never stops the rest.

use crate::world::{FILE, SESSION, line, lines, world};

#[tokio::test]
async fn malformed_lines_are_counted_and_the_rest_is_kept() {
    let world = world().await;
    let text = format!("{}\n{{oops\n\u{0}\u{1}\n[1,2]\n{}\n", line(0), line(3));
    world.write(FILE, text);
    let report = world.sync(false).await;
    assert!(report.malformed_lines >= 2, "{report:?}");
    assert_eq!(world.messages(SESSION).await.len(), 2);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_counted() {
    let world = world().await;
    world.write(
        FILE,
        [
            line(0).as_bytes(),
            b"\n\xff\xfe{\xc3\x28}\n",
            line(3).as_bytes(),
        ]
        .concat(),
    );
    let report = world.sync(false).await;
    assert_eq!(report.malformed_lines, 1);
    assert_eq!(world.messages(SESSION).await.len(), 2);
}

#[tokio::test]
async fn a_file_cut_in_the_middle_of_a_line_is_marked_and_its_rows_are_kept() {
    let world = world().await;
    let text = lines(4);
    world.write(FILE, &text[..text.len() - 20]);
    let report = world.sync(false).await;
    assert_eq!((report.truncated_files, report.malformed_lines), (1, 0));
    let session = world.session(SESSION).await.unwrap();
    assert!(session.is_truncated);
    assert_eq!(session.termination_status, "truncated");
}

#[tokio::test]
async fn a_line_of_100_megabytes_is_passed_over() {
    let world = world().await;
    let mut bytes = format!("{}\n{{\"type\":\"user\",\"pad\":\"", line(0)).into_bytes();
    bytes.resize(bytes.len() + 100 * 1024 * 1024, b'x');
    bytes.extend(format!("\"}}\n{}\n", line(3)).into_bytes());
    world.write(FILE, bytes);
    let report = world.sync(false).await;
    assert_eq!(report.oversized_lines, 1);
    assert_eq!(world.messages(SESSION).await.len(), 2);
}

// model weakness 30
#[tokio::test]
async fn a_parent_cycle_ends_and_loses_no_row() {
    let world = world().await;
    let cycle = line(3).replace("\"parentUuid\":\"u2\"", "\"parentUuid\":\"u3\"");
    let back = line(0).replace("\"parentUuid\":null", "\"parentUuid\":\"u3\"");
    world.write(FILE, format!("{back}\n{cycle}\n"));
    world.sync(false).await;
    assert_eq!(world.messages(SESSION).await.len(), 2);
}

#[cfg(unix)]
#[tokio::test]
async fn what_cannot_be_read_is_reported_and_the_rest_is_synced() {
    let world = world().await;
    world.write(FILE, lines(4));
    let pipe = world.path("claude/-srv-code-app/pipe.jsonl");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    world.write("claude/-srv-code-app/a\tb.jsonl", lines(4));
    std::fs::create_dir_all(world.path("claude/-srv-code-app/folder.jsonl")).unwrap();
    let report = world.sync(false).await;
    let names: Vec<_> = report
        .problems
        .iter()
        .map(|problem| problem.path.file_name().unwrap())
        .collect();
    assert_eq!(names, ["a\tb.jsonl", "pipe.jsonl"], "{:?}", report.problems);
    assert_eq!(world.messages(SESSION).await.len(), 3);
}

#[cfg(unix)]
#[tokio::test]
async fn links_are_not_followed() {
    let world = world().await;
    world.write("outside.jsonl", lines(4));
    world.write(FILE, lines(4));
    let folder = world.path("claude/-srv-code-app");
    std::os::unix::fs::symlink(world.path("outside.jsonl"), folder.join("linked.jsonl")).unwrap();
    std::os::unix::fs::symlink(&folder, folder.join("looped")).unwrap();
    let report = world.sync(false).await;
    assert_eq!(
        (report.files_found, report.problems.len()),
        (1, 0),
        "{report:?}"
    );
}

#[tokio::test]
async fn a_root_that_is_no_folder_is_reported() {
    let world = world().await;
    std::fs::remove_dir_all(world.path("claude")).unwrap();
    world.write("claude", "a file");
    let report = world.sync(false).await;
    assert_eq!(report.problems.len(), 1, "{report:?}");
}

#[tokio::test]
async fn an_empty_file_holds_no_session() {
    let world = world().await;
    world.write(FILE, "");
    let report = world.sync(false).await;
    assert_eq!((report.files_read, report.sessions_added), (1, 0));
    assert!(report.problems.is_empty());
}
