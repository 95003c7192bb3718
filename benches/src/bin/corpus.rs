//! `corpus BINARY FILE…`: how the packs, all of them on, judge calls that others have
//! judged. Each line of a file is `{"source", "command", "expect"}`, or `{"source", "tool",
//! "input", "expect"}`; `expect` is `block`, `ask` (both: stopped) or `allow`.
//!
//! What differs by policy is set aside by kind (`docs/corpus.md` has the reasons), the rest
//! is printed as a matrix for each source and a line for each mismatch.

use harness_bench::corpus::{Case, Report, Runner};
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

#[expect(clippy::disallowed_methods, reason = "a measuring program acts on the machine")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let binary = args.next().ok_or("usage: corpus BINARY FILE…")?;
    let mut cases = Vec::new();
    for file in args {
        cases.extend(Case::of_file(&file)?);
    }
    // Not in the system's folder for scratch files, where deleting is ordinary.
    let below = binary.parent().ok_or("the binary has no folder")?;
    let said = Runner::new(below, &binary)?.judge(&cases)?;
    let report = Report::new(&cases, &said);
    Ok(write!(std::io::stdout().lock(), "{report}")?)
}
