use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::*;

/// Every token by its folded spelling.
fn spelled(text: &str) -> Vec<String> {
    Analyser::terms(text)
        .map(|token| token.surface.into_owned())
        .collect()
}

fn terms(text: &str) -> Vec<String> {
    Analyser::terms(text)
        .map(|token| token.term.into_owned())
        .collect()
}

fn leaves(text: &str) -> Vec<String> {
    Analyser::terms(text)
        .filter(|token| token.kind.is_leaf())
        .map(|token| token.term.into_owned())
        .collect()
}

#[track_caller]
fn check(text: &str, spellings: &str) {
    assert_eq!(spelled(text).join(" "), spellings, "{text}");
}

// B-02; ranking W4
#[test]
fn every_spelling_of_an_identifier_meets_the_others() {
    for spelling in [
        "busy_timeout",
        "busyTimeout",
        "BusyTimeout",
        "busy-timeout",
        "BUSY_TIMEOUT",
        "ＢＵＳＹ＿ＴＩＭＥＯＵＴ",
        "ｂｕｓｙ－ｔｉｍｅｏｕｔ",
    ] {
        check(spelling, "busytimeout busy timeout");
    }
    assert_eq!(leaves("busy timeouts"), leaves("busy_timeout"));
    assert!(spelled("SQLite").contains(&"sqlite".to_owned()));
    check("HTTPServer", "httpserver http server");
    check(
        "OAuth2Client S3Bucket",
        "oauth2client o auth2 client s3bucket s3 bucket",
    );
    check(
        "sha256 utf8mb4 E0597 TS2345 0x7f _x_ __",
        "sha256 utf8mb4 e0597 ts2345 0x7f x",
    );
    check("SHA-256 ORA-01555", "sha256 sha 256 ora01555 ora 01555");
    check("CVE-2024-3094", "cve20243094 cve 2024 3094");
    check("@EntityGraph #123", "entitygraph entity graph 123");
    check("--max-old-space-size", "maxoldspacesize max old space size");
    check(
        "-XX:MaxRAMPercentage=70",
        "xx:maxrampercentage xx maxrampercentage max ram percentage 70",
    );
}

#[test]
fn paths_and_dotted_names_are_whole_and_in_parts() {
    check(r"C:\srv\api-core", "c srv/api-core srv apicore api core");
    check(
        "./internal/Pool.go:12:5",
        "internal/pool.go pool.go internal pool go 12 5",
    );
    check("$ORIGIN/../lib", "origin/lib origin lib");
    check("app/.env", "app/env app env");
    check("std::sync::Mutex.", "std.sync.mutex std sync mutex");
    check("foo->bar()", "foo.bar foo bar");
    check("node.js", "node.js node js");
    check("kms:Decrypt", "kms:decrypt kms decrypt");
    check("user@example.com", "user@example.com user example com");
    check(
        "https://example.com/a/b.txt?x=1",
        "https example.com/a/b.txt b.txt example com a b txt x 1",
    );
    check("error[E0597]: lock", "error e0597 lock");
    check("end. Next", "end next");
    check("说明：lock：why", "说 说明 明 lock why");
}

#[test]
fn a_version_number_is_whole_and_in_parts() {
    check("1.31", "1.31 1 31");
    check("v1.2.3", "1.2.3 1 2 3");
    check("Ｖ１．２", "1.2 1 2");
    check("k8s-1.31", "k8s1.31 k8s 1.31 1 31");
    check("serde@1.0.229", "serde@1.0.229 serde 1.0.229 1 0 229");
    check(
        "log4j-2.17.1.jar",
        "log4j-2.17.1.jar log4j2.17.1 log4j 2.17.1 2 17 1 jar",
    );
    check("2.x v2 vs", "2.x 2 x v2 vs");
    assert_eq!(
        Analyser::terms("1.31").next().unwrap().kind,
        TokenKind::Compound
    );
}

#[test]
fn names_with_symbols_are_words() {
    check(
        "C++17 and c++, C# F# g# .NET",
        "c++ 17 and c++ c# f# g .net",
    );
    check("asp.net .netrc c+1", "asp.net asp net netrc c 1");
}

#[test]
fn words_and_parts_are_looked_up_by_their_stem_and_wholes_are_not() {
    assert_eq!(
        terms("Migrations of maxConnections in docs/indexes.md"),
        [
            "migrat",
            "of",
            "maxconnections",
            "max",
            "connect",
            "in",
            "docs/indexes.md",
            "indexes.md",
            "doc",
            "index",
            "md"
        ]
    );
    let token = Analyser::terms("Requêtes").next().unwrap();
    assert_eq!((&*token.surface, &*token.term), ("requetes", "requet"));
}

// B-02; ranking W2
#[test]
fn scripts_without_blanks_give_characters_and_pairs() {
    check("数据库SQL锁", "数 数据 据 据库 库 sql 锁");
    assert_eq!(terms("資料庫鎖定"), terms("资料库锁定"));
    assert_eq!(terms("ｻｰﾊﾞｰ"), terms("サーバー"));
    assert_eq!(terms("か\u{3099}ハ\u{309a}"), terms("がパ"));
    check(
        "拡張 済み",
        "拡 拡張 張 済 済み み".replace('張', "张").as_str(),
    );
}

#[test]
fn korean_syllables_pair_within_a_word_however_they_are_written() {
    check("락 대기열", "락 대 대기 기 기열 열");
    let decomposed: String = "자소 묶음".nfd().collect();
    assert_eq!(terms(&decomposed), terms("자소 묶음"));
}

#[test]
fn accents_case_and_compatibility_forms_fold() {
    check("Café CAFE\u{301} ﬁle Ｗｉｄｅ", "cafe cafe file wide");
    assert_eq!(terms("ЁЛКА"), terms("елка"));
    assert_eq!(terms("हिन्दी").len(), 1, "vowel signs do not split a word");
}

// ranking W22
#[test]
fn places_count_bytes_of_the_text_as_given() {
    let text = "ȺȺ İx busy_timeout";
    let token = Analyser::terms(text)
        .find(|token| token.term == "busytimeout")
        .unwrap();
    assert_eq!(&text[token.span], "busy_timeout");
}

#[test]
fn long_runs_are_read_once_and_are_no_terms() {
    let check = |text: &str, length: usize| {
        let long = text.repeat(length / text.len());
        for token in Analyser::terms(&long) {
            assert!(token.span.len() <= LONGEST_TERM);
        }
    };
    check("a", 1_000_000);
    for text in [
        "ab-", "数", "v1.", "A", "é", "../a/", "\u{301}", "가", "@", "1.", "\u{1100}", "..", "a:",
    ] {
        check(text, 100_000);
    }
}

// ranking behaviour 5
#[test]
fn names_out_of_code_are_told_from_words_and_numbers() {
    for name in ["busy_timeout", "sha256", "useState", "k8s"] {
        assert!(looks_like_identifier(name), "{name}");
    }
    for word in ["1234", "handler", "Handler", "HTTP", "_private", ""] {
        assert!(!looks_like_identifier(word), "{word}");
    }
}

/// Checks what holds of every text.
fn check_tokens(text: &str) -> Result<(), TestCaseError> {
    let mut next = 0;
    let mut end_of_leaf = 0;
    for token in Analyser::terms(text) {
        prop_assert!(text.get(token.span.clone()).is_some());
        prop_assert!(!token.span.is_empty() && token.span.len() <= LONGEST_TERM);
        prop_assert!(!token.term.is_empty() && !token.surface.is_empty());
        if token.kind.is_leaf() {
            prop_assert_eq!((token.position, token.leaves), (next, 1));
            prop_assert!(token.span.start >= end_of_leaf, "leaves stand apart");
            end_of_leaf = token.span.end;
            next += 1;
        } else {
            prop_assert!(token.leaves > 1);
            prop_assert_eq!(&token.term, &token.surface);
        }
    }
    let covered = Analyser::terms(text).all(|token| token.position + token.leaves <= next);
    prop_assert!(covered, "a whole covers leaves that are there");
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_analysed_and_every_span_lies_in_it(
        text in prop::collection::vec(any::<char>(), 0..60).prop_map(String::from_iter)
    ) {
        check_tokens(&text)?;
    }

    #[test]
    fn namelike_text_is_analysed_whatever_its_joints(
        text in "[aAvÄ19_./:\\\\@>#+ -数ガ가ⱯȺİß\u{301}\u{3099}\u{1161}\u{ff3f}\u{ff0d}]{0,40}"
    ) {
        check_tokens(&text)?;
    }

    #[test]
    fn composed_and_decomposed_text_give_the_same_terms(
        text in "[a-zéÄñçåがパ가각힣数 ./_-]{0,30}"
    ) {
        let decomposed: String = text.nfd().collect();
        prop_assert_eq!(terms(&text), terms(&decomposed));
    }

    #[test]
    fn width_does_not_matter(text in "[a-zA-Z0-9_./ @-]{0,30}") {
        let wide: String = text
            .chars()
            .map(|c| match c {
                ' ' => '\u{3000}',
                _ => char::from_u32(c as u32 + 0xfee0).unwrap(),
            })
            .collect();
        prop_assert_eq!(terms(&wide), terms(&text));
    }

    #[test]
    fn case_does_not_matter_to_plain_words(text in "[a-zäöéßжς ]{0,30}") {
        prop_assert_eq!(terms(&text), terms(&text.to_uppercase()));
    }

    #[test]
    fn a_folded_word_is_its_own_spelling(word in "[a-zäé]{1,20}") {
        let once = spelled(&word);
        prop_assert_eq!(spelled(&once[0]), once);
    }
}
