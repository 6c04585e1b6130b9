//! How a project is named after a directory.

use crate::Surroundings;

/// Branches that a checkout's folder is not named after.
const DEFAULT_BRANCHES: &[&str] = &["main", "master", "trunk", "develop"];

/// Folders that people keep their projects in.
const SHELVES: &[&str] = &["code", "projects", "repos", "src", "work", "dev"];

/// Folders that belong to the system and name no project.
const SYSTEM_FOLDERS: &[&str] = &[
    "users", "home", "root", "tmp", "var", "private", "opt", "usr", "srv", "mnt", "volumes",
];

/// The project of a working directory; empty if the directory is.
///
/// A worktree manager's layout names the project; else the main repository around the directory
/// does; else the directory's last part, without a branch at its end. Dashes become underscores.
pub(crate) fn name(cwd: &str, git_branch: &str, surroundings: &dyn Surroundings) -> String {
    let parts = parts(cwd);
    let root = || {
        surroundings
            .repository_root(cwd)?
            .to_str()
            .map(str::to_owned)
    };
    managed(&parts)
        .map(str::to_owned)
        .or_else(|| self::parts(&root()?).last().map(|&last| last.to_owned()))
        .or_else(|| hosted(&parts).map(str::to_owned))
        .or_else(|| holder(&parts).map(str::to_owned))
        .or_else(|| {
            parts
                .last()
                .map(|last| without_branch(last, git_branch).to_owned())
        })
        .map(|name| name.replace('-', "_"))
        .unwrap_or_default()
}

/// The project that the name of a Claude Code folder hints at: a working directory in which every
/// slash, and whatever else was no letter or digit, became a dash.
pub(crate) fn of_claude_folder(folder: &str) -> String {
    let parts: Vec<&str> = folder.split('-').filter(|part| !part.is_empty()).collect();
    let is_shelf = |part: &&str| SHELVES.contains(&part.to_ascii_lowercase().as_str());
    let from_shelf = parts.iter().position(is_shelf).map(|at| {
        let on_shelf = parts.iter().skip(at).skip_while(|part| is_shelf(part));
        on_shelf.copied().collect::<Vec<_>>()
    });
    match from_shelf.filter(|parts| !parts.is_empty()) {
        Some(parts) => parts.join("_"),
        None => parts
            .iter()
            .rfind(|part| !SYSTEM_FOLDERS.contains(&part.to_ascii_lowercase().as_str()))
            .map(|&part| part.to_owned())
            .unwrap_or_default(),
    }
}

/// The named parts of a path of any system.
fn parts(path: &str) -> Vec<&str> {
    path.split(['/', '\\'])
        .filter(|part| !part.is_empty() && !part.ends_with(':'))
        .collect()
}

fn managed<'a>(parts: &[&'a str]) -> Option<&'a str> {
    parts
        .windows(3)
        .enumerate()
        .find_map(|(at, three)| match three {
            [".superset", "worktrees", project] | ["conductor", "workspaces", project] => {
                Some(*project)
            }
            [".codex", "worktrees", _id] => parts.get(at + 3).copied(),
            _ => None,
        })
}

/// The repository of a checkout that is filed by its address.
fn hosted<'a>(parts: &[&'a str]) -> Option<&'a str> {
    parts.windows(4).find_map(|four| match four {
        ["worktrees", "github.com", _owner, repository] => Some(*repository),
        _ => None,
    })
}

/// The folder that keeps its worktrees inside itself, which are named after branches or numbers.
fn holder<'a>(parts: &[&'a str]) -> Option<&'a str> {
    parts
        .windows(3)
        .find_map(|three| match three {
            [repository, ".worktrees", _branch] => Some(*repository),
            _ => None,
        })
        .or_else(|| {
            parts.windows(4).find_map(|four| match four {
                [repository, ".claude", "worktrees", _branch] => Some(*repository),
                _ => None,
            })
        })
}

fn without_branch<'a>(folder: &'a str, branch: &str) -> &'a str {
    if branch.is_empty() || DEFAULT_BRANCHES.contains(&branch) {
        return folder;
    }
    folder
        .strip_suffix(branch.replace('/', "-").as_str())
        .and_then(|name| name.strip_suffix('-'))
        .filter(|name| !name.is_empty())
        .unwrap_or(folder)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::Nowhere;

    struct Root(&'static str);
    impl Surroundings for Root {
        fn repository_root(&self, _cwd: &str) -> Option<PathBuf> {
            Some(self.0.into())
        }
        fn saved_output(&self, _path: &Path) -> Option<String> {
            None
        }
        fn session_file(&self, _native_id: &str) -> Option<Vec<u8>> {
            None
        }
    }

    #[test]
    fn a_project_is_named_after_its_layout_its_repository_or_its_folder() {
        let cases = [
            ("/u/ada/.superset/worktrees/my-app/fix", "my_app"),
            ("/u/ada/conductor/workspaces/my-app/oslo", "my_app"),
            ("/u/ada/.codex/worktrees/a1b2/my-app", "my_app"),
            ("/u/ada/worktrees/github.com/ada/my-app/x", "my_app"),
            ("/u/ada/my-app/.worktrees/3", "my_app"),
            ("/u/ada/my-app/.claude/worktrees/fix/src", "my_app"),
            ("/u/ada/code/my-app", "my_app"),
            ("/u/ada/code/my-app-fix-it/", "my_app"),
            ("C:\\code\\my-app", "my_app"),
            ("/", ""),
            ("", ""),
        ];
        for (cwd, expected) in cases {
            assert_eq!(name(cwd, "fix/it", &Nowhere), expected, "{cwd}");
        }
        assert_eq!(name("/code/my-main", "main", &Nowhere), "my_main");
    }

    #[test]
    fn the_repository_wins_over_all_but_a_managed_layout() {
        let root = Root("/u/ada/big-repo");
        assert_eq!(name("/u/ada/big-repo/src", "", &root), "big_repo");
        assert_eq!(
            name("/w/worktrees/github.com/ada/app", "", &root),
            "big_repo"
        );
        assert_eq!(name("/u/.superset/worktrees/app/x", "", &root), "app");
    }

    #[test]
    fn a_claude_folder_hints_at_a_project() {
        let cases = [
            ("-Users-ada-code-my-app", "my_app"),
            ("-home-ada-src-work-app", "app"),
            ("-Users-ada-app", "app"),
            ("-home-ada-code", "code"),
            ("-tmp", ""),
            ("", ""),
        ];
        for (folder, expected) in cases {
            assert_eq!(of_claude_folder(folder), expected, "{folder}");
        }
    }
}
