//! What instructions look like in English, and in no language at all.

use super::rules::{Kind, REST, Rule};

/// What a line may start with before its text counts as its start: indentation, a list or quotation
/// mark, and the label of a packed field.
const LINE_START: &str = r"^[\s>*-]*(?:(?:body|trigger|snippet)\s*:\s*)?";
/// What a role is told to do.
const ORDERS: &str =
    r"(?:ignore|disregard|reveal|print|run|execute|fetch|follow|answer|delete|change)";
/// Giving away what is not to be given away.
const EXFILTRATION: &str = r"(?:reveal|print|dump|leak|exfiltrate)\s(?:.*?\b)?(?:(?:system|developer)\s+prompts?|api[\s_-]?keys?|secrets?|tokens?|passwords?)\b";
/// Programs that run other programs or reach the network.
const SHELL_TOOLS: &str = r"(?:curl|wget|rm\s+-rf|bash|zsh|sh|python3?|osascript|powershell|pwsh)";
/// Where a role may speak up in the middle of a line: behind a sentence, or in brackets.
const TURN: &str = r#"(?:[.!?;|>\])}"'`*_#-]\s*|\s[\[(<"'*_])[\[(<"'*_]*"#;

/// "Do not go by it any more."
const DROP: &str = "(?:ignore|disregard|forget|bypass|(?:do not|don't) follow|stop following)";
/// Which guidance: that which the reader had before.
const EARLIER: &str =
    "(?:previous|prior|above|preceding|earlier|foregoing|former|initial|original)";
/// What an agent goes by. Rules, commands and prompts have other meanings to an engineer.
const GUIDANCE: &str = "(?:instructions|directives|guidelines|system (?:prompt|message)s?)";
/// The same as [`EARLIER`], behind its noun.
const GIVEN: &str = "(?:above|before this|(?:that )?(?:you|came|were|have been|given))";
/// The same as [`GUIDANCE`], where it is the reader's own.
const OWN: &str = "(?:instructions|(?:safety|system|developer) (?:instructions|guidelines|directives|prompt|message))";

const ROLES: &[&str] = &["system", "developer", "assistant", "user", "tool"];

/// Orders to drop other orders.
fn overrides() -> [Rule; 2] {
    [
        Rule::new(
            Kind::PriorOverride,
            [
                &[
                    "ignore",
                    "disregard",
                    "forget",
                    "bypass",
                    "not follow",
                    "n't follow",
                    "stop following",
                ],
                &[
                    "instructions",
                    "directives",
                    "guidelines",
                    "system prompt",
                    "system message",
                ],
            ],
            format!(
                r"\b{DROP}\s+(?:(?:all|any|every|each|of|the|your|my|these|those)\s+){{0,4}}(?:{EARLIER}\s+(?:(?:system|developer|safety)\s+)?{GUIDANCE}|instructions\s+{GIVEN}|your\s+(?:own\s+)?{OWN})\b{REST}"
            ),
        ),
        Rule::new(
            Kind::PriorOverride,
            [&["ignore", "disregard", "forget"], &["everything you"]],
            format!(
                r"\b(?:ignore|disregard|forget)\s+everything\s+you\s+(?:were|have been|are)\s+(?:told|instructed)\b{REST}"
            ),
        ),
    ]
}

/// Somebody of authority who seems to speak.
fn speakers() -> [Rule; 4] {
    [
        Rule::new(
            Kind::RoleMarker,
            [ROLES, &[":"]],
            format!(r"{LINE_START}(?:system|developer|assistant|user|tool)\s*:\s*{ORDERS}\b.*"),
        ),
        Rule::new(
            Kind::RoleMarker,
            [&["system", "developer", "assistant"], &[":"]],
            format!(
                r#"{TURN}(?:system|developer|assistant)\s*[\])>"'*_]*\s*:[\])>"'*_]*\s*{ORDERS}\b.*"#
            ),
        ),
        Rule::new(
            Kind::RoleMarker,
            [&["system", "developer", "assistant"], &[":"]],
            r"\b(?:system|developer|assistant)\s*:\s*(?:disregard|reveal|obey|forget|(?:ignore|follow)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:previous|prior|above|your|my|these\s+instructions))\b.*",
        ),
        Rule::new(
            Kind::PrivilegedMarker,
            [
                &["system", "developer"],
                &["message", "prompt", "instruction", "directive"],
            ],
            format!(
                r"{LINE_START}(?:(?:new|updated|override|higher[\s-]priority)\s+)?(?:system|developer)\s+(?:message|prompt|instructions?|directive)\s*:\s*(?:{ORDERS}|use|obey|treat)\b.*"
            ),
        ),
    ]
}

/// Something to be done that nobody asked for.
fn demands() -> [Rule; 3] {
    [
        Rule::new(
            Kind::Exfiltration,
            [
                &["reveal", "print", "dump", "leak", "exfiltrate"],
                &["prompt", "key", "secret", "token", "password"],
            ],
            format!("{LINE_START}{EXFILTRATION}"),
        ),
        Rule::new(
            Kind::Command,
            [
                &["run", "execute"],
                &[
                    "answer",
                    "respond",
                    "reveal",
                    "print",
                    "dump",
                    "leak",
                    "exfiltrate",
                ],
            ],
            format!(
                r"{LINE_START}(?:run|execute)\b.*?\b{SHELL_TOOLS}\b.*?\b(?:before\s+(?:answering|responding)|then\s+(?:answer|respond)|{EXFILTRATION}).*"
            ),
        ),
        Rule::new(
            Kind::ExternalFetch,
            [&["http://", "https://"], &["instruction"]],
            format!(
                r"{LINE_START}(?:fetch|visit|open)\b.*?\bhttps?://[^\s]+.*?\b(?:follow|obey|use)\s+(?:(?:the|its|these|those)\s+)?instructions?\b"
            ),
        ),
    ]
}

/// The marks by which a model is told who speaks.
fn templates() -> [Rule; 2] {
    [
        // A marker that is quoted alone is talked about; one with text behind it is used.
        Rule::new(
            Kind::ChatTemplate,
            [&["<|", "inst]", "sys>>", "_turn>"], &[""]],
            concat!(
                r"(?:<\|(?:im_start|start_header_id)\|>\s*(?:system|developer|user|assistant|tool)\b",
                r"|<\|(?:system|developer|user|assistant|endoftext|eot_id|im_end)\|>|\[/?inst\]|<</?sys>>",
                r"|<(?:start|end)_of_turn>)",
                r#"(?:\s*$|\s*[^\s`'"”’»」,.;:)]).*"#
            ),
        ),
        Rule::new(
            Kind::ChatTemplate,
            [&["##"], &["system", "instruction", "developer"]],
            format!(
                r"^\s*#{{2,}}\s*(?:system|developer|instruction)(?:\s+(?:prompt|message))?\s*:\s*(?:$|(?:{ORDERS}|obey|you\s+(?:are|must|will))\b).*"
            ),
        ),
    ]
}

/// The rules of English.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let spoken = overrides().into_iter().chain(speakers());
    spoken.chain(demands()).chain(templates())
}
