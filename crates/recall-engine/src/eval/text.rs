//! The text of a trajectory, whatever its shape, and its chunks.

use serde_json::Value;

/// How many characters (Unicode code points) a chunk has; the last one may have fewer.
pub const CHUNK_CHARACTERS: usize = 2000;

/// Every text in the value, trimmed, without the blank ones, joined by line breaks: arrays in their
/// order, objects by the bytes of their member names, the names themselves and all other values
/// left out. Never longer than the JSON that the value was read from.
pub(super) fn flatten(value: &Value) -> String {
    let mut text = String::new();
    // What is still to be visited, next one last: a walk without recursion, however deep.
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::String(leaf) if !leaf.trim().is_empty() => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(leaf.trim());
            }
            Value::Array(items) => pending.extend(items.iter().rev()),
            Value::Object(members) => {
                // A feature of another crate can make an object keep the order it was written in.
                let mut members: Vec<(&String, &Value)> = members.iter().collect();
                members.sort_unstable_by(|(one, _), (other, _)| other.cmp(one));
                pending.extend(members.into_iter().map(|(_, member)| member));
            }
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    text
}

/// The text cut after every [`CHUNK_CHARACTERS`] characters.
pub(super) fn chunks(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text
        .char_indices()
        .step_by(CHUNK_CHARACTERS)
        .map(|(start, _)| start)
        .collect();
    starts.push(text.len());
    starts
        .windows(2)
        .filter_map(|ends| text.get(ends[0]..ends[1]))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    // S-E08
    #[test]
    fn model_129_texts_come_in_the_order_of_names_and_nothing_else_comes() {
        let trajectory = json!({
            "b": "second",
            "a": " first ",
            "arr": ["x", ["y", {"z": "deep"}], "w"],
            "n": 7,
            "ok": true,
            "blank": " \n\t",
            "obj": {"é": "last", "B": "upper comes first", "a": null},
        });
        assert_eq!(
            flatten(&trajectory),
            "first\nx\ny\ndeep\nw\nsecond\nupper comes first\nlast"
        );
        assert_eq!(flatten(&json!(" alone ")), "alone");
        assert_eq!(flatten(&json!({"n": [1, null, " "]})), "");
    }

    // S-E08
    #[test]
    fn model_130_chunks_have_two_thousand_characters_and_split_none() {
        let text = "é🪔".repeat(2025);
        let lengths: Vec<usize> = chunks(&text)
            .iter()
            .map(|chunk| chunk.chars().count())
            .collect();
        assert_eq!(lengths, [2000, 2000, 50]);
        assert_eq!(chunks(&"x".repeat(2000)).len(), 1);
        assert_eq!(chunks(""), Vec::<&str>::new());
    }

    proptest! {
        #[test]
        fn chunks_joined_are_the_text(text in "(?s).{0,5000}") {
            let chunks = chunks(&text);
            prop_assert_eq!(chunks.concat(), text.as_str());
            if let Some((last, full)) = chunks.split_last() {
                prop_assert!(!last.is_empty());
                for chunk in full {
                    prop_assert_eq!(chunk.chars().count(), CHUNK_CHARACTERS);
                }
            }
        }

        #[test]
        fn flattened_text_is_no_longer_than_its_json(
            texts in prop::collection::btree_map(".{0,20}", prop::collection::vec(".{0,20}", 0..4), 0..4),
        ) {
            let value = json!(texts);
            prop_assert!(flatten(&value).len() <= value.to_string().len());
        }
    }
}
