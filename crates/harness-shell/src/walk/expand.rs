//! Words: what they become, as far as the line says.

use alloc::string::String;
use alloc::vec::Vec;

use super::braces::{Glyph, braces};
use super::env::Value;
use crate::posix::ast::{List, NodeKind, Part, RawWord};
use crate::reader::Reader;
use crate::script::Word;

/// Longer words with braces in them are not read.
const LONG: usize = 64 << 10;

/// The words that one is becoming.
struct Fields<'a> {
    out: &'a mut Vec<Word>,
    word: Word,
    open: bool,
    /// Whether unquoted blanks separate words here.
    split: bool,
}

impl Fields<'_> {
    fn text(&mut self, text: &str) {
        self.word.text.push_str(text);
        self.open = true;
    }

    fn close(&mut self) {
        if core::mem::take(&mut self.open) {
            self.out.push(core::mem::replace(&mut self.word, Word::literal("")));
        }
    }

    fn unknown(&mut self, raw: &str) {
        self.text(raw);
        self.word.literal = false;
    }

    /// The value of an expansion.
    fn value(&mut self, text: &str, glob: bool, quoted: bool) {
        self.word.glob |= glob;
        if quoted || !self.split {
            return self.text(text);
        }
        self.word.glob |= has_pattern(text);
        if text.starts_with(char::is_whitespace) {
            self.close();
        }
        for (index, piece) in text.split_whitespace().enumerate() {
            if index > 0 {
                self.close();
                self.word.glob = glob || has_pattern(text);
            }
            self.text(piece);
        }
        if text.ends_with(char::is_whitespace) {
            self.close();
        }
    }

    /// A word that is already expanded stands here.
    fn word(&mut self, word: &Word, quoted: bool) {
        let literal = word.literal;
        if literal {
            self.value(&word.text, word.glob, quoted);
        } else {
            self.unknown(&word.text);
            self.word.glob |= word.glob;
        }
    }
}

fn has_pattern(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'*' | b'?' | b'['))
}

impl Reader {
    /// All words that `raw` becomes.
    pub(crate) fn expand(&mut self, raw: &RawWord) -> Vec<Word> {
        let mut out = Vec::new();
        self.expand_into(raw, &mut out);
        out
    }

    /// The one word that `raw` becomes where words are not split.
    pub(crate) fn expand_whole(&mut self, raw: &RawWord) -> Word {
        let mut out = Vec::new();
        self.fields(raw, &mut out, false);
        out.into_iter().next().unwrap_or_else(|| Word::literal(""))
    }

    pub(crate) fn expand_into(&mut self, raw: &RawWord, out: &mut Vec<Word>) {
        if raw.brace {
            return self.with_braces(raw, out);
        }
        if let Some(text) = raw.bare() {
            return out.push(bare(text));
        }
        self.fields(raw, out, true);
    }

    fn fields(&mut self, raw: &RawWord, out: &mut Vec<Word>, split: bool) {
        let mut fields = Fields { out, word: Word::literal(""), open: false, split };
        for (index, part) in raw.parts.iter().enumerate() {
            match part {
                Part::Text { text, quoted } => {
                    if !quoted {
                        fields.word.glob |= has_pattern(text);
                        fields.word.literal &= index > 0 || !text.starts_with('~');
                    }
                    fields.text(text);
                }
                _ => self.part(part, raw.at, &mut fields),
            }
        }
        fields.close();
    }

    fn part(&mut self, part: &Part, at: usize, fields: &mut Fields<'_>) {
        match part {
            Part::Text { .. } => {}
            Part::Variable { name, quoted, raw, operation } => {
                self.variable(name, *quoted, raw, operation.as_deref(), at, fields);
            }
            Part::Substitution { list, quoted, raw } => match self.substitution(list) {
                Some(text) if self.pay(text.len(), at) => {
                    fields.value(text.trim_end_matches('\n'), false, *quoted);
                }
                _ => fields.unknown(raw),
            },
            Part::Process { list, raw, reads } => {
                self.process(list, *reads);
                fields.unknown(raw);
            }
            Part::Unknown { raw, inner } => {
                let mut rest = Vec::new();
                let mut inside =
                    Fields { out: &mut rest, word: Word::default(), open: false, split: false };
                for part in inner {
                    self.part(part, at, &mut inside);
                }
                fields.unknown(raw);
            }
        }
    }

    fn variable(
        &mut self,
        name: &str,
        quoted: bool,
        raw: &str,
        operation: Option<&RawWord>,
        at: usize,
        fields: &mut Fields<'_>,
    ) {
        let all = match operation.map(|operation| (operation, self.expand_whole(operation))) {
            None => matches!(name, "@" | "*"),
            Some((_, rest)) if rest.literal && matches!(rest.text.as_str(), "[@]" | "[*]") => true,
            Some((_, rest)) if is_default(&rest.text) && self.holds_text(name) => false,
            Some((_, rest)) => {
                let size = match self.env.get(name) {
                    Some(Value::Known { text, .. }) => text.len(),
                    _ => 0,
                };
                // A long value costs what it is long, whatever comes out.
                if !self.pay(size, at) {
                    return fields.unknown(raw);
                }
                return match super::operations::result(self.env.get(name), &rest) {
                    Some(text) if self.pay(text.len(), at) => fields.value(&text, false, quoted),
                    _ => fields.unknown(raw),
                };
            }
        };
        let odd_blanks = !quoted && fields.split && self.env.get("IFS").is_some();
        let size = match self.env.get(name) {
            Some(Value::Known { text, .. }) => text.len(),
            Some(Value::Many(words)) => words.iter().map(|word| word.text.len()).sum(),
            _ => 0,
        };
        if !self.pay(size, at) {
            return fields.unknown(raw);
        }
        match self.env.get(name) {
            Some(Value::Known { text, glob }) => {
                fields.value(text, *glob, quoted || odd_blanks);
                fields.word.literal &= !odd_blanks;
            }
            Some(Value::Many(words)) if all => {
                for (index, word) in words.iter().enumerate() {
                    if index > 0 {
                        if fields.split { fields.close() } else { fields.text(" ") }
                    }
                    fields.word(word, quoted);
                }
            }
            Some(Value::Many(words)) => match words.first() {
                Some(word) => fields.word(word, quoted),
                None => fields.text(""),
            },
            Some(Value::Unknown) => fields.unknown(raw),
            None => self.outside(name, raw, quoted, fields),
        }
    }

    /// A variable that the line did not set.
    fn outside(&self, name: &str, raw: &str, quoted: bool, fields: &mut Fields<'_>) {
        // A shell starts with its separators, whatever the environment says.
        if name == "IFS" {
            return fields.value(" \t\n", false, quoted);
        }
        if name == "PWD"
            && let Some(folder) = self.env.folder()
        {
            return fields.word(folder, true);
        }
        fields.unknown(raw);
    }

    fn holds_text(&self, name: &str) -> bool {
        match self.env.get(name) {
            Some(Value::Known { text, .. }) => !text.is_empty(),
            Some(Value::Many(words)) => words.first().is_some_and(|word| !word.text.is_empty()),
            _ => false,
        }
    }

    /// Reads the commands of a substitution; their output, if the line says what it is.
    fn substitution(&mut self, list: &List) -> Option<String> {
        let before = self.script.commands.len();
        self.subshell(list);
        let [item] = list.items.as_slice() else { return None };
        let [node] = item.nodes.as_slice() else { return None };
        let one = self.script.commands.len() == before + 1;
        let simple = matches!(node.kind, NodeKind::Simple(_));
        if one && simple { self.output(before) } else { None }
    }

    fn process(&mut self, list: &List, reads: bool) {
        let outer = self.stdin.clone();
        if !reads {
            self.stdin = crate::reader::Stdin::Pipe { from: None, exact: false };
        }
        self.subshell(list);
        self.stdin = outer;
    }

    fn with_braces(&mut self, raw: &RawWord, out: &mut Vec<Word>) {
        let size: usize = raw.parts.iter().map(size).sum();
        if size > LONG {
            self.opaque(raw.at, "expands to too much", "");
        }
        if size > LONG || !self.pay(size, raw.at) {
            let whole = self.expand_whole(raw);
            return out.push(Word { glob: true, ..whole });
        }
        let mut glyphs: Vec<Glyph> = Vec::new();
        let mut literal = true;
        for (index, part) in raw.parts.iter().enumerate() {
            if let Part::Text { text, quoted } = part {
                glyphs.extend(text.chars().map(|c| (c, *quoted)));
                literal &= *quoted || index > 0 || !text.starts_with('~');
                continue;
            }
            let mut one = Vec::new();
            let mut inner =
                Fields { out: &mut one, word: Word::literal(""), open: false, split: false };
            self.part(part, raw.at, &mut inner);
            literal &= inner.word.literal;
            let text = core::mem::take(&mut inner.word.text);
            glyphs.extend(text.chars().map(|c| (c, true)));
        }
        match braces(glyphs.clone()) {
            Some(words) => out.extend(words.iter().map(|word| of_glyphs(word, literal))),
            None => {
                self.opaque(raw.at, "expands to too much", "");
                out.push(begin(&glyphs));
            }
        }
    }
}

/// What is sure of a word with too many braces: how it begins.
fn begin(glyphs: &[Glyph]) -> Word {
    let open = glyphs.iter().position(|glyph| *glyph == ('{', false));
    of_glyphs(glyphs.get(..open.unwrap_or(glyphs.len())).unwrap_or_default(), false)
}

fn of_glyphs(glyphs: &[Glyph], literal: bool) -> Word {
    Word {
        text: glyphs.iter().map(|glyph| glyph.0).collect(),
        literal,
        glob: glyphs.iter().any(|glyph| matches!(glyph, ('*' | '?' | '[', false))),
    }
}

fn bare(text: &str) -> Word {
    Word { text: String::from(text), literal: !text.starts_with('~'), glob: has_pattern(text) }
}

/// `${x:-…}` and its kin, which give the value where there is one.
fn is_default(operation: &str) -> bool {
    operation.starts_with([':', '-', '=', '?'])
        && operation.strip_prefix(':').is_none_or(|rest| rest.starts_with(['-', '=', '?']))
}

fn size(part: &Part) -> usize {
    match part {
        Part::Text { text, .. } => text.len(),
        Part::Variable { raw, .. }
        | Part::Substitution { raw, .. }
        | Part::Process { raw, .. }
        | Part::Unknown { raw, .. } => raw.len(),
    }
}
