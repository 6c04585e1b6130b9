//! Why an entry ranks where it does, or why it is no answer.

use recall_engine::{ExplainAnswer, Refused};
use recall_lexical::{Held, Outcome, UnitExplanation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EntryDocument, ScoreDocument, text_of};

/// The answer of `recall query --explain`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainDocument {
    /// The question.
    pub query: String,
    /// What became of the entry: `ranked`, `refused` by a filter, `no_match`, `below_floor` if it
    /// covers too little of the question, `no_answer` if no entry covers enough, or
    /// `nothing_asked` if the question has no word to look for.
    #[schemars(extend("enum" = OUTCOMES))]
    pub outcome: String,
    /// Its place among all answers, from 1; left out unless it is ranked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u64>,
    /// How many answers there are; left out unless it is ranked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<u64>,
    /// How many answers the request wants at most.
    pub limit: u64,
    /// The better answer that says the same and is shown in its place; empty if there is none.
    pub shown_as: String,
    /// The parts of its score; left out unless it is ranked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_breakdown: Option<ScoreDocument>,
    /// What the words and names of the question are worth that it covers; 0 if it was refused.
    pub covered: f64,
    /// What every answer must cover.
    pub must_cover: f64,
    /// What the entry that covers most must cover, or there is no answer.
    pub best_must_cover: f64,
    /// What refused it.
    pub refusals: Vec<RefusalDocument>,
    /// What was asked for, the most valuable first.
    pub units: Vec<UnitDocument>,
    /// The entry.
    pub entry: EntryDocument,
}

const OUTCOMES: [&str; 7] = [
    "ranked",
    "refused",
    "no_match",
    "below_floor",
    "no_answer",
    "nothing_asked",
    "not_indexed",
];

/// One thing that the request asks of an entry and that this one does not meet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefusalDocument {
    /// The filter's name, `trusted_only` or `exclude_flagged`.
    pub filter: String,
    /// What it wants; empty for the latter two.
    pub wanted: String,
    /// What the entry has instead; empty if nothing.
    pub has: String,
    /// Why, for the latter two.
    pub reasons: Vec<String>,
}

/// One thing that is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnitDocument {
    /// As the question spells it.
    pub text: String,
    /// What it is worth: the rarer, the more.
    pub weight: f64,
    /// How many entries hold it as a whole.
    pub entries: u64,
    /// How the entry holds it: `whole`, `misspelt`, `in_parts` (words of a name) or `not`.
    #[schemars(extend("enum" = ["whole", "misspelt", "in_parts", "not"]))]
    pub held: String,
    /// How often it stands in the title.
    pub title: u64,
    /// In the trigger.
    pub trigger: u64,
    /// In the body.
    pub body: u64,
    /// In the evidence: quotations and the messages cited.
    pub evidence: u64,
}

impl From<&ExplainAnswer> for ExplainDocument {
    fn from(answer: &ExplainAnswer) -> Self {
        let explanation = &answer.explanation;
        let mut document = Self {
            query: answer.query.clone(),
            outcome: word(&explanation.outcome).to_owned(),
            rank: None,
            answers: None,
            limit: answer.limit as u64,
            shown_as: String::new(),
            score_breakdown: None,
            covered: explanation.covered,
            must_cover: explanation.floor,
            best_must_cover: explanation.answer,
            refusals: answer.refusals.iter().map(Into::into).collect(),
            units: explanation.units.iter().map(Into::into).collect(),
            entry: EntryDocument::from(&answer.entry),
        };
        if let Outcome::Ranked {
            rank,
            of,
            breakdown,
            shown_as,
            ..
        } = &explanation.outcome
        {
            document.rank = Some(*rank as u64);
            document.answers = Some(*of as u64);
            document.shown_as = text_of(shown_as.as_ref());
            document.score_breakdown = Some(breakdown.into());
        }
        document
    }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Ranked { .. } => "ranked",
        Outcome::Refused(_) => "refused",
        Outcome::NoMatch => "no_match",
        Outcome::BelowFloor => "below_floor",
        Outcome::NoAnswer => "no_answer",
        Outcome::NothingAsked => "nothing_asked",
        Outcome::NotIndexed => "not_indexed",
    }
}

impl From<&Refused> for RefusalDocument {
    fn from(refused: &Refused) -> Self {
        let because = |filter: &str, reasons: Vec<String>| Self {
            filter: filter.to_owned(),
            wanted: String::new(),
            has: String::new(),
            reasons,
        };
        match refused {
            Refused::Filter { name, wanted, has } => Self {
                filter: (*name).to_owned(),
                wanted: wanted.clone(),
                has: has.clone(),
                reasons: Vec::new(),
            },
            Refused::NotTrusted(reasons) => because("trusted_only", reasons.clone()),
            Refused::Flagged(reasons) => {
                let reasons = reasons.iter().map(|reason| (*reason).to_owned()).collect();
                because("exclude_flagged", reasons)
            }
        }
    }
}

impl From<&UnitExplanation> for UnitDocument {
    fn from(unit: &UnitExplanation) -> Self {
        let (held, counts) = match unit.held {
            Held::No => ("not", [0; 4]),
            Held::Whole(counts) => ("whole", counts),
            Held::Misspelt(counts) => ("misspelt", counts),
            Held::Words { .. } => ("in_parts", [0; 4]),
        };
        let [title, trigger, body, evidence] = counts.map(u64::from);
        Self {
            text: unit.spelling.clone(),
            weight: unit.weight,
            entries: unit.holding as u64,
            held: held.to_owned(),
            title,
            trigger,
            body,
            evidence,
        }
    }
}
