//! Text with its credentials covered.

use crate::matching::raw_matches;

/// Stands where credentials overlap, so that the shown end of one is never the middle of another.
const OVERLAP: &str = "[redacted credentials]";

/// `text` with every credential replaced by its mask. There is no cap on the length: what comes
/// back is meant to be shown.
pub fn mask(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut copied = 0;
    let mut matches = raw_matches(text).into_iter().peekable();
    while let Some(found) = matches.next() {
        let mut end = found.range.end;
        let mut cover = found.masked(text);
        while let Some(next) = matches.next_if(|next| next.range.start < end) {
            if next.range.end > end {
                end = next.range.end;
                OVERLAP.clone_into(&mut cover);
            }
        }
        masked.push_str(&text[copied..found.range.start]);
        masked.push_str(&cover);
        copied = end;
    }
    masked.push_str(&text[copied..]);
    masked
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::samples::{self, BODY, credential};
    use crate::{Finding, ScanOutcome, rule_names, scan};

    fn findings(text: &str) -> Vec<Finding> {
        match scan(text) {
            ScanOutcome::Scanned(findings) => findings,
            ScanOutcome::TooLong { .. } => Vec::new(),
        }
    }

    #[test]
    fn the_text_around_a_credential_is_kept() {
        let key = credential("github-pat");
        assert_eq!(
            mask(&format!("é {key}; {key}!")),
            format!("é ghp_…{end}; ghp_…{end}!", end = &key[key.len() - 4..])
        );
        assert_eq!(mask("nothing here"), "nothing here");
    }

    #[test]
    fn credentials_that_overlap_are_covered_as_one() {
        let text = format!("sk-ant-{}{}", BODY, credential("private-key-block"));
        assert_eq!(mask(&text), OVERLAP);
    }

    /// Pieces that are likely to form, break and touch credentials.
    fn piece() -> impl Strategy<Value = String> {
        let names: Vec<_> = rule_names().collect();
        prop_oneof![
            proptest::sample::select(names).prop_map(credential),
            proptest::sample::select(samples::FRAGMENTS).prop_map(str::to_owned),
            "[A-Za-z0-9_-]{0,40}",
            "\\PC{0,8}",
        ]
    }

    proptest! {
        #[test]
        fn ranges_lie_on_character_boundaries_and_rise(
            pieces in proptest::collection::vec(piece(), 0..8)
        ) {
            let text = pieces.concat();
            let mut end = 0;
            for finding in findings(&text) {
                prop_assert!(text.get(finding.range.clone()).is_some());
                prop_assert!(finding.range.end > end);
                end = finding.range.end;
                prop_assert!(!finding.masked.contains(&text[finding.range]));
            }
        }

        #[test]
        fn a_masked_text_is_clean_and_a_clean_text_is_kept(
            pieces in proptest::collection::vec(piece(), 0..8),
            separator in "[ \"=;\n]"
        ) {
            // Credentials run together are none of the fixed length; the mask of one can part them.
            let text = pieces.join(&separator);
            let masked = mask(&text);
            prop_assert!(scan(&masked).is_clean(), "{}", masked);
            prop_assert_eq!(masked == text, scan(&text).is_clean());
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let _ = scan(&text);
            let _ = mask(&text);
        }
    }
}
