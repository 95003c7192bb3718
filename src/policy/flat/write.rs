//! Compiles a [`File`] to flat bytes.

use super::super::file::{Context, Except, File, Knob, Post, Preset};
use super::super::glob;
use super::super::model::{Matcher, Rule};
use super::{FIELDS, Field, gram, hash};

/// A file as flat bytes.
#[must_use]
pub fn compile(file: &File<'_>) -> Vec<u8> {
    let mut out = Out { bytes: vec![0; FIELDS * 4] };
    let offsets: Vec<u32> = file.rules.iter().map(|rule| out.rule(rule)).collect();
    out.set(Field::Rules, offsets.len() as u32);
    let table = out.words(&offsets);
    out.set(Field::RuleTable, table);
    out.index(file);
    let rest = out.here();
    out.rest(file);
    out.set(Field::RestAt, rest);
    out.set(Field::Flags, flags(file));
    let events = file.contexts.iter().fold(0, |bits, c| bits | 1 << (c.event as u32));
    out.set(Field::Events, events);
    out.bytes
}

fn flags(file: &File<'_>) -> u32 {
    u32::from(file.needs_trust())
        | u32::from(!file.excepts.is_empty()) << 1
        | u32::from(!file.contexts.is_empty()) << 2
        | u32::from(!file.posts.is_empty()) << 3
        | u32::from(!(file.enable.is_empty() && file.disable.is_empty())) << 4
        | u32::from(!(file.knobs.is_empty() && file.presets.is_empty())) << 5
}

struct Out {
    bytes: Vec<u8>,
}

impl Out {
    #[expect(clippy::cast_possible_truncation, reason = "policy files are bounded at 4 MB")]
    fn here(&self) -> u32 {
        self.bytes.len() as u32
    }

    fn set(&mut self, field: Field, value: u32) {
        let at = field as usize * 4;
        if let Some(slot) = self.bytes.get_mut(at..at + 4) {
            slot.copy_from_slice(&value.to_le_bytes());
        }
    }

    fn word(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn words(&mut self, values: &[u32]) -> u32 {
        let at = self.here();
        values.iter().for_each(|v| self.word(*v));
        at
    }

    #[expect(clippy::cast_possible_truncation, reason = "policy files are bounded at 4 MB")]
    fn count(&mut self, len: usize) {
        self.word(len as u32);
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn list(&mut self, list: &[&str]) {
        self.count(list.len());
        list.iter().for_each(|t| self.text(t));
    }

    fn rule(&mut self, rule: &Rule<'_>) -> u32 {
        let at = self.here();
        self.text(rule.id);
        self.word(rule.line);
        self.word(rule.station as u32);
        self.word(rule.say as u32);
        self.text(rule.reason);
        self.text(rule.instead);
        self.matcher(&rule.when);
        match &rule.run {
            None => self.word(0),
            Some(run) => {
                self.word(1);
                self.list(&run.argv);
                self.word(run.timeout_ms);
            }
        }
        self.list(&rule.matches);
        self.list(&rule.passes);
        at
    }

    fn matcher(&mut self, m: &Matcher<'_>) {
        for list in
            [&m.tools, &m.command, &m.flags, &m.without, &m.args, &m.paths, &m.mentions, &m.branch]
        {
            self.list(list);
        }
        self.word(m.access as u32);
        self.word(m.effects.bits());
        self.word(u32::from(m.zones.bits()));
        self.word(u32::from(m.recursive) | u32::from(m.forced) << 1);
    }

    fn index(&mut self, file: &File<'_>) {
        let mut index = Index::default();
        for (rule, number) in file.rules.iter().zip(0..) {
            index.file(&rule.when, number);
        }
        let Index { always, mut programs, mut tools, mut grams } = index;
        self.count_at(Field::Always, Field::AlwaysAt, &always);
        for (list, count, at) in [
            (&mut programs, Field::Programs, Field::ProgramsAt),
            (&mut tools, Field::Tools, Field::ToolsAt),
            (&mut grams, Field::Grams, Field::GramsAt),
        ] {
            list.sort_unstable();
            list.dedup();
            let flat: Vec<u32> = list.iter().flat_map(|(key, rule)| [*key, *rule]).collect();
            self.count_at(count, at, &flat);
        }
        self.filter(&grams);
    }

    #[expect(clippy::cast_possible_truncation, reason = "policy files are bounded at 4 MB")]
    fn count_at(&mut self, count: Field, at: Field, words: &[u32]) {
        let here = self.words(words);
        self.set(count, words.len() as u32);
        self.set(at, here);
    }

    fn filter(&mut self, grams: &[(u32, u32)]) {
        #[expect(clippy::cast_possible_truncation, reason = "at most a million grams")]
        let bits = (grams.len() * 16).next_power_of_two().clamp(64, 1 << 20) as u32;
        let mut filter = vec![0_u32; bits as usize / 32];
        for (key, _) in grams {
            let bit = gram::bit(*key, bits);
            if let Some(word) = filter.get_mut(bit as usize / 32) {
                *word |= 1 << (bit % 32);
            }
        }
        let at = self.words(&filter);
        self.set(Field::FilterBits, bits);
        self.set(Field::FilterAt, at);
    }

    fn rest(&mut self, file: &File<'_>) {
        self.count(file.knobs.len());
        for Knob { name, value } in &file.knobs {
            self.text(name);
            self.text(value);
        }
        self.count(file.presets.len());
        for Preset { name, sandbox, approval, description } in &file.presets {
            [name, sandbox, approval, description].into_iter().for_each(|t| self.text(t));
        }
        self.list(&file.enable);
        self.list(&file.disable);
        self.count(file.excepts.len());
        for Except { rule, line, when, reason } in &file.excepts {
            self.text(rule);
            self.word(*line);
            self.matcher(when);
            self.text(reason);
        }
        self.count(file.contexts.len());
        for Context { event, tools, text } in &file.contexts {
            self.text(event.as_str());
            self.list(tools);
            self.text(text);
        }
        self.count(file.posts.len());
        for Post { id, line, tools, redact, mentions, block } in &file.posts {
            self.text(id);
            self.word(*line);
            self.list(tools);
            self.list(redact);
            self.list(mentions);
            self.text(block);
        }
    }
}

#[derive(Default)]
struct Index {
    always: Vec<u32>,
    programs: Vec<(u32, u32)>,
    tools: Vec<(u32, u32)>,
    grams: Vec<(u32, u32)>,
}

impl Index {
    /// Files a rule under the first condition that narrows it: program, literal, tool.
    fn file(&mut self, when: &Matcher<'_>, rule: u32) {
        if let Some(program) = when.command.first().filter(|p| !glob::is_glob(p)) {
            self.programs.extend(program.split('|').map(|p| (hash(p), rule)));
            return;
        }
        let keys: Option<Vec<u32>> = when.mentions.iter().map(|m| gram::of(m)).collect();
        match keys {
            Some(keys) if !keys.is_empty() => self.grams.extend(keys.iter().map(|k| (*k, rule))),
            _ if !when.tools.is_empty() && !when.tools.iter().any(|t| glob::is_glob(t)) => {
                self.tools.extend(when.tools.iter().map(|t| (hash(t), rule)));
            }
            _ => self.always.push(rule),
        }
    }
}
