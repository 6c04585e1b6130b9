//! Reading a TOML document by name: what is asked for is known, what is left over is not.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::ConfigError;
use crate::spelling::nearest;

/// A TOML document whose sections are taken out one after the other.
pub(crate) struct Document<'t> {
    text: &'t str,
    sections: DeTable<'t>,
    known: Vec<&'static str>,
}

/// One section of a document, whose keys are taken out likewise.
pub(crate) struct Section<'t> {
    text: &'t str,
    name: &'static str,
    keys: DeTable<'t>,
    known: Vec<&'static str>,
}

impl<'t> Document<'t> {
    pub(crate) fn parse(text: &'t str) -> Result<Self, ConfigError> {
        let table = DeTable::parse(text).map_err(|error| {
            // An error without a place is one at the end: something is missing there.
            let place = error.span().map_or(text.len(), |span| span.start);
            ConfigError::NotToml {
                line: line_of(text, place),
                problem: error.message().to_owned(),
            }
        })?;
        Ok(Self {
            text,
            sections: table.into_inner(),
            known: Vec::new(),
        })
    }

    /// Takes a section out; an absent one is an empty one.
    pub(crate) fn section(&mut self, name: &'static str) -> Result<Section<'t>, ConfigError> {
        self.known.push(name);
        let keys = match self.sections.remove(name).map(placed) {
            None => DeTable::default(),
            Some((_, DeValue::Table(keys))) => keys,
            Some((place, other)) => {
                return Err(ConfigError::WrongType {
                    key: name.to_owned(),
                    line: line_of(self.text, place),
                    expected: "section",
                    found: other.type_str(),
                });
            }
        };
        Ok(Section {
            text: self.text,
            name,
            keys,
            known: Vec::new(),
        })
    }

    /// Refuses a section that is ours but for its spelling. Any other one belongs to another
    /// program or another version.
    pub(crate) fn finish(self) -> Result<(), ConfigError> {
        for name in self.sections.keys() {
            if let Some(nearest) = nearest(name.get_ref(), &self.known) {
                return Err(ConfigError::MisspeltSection {
                    section: name.get_ref().to_string(),
                    line: line_of(self.text, name.span().start),
                    nearest,
                });
            }
        }
        Ok(())
    }
}

impl Section<'_> {
    /// Takes a line of text out, trimmed; `None` if the key is absent.
    pub(crate) fn one_line(&mut self, key: &'static str) -> Result<Option<String>, ConfigError> {
        self.known.push(key);
        let Some((place, value)) = self.keys.remove(key).map(placed) else {
            return Ok(None);
        };
        let line = line_of(self.text, place);
        let key = self.path(key);
        let DeValue::String(text) = value else {
            return Err(ConfigError::WrongType {
                key,
                line,
                expected: "string",
                found: value.type_str(),
            });
        };
        let text = text.trim();
        if text.is_empty() {
            Err(ConfigError::Blank { key, line })
        } else if text.chars().any(char::is_control) {
            Err(ConfigError::ControlCharacter { key, line })
        } else {
            Ok(Some(text.to_owned()))
        }
    }

    /// Refuses what was not taken: in a section of ours, every other key is a mistake.
    pub(crate) fn finish(self) -> Result<(), ConfigError> {
        let Some(unknown) = self.keys.keys().next() else {
            return Ok(());
        };
        let line = line_of(self.text, unknown.span().start);
        let key = self.path(unknown.get_ref());
        Err(match nearest(unknown.get_ref(), &self.known) {
            Some(nearest) => ConfigError::MisspeltKey {
                key,
                line,
                nearest: self.path(nearest),
            },
            None => ConfigError::UnknownKey {
                key,
                line,
                known: self.known,
            },
        })
    }

    fn path(&self, key: &str) -> String {
        format!("{}.{key}", self.name)
    }
}

/// A value with the byte that it starts at.
fn placed(value: Spanned<DeValue<'_>>) -> (usize, DeValue<'_>) {
    (value.span().start, value.into_inner())
}

/// The number of the line that a byte lies on, from 1.
fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().iter().take(byte);
    1 + before.filter(|byte| **byte == b'\n').count()
}
