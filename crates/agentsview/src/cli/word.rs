//! Values from the closed word lists of the domain.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use recall_core::UnknownWord;

/// Reads one word of a list; help, completion and errors name them all.
pub(super) fn word<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = UnknownWord> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words.iter().copied()).try_map(|word| word.parse::<T>())
}
