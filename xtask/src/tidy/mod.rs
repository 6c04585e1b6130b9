//! The rules of the house, checked on the manifests and the sources of the workspace.
//!
//! Each rule is a module with one `check` over values, so that its tests need no files. Comments
//! and documentation are no code to any rule, and code that only tests see may unwrap and print.

mod behaviours;
mod floors;
mod head_docs;
mod machine_paths;
mod packages;
mod panics;
mod printing;
mod purity;
mod size;
mod source;
mod sql;

use std::fmt;
use std::path::{Path, PathBuf};

use packages::Package;
use source::Source;

/// Why the workspace could not be checked, or is not tidy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TidyError {
    #[error("cargo metadata failed")]
    Metadata(#[from] cargo_metadata::Error),
    #[error("reading \"{}\": {error}", path.display())]
    Read {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("{path} is not Rust: {message}")]
    Syntax { path: String, message: String },
    #[error("not tidy in {count} places; the rules are in CONTRIBUTING.md")]
    Untidy { count: usize },
}

/// A place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Violation {
    /// `path:line`, or the manifest of a crate.
    place: String,
    message: String,
}

impl Violation {
    fn at(source: &Source, line: usize, message: impl Into<String>) -> Self {
        Self {
            place: format!("{}:{line}", source.path),
            message: message.into(),
        }
    }

    fn of(package: &Package, message: impl Into<String>) -> Self {
        Self {
            place: package.manifest.clone(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Checks this workspace and prints every violation.
pub(crate) fn run() -> Result<(), TidyError> {
    let violations = check(workspace())?;
    if violations.is_empty() {
        println!("tidy");
        return Ok(());
    }
    for violation in &violations {
        println!("{violation}");
    }
    Err(TidyError::Untidy {
        count: violations.len(),
    })
}

fn workspace() -> &'static Path {
    let chores = Path::new(env!("CARGO_MANIFEST_DIR"));
    chores.parent().unwrap_or(chores)
}

fn check(workspace: &Path) -> Result<Vec<Violation>, TidyError> {
    let packages = packages::read(workspace)?;
    let sources = source::read(workspace, &packages)?;
    let mut violations = floors::check(&packages);
    violations.extend(purity::check_packages(&packages));
    violations.extend(behaviours::check_workspace(workspace, &sources)?);
    for source in &sources {
        violations.extend(purity::check(source));
        violations.extend(sql::check(source));
        violations.extend(printing::check(source));
        violations.extend(head_docs::check(source));
        violations.extend(size::check(source));
        violations.extend(panics::check(source));
        violations.extend(machine_paths::check(source));
    }
    Ok(violations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_is_tidy() {
        let violations = check(workspace()).unwrap();
        let lines: Vec<_> = violations.iter().map(ToString::to_string).collect();
        assert!(violations.is_empty(), "\n{}", lines.join("\n"));
    }
}
