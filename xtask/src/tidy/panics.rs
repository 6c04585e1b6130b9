//! Nothing outside tests may panic on purpose.
//!
//! An item under `#[expect(clippy::expect_used, reason = "…")]` (or `unwrap_used`, `panic`) said why
//! it may.

use super::Violation;
use super::source::Source;

const METHODS: &[&str] = &["unwrap", "expect"];
const MACROS: &[&str] = &["panic", "todo", "unimplemented"];

pub(crate) fn check(source: &Source) -> Vec<Violation> {
    let methods = source
        .method_calls()
        .filter(|token| METHODS.contains(&token.text.as_str()))
        .map(|token| (token, format!(".{}()", token.text)));
    let macros = source
        .macros()
        .filter(|token| MACROS.contains(&token.text.as_str()))
        .map(|token| (token, format!("{}!", token.text)));
    methods
        .chain(macros)
        .filter(|(token, _)| !token.may_panic)
        .map(|(token, what)| {
            Violation::at(
                source,
                token.line,
                format!("{what} outside tests; return an error"),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(code: &str) -> Vec<String> {
        check(&Source::sample("recall-text", "src/a.rs", code))
            .into_iter()
            .map(|violation| violation.place.replace("crates/recall-text/src/a.rs:", ""))
            .collect()
    }

    #[test]
    fn unwrap_expect_and_the_macros_of_panic_are_refused_also_inside_a_macro() {
        assert_eq!(
            lines("fn f() {\n  a.unwrap();\n  b.expect(\"c\");\n  format!(\"{}\", d.unwrap());\n}"),
            ["2", "3", "4"]
        );
        assert_eq!(
            lines("fn f() { todo!() }\nfn g() { panic!(\"no\") }"),
            ["1", "2"]
        );
    }

    #[test]
    fn what_only_looks_alike_is_fine() {
        assert!(lines("fn f() { a.unwrap_or(1); core::panic::Location::caller(); }").is_empty());
        assert!(lines("/// `a.unwrap()`\nfn f() -> &'static str { \"x.unwrap()\" }").is_empty());
    }

    #[test]
    fn tests_may_panic_and_so_may_an_item_that_says_why() {
        assert!(lines("#[cfg(test)]\nmod tests { fn f() { a.unwrap(); } }").is_empty());
        assert!(lines("#[test]\n#[cfg(unix)]\nfn f() { a.unwrap(); }").is_empty());
        let said =
            "#[expect(clippy::expect_used, reason = \"a constant\")]\nfn f() { a.expect(\"b\"); }";
        assert!(lines(said).is_empty());
        let unsaid = "#[expect(clippy::expect_used)]\nfn f() { a.expect(\"b\"); }";
        assert_eq!(lines(unsaid), ["2"]);
        assert_eq!(lines(&format!("{said}\nfn g() {{ a.unwrap(); }}")), ["3"]);
    }
}
