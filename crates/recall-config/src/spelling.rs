//! Whether a name is another one misspelt.

/// The known name that was most likely meant; `None` if the name is one of its own.
///
/// Up to one character in three may differ, swapped neighbours counting once, and case does not
/// count. The first letter must be right: typing slips seldom hit it, while `[preview]` is not
/// `[review]`.
pub(crate) fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let name = name.to_lowercase();
    known
        .iter()
        .filter(|known| name.chars().next() == known.chars().next())
        .map(|known| (strsim::osa_distance(&name, known), *known))
        .filter(|(distance, known)| *distance <= known.chars().count() / 3)
        .min()
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_seen_and_another_word_left_alone() {
        let known = ["review", "name"];
        for slip in ["reveiw", "Review", "rewiew", "reviews", "reviewer", "revew"] {
            assert_eq!(nearest(slip, &known), Some("review"), "{slip}");
        }
        for slip in ["nmae", "NAME", "names"] {
            assert_eq!(nearest(slip, &known), Some("name"), "{slip}");
        }
        for other in ["preview", "recall", "vector", "host", "n", "", "é"] {
            assert_eq!(nearest(other, &known), None, "{other}");
        }
    }
}
