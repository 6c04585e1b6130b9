//! Counts.

use std::cmp::Reverse;

use agentsview_api::{StatsDocument, TallyDocument};
use recall_text::clean_line;

use super::page::{Page, commas, count};
use super::ranked::{none_flagged, trusted_only};

/// How many values of one property are shown; a corpus has thousands of sessions.
const VALUES: usize = 10;

/// The counts of `recall stats`.
pub(crate) fn stats(document: &StatsDocument) -> String {
    let mut page = Page::new();
    let mut line = commas([
        count(document.count, "entry", "entries").as_str(),
        trusted_only(document.trusted_only),
        none_flagged(document.exclude_flagged),
    ]);
    if document.truncated {
        line.push_str("; more match than --limit let be counted");
    }
    page.line(line);
    tallies(&mut page, &document.tallies());
    page.finish()
}

/// The counts over the entries of an answer.
pub(super) fn summary(page: &mut Page, entries: u64, by: &[(&str, &TallyDocument)]) {
    page.line(format_args!(
        "Summary of {}",
        count(entries, "entry", "entries")
    ));
    tallies(page, by);
}

/// A paragraph a property, the commonest values first. A property without a value is left out.
fn tallies(page: &mut Page, by: &[(&str, &TallyDocument)]) {
    for (name, tally) in by.iter().filter(|(_, tally)| !tally.is_empty()) {
        page.line(format_args!("by {name}"));
        let mut rows: Vec<_> = tally.iter().collect();
        rows.sort_by_key(|(_, count)| Reverse(**count));
        let width = rows.first().map_or(0, |(_, most)| most.to_string().len());
        for (value, count) in rows.iter().take(VALUES) {
            page.line(format_args!("  {count:width$}  {}", clean_line(value)));
        }
        if let Some(more) = rows.len().checked_sub(VALUES).filter(|more| *more > 0) {
            page.line(format_args!("  and {more} more; --json lists all"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;
    use recall_core::{Facet, StatsAnswer};

    fn answer() -> StatsAnswer {
        StatsAnswer {
            summary: samples::answer(None).summary,
            limit: None,
            truncated: false,
            trusted_only: true,
            exclude_flagged: true,
        }
    }

    #[test]
    fn counts_are_grouped_by_property() {
        let document = StatsDocument::from(&answer());
        insta::assert_snapshot!("recall_stats", stats(&document));
        insta::assert_snapshot!("recall_stats_json", samples::json(&document));
    }

    // W11
    #[test]
    fn a_property_of_many_values_is_cut_and_says_so() {
        let mut answer = answer();
        for number in 0..30 {
            answer.summary.add_count(
                Facet::SourceSession,
                &format!("s-{number:02}"),
                100 - number,
            );
        }
        let text = stats(&StatsDocument::from(&answer));
        assert!(text.contains("  100  s-00\n"), "{text}");
        assert!(!text.contains("s-20"), "{text}");
        assert!(text.contains("more; --json lists all"), "{text}");
    }
}
