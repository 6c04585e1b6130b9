//! JSON as a reviewer's line may be written: UTF-8, no byte order mark, and no member named twice,
//! since of two values for one name nobody knows which was reviewed.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::error::LineError;

/// Reads one JSON value.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, LineError> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(LineError::ByteOrderMark);
    }
    let text =
        std::str::from_utf8(bytes).map_err(|error| LineError::NotUtf8(error.valid_up_to() + 1))?;
    match serde_json::from_str::<Strict>(text) {
        Ok(Strict(value)) => Ok(value),
        Err(error) => {
            let (message, column) = (error.to_string(), error.column());
            // The number of the line inside the line would only confuse.
            let place = format!(" at line {} column {column}", error.line());
            let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
            // An object that was written over several lines gives an unfinished first line, and
            // further ones that begin with a member or a bracket.
            if error.is_eof() || !text.starts_with('{') {
                Err(LineError::Fragment { message, column })
            } else {
                Err(LineError::Json { message, column })
            }
        }
    }
}

/// What a value is, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if object.contains_key(&name) {
                return Err(A::Error::custom(format_args!(
                    "member {name:?} occurs twice"
                )));
            }
            let Strict(value) = members.next_value()?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn message(bytes: &[u8]) -> String {
        parse(bytes).unwrap_err().to_string()
    }

    #[test]
    fn model_100_a_member_named_twice_is_refused_at_any_depth() {
        assert_eq!(
            message(br#"{"a":1,"a":1}"#),
            "invalid JSON: member \"a\" occurs twice at column 10"
        );
        assert!(message(br#"{"a":[{"b":1,"b":2}]}"#).contains("member \"b\" occurs twice"));
        assert!(parse(br#"{"a":{"a":1}}"#).is_ok());
    }

    #[test]
    fn only_plain_utf8_is_read() {
        assert_eq!(
            message(b"\xef\xbb\xbf{}"),
            "the line starts with a byte order mark; save the file as UTF-8 without one"
        );
        assert_eq!(
            message(b"{\"a\":\"\xff\"}"),
            "invalid JSON: the text is not UTF-8 at byte 7"
        );
        assert!(message(br#"{"a":"\ud800"}"#).starts_with("invalid JSON: "));
        assert!(message(br#"{"a":1} x"#).starts_with("invalid JSON: trailing characters"));
    }

    #[test]
    fn each_line_of_a_spread_object_says_that_one_line_holds_one_object() {
        let hint = "; one line must hold one whole object, so write it without line breaks";
        let spread = "{\n\"title\": \"x\",\n\"evidence\": {\n\"ordinal_start\": 1\n}\n}";
        for line in spread.lines() {
            let message = message(line.as_bytes());
            assert!(message.ends_with(hint), "{message}");
        }
        assert_eq!(
            message(b"{"),
            format!("invalid JSON: EOF while parsing an object at column 1{hint}")
        );
        assert!(!message(br#"{"a":1,}"#).ends_with(hint));
    }

    #[test]
    fn nesting_without_end_is_an_error_and_not_a_crash() {
        let deep = "[".repeat(100_000);
        assert!(message(deep.as_bytes()).contains("recursion limit"));
    }

    proptest! {
        #[test]
        fn a_value_with_distinct_members_reads_as_elsewhere(
            texts in prop::collection::btree_map(any::<String>(), any::<String>(), 0..5),
            number in any::<i64>(),
        ) {
            let value = serde_json::json!({ "texts": texts, "number": number, "list": [null, true] });
            let bytes = serde_json::to_vec(&value).unwrap();
            prop_assert_eq!(parse(&bytes).unwrap(), value);
        }
    }
}
