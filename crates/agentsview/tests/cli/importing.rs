//! Reviewed import from the command line: what must be confirmed and what is guarded (S-R01).

use std::path::{Path, PathBuf};

use crate::world::{Ran, World, fixtures, ran};

fn reviewed() -> PathBuf {
    fixtures().join("reviewed.jsonl")
}

fn import(world: &World, file: &Path, flags: &[&str]) -> Ran {
    let words = [&["recall", "import", file.to_str().unwrap()], flags].concat();
    world.run(&words)
}

/// The same with another data directory; `None` is the default one.
fn import_into(world: &World, directory: Option<&Path>, flags: &[&str]) -> Ran {
    let mut command = world.command();
    match directory {
        Some(directory) => command.env("AGENTSVIEW_DATA_DIR", directory),
        None => command.env_remove("AGENTSVIEW_DATA_DIR"),
    };
    ran(command
        .args(["recall", "import"])
        .arg(reviewed())
        .args(flags))
}

#[test]
fn model_121_without_a_confirmation_the_file_is_not_even_opened() {
    let world = World::synced();
    for file in [reviewed(), world.path("ghost.jsonl")] {
        let refused = import(&world, &file, &[]);
        assert_eq!(
            (refused.exit, refused.stdout.as_str()),
            (4, ""),
            "{refused:?}"
        );
        assert!(refused.stderr.contains("--yes"), "{refused:?}");
    }
    let listed = world.run(&["recall", "list", "--json"]).json();
    assert_eq!(listed["entries"].as_array().unwrap().len(), 0);
}

#[test]
fn model_122_an_import_through_a_server_is_refused_and_nothing_is_sent() {
    let world = World::synced();
    // Whoever connected would be waiting here.
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let address = format!("http://{}", server.local_addr().unwrap());
    for flags in [&["--yes"][..], &["--dry-run"]] {
        let flags = [&["--server", address.as_str()], flags].concat();
        let refused = import(&world, &reviewed(), &flags);
        assert_eq!(refused.exit, 4, "{refused:?}");
        assert!(server.accept().is_err(), "{flags:?}");
    }
}

#[cfg(unix)]
#[test]
fn model_123_every_way_into_the_default_directory_is_guarded() {
    use std::os::unix::fs::symlink;

    let world = World::new();
    let default = world.path(".agentsview");
    let linked_directory = world.path("linked");
    symlink(&default, &linked_directory).unwrap();
    let linked_archive = world.path("scratch");
    std::fs::create_dir(&linked_archive).unwrap();
    // The link leads nowhere yet.
    symlink(
        default.join("archive.db"),
        linked_archive.join("archive.db"),
    )
    .unwrap();
    let ways = [
        None,
        Some(default.as_path()),
        Some(linked_directory.as_path()),
        Some(linked_archive.as_path()),
    ];
    let refused_everywhere = || {
        for directory in ways {
            for flag in ["--yes", "--dry-run"] {
                let refused = import_into(&world, directory, &[flag]);
                assert_eq!(refused.exit, 4, "{directory:?} {flag}: {refused:?}");
                assert!(refused.stderr.contains("--allow-production-import"));
            }
        }
    };
    refused_everywhere();
    assert!(!default.exists(), "refused before anything is made");

    std::fs::create_dir(&default).unwrap();
    let mut sync = world.command();
    sync.env_remove("AGENTSVIEW_DATA_DIR").arg("sync");
    assert_eq!(ran(&mut sync).exit, 0);
    refused_everywhere();
}

#[test]
fn model_124_the_guard_is_lifted_by_its_flag_alone() {
    let world = World::new();
    let mut sync = world.command();
    sync.env_remove("AGENTSVIEW_DATA_DIR").arg("sync");
    assert_eq!(ran(&mut sync).exit, 0);
    let allowed = import_into(&world, None, &["--yes", "--allow-production-import"]);
    assert_eq!(allowed.exit, 0, "{allowed:?}");
    let odd = import_into(&world, None, &["--yes", "--allow-production-import=1"]);
    assert_eq!(odd.exit, 2, "{odd:?}");
}

#[test]
fn model_127_an_empty_file_is_an_import_of_nothing() {
    let world = World::synced();
    let empty = world.path("empty.jsonl");
    std::fs::write(&empty, "\n \r\n").unwrap();
    let imported = import(&world, &empty, &["--yes", "--json"]);
    assert_eq!(imported.exit, 0, "{imported:?}");
    let report = imported.json();
    for member in ["imported", "would_import", "skipped"] {
        assert_eq!(report[member], 0, "{member}");
    }
}

#[test]
fn model_128_a_line_beyond_the_limit_is_named_and_nothing_is_kept() {
    let world = World::synced();
    let good = std::fs::read_to_string(reviewed()).unwrap();
    let first = good.lines().next().unwrap();
    let mixed = world.path("mixed.jsonl");
    std::fs::write(&mixed, format!("{first}\n\"{}\"\n", "x".repeat(5 << 20))).unwrap();
    let refused = import(&world, &mixed, &["--yes"]);
    assert_eq!(refused.exit, 2, "{:?}", refused.stderr);
    assert!(refused.stderr.contains("(line 2)"), "{:?}", refused.stderr);
    assert_eq!(world.run(&["recall", "get", "lantern-retry-busy"]).exit, 3);
}
