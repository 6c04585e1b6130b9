//! A value that does not show itself.

use std::fmt;

/// A key or an endpoint. Printing it, also inside another value, prints a placeholder: showing it
/// takes an explicit [`Redacted::expose`].
///
/// ```
/// use recall_config::Redacted;
///
/// let key = Redacted::new("q7VbT2mXw9".to_owned());
/// assert_eq!(format!("{key} {key:?}"), "[redacted] [redacted]");
/// assert_eq!(key.expose(), "q7VbT2mXw9");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Redacted<T>(T);

impl<T> Redacted<T> {
    /// Hides a value.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, for the one place that needs it.
    pub const fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Redacted<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> fmt::Debug for Redacted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

impl<T> fmt::Display for Redacted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_holds_it_does_not_show_it_either() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "read by Debug, which the compiler does not count")]
        struct Server {
            name: &'static str,
            key: Option<Redacted<String>>,
        }
        let server = Server {
            name: "local",
            key: Some("q7VbT2mXw9".to_owned().into()),
        };
        let shown = format!("{server:?} {server:#?}");
        assert!(shown.contains("local"));
        assert!(!shown.contains("q7Vb"));
    }
}
