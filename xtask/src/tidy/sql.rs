//! SQL is in one crate.

use super::Violation;
use super::source::Source;

const HOME: &str = "recall-store";

/// The words of a statement: a text with all words of one row, in that order, is SQL.
const STATEMENTS: &[&[&str]] = &[
    &["SELECT", "FROM"],
    &["INSERT", "INTO"],
    &["UPDATE", "SET"],
    &["DELETE", "FROM"],
    &["CREATE", "TABLE"],
];

pub(crate) fn check(source: &Source) -> Vec<Violation> {
    if source.package == HOME {
        return Vec::new();
    }
    let uses = source
        .code()
        .filter(|token| token.is_ident("sqlx"))
        .map(|token| Violation::at(source, token.line, format!("sqlx outside {HOME}")));
    let statements = source
        .code()
        .filter(|token| token.is_text() && is_statement(&token.text))
        .map(|token| Violation::at(source, token.line, format!("SQL outside {HOME}")));
    uses.chain(statements).collect()
}

fn is_statement(text: &str) -> bool {
    STATEMENTS.iter().any(|statement| {
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        statement
            .iter()
            .all(|wanted| words.any(|word| word == *wanted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_known_by_its_words_in_order() {
        assert!(is_statement("\"SELECT id FROM entries\""));
        assert!(is_statement("r#\"\n  DELETE\n  FROM sessions\"#"));
        assert!(is_statement("UPDATE sessions SET a = 1"));
        assert!(!is_statement("select a session from the list"));
        assert!(!is_statement("FROM here SELECT"));
        assert!(!is_statement("SELECTED FROM"));
    }

    #[test]
    fn sql_is_allowed_in_the_store_and_in_tests_only() {
        let code = "use sqlx::Row;\nfn f() { query(\"SELECT 1 FROM t\"); }\n\
                    #[cfg(test)] mod tests { const Q: &str = \"DELETE FROM t\"; }";
        let lines = |package| check(&Source::sample(package, "src/a.rs", code)).len();
        assert_eq!(lines("recall-engine"), 2);
        assert_eq!(lines("recall-store"), 0);
    }
}
