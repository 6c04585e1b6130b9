//! Proof that the guard of the default data directory was asked (S-R01).

use recall_trust::import::{ImportRefusal, ImportRequest, permit};

/// Where an ingest would go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IngestTarget {
    /// The archive is the one in the default data directory, which a person relies on.
    pub is_production: bool,
    /// The caller allows the default data directory.
    pub allow_production: bool,
}

/// An ingest that may be tried. Only [`IngestTarget::permit`] makes one, so nobody can forget to
/// ask.
#[derive(Debug)]
pub struct IngestPermit(());

impl IngestTarget {
    /// Asks, by the rule of imports, before anything of a request is read.
    ///
    /// # Errors
    /// [`ImportRefusal::ProductionGuarded`] for the default data directory, unless it is allowed.
    pub fn permit(self) -> Result<IngestPermit, ImportRefusal> {
        permit(ImportRequest {
            dry_run: false,
            // Evaluation material is asked for by name; there is no dry run to tell it from.
            confirmed: true,
            allow_production: self.allow_production,
            is_production: self.is_production,
        })?;
        Ok(IngestPermit(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S-R01, S-E08
    #[test]
    fn model_136_the_default_directory_is_guarded_unless_it_is_allowed() {
        let permitted = |is_production, allow_production| {
            IngestTarget {
                is_production,
                allow_production,
            }
            .permit()
            .map(drop)
        };
        assert_eq!(
            permitted(true, false),
            Err(ImportRefusal::ProductionGuarded)
        );
        assert_eq!(permitted(true, true), Ok(()));
        assert_eq!(permitted(false, false), Ok(()));
    }
}
