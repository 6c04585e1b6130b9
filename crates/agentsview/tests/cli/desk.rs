//! The review that asks at a terminal, where there is none.

use crate::world::World;

#[test]
fn a_review_without_a_terminal_points_to_the_list() {
    let ran = World::imported().run(&["recall", "review"]);
    assert_eq!(ran.exit, 2, "{ran:?}");
    assert!(ran.stdout.is_empty(), "{ran:?}");
    assert!(
        ran.stderr.contains("agentsview recall review list"),
        "{ran:?}"
    );
}
