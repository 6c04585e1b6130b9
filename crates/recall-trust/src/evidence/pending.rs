//! Whether the result of a tool call may still come.

use recall_core::{CitedMessage, Ordinal, Timestamp, ToolUseId};

/// How long after a session's last sign of life a call without a result still counts as running,
/// in milliseconds: 15 minutes. A result that comes later revokes what cites the call.
pub const PENDING_GRACE_MS: i64 = 15 * 60 * 1000;

/// What tells whether a session is still going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionActivity {
    /// The last message of the person. Whoever speaks on has given up waiting for what was asked
    /// before.
    pub last_spoken: Option<Ordinal>,
    /// Whether something was recorded within [`PENDING_GRACE_MS`].
    pub is_recent: bool,
}

impl SessionActivity {
    /// The activity of a session whose last recorded time is `last_active`, as seen at `now`. A
    /// session without any times is not going on.
    pub fn at(
        now: Timestamp,
        last_active: Option<Timestamp>,
        last_spoken: Option<Ordinal>,
    ) -> Self {
        let is_recent = last_active.is_some_and(|last| {
            now.as_millisecond().saturating_sub(last.as_millisecond()) < PENDING_GRACE_MS
        });
        Self {
            last_spoken,
            is_recent,
        }
    }

    /// The tool uses among these messages whose result may still come, sorted by bytes, each once.
    pub(super) fn pending(self, messages: &[CitedMessage]) -> Vec<ToolUseId> {
        if !self.is_recent {
            return Vec::new();
        }
        let mut pending: Vec<ToolUseId> = messages
            .iter()
            .filter(|message| {
                self.last_spoken
                    .is_none_or(|spoken| message.ordinal > spoken)
            })
            .flat_map(|message| &message.tool_calls)
            .filter(|call| call.results.is_empty())
            .filter_map(|call| call.tool_use_id.clone())
            .collect();
        pending.sort_unstable();
        pending.dedup();
        pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{call, message_with_calls, now, tool};

    fn at(milliseconds_ago: i64) -> SessionActivity {
        let last = Timestamp::from_millisecond(now().as_millisecond() - milliseconds_ago).unwrap();
        SessionActivity::at(now(), Some(last), Some(Ordinal::new(3)))
    }

    // model weakness 2
    #[test]
    fn a_call_is_pending_while_nobody_spoke_on_and_the_session_is_alive() {
        let mut answered = call("Read", "t1", "{}");
        answered.results = vec![String::new()];
        let messages = [
            message_with_calls(2, "before", vec![call("Read", "t0", "{}")]),
            message_with_calls(4, "after", vec![answered, call("Bash", "t2", "{}")]),
        ];
        let nothing: [ToolUseId; 0] = [];
        assert_eq!(at(1000).pending(&messages), [tool("t2")]);
        assert_eq!(at(-1000).pending(&messages), [tool("t2")], "clocks differ");
        assert_eq!(at(PENDING_GRACE_MS).pending(&messages), nothing);
        assert_eq!(SessionActivity::default().pending(&messages), nothing);
        let unspoken = SessionActivity {
            last_spoken: None,
            ..at(1000)
        };
        assert_eq!(unspoken.pending(&messages), [tool("t0"), tool("t2")]);
    }
}
