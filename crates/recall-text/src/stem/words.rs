//! Words whose stem no rule finds.

/// Irregular forms, and the regular one that has their stem. Only where the word is used of
/// software; forms that are words of their own (`left`, `found`, `saw`) and forms of names of
/// programs (`made` for `make`, `gone` for `go`) are absent. Sorted.
const IRREGULAR: &[(&str, &str)] = &[
    ("aliased", "alias"),
    ("aliases", "alias"),
    ("aliasing", "alias"),
    ("analyses", "analysis"),
    ("axes", "axis"),
    ("began", "begin"),
    ("begun", "begin"),
    ("biases", "bias"),
    ("broke", "break"),
    ("broken", "break"),
    ("built", "build"),
    ("canvases", "canvas"),
    ("caught", "catch"),
    ("children", "child"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("cpus", "cpu"),
    ("forgot", "forget"),
    ("forgotten", "forget"),
    ("froze", "freeze"),
    ("frozen", "freeze"),
    ("gave", "give"),
    ("given", "give"),
    ("gpus", "gpu"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("held", "hold"),
    ("hidden", "hide"),
    ("hung", "hang"),
    ("indices", "index"),
    ("kept", "keep"),
    ("lenses", "lens"),
    ("lost", "lose"),
    ("matrices", "matrix"),
    ("menus", "menu"),
    ("overwritten", "overwrite"),
    ("overwrote", "overwrite"),
    ("panicked", "panic"),
    ("panicking", "panic"),
    ("rebuilt", "rebuild"),
    ("rewritten", "rewrite"),
    ("rewrote", "rewrite"),
    ("schemata", "schema"),
    ("sent", "send"),
    ("shown", "show"),
    ("taken", "take"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("took", "take"),
    ("vertices", "vertex"),
    ("written", "write"),
    ("wrote", "write"),
];

/// Words that start so have this stem, or they would meet one of another sense.
const APART: &[(&str, &str)] = &[
    ("accessib", "accessib"),
    ("authorit", "authorit"),
    ("authoriz", "authoriz"),
    ("business", "business"),
    ("commander", "commander"),
    ("container", "container"),
    ("conversation", "conversation"),
    ("directiv", "directiv"),
    ("experienc", "experienc"),
    ("experiment", "experiment"),
    ("expression", "expression"),
    ("expressiv", "expressiv"),
    ("heading", "heading"),
    ("importan", "important"),
    ("integrit", "integrit"),
    ("internation", "internation"),
    ("objectiv", "objectiv"),
    ("operator", "operator"),
    ("organiz", "organiz"),
    ("positiv", "positiv"),
    ("reaction", "reaction"),
    ("reactiv", "reactiv"),
    ("relativ", "relativ"),
    ("transitiv", "transitiv"),
];

/// Words that Porter2 takes for forms of others.
const AS_THEY_ARE: &[&str] = &["alias", "atlas", "bias", "canvas", "pandas"];

/// British roots and the American ones.
const AMERICAN: &[(&str, &str)] = &[
    ("analys", "analyz"),
    ("behaviour", "behavior"),
    ("colour", "color"),
    ("favour", "favor"),
    ("flavour", "flavor"),
    ("honour", "honor"),
    ("neighbour", "neighbor"),
];

/// The regular form for an irregular one.
pub(super) fn regular(word: &str) -> Option<&'static str> {
    let at = IRREGULAR
        .binary_search_by_key(&word, |(form, _)| form)
        .ok()?;
    IRREGULAR.get(at).map(|(_, regular)| *regular)
}

/// The stem of a word that must not meet its neighbours.
pub(super) fn apart(word: &str) -> Option<&'static str> {
    match word {
        "setting" | "settings" => Some("setting"),
        _ => AS_THEY_ARE.iter().find(|kept| **kept == word).copied(),
    }
    .or_else(|| {
        let (_, stem) = APART.iter().find(|(start, _)| word.starts_with(start))?;
        Some(stem)
    })
}

/// The American spelling of a British word.
pub(super) fn american(word: &str) -> Option<String> {
    let (british, american) = AMERICAN.iter().find(|(root, _)| word.starts_with(root))?;
    let rest = word.strip_prefix(british)?;
    // The noun is the same on both sides, and so is what analysts do.
    let is_noun = *british == "analys" && (rest.starts_with("is") || rest.starts_with('t'));
    (!is_noun).then(|| format!("{american}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_for_its_binary_search() {
        assert!(IRREGULAR.is_sorted());
    }
}
