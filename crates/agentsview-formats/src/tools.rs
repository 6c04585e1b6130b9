//! Kinds of tools, and how a tool call is headed in a transcript.

use std::fmt;

/// The kind of a tool, the same across agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolCategory {
    /// Reads a file.
    Read,
    /// Changes a file.
    Edit,
    /// Writes a whole file.
    Write,
    /// Runs a command.
    Bash,
    /// Searches text.
    Grep,
    /// Finds files by name.
    Glob,
    /// Starts another agent.
    Task,
    /// A known tool of another kind.
    Tool,
    /// Anything else.
    Other,
}

impl ToolCategory {
    /// The word for storage and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "Read",
            Self::Edit => "Edit",
            Self::Write => "Write",
            Self::Bash => "Bash",
            Self::Grep => "Grep",
            Self::Glob => "Glob",
            Self::Task => "Task",
            Self::Tool => "Tool",
            Self::Other => "Other",
        }
    }
}

impl fmt::Display for ToolCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
