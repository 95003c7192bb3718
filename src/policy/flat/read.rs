//! [`Flat`]: reads flat bytes, decoding on demand.

use std::borrow::Cow;

use super::super::file::{Context, Except, File, Knob, Post, Preset};
use super::super::kinds::{Access, EffectSet, Letters, Zones};
use super::super::model::{List, Matcher, Rule, Run, Say, Station};
use super::Field;
use crate::hosts::EventName;

/// Flat bytes that don't hold together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// A compiled policy file.
#[derive(Clone, Copy, Debug)]
pub struct Flat<'a> {
    pub(super) bytes: &'a [u8],
}

impl<'a> Flat<'a> {
    /// Over these bytes.
    #[must_use]
    pub const fn over(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn word_at(self, at: usize) -> Result<u32, Damaged> {
        let end = at.checked_add(4).ok_or(Damaged)?;
        let bytes = self.bytes.get(at..end).ok_or(Damaged)?;
        bytes.try_into().map(u32::from_le_bytes).map_err(|_| Damaged)
    }

    pub(super) fn field(self, field: Field) -> Result<u32, Damaged> {
        self.word_at(field as usize * 4)
    }

    /// How many rules there are.
    ///
    /// # Errors
    /// When the bytes don't hold together.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks whether there are any")]
    pub fn len(self) -> Result<u32, Damaged> {
        self.field(Field::Rules)
    }

    /// Decodes one rule.
    ///
    /// # Errors
    /// When the bytes don't hold together.
    pub fn rule(self, number: u32) -> Result<Rule<'a>, Damaged> {
        if number >= self.len()? {
            return Err(Damaged);
        }
        let table = self.field(Field::RuleTable)? as usize;
        let at = self.word_at(table + number as usize * 4)? as usize;
        Cursor { flat: self, at }.rule()
    }

    /// Whether something in it runs code or changes results.
    ///
    /// # Errors
    /// When the bytes don't hold together.
    pub fn needs_trust(self) -> Result<bool, Damaged> {
        Ok(self.field(Field::Flags)? & 1 != 0)
    }

    /// Whether it has anything to say on this event's context.
    ///
    /// # Errors
    /// When the bytes don't hold together.
    pub fn has_context(self, event: EventName) -> Result<bool, Damaged> {
        Ok(self.field(Field::Events)? & 1 << (event as u32) != 0)
    }

    /// Whether it has post rules.
    ///
    /// # Errors
    /// When the bytes don't hold together.
    pub fn has_posts(self) -> Result<bool, Damaged> {
        Ok(self.field(Field::Flags)? & 8 != 0)
    }

    /// Whether it has exceptions or switches packs.
    ///
    /// # Errors
    /// When the bytes don't hold together.
    pub fn touches_packs(self) -> Result<bool, Damaged> {
        Ok(self.field(Field::Flags)? & (2 | 16) != 0)
    }

    /// Whether it has knobs or presets.
    ///
    /// # Errors
    /// When the bytes don't hold together.
    pub fn has_knobs(self) -> Result<bool, Damaged> {
        Ok(self.field(Field::Flags)? & 32 != 0)
    }

    /// Everything that isn't a rule.
    ///
    /// # Errors
    /// When the bytes don't hold together.
    pub fn rest(self) -> Result<File<'a>, Damaged> {
        Cursor { flat: self, at: self.field(Field::RestAt)? as usize }.rest()
    }

    /// All of it.
    ///
    /// # Errors
    /// When the bytes don't hold together.
    pub fn all(self) -> Result<File<'a>, Damaged> {
        let mut file = self.rest()?;
        for number in 0..self.len()? {
            file.rules.push(self.rule(number)?);
        }
        Ok(file)
    }
}

struct Cursor<'a> {
    flat: Flat<'a>,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn word(&mut self) -> Result<u32, Damaged> {
        let word = self.flat.word_at(self.at)?;
        self.at += 4;
        Ok(word)
    }

    fn text(&mut self) -> Result<&'a str, Damaged> {
        let len = self.word()? as usize;
        let end = self.at.checked_add(len).ok_or(Damaged)?;
        let bytes = self.flat.bytes.get(self.at..end).ok_or(Damaged)?;
        self.at = end;
        std::str::from_utf8(bytes).map_err(|_| Damaged)
    }

    /// A count of things of at least four bytes each, so never more than there is room for.
    fn count(&mut self) -> Result<usize, Damaged> {
        let count = self.word()? as usize;
        if count > self.flat.bytes.len() / 4 { Err(Damaged) } else { Ok(count) }
    }

    fn each<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, Damaged>,
    ) -> Result<Vec<T>, Damaged> {
        let count = self.count()?;
        let mut out = Vec::new();
        for _ in 0..count {
            out.push(one(self)?);
        }
        Ok(out)
    }

    fn list(&mut self) -> Result<List<'a>, Damaged> {
        self.each(Self::text).map(Cow::Owned)
    }

    fn rule(&mut self) -> Result<Rule<'a>, Damaged> {
        Ok(Rule {
            id: self.text()?,
            line: self.word()?,
            station: match self.word()? {
                0 => Station::Listener,
                1 => Station::Guard,
                _ => return Err(Damaged),
            },
            say: match self.word()? {
                0 => Say::Allow,
                1 => Say::Ask,
                2 => Say::Deny,
                _ => return Err(Damaged),
            },
            reason: self.text()?,
            instead: self.text()?,
            when: self.matcher()?,
            run: match self.word()? {
                0 => None,
                1 => Some(Run { argv: self.list()?, timeout_ms: self.word()? }),
                _ => return Err(Damaged),
            },
            matches: self.list()?,
            passes: self.list()?,
        })
    }

    fn matcher(&mut self) -> Result<Matcher<'a>, Damaged> {
        let mut m = Matcher {
            letters: Letters::NONE,
            tools: self.list()?,
            command: self.list()?,
            flags: self.list()?,
            without: self.list()?,
            args: self.list()?,
            paths: self.list()?,
            mentions: self.list()?,
            branch: self.list()?,
            ..Matcher::ANY
        };
        m.access = match self.word()? {
            0 => Access::Any,
            1 => Access::Read,
            2 => Access::Write,
            _ => return Err(Damaged),
        };
        m.effects = EffectSet::from_bits(self.word()?);
        m.zones = Zones::from_bits(self.word()?.try_into().map_err(|_| Damaged)?);
        let flags = self.word()?;
        m.recursive = flags & 1 != 0;
        m.forced = flags & 2 != 0;
        Ok(m)
    }

    fn rest(&mut self) -> Result<File<'a>, Damaged> {
        Ok(File {
            knobs: self.each(|c| Ok(Knob { name: c.text()?, value: c.text()? }))?,
            presets: self.each(|c| {
                Ok(Preset {
                    name: c.text()?,
                    sandbox: c.text()?,
                    approval: c.text()?,
                    description: c.text()?,
                })
            })?,
            enable: self.list()?.into_owned(),
            disable: self.list()?.into_owned(),
            rules: Vec::new(),
            excepts: self.each(|c| {
                Ok(Except {
                    rule: c.text()?,
                    line: c.word()?,
                    when: c.matcher()?,
                    reason: c.text()?,
                })
            })?,
            contexts: self.each(|c| {
                Ok(Context {
                    event: EventName::parse(c.text()?).ok_or(Damaged)?,
                    tools: c.list()?,
                    text: c.text()?,
                })
            })?,
            posts: self.each(|c| {
                Ok(Post {
                    id: c.text()?,
                    line: c.word()?,
                    tools: c.list()?,
                    redact: c.list()?,
                    mentions: c.list()?,
                    block: c.text()?,
                })
            })?,
        })
    }
}
