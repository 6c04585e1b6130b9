//! Building a page line by line.

use std::fmt::Display;

use recall_text::{clean_block, clean_line};

/// How many items of a kind are shown where a command may have touched thousands (W11).
pub(super) const FEW: usize = 20;

/// Text for a terminal under construction.
#[derive(Debug, Default)]
pub(super) struct Page(String);

impl Page {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// One line, its blanks at the end dropped.
    pub(super) fn line(&mut self, line: impl Display) {
        let start = self.0.len();
        self.0.push_str(&line.to_string());
        self.0.truncate(start + self.0[start..].trim_end().len());
        self.0.push('\n');
    }

    /// An empty line, unless the page is empty or has one already.
    pub(super) fn gap(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with("\n\n") {
            self.0.push('\n');
        }
    }

    /// Stored text of several lines, cleaned, each line behind `indent`.
    pub(super) fn block(&mut self, indent: &str, text: &str) {
        for line in clean_block(text).trim_end().lines() {
            self.line(format_args!("{indent}{line}"));
        }
    }

    /// The first `most` of some items, each as `show` writes it, and how many were left out.
    pub(super) fn first<T>(
        &mut self,
        most: usize,
        items: &[T],
        mut show: impl FnMut(&mut Self, &T),
    ) {
        for item in items.iter().take(most) {
            show(self, item);
        }
        if let Some(more) = items.len().checked_sub(most).filter(|more| *more > 0) {
            self.line(format_args!("  and {more} more; --json lists all"));
        }
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// Names and values in two columns. An empty value leaves its row out.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<(&'static str, String)>);

impl Fields {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// A value of one line.
    pub(super) fn line(&mut self, name: &'static str, value: impl Display) {
        self.0
            .push((name, clean_line(&value.to_string()).into_owned()));
    }

    /// A value that may have several lines.
    pub(super) fn block(&mut self, name: &'static str, value: &str) {
        self.0
            .push((name, clean_block(value).trim_end().to_owned()));
    }

    pub(super) fn write(self, page: &mut Page) {
        let rows = || self.0.iter().filter(|(_, value)| !value.is_empty());
        let width = rows().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in rows() {
            let mut name = *name;
            for line in value.lines() {
                page.line(format_args!("{name:width$}  {line}"));
                name = "";
            }
        }
    }
}

/// `1 entry`, `2 entries`.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// As [`count`], and nothing for none.
pub(super) fn some(number: u64, one: &str, many: &str) -> String {
    if number == 0 {
        String::new()
    } else {
        count(number, one, many)
    }
}

/// A size in the largest unit that keeps it above one.
pub(super) fn bytes(number: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if number < 1000 {
        return format!("{number} B");
    }
    let mut whole = number;
    let mut unit = 0;
    while whole >= 1_000_000 && unit + 1 < UNITS.len() {
        whole /= 1000;
        unit += 1;
    }
    format!("{}.{} {}", whole / 1000, whole % 1000 / 100, UNITS[unit])
}

/// A stored time to the minute: `2026-03-04 05:06`.
pub(super) fn minute(time: &str) -> String {
    time.chars().take(16).collect::<String>().replace('T', " ")
}

/// Words of a list as people write them: `assistant, tool output`.
pub(super) fn words<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    commas(words).replace('_', " ")
}

/// A text as one word of a shell command. What cannot be one is left out.
pub(super) fn shell(text: &str) -> String {
    shlex::try_quote(&clean_line(text)).map_or_else(|_| String::new(), Into::into)
}

/// The parts that say something, with commas.
pub(super) fn commas<S: AsRef<str>>(parts: impl IntoIterator<Item = S>) -> String {
    let parts: Vec<_> = parts
        .into_iter()
        .filter(|part| !part.as_ref().is_empty())
        .map(|part| clean_line(part.as_ref()).into_owned())
        .collect();
    parts.join(", ")
}

/// `name value`, or nothing if there is no value.
pub(super) fn named(name: &str, value: &str) -> String {
    if value.is_empty() {
        String::new()
    } else {
        format!("{name} {value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_several_lines_stays_in_its_column() {
        let mut fields = Fields::new();
        fields.line("id", "e-1\n  forged  row");
        fields.block("body", "first\n  second\n");
        fields.line("model", "");
        let mut page = Page::new();
        fields.write(&mut page);
        assert_eq!(
            page.finish(),
            "id    e-1 forged row\nbody  first\n        second\n"
        );
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let shown = |items: &[u8]| {
            let mut page = Page::new();
            page.first(2, items, |page, item| page.line(item));
            page.finish()
        };
        assert_eq!(shown(&[1, 2]), "1\n2\n");
        assert_eq!(shown(&[1, 2, 3]), "1\n2\n  and 1 more; --json lists all\n");
    }

    #[test]
    fn a_size_has_one_decimal_and_a_unit() {
        for (number, shown) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (1_234_567, "1.2 MB"),
            (999_999, "999.9 kB"),
            (5_000_000_000, "5.0 GB"),
            (u64::MAX, "18446744.0 TB"),
        ] {
            assert_eq!(bytes(number), shown);
        }
    }
}
