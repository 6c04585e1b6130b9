//! How an entry stood, as the review log keeps it.

use recall_core::EntryType;
use recall_trust::review::Standing;
use serde_json::{Value, json};

use crate::StoreError;
use crate::columns::word;

pub(super) fn write(standing: Standing) -> String {
    json!({
        "status": standing.status.as_str(),
        "review_state": standing.review_state.as_str(),
        "transferable": standing.transferable,
        "type": standing.entry_type.as_str(),
        "claimed_type": standing.claimed_type.map(EntryType::as_str),
    })
    .to_string()
}

pub(super) fn read(json: &str) -> Result<Standing, StoreError> {
    let corrupt = || StoreError::corrupt("standing", json);
    let value: Value = serde_json::from_str(json).map_err(|_| corrupt())?;
    let text = |member: &str| value[member].as_str().ok_or_else(corrupt);
    Ok(Standing {
        status: word(text("status")?)?,
        review_state: word(text("review_state")?)?,
        transferable: value["transferable"].as_bool().ok_or_else(corrupt)?,
        entry_type: word(text("type")?)?,
        claimed_type: value["claimed_type"].as_str().map(word).transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use recall_core::{ReviewState, Status};

    use super::*;

    #[test]
    fn a_standing_reads_back_as_it_was_written() {
        for claimed_type in [None, Some(EntryType::Decision)] {
            let standing = Standing {
                status: Status::Archived,
                review_state: ReviewState::CalibratedAuto,
                transferable: true,
                entry_type: EntryType::Fact,
                claimed_type,
            };
            assert_eq!(read(&write(standing)).unwrap(), standing);
        }
        for damaged in ["", "{}", r#"{"status":"gone"}"#] {
            assert!(read(damaged).is_err(), "{damaged}");
        }
    }
}
