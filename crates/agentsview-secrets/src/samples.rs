//! Invented credentials for tests, put together at run time: the source holds no whole one.

/// Forty letters and digits without a pattern.
pub(crate) const BODY: &str = "q7VbT2mXw9LrKd4Yz8HsNc3JfGp6EaUo5RiQ1tWx";

/// Starts of credentials, and what stands around them.
pub(crate) const FRAGMENTS: &[&str] = &[
    "AKIA",
    "sk-",
    "sk-ant-",
    "sk-proj-",
    "hf_",
    "SG.",
    "ghp_",
    "xoxb-",
    "_live_",
    "AIza",
    "-----",
    "-----BEGIN ",
    "PRIVATE KEY-----",
    "\n",
    "\\n",
    " ",
    "\"",
    "=",
    "é",
    "…",
];

/// One credential of the rule.
pub(crate) fn credential(rule: &str) -> String {
    match rule {
        "aws-access-key" => format!("AKIA{}", &BODY[..16].to_uppercase()),
        "anthropic-key" => format!("sk-ant-api03-{BODY}"),
        "openai-key" => format!("sk-proj-{BODY}"),
        "gitlab-pat" => format!("glpat-{}", &BODY[..20]),
        "npm-token" => format!("npm_{}", &BODY[..36]),
        "pypi-token" => format!("pypi-AgEIcHlwaS5vcmcC{BODY}{BODY}"),
        "huggingface-token" => format!("hf_{}", &BODY[..34]),
        "sendgrid-key" => format!("SG.{}.{BODY}-_4", &BODY[..22]),
        "github-pat" => format!("ghp_{}", &BODY[..36]),
        "slack-token" => format!("xoxb-{}-{}", "780823123335", &BODY[..24]),
        "stripe-secret" => format!("rk_live_{}", &BODY[..24]),
        "google-api-key" => format!("AIza{}-", &BODY[..34]),
        "private-key-block" => {
            let label = "PRIVATE KEY-----";
            format!("-----BEGIN {label}\n{BODY}\n{BODY}\n-----END {label}")
        }
        other => panic!("no sample of {other}"),
    }
}
