//! Time as the store writes it, and where "now" comes from.

use std::fmt;
use std::str::FromStr;

/// A text that is not a time in the stored form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not an RFC 3339 time")]
pub struct TimestampError(String);

/// A point in time, UTC, to the millisecond. Its text form `YYYY-MM-DDTHH:MM:SS.mmmZ` sorts as time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(jiff::Timestamp);

impl Timestamp {
    /// The point that is `milliseconds` after 1970-01-01T00:00:00Z.
    pub fn from_millisecond(milliseconds: i64) -> Result<Self, TimestampError> {
        jiff::Timestamp::from_millisecond(milliseconds)
            .map(Self)
            .map_err(|_| TimestampError(milliseconds.to_string()))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub fn as_millisecond(self) -> i64 {
        self.0.as_millisecond()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        let time: jiff::Timestamp = text.parse().map_err(|_| TimestampError(text.to_owned()))?;
        Self::from_millisecond(time.as_millisecond())
    }
}

/// Where "now" comes from. Passed in, so that tests need no sleeping.
pub trait Clock: Send + Sync {
    /// The present.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let now = jiff::Timestamp::now();
        // Whole milliseconds, so that a time compares equal to itself read back from the store.
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(Timestamp(now))
    }
}

/// A clock that stands still.
#[derive(Debug, Clone, Copy)]
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_prints_with_three_decimals_and_reads_back() {
        let time: Timestamp = "2026-03-04T05:06:07.5Z".parse().unwrap();
        assert_eq!(time.to_string(), "2026-03-04T05:06:07.500Z");
        assert_eq!(time.to_string().parse(), Ok(time));
        let offset: Timestamp = "2026-03-04T07:06:07+02:00".parse().unwrap();
        assert_eq!(offset.to_string(), "2026-03-04T05:06:07.000Z");
        assert!("yesterday".parse::<Timestamp>().is_err());
    }

    #[test]
    fn the_system_clock_reads_back_equal() {
        let now = SystemClock.now();
        assert_eq!(now.to_string().parse(), Ok(now));
    }
}
