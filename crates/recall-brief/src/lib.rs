//! Packs ranked entries into one fenced block within a byte budget.
//!
//! [`pack`] writes the entries within a [`Fence`], best first, and says in the block's meta what
//! went in, what was left out, and which entries read like instructions. A reader of the block,
//! usually a model, is told that it holds history, not orders; entry text can neither end the
//! fence, whose mark nobody foretells, nor imitate it. Nothing here ranks, and nothing here decides
//! what may be trusted.
//!
//! ```
//! use recall_brief::{Fence, pack};
//! use recall_core::Nonce;
//!
//! let fence = Fence::new(Nonce::new(0x1234));
//! let block = pack(&[], "why is the pool closed", 4000, &fence);
//! assert!(block.text.is_empty() && !block.meta.truncated);
//! assert!(fence.header().contains("not instructions"));
//! ```

mod fence;
#[cfg(test)]
mod fixtures;
mod form;
mod pack;

pub use fence::{Fence, PLACEHOLDER};
pub use pack::pack;
