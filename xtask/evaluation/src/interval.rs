//! How far chance could have moved a mean: the bootstrap (Efron, Tibshirani: An Introduction to the
//! Bootstrap, 1993), percentile method.

use serde::Serialize;

use crate::measures::real;

const RESAMPLES: usize = 1_000;
/// Fixed, so that the same answers give the same report.
const SEED: u64 = 20_260_601;

/// A mean with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How many questions it is the mean of.
    pub n: usize,
}

/// The mean of a measure over questions, by 1,000 samples drawn from them with replacement.
/// `None` without any.
pub fn estimate(values: &[f64]) -> Option<Estimate> {
    if values.is_empty() {
        return None;
    }
    let n = values.len();
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| (0..n).map(|_| values[random.usize(..n)]).sum::<f64>() / real(n))
        .collect();
    means.sort_by(f64::total_cmp);
    Some(Estimate {
        value: values.iter().sum::<f64>() / real(n),
        low: means[RESAMPLES / 40],
        high: means[RESAMPLES - 1 - RESAMPLES / 40],
        n,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_its_mean_and_shrinks_with_more_questions() {
        let few: Vec<f64> = (0..20_u8).map(|i| f64::from(i % 2)).collect();
        let many: Vec<f64> = (0..2_000_u16).map(|i| f64::from(i % 2)).collect();
        let (few, many) = (estimate(&few).unwrap(), estimate(&many).unwrap());
        for estimate in [few, many] {
            assert!((estimate.value - 0.5).abs() < 1e-12);
            assert!(estimate.low < 0.5 && 0.5 < estimate.high);
        }
        assert!(many.high - many.low < few.high - few.low);
        // The normal approximation gives 1.96 × 0.5 / √2000 = 0.022.
        assert!((many.high - 0.522).abs() < 0.005, "{many:?}");
    }

    #[test]
    fn the_same_values_give_the_same_interval() {
        let values = [0.0, 1.0, 0.25, 0.5];
        assert_eq!(estimate(&values), estimate(&values));
        assert_eq!(estimate(&[]), None);
        let certain = estimate(&[1.0; 8]).unwrap();
        assert!((certain.low - 1.0).abs() < 1e-12 && (certain.high - 1.0).abs() < 1e-12);
    }
}
