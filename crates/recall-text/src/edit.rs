//! Words that differ by one slip of the hand.

/// Whether one letter added, left out or mistaken, or two neighbours swapped, make `b` out of `a`.
/// Equal words do too.
///
/// The optimal string alignment distance is at most 1 then; this decides it in one pass and without
/// memory, as a whole vocabulary may have to be asked.
///
/// ```
/// use recall_text::within_one_edit;
///
/// assert!(within_one_edit("timeout", "timeuot"));
/// assert!(!within_one_edit("timeout", "timeless"));
/// ```
pub fn within_one_edit(a: &str, b: &str) -> bool {
    let (mut rest_a, mut rest_b) = (a.chars(), b.chars());
    loop {
        let (same_a, same_b) = (rest_a.as_str(), rest_b.as_str());
        let (next_a, next_b) = (rest_a.next(), rest_b.next());
        if next_a.is_some() && next_a == next_b {
            continue;
        }
        // `rest_*` lie behind the first letter that differs, `same_*` in front of it.
        let (after_a, after_b) = (rest_a.as_str(), rest_b.as_str());
        let swapped = || {
            let (second_a, second_b) = (rest_a.clone().next(), rest_b.clone().next());
            next_a == second_b
                && second_a == next_b
                && tail(after_a) == tail(after_b)
                && second_a.is_some()
        };
        return after_a == after_b || same_a == after_b || after_a == same_b || swapped();
    }
}

/// A text without its first character.
fn tail(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_slip_is_forgiven_and_two_are_not() {
        for (a, b) in [
            ("deadlock", "deadlock"),
            ("deadlock", "dedlock"),
            ("deadlock", "deadlocks"),
            ("deadlock", "deadlick"),
            ("deadlock", "daedlock"),
            ("größe", "große"),
            ("", "a"),
        ] {
            assert!(within_one_edit(a, b) && within_one_edit(b, a), "{a} {b}");
        }
        for (a, b) in [("deadlock", "daedlokc"), ("ab", ""), ("abc", "cab")] {
            assert!(!within_one_edit(a, b) && !within_one_edit(b, a), "{a} {b}");
        }
    }

    proptest! {
        #[test]
        fn the_distance_of_optimal_alignment_agrees(a in "[abä]{0,6}", b in "[abä]{0,6}") {
            prop_assert_eq!(within_one_edit(&a, &b), strsim::osa_distance(&a, &b) <= 1);
        }
    }
}
