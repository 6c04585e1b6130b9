//! Tables of one line a row.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use recall_text::clean_line;

use super::page::Page;

/// Writes rows under headings, two blanks between the columns. `numbers` are the columns that are
/// set to the right. Cells are cleaned.
pub(super) fn write<const N: usize>(
    page: &mut Page,
    headings: [&str; N],
    numbers: &[usize],
    rows: impl IntoIterator<Item = [String; N]>,
) {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(headings);
    for row in rows {
        table.add_row(row.map(|cell| clean_line(&cell).into_owned()));
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if numbers.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for line in table.lines() {
        page.line(line);
    }
}
