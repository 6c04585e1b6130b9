//! The same orders in Chinese, Japanese and Korean.
//!
//! Chinese spells an order like a report, so that one has to stand where a clause begins. Japanese
//! and Korean put the verb last, and its ending tells an order.

use super::languages::any;
use super::rules::{Kind, REST, Rule};

/// Where an order may begin in Chinese.
const CHINESE_CLAUSE: &str = "(?:^|[^\\w]|请|請|现在|現在|立即|立刻|务必|務必|必须|必須|你要|你应该|你應該|并且?|並且?|然后|然後|麻烦|麻煩)";
const CHINESE_IGNORE: &[&str] = &[
    "忽略",
    "无视",
    "無視",
    "不要理会",
    "不要理會",
    "忘记",
    "忘記",
    "忘掉",
    "抛弃",
    "拋棄",
    "不要遵守",
    "不要遵循",
    "不再遵守",
    "不再遵循",
];
const CHINESE_EARLIER: &str =
    "(?:之前|以前|以上|上述|先前|前面|此前|上面|上文|早先|原先|你的|您的|你收到的)";
const CHINESE_ORDERS: &[&str] = &[
    "指令",
    "指示",
    "提示词",
    "提示詞",
    "系统提示",
    "系統提示",
    "系统设定",
    "系統設定",
];
const CHINESE_REVEAL: &[&str] = &[
    "输出",
    "輸出",
    "显示",
    "顯示",
    "打印",
    "列印",
    "泄露",
    "洩露",
    "透露",
    "告诉我",
    "告訴我",
    "公开",
    "公開",
];
const CHINESE_PROMPTS: &[&str] = &[
    "系统提示",
    "系統提示",
    "系统指令",
    "系統指令",
    "内部指令",
    "內部指令",
    "系统消息",
    "系統訊息",
];
/// What makes an order the property of something else: a file of instructions is none.
const CHINESE_END: &str = "(?:$|[^的之集文书書行])";
/// A few characters of the same clause.
const CHINESE_GAP: &str = "[^。！？.!?，,；;]{0,8}?";

fn chinese() -> [Rule; 4] {
    let [ignore, orders, reveal, prompts] = [
        CHINESE_IGNORE,
        CHINESE_ORDERS,
        CHINESE_REVEAL,
        CHINESE_PROMPTS,
    ]
    .map(any);
    [
        Rule::new(
            Kind::PriorOverride,
            [CHINESE_IGNORE, CHINESE_ORDERS],
            format!(
                "{CHINESE_CLAUSE}{ignore}(?:掉|了)?(?:所有|全部|一切|任何)?(?:在)?{CHINESE_EARLIER}{CHINESE_GAP}{orders}{CHINESE_END}{REST}"
            ),
        ),
        Rule::new(
            Kind::PriorOverride,
            [CHINESE_IGNORE, CHINESE_ORDERS],
            format!(
                "{CHINESE_CLAUSE}[把将將](?:所有|全部)?{CHINESE_EARLIER}{CHINESE_GAP}{orders}(?:内容)?(?:全部|都|统统|統統|完全|一律)?{ignore}{REST}"
            ),
        ),
        Rule::new(
            Kind::RoleMarker,
            [&["系统", "系統", "开发者", "開發者", "助手"], &[":"]],
            format!(
                "(?:系统|系統|开发者|開發者|助手)\\s*:\\s*(?:请|請)?(?:{ignore}|{reveal}|执行|執行|删除|刪除).*"
            ),
        ),
        Rule::new(
            Kind::Exfiltration,
            [CHINESE_REVEAL, CHINESE_PROMPTS],
            format!(
                "{CHINESE_CLAUSE}{reveal}(?:出)?(?:你|您)(?:的|所有的?|全部的?|完整的?|隐藏的?|隱藏的?|初始){{0,3}}{prompts}{REST}"
            ),
        ),
    ]
}

const JAPANESE_ORDERS: &[&str] = &["指示", "指令", "命令", "プロンプト"];
const JAPANESE_PROMPTS: &[&str] = &["システムプロンプト", "システムメッセージ", "内部指示"];
/// The end of an order: many a verb is none without it.
const JAPANESE_ORDER: &str = r"(?:して(?:ください|下さい|くれ|[、。,.!?\s]|$)|しろ|せよ|しなさい)";

fn japanese() -> [Rule; 3] {
    let orders = any(JAPANESE_ORDERS);
    let prompts = any(JAPANESE_PROMPTS);
    [
        Rule::new(
            Kind::PriorOverride,
            [JAPANESE_ORDERS, &["無視", "忘れ", "破棄"]],
            format!(
                r"(?:これまで|以前|前|上記|上|先ほど|先程|過去|すべて|全て|今まで|従来|ここまで)(?:に与えられた|に受けた|の)(?:すべての|全ての|あらゆる|システム)?{orders}(?:内容|事項)?(?:を|は)?(?:すべて|全て|全部|一切|完全に|いったん)?(?:(?:無視|破棄){JAPANESE_ORDER}|忘れ(?:て(?:ください|下さい|[、。,.!?\s]|$)|ろ|なさい)){REST}"
            ),
        ),
        Rule::new(
            Kind::RoleMarker,
            [&["システム", "開発者", "アシスタント"], &[":"]],
            format!(
                r"(?:システム|開発者|アシスタント)\s*:[^。!?]{{0,40}}?(?:無視|表示|出力|実行|削除){JAPANESE_ORDER}.*"
            ),
        ),
        Rule::new(
            Kind::Exfiltration,
            [
                JAPANESE_PROMPTS,
                &["表示", "出力", "公開", "教えて", "開示"],
            ],
            format!(
                r"{prompts}(?:の内容|全文)?を(?:すべて|全て|そのまま|全部)?(?:(?:表示|出力|公開|開示){JAPANESE_ORDER}|教えて){REST}"
            ),
        ),
    ]
}

const KOREAN_ORDERS: &[&str] = &["지시", "지침", "프롬프트"];
const KOREAN_PROMPTS: &[&str] = &[
    "시스템 프롬프트",
    "시스템프롬프트",
    "시스템 메시지",
    "내부 지침",
];

fn korean() -> [Rule; 3] {
    let orders = any(KOREAN_ORDERS);
    let prompts = any(KOREAN_PROMPTS);
    [
        Rule::new(
            Kind::PriorOverride,
            [KOREAN_ORDERS, &["무시", "잊", "따르지"]],
            format!(
                r"(?:이전|앞선|위|기존|지금까지|모든|앞|상기|앞서)(?:의|에|에서)?\s*(?:받은\s*|주어진\s*|내린\s*)?(?:모든\s*)?(?:시스템\s*)?{orders}(?:\s*사항|문|들)*(?:을|를|은|는)?\s*(?:모두|전부|완전히|다)?\s*(?:무시하(?:고|세요|십시오|라|시오)|무시해|잊(?:고|어|으세요|으십시오)|따르지\s*(?:마|말)){REST}"
            ),
        ),
        Rule::new(
            Kind::RoleMarker,
            [&["시스템", "개발자", "어시스턴트"], &[":"]],
            r"(?:시스템|개발자|어시스턴트)\s*:[^.!?]{0,40}?(?:무시|출력|실행|삭제|공개)(?:하세요|하십시오|하라|해라|해\s*줘|해).*",
        ),
        Rule::new(
            Kind::Exfiltration,
            [KOREAN_PROMPTS, &["출력", "보여", "공개", "알려"]],
            format!(
                r"{prompts}(?:를|을)?\s*(?:모두|전부|그대로)?\s*(?:출력|공개|보여|알려)(?:하세요|하십시오|하라|해\s*줘|해라|\s*주세요|\s*줘){REST}"
            ),
        ),
    ]
}

/// The rules of these languages.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let chinese = chinese().into_iter();
    chinese.chain(japanese()).chain(korean())
}
