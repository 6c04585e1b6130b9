//! The report: a document for programs, and tables for people.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::ablation::Ablated;
use crate::baseline::Baseline;
use crate::{Estimate, Measure};

/// Everything that was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Names the ranking.
    pub policy: &'static str,
    /// The sets, by name.
    pub sets: Vec<SetReport>,
}

/// What was measured on one set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetReport {
    /// The set.
    pub name: String,
    /// Sessions of its archive.
    pub sessions: u64,
    /// Entries of its archive, of every status.
    pub entries: usize,
    /// Its questions.
    pub questions: usize,
    /// The measures that say something about them.
    pub measures: BTreeMap<Measure, Estimate>,
    /// The same for each category of questions.
    pub categories: BTreeMap<String, BTreeMap<Measure, Estimate>>,
    /// How long a query took.
    pub times: Times,
    /// What others reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// What the parts of the score contribute, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ablation: Vec<Ablated>,
    /// The questions whose first place is not right, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub misses: Vec<Miss>,
}

/// Query times in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Times {
    /// Half of the queries took no longer.
    pub p50_ms: f64,
    /// 19 of 20 queries took no longer.
    pub p95_ms: f64,
}

/// A question whose first place is not right, or that has an answer and should have none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Miss {
    /// Its id.
    pub question: String,
    /// Its kind.
    pub category: String,
    /// Its words.
    pub text: String,
    /// The right entries.
    pub gold: Vec<String>,
    /// The entries of the answer, by place.
    pub places: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ranking {}", self.policy)?;
        writeln!(f)?;
        let width = self.sets.iter().map(|set| set.name.len()).max();
        let width = width.unwrap_or_default().max("set".len());
        heading(f, "set", width)?;
        writeln!(f, "   p50 ms   p95 ms")?;
        for set in &self.sets {
            row(f, &set.name, width, &set.measures)?;
            let Times { p50_ms, p95_ms } = set.times;
            writeln!(f, " {p50_ms:>8.2} {p95_ms:>8.2}")?;
        }
        for set in &self.sets {
            write!(f, "\n{set}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} questions to {} entries of {} sessions",
            self.name, self.questions, self.entries, self.sessions
        )?;
        self.measured(f)?;
        if self.categories.len() > 1 {
            self.by_category(f)?;
        }
        if !self.ablation.is_empty() {
            self.ablated(f)?;
        }
        for miss in &self.misses {
            writeln!(f, "  {miss}")?;
        }
        Ok(())
    }
}

impl SetReport {
    fn measured(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  {:<20} {:>5} {:>14} {:>5}",
            "measure", "ours", "95 %", "n"
        )?;
        if self.baseline.is_some() {
            write!(f, "  {:<13} {:<13}", "BM25", "peer")?;
        }
        writeln!(f)?;
        for (measure, ours) in &self.measures {
            let interval = format!("{:.3}–{:.3}", ours.low, ours.high);
            write!(
                f,
                "  {:<20} {:.3} {interval:>14} {:>5}",
                measure.name(),
                ours.value,
                ours.n
            )?;
            if let Some(baseline) = &self.baseline {
                let bm25 = beside(ours.value, baseline.bm25.get(measure));
                let peer = beside(ours.value, baseline.peer.get(measure));
                let columns = format!("  {bm25:<13} {peer:<13}");
                write!(f, "{}", columns.trim_end())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn by_category(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.categories.keys().map(String::len).max();
        let width = width.unwrap_or_default().max("category".len());
        write!(f, "  ")?;
        heading(f, "category", width)?;
        writeln!(f, "     n")?;
        for (category, measures) in &self.categories {
            write!(f, "  ")?;
            row(f, category, width, measures)?;
            let asked = measures.values().map(|estimate| estimate.n).max();
            writeln!(f, " {:>5}", asked.unwrap_or_default())?;
        }
        Ok(())
    }

    fn ablated(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  {:<26} {:>14} {:>14} {:>14}",
            "without", "hit@1", "nDCG@10", "abstention"
        )?;
        for row in &self.ablation {
            writeln!(
                f,
                "  {:<26} {:>6.3} {:>+7.3} {:>6.3} {:>+7.3} {:>6.3} {:>+7.3}",
                row.part,
                row.hit_at_1,
                row.hit_at_1_change,
                row.ndcg_at_10,
                row.ndcg_at_10_change,
                row.abstention,
                row.abstention_change
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = |ids: &[String]| match ids {
            [] => "nothing".to_owned(),
            ids => ids.join(" "),
        };
        write!(
            f,
            "missed {} \"{}\": wanted {}, got {}",
            self.question,
            self.text,
            all(&self.gold),
            all(&self.places)
        )
    }
}

/// The columns of a table with one row a set or category.
const SHORT: [(Measure, &str); 9] = [
    (Measure::HitAt1, "hit@1"),
    (Measure::HitAt5, "hit@5"),
    (Measure::HitAt10, "hit@10"),
    (Measure::RecallAt10, "rec@10"),
    (Measure::ReciprocalRank, "MRR"),
    (Measure::Ndcg, "nDCG"),
    (Measure::FalseSilence, "mute"),
    (Measure::Abstention, "absta."),
    (Measure::StaleAboveCurrent, "stale"),
];

fn heading(f: &mut fmt::Formatter<'_>, first: &str, width: usize) -> fmt::Result {
    write!(f, "{first:<width$}")?;
    for (_, name) in SHORT {
        write!(f, " {name:>6}")?;
    }
    Ok(())
}

fn row(
    f: &mut fmt::Formatter<'_>,
    first: &str,
    width: usize,
    measures: &BTreeMap<Measure, Estimate>,
) -> fmt::Result {
    write!(f, "{first:<width$}")?;
    for (measure, _) in SHORT {
        match measures.get(&measure) {
            Some(estimate) => write!(f, " {:>6.3}", estimate.value)?,
            None => write!(f, " {:>6}", "–")?,
        }
    }
    Ok(())
}

/// Another's figure, and where ours stands.
fn beside(ours: f64, other: Option<&f64>) -> String {
    other.map_or_else(String::new, |other| {
        // Others' figures have three decimals.
        let mark = match ours - other {
            difference if difference > 0.0005 => " above",
            difference if difference < -0.0005 => " below",
            _ => "",
        };
        format!("{other:.3}{mark}")
    })
}
