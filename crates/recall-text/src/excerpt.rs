//! The best sentences of a text that is too long to show.

use std::collections::BTreeSet;
use std::iter;
use std::ops::Range;

use crate::sentence::sentences;
use crate::truncate::{back, front};
use crate::{Analyser, CUT_MARK, TokenKind, is_stop_word, looks_like_identifier, truncate};

/// What a reader is looking for: the terms of a question without stop words.
#[derive(Debug, Clone, Default)]
pub struct Focus {
    terms: BTreeSet<String>,
}

impl Focus {
    /// The focus of a question. Names out of code count whole and in parts.
    pub fn new(query: &str) -> Self {
        let terms = Analyser::terms(query)
            .filter(|token| token.kind != TokenKind::CjkChar && !is_stop_word(&token.term))
            .map(|token| token.term.into_owned())
            .collect();
        Self { terms }
    }
}

/// A shortened text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Excerpt {
    /// The sentences that were kept, in their order; [`CUT_MARK`] stands for each gap.
    pub text: String,
    /// Whether something of the text is missing.
    pub cut: bool,
}

/// Fewer bytes of a sentence than this say nothing.
const SHORTEST_PART: usize = 32;

/// How much a focus term that looks like an identifier counts beside a word.
const IDENTIFIER_WEIGHT: usize = 3;

struct Sentence {
    span: Range<usize>,
    /// The focus terms it holds, each once.
    terms: BTreeSet<String>,
    /// Where its first focus term stands.
    first: Option<usize>,
    value: usize,
}

/// At most `budget` bytes of `body`: all of it if it fits, else the sentences that hold most of
/// the focus, in their own order, then as many of their neighbours as fit, and of the next one the
/// start if that is worth reading. Without a match it is the start of the body. A sentence that is
/// too long by itself is shown around its first match.
///
/// The body should be clean already ([`crate::clean_line`]); lines end sentences.
pub fn excerpt(body: &str, focus: &Focus, budget: usize) -> Excerpt {
    let body = body.trim();
    if body.len() <= budget {
        return Excerpt {
            text: body.to_owned(),
            cut: false,
        };
    }
    let sentences = focused(body, focus);
    let mut order: Vec<usize> = (0..sentences.len())
        .filter(|index| sentences[*index].value > 0)
        .collect();
    order.sort_by_key(|index| std::cmp::Reverse(sentences[*index].value));

    let mut chosen = Selection::new(&sentences, body, budget);
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for index in order {
        // A sentence that only repeats what is shown already gives way to the neighbours.
        let repeats = sentences[index]
            .terms
            .iter()
            .all(|term| seen.contains(term.as_str()));
        if !repeats && chosen.add(index) {
            seen.extend(sentences[index].terms.iter().map(String::as_str));
        }
    }
    if chosen.is_empty() {
        let best = sentences
            .iter()
            .enumerate()
            .max_by_key(|(index, sentence)| (sentence.value, std::cmp::Reverse(*index)));
        let text = match best.and_then(|(_, sentence)| Some((sentence, sentence.first?))) {
            Some((sentence, first)) => window(body, &sentence.span, first, budget),
            None => truncate(body, budget).into_owned(),
        };
        return Excerpt { text, cut: true };
    }
    chosen.grow();
    Excerpt {
        text: chosen.text(),
        cut: true,
    }
}

/// Which sentences are shown.
struct Selection<'t> {
    sentences: &'t [Sentence],
    body: &'t str,
    budget: usize,
    shown: BTreeSet<usize>,
}

impl<'t> Selection<'t> {
    fn new(sentences: &'t [Sentence], body: &'t str, budget: usize) -> Self {
        Self {
            sentences,
            body,
            budget,
            shown: BTreeSet::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Adds a sentence if the whole still fits.
    fn add(&mut self, index: usize) -> bool {
        if !self.shown.insert(index) {
            return false;
        }
        let fits = self.length() <= self.budget;
        if !fits {
            self.shown.remove(&index);
        }
        fits
    }

    /// Adds what follows and what precedes the sentences shown, as long as it fits.
    fn grow(&mut self) {
        let mut tried: BTreeSet<usize> = BTreeSet::new();
        loop {
            let neighbour = self
                .shown
                .iter()
                .flat_map(|index| [Some(index + 1), index.checked_sub(1)])
                .flatten()
                .find(|index| {
                    *index < self.sentences.len()
                        && !self.shown.contains(index)
                        && !tried.contains(index)
                });
            let Some(index) = neighbour else { return };
            tried.insert(index);
            self.add(index);
        }
    }

    /// The runs of adjacent sentences, as places in the body.
    fn runs(&self) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        let mut last = None;
        for index in &self.shown {
            let span = self.sentences[*index].span.clone();
            match runs.last_mut() {
                Some(run) if last.is_some_and(|last| last + 1 == *index) => run.end = span.end,
                _ => runs.push(span),
            }
            last = Some(*index);
        }
        runs
    }

    fn length(&self) -> usize {
        length(&self.runs(), self.body)
    }

    /// What is shown, and in the room left over the start of what follows, or the end of what
    /// precedes.
    fn text(&self) -> String {
        let mut runs = self.runs();
        let room = self.budget - length(&runs, self.body);
        if room >= SHORTEST_PART {
            if let Some((index, end)) = self.continued(&runs, room) {
                runs[index].end = end;
            } else if let Some((first, start)) = runs.first_mut().zip(self.preceded(room)) {
                first.start = start;
            }
        }
        written(&runs, self.body)
    }

    /// The first run that something follows, and where it ends if that gets `room` bytes more: at a
    /// blank, where there is one.
    fn continued(&self, runs: &[Range<usize>], room: usize) -> Option<(usize, usize)> {
        let limits = runs.iter().skip(1).map(|run| run.start);
        let limits = limits.chain(iter::once(self.body.len()));
        let mut runs = runs.iter().zip(limits).enumerate();
        runs.find_map(|(index, (run, limit))| {
            let more = front(&self.body[run.end..limit], room);
            let blank = more.rfind(char::is_whitespace);
            let more = blank.map_or(more, |at| &more[..at]).trim_end();
            let is_part = more.len() >= SHORTEST_PART && run.end + more.len() < limit;
            is_part.then_some((index, run.end + more.len()))
        })
    }

    /// Where the first run begins if it gets `room` bytes more: behind a blank, where there is one.
    fn preceded(&self, room: usize) -> Option<usize> {
        let first = self.sentences[*self.shown.first()?].span.start;
        let more = back(&self.body[..first], room);
        let blank = more.find(char::is_whitespace);
        let more = blank.map_or(more, |at| &more[at..]).trim_start();
        let is_part = more.len() >= SHORTEST_PART && more.len() < first;
        is_part.then_some(first - more.len())
    }
}

/// How long the runs are with the marks between and around them.
fn length(runs: &[Range<usize>], body: &str) -> usize {
    let text: usize = runs.iter().map(ExactSizeIterator::len).sum();
    let gaps = runs.len().saturating_sub(1) * (CUT_MARK.len() + 2);
    let edge = CUT_MARK.len() + 1;
    let before = runs
        .first()
        .map_or(0, |run| if run.start > 0 { edge } else { 0 });
    let after = runs
        .last()
        .map_or(0, |run| if run.end < body.len() { edge } else { 0 });
    text + gaps + before + after
}

/// The runs of a body with a mark for each gap.
fn written(runs: &[Range<usize>], body: &str) -> String {
    let mut text = String::with_capacity(length(runs, body));
    for run in runs {
        if run.start > 0 {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(CUT_MARK);
            text.push(' ');
        }
        text.push_str(&body[run.clone()]);
    }
    if runs.last().is_some_and(|run| run.end < body.len()) {
        text.push(' ');
        text.push_str(CUT_MARK);
    }
    text
}

/// The sentences of a body with what they hold of the focus.
fn focused(body: &str, focus: &Focus) -> Vec<Sentence> {
    let mut sentences: Vec<Sentence> = sentences(body)
        .into_iter()
        .map(|span| Sentence {
            span,
            terms: BTreeSet::new(),
            first: None,
            value: 0,
        })
        .collect();
    let mut current = 0;
    for token in Analyser::terms(body) {
        if !focus.terms.contains(token.term.as_ref()) {
            continue;
        }
        while sentences
            .get(current)
            .is_some_and(|sentence| sentence.span.end <= token.span.start)
        {
            current += 1;
        }
        let Some(sentence) = sentences.get_mut(current) else {
            break;
        };
        sentence.first.get_or_insert(token.span.start);
        let named = looks_like_identifier(&body[token.span])
            || matches!(token.kind, TokenKind::Identifier | TokenKind::Compound);
        if sentence.terms.insert(token.term.into_owned()) {
            sentence.value += if named { IDENTIFIER_WEIGHT } else { 1 };
        }
    }
    sentences
}

/// Part of one sentence around a match, a third of the room before it.
fn window(body: &str, sentence: &Range<usize>, first: usize, budget: usize) -> String {
    let text = &body[sentence.clone()];
    let wanted = (first - sentence.start).saturating_sub(budget / 3);
    let mut from = text.floor_char_boundary(wanted);
    if let Some(blank) = text[from..first - sentence.start].find(' ')
        && from > 0
    {
        from += blank + 1;
    }
    let start = sentence.start + from;
    let lead = format!("{CUT_MARK} ");
    let room = budget.saturating_sub(lead.len());
    if start == 0 || room <= lead.len() {
        return truncate(&body[start..], budget).into_owned();
    }
    let tail = &body[start..sentence.end];
    let tail = if sentence.end < body.len() && tail.len() <= room {
        // The sentence fits behind the mark, the body does not end here.
        format!(
            "{}{CUT_MARK}",
            front(tail, room.saturating_sub(CUT_MARK.len()))
        )
    } else {
        truncate(tail, room).into_owned()
    };
    format!("{lead}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BODY: &str = "We looked at the logs. The root cause was busy_timeout set to 0. \
        Lunch was late. Setting it to 5000 fixed the pool. Nobody complained since.";

    // ranking W14
    #[test]
    fn the_sentences_that_answer_are_kept_in_order() {
        let shown = excerpt(BODY, &Focus::new("fixed pool root cause"), 95);
        assert_eq!(
            shown.text,
            "… The root cause was busy_timeout set to 0. … Setting it to 5000 fixed the pool. …"
        );
        assert!(shown.cut);
    }

    #[test]
    fn a_body_that_fits_is_whole_and_unmarked() {
        let shown = excerpt(BODY, &Focus::new("pool"), BODY.len());
        assert_eq!((shown.text.as_str(), shown.cut), (BODY, false));
    }

    #[test]
    fn room_left_over_goes_to_the_neighbours() {
        let shown = excerpt(BODY, &Focus::new("busyTimeout"), 75);
        assert_eq!(
            shown.text,
            "… The root cause was busy_timeout set to 0. Lunch was late. …"
        );
    }

    #[test]
    fn without_a_match_the_start_is_shown() {
        assert_eq!(
            excerpt(BODY, &Focus::new("zebra"), 20).text,
            "We looked at the…"
        );
    }

    // ranking W14
    #[test]
    fn room_for_half_a_sentence_is_used() {
        let filler =
            "Nothing else of any note was seen in this part of the long log of the night. ";
        let shown = |body: &str| excerpt(body, &Focus::new("root cause"), 110).text;
        assert_eq!(
            shown(&format!(
                "The root cause was a lock that nobody let go of. {filler}"
            )),
            "The root cause was a lock that nobody let go of. Nothing else of any note was seen in this part of the …"
        );
        assert_eq!(
            shown(&format!(
                "{filler}The root cause was a lock that nobody let go of."
            )),
            "… note was seen in this part of the long log of the night. The root cause was a lock that nobody let go of."
        );
    }

    // ranking W14
    #[test]
    fn a_line_of_code_is_a_sentence() {
        let code =
            "fn main() {\n    let pool = Pool::new();\n    pool.close();\n    pool.join();\n}";
        assert_eq!(
            excerpt(code, &Focus::new("close"), 25).text,
            "… pool.close(); …"
        );
    }

    // ranking W22
    #[test]
    fn letters_that_grow_in_lower_case_do_no_harm() {
        let body = format!("{} needle and more words after it", "Ⱥ".repeat(300));
        let shown = excerpt(&body, &Focus::new("needle"), 60);
        assert!(
            shown.text.contains("needle") && shown.text.len() <= 60,
            "{}",
            shown.text
        );
    }

    #[test]
    fn sentences_of_other_scripts_end_too() {
        let shown = excerpt(
            "今天天气很好。数据库锁定了。吃饭。",
            &Focus::new("数据库"),
            30,
        );
        assert_eq!(shown.text, "… 数据库锁定了。 …");
    }

    /// Text out of everything that has caused trouble: letters that grow or shrink in lower case,
    /// marks, joiners, scripts of both directions, ends of sentences and lines.
    fn any_text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            any::<char>().prop_map(String::from),
            prop::sample::select(vec![
                "İ",
                "Ⱥ",
                "ẞ",
                "ŉ",
                "ﷺ",
                "ﬃ",
                "ΐ",
                "\u{301}",
                "\u{fffd}",
                "\u{200d}",
                "\u{fe0f}",
                "👩\u{200d}👩\u{200d}👧",
                "👍🏽",
                "🇩🇪",
                "العربية",
                "\u{202e}",
                "數據",
                "数据库。",
                "が",
                "か\u{3099}",
                "한국",
                "needle ",
                "busy_timeout",
                "store/pool.rs",
                ". ",
                "! ",
                "？",
                "\n",
                " ",
                "\r\n",
            ])
            .prop_map(str::to_owned),
        ];
        prop::collection::vec(piece, 0..80).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        // ranking behaviours 56 and 61; W22
        #[test]
        fn an_excerpt_of_any_text_fits_and_is_made_of_the_text(
            body in any_text(), query in any_text(), budget in 0_usize..200,
        ) {
            let shown = excerpt(&body, &Focus::new(&query), budget);
            prop_assert!(shown.text.len() <= budget, "{} > {budget}", shown.text.len());
            prop_assert_eq!(shown.cut, body.trim().len() > budget);
            for part in shown.text.split(CUT_MARK) {
                prop_assert!(body.contains(part.trim()), "{part:?}");
            }
        }

        // ranking behaviours 56 and 61
        #[test]
        fn an_excerpt_fits_whatever_the_text(
            body in "([a-c]{1,6}|Ⱥ|数|İ|[.!?] |\n| ){0,60}",
            query in "[a-c数Ⱥ ]{0,12}",
            budget in 0_usize..80,
        ) {
            let shown = excerpt(&body, &Focus::new(&query), budget);
            prop_assert!(shown.text.len() <= budget, "{} > {}", shown.text.len(), budget);
            prop_assert_eq!(shown.cut, body.trim().len() > budget);
        }
    }
}
