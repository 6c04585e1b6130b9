//! No source knows somebody's machine.

use super::Violation;
use super::source::Source;

/// Folders in which one machine differs from the next, absolute. Code takes its paths from the
/// configuration and its scratch folders from `tempfile`; tests may make some up.
const FOLDERS: &[&str] = &["home", "root", "tmp", "Users"];

pub(crate) fn check(source: &Source) -> Vec<Violation> {
    source
        .code()
        .filter(|token| token.is_text())
        .filter_map(|token| Some((token, folder(&token.text)?)))
        .map(|(token, folder)| {
            Violation::at(
                source,
                token.line,
                format!("a path below /{folder}; pass it in"),
            )
        })
        .collect()
}

/// The folder of the list that the text, with its quotes, has an absolute path into.
fn folder(literal: &str) -> Option<&'static str> {
    FOLDERS.iter().copied().find(|folder| {
        let needle = format!("/{folder}/");
        literal.match_indices(&needle).any(|(at, _)| {
            // Behind a letter it is a part of another path.
            !literal[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_path_into_such_a_folder_is_found() {
        assert_eq!(folder("\"/home/ada/x\""), Some("home"));
        assert_eq!(folder("\"see /Users/ada/x\""), Some("Users"));
        assert_eq!(folder("\"a/home/x\""), None);
        assert_eq!(folder("\"/homes/x\""), None);
        assert_eq!(folder("\"/workspaces/x\""), None);
    }

    #[test]
    fn tests_and_documentation_may_make_paths_up() {
        let code = "/// Like `/home/ada`.\nfn f() -> &'static str { \"/tmp/x\" }\n\
                    #[cfg(test)] mod tests { const P: &str = \"/home/ada/x\"; }";
        let violations = check(&Source::sample("recall-text", "src/a.rs", code));
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0].place, "crates/recall-text/src/a.rs:2");
    }
}
