//! Letting a person change a text in their own editor.

use std::fs;
use std::io::{self, Write};
use std::process::Command;

/// The editor where none is named; POSIX has it.
const FALLBACK: &str = "vi";

/// Why no text came back.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EditorError {
    /// The command cannot be read.
    #[error("the editor command {0:?} has an open quote; set VISUAL or EDITOR to another one")]
    Command(String),
    /// It does not run.
    #[error("cannot start the editor {program:?}: {error}; set VISUAL or EDITOR to another one")]
    Start {
        /// The program.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// It gave up, which is how a person says so.
    #[error("the editor ended with {0}, so nothing was changed")]
    Ended(std::process::ExitStatus),
    /// The text cannot be handed over.
    #[error("cannot pass the text to the editor: {0}")]
    File(#[from] io::Error),
}

/// The words of an editor command, split as a shell splits simple words. No shell ever sees them, so
/// nothing in them is carried out but the first.
pub(super) fn words(command: Option<&str>) -> Result<Vec<String>, EditorError> {
    let command = command.unwrap_or(FALLBACK);
    let words = shlex::split(command).filter(|words| !words.is_empty());
    words.ok_or_else(|| EditorError::Command(command.to_owned()))
}

/// Opens the text in the editor and returns what was saved. What is no UTF-8 is replaced.
///
/// The file stands alone in a folder that only its owner may enter and that is removed with
/// whatever the editor leaves beside it.
pub(super) fn edit(words: &[String], text: &str) -> Result<String, EditorError> {
    let mut folder = tempfile::Builder::new();
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let folder = folder.prefix("agentsview-review-").tempdir()?;
    let mut file = tempfile::Builder::new()
        .prefix("entry-")
        .suffix(".txt")
        .tempfile_in(folder.path())?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    let (program, arguments) = words
        .split_first()
        .ok_or_else(|| EditorError::Command(String::new()))?;
    let status = Command::new(program)
        .args(arguments)
        .arg(file.path())
        .status()
        .map_err(|error| EditorError::Start {
            program: program.clone(),
            error,
        })?;
    if !status.success() {
        return Err(EditorError::Ended(status));
    }
    // Read by name: many editors write a new file in its place.
    Ok(String::from_utf8_lossy(&fs::read(file.path())?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(command: &str) -> Vec<String> {
        words(Some(command)).unwrap()
    }

    #[test]
    fn a_command_is_split_into_words_and_never_run_by_a_shell() {
        assert_eq!(words(None).unwrap(), ["vi"]);
        assert_eq!(split("code --wait"), ["code", "--wait"]);
        assert_eq!(
            split("'/opt/My Editor/run' -n"),
            ["/opt/My Editor/run", "-n"]
        );
        assert_eq!(split("vi; rm $(x)"), ["vi;", "rm", "$(x)"]);
        assert!(matches!(words(Some("vi 'x")), Err(EditorError::Command(_))));
    }

    #[cfg(unix)]
    #[test]
    fn the_text_comes_back_as_it_was_saved_and_the_folder_goes() {
        let outside = tempfile::tempdir().unwrap();
        let seen = outside.path().join("seen");
        let script = format!(
            "printf '%s' \"$1\" > {}; stat -c %a \"$1\" >> {0}.mode; touch \"$1~\"; echo more >> \"$1\"",
            seen.display()
        );
        let words = ["sh", "-c", &script, "sh"].map(str::to_owned);
        assert_eq!(edit(&words, "text\n").unwrap(), "text\nmore\n");
        let path = fs::read_to_string(&seen).unwrap();
        let file = std::path::Path::new(&path);
        assert!(!file.parent().unwrap().exists());
        let mode = fs::read_to_string(outside.path().join("seen.mode")).unwrap();
        assert_eq!(mode.trim(), "600");
    }

    #[cfg(unix)]
    #[test]
    fn an_editor_that_fails_or_is_not_there_changes_nothing() {
        let failing = edit(&["false".to_owned()], "text");
        assert!(matches!(failing, Err(EditorError::Ended(_))));
        let missing = edit(&["no-such-editor-here".to_owned()], "text");
        assert!(matches!(missing, Err(EditorError::Start { .. })));
    }
}
