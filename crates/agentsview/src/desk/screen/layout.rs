//! Where everything stands.

use super::bottom::{bottom, help};
use super::checks::checks;
use super::entry::{entry, related};
use super::evidence::evidence;
use super::{Row, Screen, Size, Style, listed, paragraph, width};
use crate::desk::state::{Desk, Extent, Mode};

/// From this width on the entry stands beside its evidence.
const BESIDE: usize = 100;

/// What stands between both.
const SEPARATOR: &str = " │ ";

/// How many rows the middle has at least, however much is said above it.
const LEAST_MIDDLE: usize = 3;

/// The desk at a size, and how much of the middle is visible.
pub(crate) fn draw(desk: &Desk, size: Size) -> (Screen, Extent) {
    let columns = size.columns.max(1);
    let mut lower = bottom(desk, columns);
    // What is asked is never pushed out: the end of the lower part matters most.
    let spare = size.rows.saturating_sub(1);
    if lower.len() > spare {
        lower.drain(..lower.len() - spare);
    }
    let mut upper = vec![header(desk).filled_to(columns, Style::Bar)];
    if let Some(item) = desk.item()
        && *desk.mode() != Mode::Help
    {
        let room = size.rows.saturating_sub(1 + lower.len() + 1 + LEAST_MIDDLE);
        let checks = checks(desk, item);
        let pieces = checks.iter().map(|(style, text)| (*style, text.as_str()));
        upper.extend(listed(pieces, " · ", columns).into_iter().take(room));
    }
    let height = size.rows.saturating_sub(upper.len() + lower.len() + 1);
    let (middle, extent) = middle(desk, columns, height);
    let mut rows = upper;
    rows.extend(middle);
    rows.push(rule(extent, desk.scroll.min(extent.last()), columns));
    rows.extend(lower);
    rows.truncate(size.rows);
    let rows = rows.into_iter().map(|row| row.cut_to(columns)).collect();
    (Screen { rows }, extent)
}

fn header(desk: &Desk) -> Row {
    let all = desk.queue.len();
    let mut row = Row::of(Style::Bar, " Recall review");
    if desk.current().is_some() {
        row = row.and(Style::Bar, &format!("  {} of {all}", desk.position + 1));
        if desk.beyond > 0 {
            row = row.and(Style::Bar, &format!(" (and {} more)", desk.beyond));
        }
    }
    match desk.queue.iter().filter(|ticket| ticket.settled).count() {
        0 => row,
        settled => row.and(Style::Bar, &format!("  {settled} decided")),
    }
}

fn middle(desk: &Desk, columns: usize, height: usize) -> (Vec<Row>, Extent) {
    let shown = |rows: &[Row], top: usize| -> Vec<Row> {
        let top = top.min(rows.len().saturating_sub(height));
        let mut shown: Vec<Row> = rows.iter().skip(top).take(height).cloned().collect();
        shown.resize(height, Row::default());
        shown
    };
    let one_column = |rows: Vec<Row>, top: usize| {
        let extent = Extent {
            height,
            rows: rows.len(),
        };
        (shown(&rows, top), extent)
    };
    let item = match (desk.mode(), desk.item()) {
        (Mode::Help, _) => return one_column(help(columns), 0),
        (_, None) => return one_column(nothing(desk, columns), 0),
        (_, Some(item)) => item,
    };
    if columns < BESIDE {
        let mut rows = entry(item, columns);
        rows.push(Row::default());
        rows.extend(evidence(item, columns));
        rows.extend(related(item, columns));
        return one_column(rows, desk.scroll);
    }
    // Each column stops at its own end, so the entry stays in view beside long evidence.
    let left_columns = columns * 2 / 5;
    let right_columns = columns - left_columns - width(SEPARATOR);
    let mut left = entry(item, left_columns);
    left.extend(related(item, left_columns));
    let right = evidence(item, right_columns);
    let rows = left.len().max(right.len());
    let both = shown(&left, desk.scroll)
        .into_iter()
        .zip(shown(&right, desk.scroll));
    let middle = both
        .map(|(left, right)| {
            let right = right.cut_to(right_columns);
            let mut separated = Row::of(Style::Faint, SEPARATOR);
            separated.0.extend(right.0);
            left.beside(left_columns, separated)
        })
        .collect();
    (middle, Extent { height, rows })
}

fn nothing(desk: &Desk, columns: usize) -> Vec<Row> {
    let text = match desk.waiting() {
        0 => "Nothing waits any more.".to_owned(),
        number => format!("This stack is done. {number} more wait: quit and start again."),
    };
    let mut rows = vec![Row::default()];
    rows.extend(paragraph(Style::Strong, 0, &text, columns));
    rows
}

/// The line below the middle; it says how much is not visible.
fn rule(extent: Extent, top: usize, columns: usize) -> Row {
    let below = extent.last() - top;
    let text = match (top, below) {
        (0, 0) => String::new(),
        (0, below) => format!(" {below} more rows below: space "),
        (above, 0) => format!(" end; {above} rows above: b "),
        (above, below) => format!(" {above} rows above, {below} below "),
    };
    let line = "─".repeat(columns.saturating_sub(width(&text) + 2));
    Row::of(Style::Faint, &format!("──{text}{line}"))
}
