//! The crates of the workspace as their manifests describe them.

use std::path::Path;

use cargo_metadata::{DependencyKind, MetadataCommand};

use super::TidyError;

/// One crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Path of the manifest in the workspace.
    pub(crate) manifest: String,
    /// What the crate itself is built from; what only its tests use is not among it.
    pub(crate) dependencies: Vec<String>,
}

/// Reads all manifests; looks nothing up in a registry.
pub(crate) fn read(workspace: &Path) -> Result<Vec<Package>, TidyError> {
    let metadata = MetadataCommand::new()
        .manifest_path(workspace.join("Cargo.toml"))
        .no_deps()
        .exec()?;
    Ok(metadata
        .packages
        .into_iter()
        .map(|package| Package {
            manifest: package
                .manifest_path
                .strip_prefix(&metadata.workspace_root)
                .unwrap_or(&package.manifest_path)
                .to_string(),
            dependencies: package
                .dependencies
                .into_iter()
                .filter(|dependency| dependency.kind != DependencyKind::Development)
                .map(|dependency| dependency.name)
                .collect(),
            name: package.name.to_string(),
        })
        .collect())
}

#[cfg(test)]
impl Package {
    /// A crate for tests.
    pub(crate) fn sample(name: &str, dependencies: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            manifest: format!("crates/{name}/Cargo.toml"),
            dependencies: dependencies.iter().map(ToString::to_string).collect(),
        }
    }
}
