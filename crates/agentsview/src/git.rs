//! Where the working directory stands, as git sees it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::failure::Failure;

/// Why git could not tell.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitError {
    /// No repository holds the directory.
    #[error("{} is not in a git repository", .0.display())]
    NotARepository(PathBuf),
    /// A commit is checked out, not a branch.
    #[error("{} has a commit checked out, and no branch", .0.display())]
    DetachedHead(PathBuf),
    /// There is no git to ask.
    #[error("the program git was not found")]
    GitMissing,
    /// Git could not be started, or refused for a reason of its own.
    #[error("git cannot read {}: {reason}", directory.display())]
    Refused {
        /// The directory.
        directory: PathBuf,
        /// The reason as git gave it.
        reason: String,
    },
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        let hint = match &error {
            GitError::NotARepository(_) => "go into one, or use --cwd and --git-branch",
            GitError::DetachedHead(_) => "check out a branch, or use --git-branch",
            GitError::GitMissing => "install it, or use --cwd and --git-branch",
            GitError::Refused { .. } => "use --cwd and --git-branch",
        };
        Self::usage(error).hint(hint)
    }
}

/// The branch that is checked out, from the symbolic ref; a branch without a commit counts.
pub(crate) fn current_branch(directory: &Path) -> Result<String, GitError> {
    let output = git(directory, &["symbolic-ref", "--quiet", "--short", "HEAD"])?;
    if output.status.code() == Some(1) {
        return Err(GitError::DetachedHead(directory.to_owned()));
    }
    answer(directory, &output)
}

/// The top directory of the worktree. A repository may name any other directory as its worktree
/// (`core.worktree`); such a one would decide what a filter reaches, so only the directory that
/// holds `.git` counts.
pub(crate) fn worktree_root(directory: &Path) -> Result<String, GitError> {
    let root = answer(
        directory,
        &git(directory, &["rev-parse", "--show-toplevel"])?,
    )?;
    if Path::new(&root).join(".git").exists() {
        Ok(root)
    } else {
        Err(GitError::Refused {
            directory: directory.to_owned(),
            reason: format!("its worktree {root} does not hold it"),
        })
    }
}

fn git(directory: &Path, arguments: &[&str]) -> Result<Output, GitError> {
    Command::new("git")
        .args(arguments)
        .current_dir(directory)
        // The reasons are told apart by their words.
        .env("LC_ALL", "C")
        .output()
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if directory.is_dir() => GitError::GitMissing,
            _ => GitError::Refused {
                directory: directory.to_owned(),
                reason: error.to_string(),
            },
        })
}

fn answer(directory: &Path, output: &Output) -> Result<String, GitError> {
    let refused = |reason: &str| GitError::Refused {
        directory: directory.to_owned(),
        reason: reason.to_owned(),
    };
    if output.status.success() {
        return std::str::from_utf8(&output.stdout)
            .map(|text| text.trim_end_matches(['\n', '\r']).to_owned())
            .map_err(|_| refused("its name is no UTF-8"));
    }
    let words = String::from_utf8_lossy(&output.stderr);
    if words.contains("not a git repository") {
        return Err(GitError::NotARepository(directory.to_owned()));
    }
    let first = words.lines().next().unwrap_or("it gave no reason");
    Err(refused(first.trim_start_matches("fatal: ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(directory: &Path, arguments: &[&str]) {
        let identity = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"];
        let arguments: Vec<_> = identity.iter().chain(arguments).copied().collect();
        let output = git(directory, &arguments).unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    #[test]
    fn a_repository_cannot_name_another_directory_as_its_worktree() {
        let home = tempfile::tempdir().unwrap();
        run(home.path(), &["init", "--quiet"]);
        run(home.path(), &["config", "core.worktree", "/"]);
        let root = worktree_root(home.path());
        assert!(matches!(root, Err(GitError::Refused { .. })), "{root:?}");
    }

    // S-C04
    #[test]
    fn the_branch_comes_from_the_symbolic_ref_even_without_a_commit() {
        let home = tempfile::tempdir().unwrap();
        run(home.path(), &["init", "--quiet", "-b", "fix/pool"]);
        std::fs::create_dir(home.path().join("sub")).unwrap();

        let inside = home.path().join("sub");
        assert_eq!(current_branch(&inside).unwrap(), "fix/pool");
        assert_eq!(
            Path::new(&worktree_root(&inside).unwrap()),
            home.path().canonicalize().unwrap()
        );
    }

    #[test]
    fn a_commit_without_a_branch_is_told_from_no_repository() {
        let home = tempfile::tempdir().unwrap();
        let error = current_branch(home.path()).unwrap_err();
        assert!(matches!(error, GitError::NotARepository(_)), "{error:?}");
        let error = worktree_root(home.path()).unwrap_err();
        assert!(matches!(error, GitError::NotARepository(_)), "{error:?}");

        run(home.path(), &["init", "--quiet"]);
        run(
            home.path(),
            &["commit", "--quiet", "--allow-empty", "-m", "first"],
        );
        run(home.path(), &["checkout", "--quiet", "--detach"]);
        let error = current_branch(home.path()).unwrap_err();
        assert!(matches!(error, GitError::DetachedHead(_)), "{error:?}");
    }

    // W15
    #[test]
    fn a_person_reads_no_plumbing() {
        let failure = Failure::from(GitError::NotARepository("/srv/notes".into()));
        assert_eq!(
            failure.to_string(),
            "agentsview: /srv/notes is not in a git repository; go into one, or use --cwd and \
             --git-branch"
        );
        assert_eq!(failure.exit.code(), 2);
    }
}
