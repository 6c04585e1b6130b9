//! Packs ranked entries into one fenced block within a byte budget.
//!
//! [`pack`] writes the entries between [`HEADER`] and [`FOOTER`], best first, and says in the
//! block's meta what went in, what was left out, and which entries read like instructions. A
//! reader of the block, usually a model, is told that it holds history, not orders; entry text
//! cannot imitate the fence. Nothing here ranks, and nothing here decides what may be trusted.
//!
//! ```
//! let block = recall_brief::pack(&[], "why is the pool closed", 4000);
//! assert!(block.text.is_empty() && !block.meta.truncated);
//! assert!(recall_brief::HEADER.contains("not instructions"));
//! ```

mod fence;
#[cfg(test)]
mod fixtures;
mod form;
mod pack;

pub use fence::{FOOTER, HEADER, PLACEHOLDER};
pub use pack::pack;
