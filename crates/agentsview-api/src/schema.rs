//! The documents described for other programs.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};

use crate::{
    BriefDocument, DeletionDocument, EntryDocument, ExplainDocument, ExportDocument,
    FindingsDocument, HistoryDocument, ImportDocument, ListDocument, MessagesDocument,
    QueryDocument, ResetDocument, RestoreDocument, ReverifyDocument, ReviewItemDocument,
    ReviewListDocument, ReviewedDocument, SecretScanDocument, SessionDocument, SessionListDocument,
    StatsDocument, SyncDocument, TrashDocument, VersionDocument,
};

/// The JSON schema (draft 2020-12) of what each command writes, by the command's name.
pub fn schemas() -> BTreeMap<&'static str, Schema> {
    BTreeMap::from([
        ("recall brief", schema_of::<BriefDocument>()),
        ("recall export", schema_of::<ExportDocument>()),
        ("recall get", schema_of::<EntryDocument>()),
        ("recall history", schema_of::<HistoryDocument>()),
        ("recall import", schema_of::<ImportDocument>()),
        ("recall list", schema_of::<ListDocument>()),
        ("recall query", schema_of::<QueryDocument>()),
        ("recall query --explain", schema_of::<ExplainDocument>()),
        ("recall reverify", schema_of::<ReverifyDocument>()),
        ("recall review accept", schema_of::<ReviewedDocument>()),
        ("recall review archive", schema_of::<ReviewedDocument>()),
        ("recall review edit", schema_of::<ReviewedDocument>()),
        ("recall review list", schema_of::<ReviewListDocument>()),
        ("recall review reject", schema_of::<ReviewedDocument>()),
        ("recall review restore", schema_of::<ReviewedDocument>()),
        ("recall review show", schema_of::<ReviewItemDocument>()),
        ("recall review supersede", schema_of::<ReviewedDocument>()),
        ("recall reset", schema_of::<ResetDocument>()),
        ("recall restore", schema_of::<RestoreDocument>()),
        ("recall stats", schema_of::<StatsDocument>()),
        ("recall undo", schema_of::<ReviewedDocument>()),
        ("secrets list", schema_of::<FindingsDocument>()),
        ("secrets scan", schema_of::<SecretScanDocument>()),
        ("session delete", schema_of::<DeletionDocument>()),
        ("session get", schema_of::<SessionDocument>()),
        ("session list", schema_of::<SessionListDocument>()),
        ("session messages", schema_of::<MessagesDocument>()),
        ("session restore", schema_of::<TrashDocument>()),
        ("session trash", schema_of::<TrashDocument>()),
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
        let mut first_of = BTreeMap::new();
        let mut shared = Vec::new();
        for (command, schema) in schemas() {
            let first = *first_of
                .entry(schema.as_value().to_string())
                .or_insert(command);
            if first == command {
                insta::assert_json_snapshot!(command.replace(' ', "_"), schema);
            } else {
                shared.push(format!("{command}: as {first}"));
            }
        }
        insta::assert_snapshot!("shared", shared.join("\n"));
    }
}
