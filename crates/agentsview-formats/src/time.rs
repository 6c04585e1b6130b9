//! Times as agents write them.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use recall_core::Timestamp;

/// RFC 3339, or `YYYY-MM-DD hh:mm:ss` taken as UTC; anything else is no time.
pub(crate) fn timestamp(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(time) = text.parse() {
        return Some(time);
    }
    let utc = DateTime::strptime("%Y-%m-%d %H:%M:%S%.f", text).ok()?;
    let time = TimeZone::UTC.to_timestamp(utc).ok()?;
    Timestamp::from_millisecond(time.as_millisecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_and_without_fraction_or_zone() {
        let noon = "2026-03-04T12:00:00.000Z";
        for text in [
            "2026-03-04T12:00:00Z",
            "2026-03-04T12:00:00.0001Z",
            "2026-03-04T13:00:00+01:00",
            " 2026-03-04 12:00:00 ",
        ] {
            assert_eq!(timestamp(text).unwrap().to_string(), noon, "{text}");
        }
        for text in ["", "soon", "2026-03-04", "2026-02-30T12:00:00Z", "1234567"] {
            assert_eq!(timestamp(text), None, "{text}");
        }
    }
}
