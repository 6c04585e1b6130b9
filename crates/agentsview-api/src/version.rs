//! Which program this is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer of `version`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VersionDocument {
    /// The version of this document's shape.
    pub schema_version: u32,
    /// The program's name.
    pub name: String,
    /// The program's version.
    pub version: String,
    /// The commit it was built from; left out if the build did not know.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub commit: String,
    /// When it was built; left out if the build did not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub build_date: String,
}

impl VersionDocument {
    /// The version of this document's shape.
    pub const SCHEMA_VERSION: u32 = 1;
}
