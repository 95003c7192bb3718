//! How powershell.exe is told what to run.

use alloc::string::String;
use alloc::vec::Vec;

use super::lex::text_of;
use super::lower;
use crate::script::Word;
use crate::walk::decode_base64;

/// What an invocation runs.
pub(crate) enum Invocation {
    Text(Word),
    File(Word),
    Stdin,
    /// An encoded command that can't be decoded.
    Unreadable,
}

/// Parameters that take a value.
const VALUES: [&str; 9] = [
    "-executionpolicy",
    "-ep",
    "-ex",
    "-windowstyle",
    "-w",
    "-version",
    "-inputformat",
    "-outputformat",
    "-workingdirectory",
];

/// What `powershell ARGS` runs.
pub(crate) fn invocation(args: &[Word]) -> Invocation {
    let mut index = 0;
    while let Some(word) = args.get(index) {
        index += 1;
        let name = lower(word).replace("--", "-");
        let name = if name.starts_with('/') { name.replacen('/', "-", 1) } else { name };
        let rest = args.get(index..).unwrap_or_default();
        if !name.starts_with('-') || name == "-" {
            let whole = args.get(index - 1..).unwrap_or_default();
            return if name.ends_with(".ps1") {
                Invocation::File(word.clone())
            } else {
                text(whole)
            };
        }
        if is(&name, "-command", 2) {
            return text(rest);
        }
        if is(&name, "-file", 2) {
            return rest.first().map_or(Invocation::Stdin, |file| Invocation::File(file.clone()));
        }
        if is(&name, "-encodedcommand", 2) || name == "-ec" {
            return decode(rest.first());
        }
        if VALUES.iter().any(|value| value.starts_with(&name) && name.len() > 1) {
            index += 1;
        }
    }
    Invocation::Stdin
}

/// Parameters may be cut short.
fn is(given: &str, name: &str, least: usize) -> bool {
    given.len() >= least && name.starts_with(given)
}

fn text(words: &[Word]) -> Invocation {
    let literal = words.iter().all(|word| word.literal);
    match text_of(words) {
        Some(text) => Invocation::Text(Word { text, literal, glob: false }),
        None => Invocation::Stdin,
    }
}

/// UTF-16, little-endian, in base64.
fn decode(word: Option<&Word>) -> Invocation {
    let Some(bytes) = word.filter(|word| word.literal).and_then(|word| decode_base64(&word.text))
    else {
        return Invocation::Unreadable;
    };
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .filter_map(|pair| pair.try_into().ok().map(u16::from_le_bytes))
        .collect();
    String::from_utf16(&units)
        .map_or(Invocation::Unreadable, |text| Invocation::Text(Word::literal(text)))
}
