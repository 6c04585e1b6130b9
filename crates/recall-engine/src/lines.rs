//! Lines of an input that nobody vouches for the size of.

use std::io::{self, BufRead, Read};

use recall_trust::import::MAX_LINE_BYTES;

/// Reads the next line with its line break into `buffer`; false at the end of the input. Of a line
/// over [`MAX_LINE_BYTES`] only so much is kept as shows that it is too long.
pub(crate) fn read_line(
    input: &mut (dyn BufRead + Send),
    buffer: &mut Vec<u8>,
) -> io::Result<bool> {
    buffer.clear();
    let mut kept = Read::take(&mut *input, MAX_LINE_BYTES as u64 + 2);
    if kept.read_until(b'\n', buffer)? == 0 {
        return Ok(false);
    }
    if buffer.len() > MAX_LINE_BYTES + 1 && !buffer.ends_with(b"\n") {
        skip_line(input)?;
    }
    Ok(true)
}

fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let line_end = available.iter().position(|byte| *byte == b'\n');
        let used = line_end.map_or(available.len(), |at| at + 1);
        let is_last = used == 0;
        input.consume(used);
        if line_end.is_some() || is_last {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_over_the_limit_is_cut_and_the_next_one_read() {
        let long = vec![b'x'; MAX_LINE_BYTES * 2];
        let mut text = b"first\n".to_vec();
        text.extend(&long);
        text.extend(b"\nlast");
        let mut input = io::BufReader::new(text.as_slice());
        let mut buffer = Vec::new();
        let mut lengths = Vec::new();
        while read_line(&mut input, &mut buffer).unwrap() {
            lengths.push(buffer.len());
        }
        assert_eq!(lengths, [6, MAX_LINE_BYTES + 2, 4]);
    }
}
