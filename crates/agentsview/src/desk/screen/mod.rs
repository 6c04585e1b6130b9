//! The desk as rows of text of a known width.
//!
//! Everything shown here may come from a transcript. [`Span::new`] is the only way onto a screen,
//! and it cleans what it is given. In the middle of the screen stored text stands behind a margin of
//! two columns, and only the desk itself writes at the edge: so no text can pass for a heading that
//! says who speaks.

mod bottom;
mod checks;
mod entry;
mod evidence;
mod layout;
mod wrap;

use recall_text::{clean_block, clean_line};

pub(crate) use layout::draw;
use wrap::{fitted, width};

/// The size of a terminal in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    /// Columns.
    pub(crate) columns: usize,
    /// Rows.
    pub(crate) rows: usize,
}

/// How a piece of text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As usual.
    Plain,
    /// A heading.
    Strong,
    /// Beside the point.
    Faint,
    /// As it should be.
    Good,
    /// To be looked at.
    Warning,
    /// Not as it should be.
    Bad,
    /// A bar across the screen.
    Bar,
}

/// A piece of clean text without line breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    style: Style,
    text: String,
    column: Option<usize>,
}

impl Span {
    /// Cleans the text and makes it one line.
    fn new(style: Style, text: &str) -> Self {
        Self {
            style,
            text: clean_block(text).replace(['\n', '\t'], " "),
            column: None,
        }
    }

    /// How it looks.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// The column, from 0, where it stands whatever a terminal makes of the width of what stands
    /// before it; `None` is right behind that.
    pub(crate) fn column(&self) -> Option<usize> {
        self.column
    }

    /// What it says.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Row(Vec<Span>);

impl Row {
    fn of(style: Style, text: &str) -> Self {
        Self(vec![Span::new(style, text)])
    }

    fn and(mut self, style: Style, text: &str) -> Self {
        self.0.push(Span::new(style, text));
        self
    }

    /// The same with another row from this column on.
    fn beside(self, column: usize, other: Self) -> Self {
        let mut row = self.filled_to(column, Style::Plain);
        let start = row.0.len();
        row.0.extend(other.0);
        if let Some(first) = row.0.get_mut(start) {
            first.column = Some(column);
        }
        row
    }

    /// Its pieces from left to right.
    pub(crate) fn spans(&self) -> &[Span] {
        &self.0
    }

    fn width(&self) -> usize {
        self.0.iter().map(|span| width(&span.text)).sum()
    }

    /// The same, no wider than this.
    fn cut_to(self, columns: usize) -> Self {
        if self.width() <= columns {
            return self;
        }
        let mut left = columns;
        let mut spans = Vec::new();
        for span in self.0 {
            let text = fitted(&span.text, left);
            left -= width(&text);
            spans.push(Span { text, ..span });
            if left == 0 {
                break;
            }
        }
        Self(spans)
    }

    /// The same, exactly this wide.
    fn filled_to(self, columns: usize, style: Style) -> Self {
        let row = self.cut_to(columns);
        let blanks = columns.saturating_sub(row.width());
        row.and(style, &" ".repeat(blanks))
    }
}

/// A whole screen, top row first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Screen {
    rows: Vec<Row>,
}

impl Screen {
    /// Its rows; never more than the terminal has, none wider.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }
}

/// A text as rows of one style, broken to the width, behind a margin of blanks.
fn paragraph(style: Style, margin: usize, text: &str, columns: usize) -> Vec<Row> {
    let blanks = " ".repeat(margin);
    wrap::wrap(text, columns.saturating_sub(margin))
        .iter()
        .map(|line| Row::of(style, &format!("{blanks}{line}")))
        .collect()
}

/// Pieces one after the other, broken only between them where they fit.
fn listed<'a>(
    pieces: impl IntoIterator<Item = (Style, &'a str)>,
    between: &str,
    columns: usize,
) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (style, text) in pieces {
        match rows.last_mut() {
            Some(row) if row.width() + width(between) + width(text) <= columns => {
                *row = std::mem::take(row)
                    .and(Style::Faint, between)
                    .and(style, text);
            }
            _ => rows.extend(paragraph(style, 0, &clean_line(text), columns)),
        }
    }
    rows
}

#[cfg(test)]
mod tests;
