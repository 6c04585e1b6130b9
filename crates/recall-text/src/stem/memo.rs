//! A small memory of stems. Text repeats its words, and a stem takes ten times as long to find as
//! to remember.

use std::borrow::Cow;
use std::cell::Cell;

/// How many words are remembered, a power of two. A word drives out the one in its place.
const PLACES: usize = 2048;

/// Longer words are too rare to remember.
const LONGEST_WORD: usize = 16;

/// A stem is the front of its word and a few letters more.
const LONGEST_TAIL: usize = 6;

#[derive(Debug, Clone, Copy)]
struct Remembered {
    /// The letters of the word, zero behind them.
    word: u128,
    /// How much of the word its stem starts with.
    front: u8,
    /// What follows, `tail_length` of it.
    tail: [u8; LONGEST_TAIL],
    tail_length: u8,
}

const NOTHING: Remembered = Remembered {
    word: 0,
    front: 0,
    tail: [0; LONGEST_TAIL],
    tail_length: 0,
};

thread_local! {
    static MEMORY: [Cell<Remembered>; PLACES] = const { [const { Cell::new(NOTHING) }; PLACES] };
}

/// `stem(word)`, which must depend on nothing else, from memory where it is known. The word is of
/// ASCII letters.
pub(super) fn remember(word: &str, stem: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let Some(key) = key(word) else {
        return stem(word);
    };
    MEMORY.with(|memory| {
        let Some(place) = memory.get(place(key)) else {
            return stem(word);
        };
        let known = place.get();
        if known.word == key {
            return known.stem_of(word);
        }
        let stem = stem(word);
        if let Some(remembered) = Remembered::new(key, word, &stem) {
            place.set(remembered);
            return remembered.stem_of(word);
        }
        stem
    })
}

fn key(word: &str) -> Option<u128> {
    let mut bytes = [0; LONGEST_WORD];
    bytes
        .get_mut(..word.len())?
        .copy_from_slice(word.as_bytes());
    Some(u128::from_le_bytes(bytes))
}

/// Where a word is remembered: the upper bits of a product, which depend on all letters.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the halves and the place are meant"
)]
fn place(key: u128) -> usize {
    let halves = (key as u64) ^ ((key >> 64) as u64).rotate_left(29);
    let product = halves.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product >> (u64::BITS - PLACES.trailing_zeros())) as usize
}

impl Remembered {
    /// `None` if the tail is too long to remember.
    fn new(key: u128, word: &str, stem: &str) -> Option<Self> {
        let front = word
            .bytes()
            .zip(stem.bytes())
            .take_while(|(of_word, of_stem)| of_word == of_stem)
            .count();
        let rest = stem.get(front..)?.as_bytes();
        let mut tail = [0; LONGEST_TAIL];
        tail.get_mut(..rest.len())?.copy_from_slice(rest);
        Some(Self {
            word: key,
            front: u8::try_from(front).ok()?,
            tail,
            tail_length: u8::try_from(rest.len()).ok()?,
        })
    }

    fn stem_of<'w>(&self, word: &'w str) -> Cow<'w, str> {
        let front = &word[..usize::from(self.front)];
        let tail = &self.tail[..usize::from(self.tail_length)];
        if tail.is_empty() {
            return Cow::Borrowed(front);
        }
        let mut stem = String::with_capacity(front.len() + tail.len());
        stem.push_str(front);
        stem.extend(tail.iter().copied().map(char::from));
        Cow::Owned(stem)
    }
}
