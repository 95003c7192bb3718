//! Hostile settings texts by the thousand, the same each time: whatever people, editors
//! and other programs leave in a settings file, and much that nobody would.

use std::fmt::Write;

/// A text, and whether the client would read it at all.
#[derive(Debug)]
pub(crate) struct Text {
    /// The text.
    pub(crate) text: String,
    /// It is no strict JSON object of settings: it must be refused and left alone.
    pub(crate) refused: bool,
}

/// The text of a number.
pub(crate) fn text(number: u64) -> Text {
    let mut dice = Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut writer = Writer::new(&mut dice);
    if writer.dice.one_in(40) {
        return Text { text: writer.blank(), refused: false };
    }
    writer.file();
    let mut text = writer.out;
    let refused = dice.one_in(8) && damage(&mut text, &mut dice);
    Text { text, refused }
}

/// What no JSON reader of the client accepts, put into a text that it did.
fn damage(text: &mut String, dice: &mut Dice) -> bool {
    let end = text.rfind('}').unwrap_or_default();
    let start = text.find('{').unwrap_or_default();
    match dice.below(8) {
        0 => text.insert_str(start + 1, "// a comment\n"),
        1 => text.insert_str(start + 1, " /* another */ "),
        2 => text.insert_str(end, ","),
        3 => text.truncate(end),
        4 => text.push('}'),
        5 => text.insert_str(start + 1, "'a':1,"),
        6 => text.insert_str(start, "NaN"),
        _ => text.insert_str(start + 1, "\"deep\":"),
    }
    true
}

/// An ordinary shift register: the tests need variety, not chance.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        let at = usize::try_from(self.below(all.len() as u64)).unwrap_or_default();
        all.get(at).copied().unwrap_or_default()
    }
}

/// Events the client knows, ones it will, and ones it never does.
const EVENTS: &[&str] = &[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SessionStart",
    "SessionEnd",
    "ConfigChange",
    "UserPromptSubmit",
    "SubagentStart",
    "Stop",
    "Notification",
    "FutureEvent",
    "pretooluse",
    "",
    "한글",
    "Pre\\u0054oolUse",
];

/// Hooks of others; some look like ours, some are no hooks.
const FOREIGN: &[&str] = &[
    r#"{"type":"command","command":"echo mine"}"#,
    r#"{"type":"command","command":"echo {a,} [b,] // no comment","timeout":1e1}"#,
    r#"{ "timeout" : 60.0 , "command" : "my-harness hook claude-code PreToolUse" , "type" : "command" }"#,
    r#"{"type":"command","command":"echo harness hook claude-code PreToolUse"}"#,
    r#"{"type":"command","command":"harness hook claude-code PreToolUse && say done"}"#,
    r#"{"type":"command","command":"harness explain 'rm -rf /'","_owner":{"x":[1,2,{}]}}"#,
    r#"{"type":"command","command":"\"C:\\Program Files\\x.exe\" \u00e9\ud83d\ude00 \/"}"#,
    r#"{"type":"prompt","prompt":"is it \ud83d fine?"}"#,
    r#"{"type":"http","url":"http://127.0.0.1:1/x"}"#,
    r#"{"type":"command","command":"a","args":["b","",""],"async":true}"#,
    r#"{"type":"command","command":"a","type":"command","command":"twice"}"#,
];

/// Hooks and groups of the wrong type; the client drops the file or the entry.
const WRONG: &[&str] = &[
    "null",
    "true",
    "0",
    "\"hook\"",
    "[]",
    "{}",
    r#"{"type":"nope"}"#,
    r#"{"type":"command"}"#,
    r#"{"type":"command","command":5}"#,
    r#"{"type":"command","command":"x","timeout":"5"}"#,
    r#"{"type":"command","command":"x","args":"y"}"#,
];

/// Values of foreign keys.
const VALUES: &[&str] = &[
    "null",
    "true",
    "-0",
    "1e3",
    "1E+400",
    "12345678901234567890123",
    "0.10000000000000000000001",
    "\"\"",
    "\"\\u0000\\ud83d\\\\\\\"\"",
    "\"a\u{2028}b\u{7f}한글🦊\u{feff}\"",
    "\"{ \\\"hooks\\\": [ // } ,]\"",
    "[]",
    "[ ]",
    "{}",
    "{\n}",
    "[1,[2,[3,{\"hooks\":{\"PreToolUse\":[]}}]]]",
    "{\"a\":1,\"a\":2}",
];

/// Keys; `hooks` is written apart.
const KEYS: &[&str] =
    &["x-unknown", "env", "statusLine", "", "Hooks", "ho\\\\oks", "키", "\\ud83d", "$schema"];

struct Writer<'d> {
    dice: &'d mut Dice,
    out: String,
    newline: &'static str,
    unit: &'static str,
    colon: &'static str,
    /// 0: one line, 1: laid out, 2: anything anywhere.
    layout: u64,
    depth: usize,
}

impl<'d> Writer<'d> {
    fn new(dice: &'d mut Dice) -> Self {
        let newline = if dice.one_in(3) { "\r\n" } else { "\n" };
        let unit = dice.of(&["  ", "    ", "\t", " ", "\t  ", ""]);
        let colon = dice.of(&[": ", ":", " : "]);
        let layout = dice.below(3);
        let out = if dice.one_in(6) { "\u{feff}".to_owned() } else { String::new() };
        Self { dice, out, newline, unit, colon, layout, depth: 0 }
    }

    fn blank(&mut self) -> String {
        let space = self.dice.of(&["", "\n", " \r\n\t", "\n\n\n"]);
        format!("{}{space}", self.out)
    }

    fn file(&mut self) {
        let lead = self.dice.of(&["", "", "", "\n", "  ", "\r\n\t"]);
        self.out.push_str(lead);
        let keys = self.dice.below(4);
        let hooks_at = if self.dice.one_in(5) { 99 } else { self.dice.below(keys + 1) };
        let mut items: Vec<Item> = (0..keys).map(|_| Item::Foreign).collect();
        if let Ok(at) = usize::try_from(hooks_at)
            && at <= items.len()
        {
            items.insert(at, Item::Hooks);
        }
        self.list('{', '}', items.len(), |w, n| match items.get(n) {
            Some(Item::Hooks) => {
                w.key("hooks");
                w.hooks();
            }
            _ => w.foreign(),
        });
        let trail = self.dice.of(&["", "\n", "\r\n", "\n\n", "  ", " \t"]);
        self.out.push_str(trail);
    }

    fn foreign(&mut self) {
        let key = self.dice.of(KEYS);
        self.key(key);
        match self.dice.below(60) {
            0 => {
                let deep = usize::try_from(self.dice.below(200)).unwrap_or_default();
                let _ = write!(self.out, "{}{}", "[".repeat(deep), "]".repeat(deep));
            }
            1 => {
                let long = usize::try_from(self.dice.below(20_000)).unwrap_or_default();
                let _ = write!(self.out, "\"{}\"", "long, {line} ".repeat(long / 12));
            }
            _ => {
                let value = self.dice.of(VALUES);
                self.out.push_str(value);
            }
        }
    }

    fn hooks(&mut self) {
        let events = self.dice.below(4);
        let first = self.dice.next();
        self.list('{', '}', usize::try_from(events).unwrap_or_default(), |w, n| {
            // Neighbours in the table, so that none is there twice.
            let at = (usize::try_from(first % 97).unwrap_or_default() + n) % EVENTS.len();
            w.key(EVENTS.get(at).copied().unwrap_or_default());
            w.groups();
        });
    }

    fn groups(&mut self) {
        let groups = usize::try_from(self.dice.below(3)).unwrap_or_default();
        self.list('[', ']', groups, |w, _| {
            if w.dice.one_in(30) {
                let wrong = w.dice.of(WRONG);
                w.out.push_str(wrong);
            } else {
                w.group();
            }
        });
    }

    fn group(&mut self) {
        let matcher =
            self.dice.of(&["", "\"*\"", "\"Bash\"", "\"\"", "\"Edit|Write\"", "\"mcp__.*\""]);
        let first = usize::from(!matcher.is_empty());
        let swapped = self.dice.one_in(4);
        self.list('{', '}', 1 + first, |w, n| {
            if first == 1 && (n == 0) != swapped {
                w.key("matcher");
                w.out.push_str(matcher);
            } else {
                w.key("hooks");
                w.entries();
            }
        });
    }

    fn entries(&mut self) {
        let hooks = usize::try_from(self.dice.below(4)).unwrap_or_default();
        self.list('[', ']', hooks, |w, _| {
            let hook = if w.dice.one_in(25) { w.dice.of(WRONG) } else { w.dice.of(FOREIGN) };
            w.out.push_str(hook);
        });
    }

    fn key(&mut self, key: &str) {
        let _ = write!(self.out, "\"{key}\"{}", self.colon);
    }

    fn list(
        &mut self,
        open: char,
        close: char,
        count: usize,
        mut item: impl FnMut(&mut Self, usize),
    ) {
        self.out.push(open);
        self.depth += 1;
        for n in 0..count {
            if n > 0 {
                if self.layout == 2 && self.dice.one_in(3) {
                    self.out.push(' ');
                }
                self.out.push(',');
            }
            self.gap();
            item(self, n);
        }
        self.depth -= 1;
        if count > 0 || self.dice.one_in(4) {
            self.gap();
        }
        self.out.push(close);
    }

    fn gap(&mut self) {
        match self.layout {
            0 => {}
            1 => {
                self.out.push_str(self.newline);
                self.out.push_str(&self.unit.repeat(self.depth));
            }
            _ => {
                let gap = self.dice.of(&["", " ", "\n", "\r\n", "\t", "\n\n   "]);
                self.out.push_str(gap);
            }
        }
    }
}

enum Item {
    Foreign,
    Hooks,
}
