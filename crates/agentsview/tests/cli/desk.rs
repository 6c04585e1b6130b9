//! The review that asks at a terminal, where there is none.

use crate::world::World;

#[test]
fn a_review_without_a_terminal_points_to_the_list() {
    let world = World::imported();
    for flags in [&[][..], &["--order", "session", "--limit", "3"]] {
        let ran = world.run(&[&["recall", "review"], flags].concat());
        assert_eq!(ran.exit, 2, "{ran:?}");
        assert!(ran.stdout.is_empty(), "{ran:?}");
        assert!(
            ran.stderr.contains("agentsview recall review list"),
            "{ran:?}"
        );
    }
}

#[test]
fn a_flag_stands_behind_the_command_that_it_is_for() {
    let world = World::imported();
    let ran = world.run(&["recall", "review", "--json", "list", "--limit", "3"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    for flag in [
        &["--limit", "3"][..],
        &["--order", "session"],
        &["--agent", "claude"],
        &["--current-cwd"],
    ] {
        let ran = world.run(&[&["recall", "review"], flag, &["list"]].concat());
        assert_eq!((ran.exit, ran.stdout.as_str()), (2, ""), "{ran:?}");
        assert!(ran.stderr.contains("behind the command"), "{ran:?}");
    }
}

// S-C07
#[test]
fn a_review_at_the_terminal_has_no_json() {
    let ran = World::imported().run(&["recall", "review", "--limit", "3", "--json"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (2, ""), "{ran:?}");
    assert!(ran.stderr.contains("has no JSON"), "{ran:?}");
}
