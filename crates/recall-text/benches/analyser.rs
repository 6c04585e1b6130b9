//! How fast text comes apart, in bytes a second. The texts are made from fixed words and a fixed
//! seed: prose, source code, Chinese.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use recall_text::Analyser;

/// Long enough that its start does not matter.
const SIZE: usize = 256 * 1024;

const PROSE: &[&str] = &[
    "the",
    "migration",
    "failed",
    "because",
    "a",
    "connection",
    "was",
    "held",
    "by",
    "another",
    "writer",
    "while",
    "retries",
    "of",
    "its",
    "transaction",
    "were",
    "running.",
    "We",
    "raised",
    "timeout",
    "to",
    "5000",
    "and",
    "index",
    "builds",
    "no",
    "longer",
    "deadlock,",
    "which",
    "is",
    "what",
    "users",
    "reported",
    "(again)",
    "after",
    "upgrading",
    "their",
    "clusters;",
    "see",
    "changelog",
    "for",
    "details",
    "about",
    "caching",
    "in",
    "parsers",
    "on",
    "Windows.",
    "This",
];

const CODE: &[&str] = &[
    "let",
    "busy_timeout",
    "=",
    "Duration::from_millis(5_000);",
    "if",
    "pool.acquire().await?",
    "{",
    "return",
    "Err(PoolError::Closed);",
    "}",
    "fn",
    "renderHTTPResponse(req:",
    "&Request)",
    "->",
    "Result<(),",
    "Box<dyn",
    "Error>>",
    "//",
    "see",
    "internal/store/pool.go:12",
    "use",
    "std::sync::Arc;",
    "match",
    "self.next",
    "None",
    "=>",
    "error[E0597]:",
    "serde@1.0.229",
    "--max-old-space-size=4096",
    "\n    ",
    "impl",
    "for",
    "getUserById",
    "mod",
    "tests;",
];

const CHINESE: &[&str] = &[
    "两个事务",
    "以相反的顺序",
    "锁住",
    "同一批商品行，",
    "于是",
    "出现死锁。",
    "扣减前",
    "先按",
    " sku_id ",
    "升序排序，",
    "資料庫",
    "連線",
    "逾時，",
    "再逐行",
    " UPDATE，",
    "压测两小时",
    "未再出现。",
    "容器",
    "启动失败",
    "的原因",
    "是",
    "配置文件",
    "缺少",
    "权限",
];

/// Words in an order that a generator of 32 bits gives.
fn text(words: &[&str], between: &str) -> String {
    let mut text = String::with_capacity(SIZE);
    let mut state: u32 = 0x1234_5678;
    while text.len() < SIZE {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        text.push_str(words[state as usize % words.len()]);
        text.push_str(between);
    }
    text
}

fn measure(bencher: Bencher<'_, '_>, text: &str) {
    bencher
        .counter(BytesCount::of_str(text))
        .bench(|| Analyser::terms(black_box(text)).count());
}

#[divan::bench]
fn prose(bencher: Bencher<'_, '_>) {
    measure(bencher, &text(PROSE, " "));
}

#[divan::bench]
fn code(bencher: Bencher<'_, '_>) {
    measure(bencher, &text(CODE, " "));
}

#[divan::bench]
fn chinese(bencher: Bencher<'_, '_>) {
    measure(bencher, &text(CHINESE, ""));
}

fn main() {
    divan::main();
}
