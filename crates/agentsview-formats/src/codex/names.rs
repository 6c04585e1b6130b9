//! The names of sessions, kept in a file beside their folders.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::record::{Field, object};
use crate::text::storable;

/// Reads `session_index.jsonl`, which lies beside the folder of Codex sessions: the name of each
/// thread by its native id (without the archive's prefix). A later line replaces an earlier one;
/// lines that cannot be read are passed over.
///
/// ```
/// let names = agentsview_formats::codex_thread_names(
///     b"{\"id\":\"t1\",\"thread_name\":\"First\"}\n{\"id\":\"t1\",\"thread_name\":\"Second\"}\n",
/// );
/// assert_eq!(names["t1"], "Second");
/// ```
pub fn codex_thread_names(bytes: &[u8]) -> BTreeMap<String, String> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Named<'a> {
        #[serde(borrow)]
        id: Field<'a>,
        #[serde(borrow)]
        thread_name: Field<'a>,
    }
    bytes
        .split(|byte| *byte == b'\n')
        .filter_map(|line| {
            let named: Named<'_> = object(line)?;
            let name = storable(named.thread_name.owned());
            Some((named.id.text()?.into_owned(), name.trim().to_owned()))
        })
        .filter(|(_, name)| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_lines_do_not_hide_the_others() {
        let names = codex_thread_names(
            b"{oops\n\n{\"id\":7,\"thread_name\":\"x\"}\n{\"id\":\"t2\",\"thread_name\":\" Two \"}",
        );
        assert_eq!(names, [("t2".to_owned(), "Two".to_owned())].into());
    }
}
