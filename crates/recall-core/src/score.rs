//! The parts of a lexical score.

use std::fmt;

/// Why an entry ranked: the parts of its score that are positive, in fixed order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchReason {
    /// Query words in title, body or trigger.
    Keyword,
    /// Query words in evidence snippets.
    Evidence,
    /// Query words that look like identifiers.
    Identifier,
    /// Query words in the same sequence.
    Phrase,
    /// A path, symbol, error or command named by both.
    Entity,
    /// A date in the query.
    Temporal,
    /// The entry's own confidence.
    Confidence,
    /// Nearness in meaning.
    Semantic,
}

impl MatchReason {
    /// The word for JSON and people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Evidence => "evidence",
            Self::Identifier => "identifier",
            Self::Phrase => "phrase",
            Self::Entity => "entity",
            Self::Temporal => "temporal",
            Self::Confidence => "confidence",
            Self::Semantic => "semantic",
        }
    }
}

impl fmt::Display for MatchReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A score, part by part (S-C06): two counts and eight summands. The sum of the summands in the
/// order of [`ScoreBreakdown::summands`] *is* the total, to the last bit (B-07).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ScoreBreakdown {
    /// How many query terms occur in title, body or trigger. A count, no summand.
    pub keyword_overlap: u32,
    /// How many query terms occur in the evidence snippets. A count, no summand.
    pub evidence_keyword_overlap: u32,
    /// Worth of the matching terms in title, body and trigger, by their rarity.
    pub keyword_idf_score: f64,
    /// Worth of the terms that match in snippets alone, by their rarity.
    pub evidence_idf_score: f64,
    /// Extra worth of matching identifiers.
    pub identifier_boost: f64,
    /// Extra worth of words in the query's own sequence.
    pub phrase_boost: f64,
    /// Extra worth of shared paths, symbols, errors and commands.
    pub entity_boost: f64,
    /// Extra worth of a time that the query names.
    pub temporal_boost: f64,
    /// Extra worth of the entry's confidence.
    pub confidence_bonus: f64,
    /// What an entry scores whatever is asked: always 0 in `recall-lexical-v2`, kept for the
    /// contract.
    pub base_score: f64,
}

impl ScoreBreakdown {
    /// The eight summands with their names, in the order in which they are added.
    pub fn summands(&self) -> [(&'static str, f64); 8] {
        [
            ("keyword", self.keyword_idf_score),
            ("evidence", self.evidence_idf_score),
            ("identifier", self.identifier_boost),
            ("phrase", self.phrase_boost),
            ("entity", self.entity_boost),
            ("temporal", self.temporal_boost),
            ("confidence", self.confidence_bonus),
            ("base", self.base_score),
        ]
    }

    /// The score: the summands added left to right.
    pub fn total(&self) -> f64 {
        self.summands()
            .iter()
            .fold(0.0, |sum, (_, part)| sum + part)
    }

    /// Why the entry ranked, from the parts alone.
    pub fn reasons(&self) -> Vec<MatchReason> {
        let parts = [
            (MatchReason::Keyword, self.keyword_idf_score > 0.0),
            (
                MatchReason::Evidence,
                self.evidence_idf_score > 0.0 || self.evidence_keyword_overlap > 0,
            ),
            (MatchReason::Identifier, self.identifier_boost > 0.0),
            (MatchReason::Phrase, self.phrase_boost > 0.0),
            (MatchReason::Entity, self.entity_boost > 0.0),
            (MatchReason::Temporal, self.temporal_boost > 0.0),
            (MatchReason::Confidence, self.confidence_bonus > 0.0),
        ];
        parts
            .into_iter()
            .filter(|(_, fired)| *fired)
            .map(|(reason, _)| reason)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        // S-C06, B-07
        #[test]
        fn the_summands_added_in_order_are_the_total_to_the_last_bit(
            parts in prop::array::uniform8(0.0..100.0_f64)
        ) {
            let score = ScoreBreakdown {
                keyword_idf_score: parts[0],
                evidence_idf_score: parts[1],
                identifier_boost: parts[2],
                phrase_boost: parts[3],
                entity_boost: parts[4],
                temporal_boost: parts[5],
                confidence_bonus: parts[6],
                base_score: parts[7],
                ..ScoreBreakdown::default()
            };
            let mut sum = 0.0;
            for part in parts {
                sum += part;
            }
            prop_assert_eq!(sum.to_bits(), score.total().to_bits());
        }
    }
}
