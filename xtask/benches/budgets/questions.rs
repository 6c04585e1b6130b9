//! What is asked, kind by kind.

use recall_core::{EntryFilter, FilterKey};
use recall_engine::QueryRequest;

use crate::text::{Chance, Lexicon, chinese};

/// A kind of question.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    text: fn(&Lexicon, &mut Chance) -> String,
    request: fn(String) -> QueryRequest,
}

impl Kind {
    const fn query(name: &'static str, text: fn(&Lexicon, &mut Chance) -> String) -> Self {
        Self {
            name,
            text,
            request: |text| QueryRequest::new(text),
        }
    }

    pub(crate) fn ask(&self, lexicon: &Lexicon, chance: &mut Chance) -> QueryRequest {
        (self.request)((self.text)(lexicon, chance))
    }
}

pub(crate) const KINDS: &[Kind] = &[
    Kind::query("rare word", |lexicon, chance| {
        lexicon.rare_word(chance).to_owned()
    }),
    Kind::query("very common word", |lexicon, chance| {
        lexicon.common_word(chance).to_owned()
    }),
    Kind::query("three very common words", |lexicon, chance| {
        words(3, chance, |chance| lexicon.common_word(chance))
    }),
    Kind::query("three words", three),
    Kind::query("sentence of 12 words", |lexicon, chance| {
        let topic = lexicon.topic(chance);
        format!("how do I {}?", lexicon.prose(&topic, 12, chance))
    }),
    Kind::query("pasted paragraph of 60 words", |lexicon, chance| {
        let topic = lexicon.topic(chance);
        lexicon.prose(&topic, 60, chance)
    }),
    Kind::query("identifier", |lexicon, chance| {
        lexicon.name(chance).to_owned()
    }),
    Kind::query("path", |lexicon, chance| lexicon.path(chance).to_owned()),
    Kind::query("error line", Lexicon::error_line),
    Kind::query("Chinese", |_, chance| chinese(6, chance)),
    Kind::query("misspelt word", misspelt),
    Kind::query("yesterday", |lexicon, chance| {
        format!(
            "what did we decide yesterday about {}",
            lexicon.word(chance)
        )
    }),
    Kind::query("latest", |lexicon, chance| {
        format!("latest {}", three(lexicon, chance))
    }),
    Kind::query("time alone", |_, chance| {
        (*chance.of(&["yesterday", "last week", "latest", "this month", "recently"])).to_owned()
    }),
    Kind::query("nonsense", |_, chance| {
        (0..3)
            .map(|_| scrambled(chance))
            .collect::<Vec<_>>()
            .join(" ")
    }),
    Kind {
        name: "three words in one project",
        text: three,
        request: |text| QueryRequest {
            filter: in_project("weir"),
            ..QueryRequest::new(text)
        },
    },
    Kind {
        name: "three words, trusted only",
        text: three,
        request: |text| QueryRequest {
            filter: EntryFilter {
                trusted_only: true,
                ..EntryFilter::default()
            },
            ..QueryRequest::new(text)
        },
    },
    Kind {
        name: "brief of 4,000 bytes",
        text: |lexicon, chance| {
            let topic = lexicon.topic(chance);
            lexicon.prose(&topic, 15, chance)
        },
        request: |text| QueryRequest::brief(text),
    },
];

fn three(lexicon: &Lexicon, chance: &mut Chance) -> String {
    words(3, chance, |chance| lexicon.word(chance))
}

fn words<'l>(count: usize, chance: &mut Chance, word: impl Fn(&mut Chance) -> &'l str) -> String {
    let words: Vec<&str> = (0..count).map(|_| word(chance)).collect();
    words.join(" ")
}

/// A long word with two of its letters swapped.
fn misspelt(lexicon: &Lexicon, chance: &mut Chance) -> String {
    loop {
        let mut letters: Vec<char> = lexicon.word(chance).chars().collect();
        if letters.len() >= 7 {
            let at = chance.between(2, letters.len() - 1);
            letters.swap(at - 1, at);
            return letters.into_iter().collect();
        }
    }
}

/// Letters that make no word.
fn scrambled(chance: &mut Chance) -> String {
    (0..9)
        .map(|_| *chance.of(&['q', 'x', 'z', 'v', 'j', 'k', 'w']))
        .collect()
}

fn in_project(name: &str) -> EntryFilter {
    let mut filter = EntryFilter::default();
    filter.set(FilterKey::Project, name).unwrap();
    filter
}
