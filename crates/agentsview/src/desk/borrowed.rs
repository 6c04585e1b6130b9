//! What the desk borrows of the terminal, and gives back on every way out.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Takes the other screen, hides the cursor, and has pastes marked; lines are not broken by the terminal, so that a
/// character of unexpected width spoils one row and not the screen.
const TAKE: &str = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h\u{1b}[2J";

/// Gives back what [`TAKE`] took.
const GIVE_BACK: &str = "\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[0m\u{1b}[?1049l";

/// The terminal's other screen and its keys. They are given back when this is dropped, and when the
/// process is told to end.
pub(super) struct Borrowed(Arc<Mutex<Option<Quiet>>>);

impl Borrowed {
    /// Nothing is borrowed yet; from here on signals are heeded.
    pub(super) fn watched() -> io::Result<Self> {
        let borrowed = Self(Arc::default());
        #[cfg(unix)]
        borrowed.watch()?;
        Ok(borrowed)
    }

    /// Borrows both, unless they are borrowed already.
    pub(super) fn take(&self) -> io::Result<()> {
        let mut quiet = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if quiet.is_none() {
            *quiet = Some(Quiet::start()?);
            write(TAKE)?;
        }
        Ok(())
    }

    /// Gives both back, if they are borrowed.
    pub(super) fn give_back(&self) {
        let mut quiet = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if quiet.take().is_some() {
            // A terminal that is gone needs nothing back.
            let _ = write(GIVE_BACK);
        }
    }

    /// Ends the process as the signals say, but gives back first. An interrupt while an editor runs
    /// is the editor's: it reaches every process of the terminal, and the desk has a key for it.
    #[cfg(unix)]
    fn watch(&self) -> io::Result<()> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        use signal_hook::low_level::emulate_default_handler;

        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let borrowed = Self(Arc::clone(&self.0));
        std::thread::spawn(move || {
            for signal in signals.forever().filter(|signal| *signal != SIGINT) {
                borrowed.give_back();
                let _ = emulate_default_handler(signal);
            }
        });
        Ok(())
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Throws away what was typed and not read yet.
#[cfg(unix)]
pub(super) fn forget_typed() -> io::Result<()> {
    use rustix::termios::{QueueSelector, tcflush};

    Ok(tcflush(io::stdin(), QueueSelector::IFlush)?)
}

/// Other consoles offer no way that needs no unsafe code.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on other systems")]
pub(super) fn forget_typed() -> io::Result<()> {
    Ok(())
}

fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// While this is held, keys that are pressed between two readings are neither shown nor held back
/// for the end of a line, and Ctrl-C is a key.
#[cfg(unix)]
struct Quiet(rustix::termios::Termios);

#[cfg(unix)]
impl Quiet {
    fn start() -> io::Result<Self> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

        let before = tcgetattr(io::stdin())?;
        let mut quiet = before.clone();
        quiet
            .local_modes
            .remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
        tcsetattr(io::stdin(), OptionalActions::Drain, &quiet)?;
        Ok(Self(before))
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};

        // A terminal that is gone needs nothing back.
        let _ = tcsetattr(io::stdin(), OptionalActions::Drain, &self.0);
    }
}

/// Other consoles read keys as they come.
#[cfg(not(unix))]
struct Quiet;

#[cfg(not(unix))]
impl Quiet {
    #[expect(clippy::unnecessary_wraps, reason = "as on other systems")]
    fn start() -> io::Result<Self> {
        Ok(Self)
    }
}
