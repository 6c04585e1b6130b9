//! Counts of tokens.

use serde::Deserialize;

use super::record::Field;
use crate::TokenUsage;

/// What the last answer cost, from the `info` of a count. The file counts cached input tokens among
/// the input tokens.
pub(super) fn of(info: Field<'_>) -> Option<TokenUsage> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Info<'a> {
        #[serde(borrow)]
        last_token_usage: Field<'a>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Count<'a> {
        #[serde(borrow, rename = "input_tokens")]
        input: Field<'a>,
        #[serde(borrow, rename = "cached_input_tokens")]
        cached: Field<'a>,
        #[serde(borrow, rename = "output_tokens")]
        output: Field<'a>,
    }
    let count: Count<'_> = info.object::<Info<'_>>()?.last_token_usage.object()?;
    let cached = count.cached.number();
    let usage = TokenUsage {
        input_tokens: count
            .input
            .number()
            .map(|input| input.saturating_sub(cached.unwrap_or(0))),
        output_tokens: count.output.number(),
        cache_creation_input_tokens: None,
        cache_read_input_tokens: cached,
    };
    (usage != TokenUsage::default()).then_some(usage)
}

#[cfg(test)]
mod tests {
    use super::super::record::{Event, object};
    use super::*;

    #[test]
    fn cached_input_is_counted_once_and_an_absent_number_is_not_zero() {
        let count = |line: &str| of(object::<Event<'_>>(line.as_bytes()).unwrap().info);
        let usage = count(
            r#"{"info":{"last_token_usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":0}}}"#,
        )
        .unwrap();
        assert_eq!(
            (usage.input_tokens, usage.cache_read_input_tokens),
            (Some(6), Some(4))
        );
        assert_eq!(
            (usage.output_tokens, usage.context_tokens()),
            (Some(0), Some(10))
        );
        let unreadable = r#"{"info":{"last_token_usage":{"input_tokens":"many"}}}"#;
        assert_eq!(count(unreadable), None);
        assert_eq!(count(r#"{"info":null}"#), None);
    }
}
