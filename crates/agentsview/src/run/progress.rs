//! Progress on a terminal. Nothing is drawn where standard error is none.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const TEMPLATE: &str = "{msg} {wide_bar} {pos}/{len}";

/// A bar that clears itself when it is dropped.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar of unknown length, which is not drawn.
    pub(crate) fn new(message: &'static str) -> Self {
        let bar =
            ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_message(message);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// How much of how much is done. The bar is drawn from the first time on that there is anything
    /// to do.
    pub(crate) fn set(&self, done: u64, all: u64) {
        let is_first = all > 0 && self.0.length().is_none();
        if all > 0 {
            self.0.set_length(all);
            self.0.set_position(done);
        }
        if is_first {
            self.0.set_draw_target(ProgressDrawTarget::stderr());
            self.0.enable_steady_tick(Duration::from_millis(200));
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_no_length_before_there_is_anything_to_do() {
        let bar = Bar::new("Syncing");
        bar.set(0, 0);
        assert_eq!(bar.0.length(), None);
        bar.set(3, 7);
        assert_eq!((bar.0.position(), bar.0.length()), (3, Some(7)));
    }
}
