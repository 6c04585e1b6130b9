//! How the command line ends.

/// The kinds of ending that a script can tell apart. The discriminant is the process's exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ExitCode {
    /// Everything asked for was done. An empty answer is a success.
    Success = 0,
    /// Something failed that nobody foresaw: a damaged file, a full disk, a fault of the program.
    Failure = 1,
    /// The command line, a value on it, the configuration or an input file is wrong.
    Usage = 2,
    /// The named thing does not exist.
    NotFound = 3,
    /// A rule forbids it: a confirmation is missing, a guard protects the target, another process
    /// owns the archive.
    Refused = 4,
    /// It cannot be done right now: a lock is held, an index is missing or stale, an endpoint is
    /// down. Trying again later, or after the named command, may help.
    Unavailable = 5,
    /// The work finished, and some of its items failed.
    Partial = 6,
}

impl ExitCode {
    /// Every code, in numeric order.
    pub const ALL: &'static [Self] = &[
        Self::Success,
        Self::Failure,
        Self::Usage,
        Self::NotFound,
        Self::Refused,
        Self::Unavailable,
        Self::Partial,
    ];

    /// The number that the process ends with.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// What the code means, in a few words for help texts and the manual.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Success => "success, an empty answer included",
            Self::Failure => "unexpected failure",
            Self::Usage => "wrong usage or invalid input",
            Self::NotFound => "not found",
            Self::Refused => "refused by a rule: confirmation, guard or owning server",
            Self::Unavailable => {
                "unavailable now: write lock held, index missing or stale, endpoint down"
            }
            Self::Partial => "finished, but some items failed",
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(exit: ExitCode) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_count_up_from_zero_without_a_gap() {
        for (number, exit) in (0_u8..).zip(ExitCode::ALL) {
            assert_eq!(exit.code(), number);
            assert!(!exit.meaning().is_empty());
        }
    }
}
