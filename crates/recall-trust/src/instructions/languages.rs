//! The same orders in German, French, Spanish, Portuguese, Italian and Russian.
//!
//! Only commands count, not reports of them: many languages spell both alike (*ignora* orders and
//! tells), so an order has to stand where a sentence or a clause begins.

use super::rules::{Kind, REST, Rule};

/// A word, and the blank behind it.
const WORD: &str = r"[^\s.!?,;:]+\s+";

/// A language that puts blanks between words and the verb of an order before its object.
struct Language {
    /// Words that an order may follow without a comma: "please", "now", "and".
    leads: &'static [&'static str],
    /// Who speaks with authority.
    roles: &'static [&'static str],
    /// "Ignore!", "forget!"
    ignore: &'static [&'static str],
    /// What marks the orders as those that the reader works by.
    earlier: &'static [&'static str],
    /// "Instructions".
    orders: &'static [&'static str],
    /// "Reveal!", "print!"
    reveal: &'static [&'static str],
    /// "System prompt".
    prompts: &'static [&'static str],
    /// What may follow the listed words of `earlier`, `orders` and `prompts` within a word.
    endings: &'static str,
}

const WHOLE_WORD: &str = r"\b";
const ANY_ENDING: &str = r"[^\s.!?,;:]*";

const GERMAN: Language = Language {
    leads: &["bitte", "und", "jetzt", "nun", "dann", "sofort"],
    roles: &["system", "entwickler", "assistent"],
    ignore: &[
        "ignoriere",
        "ignorier",
        "ignorieren sie",
        "ignoriert bitte",
        "vergiss",
        "vergessen sie",
        "missachte",
        "missachten sie",
        "übergehe",
        "verwirf",
        "befolge nicht",
        "beachte nicht",
    ],
    earlier: &[
        "vorherige",
        "vorherigen",
        "bisherige",
        "bisherigen",
        "vorige",
        "vorigen",
        "obige",
        "obigen",
        "frühere",
        "früheren",
        "vorangegangenen",
        "vorausgehenden",
        "deine",
    ],
    orders: &[
        "anweisungen",
        "instruktionen",
        "anordnungen",
        "systemanweisungen",
        "direktiven",
    ],
    reveal: &[
        "zeige",
        "zeig",
        "verrate",
        "gib",
        "nenne",
        "drucke",
        "offenbare",
        "zeigen sie",
    ],
    prompts: &[
        "systemprompt",
        "system-prompt",
        "systemanweisungen",
        "systemnachricht",
    ],
    endings: WHOLE_WORD,
};

const FRENCH: Language = Language {
    leads: &["et", "puis", "ensuite", "maintenant", "veuillez", "alors"],
    roles: &["système", "développeur", "assistant", "system"],
    ignore: &[
        "ignore",
        "ignorez",
        "ignorer",
        "oublie",
        "oubliez",
        "oublier",
        "néglige",
        "négligez",
        "ne tiens pas compte",
        "ne tenez pas compte",
        "ne suis plus",
        "ne suivez plus",
    ],
    earlier: &[
        "précédentes",
        "précédents",
        "antérieures",
        "antérieurs",
        "ci-dessus",
        "préalables",
        "initiales",
        "tes",
        "reçues",
    ],
    orders: &["instructions", "consignes", "directives"],
    reveal: &[
        "révèle",
        "révélez",
        "affiche",
        "affichez",
        "montre",
        "montrez",
        "donne",
        "donnez",
    ],
    prompts: &[
        "prompt système",
        "invite système",
        "instructions système",
        "message système",
        "instructions internes",
    ],
    endings: WHOLE_WORD,
};

const SPANISH: Language = Language {
    leads: &["y", "ahora", "luego", "por favor", "entonces"],
    roles: &["sistema", "desarrollador", "asistente", "system"],
    ignore: &[
        "ignora",
        "ignore",
        "ignoren",
        "ignorad",
        "olvida",
        "olvide",
        "olviden",
        "descarta",
        "desobedece",
        "haz caso omiso",
        "haga caso omiso",
        "no sigas",
        "no hagas caso",
    ],
    earlier: &[
        "anteriores",
        "previas",
        "precedentes",
        "de arriba",
        "iniciales",
        "tus",
        "recibidas",
    ],
    orders: &["instrucciones", "directrices", "indicaciones"],
    reveal: &[
        "revela", "revele", "muestra", "muestre", "imprime", "imprima", "dime",
    ],
    prompts: &[
        "prompt del sistema",
        "prompt de sistema",
        "instrucciones del sistema",
        "mensaje del sistema",
        "instrucciones internas",
    ],
    endings: WHOLE_WORD,
};

const PORTUGUESE: Language = Language {
    leads: &["e", "agora", "depois", "por favor", "então"],
    roles: &["sistema", "desenvolvedor", "assistente", "system"],
    ignore: &[
        "ignore",
        "ignora",
        "ignorem",
        "esqueça",
        "esquece",
        "esqueçam",
        "desconsidere",
        "desconsidera",
        "descarte",
        "não siga",
        "não obedeça",
    ],
    earlier: &[
        "anteriores",
        "prévias",
        "precedentes",
        "acima",
        "iniciais",
        "tuas",
        "suas",
    ],
    orders: &["instruções", "diretrizes", "orientações"],
    reveal: &[
        "revele", "revela", "mostre", "mostra", "imprima", "imprime", "exiba", "diga",
    ],
    prompts: &[
        "prompt do sistema",
        "prompt de sistema",
        "instruções do sistema",
        "mensagem do sistema",
        "instruções internas",
    ],
    endings: WHOLE_WORD,
};

const ITALIAN: Language = Language {
    leads: &["e", "ora", "adesso", "poi", "per favore", "quindi"],
    roles: &["sistema", "sviluppatore", "assistente", "system"],
    ignore: &[
        "ignora",
        "ignorate",
        "ignori",
        "dimentica",
        "dimenticate",
        "dimentichi",
        "trascura",
        "non seguire",
        "non tenere conto",
        "scarta",
    ],
    earlier: &[
        "precedenti",
        "anteriori",
        "di cui sopra",
        "qui sopra",
        "iniziali",
        "tue",
        "ricevute",
    ],
    orders: &["istruzioni", "direttive", "indicazioni"],
    reveal: &[
        "rivela", "riveli", "mostra", "mostri", "stampa", "stampi", "dimmi",
    ],
    prompts: &[
        "prompt di sistema",
        "prompt del sistema",
        "istruzioni di sistema",
        "istruzioni del sistema",
        "messaggio di sistema",
        "istruzioni interne",
    ],
    endings: WHOLE_WORD,
};

const RUSSIAN: Language = Language {
    leads: &[
        "и",
        "а",
        "теперь",
        "затем",
        "пожалуйста",
        "сейчас",
        "просто",
    ],
    roles: &["система", "разработчик", "ассистент", "system"],
    ignore: &[
        "игнорируй",
        "игнорируйте",
        "проигнорируй",
        "проигнорируйте",
        "забудь",
        "забудьте",
        "отбрось",
        "отбросьте",
        "не следуй",
        "не следуйте",
        "не выполняй",
        "не обращай внимания",
    ],
    earlier: &[
        "предыдущ",
        "прежн",
        "вышеуказанн",
        "вышеизложенн",
        "предшествующ",
        "ранее",
        "сво",
    ],
    orders: &["инструкц", "указани", "директив", "предписани"],
    reveal: &[
        "раскрой",
        "раскройте",
        "покажи",
        "покажите",
        "выведи",
        "выведите",
        "напечатай",
        "выдай",
    ],
    prompts: &[
        "системный промпт",
        "системного промпта",
        "системные инструкци",
        "системную подсказк",
        "системное сообщени",
    ],
    endings: ANY_ENDING,
};

const WITH_BLANKS: [&Language; 6] = [&GERMAN, &FRENCH, &SPANISH, &PORTUGUESE, &ITALIAN, &RUSSIAN];

impl Language {
    fn rules(&'static self) -> [Rule; 3] {
        let leads = any(self.leads);
        let clause = format!(r#"(?:^|[.!?¡:;,\[\](){{}}<>«»“”„"'*|—–-]|(?:^|\s){leads}\s)\s*"#);
        let [roles, ignore, reveal] = [self.roles, self.ignore, self.reveal].map(any);
        let [earlier, orders, prompts] = [self.earlier, self.orders, self.prompts]
            .map(|words| format!("{}{}", any(words), self.endings));
        [
            Rule::new(
                Kind::PriorOverride,
                [self.ignore, self.orders],
                format!(
                    r"{clause}{ignore}\s+(?:{WORD}){{0,4}}?(?:{earlier}\s+(?:{WORD}){{0,2}}?{orders}|{orders}\s+(?:{WORD}){{0,2}}?{earlier}){REST}"
                ),
            ),
            Rule::new(
                Kind::RoleMarker,
                [self.roles, &[":"]],
                format!(r"{clause}{roles}\s*:\s*(?:{ignore}|{reveal})[\s,].*"),
            ),
            Rule::new(
                Kind::Exfiltration,
                [self.reveal, self.prompts],
                format!(r"{clause}{reveal}\s+(?:{WORD}){{0,4}}?{prompts}{REST}"),
            ),
        ]
    }
}

/// One of these, as a pattern.
pub(super) fn any(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| regex::escape(word)).collect();
    format!("(?:{})", words.join("|"))
}

/// The rules of these languages.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    WITH_BLANKS.into_iter().flat_map(Language::rules)
}
