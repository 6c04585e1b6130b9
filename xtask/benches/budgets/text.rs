//! Invented text that has the shape of what people and agents write: a few words everywhere, most
//! words hardly anywhere, names out of code in between. The same seed writes the same text.

/// Numbers that look random: splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, 2014).
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        // The high bits of the product; the bias is far below anything measured here.
        usize::try_from((u128::from(self.next()) * end as u128) >> 64).unwrap()
    }

    pub(crate) fn between(&mut self, start: usize, end: usize) -> usize {
        start + self.below(end - start)
    }

    /// Whether something happens that happens so many times of a hundred.
    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    fn word<'t>(&mut self, all: &'t [impl AsRef<str>]) -> &'t str {
        self.of(all).as_ref()
    }
}

/// Places that are the rarer the later: the n-th is chosen about 1/n times as often as the first
/// (Zipf).
#[derive(Debug)]
struct Falling {
    ends: Vec<u64>,
}

impl Falling {
    fn new(length: usize) -> Self {
        let mut end = 0;
        let ends = (1..=length as u64).map(|rank| {
            end += (1 << 32) / rank;
            end
        });
        Self {
            ends: ends.collect(),
        }
    }

    fn choose(&self, chance: &mut Chance) -> usize {
        let all = usize::try_from(*self.ends.last().unwrap()).unwrap();
        let at = chance.below(all) as u64;
        self.ends.partition_point(|end| *end <= at)
    }
}

/// Something of each kind, the frequent ones first.
#[derive(Debug)]
struct Choice {
    all: Vec<String>,
    falling: Falling,
}

impl Choice {
    fn new(all: Vec<String>) -> Self {
        let falling = Falling::new(all.len());
        Self { all, falling }
    }

    fn of(&self, chance: &mut Chance) -> &str {
        &self.all[self.falling.choose(chance)]
    }
}

/// What texts are made of.
#[derive(Debug)]
pub(crate) struct Lexicon {
    words: Choice,
    names: Choice,
    paths: Choice,
    codes: Choice,
}

/// What a session is about: words that it says more often than others do.
pub(crate) type Topic = Vec<String>;

const WORDS: usize = 6_000;
const NAMES: usize = 4_000;
const PATHS: usize = 3_000;
const CODES: usize = 400;

impl Lexicon {
    pub(crate) fn new() -> Self {
        let mut chance = Chance::new(0x1ec5);
        let mut words: Vec<String> = TECHNICAL.iter().map(|word| (*word).to_owned()).collect();
        while words.len() < WORDS {
            let word = made_word(&mut chance);
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let names = (0..NAMES).map(|_| name(&mut chance)).collect();
        let paths = (0..PATHS).map(|_| path(&mut chance)).collect();
        let codes = (0..CODES).map(|_| code(&mut chance)).collect();
        Self {
            words: Choice::new(words),
            names: Choice::new(names),
            paths: Choice::new(paths),
            codes: Choice::new(codes),
        }
    }

    pub(crate) fn word(&self, chance: &mut Chance) -> &str {
        self.words.of(chance)
    }

    /// One of the words that stand nearly everywhere.
    pub(crate) fn common_word(&self, chance: &mut Chance) -> &str {
        chance.word(&self.words.all[..6])
    }

    /// One of the words that hardly anything holds.
    pub(crate) fn rare_word(&self, chance: &mut Chance) -> &str {
        chance.word(&self.words.all[WORDS / 2..])
    }

    pub(crate) fn name(&self, chance: &mut Chance) -> &str {
        self.names.of(chance)
    }

    pub(crate) fn path(&self, chance: &mut Chance) -> &str {
        self.paths.of(chance)
    }

    /// A line as a compiler or a server prints it.
    pub(crate) fn error_line(&self, chance: &mut Chance) -> String {
        let (code, name) = (self.codes.of(chance), self.name(chance));
        let (one, other) = (self.word(chance), self.word(chance));
        let path = self.path(chance);
        let line = chance.between(1, 900);
        format!("error[{code}]: cannot {one} {other} `{name}` at {path}:{line}")
    }

    pub(crate) fn topic(&self, chance: &mut Chance) -> Topic {
        let mut topic = Topic::with_capacity(30);
        for _ in 0..25 {
            topic.push(chance.word(&self.words.all).to_owned());
        }
        for _ in 0..5 {
            topic.push(self.name(chance).to_owned());
        }
        topic
    }

    /// So many words, in sentences.
    pub(crate) fn prose(&self, topic: &Topic, words: usize, chance: &mut Chance) -> String {
        let mut text = String::with_capacity(words * 7);
        let mut left = 0;
        for _ in 0..words {
            if left == 0 {
                if !text.is_empty() {
                    text.push('.');
                }
                left = chance.between(6, 18);
            }
            left -= 1;
            if !text.is_empty() {
                text.push(' ');
            }
            match chance.below(1_000) {
                0..420 => text.push_str(chance.word(SMALL)),
                420..600 => text.push_str(chance.word(topic)),
                600..940 => text.push_str(self.word(chance)),
                940..965 => text.push_str(self.name(chance)),
                965..975 => text.push_str(self.path(chance)),
                975..983 => text.push_str(&self.error_line(chance)),
                983..990 => text.push_str(&version(chance)),
                990..995 => text.push_str(&commit(chance)),
                _ => text.push_str(&chance.below(20_000).to_string()),
            }
        }
        text.push('.');
        text
    }
}

/// So many words of a language that is written with other letters.
pub(crate) fn eastern(words: usize, chance: &mut Chance) -> String {
    let (all, between) = *chance.of(&[(CHINESE, ""), (CHINESE, ""), (JAPANESE, ""), (KOREAN, " ")]);
    let mut text = String::new();
    for _ in 0..words {
        text.push_str(chance.word(all));
        text.push_str(between);
    }
    text
}

/// So many words of Chinese.
pub(crate) fn chinese(words: usize, chance: &mut Chance) -> String {
    (0..words).map(|_| *chance.of(CHINESE)).collect()
}

fn made_word(chance: &mut Chance) -> String {
    let mut word = String::new();
    for _ in 0..chance.between(2, 5) {
        word.push_str(chance.word(ONSETS));
        word.push_str(chance.word(VOWELS));
    }
    word.push_str(chance.word(ENDINGS));
    word
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

fn name(chance: &mut Chance) -> String {
    let parts: Vec<&str> = (0..chance.between(2, 4))
        .map(|_| *chance.of(TECHNICAL))
        .collect();
    match chance.below(4) {
        0 => parts.concat_capitals(true),
        1 => parts.concat_capitals(false),
        _ => parts.join("_"),
    }
}

trait Capitals {
    fn concat_capitals(&self, first: bool) -> String;
}

impl Capitals for [&str] {
    fn concat_capitals(&self, first: bool) -> String {
        let rest = self[1..].iter().map(|part| capital(part));
        let start = if first {
            capital(self[0])
        } else {
            self[0].to_owned()
        };
        std::iter::once(start).chain(rest).collect()
    }
}

fn path(chance: &mut Chance) -> String {
    let folders: Vec<&str> = (0..chance.between(1, 4))
        .map(|_| *chance.of(TECHNICAL))
        .collect();
    let file = [*chance.of(TECHNICAL), *chance.of(TECHNICAL)].join("_");
    format!(
        "{}/{}/{file}.{}",
        chance.of(&["src", "internal", "crates", "web", "cmd"]),
        folders.join("/"),
        chance.of(&["rs", "go", "ts", "py", "sql", "toml"])
    )
}

fn code(chance: &mut Chance) -> String {
    let letters = chance.of(&["E", "TS", "ORA", "PG"]);
    format!("{letters}{:04}", chance.below(10_000))
}

fn version(chance: &mut Chance) -> String {
    let (major, minor, patch) = (chance.below(4), chance.below(40), chance.below(12));
    format!("{major}.{minor}.{patch}")
}

const ONSETS: &[&str] = &[
    "b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pl",
    "qu", "r", "s", "sh", "st", "t", "tr", "v", "w", "z",
];
const VOWELS: &[&str] = &["a", "e", "i", "o", "u", "ai", "ea", "io", "ou"];
const ENDINGS: &[&str] = &[
    "", "", "n", "r", "s", "t", "l", "ing", "ed", "er", "tion", "ness",
];

/// Every third word or so.
const SMALL: &[&str] = &[
    "the", "a", "to", "of", "and", "is", "in", "it", "that", "for", "on", "with", "was", "this",
    "as", "be", "by", "not", "are", "from", "at", "or", "an", "we", "if", "when", "but", "so",
    "then", "after", "before", "which", "had", "has", "all", "only", "more", "can", "will", "do",
    "use", "used", "because", "still", "now", "there", "one", "its", "were", "also",
];

/// What nearly everything is about, the most frequent first.
const TECHNICAL: &[&str] = &[
    "test",
    "file",
    "error",
    "build",
    "query",
    "index",
    "cache",
    "server",
    "config",
    "client",
    "request",
    "table",
    "schema",
    "user",
    "token",
    "thread",
    "lock",
    "retry",
    "timeout",
    "worker",
    "queue",
    "batch",
    "parser",
    "session",
    "migration",
    "column",
    "connection",
    "pool",
    "writer",
    "reader",
    "branch",
    "commit",
    "merge",
    "deploy",
    "cluster",
    "replica",
    "shard",
    "stream",
    "buffer",
    "socket",
    "handler",
    "router",
    "middleware",
    "payload",
    "header",
    "cookie",
    "certificate",
    "secret",
    "policy",
    "role",
    "tenant",
    "invoice",
    "ledger",
    "account",
    "order",
    "cart",
    "stock",
    "price",
    "discount",
    "checkout",
    "webhook",
    "event",
    "consumer",
    "producer",
    "partition",
    "offset",
    "snapshot",
    "backup",
    "restore",
    "trigger",
    "constraint",
    "transaction",
    "deadlock",
    "rollback",
    "checkpoint",
    "vacuum",
    "planner",
    "cursor",
    "iterator",
    "closure",
    "lifetime",
    "borrow",
    "trait",
    "enum",
    "struct",
    "macro",
    "linker",
    "compiler",
    "runtime",
    "allocator",
    "heap",
    "stack",
    "profiler",
    "benchmark",
    "histogram",
    "metric",
    "trace",
    "span",
    "logger",
    "alert",
    "dashboard",
    "container",
    "image",
    "registry",
    "volume",
    "network",
    "gateway",
    "proxy",
    "balancer",
    "domain",
    "resolver",
    "packet",
    "latency",
    "throughput",
    "scheduler",
    "cron",
    "daemon",
    "signal",
    "process",
    "kernel",
    "driver",
    "device",
    "terminal",
    "shell",
    "script",
    "pipeline",
    "artifact",
    "release",
    "version",
    "dependency",
    "package",
    "module",
    "import",
    "export",
    "lint",
    "format",
    "fixture",
    "mock",
    "assertion",
    "coverage",
    "fuzzer",
    "encoder",
    "decoder",
    "digest",
    "signature",
    "cipher",
    "nonce",
    "salt",
    "render",
    "layout",
    "component",
    "widget",
    "viewport",
    "canvas",
    "shader",
    "texture",
    "locale",
    "plural",
];

const CHINESE: &[&str] = &[
    "数据库",
    "连接池",
    "超时",
    "事务",
    "死锁",
    "索引",
    "缓存",
    "迁移",
    "失败",
    "重试",
    "配置文件",
    "权限",
    "容器",
    "启动",
    "部署",
    "回滚",
    "分支",
    "合并",
    "测试",
    "日志",
    "线程",
    "队列",
    "消息",
    "订单",
    "库存",
    "支付",
    "用户",
    "接口",
    "请求",
    "响应",
    "证书",
    "令牌",
    "升级",
    "版本",
    "的原因",
    "是",
    "因为",
    "需要",
    "先",
    "再",
    "没有",
    "已经",
    "应该",
    "可以",
    "，",
    "。",
    "在",
    "之前",
    "之后",
    "时",
    "会",
    "不",
    "与",
    "按",
    "检查",
    "修复",
    "发现",
    "内存",
    "泄漏",
    "磁盘",
];

const JAPANESE: &[&str] = &[
    "データベース",
    "接続",
    "タイムアウト",
    "の",
    "を",
    "が",
    "に",
    "で",
    "は",
    "設定",
    "ファイル",
    "テスト",
    "失敗",
    "再試行",
    "する",
    "した",
    "ため",
    "ログ",
    "キャッシュ",
    "移行",
    "権限",
    "確認",
    "修正",
    "バージョン",
    "サーバー",
    "起動",
    "、",
    "。",
    "と",
    "から",
    "ブランチ",
    "マージ",
];

const KOREAN: &[&str] = &[
    "데이터베이스",
    "연결",
    "시간이",
    "초과되어",
    "설정",
    "파일을",
    "확인하고",
    "다시",
    "시도한다",
    "테스트가",
    "실패한",
    "원인은",
    "권한",
    "캐시를",
    "비우고",
    "배포",
    "버전",
    "서버",
    "로그에",
    "오류가",
    "있다",
    "이전",
    "트랜잭션",
    "잠금",
    "브랜치를",
    "병합한",
    "뒤",
];

/// The short name of a commit.
fn commit(chance: &mut Chance) -> String {
    format!("{:07x}", chance.below(1 << 28))
}
