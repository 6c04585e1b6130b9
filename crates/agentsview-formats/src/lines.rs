//! From a stream of bytes to lines, with a count of what could not be used.

use crate::ParsedFile;

/// A longer line is passed over and counted; no agent writes one on purpose.
pub const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;

/// A line that its parser could not read. It is counted; the reason is not kept, since it would
/// quote the transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

/// A format of one record a line.
pub trait LineParser {
    /// Takes one line without its line end. Blank lines never come here.
    fn line(&mut self, line: &[u8]) -> Result<(), Malformed>;

    /// The sessions of the lines so far. `truncated` says that the file ends inside an unreadable
    /// line.
    fn finish(self: Box<Self>, truncated: bool) -> Vec<crate::ParsedSession>;
}

/// Cuts bytes into lines and hands them to a parser.
///
/// Only complete lines are consumed for good: a last line without a line end is used if it can be
/// read, and marks the file as truncated if not.
pub struct Feeder<'a> {
    parser: Box<dyn LineParser + 'a>,
    /// The bytes of an unfinished line; emptied once it outgrows the limit.
    partial: Vec<u8>,
    partial_is_oversized: bool,
    fed_bytes: u64,
    file: ParsedFile,
}

impl<'a> Feeder<'a> {
    /// A feeder at the start of a file.
    pub fn new(parser: Box<dyn LineParser + 'a>) -> Self {
        Self {
            parser,
            partial: Vec::new(),
            partial_is_oversized: false,
            fed_bytes: 0,
            file: ParsedFile::default(),
        }
    }

    /// Takes the next bytes of the file, cut anywhere.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (head, rest) = bytes.split_at(end + 1);
            self.fed_bytes += head.len() as u64;
            self.take_line(&head[..end]);
            self.file.consumed_bytes = self.fed_bytes;
            bytes = rest;
        }
        self.fed_bytes += bytes.len() as u64;
        self.keep(bytes);
    }

    /// The file is at its end.
    pub fn finish(mut self) -> ParsedFile {
        let partial = std::mem::take(&mut self.partial);
        if self.partial_is_oversized {
            self.file.oversized_lines += 1;
        } else if !is_blank(&partial) {
            // A complete record whose line end is missing is as good as any; it is simply not
            // counted as consumed, since its line may still grow.
            self.file.is_truncated = self.parser.line(&partial).is_err();
        }
        self.file.sessions = self.parser.finish(self.file.is_truncated);
        self.file
    }

    fn take_line(&mut self, end_of_line: &[u8]) {
        if self.partial.is_empty() && !self.partial_is_oversized {
            if end_of_line.len() > MAX_LINE_BYTES {
                self.file.oversized_lines += 1;
            } else {
                self.parse(end_of_line);
            }
            return;
        }
        self.keep(end_of_line);
        if std::mem::take(&mut self.partial_is_oversized) {
            self.file.oversized_lines += 1;
        } else {
            let line = std::mem::take(&mut self.partial);
            self.parse(&line);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.partial_is_oversized {
            return;
        }
        if self.partial.len() + bytes.len() > MAX_LINE_BYTES {
            self.partial_is_oversized = true;
            self.partial = Vec::new();
        } else {
            self.partial.extend_from_slice(bytes);
        }
    }

    fn parse(&mut self, line: &[u8]) {
        if !is_blank(line) && self.parser.line(line).is_err() {
            self.file.malformed_lines += 1;
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accepts lines that start with `{`, and remembers none.
    struct Braces;
    impl LineParser for Braces {
        fn line(&mut self, line: &[u8]) -> Result<(), Malformed> {
            if line.starts_with(b"{") && line.ends_with(b"}") {
                Ok(())
            } else {
                Err(Malformed)
            }
        }
        fn finish(self: Box<Self>, _truncated: bool) -> Vec<crate::ParsedSession> {
            Vec::new()
        }
    }

    fn fed(chunks: &[&[u8]]) -> ParsedFile {
        let mut feeder = Feeder::new(Box::new(Braces));
        for chunk in chunks {
            feeder.feed(chunk);
        }
        feeder.finish()
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_are_cut() {
        let text = b"{1}\n\n bad \r\n{2}\n{3";
        let whole = fed(&[text]);
        assert_eq!((whole.malformed_lines, whole.is_truncated), (1, true));
        assert_eq!(whole.consumed_bytes, 16);
        for cut in 0..text.len() {
            let (a, b) = text.split_at(cut);
            assert_eq!(fed(&[a, b]), whole, "cut at {cut}");
        }
    }

    #[test]
    fn a_last_record_without_a_line_end_is_used_and_not_consumed() {
        let file = fed(&[b"{1}\n{2}"]);
        assert!(!file.is_truncated);
        assert_eq!(file.consumed_bytes, 4);
    }

    #[test]
    fn a_line_over_the_limit_is_counted_and_the_next_one_read() {
        let block = vec![b'x'; 1024 * 1024];
        let mut feeder = Feeder::new(Box::new(Braces));
        for _ in 0..=MAX_LINE_BYTES / block.len() {
            feeder.feed(&block);
        }
        feeder.feed(b"\n{1}\n");
        let file = feeder.finish();
        assert_eq!(
            (
                file.oversized_lines,
                file.malformed_lines,
                file.is_truncated
            ),
            (1, 0, false)
        );
    }
}
