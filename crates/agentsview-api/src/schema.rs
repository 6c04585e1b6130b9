//! The documents described for other programs.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};

use crate::{
    BriefDocument, EntryDocument, ExportDocument, FindingsDocument, ImportDocument, ListDocument,
    MessagesDocument, QueryDocument, ResetDocument, RestoreDocument, SecretScanDocument,
    SessionDocument, SessionListDocument, StatsDocument, SyncDocument, VersionDocument,
};

/// The JSON schema (draft 2020-12) of what each command writes, by the command's name.
pub fn schemas() -> BTreeMap<&'static str, Schema> {
    BTreeMap::from([
        ("recall brief", schema_of::<BriefDocument>()),
        ("recall export", schema_of::<ExportDocument>()),
        ("recall get", schema_of::<EntryDocument>()),
        ("recall import", schema_of::<ImportDocument>()),
        ("recall list", schema_of::<ListDocument>()),
        ("recall query", schema_of::<QueryDocument>()),
        ("recall reset", schema_of::<ResetDocument>()),
        ("recall restore", schema_of::<RestoreDocument>()),
        ("recall stats", schema_of::<StatsDocument>()),
        ("secrets list", schema_of::<FindingsDocument>()),
        ("secrets scan", schema_of::<SecretScanDocument>()),
        ("session get", schema_of::<SessionDocument>()),
        ("session list", schema_of::<SessionListDocument>()),
        ("session messages", schema_of::<MessagesDocument>()),
        ("sync", schema_of::<SyncDocument>()),
        ("version", schema_of::<VersionDocument>()),
    ])
}

fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    SchemaGenerator::new(settings).into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests {
    use super::*;

    // The contract: a changed snapshot is a changed promise.
    #[test]
    fn each_document_keeps_its_schema() {
        for (command, schema) in schemas() {
            insta::assert_json_snapshot!(command.replace(' ', "_"), schema);
        }
    }
}
