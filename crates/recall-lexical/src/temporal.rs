//! When a query says that something happened.
//!
//! Days are days of UTC, "now" is passed in. A time never makes an entry an answer; it only lifts
//! entries that answer anyway.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::Offset;
use jiff::{Span, ToSpan};
use recall_core::Timestamp;
use recall_text::{Token, TokenKind};

/// After this many days the boost of "latest" has halved.
const RECENCY_HALF_LIFE_DAYS: f64 = 30.0;

const MILLISECONDS_A_DAY: f64 = 86_400_000.0;

/// A time that a query names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum When {
    /// Days and months that are written out.
    Spans(Vec<(Date, Date)>),
    /// A stretch of days before today: `from` days ago up to, not including, `until` days ago.
    Days {
        /// The first day, counted back from today.
        from: i32,
        /// The day after the last one, counted back from today; -1 is tomorrow.
        until: i32,
    },
    /// The calendar week this many weeks back, from Monday.
    Week(i32),
    /// The calendar month this many months back.
    Month(i32),
    /// The newer, the better.
    Recent,
}

/// A time and the positions of the leaves that say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) when: When,
    pub(crate) positions: BTreeSet<u32>,
}

/// A [`When`] with "now" put in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Boost {
    /// Times inside any of the ranges, in milliseconds since 1970.
    Inside(Vec<Range<i64>>),
    /// Times by their distance from now, in milliseconds since 1970.
    Decay(i64),
}

impl Boost {
    /// From 0 to 1.
    pub(crate) fn at(&self, time: Timestamp) -> f64 {
        let time = time.as_millisecond();
        match self {
            Self::Inside(ranges) => f64::from(ranges.iter().any(|range| range.contains(&time))),
            Self::Decay(now) => {
                #[expect(clippy::cast_precision_loss, reason = "ages are far below 2^52 ms")]
                let age = now.saturating_sub(time).max(0) as f64 / MILLISECONDS_A_DAY;
                0.5_f64.powf(age / RECENCY_HALF_LIFE_DAYS)
            }
        }
    }
}

impl When {
    /// The boost as of `now`; `None` if the time lies outside the calendar.
    pub(crate) fn boost(&self, now: Timestamp) -> Option<Boost> {
        let moment = jiff::Timestamp::from_millisecond(now.as_millisecond()).ok()?;
        let today = Offset::UTC.to_datetime(moment).date();
        let spans = match self {
            Self::Recent => return Some(Boost::Decay(now.as_millisecond())),
            Self::Spans(spans) => spans.clone(),
            Self::Days { from, until } => {
                vec![(back(today, from.days())?, back(today, until.days())?)]
            }
            Self::Week(weeks) => {
                let since_monday = i32::from(today.weekday().since(Weekday::Monday));
                let monday = back(today, (since_monday + 7 * weeks).days())?;
                vec![(monday, back(monday, (-7).days())?)]
            }
            Self::Month(months) => {
                let first = back(today.first_of_month(), months.months())?;
                vec![(first, back(first, (-1).months())?)]
            }
        };
        let ranges: Option<Vec<_>> = spans
            .into_iter()
            .map(|(from, until)| Some(midnight(from)?..midnight(until)?))
            .collect();
        ranges.map(Boost::Inside)
    }
}

fn back(date: Date, span: Span) -> Option<Date> {
    date.checked_sub(span).ok()
}

fn midnight(date: Date) -> Option<i64> {
    let start = Offset::UTC
        .to_timestamp(date.to_datetime(Time::midnight()))
        .ok()?;
    Some(start.as_millisecond())
}

/// The time that the tokens of a query name. Dates written out come before relative ones, exact
/// times before "latest".
pub(crate) fn named(tokens: &[Token<'_>]) -> Option<Named> {
    let leaves: Vec<(u32, &str)> = tokens
        .iter()
        .filter(|token| token.kind.is_leaf())
        .map(|token| (token.position, token.surface.as_ref()))
        .collect();
    written_out(tokens, &leaves)
        .or_else(|| relative(&leaves))
        .or_else(|| recent(&leaves))
}

/// ISO dates and months, and month names beside a year. Several may be named.
fn written_out(tokens: &[Token<'_>], leaves: &[(u32, &str)]) -> Option<Named> {
    let mut spans = Vec::new();
    let mut positions = BTreeSet::new();
    for token in tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Identifier)
    {
        // Joints are gone from the term, so the count of its leaves tells day from month.
        let number = token.term.as_ref();
        let span = match (token.leaves, number.len(), number.is_ascii()) {
            (3, 8, true) => date(&number[..4], &number[4..6], &number[6..])
                .and_then(|day| Some((day, day.tomorrow().ok()?))),
            (2, 6, true) => date(&number[..4], &number[4..], "1").and_then(month_of),
            _ => None,
        };
        if let Some(span) = span {
            spans.push(span);
            positions.extend(token.position..token.position + token.leaves);
        }
    }
    for pair in leaves.windows(2) {
        let [(at, first), (after, second)] = pair else {
            continue;
        };
        let span = month_and_year(first, second).or_else(|| month_and_year(second, first));
        if let Some(span) = span {
            spans.push(span);
            positions.extend([*at, *after]);
        }
    }
    (!spans.is_empty()).then_some(Named {
        when: When::Spans(spans),
        positions,
    })
}

fn date(year: &str, month: &str, day: &str) -> Option<Date> {
    let year: i16 = year
        .parse()
        .ok()
        .filter(|year| (1970..=2100).contains(year))?;
    Date::new(year, month.parse().ok()?, day.parse().ok()?).ok()
}

fn month_of(first: Date) -> Option<(Date, Date)> {
    Some((first, back(first, (-1).months())?))
}

fn month_and_year(month: &str, year: &str) -> Option<(Date, Date)> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let number = MONTHS.iter().position(|name| {
        *name == month || (month.len() >= 3 && month.len() <= 4 && name.starts_with(month))
    })?;
    let year = (year.len() == 4).then_some(year)?;
    date(year, &(number + 1).to_string(), "1").and_then(month_of)
}

/// Times counted from now: the first that the query names.
fn relative(leaves: &[(u32, &str)]) -> Option<Named> {
    (0..leaves.len()).find_map(|at| {
        let words: Vec<&str> = leaves[at..].iter().take(3).map(|(_, word)| *word).collect();
        let (when, length) = match words[..] {
            ["today", ..] => (When::Days { from: 0, until: -1 }, 1),
            ["yesterday", ..] => (When::Days { from: 1, until: 0 }, 1),
            ["last" | "previous", "week", ..] => (When::Week(1), 2),
            ["this" | "current", "week", ..] => (When::Week(0), 2),
            ["past", "week", ..] => (When::Days { from: 7, until: -1 }, 2),
            ["last" | "previous", "month", ..] => (When::Month(1), 2),
            ["this" | "current", "month", ..] => (When::Month(0), 2),
            ["past", "month", ..] => (
                When::Days {
                    from: 30,
                    until: -1,
                },
                2,
            ),
            ["last" | "past", count, unit] => {
                let days = number(count)? * days_a(unit)?;
                (
                    When::Days {
                        from: days,
                        until: -1,
                    },
                    3,
                )
            }
            [count, unit, "ago"] => (ago(number(count)?, unit)?, 3),
            _ => return None,
        };
        let positions = leaves[at..at + length]
            .iter()
            .map(|(position, _)| *position)
            .collect();
        Some(Named { when, positions })
    })
}

fn ago(count: i32, unit: &str) -> Option<When> {
    Some(match unit {
        "day" | "days" => When::Days {
            from: count,
            until: count - 1,
        },
        "week" | "weeks" => When::Days {
            from: 7 * count,
            until: 7 * (count - 1),
        },
        "month" | "months" => When::Month(count),
        _ => return None,
    })
}

fn days_a(unit: &str) -> Option<i32> {
    Some(match unit {
        "day" | "days" => 1,
        "week" | "weeks" => 7,
        "month" | "months" => 30,
        _ => return None,
    })
}

fn number(word: &str) -> Option<i32> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let spelled = WORDS.iter().position(|name| *name == word);
    let value = match (word, spelled) {
        ("a" | "an", _) => 1,
        (_, Some(index)) => i32::try_from(index).ok()?,
        (digits, None) => digits.parse().ok()?,
    };
    (1..=366).contains(&value).then_some(value)
}

/// Words that ask for the newest. `last` and `current` alone do not: they are everyday words.
fn recent(leaves: &[(u32, &str)]) -> Option<Named> {
    let positions: BTreeSet<u32> = leaves
        .iter()
        .filter(|(_, word)| matches!(*word, "latest" | "newest" | "recent" | "recently"))
        .map(|(position, _)| *position)
        .collect();
    (!positions.is_empty()).then_some(Named {
        when: When::Recent,
        positions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use recall_text::Analyser;

    // A Wednesday.
    const NOW: &str = "2026-03-18T12:00:00Z";

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn boost(query: &str, at: &str) -> Option<f64> {
        let tokens: Vec<_> = Analyser::terms(query).collect();
        let named = named(&tokens)?;
        Some(named.when.boost(time(NOW)).unwrap().at(time(at)))
    }

    #[track_caller]
    fn check(query: &str, first: &str, after: &str) {
        let just_before = |text: &str| {
            Timestamp::from_millisecond(time(text).as_millisecond() - 1)
                .unwrap()
                .to_string()
        };
        let midnight = |day: &str| format!("{day}T00:00:00Z");
        assert_eq!(
            boost(query, &midnight(first)),
            Some(1.0),
            "{query}: first moment"
        );
        assert_eq!(
            boost(query, &just_before(&midnight(first))),
            Some(0.0),
            "{query}: before"
        );
        assert_eq!(
            boost(query, &just_before(&midnight(after))),
            Some(1.0),
            "{query}: last moment"
        );
        assert_eq!(boost(query, &midnight(after)), Some(0.0), "{query}: after");
    }

    // ranking behaviours 32 and 34; W11
    #[test]
    fn dates_written_out_are_windows() {
        check("crash in march 2026", "2026-03-01", "2026-04-01");
        check("2026 march crash", "2026-03-01", "2026-04-01");
        check("Dec 2025", "2025-12-01", "2026-01-01");
        check("crash on 2026-03-04", "2026-03-04", "2026-03-05");
        check("crash in 2026-02", "2026-02-01", "2026-03-01");
    }

    // ranking behaviours 35 to 38 and 42; W11
    #[test]
    fn relative_times_count_from_now() {
        check("today", "2026-03-18", "2026-03-19");
        check("deploy yesterday", "2026-03-17", "2026-03-18");
        check("last week", "2026-03-09", "2026-03-16");
        check("this week", "2026-03-16", "2026-03-23");
        check("last month", "2026-02-01", "2026-03-01");
        check("this month", "2026-03-01", "2026-04-01");
        check("10 days ago issue 3", "2026-03-08", "2026-03-09");
        check("two weeks ago", "2026-03-04", "2026-03-11");
        check("a month ago", "2026-02-01", "2026-03-01");
        check("past 3 days", "2026-03-15", "2026-03-19");
    }

    // ranking behaviour 33; W11
    #[test]
    fn everyday_words_name_no_time() {
        for query in [
            "march of 2026",
            "the last parameter",
            "current user",
            "2026",
            "may fail",
            "0 days ago",
        ] {
            assert_eq!(boost(query, NOW), None, "{query}");
        }
    }

    // ranking behaviours 39 and 40, measured from now instead of from the candidates
    #[test]
    fn latest_fades_with_age() {
        assert_eq!(boost("latest crash", NOW), Some(1.0));
        assert_eq!(boost("latest crash", "2026-02-16T12:00:00Z"), Some(0.5));
        assert_eq!(boost("latest crash", "2027-01-01T00:00:00Z"), Some(1.0));
    }
}
