//! The filter flags, made from the one table of filters.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use recall_core::{EntryFilter, FILTERS, FilterKey, FilterSpec, FilterValue};

use crate::failure::Failure;
use crate::git;

const CURRENT_CWD: &str = "current_cwd";
const CURRENT_GIT_BRANCH: &str = "current_git_branch";
const CURRENT_WORKTREE: &str = "current_worktree";

/// Which entries a command is about (S-C02, S-C04): a flag for each row of [`FILTERS`], and three
/// that fill in where the command was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilterArgs {
    given: EntryFilter,
    current: Current,
}

/// What to take from where the command was given. The parser has excluded the flags that would say
/// the same thing twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Current {
    /// The top of the worktree, and its branch.
    Worktree,
    /// The working directory, the branch, both or neither.
    Parts { cwd: bool, git_branch: bool },
}

/// Where the command was given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// The home directory, if there is one.
    pub(crate) home: Option<&'a Path>,
    /// The working directory.
    pub(crate) working_dir: &'a Path,
}

impl FilterArgs {
    /// Whether no flag was given.
    pub(crate) fn is_empty(&self) -> bool {
        let nothing_current = Current::Parts {
            cwd: false,
            git_branch: false,
        };
        self.given == EntryFilter::default() && self.current == nothing_current
    }

    /// The filter, with every flag filled in.
    pub(crate) fn resolve(
        &self,
        trusted_only: bool,
        surroundings: Surroundings<'_>,
    ) -> Result<EntryFilter, Failure> {
        let mut filter = EntryFilter {
            trusted_only,
            ..self.given.clone()
        };
        if let Some(cwd) = &self.given.cwd {
            let expanded = surroundings.expand(cwd)?;
            set(&mut filter, FilterKey::Cwd, text_of(&expanded)?)?;
        }
        match self.current {
            Current::Worktree => {
                let directory = surroundings.known_working_dir()?;
                set(&mut filter, FilterKey::Cwd, &git::worktree_root(directory)?)?;
                let branch = git::current_branch(directory)?;
                set(&mut filter, FilterKey::GitBranch, &branch)?;
            }
            Current::Parts {
                cwd: false,
                git_branch: false,
            } => {}
            Current::Parts { cwd, git_branch } => {
                let directory = surroundings.known_working_dir()?;
                if cwd {
                    set(&mut filter, FilterKey::Cwd, text_of(directory)?)?;
                }
                if git_branch {
                    let branch = git::current_branch(directory)?;
                    set(&mut filter, FilterKey::GitBranch, &branch)?;
                }
            }
        }
        Ok(filter)
    }
}

impl<'a> Surroundings<'a> {
    /// The working directory. One that was removed has no name, and no name would be no filter.
    fn known_working_dir(self) -> Result<&'a Path, Failure> {
        if self.working_dir.as_os_str().is_empty() {
            return Err(
                Failure::usage("the working directory cannot be told; it may be removed")
                    .hint("change to another one"),
            );
        }
        Ok(self.working_dir)
    }

    /// A file as a person names it; `~` is the home directory.
    pub(crate) fn file(self, path: &Path) -> Result<PathBuf, Failure> {
        match path.to_str() {
            Some(text) if text.starts_with('~') => self.expand(text),
            _ => Ok(path.to_owned()),
        }
    }

    /// A path as a person writes it: `~` is the home directory, and what does not start at a root
    /// is meant from the working directory. Roots stay, those of Windows too: the archive may hold
    /// paths of other machines.
    pub(crate) fn expand(self, text: &str) -> Result<PathBuf, Failure> {
        let path = Path::new(text);
        if let Ok(rest) = path.strip_prefix("~") {
            let home = self.home.ok_or_else(|| {
                Failure::usage("the home directory is unknown, so ~ cannot be expanded")
                    .hint("write the whole path")
            })?;
            return Ok(home.join(rest));
        }
        if path.is_absolute() || is_windows_root(text) {
            return Ok(path.to_owned());
        }
        Ok(without_dots(&self.known_working_dir()?.join(path)))
    }
}

/// Whether a path starts at a drive (`C:\…`, `C:/…`) or a share (`\\…`).
fn is_windows_root(path: &str) -> bool {
    match path.as_bytes() {
        [b'\\', b'\\', ..] => true,
        [drive, b':', rest @ ..] => {
            drive.is_ascii_alphabetic() && matches!(rest.first(), None | Some(b'\\' | b'/'))
        }
        _ => false,
    }
}

/// Takes `.` and `..` out by name alone: the directory need not exist.
fn without_dots(path: &Path) -> PathBuf {
    use std::path::Component;

    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

fn text_of(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        Failure::usage(format!("the path {} is no UTF-8", path.display()))
            .hint("the archive holds only paths that are")
    })
}

fn set(filter: &mut EntryFilter, key: FilterKey, text: &str) -> Result<(), Failure> {
    filter.set(key, text).map_err(Failure::usage)
}

impl Args for FilterArgs {
    fn augment_args(command: Command) -> Command {
        let command = FILTERS
            .iter()
            .fold(command, |command, spec| command.arg(filter_arg(spec)));
        command
            .arg(
                current_arg(
                    CURRENT_CWD,
                    "Only entries of the working directory and those below it",
                )
                .conflicts_with("cwd"),
            )
            .arg(
                current_arg(
                    CURRENT_GIT_BRANCH,
                    "Only entries of the branch that is checked out here",
                )
                .conflicts_with("git_branch"),
            )
            .arg(
                current_arg(
                    CURRENT_WORKTREE,
                    "Only entries of this git worktree and its branch",
                )
                .conflicts_with_all([
                    "cwd",
                    "git_branch",
                    CURRENT_CWD,
                    CURRENT_GIT_BRANCH,
                ]),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for FilterArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = EntryFilter::default();
        for spec in FILTERS {
            if let Some(text) = matches.get_one::<String>(spec.name) {
                given
                    .set(spec.key, text)
                    .map_err(|error| refusal(spec, &error))?;
            }
        }
        let current = if matches.get_flag(CURRENT_WORKTREE) {
            Current::Worktree
        } else {
            Current::Parts {
                cwd: matches.get_flag(CURRENT_CWD),
                git_branch: matches.get_flag(CURRENT_GIT_BRANCH),
            }
        };
        Ok(Self { given, current })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

const HEADING: &str = "Filters";

fn filter_arg(spec: &'static FilterSpec) -> Arg {
    Arg::new(spec.name)
        .long(spec.flag())
        .value_name(match spec.value {
            FilterValue::Text => "TEXT",
            FilterValue::Path => "PATH",
            FilterValue::Word(_) => "WORD",
        })
        .help(spec.help)
        .help_heading(HEADING)
        .value_parser(FilterText(spec))
}

fn current_arg(id: &'static str, help: &'static str) -> Arg {
    Arg::new(id)
        .long(id.replace('_', "-"))
        .help(help)
        .help_heading(HEADING)
        .action(ArgAction::SetTrue)
}

/// Reads a filter's text by the rules of its row.
#[derive(Clone, Copy)]
struct FilterText(&'static FilterSpec);

impl TypedValueParser for FilterText {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, arg, value)?;
        match EntryFilter::default().set(self.0.key, &text) {
            Ok(()) => Ok(text),
            Err(error) => Err(refusal(self.0, &error).with_cmd(command)),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match self.0.value {
            FilterValue::Word(words) => {
                Some(Box::new(words.iter().copied().map(PossibleValue::new)))
            }
            FilterValue::Text | FilterValue::Path => None,
        }
    }
}

fn refusal(spec: &FilterSpec, error: &recall_core::FilterError) -> clap::Error {
    clap::Error::raw(
        ErrorKind::ValueValidation,
        format!("--{}: {error}\n", spec.flag()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Only {
        #[command(flatten)]
        filter: FilterArgs,
    }

    fn parse(flags: &[&str]) -> Result<FilterArgs, clap::Error> {
        Only::try_parse_from(std::iter::once(&"test").chain(flags)).map(|only| only.filter)
    }

    fn here(directory: &Path) -> Surroundings<'_> {
        Surroundings {
            home: Some(Path::new("/home/ada")),
            working_dir: directory,
        }
    }

    // S-C02
    #[test]
    fn every_row_of_the_table_is_a_flag() {
        for spec in FILTERS {
            let value = match spec.value {
                FilterValue::Word(words) => words[0],
                FilterValue::Path => "/srv/code",
                FilterValue::Text => "some",
            };
            let args = parse(&[&format!("--{}", spec.flag()), value]).unwrap();
            let filter = args.resolve(false, here(Path::new("/tmp"))).unwrap();
            assert_eq!(filter.get(spec.key), Some(value), "{}", spec.name);
        }
    }

    // W13
    #[test]
    fn a_word_outside_its_list_is_refused_with_the_list() {
        let error = parse(&["--scope", "rumor"]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ValueValidation);
        assert!(
            error
                .to_string()
                .contains("use one of: global, project, repository"),
            "{error}"
        );
    }

    #[test]
    fn a_working_directory_without_a_name_is_refused_where_it_is_needed() {
        let nowhere = Surroundings {
            home: None,
            working_dir: Path::new(""),
        };
        assert!(nowhere.known_working_dir().is_err());
        assert!(nowhere.expand("./here").is_err());
        assert!(nowhere.expand("/srv/code").is_ok());
    }

    // S-C04
    #[test]
    fn a_place_is_not_said_twice() {
        for flags in [
            &["--current-cwd", "--cwd", "/x"][..],
            &["--current-git-branch", "--git-branch", "x"],
            &["--current-worktree", "--cwd", "/x"],
            &["--current-worktree", "--git-branch", "x"],
            &["--current-worktree", "--current-cwd"],
            &["--current-worktree", "--current-git-branch"],
        ] {
            let error = parse(flags).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ArgumentConflict, "{flags:?}");
        }
        assert!(parse(&["--current-cwd", "--current-git-branch"]).is_ok());
        assert!(parse(&["--current-cwd", "--git-branch", "x"]).is_ok());
    }

    #[test]
    fn a_path_is_read_as_a_person_writes_it() {
        for (given, meant) in [
            ("~", "/home/ada"),
            ("~/code/", "/home/ada/code"),
            (".", "/srv/code/orders"),
            ("../web/", "/srv/code/web"),
            ("/srv/code/", "/srv/code"),
            ("web", "/srv/code/orders/web"),
            ("web/./src/..", "/srv/code/orders/web"),
            ("...", "/srv/code/orders/..."),
            ("C:\\code", "C:\\code"),
            ("c:/code", "c:/code"),
            ("D:", "D:"),
            (r"\\berth\share", r"\\berth\share"),
            ("a:b", "/srv/code/orders/a:b"),
        ] {
            let args = parse(&["--cwd", given]).unwrap();
            let filter = args.resolve(false, here(Path::new("/srv/code/orders")));
            assert_eq!(filter.unwrap().cwd.as_deref(), Some(meant), "{given}");
        }
    }

    #[test]
    fn without_a_home_a_tilde_is_refused() {
        let nowhere = Surroundings {
            home: None,
            working_dir: Path::new("/tmp"),
        };
        let failure = parse(&["--cwd", "~/x"])
            .unwrap()
            .resolve(false, nowhere)
            .unwrap_err();
        assert_eq!(failure.exit.code(), 2);
    }

    // S-C04
    #[test]
    fn outside_a_repository_the_branch_is_refused() {
        let plain = tempfile::tempdir().unwrap();
        for flag in ["--current-git-branch", "--current-worktree"] {
            let failure = parse(&[flag])
                .unwrap()
                .resolve(true, here(plain.path()))
                .unwrap_err();
            assert_eq!(failure.exit.code(), 2);
            assert!(failure.message.ends_with("is not in a git repository"));
        }
        let filter = parse(&["--current-cwd"])
            .unwrap()
            .resolve(true, here(plain.path()))
            .unwrap();
        assert_eq!(filter.cwd.as_deref(), plain.path().to_str());
        assert!(filter.trusted_only);
    }
}
