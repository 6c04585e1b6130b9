//! A crate says at its head what it is for, and a library shows it at work.

use super::Violation;
use super::source::Source;

pub(crate) fn check(source: &Source) -> Vec<Violation> {
    let is_library = source.path.ends_with("/src/lib.rs");
    if !is_library && !source.path.ends_with("/src/main.rs") {
        return Vec::new();
    }
    let head: Vec<_> = source.head_doc().collect();
    if head.is_empty() {
        return vec![Violation::at(
            source,
            1,
            "the crate does not start with a head doc",
        )];
    }
    if is_library && !has_example(&head) {
        return vec![Violation::at(
            source,
            1,
            "the head doc has no runnable example",
        )];
    }
    Vec::new()
}

fn has_example(head: &[&str]) -> bool {
    let fences = head
        .iter()
        .filter_map(|line| line.trim().strip_prefix("```"));
    // Every other fence closes.
    fences.step_by(2).any(|opening| {
        opening
            .split(',')
            .all(|word| matches!(word.trim(), "" | "rust" | "should_panic"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, code: &str) -> Vec<String> {
        check(&Source::sample("recall-text", path, code))
            .into_iter()
            .map(|violation| violation.message)
            .collect()
    }

    #[test]
    fn a_library_needs_a_head_doc_with_an_example_that_runs() {
        assert!(messages("src/lib.rs", "//! Text.\n//!\n//! ```\n//! f();\n//! ```\n").is_empty());
        assert_eq!(
            messages("src/lib.rs", "//! Text.\n//! ```sh\n//! ls\n//! ```\n"),
            ["the head doc has no runnable example"]
        );
        assert_eq!(
            messages(
                "src/lib.rs",
                "//! Text.\n//! ```no_run\n//! f();\n//! ```\n"
            ),
            ["the head doc has no runnable example"]
        );
        assert_eq!(
            messages("src/lib.rs", "mod a;\n//! Late.\n"),
            ["the crate does not start with a head doc"]
        );
    }

    #[test]
    fn a_binary_needs_a_head_doc_and_a_module_may_do_without() {
        assert!(messages("src/main.rs", "//! The binary.\nfn main() {}\n").is_empty());
        assert_eq!(messages("src/main.rs", "fn main() {}\n").len(), 1);
        assert!(messages("src/words.rs", "struct Word;\n").is_empty());
    }
}
