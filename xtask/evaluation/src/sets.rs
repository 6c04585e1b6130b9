//! The format of a set: a folder with `sessions/`, `corpus.jsonl` and `queries.jsonl`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use recall_core::{EntryFilter, EntryId, FILTERS, FilterError, IdError, Timestamp, TimestampError};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::EvaluationError;

/// A folder of transcripts, entries and questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionSet {
    /// The folder's name.
    pub name: String,
    /// The folder.
    pub path: PathBuf,
}

/// The sets that are in a folder, by name; the folder may be one itself.
///
/// # Errors
/// [`EvaluationError::NoSets`] if there is none, [`EvaluationError::Read`] if the folder cannot be
/// read.
pub fn find(folder: &Path) -> Result<Vec<QuestionSet>, EvaluationError> {
    if let Some(set) = QuestionSet::at(folder) {
        return Ok(vec![set]);
    }
    let children = fs::read_dir(folder).map_err(EvaluationError::read(folder))?;
    let mut sets = Vec::new();
    for child in children {
        let child = child.map_err(EvaluationError::read(folder))?;
        sets.extend(QuestionSet::at(&child.path()));
    }
    if sets.is_empty() {
        return Err(EvaluationError::NoSets(folder.to_owned()));
    }
    sets.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(sets)
}

impl QuestionSet {
    fn at(folder: &Path) -> Option<Self> {
        let is_one = ["corpus.jsonl", "queries.jsonl"]
            .iter()
            .all(|name| folder.join(name).is_file());
        is_one.then(|| Self {
            name: folder
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default(),
            path: folder.to_owned(),
        })
    }

    /// The transcripts.
    pub fn sessions(&self) -> PathBuf {
        self.path.join("sessions")
    }

    /// Reviewed import lines whose sessions are there.
    pub fn corpus(&self) -> PathBuf {
        self.path.join("corpus.jsonl")
    }

    /// Reviewed import lines whose sessions may be absent; the file may be, too.
    pub fn placeholders(&self) -> PathBuf {
        self.path.join("corpus_placeholder.jsonl")
    }

    /// The questions, in the order of the file.
    ///
    /// # Errors
    /// [`EvaluationError::Line`] names the first line that is no question.
    pub fn questions(&self) -> Result<Vec<Question>, EvaluationError> {
        lines(&self.path.join("queries.jsonl"), Question::parse)
    }

    /// When entries were imported, where `overrides.jsonl` says so.
    ///
    /// # Errors
    /// [`EvaluationError::Line`] names the first line that is no time of an entry.
    pub(crate) fn times(&self) -> Result<HashMap<String, Timestamp>, EvaluationError> {
        let path = self.path.join("overrides.jsonl");
        if !path.is_file() {
            return Ok(HashMap::new());
        }
        let times = lines(&path, |line| {
            let RawTime { id, updated_at } = parse(line)?;
            Ok((id, updated_at.parse()?))
        })?;
        Ok(times.into_iter().collect())
    }
}

/// A question and what is known to answer it.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Its id.
    pub id: String,
    /// Its words.
    pub text: String,
    /// Which entries may answer.
    pub filter: EntryFilter,
    /// The entries that are right; none if nothing in the corpus answers the question.
    pub gold: Vec<EntryId>,
    /// Entries that were right once and must not stand above a right one.
    pub stale: Vec<EntryId>,
    /// What kind of question it is; may be empty.
    pub category: String,
}

/// Why a line is not what it should be.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// It has not the shape.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It names a filter that does not exist.
    #[error("no filter \"{0}\"")]
    UnknownFilter(String),
    /// A filter's value is of the wrong kind.
    #[error("filter \"{0}\" takes another kind of value")]
    FilterKind(String),
    /// A filter's value is not one of its words.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// An entry's id is none.
    #[error(transparent)]
    Id(#[from] IdError),
    /// A time is none.
    #[error(transparent)]
    Time(#[from] TimestampError),
    /// It is to have no answer and has one.
    #[error("expects no answer and names one; drop `expect_empty` or `gold`")]
    Contradiction,
}

#[derive(Deserialize)]
struct RawQuestion {
    id: String,
    query: String,
    #[serde(default)]
    filters: Map<String, Value>,
    #[serde(default)]
    gold: Vec<String>,
    #[serde(default)]
    stale: Vec<String>,
    #[serde(default)]
    category: String,
    #[serde(default)]
    expect_empty: bool,
}

#[derive(Deserialize)]
struct RawTime {
    id: String,
    updated_at: String,
}

impl Question {
    /// Reads a line of `queries.jsonl`.
    ///
    /// # Errors
    /// [`QuestionError`] says what is wrong with it.
    pub fn parse(line: &str) -> Result<Self, QuestionError> {
        let raw: RawQuestion = parse(line)?;
        if raw.expect_empty && !raw.gold.is_empty() {
            return Err(QuestionError::Contradiction);
        }
        Ok(Self {
            id: raw.id,
            text: raw.query,
            filter: filter(&raw.filters)?,
            gold: ids(raw.gold)?,
            stale: ids(raw.stale)?,
            category: raw.category,
        })
    }

    /// Whether something in the corpus answers it.
    pub fn is_answerable(&self) -> bool {
        !self.gold.is_empty()
    }
}

fn ids(texts: Vec<String>) -> Result<Vec<EntryId>, IdError> {
    texts.into_iter().map(EntryId::new).collect()
}

fn filter(values: &Map<String, Value>) -> Result<EntryFilter, QuestionError> {
    let mut filter = EntryFilter::default();
    for (name, value) in values {
        let kind = || QuestionError::FilterKind(name.clone());
        if name == "trusted_only" {
            filter.trusted_only = value.as_bool().ok_or_else(kind)?;
            continue;
        }
        let spec = FILTERS
            .iter()
            .find(|spec| spec.name == name)
            .ok_or_else(|| QuestionError::UnknownFilter(name.clone()))?;
        filter.set(spec.key, value.as_str().ok_or_else(kind)?)?;
    }
    Ok(filter)
}

fn parse<T: DeserializeOwned>(line: &str) -> Result<T, QuestionError> {
    Ok(serde_json::from_str(line)?)
}

/// The lines of a file that are not blank, read one by one.
fn lines<T>(
    path: &Path,
    read: impl Fn(&str) -> Result<T, QuestionError>,
) -> Result<Vec<T>, EvaluationError> {
    let text = fs::read_to_string(path).map_err(EvaluationError::read(path))?;
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            read(line).map_err(|error| EvaluationError::Line {
                path: path.to_owned(),
                line: index + 1,
                error,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_brings_its_filters() {
        let question = Question::parse(
            r#"{"id": "q", "query": "x", "gold": ["a"], "lang": "de",
                "filters": {"project": "atlas", "type": "warning", "trusted_only": true}}"#,
        )
        .unwrap();
        assert_eq!(question.filter.project.as_deref(), Some("atlas"));
        assert!(question.filter.trusted_only);
        assert!(question.is_answerable());
    }

    #[test]
    fn a_wrong_filter_is_no_silent_default() {
        let refused = |filters: &str| {
            let line = format!(r#"{{"id": "q", "query": "x", "filters": {filters}}}"#);
            Question::parse(&line).unwrap_err().to_string()
        };
        assert_eq!(refused(r#"{"colour": "red"}"#), "no filter \"colour\"");
        assert!(refused(r#"{"project": 1}"#).contains("another kind"));
        assert!(refused(r#"{"type": "wisdom"}"#).contains("wisdom"));
    }

    #[test]
    fn a_question_cannot_have_an_answer_and_none() {
        let line = r#"{"id": "q", "query": "x", "gold": ["a"], "expect_empty": true}"#;
        assert!(matches!(
            Question::parse(line),
            Err(QuestionError::Contradiction)
        ));
    }

    #[test]
    fn a_folder_of_sets_and_a_set_are_both_found() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(
            find(folder.path()),
            Err(EvaluationError::NoSets(_))
        ));
        let set = folder.path().join("one");
        fs::create_dir(&set).unwrap();
        fs::write(set.join("corpus.jsonl"), "").unwrap();
        fs::write(set.join("queries.jsonl"), "{}\n").unwrap();
        assert_eq!(find(folder.path()).unwrap(), find(&set).unwrap());
        assert_eq!(find(&set).unwrap()[0].name, "one");
        let error = find(&set).unwrap()[0].questions().unwrap_err().to_string();
        assert!(
            error.contains("queries.jsonl:1: missing field `id`"),
            "{error}"
        );
    }
}
