//! Only what a person starts may print.

use super::Violation;
use super::source::Source;

const MAY_PRINT: &[&str] = &["agentsview", "xtask"];
const MACROS: &[&str] = &["print", "println", "eprint", "eprintln", "dbg"];

pub(crate) fn check(source: &Source) -> Vec<Violation> {
    if MAY_PRINT.contains(&source.package.as_str()) {
        return Vec::new();
    }
    source
        .macros()
        .filter(|token| MACROS.contains(&token.text.as_str()))
        .map(|token| Violation::at(source, token.line, format!("{}! in a library", token.text)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_may_not_print_outside_its_tests() {
        let code = "//! println!(\"in a doc\")\nfn f() { println!(\"x\"); let print = 1; }\n\
                    #[test] fn g() { dbg!(1); }";
        let violations = check(&Source::sample("recall-text", "src/a.rs", code));
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0].message, "println! in a library");
        assert_eq!(
            check(&Source::sample("agentsview", "src/main.rs", code)),
            []
        );
    }
}
