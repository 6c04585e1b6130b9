//! Revocation is sticky, whoever asks (S-E03).

use recall_core::{EntryId, RevocationReason, SessionId};
use recall_engine::{ReverifyScope, ReviewRequest};
use recall_trust::trusted::is_trusted;

use crate::world::{VERIFIED, line, outcomes, someone, world};

#[tokio::test]
async fn model_047_no_command_gives_a_revoked_entry_its_provenance_back() {
    let world = world().await;
    world.import(&[line("a", "")], VERIFIED).await;
    world.store_session("The tests fail again").await;
    world.store_session("The tests fail").await;
    let revocation = world.entry("a").await.unwrap().revocation.unwrap();
    assert_eq!(revocation.reason, RevocationReason::ContentDigestMismatch);

    let session = SessionId::new("s1").unwrap();
    for scope in [ReverifyScope::Session(session), ReverifyScope::All] {
        let report = world.engine.reverify(&scope).await.unwrap();
        assert_eq!((report.verification.kept, report.confirmed.len()), (0, 0));
    }
    let again = world.import(&[line("a", "")], VERIFIED).await;
    assert_eq!(outcomes(&again), ["duplicate"]);
    let accept = ReviewRequest::Accept {
        transferable: true,
        entry_type: None,
    };
    let id = EntryId::new("a").unwrap();
    // Whether a person may still accept it or not: its evidence is no better for it.
    let _ = world.engine.review(&id, &accept, "", &someone()).await;

    let entry = world.entry("a").await.unwrap();
    assert_eq!(entry.revocation, Some(revocation));
    assert!(!entry.provenance_ok && !is_trusted(&entry));
    let fresh = world.import(&[line("b", "")], VERIFIED).await;
    assert_eq!(
        outcomes(&fresh),
        ["ok"],
        "a new entry may cite the same text"
    );
    assert!(is_trusted(&world.entry("b").await.unwrap()));
}
