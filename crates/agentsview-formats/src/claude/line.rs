//! A line of a Claude Code file as it is written, reduced to the fields that matter.
//!
//! One pass over the bytes: fields that are not named here, and the payloads of
//! `toolUseResult` and `data`, are skipped without being built.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{MapAccess, SeqAccess};
use serde_json::value::RawValue;

use super::loose::{self, Element, Loose, loose};

type Text<'a> = Option<Cow<'a, str>>;

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Line<'a> {
    #[serde(borrow, rename = "type", deserialize_with = "loose")]
    pub(super) kind: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) subtype: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) uuid: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) parent_uuid: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) session_id: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) timestamp: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) snapshot: Snapshot<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) cwd: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) git_branch: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) version: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) entrypoint: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) session_kind: Text<'a>,
    #[serde(deserialize_with = "loose")]
    pub(super) is_meta: bool,
    #[serde(deserialize_with = "loose")]
    pub(super) is_sidechain: bool,
    #[serde(deserialize_with = "loose")]
    pub(super) is_compact_summary: bool,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) request_id: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) message: Message<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) tool_use_result: AgentRef<'a>,
    /// Of progress lines: the call that the progress belongs to.
    #[serde(borrow, rename = "parentToolUseID", deserialize_with = "loose")]
    pub(super) parent_tool_use_id: Text<'a>,
    /// Of progress lines.
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) data: AgentRef<'a>,
    /// Of queue operations: what is done to the queue.
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) operation: Text<'a>,
    /// Of system lines and queue operations.
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) content: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) attachment: Attachment<'a>,
}

/// The state of the user's files; has a time where its line has none.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Snapshot<'a> {
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) timestamp: Text<'a>,
}

/// Whatever names an agent that a call started.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct AgentRef<'a> {
    #[serde(borrow, rename = "type", deserialize_with = "loose")]
    pub(super) kind: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) agent_id: Text<'a>,
}

/// Something that came with a turn; a prompt typed while the agent worked is one.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Attachment<'a> {
    #[serde(borrow, rename = "type", deserialize_with = "loose")]
    pub(super) kind: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) prompt: Content<Block<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) id: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) model: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) stop_reason: Text<'a>,
    #[serde(deserialize_with = "loose")]
    pub(super) usage: Option<Usage>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) content: Content<Block<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
#[expect(clippy::struct_field_names, reason = "the names of the format")]
pub(super) struct Usage {
    #[serde(deserialize_with = "loose")]
    pub(super) input_tokens: Option<u64>,
    #[serde(deserialize_with = "loose")]
    pub(super) output_tokens: Option<u64>,
    #[serde(deserialize_with = "loose")]
    pub(super) cache_creation_input_tokens: Option<u64>,
    #[serde(deserialize_with = "loose")]
    pub(super) cache_read_input_tokens: Option<u64>,
}

/// What a message or a tool result holds; a bare string stands for one block of text.
pub(super) struct Content<B>(pub(super) Vec<B>);

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(borrow, rename = "type", deserialize_with = "loose")]
    pub(super) kind: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) text: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) thinking: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) id: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) name: Text<'a>,
    /// Kept raw: arguments may be nested deeper than a parser without a stack of its own goes.
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) tool_use_id: Text<'a>,
    #[serde(deserialize_with = "loose")]
    pub(super) is_error: bool,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) content: Content<ResultBlock<'a>>,
}

/// A block inside a tool result, which holds no further blocks.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct ResultBlock<'a> {
    #[serde(borrow, rename = "type", deserialize_with = "loose")]
    pub(super) kind: Text<'a>,
    #[serde(borrow, deserialize_with = "loose")]
    pub(super) text: Text<'a>,
}

const TEXT: Text<'static> = Some(Cow::Borrowed("text"));

impl<'a> From<Cow<'a, str>> for Block<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self {
            kind: TEXT,
            text: Some(text),
            ..Self::default()
        }
    }
}

impl<'a> From<Cow<'a, str>> for ResultBlock<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self {
            kind: TEXT,
            text: Some(text),
        }
    }
}

impl<B> Default for Content<B> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, B> Loose<'de> for Content<B>
where
    B: Loose<'de> + From<Cow<'de, str>>,
{
    fn text(text: Cow<'de, str>) -> Self {
        Self(vec![text.into()])
    }

    fn array<A: SeqAccess<'de>>(mut array: A) -> Result<Self, A::Error> {
        let mut blocks = Vec::new();
        while let Some(Element(block)) = array.next_element()? {
            blocks.push(block);
        }
        Ok(Self(blocks))
    }
}

macro_rules! loose_objects {
    ($($name:ident),+) => {
        $(impl<'de> Loose<'de> for $name<'de> {
            fn object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error> {
                loose::object(object)
            }
        })+
    };
}

loose_objects!(Snapshot, AgentRef, Attachment, Message, Block, ResultBlock);

impl<'de> Loose<'de> for Option<Usage> {
    fn object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error> {
        loose::object(object).map(Some)
    }
}
