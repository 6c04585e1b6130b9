//! A source file as a row of tokens that know whether only tests see them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use walkdir::WalkDir;

use super::TidyError;
use super::packages::Package;

/// Folders of a crate whose files are all tests.
const TEST_FOLDERS: &[&str] = &["tests", "benches", "examples"];
/// Words that start an item, in which commas stand between parameters and bounds.
const ITEMS: &[&str] = &[
    "const",
    "enum",
    "fn",
    "impl",
    "let",
    "macro_rules",
    "mod",
    "static",
    "struct",
    "trait",
    "type",
    "use",
];
/// Lints that an item may expect, with a reason, to be allowed to panic.
const PANIC_LINTS: &[&str] = &["expect_used", "unwrap_used", "panic"];

/// One file.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The crate it belongs to.
    pub(crate) package: String,
    /// Its path in the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    tokens: Vec<Token>,
}

/// A token of code; comments and documentation are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
    kind: Kind,
    in_test: bool,
    /// Whether an item around it said why it may panic.
    pub(crate) may_panic: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ident,
    Literal,
    Punct,
}

impl Token {
    pub(crate) fn is_ident(&self, text: &str) -> bool {
        self.kind == Kind::Ident && self.text == text
    }

    fn is_punct(&self, text: &str) -> bool {
        self.kind == Kind::Punct && self.text == text
    }

    /// Whether it is a string literal; its text has the quotes.
    pub(crate) fn is_text(&self) -> bool {
        self.kind == Kind::Literal && self.text.contains('"')
    }
}

impl Source {
    fn parse(package: &str, path: String, text: String) -> Result<Self, TidyError> {
        let stream: TokenStream =
            text.parse()
                .map_err(|error: proc_macro2::LexError| TidyError::Syntax {
                    path: path.clone(),
                    message: error.to_string(),
                })?;
        let mut tokens = Vec::new();
        flatten(stream, State::default(), &mut tokens);
        Ok(Self {
            package: package.to_owned(),
            path,
            text,
            tokens,
        })
    }

    /// The tokens that are not for tests alone.
    pub(crate) fn code(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|token| !token.in_test)
    }

    /// The name of every function that only tests see.
    pub(crate) fn test_functions(&self) -> impl Iterator<Item = &str> {
        self.tokens.windows(2).filter_map(|window| {
            let [keyword, name] = window else {
                return None;
            };
            (keyword.in_test && keyword.is_ident("fn")).then_some(name.text.as_str())
        })
    }

    /// The name of every macro call.
    pub(crate) fn macros(&self) -> impl Iterator<Item = &Token> {
        self.windows::<3>().filter_map(|[name, bang, open]| {
            let called = name.kind == Kind::Ident && bang.is_punct("!") && is_open(open);
            called.then_some(name)
        })
    }

    /// The name of every method call.
    pub(crate) fn method_calls(&self) -> impl Iterator<Item = &Token> {
        self.windows::<3>().filter_map(|[dot, name, open]| {
            (dot.is_punct(".") && name.kind == Kind::Ident && open.is_punct("(")).then_some(name)
        })
    }

    /// Every module of the standard library that is named, with the line.
    pub(crate) fn std_modules(&self) -> impl Iterator<Item = (&str, usize)> {
        let code: Vec<_> = self.code().collect();
        let mut found = Vec::new();
        for (at, window) in code.windows(4).enumerate() {
            if !(window[0].is_ident("std") && window[1].is_punct(":") && window[2].is_punct(":")) {
                continue;
            }
            if window[3].kind == Kind::Ident {
                found.push((window[3].text.as_str(), window[3].line));
            } else if window[3].is_punct("{") {
                found.extend(heads_of_list(&code[at + 4..]));
            }
        }
        found.into_iter()
    }

    /// The lines of the `//!` comment that the file starts with, without the slashes.
    pub(crate) fn head_doc(&self) -> impl Iterator<Item = &str> {
        self.text.lines().map_while(|line| line.strip_prefix("//!"))
    }

    fn windows<const N: usize>(&self) -> impl Iterator<Item = [&Token; N]> {
        let code: Vec<_> = self.code().collect();
        (0..(code.len() + 1).saturating_sub(N))
            .map(move |at| std::array::from_fn(|offset| code[at + offset]))
    }

    /// Modules of this file that are in files of their own and only for tests.
    fn test_modules(&self) -> impl Iterator<Item = &str> {
        self.tokens.windows(3).filter_map(|window| {
            let [keyword, name, end] = window else {
                return None;
            };
            (keyword.in_test && keyword.is_ident("mod") && end.is_punct(";"))
                .then_some(name.text.as_str())
        })
    }

    fn mark_as_test(&mut self) {
        for token in &mut self.tokens {
            token.in_test = true;
        }
    }
}

fn is_open(token: &Token) -> bool {
    ["(", "[", "{"].iter().any(|open| token.is_punct(open))
}

/// The first name of every path in a list of imports, up to its closing brace.
fn heads_of_list<'a>(list: &[&'a Token]) -> Vec<(&'a str, usize)> {
    let mut heads = Vec::new();
    let mut depth = 1;
    let mut at_head = true;
    for token in list {
        if token.is_punct("{") {
            depth += 1;
        } else if token.is_punct("}") {
            depth -= 1;
            if depth == 0 {
                break;
            }
        } else if token.is_punct(",") {
            at_head = depth == 1;
        } else if at_head && token.kind == Kind::Ident {
            heads.push((token.text.as_str(), token.line));
            at_head = false;
        }
    }
    heads
}

/// What the attributes so far say about the code they stand on.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    in_test: bool,
    may_panic: bool,
}

/// Appends the tokens of `stream`. An attribute holds up to the end of what it stands on: a block in
/// braces, a semicolon, or the comma after a field, a variant or an arm.
fn flatten(stream: TokenStream, outer: State, tokens: &mut Vec<Token>) {
    let mut state = outer;
    let mut ends_at_comma = true;
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let is_inner = trees
                    .next_if(|next| matches!(next, TokenTree::Punct(bang) if bang.as_char() == '!'))
                    .is_some();
                let attribute = trees.next_if(|next| {
                    matches!(next, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket)
                });
                if let Some(TokenTree::Group(group)) = attribute {
                    let said = attribute_state(&group.stream());
                    ends_at_comma = true;
                    state.in_test |= said.in_test;
                    // What is allowed for a whole file is allowed by nobody in particular.
                    state.may_panic |= said.may_panic && !is_inner;
                }
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                let line = group.span_open().start().line;
                tokens.push(state.token(open.to_owned(), line, Kind::Punct));
                flatten(group.stream(), state, tokens);
                let line = group.span_close().start().line;
                tokens.push(state.token(close.to_owned(), line, Kind::Punct));
                if group.delimiter() == Delimiter::Brace {
                    state = outer;
                }
            }
            TokenTree::Punct(punct) => {
                let line = punct.span().start().line;
                tokens.push(state.token(punct.as_char().to_string(), line, Kind::Punct));
                if punct.as_char() == ';' || (punct.as_char() == ',' && ends_at_comma) {
                    state = outer;
                }
            }
            TokenTree::Ident(ident) => {
                let line = ident.span().start().line;
                let name = ident.to_string();
                ends_at_comma &= !ITEMS.contains(&name.as_str());
                tokens.push(state.token(name, line, Kind::Ident));
            }
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                tokens.push(state.token(literal.to_string(), line, Kind::Literal));
            }
        }
    }
}

impl State {
    fn token(self, text: String, line: usize, kind: Kind) -> Token {
        Token {
            text,
            line,
            kind,
            in_test: self.in_test,
            may_panic: self.may_panic,
        }
    }
}

/// What one attribute, without its brackets, says.
fn attribute_state(attribute: &TokenStream) -> State {
    let text = attribute.to_string().replace(char::is_whitespace, "");
    let is_test = text == "test"
        || text.ends_with("::test")
        || text.starts_with("tokio::test(")
        || (text.starts_with("cfg(") && text.contains("test") && !text.contains("not(test"));
    let says_why = text.starts_with("expect(")
        && text.contains("reason=")
        && PANIC_LINTS
            .iter()
            .any(|lint| text.contains(&format!("clippy::{lint}")));
    State {
        in_test: is_test,
        may_panic: says_why,
    }
}

/// Reads every source of the packages.
pub(crate) fn read(workspace: &Path, packages: &[Package]) -> Result<Vec<Source>, TidyError> {
    let mut sources = Vec::new();
    for package in packages {
        let manifest = workspace.join(&package.manifest);
        let folder = manifest.parent().unwrap_or(workspace);
        let mut of_package = Vec::new();
        for path in rust_files(folder) {
            let path = path?;
            let text = fs::read_to_string(&path).map_err(|error| TidyError::Read {
                path: path.clone(),
                error,
            })?;
            let relative = slashed(path.strip_prefix(workspace).unwrap_or(&path));
            of_package.push(Source::parse(&package.name, relative, text)?);
        }
        mark_tests(
            &slashed(folder.strip_prefix(workspace).unwrap_or(folder)),
            &mut of_package,
        );
        sources.extend(of_package);
    }
    Ok(sources)
}

fn rust_files(folder: &Path) -> impl Iterator<Item = Result<PathBuf, TidyError>> {
    ["src", "tests", "benches", "examples", "build.rs"]
        .into_iter()
        .map(move |part| folder.join(part))
        .filter(|part| part.exists())
        .flat_map(|part| WalkDir::new(part).sort_by_file_name())
        .map(|entry| match entry {
            Ok(entry) => Ok(entry.into_path()),
            Err(error) => Err(TidyError::Read {
                path: error.path().unwrap_or(Path::new("")).to_owned(),
                error: error.into(),
            }),
        })
        .filter(|path| {
            path.as_ref().map_or(true, |path| {
                path.extension().is_some_and(|extension| extension == "rs")
            })
        })
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Marks the files of one package that only tests see: those in the folders of tests, and those of
/// modules that were declared for tests.
fn mark_tests(folder: &str, sources: &mut [Source]) {
    let modules: BTreeSet<String> = sources
        .iter()
        .flat_map(|source| {
            let children = children_of(&source.path);
            source
                .test_modules()
                .map(move |module| format!("{children}/{module}"))
        })
        .collect();
    for source in sources {
        let in_folder = TEST_FOLDERS
            .iter()
            .any(|tests| source.path.starts_with(&format!("{folder}/{tests}/")));
        let in_module = modules.iter().any(|module| {
            source
                .path
                .strip_prefix(module.as_str())
                .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        });
        if in_folder || in_module {
            source.mark_as_test();
        }
    }
}

/// The folder in which the modules of a file have their files.
fn children_of(path: &str) -> &str {
    ["/lib.rs", "/main.rs", "/mod.rs", ".rs"]
        .iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path)
}

#[cfg(test)]
impl Source {
    /// A file for tests.
    pub(crate) fn sample(package: &str, path: &str, text: &str) -> Self {
        Self::parse(package, format!("crates/{package}/{path}"), text.to_owned()).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(source: &Source) -> Vec<&str> {
        source.code().map(|token| token.text.as_str()).collect()
    }

    #[test]
    fn an_attribute_for_tests_holds_to_the_end_of_its_item() {
        let source = Source::sample(
            "recall-text",
            "src/a.rs",
            "#[cfg(test)] use a::b; #[cfg(all(test, unix))] mod c { fn d() {} } \
             #[tokio::test] async fn e<H, I>() -> J<K, L> {} #[cfg(not(test))] f; g",
        );
        assert_eq!(code(&source), ["f", ";", "g"]);
        let source = Source::sample("recall-text", "src/a.rs", "A { #[cfg(test)] b: C, d: E }");
        assert_eq!(code(&source), ["A", "{", "d", ":", "E", "}"]);
    }

    #[test]
    fn comments_and_documentation_are_no_code() {
        let source = Source::sample(
            "recall-text",
            "src/a.rs",
            "//! head\n/// doc\n// why\na /* b */ c",
        );
        assert_eq!(code(&source), ["a", "c"]);
        assert_eq!(source.head_doc().collect::<Vec<_>>(), [" head"]);
        assert_eq!(source.code().next().map(|token| token.line), Some(4));
    }

    #[test]
    fn a_module_declared_for_tests_is_for_tests_in_its_own_file_too() {
        let mut sources = [
            Source::sample("p", "src/lib.rs", "#[cfg(test)] mod samples; mod words;"),
            Source::sample("p", "src/samples.rs", "a"),
            Source::sample("p", "src/samples/more.rs", "a"),
            Source::sample("p", "src/words.rs", "#[cfg(test)] mod tests;"),
            Source::sample("p", "src/words/tests.rs", "a"),
            Source::sample("p", "src/tests.rs", "a"),
            Source::sample("p", "tests/whole.rs", "a"),
        ];
        mark_tests("crates/p", &mut sources);
        let with_code: Vec<_> = sources
            .iter()
            .filter(|source| source.code().next().is_some())
            .map(|source| source.path.as_str())
            .collect();
        assert_eq!(with_code, ["crates/p/src/lib.rs", "crates/p/src/tests.rs"]);
    }
}
