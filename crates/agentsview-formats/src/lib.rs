//! One module per agent: bytes of a session file in, a [`ParsedFile`] out.
//!
//! A parser is a pure function of the file's lines. The caller reads the file and feeds its bytes
//! to a [`Feeder`], which cuts them into lines and counts what cannot be used; whatever a format
//! needs from the machine beyond its own file is asked of [`Surroundings`]. Nothing here writes,
//! and nothing here decides whether a session may be extracted or trusted.
//!
//! ```
//! use agentsview_formats::{Agent, Feeder, Nowhere, SourceFile};
//!
//! let source = SourceFile::new("-srv-code-app/5e55.jsonl");
//! let mut feeder = Feeder::new(Agent::Claude.parser(&source, &Nowhere));
//! feeder.feed(b"{\"type\":\"user\",\"uuid\":\"u1\",\"cwd\":\"/srv/code/app\",");
//! feeder.feed(b"\"message\":{\"role\":\"user\",\"content\":\"Hello\"}}\n{oops\n");
//! let file = feeder.finish();
//! assert_eq!(file.sessions[0].messages[0].content, "Hello");
//! assert_eq!(file.malformed_lines, 1);
//! ```

mod agent;
mod automated;
mod claude;
mod codex;
mod lines;
mod project;
mod session;
mod source;
mod text;
mod time;
mod tools;

pub use agent::Agent;
pub use codex::codex_thread_names;
pub use lines::{Feeder, LineParser, MAX_LINE_BYTES, Malformed};
pub use session::{
    ParsedFile, ParsedMessage, ParsedSession, ParsedToolCall, Relationship, Termination,
    TokenUsage, ToolResult,
};
pub use source::{Nowhere, SourceFile, Surroundings};
pub use tools::ToolCategory;

/// Rises with every change to what a parser makes of a file; files read by an older one are read
/// again.
pub const PARSER_VERSION: u32 = 1;
