//! Kinds of tools, and how a tool call is headed in a transcript.

use std::fmt;

use serde_json::Value;

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
    /// Every kind.
    pub const ALL: &'static [Self] = &[
        Self::Read,
        Self::Edit,
        Self::Write,
        Self::Bash,
        Self::Grep,
        Self::Glob,
        Self::Task,
        Self::Tool,
        Self::Other,
    ];

    /// The kind that [`Self::as_str`] stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|category| category.as_str() == word)
    }

    /// The kind of the tool of that name, whichever agent has it.
    ///
    /// Tools that steer the agent itself (plans, task lists kept by id, leaving plan mode) and
    /// tools of MCP servers are [`Self::Other`].
    pub fn of_tool(name: &str) -> Self {
        match name {
            "Read" | "LS" | "NotebookRead" | "read" | "read_file" | "read_many_files" | "view"
            | "view_file" | "view_image" | "cat" | "ls" | "list" | "list_dir"
            | "list_directory" => Self::Read,
            "Edit"
            | "MultiEdit"
            | "NotebookEdit"
            | "edit"
            | "edit_file"
            | "multiedit"
            | "apply_patch"
            | "patch"
            | "replace"
            | "str_replace"
            | "str_replace_editor"
            | "str_replace_based_edit_tool"
            | "search_replace" => Self::Edit,
            "Write" | "write" | "write_file" | "create" | "create_file" => Self::Write,
            "Bash" | "BashOutput" | "KillShell" | "KillBash" | "Shell" | "bash" | "shell"
            | "shell_command" | "local_shell" | "exec" | "exec_command" | "write_stdin"
            | "run_shell_command" | "run_command" | "run_terminal_cmd" | "execute_command"
            | "container.exec" => Self::Bash,
            "Grep"
            | "grep"
            | "grep_files"
            | "grep_search"
            | "rg"
            | "search_files"
            | "search_file_content"
            | "codebase_search" => Self::Grep,
            "Glob" | "glob" | "find" | "find_files" | "file_search" | "glob_file_search" => {
                Self::Glob
            }
            "Task" | "Agent" | "task" | "subagent" | "spawn_agent" => Self::Task,
            "WebSearch" | "WebFetch" | "TodoWrite" | "TodoRead" | "AskUserQuestion" | "Skill"
            | "ToolSearch" | "web_search" | "web_fetch" | "webfetch" | "todowrite" | "todoread"
            | "todo_write" | "image_generation" => Self::Tool,
            _ => Self::Other,
        }
    }

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

/// What a transcript row shows of a tool call: the tool, what it was about, and for a command or a
/// plan the lines of it.
///
/// Input that is no JSON object comes as a string: some tools take plain text.
pub(crate) fn header(name: &str, category: ToolCategory, input: &Value) -> String {
    match category {
        ToolCategory::Bash => match command(input) {
            Some(command) => format!("[Bash]\n$ {command}"),
            None => titled(name, &subject(input)),
        },
        ToolCategory::Read | ToolCategory::Write | ToolCategory::Glob | ToolCategory::Grep => {
            titled(category.as_str(), &subject(input))
        }
        ToolCategory::Edit => {
            let patched = input.as_str().map(patched_files).unwrap_or_default();
            if patched.is_empty() {
                titled("Edit", &subject(input))
            } else {
                titled("Edit", &patched.join(", "))
            }
        }
        ToolCategory::Task => titled("Task", &subject(input)),
        ToolCategory::Tool | ToolCategory::Other => {
            let mut text = titled(name, &subject(input));
            for step in steps(input) {
                text.push_str("\n- ");
                text.push_str(&step);
            }
            text
        }
    }
}

/// The file that a call is about; empty if none is named.
pub(crate) fn file_path(input: &Value) -> String {
    if let Some(path) = first_text(input, &["file_path", "path", "filePath", "file"]) {
        return path.to_owned();
    }
    let patched = input.as_str().map(patched_files).unwrap_or_default();
    patched.first().copied().unwrap_or_default().to_owned()
}

/// The arguments on one line, without white space between the parts.
pub(crate) fn compact_json(input: &Value) -> String {
    input.to_string()
}

/// The files of a patch in the form that `apply_patch` takes.
fn patched_files(patch: &str) -> Vec<&str> {
    let marks = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];
    patch
        .lines()
        .filter_map(|line| marks.iter().find_map(|mark| line.strip_prefix(mark)))
        .map(str::trim)
        .collect()
}

fn titled(title: &str, subject: &str) -> String {
    if subject.is_empty() {
        format!("[{title}]")
    } else {
        format!("[{title}: {subject}]")
    }
}

/// The longest part of an argument that a header repeats, in characters; the whole of it is in the
/// stored input.
const MAX_SUBJECT_CHARS: usize = 200;

/// What a call is about, on one line; empty if no argument says so.
fn subject(input: &Value) -> String {
    const SAYING: &[&str] = &[
        "file_path",
        "filePath",
        "notebook_path",
        "pattern",
        "description",
        "query",
        "url",
        "path",
        "file",
        "skill",
        "question",
        "prompt",
        "message",
        "subject",
        "title",
        "name",
        "session_id",
        "task_id",
    ];
    let text = first_text(input, SAYING)
        .or_else(|| {
            let question = input.get("questions")?.get(0)?.get("question")?;
            question.as_str()
        })
        .unwrap_or_default();
    let line = text.trim().lines().next().unwrap_or_default();
    line.chars().take(MAX_SUBJECT_CHARS).collect()
}

/// The command line of a call. A shell that only wraps a script is left out.
fn command(input: &Value) -> Option<String> {
    let command = ["command", "cmd", "script"]
        .iter()
        .find_map(|key| input.get(key))?;
    match command {
        Value::String(line) => Some(line.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [_, "-c" | "-lc" | "-ic", script] => Some((*script).to_owned()),
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    }
    .filter(|line| !line.trim().is_empty())
}

/// The items of a task list or plan, with what is done of them.
fn steps(input: &Value) -> Vec<String> {
    let items = ["todos", "plan"]
        .iter()
        .find_map(|key| input.get(key)?.as_array());
    let step = |item: &Value| {
        let text = first_text(item, &["content", "step"])?;
        Some(match first_text(item, &["status"]) {
            Some(status) => format!("{text} ({status})"),
            None => text.to_owned(),
        })
    };
    items.into_iter().flatten().filter_map(step).collect()
}

fn first_text<'a>(input: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter()
        .filter_map(|key| input.get(key)?.as_str())
        .find(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn headed(name: &str, input: &Value) -> String {
        header(name, ToolCategory::of_tool(name), input)
    }

    #[test]
    fn a_header_says_what_the_call_was_about() {
        let cases = [
            ("Read", json!({"file_path": "/a/b.rs"}), "[Read: /a/b.rs]"),
            ("read_file", json!({"path": "b.rs"}), "[Read: b.rs]"),
            ("Bash", json!({"command": "ls -l"}), "[Bash]\n$ ls -l"),
            (
                "shell",
                json!({"command": ["bash", "-lc", "make test"]}),
                "[Bash]\n$ make test",
            ),
            (
                "shell",
                json!({"command": ["git", "status"]}),
                "[Bash]\n$ git status",
            ),
            ("exec_command", json!({"cmd": "pwd"}), "[Bash]\n$ pwd"),
            ("write_stdin", json!({"session_id": 7}), "[write_stdin]"),
            (
                "Grep",
                json!({"pattern": "fn main", "path": "src"}),
                "[Grep: fn main]",
            ),
            (
                "Task",
                json!({"prompt": "Look.\nWell.", "description": "Look around"}),
                "[Task: Look around]",
            ),
            (
                "apply_patch",
                json!("*** Begin Patch\n*** Update File: a.rs\n*** Add File: b.rs\n+x"),
                "[Edit: a.rs, b.rs]",
            ),
            (
                "update_plan",
                json!({"plan": [{"step": "Read", "status": "completed"}, {"step": "Write"}]}),
                "[update_plan]\n- Read (completed)\n- Write",
            ),
            (
                "AskUserQuestion",
                json!({"questions": [{"question": "Which one?"}]}),
                "[AskUserQuestion: Which one?]",
            ),
            ("mcp__x__y", json!([1, 2]), "[mcp__x__y]"),
            ("Read", json!(null), "[Read]"),
            ("Bash", json!({"command": 7}), "[Bash]"),
        ];
        for (name, input, expected) in cases {
            assert_eq!(headed(name, &input), expected);
        }
    }

    #[test]
    fn a_long_argument_is_cut_in_the_header_alone() {
        let header = headed("WebSearch", &json!({"query": "ä".repeat(999)}));
        assert_eq!(header.chars().count(), "[WebSearch: ]".len() + 200);
    }

    #[test]
    fn the_file_of_a_call_is_the_first_that_its_arguments_name() {
        assert_eq!(file_path(&json!({"path": "b", "file_path": "a"})), "a");
        assert_eq!(file_path(&json!({"filePath": "", "file": "f"})), "f");
        assert_eq!(file_path(&json!("*** Delete File: gone.rs\n")), "gone.rs");
        assert_eq!(file_path(&json!({"path": ["a"]})), "");
    }

    #[test]
    fn names_of_every_agent_have_a_kind() {
        let cases = [
            ("list_directory", ToolCategory::Read),
            ("MultiEdit", ToolCategory::Edit),
            ("write_stdin", ToolCategory::Bash),
            ("WebFetch", ToolCategory::Tool),
            ("ExitPlanMode", ToolCategory::Other),
            ("TaskCreate", ToolCategory::Other),
            ("update_plan", ToolCategory::Other),
            ("mcp__a__b", ToolCategory::Other),
        ];
        for (name, category) in cases {
            assert_eq!(ToolCategory::of_tool(name), category, "{name}");
        }
    }
}
