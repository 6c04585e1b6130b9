//! The surroundings of the process, as values.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::ConfigError;

/// The variables that name the system user, in the order in which they are asked: what a login sets,
/// what POSIX asks of it, what Windows sets.
const USER_VARIABLES: [&str; 3] = ["USER", "LOGNAME", "USERNAME"];

/// The variables that name the editor: one for a screen, and one that POSIX knows.
const EDITOR_VARIABLES: [&str; 2] = ["VISUAL", "EDITOR"];

/// Home directory, working directory and variables of a process. The binary fills one from its own;
/// tests make one up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    home: Option<PathBuf>,
    working_dir: Option<PathBuf>,
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// An environment without variables. Either directory may be unknown: pass an empty path.
    pub fn new(home: impl Into<PathBuf>, working_dir: impl Into<PathBuf>) -> Self {
        let known = |path: PathBuf| Some(path).filter(|path| !path.as_os_str().is_empty());
        Self {
            home: known(home.into()),
            working_dir: known(working_dir.into()),
            variables: BTreeMap::new(),
        }
    }

    /// The same with one more variable; an empty value is the same as none.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.extend([(name.into(), value.into())]);
        self
    }

    /// The home directory, if it is known.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The system user's name, trimmed: `USER`, else `LOGNAME`, else `USERNAME`. A variable that is
    /// blank or not Unicode names nobody.
    pub fn user_name(&self) -> Option<&str> {
        self.first_of(&USER_VARIABLES)
    }

    /// The command that edits a text here: `VISUAL`, else `EDITOR`. A variable that is blank or not
    /// Unicode names none.
    pub fn editor(&self) -> Option<&str> {
        self.first_of(&EDITOR_VARIABLES)
    }

    fn first_of(&self, variables: &[&str]) -> Option<&str> {
        variables
            .iter()
            .filter_map(|variable| self.variables.get(variable.as_ref() as &std::ffi::OsStr))
            .filter_map(|value| value.to_str().map(str::trim))
            .find(|text| !text.is_empty())
    }

    /// Whether a variable holds anything.
    pub(crate) fn is_set(&self, variable: &str) -> bool {
        self.variables
            .contains_key(variable.as_ref() as &std::ffi::OsStr)
    }

    /// The path that a variable holds, made absolute: `~` is the home directory, a relative path
    /// starts at the working directory. `None` if the variable is unset or empty.
    pub(crate) fn path(&self, variable: &'static str) -> Result<Option<PathBuf>, ConfigError> {
        let Some(value) = self.variables.get(variable.as_ref() as &std::ffi::OsStr) else {
            return Ok(None);
        };
        let path = Path::new(value);
        // A shell leaves the tilde alone inside quotes, and other programs never expand it.
        if let Ok(rest) = path.strip_prefix("~") {
            return Ok(Some(self.in_home(rest, variable)?));
        }
        if path.is_absolute() {
            return Ok(Some(path.to_owned()));
        }
        match &self.working_dir {
            Some(directory) => Ok(Some(directory.join(path))),
            None => Err(ConfigError::RelativePath {
                variable,
                path: path.to_owned(),
            }),
        }
    }

    /// A path in the home directory; `variable` is what could be set instead.
    pub(crate) fn in_home(
        &self,
        path: impl AsRef<Path>,
        variable: &'static str,
    ) -> Result<PathBuf, ConfigError> {
        match &self.home {
            Some(home) => Ok(home.join(path)),
            None => Err(ConfigError::NoHome { variable }),
        }
    }
}

impl Extend<(OsString, OsString)> for Environment {
    /// Takes variables as [`std::env::vars_os`] hands them out.
    fn extend<I: IntoIterator<Item = (OsString, OsString)>>(&mut self, variables: I) {
        self.variables
            .extend(variables.into_iter().filter(|(_, value)| !value.is_empty()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VARIABLE: &str = "AGENTSVIEW_DATA_DIR";

    fn path(value: &str, environment: Environment) -> Result<Option<PathBuf>, ConfigError> {
        environment.with(VARIABLE, value).path(VARIABLE)
    }

    #[test]
    fn an_empty_variable_is_an_unset_one() {
        assert_eq!(path("", Environment::new("/home/ada", "/tmp")), Ok(None));
    }

    #[test]
    fn a_relative_path_starts_at_the_working_directory() {
        assert_eq!(
            path("lab/one", Environment::new("/home/ada", "/tmp")),
            Ok(Some(PathBuf::from("/tmp/lab/one")))
        );
        let error = path("lab", Environment::new("/home/ada", "")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "AGENTSVIEW_DATA_DIR is the relative path \"lab\" and the working directory is \
             unknown; set it to an absolute path"
        );
    }

    #[test]
    fn the_user_is_named_by_the_first_variable_that_says_something() {
        let nobody = Environment::new("/home/ada", "/tmp");
        assert_eq!(nobody.user_name(), None);
        let windows = nobody.with("USERNAME", "Ada");
        assert_eq!(windows.user_name(), Some("Ada"));
        let posix = windows.with("LOGNAME", " ada ");
        assert_eq!(posix.user_name(), Some("ada"));
        assert_eq!(posix.clone().with("USER", "root").user_name(), Some("root"));
        assert_eq!(posix.clone().with("USER", " ").user_name(), Some("ada"));
        assert_eq!(posix.with("USER", "").user_name(), Some("ada"));
    }

    #[test]
    fn the_editor_of_a_screen_goes_before_the_one_of_posix() {
        let none = Environment::new("/home/ada", "/tmp");
        assert_eq!(none.editor(), None);
        let posix = none.with("EDITOR", "ed");
        assert_eq!(posix.editor(), Some("ed"));
        assert_eq!(posix.with("VISUAL", " vim -n ").editor(), Some("vim -n"));
    }

    #[test]
    fn a_tilde_is_the_home_directory() {
        let home = || Environment::new("/home/ada", "/tmp");
        assert_eq!(
            path("~/lab", home()),
            Ok(Some(PathBuf::from("/home/ada/lab")))
        );
        assert_eq!(
            path("~other", home()),
            Ok(Some(PathBuf::from("/tmp/~other")))
        );
        let homeless = path("~/lab", Environment::new("", "/tmp"));
        assert_eq!(homeless, Err(ConfigError::NoHome { variable: VARIABLE }));
    }
}
