//! The one analyser, excerpts and the cleaning of hostile text.
//!
//! Everything that looks at the words of an entry or of a question does it through [`Analyser`], so
//! that both sides agree on what a word is. Everything that shows stored text to a person or a
//! model passes it through [`clean_line`] or [`clean_block`] first, and cuts it with [`truncate`]
//! or [`excerpt`].
//!
//! Nothing here ranks, and nothing here does I/O.
//!
//! ```
//! use recall_text::{Focus, clean_line, excerpt};
//!
//! let body = "Ran the tests. The pool \u{1b}[1mdeadlocks\u{1b}[0m under load. Then lunch.";
//! let line = clean_line(body);
//! let shown = excerpt(&line, &Focus::new("why does the pool deadlocks"), 40);
//! assert_eq!(shown.text, "… The pool deadlocks under load. …");
//! ```

mod analyser;
mod character;
mod clean;
mod compound;
mod edit;
mod excerpt;
mod fold;
mod han;
mod json;
mod sentence;
mod stem;
mod stop;
mod truncate;

pub use analyser::{Analyser, Token, TokenKind, looks_like_identifier};
pub use clean::{clean_block, clean_line};
pub use edit::within_one_edit;
pub use excerpt::{Excerpt, Focus, excerpt};
pub use json::escape_json;
pub use sentence::sentences;
pub use stem::stem;
pub use stop::is_stop_word;
pub use truncate::{CUT_MARK, truncate};
