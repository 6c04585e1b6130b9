//! A packed context and the brief around it.

use agentsview_api::{BriefDocument, ContextMetaDocument};
use recall_text::clean_line;

use super::View;
use super::page::{Page, commas, count, named};
use super::ranked::{entries, none_flagged};
use super::stats::summary;

/// A brief: the task, the packed text, where it comes from.
pub(crate) fn brief(document: &BriefDocument, view: View) -> String {
    let mut page = Page::new();
    page.line(format_args!("Task: {}", clean_line(&document.task)));
    page.line(commas([
        if document.trusted_only {
            "trusted entries only"
        } else {
            "every accepted entry, trusted or not"
        },
        none_flagged(document.exclude_flagged),
        &named("recorded as", &document.query_id),
    ]));
    if view.summary {
        page.gap();
        summary(
            &mut page,
            document.summary.count,
            &document.summary.tallies(),
        );
    }
    page.gap();
    context_text(&mut page, &document.context, document.entries.is_empty());
    if !document.entries.is_empty() {
        page.gap();
        sources(&mut page, &document.context_meta);
        context_lines(
            &mut page,
            &document.context_meta,
            document.entries.len() as u64,
        );
    }
    if view.scores || view.evidence {
        page.gap();
        let packed = Some(document.context_meta.included_ids.as_slice());
        entries(&mut page, &document.entries, view, packed);
    }
    page.finish()
}

/// The packed text, or which of the two ways it came to nothing.
pub(super) fn context_text(page: &mut Page, text: &str, nothing_ranked: bool) {
    if !text.is_empty() {
        page.block("", text);
    } else if nothing_ranked {
        page.line("(no relevant entries)");
    } else {
        page.line("(no entry fits the context)");
    }
}

/// What was packed, in a line for each thing that a person should know; ids are in the JSON.
pub(super) fn context_lines(page: &mut Page, meta: &ContextMetaDocument, results: u64) {
    let rest = if meta.omitted_count > 0 {
        format!("{} did not fit", meta.omitted_count)
    } else if meta.truncated {
        "some shortened".to_owned()
    } else {
        String::new()
    };
    let results = count(results, "entry", "entries");
    page.line(commas([
        format!("packed {} of {results}", meta.entry_count),
        rest,
    ]));
    if meta.prompt_injection_context {
        page.line(format_args!(
            "warning: {} {} like instructions ({}); read before you pass this on",
            commas(&meta.prompt_injection_context_ids),
            if meta.prompt_injection_context_ids.len() == 1 {
                "reads"
            } else {
                "read"
            },
            commas(&meta.prompt_injection_context_reasons)
        ));
    }
}

fn sources(page: &mut Page, meta: &ContextMetaDocument) {
    if meta.included_ids.is_empty() {
        return;
    }
    page.line("sources");
    for id in &meta.included_ids {
        let entry_type = meta.included_types_by_id.get(id).map_or("", String::as_str);
        let reasons = meta.included_match_reasons_by_id.get(id);
        let flags = meta.prompt_injection_context_reasons_by_id.get(id);
        let flags = flags.map_or_else(String::new, |flags| format!("  flagged: {}", commas(flags)));
        page.line(format_args!(
            "  {}  {entry_type}  {}{flags}",
            clean_line(id),
            commas(reasons.into_iter().flatten())
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;
    use recall_core::ContextBlock;

    #[test]
    fn a_brief_shows_the_text_and_its_sources() {
        let document = BriefDocument::from(&samples::answer(Some(samples::context())));
        insta::assert_snapshot!("recall_brief", brief(&document, View::default()));
        insta::assert_snapshot!("recall_brief_json", samples::json(&document));
    }

    #[test]
    fn nothing_relevant_is_told_from_nothing_that_fits() {
        let unfit = ContextBlock::default();
        let text = brief(
            &BriefDocument::from(&samples::answer(Some(unfit.clone()))),
            View::default(),
        );
        assert!(text.contains("(no entry fits the context)"), "{text}");

        let mut answer = samples::answer(Some(unfit));
        answer.entries.clear();
        let text = brief(&BriefDocument::from(&answer), View::default());
        assert!(text.ends_with("(no relevant entries)\n"), "{text}");
    }

    #[test]
    fn hostile_text_reaches_no_terminal() {
        let document = BriefDocument::from(&samples::hostile_answer());
        let text = brief(&document, View::default());
        samples::assert_harmless(&text);
        insta::assert_snapshot!("recall_brief_hostile", text);
    }
}
