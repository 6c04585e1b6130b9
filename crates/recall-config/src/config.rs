//! What a person configured.

use crate::document::Document;
use crate::{ConfigError, Environment};

/// The configuration file, read. Nothing in it is a default in disguise: what was not said is
/// `None`, and what was said wrongly is an error.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Config {
    /// The section `[review]`.
    pub review: ReviewConfig,
}

/// How entries are reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReviewConfig {
    /// Who signs reviews: one line of text, trimmed and not empty.
    pub name: Option<String>,
}

impl Config {
    /// Reads the text of a configuration file; an empty text configures nothing.
    ///
    /// Sections that are not known are left alone: other programs and later versions keep theirs in
    /// the same file.
    ///
    /// # Errors
    ///
    /// The first thing wrong, with its line: [`ConfigError::NotToml`]; in a known section
    /// [`ConfigError::WrongType`], [`ConfigError::Blank`], [`ConfigError::ControlCharacter`],
    /// [`ConfigError::MisspeltKey`] and [`ConfigError::UnknownKey`]; and
    /// [`ConfigError::MisspeltSection`] for a section that is a known one but for its spelling.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let mut document = Document::parse(text)?;
        let mut review = document.section("review")?;
        let config = Self {
            review: ReviewConfig {
                name: review.one_line("name")?,
            },
        };
        review.finish()?;
        document.finish()?;
        Ok(config)
    }
}

/// Who signs reviews: the configured name, else the system user's. `None` if neither is known;
/// nobody is made up.
pub fn reviewer_name<'a>(config: &'a Config, environment: &'a Environment) -> Option<&'a str> {
    config
        .review
        .name
        .as_deref()
        .or_else(|| environment.user_name())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Option<String> {
        Config::parse(text).unwrap().review.name
    }

    fn message(text: &str) -> String {
        Config::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn an_empty_file_configures_nothing() {
        for text in ["", "\n# later\n", "[review]\n", "\u{feff}[review]"] {
            assert_eq!(Config::parse(text), Ok(Config::default()), "{text:?}");
        }
    }

    #[test]
    fn the_reviewers_name_is_read_however_toml_writes_it() {
        for text in [
            "[review]\nname = \"Ada\"",
            "review.name = ' Ada '",
            "review = { name = \"\\u0041da\" }\r\n",
        ] {
            assert_eq!(name(text).as_deref(), Some("Ada"), "{text}");
        }
    }

    #[test]
    fn what_belongs_to_others_is_left_alone() {
        let text = "host = 3\n[preview]\nx = 1\n[[agents]]\n[review]\nname = \"Ada\"\n[review2]";
        assert!(Config::parse(text).is_err(), "[review2] is a near miss");
        let text = text.replace("[review2]", "[vector.embed]");
        assert_eq!(name(&text).as_deref(), Some("Ada"));
    }

    #[test]
    fn a_misspelt_section_or_key_is_refused_with_the_nearest_name() {
        assert_eq!(
            message("\n[reveiw]\nname = \"Ada\""),
            "line 2: there is no section [reveiw]; did you mean [review]?"
        );
        assert_eq!(
            message("[review]\n\nnmae = \"Ada\""),
            "line 3: there is no key review.nmae; did you mean review.name?"
        );
        assert_eq!(
            message("[review]\nname = \"Ada\"\nmail = \"\""),
            "line 3: there is no key review.mail; known in this section: name"
        );
        assert_eq!(
            message("[review]\nname.first = \"Ada\""),
            "line 2: review.name must be a string, found a table"
        );
        assert_eq!(
            message("[review]\n[review.nested]\nname = \"Ada\""),
            "line 2: there is no key review.nested; known in this section: name"
        );
    }

    #[test]
    fn a_wrong_value_is_an_error_and_never_a_default() {
        let cases = [
            ("3", "must be a string, found an integer"),
            ("['Ada']", "must be a string, found an array"),
            ("' \t'", "is blank; give it a value or take it out"),
            (
                "\"A\\u001bda\"",
                "must not contain control characters; take them out",
            ),
            (
                "'''Ada\nB.'''",
                "must not contain control characters; take them out",
            ),
        ];
        for (value, problem) in cases {
            assert_eq!(
                message(&format!("[review]\nname = {value}")),
                format!("line 2: review.name {problem}")
            );
        }
        assert_eq!(
            message("x = 1\nreview = true"),
            "line 2: review must be a section, found a boolean"
        );
        assert_eq!(
            message("[[review]]\nname = 'Ada'"),
            "line 1: review must be a section, found an array"
        );
    }

    #[test]
    fn what_is_no_toml_is_refused_with_its_line_and_without_its_value() {
        let secret = message("[review]\nname = q7VbT2mXw9\n");
        assert!(secret.starts_with("line 2: not TOML: "));
        assert!(!secret.contains("q7Vb"), "{secret}");
        let twice = message("[review]\nname = 'Ada'\nname = 'Grace'");
        assert!(twice.starts_with("line 3: not TOML: "), "{twice}");
        let deep = format!("x = {}", "[".repeat(100_000));
        assert!(message(&deep).starts_with("line 1: not TOML: "));
    }

    #[test]
    fn the_configured_name_wins_over_the_system_users() {
        let system = Environment::new("/home/ada", "/tmp").with("USER", "ada");
        let configured = Config::parse("[review]\nname = \"Ada L.\"").unwrap();
        assert_eq!(reviewer_name(&configured, &system), Some("Ada L."));
        assert_eq!(reviewer_name(&Config::default(), &system), Some("ada"));
        assert_eq!(
            reviewer_name(&Config::default(), &Environment::default()),
            None
        );
    }
}
