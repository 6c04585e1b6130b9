//! Marks that nobody can foretell, and where they come from.

use std::fmt;

/// A random mark of 64 bits, written as 16 hexadecimal digits.
///
/// ```
/// assert_eq!(recall_core::Nonce::new(0xab).to_string(), "00000000000000ab");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Nonce(u64);

impl Nonce {
    /// How many bytes its text has.
    pub const TEXT_BYTES: usize = 16;

    /// The mark of these bits.
    pub const fn new(bits: u64) -> Self {
        Self(bits)
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The machine has no randomness to give.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gives no random numbers: {0}")]
pub struct EntropyError(String);

/// Where randomness comes from. Passed in, so that tests know what comes out.
pub trait Entropy: Send + Sync {
    /// A mark that was never handed out before.
    ///
    /// # Errors
    /// [`EntropyError`] if there is no randomness: a mark that can be guessed is worse than none.
    fn nonce(&self) -> Result<Nonce, EntropyError>;
}

/// The randomness of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn nonce(&self) -> Result<Nonce, EntropyError> {
        match getrandom::u64() {
            Ok(bits) => Ok(Nonce(bits)),
            Err(error) => Err(EntropyError(error.to_string())),
        }
    }
}

/// No randomness at all: always the same mark, for tests.
#[derive(Debug, Clone, Copy)]
pub struct FixedEntropy(pub Nonce);

impl Entropy for FixedEntropy {
    fn nonce(&self) -> Result<Nonce, EntropyError> {
        Ok(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_hands_out_a_new_mark_each_time() {
        let first = SystemEntropy.nonce().unwrap();
        let second = SystemEntropy.nonce().unwrap();
        assert_ne!(first, second);
        assert_eq!(first.to_string().len(), Nonce::TEXT_BYTES);
    }
}
