//! Progress on a terminal. Nothing is drawn where standard error is none.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

const TEMPLATE: &str = "{msg} {wide_bar} {pos}/{len}";

/// A bar that clears itself when it is dropped.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar of unknown length.
    pub(crate) fn new(message: &'static str) -> Self {
        let bar = ProgressBar::new(0).with_message(message);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// How much of how much is done.
    pub(crate) fn set(&self, done: u64, all: u64) {
        self.0.set_length(all);
        self.0.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
