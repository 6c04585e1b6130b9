//! How well a question finds its entries, measured on sets of questions with known answers.
//!
//! A [`QuestionSet`] is a folder with transcripts, reviewed import lines and questions. [`Archive`]
//! syncs and imports it as a user would; every question then goes the way of a user's, and
//! [`judge`] compares the answer with what the set knows. A [`Measure`] turns that into one number a
//! question, [`estimate`] into a mean with its 95 % interval, [`evaluate`] into a report of the set.
//!
//! | measure | of | what |
//! | --- | --- | --- |
//! | hit@k | answerable questions | whether a right entry is among the first k |
//! | recall@10 | answerable | the share of the right entries among the first ten |
//! | MRR | answerable | 1 / place of the first right entry, 0 without one |
//! | nDCG@10 | answerable | the right entries by the logarithm of their places, 1 at best |
//! | false silence | answerable | no answer although there is one |
//! | abstention | unanswerable | no answer, as it should be |
//! | stale above current | questions with outdated entries | an outdated one stands first |
//!
//! `docs/retrieval.md` has the formulas and the format of a set.
//!
//! ```
//! use recall_core::EntryId;
//! use retrieval_evaluation::{Measure, Question, judge};
//!
//! let question = Question::parse(
//!     r#"{"id": "q1", "query": "why does the pool hang", "gold": ["pool-timeout"]}"#,
//! )?;
//! let places = ["other", "pool-timeout"].map(EntryId::new).into_iter().collect::<Result<Vec<_>, _>>()?;
//! let judgement = judge(&question, &places);
//! assert_eq!(Measure::HitAt1.of(&judgement), Some(0.0));
//! assert_eq!(Measure::ReciprocalRank.of(&judgement), Some(0.5));
//! assert_eq!(Measure::Abstention.of(&judgement), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ablation;
mod archive;
mod baseline;
mod error;
mod evaluation;
mod interval;
mod measures;
mod report;
mod sets;

pub use ablation::{Ablated, ablate};
pub use archive::{Answered, Archive};
pub use baseline::{Baseline, Reference, baselines};
pub use error::EvaluationError;
pub use evaluation::evaluate;
pub use interval::{Estimate, estimate};
pub use measures::{DEPTH, Judgement, Measure, judge, places};
pub use report::{Miss, Report, SetReport, Times};
pub use sets::{Question, QuestionError, QuestionSet, find};
