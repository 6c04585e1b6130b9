//! Between stored values and the types of the domain.

use recall_core::{IdError, Ordinal, Timestamp, UnknownWord};

use crate::StoreError;

pub(crate) fn time(text: &str) -> Result<Timestamp, StoreError> {
    text.parse().map_err(|_| StoreError::corrupt("time", text))
}

pub(crate) fn optional_time(text: Option<&str>) -> Result<Option<Timestamp>, StoreError> {
    text.map(time).transpose()
}

pub(crate) fn ordinal(number: i64) -> Result<Ordinal, StoreError> {
    Ordinal::try_from(number).map_err(|_| StoreError::corrupt("ordinal", number.to_string()))
}

pub(crate) fn count(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::corrupt("count", number.to_string()))
}

pub(crate) fn optional_count(number: Option<i64>) -> Result<Option<u64>, StoreError> {
    number.map(count).transpose()
}

pub(crate) fn word<T: std::str::FromStr<Err = UnknownWord>>(text: &str) -> Result<T, StoreError> {
    text.parse()
        .map_err(|error: UnknownWord| StoreError::corrupt(error.list, text))
}

/// Reads an id through its constructor, for example `id(SessionId::new, text)`.
pub(crate) fn id<T>(
    new: impl FnOnce(String) -> Result<T, IdError>,
    text: String,
) -> Result<T, StoreError> {
    new(text.clone()).map_err(|_| StoreError::corrupt("id", text))
}

pub(crate) fn optional_id<T>(
    new: impl FnOnce(String) -> Result<T, IdError>,
    text: Option<String>,
) -> Result<Option<T>, StoreError> {
    text.map(|text| id(new, text)).transpose()
}

/// An array of texts, as JSON.
pub(crate) fn texts(what: &'static str, json: &str) -> Result<Vec<String>, StoreError> {
    serde_json::from_str(json).map_err(|_| StoreError::corrupt(what, json))
}

/// Texts as a JSON array.
pub(crate) fn json_texts<T: AsRef<str>>(texts: &[T]) -> String {
    let texts: serde_json::Value = texts.iter().map(AsRef::as_ref).collect();
    texts.to_string()
}

/// SQLite's integers are signed; no count of ours comes near their end.
pub(crate) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
