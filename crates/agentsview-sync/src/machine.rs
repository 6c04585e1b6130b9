//! What a parser may learn of this machine, and no more.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use agentsview_formats::{Agent, Surroundings, codex_thread_names};
use recall_core::SessionId;

use crate::AgentRoot;
use crate::discover::FoundFile;

/// A tool's saved output is taken up to this size.
const MAX_OUTPUT_BYTES: u64 = 16 * 1024 * 1024;
/// All saved outputs of one session together; many results may name one file.
const MAX_SESSION_OUTPUT_BYTES: u64 = 64 * 1024 * 1024;
/// A parent session is looked into up to this size.
const MAX_SESSION_BYTES: u64 = 256 * 1024 * 1024;
/// An index of session names is read up to this size.
const MAX_INDEX_BYTES: u64 = 16 * 1024 * 1024;

/// What is shared by the files of one sync.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    /// Codex files by the native id that their names tell.
    codex_files: HashMap<String, PathBuf>,
    names: BTreeMap<SessionId, String>,
    repositories: RefCell<HashMap<String, Option<PathBuf>>>,
}

impl Machine {
    pub(crate) fn new(files: &[FoundFile], names: BTreeMap<SessionId, String>) -> Self {
        let codex_files = files
            .iter()
            .filter(|file| file.agent == Agent::Codex)
            .filter_map(|file| {
                let id = file.agent.native_id(&file.relative)?;
                Some((id.to_owned(), file.root.join(&file.relative)))
            })
            .collect();
        Self {
            codex_files,
            names,
            repositories: RefCell::default(),
        }
    }

    /// The name that the agent keeps for a session outside its file.
    pub(crate) fn name_of(&self, session: &SessionId) -> Option<&String> {
        self.names.get(session)
    }

    /// The surroundings of one file.
    pub(crate) fn around<'a>(&'a self, file: &'a FoundFile) -> FileSurroundings<'a> {
        FileSurroundings {
            machine: self,
            file,
            output_bytes_left: Cell::new(MAX_SESSION_OUTPUT_BYTES),
        }
    }
}

/// The names that Codex keeps in `session_index.jsonl` beside its folder of sessions.
pub(crate) fn session_names(roots: &[AgentRoot]) -> BTreeMap<SessionId, String> {
    roots
        .iter()
        .filter(|root| root.agent == Agent::Codex)
        .filter_map(|root| root.path.parent())
        .filter_map(|folder| read_capped(&folder.join("session_index.jsonl"), MAX_INDEX_BYTES))
        .flat_map(|bytes| codex_thread_names(&bytes))
        .filter_map(|(id, name)| Some((Agent::Codex.session_id(&id).ok()?, name)))
        .collect()
}

pub(crate) struct FileSurroundings<'a> {
    machine: &'a Machine,
    file: &'a FoundFile,
    output_bytes_left: Cell<u64>,
}

impl Surroundings for FileSurroundings<'_> {
    fn repository_root(&self, cwd: &str) -> Option<PathBuf> {
        let known = self.machine.repositories.borrow().get(cwd).cloned();
        known.unwrap_or_else(|| {
            let root = repository_root(Path::new(cwd));
            self.machine
                .repositories
                .borrow_mut()
                .insert(cwd.to_owned(), root.clone());
            root
        })
    }

    /// Only files of the session's own folder for saved outputs, wherever links may lead.
    fn saved_output(&self, path: &Path) -> Option<String> {
        let session = self.file.root.join(self.file.relative.with_extension(""));
        let allowed = fs::canonicalize(session.join("tool-results")).ok()?;
        let path = fs::canonicalize(path).ok()?;
        if !path.starts_with(&allowed) {
            return None;
        }
        let left = self.output_bytes_left.get();
        let bytes = read_capped(&path, MAX_OUTPUT_BYTES.min(left))?;
        self.output_bytes_left
            .set(left.saturating_sub(bytes.len() as u64));
        String::from_utf8(bytes).ok()
    }

    fn session_file(&self, native_id: &str) -> Option<Vec<u8>> {
        let path = match self.file.agent {
            Agent::Codex => self.machine.codex_files.get(native_id)?.clone(),
            Agent::Claude => {
                // The id comes from a transcript: it may name a file of this folder and nothing
                // else.
                if native_id.contains(['/', '\\']) || native_id.starts_with('.') {
                    return None;
                }
                let folder = self.file.relative.components().next()?;
                self.file
                    .root
                    .join(folder)
                    .join(format!("{native_id}.jsonl"))
            }
        };
        read_capped(&path, MAX_SESSION_BYTES)
    }
}

/// Paths may come from a transcript, so the file is looked at before it is opened: to open a pipe
/// would wait for its other end.
fn read_capped(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > limit {
        return None;
    }
    let file = fs::File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Walks up to the folder that holds `.git`. A linked worktree has a file there, which names the
/// folder `<main repository>/.git/worktrees/<name>`.
fn repository_root(cwd: &Path) -> Option<PathBuf> {
    if !cwd.is_absolute() || is_guarded(cwd) {
        return None;
    }
    cwd.ancestors().find_map(|folder| {
        let git = folder.join(".git");
        let metadata = fs::metadata(&git).ok()?;
        if metadata.is_dir() {
            return Some(folder.to_owned());
        }
        let text = String::from_utf8(read_capped(&git, 4096)?).ok()?;
        let target = Path::new(text.strip_prefix("gitdir:")?.trim());
        let worktrees = target.parent()?;
        let is_worktree = worktrees
            .file_name()
            .is_some_and(|name| name == "worktrees");
        let common = worktrees.parent()?;
        if is_worktree && common.file_name().is_some_and(|name| name == ".git") {
            common.parent().map(Path::to_owned)
        } else {
            Some(folder.to_owned())
        }
    })
}

/// Looking into these folders makes macOS ask the user for permission.
fn is_guarded(cwd: &Path) -> bool {
    cfg!(target_os = "macos")
        && cwd.components().any(|part| {
            ["Desktop", "Documents", "Downloads"]
                .iter()
                .any(|name| part.as_os_str() == *name)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(root: &Path, agent: Agent, relative: &str) -> FoundFile {
        FoundFile {
            agent,
            root: root.to_owned(),
            relative: relative.into(),
            path: root.join(relative).to_string_lossy().into_owned(),
        }
    }

    #[test]
    fn a_linked_worktree_leads_to_its_main_repository() {
        let directory = tempfile::tempdir().unwrap();
        let main = directory.path().join("app");
        fs::create_dir_all(main.join(".git/worktrees/fix")).unwrap();
        let linked = directory.path().join("app-fix");
        fs::create_dir_all(linked.join("src")).unwrap();
        let target = main.join(".git/worktrees/fix");
        fs::write(
            linked.join(".git"),
            format!("gitdir: {}\n", target.display()),
        )
        .unwrap();
        assert_eq!(repository_root(&linked.join("src")), Some(main.clone()));
        assert_eq!(repository_root(&main), Some(main));
        assert_eq!(repository_root(Path::new("relative")), None);
    }

    #[test]
    fn saved_output_is_read_from_the_sessions_own_folder_alone() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        let outputs = root.join("-srv-app/5e55/tool-results");
        fs::create_dir_all(&outputs).unwrap();
        fs::write(outputs.join("a.txt"), "saved").unwrap();
        fs::write(root.join("private.txt"), "private").unwrap();
        let file = file(root, Agent::Claude, "-srv-app/5e55.jsonl");
        let machine = Machine::default();
        let around = machine.around(&file);
        assert_eq!(
            around.saved_output(&outputs.join("a.txt")).as_deref(),
            Some("saved")
        );
        assert_eq!(around.saved_output(&root.join("private.txt")), None);
        assert_eq!(
            around.saved_output(&outputs.join("../../../private.txt")),
            None
        );
    }

    #[test]
    fn saved_outputs_have_a_limit_together() {
        let directory = tempfile::tempdir().unwrap();
        let outputs = directory.path().join("-srv-app/5e55/tool-results");
        fs::create_dir_all(&outputs).unwrap();
        let output = outputs.join("a.txt");
        fs::write(&output, vec![b'x'; 10_000_000]).unwrap();
        let file = file(directory.path(), Agent::Claude, "-srv-app/5e55.jsonl");
        let machine = Machine::default();
        let around = machine.around(&file);
        let read = (0..10)
            .filter(|_| around.saved_output(&output).is_some())
            .count();
        assert_eq!(read, 6);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_never_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join(".git");
        let made = std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap();
        assert!(made.success());
        assert_eq!(read_capped(&pipe, 4096), None);
        let above = directory.path().parent().unwrap();
        assert_eq!(repository_root(directory.path()), repository_root(above));
    }

    #[test]
    fn another_session_is_found_by_its_id_and_not_by_a_path() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir_all(root.join("-srv-app")).unwrap();
        fs::write(root.join("-srv-app/other.jsonl"), "{}").unwrap();
        fs::write(root.join("secret.jsonl"), "{}").unwrap();
        let file = file(root, Agent::Claude, "-srv-app/5e55.jsonl");
        let machine = Machine::default();
        let around = machine.around(&file);
        assert!(around.session_file("other").is_some());
        assert_eq!(around.session_file("../secret"), None);
    }

    #[test]
    fn a_codex_session_is_found_by_the_id_in_its_name() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        let id = "0199aaaa-0000-7000-8000-00000000000f";
        let parent = file(
            root,
            Agent::Codex,
            &format!("rollout-2026-01-02-{id}.jsonl"),
        );
        fs::write(root.join(&parent.relative), "{}").unwrap();
        let child = file(root, Agent::Codex, "rollout-x.jsonl");
        let machine = Machine::new(&[parent, child.clone()], BTreeMap::new());
        let around = machine.around(&child);
        assert_eq!(around.session_file(id).as_deref(), Some(&b"{}"[..]));
        assert_eq!(around.session_file("0199"), None);
    }

    #[test]
    fn names_that_codex_keeps_go_to_the_ids_of_the_archive() {
        let directory = tempfile::tempdir().unwrap();
        let index = br#"{"id":"0199","thread_name":"Lantern"}"#;
        fs::write(directory.path().join("session_index.jsonl"), index).unwrap();
        let root = AgentRoot {
            agent: Agent::Codex,
            path: directory.path().join("sessions"),
        };
        let id = Agent::Codex.session_id("0199").unwrap();
        assert_eq!(session_names(&[root]), [(id, "Lantern".to_owned())].into());
    }
}
