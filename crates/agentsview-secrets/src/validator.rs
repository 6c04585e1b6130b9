//! Tests that tell a credential from a placeholder, by name.
//!
//! Every test reads the part of a match after the rule's literal and is linear in its length. When
//! the behaviour of a test changes, the number in `version` must rise.

/// Least bits a byte of a random token.
const MIN_ENTROPY: f64 = 3.5;
/// This many code points in a row, each one more (or one less) than the last, are typed, not drawn.
const RUN: usize = 6;
/// The least payload of a private key, in bytes that are not blank.
const MIN_PEM_PAYLOAD: usize = 48;
/// Words that vendors put into the keys of their documentation.
const DOCUMENTATION_WORDS: &[&str] = &["EXAMPLE", "SAMPLE", "DUMMY", "PLACEHOLDER"];

/// One test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Validator {
    /// The last part (of those that dots divide) has the entropy of a random token.
    Entropy,
    /// No byte makes up three quarters.
    NoDominantByte,
    /// No block of two to six bytes makes up three quarters, wherever the first one starts.
    NoRepeatedBlock,
    /// Nothing like `abcdef` or `987654`.
    NoRun,
    /// The last four bytes are not all the same.
    NoEqualTail,
    /// None of the words of a documentation.
    NoDocumentationWord,
    /// Not counted up to the end.
    NoCountingTail,
    /// Enough base64 between the lines of a private key, and little else.
    PemPayload,
}

impl Validator {
    /// The name that goes into the version of the rules.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Entropy => "entropy",
            Self::NoDominantByte => "no-dominant-byte",
            Self::NoRepeatedBlock => "no-repeated-block",
            Self::NoRun => "no-run",
            Self::NoEqualTail => "no-equal-tail",
            Self::NoDocumentationWord => "no-documentation-word",
            Self::NoCountingTail => "no-counting-tail",
            Self::PemPayload => "pem-payload",
        }
    }

    /// Whether `body`, the match without its literal, may be a credential.
    pub(crate) fn accepts(self, body: &str) -> bool {
        match self {
            Self::Entropy => {
                entropy(body.rsplit('.').next().unwrap_or(body).as_bytes()) >= MIN_ENTROPY
            }
            Self::NoDominantByte => !dominates(body.as_bytes(), 1, 0),
            Self::NoRepeatedBlock => {
                (2..=6).all(|size| (0..size).all(|phase| !dominates(body.as_bytes(), size, phase)))
            }
            Self::NoRun => !has_run(body),
            Self::NoEqualTail => match body.as_bytes() {
                [.., a, b, c, d] => !(a == b && b == c && c == d),
                _ => true,
            },
            Self::NoDocumentationWord => {
                DOCUMENTATION_WORDS.iter().all(|word| !body.contains(word))
            }
            Self::NoCountingTail => !body.ends_with("0123"),
            Self::PemPayload => has_pem_payload(body),
        }
    }
}

/// Shannon entropy in bits a byte; 0 for nothing.
#[expect(
    clippy::cast_precision_loss,
    reason = "a token is far shorter than 2^52 bytes"
)]
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_usize; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let total = bytes.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = *count as f64 / total;
            -share * share.log2()
        })
        .sum()
}

/// Whether one block of `size` bytes, cut from `phase` on, makes up three quarters of `bytes`.
fn dominates(bytes: &[u8], size: usize, phase: usize) -> bool {
    let blocks = || bytes.get(phase..).unwrap_or_default().chunks_exact(size);
    // What makes up three quarters is a majority, and the majority vote of Boyer and Moore leaves
    // one candidate without a table of all blocks.
    let mut candidate: &[u8] = &[];
    let mut lead = 0_usize;
    for block in blocks() {
        if lead == 0 {
            candidate = block;
        }
        if block == candidate {
            lead += 1;
        } else {
            lead -= 1;
        }
    }
    let count = blocks().filter(|block| *block == candidate).count();
    count > 0 && count * size * 4 >= bytes.len() * 3
}

fn has_run(body: &str) -> bool {
    let mut rising = 1;
    let mut falling = 1;
    let mut last: Option<u32> = None;
    for point in body.chars().map(u32::from) {
        rising = if last.is_some_and(|last| last + 1 == point) {
            rising + 1
        } else {
            1
        };
        falling = if last.is_some_and(|last| point + 1 == last) {
            falling + 1
        } else {
            1
        };
        if rising >= RUN || falling >= RUN {
            return true;
        }
        last = Some(point);
    }
    false
}

/// `body` is what follows `-----BEGIN `: the rest of that line, the payload, the closing line.
fn has_pem_payload(body: &str) -> bool {
    let payload = body
        .split_once("-----")
        .and_then(|(_, rest)| rest.rsplit_once("END "))
        .map_or("", |(payload, _)| payload.trim_end_matches('-'));
    // Tool input holds its line ends escaped.
    let payload = payload.replace("\\r", "\n").replace("\\n", "\n");
    let mut in_headers = true;
    let mut letters = 0;
    let mut others = 0;
    for line in payload.lines().map(without_line_mark) {
        if in_headers && (line.is_empty() || line.contains(": ")) {
            continue;
        }
        in_headers = false;
        for byte in line.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=') {
                letters += 1;
            } else {
                others += 1;
            }
        }
    }
    letters + others >= MIN_PEM_PAYLOAD && letters * 100 >= (letters + others) * 99
}

/// The line without what tools put in front of it: the number of a listing, the sign of a diff.
fn without_line_mark(line: &str) -> &str {
    let line = line.trim();
    let unnumbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let line = match unnumbered.strip_prefix(['→', '|', ':']) {
        Some(rest) if unnumbered.len() < line.len() => rest,
        _ => line,
    };
    line.trim_start_matches(['-', '>', '|']).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_counts_bits_a_byte() {
        assert!(entropy(b"") < 1e-9);
        assert!(entropy(b"aaaa") < 1e-9);
        assert!((entropy(b"abcd") - 2.0).abs() < 1e-9);
        assert!((entropy(b"0123456789abcdef") - 4.0).abs() < 1e-9);
    }

    #[test]
    fn a_byte_or_a_block_with_three_quarters_is_a_placeholder() {
        assert!(!Validator::NoDominantByte.accepts("xxxxxxab"));
        assert!(Validator::NoDominantByte.accepts("xxxxxabc"));
        assert!(!Validator::NoRepeatedBlock.accepts("A1b2A1b2A1b2A1b2"));
        assert!(!Validator::NoRepeatedBlock.accepts("zA1b2A1b2A1b2A1b2A1b2yy"));
        assert!(Validator::NoRepeatedBlock.accepts("A1b2q9W3kd82LmPz"));
        assert!(Validator::NoRepeatedBlock.accepts(""));
    }

    #[test]
    fn six_in_a_row_up_or_down_are_a_placeholder() {
        assert!(!Validator::NoRun.accepts("q7abcdefw"));
        assert!(!Validator::NoRun.accepts("q7987654w"));
        assert!(Validator::NoRun.accepts("abcdezyxwv12345"));
    }

    #[test]
    fn four_equal_last_bytes_and_a_counting_end_are_a_placeholder() {
        assert!(!Validator::NoEqualTail.accepts("q9W3k0000"));
        assert!(Validator::NoEqualTail.accepts("q9W3k1000"));
        assert!(!Validator::NoCountingTail.accepts("q9W3k0123"));
        assert!(!Validator::NoDocumentationWord.accepts("IOSFODNN7EXAMPLE"));
    }

    fn pem(payload: &str) -> String {
        format!("RSA PRIVATE KEY-----{payload}-----END RSA PRIVATE KEY-----")
    }

    const LINE: &str = "pX3vN8sQ1zLr7TgKd4YwHc9JfBm6EaUo5RiVt2Wq";

    #[test]
    fn a_private_key_needs_a_payload_of_base64() {
        assert!(Validator::PemPayload.accepts(&pem(&format!("\n{LINE}\n{LINE}\n"))));
        assert!(!Validator::PemPayload.accepts(&pem(&format!("\n{LINE}\n"))));
        assert!(!Validator::PemPayload.accepts(&pem(&format!("\n{LINE}\n... ({LINE}) ...\n"))));
        assert!(!Validator::PemPayload.accepts("RSA PRIVATE KEY-----"));
    }

    #[test]
    fn headers_escapes_line_numbers_and_diff_signs_do_not_hide_a_private_key() {
        for payload in [
            format!("\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00FF\n\n{LINE}\n{LINE}\n"),
            format!("\\n{LINE}\\n{LINE}\\n"),
            format!("\n     2→{LINE}\n     3→{LINE}\n     4→"),
            format!("\n-{LINE}\n-{LINE}\n-"),
        ] {
            assert!(Validator::PemPayload.accepts(&pem(&payload)), "{payload}");
        }
    }
}
