//! Whether an import may be tried at all (S-R01).

/// What is asked for, and where it would go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportRequest {
    /// Check everything and write nothing.
    pub dry_run: bool,
    /// The caller confirmed that it wants to write.
    pub confirmed: bool,
    /// The caller allows the default data directory.
    pub allow_production: bool,
    /// The archive is the one in the default data directory, which a person relies on.
    pub is_production: bool,
}

/// Why an import may not be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ImportRefusal {
    /// Nothing may be written without a word.
    #[error("the import is not confirmed")]
    NotConfirmed,
    /// The default data directory is guarded, against a dry run too: one that passes invites the
    /// import that follows it.
    #[error("the default data directory is guarded against imports")]
    ProductionGuarded,
}

/// Permits an import, before a line of it is read. No permission relaxes a check of the lines
/// (S-R05).
pub fn permit(request: ImportRequest) -> Result<(), ImportRefusal> {
    if !request.dry_run && !request.confirmed {
        return Err(ImportRefusal::NotConfirmed);
    }
    if request.is_production && !request.allow_production {
        return Err(ImportRefusal::ProductionGuarded);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAB: ImportRequest = ImportRequest {
        dry_run: false,
        confirmed: true,
        allow_production: false,
        is_production: false,
    };

    // S-R01
    #[test]
    fn model_121_an_import_needs_a_dry_run_or_a_confirmation() {
        assert_eq!(permit(LAB), Ok(()));
        let unconfirmed = ImportRequest {
            confirmed: false,
            ..LAB
        };
        assert_eq!(permit(unconfirmed), Err(ImportRefusal::NotConfirmed));
        assert_eq!(
            permit(ImportRequest {
                dry_run: true,
                ..unconfirmed
            }),
            Ok(())
        );
    }

    // S-R01
    #[test]
    fn model_123_and_124_the_default_directory_is_guarded_dry_and_real_unless_allowed() {
        for dry_run in [true, false] {
            let production = ImportRequest {
                dry_run,
                is_production: true,
                ..LAB
            };
            assert_eq!(permit(production), Err(ImportRefusal::ProductionGuarded));
            assert_eq!(
                permit(ImportRequest {
                    allow_production: true,
                    ..production
                }),
                Ok(())
            );
        }
    }
}
