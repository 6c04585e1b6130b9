//! Rules that recognise credentials, their findings and their masks.
//!
//! [`scan`] looks through one text of a transcript and reports where a credential stands, by which
//! rule, and how to show it; the credential itself is never kept. [`mask`] is for text that is about
//! to be shown. [`rules_version`] is the stamp that says which rules looked.
//!
//! The rules are the *definite* tier: a vendor's own format that also does not look like a
//! placeholder. `rules` holds them as data, `validator` the placeholder tests that they name,
//! `matching` finds them. Nothing here does input or output, and all work is linear in the text.
//!
//! ```
//! use agentsview_secrets::{ScanOutcome, mask, scan};
//!
//! // In two parts, so that this page itself does not hold what looks like a key.
//! let text = format!("export GITHUB_TOKEN=ghp_{}", "q7VbT2mXw9LrKd4Yz8HsNc3JfGp6EaUo5RiQ");
//! let ScanOutcome::Scanned(findings) = scan(&text) else { unreachable!() };
//! assert_eq!(findings[0].rule, "github-pat");
//! assert_eq!(findings[0].masked, "ghp_…5RiQ");
//! assert_eq!(mask(&text), "export GITHUB_TOKEN=ghp_…5RiQ");
//! ```

mod edges;
mod finding;
mod masking;
mod matching;
mod rules;
mod validator;
mod version;

pub use finding::{Confidence, Finding, MAX_FIELD_BYTES, ScanOutcome, scan};
pub use masking::mask;
pub use rules::rule_names;
pub use version::rules_version;

#[cfg(test)]
mod samples;
