//! A policy file compiled to flat bytes: an index over rules that are decoded only when
//! they may match. Every offset is checked on every read: bytes that don't hold
//! together are an error, never a panic and never a rule that silently isn't there.

mod gram;
mod lookup;
mod read;
mod write;

pub use lookup::{Candidates, words};
pub use read::{Damaged, Flat};
pub use write::compile;

/// Counts and offsets that follow the magic, in this order.
#[derive(Clone, Copy, Debug)]
#[repr(usize)]
enum Field {
    /// Number of rules.
    Rules = 0,
    /// Where the table of rule offsets is.
    RuleTable,
    /// Rules to look at for every call: count, offset.
    Always,
    AlwaysAt,
    /// (hash of program, rule), sorted.
    Programs,
    ProgramsAt,
    /// (hash of tool, rule), sorted.
    Tools,
    ToolsAt,
    /// (gram of a literal, rule), sorted, and a filter before it.
    Grams,
    GramsAt,
    FilterBits,
    FilterAt,
    /// Everything that isn't a rule.
    RestAt,
    /// Flags: 1 needs trust, 2 has exceptions, 4 has contexts, 8 has posts, 16 has packs,
    /// 32 has knobs or presets.
    Flags,
    /// Bit set of context events.
    Events,
}

const FIELDS: usize = Field::Events as usize + 1;

/// FNV-1a, 32 bits: names are short, and a collision only costs a look.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}
