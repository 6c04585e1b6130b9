//! The numbers of the formulas.

use crate::document::FIELDS;

/// What every part of a score is worth. [`Policy::CURRENT`] is what ranks; other values exist to
/// find out what a part contributes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    /// How much one occurrence counts by field: title, trigger, body, evidence.
    pub field_weights: [f64; FIELDS],
    /// How much a field's length matters, from 0 (not at all) to 1, by field.
    pub length_shares: [f64; FIELDS],
    /// How fast repetition stops to matter: the occurrences that give half of the worth, less one.
    pub saturation: f64,
    /// What a term in the evidence alone is worth beside one in the entry's own words.
    pub evidence: f64,
    /// What a word is worth that says little about what a text is about, beside one that says
    /// much: `before`, `some`, `get`.
    pub light: f64,
    /// What the words of a name are worth beside the name.
    pub parts: f64,
    /// What a word is worth that stands there with one letter different.
    pub misspelt: f64,
    /// The boost of one whole name out of code.
    pub identifier: f64,
    /// The boost of one shared path, symbol, error or command.
    pub entity: f64,
    /// The bound of identifier and entity boosts, each.
    pub most_boost: f64,
    /// The boost of the second to the fifth word of the longest run that question and document
    /// share, each.
    pub phrase_step: f64,
    /// The boost of a time that the question names.
    pub temporal: f64,
    /// The bonus of full confidence: enough to put a sure entry above an unsure one that answers
    /// about as well.
    pub confidence: f64,
    /// A question has an answer if the units that some document covers are worth at least this
    /// share of the [`Policy::heaviest`] most valuable units of the question. So one word that
    /// everything shares is no answer.
    pub answer: f64,
    /// The share that each further answer must cover.
    pub floor: f64,
    /// How many units of a question the two shares look at, so that the filler of a long question
    /// raises no bar.
    pub heaviest: usize,
}

impl Policy {
    /// Names the meaning of the scores, stored with every measurement. It changes with the numbers
    /// and with the formulas.
    pub const NAME: &'static str = "recall-lexical-v3";

    /// What ranks.
    pub const CURRENT: Self = Self {
        field_weights: [2.0, 1.0, 1.0, 1.0],
        length_shares: [0.75, 0.5, 0.75, 0.75],
        saturation: 1.6,
        evidence: 0.6,
        light: 0.7,
        parts: 0.8,
        misspelt: 0.8,
        identifier: 2.0,
        entity: 1.5,
        most_boost: 6.0,
        phrase_step: 1.0,
        temporal: 1.0,
        confidence: 0.5,
        answer: 0.4,
        floor: 0.2,
        heaviest: 4,
    };
}
