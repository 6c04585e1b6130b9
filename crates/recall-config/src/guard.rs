//! Whether a data directory is the one that a person relies on (S-R01).
//!
//! A write that is meant for a scratch archive must not reach the default one by way of a link, a
//! spelling or a link to nothing yet. So every name that a path has is looked at. A directory of
//! the default's name is guarded wherever it is: it may be the default of another home.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::DATA_DIR_NAME;

/// A path and what the file system says about it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PathFacts {
    /// The absolute path as configured.
    pub path: PathBuf,
    /// If `path` is a symbolic link: what it points to in the end, whether that exists or not. A
    /// relative target starts at the directory of the link.
    pub link_target: Option<PathBuf>,
    /// The real path with all links resolved; `None` if it does not exist.
    pub resolved: Option<PathBuf>,
}

/// What [`is_default_data_dir`] decides on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DataDirFacts {
    /// The data directory.
    pub directory: PathFacts,
    /// The archive file in it.
    pub archive: PathFacts,
    /// The default data directory; `None` if there is no home directory.
    pub default: Option<PathFacts>,
}

/// Whether writing to this data directory, or to the archive in it, writes to a default one.
pub fn is_default_data_dir(facts: &DataDirFacts) -> bool {
    let defaults: Vec<PathBuf> = facts.default.iter().flat_map(PathFacts::names).collect();
    let archive_directories = facts
        .archive
        .names()
        .into_iter()
        .filter_map(|name| name.parent().map(Path::to_owned));
    facts
        .directory
        .names()
        .into_iter()
        .chain(archive_directories)
        .any(|directory| has_default_name(&directory) || defaults.contains(&directory))
}

impl PathFacts {
    /// Every name of the path, absolute and without `.` and `..`.
    fn names(&self) -> Vec<PathBuf> {
        let target = self
            .link_target
            .as_ref()
            .map(|target| self.path.parent().unwrap_or(Path::new("")).join(target));
        [Some(&self.path), target.as_ref(), self.resolved.as_ref()]
            .into_iter()
            .flatten()
            .map(|name| cleaned(name))
            .collect()
    }
}

fn has_default_name(directory: &Path) -> bool {
    // Where names differ by case only, they may still be one directory.
    directory
        .file_name()
        .and_then(OsStr::to_str)
        .is_some_and(|name| name.eq_ignore_ascii_case(DATA_DIR_NAME))
}

/// The path with `.` and `..` taken away by their letters alone. Where a link makes that wrong, the
/// resolved path is among the names too.
fn cleaned(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                clean.push(component);
            }
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Facts of a directory that is no link, with the default elsewhere.
    fn facts(directory: &str) -> DataDirFacts {
        DataDirFacts {
            directory: real(directory),
            archive: real(&format!("{directory}/archive.db")),
            default: Some(real("/home/ada/.agentsview")),
        }
    }

    fn real(path: &str) -> PathFacts {
        PathFacts {
            path: path.into(),
            link_target: None,
            resolved: Some(path.into()),
        }
    }

    fn dangling(path: &str, target: &str) -> PathFacts {
        PathFacts {
            path: path.into(),
            link_target: Some(target.into()),
            resolved: None,
        }
    }

    // S-R01
    #[test]
    fn a_directory_elsewhere_is_free() {
        assert!(!is_default_data_dir(&facts("/srv/lab")));
        assert!(!is_default_data_dir(&facts("/home/ada/.agentsview-lab")));
        assert!(!is_default_data_dir(&facts("/home/ada/.agentsview/lab")));
    }

    // S-R01
    #[test]
    fn the_default_is_guarded_however_it_is_spelt() {
        for path in [
            "/home/ada/.agentsview",
            "/home/ada/.agentsview/",
            "/home/ada/./.agentsview/.",
            "/home/ada/.agentsview/lab/..",
            "/home/ada/.AgentsView",
            "/home/grace/.agentsview",
        ] {
            let mut facts = facts(path);
            facts.directory.resolved = None;
            facts.archive.resolved = None;
            assert!(is_default_data_dir(&facts), "{path}");
        }
    }

    // S-R01
    #[test]
    fn a_link_to_the_default_is_guarded_even_if_the_default_does_not_exist_yet() {
        let mut linked = facts("/srv/lab");
        linked.directory.resolved = Some("/home/ada/.agentsview".into());
        assert!(is_default_data_dir(&linked));

        let mut linked = facts("/home/ada/lab");
        linked.directory = dangling("/home/ada/lab", ".agentsview");
        assert!(is_default_data_dir(&linked));
    }

    // S-R01
    #[test]
    fn an_archive_that_links_into_the_default_is_guarded() {
        let mut linked = facts("/srv/lab");
        linked.archive.resolved = Some("/home/ada/.agentsview/archive.db".into());
        assert!(is_default_data_dir(&linked));

        let mut linked = facts("/srv/lab");
        linked.archive = dangling("/srv/lab/archive.db", "/home/ada/.agentsview/archive.db");
        assert!(is_default_data_dir(&linked));
    }

    // S-R01
    #[test]
    fn where_the_default_really_lies_is_guarded_under_its_other_name() {
        let mut moved = facts("/srv/production");
        assert!(!is_default_data_dir(&moved));
        moved.default = Some(PathFacts {
            path: "/home/ada/.agentsview".into(),
            link_target: Some("/srv/production".into()),
            resolved: Some("/srv/production".into()),
        });
        assert!(is_default_data_dir(&moved));
    }
}
