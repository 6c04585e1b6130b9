//! Secret scans and what they found.

use agentsview_api::{FindingDocument, FindingsDocument, SecretScanDocument};

use super::page::{Page, count};
use super::table;

/// The counts of a scan.
pub(crate) fn secret_scan(document: &SecretScanDocument) -> String {
    let mut page = Page::new();
    page.line(format_args!(
        "{} scanned, {} with secrets; {} ({} definite, {} candidate)",
        count(document.scanned, "session", "sessions"),
        document.with_secrets,
        count(document.total_findings, "finding", "findings"),
        document.definite_findings,
        document.candidate_findings
    ));
    if document.total_findings > 0 {
        page.line("see `agentsview secrets list`");
    }
    if document.unscannable > 0 {
        page.line(format_args!(
            "{} too long to be scanned; they count as never scanned",
            count(
                document.unscannable,
                "session holds a text",
                "sessions hold a text"
            )
        ));
    }
    if document.changed_meanwhile > 0 {
        page.line(format_args!(
            "{} meanwhile; run the scan again",
            count(
                document.changed_meanwhile,
                "session changed",
                "sessions changed"
            )
        ));
    }
    page.finish()
}

/// A row a finding, masked.
pub(crate) fn findings(document: &FindingsDocument) -> String {
    let mut page = Page::new();
    if document.findings.is_empty() {
        page.line("(no findings)");
        return page.finish();
    }
    table::write(
        &mut page,
        [
            "SESSION",
            "PROJECT",
            "RULE",
            "CONFIDENCE",
            "PLACE",
            "MASKED",
        ],
        &[],
        document.findings.iter().map(|finding| {
            [
                finding.session_id.clone(),
                finding.project.clone(),
                finding.rule_name.clone(),
                finding.confidence.clone(),
                place(finding),
                finding.redacted_match.clone(),
            ]
        }),
    );
    page.finish()
}

/// `#3 tool_result 0.1`: the message, the kind of text, the tool call and its result.
fn place(finding: &FindingDocument) -> String {
    let index = match (finding.call_index, finding.event_index) {
        (None, _) => String::new(),
        (Some(call), None) => format!(" {call}"),
        (Some(call), Some(event)) => format!(" {call}.{event}"),
    };
    format!(
        "#{} {}{index}",
        finding.message_ordinal, finding.location_kind
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    #[test]
    fn a_scan_is_counted_and_its_gaps_are_named() {
        let document = samples::scan();
        insta::assert_snapshot!("secrets_scan", secret_scan(&document));
        insta::assert_snapshot!("secrets_scan_json", samples::json(&document));
    }

    #[test]
    fn findings_are_a_table_of_masks() {
        let document = samples::findings();
        let text = findings(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("secrets_list", text);
        insta::assert_snapshot!("secrets_list_json", samples::json(&document));
        assert_eq!(findings(&FindingsDocument::default()), "(no findings)\n");
    }
}
