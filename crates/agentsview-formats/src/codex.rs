//! Reads the session files of this agent.

use crate::{LineParser, Malformed, ParsedSession, SourceFile, Surroundings};

pub(crate) struct Parser<'a> {
    _surroundings: &'a dyn Surroundings,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(_source: &SourceFile, surroundings: &'a dyn Surroundings) -> Self {
        Self {
            _surroundings: surroundings,
        }
    }
}

impl LineParser for Parser<'_> {
    fn line(&mut self, _line: &[u8]) -> Result<(), Malformed> {
        Ok(())
    }

    fn finish(self: Box<Self>, _truncated: bool) -> Vec<ParsedSession> {
        Vec::new()
    }
}
