//! [`Candidates`]: the rules that may match a call, in order.

use super::read::{Damaged, Flat};
use super::{Field, gram, hash};
use crate::policy::facts::Facts;

/// Numbers of the rules that may match, ascending.
#[derive(Debug, Default)]
pub struct Candidates(Vec<u32>);

impl Candidates {
    /// Looks them up.
    ///
    /// # Errors
    /// When the bytes don't hold together.
    pub fn of(flat: Flat<'_>, facts: &Facts<'_>) -> Result<Self, Damaged> {
        let mut out = Vec::new();
        always(flat, &mut out)?;
        let tools = Table::of(flat, Field::Tools, Field::ToolsAt)?;
        tools.find(hash(facts.call.tool()), &mut out)?;
        let programs = Table::of(flat, Field::Programs, Field::ProgramsAt)?;
        if let Some(script) = &facts.script
            && programs.len > 0
        {
            let mut seen: Vec<u32> = script.commands.iter().map(|c| hash(c.name())).collect();
            // What couldn't be read may run any program its text names.
            for opaque in &script.opaque {
                seen.extend(words(&opaque.text).map(hash));
            }
            seen.sort_unstable();
            seen.dedup();
            for key in seen {
                programs.find(key, &mut out)?;
            }
        }
        mentioned(flat, facts, &mut out)?;
        out.sort_unstable();
        out.dedup();
        Ok(Self(out))
    }

    /// The numbers.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().copied()
    }
}

/// The words of a text that couldn't be read as commands.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "/\\'\"`$(){}[];|&<>,".contains(c))
        .filter(|w| !w.is_empty())
}

fn always(flat: Flat<'_>, out: &mut Vec<u32>) -> Result<(), Damaged> {
    let at = flat.field(Field::AlwaysAt)? as usize;
    for i in 0..flat.field(Field::Always)? as usize {
        out.push(flat.word_at(at + i * 4)?);
    }
    Ok(())
}

/// Whether a literal may occur is one bit; which rules it belongs to, a search.
fn mentioned(flat: Flat<'_>, facts: &Facts<'_>, out: &mut Vec<u32>) -> Result<(), Damaged> {
    let table = Table::of(flat, Field::Grams, Field::GramsAt)?;
    if table.len == 0 {
        return Ok(());
    }
    let bits = flat.field(Field::FilterBits)?;
    let at = flat.field(Field::FilterAt)? as usize;
    let size = bits as usize / 8;
    let filter = at.checked_add(size).and_then(|end| flat.bytes.get(at..end)).ok_or(Damaged)?;
    let mut last = None;
    for key in gram::all(facts.text()) {
        let bit = gram::bit(key, bits);
        let byte = *filter.get(bit as usize / 8).ok_or(Damaged)?;
        if byte & 1 << (bit % 8) != 0 && last != Some(key) {
            last = Some(key);
            table.find(key, out)?;
            if out.len() > 1 << 16 {
                out.sort_unstable();
                out.dedup();
            }
        }
    }
    Ok(())
}

/// Sorted (key, rule) pairs.
struct Table<'a> {
    flat: Flat<'a>,
    at: usize,
    len: usize,
}

impl<'a> Table<'a> {
    fn of(flat: Flat<'a>, count: Field, at: Field) -> Result<Self, Damaged> {
        let len = flat.field(count)? as usize / 2;
        Ok(Self { flat, at: flat.field(at)? as usize, len })
    }

    fn key(&self, i: usize) -> Result<u32, Damaged> {
        self.flat.word_at(self.at + i * 8)
    }

    fn find(&self, key: u32, out: &mut Vec<u32>) -> Result<(), Damaged> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.key(middle)? < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        while low < self.len && self.key(low)? == key {
            out.push(self.flat.word_at(self.at + low * 8 + 4)?);
            low += 1;
        }
        Ok(())
    }
}
