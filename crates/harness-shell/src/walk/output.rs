//! What a command prints, where the line itself says so.

use alloc::string::String;
use alloc::vec::Vec;

use crate::posix::ansi_c::{Escapes, unescape};
use crate::reader::{Reader, Stdin};
use crate::script::{Command, RedirectKind, Word};

/// Commands in a row whose output is followed.
const MOST_STEPS: usize = 4;
/// Longer output is not followed.
const LONG: usize = 1 << 20;

impl Reader {
    /// What the command at `index` prints, if that is known.
    pub(crate) fn output(&self, index: usize) -> Option<String> {
        self.output_within(index, MOST_STEPS)
    }

    /// All that can be read from `stdin`, if that is known.
    pub(crate) fn input(&self, stdin: &Stdin) -> Option<String> {
        match stdin {
            Stdin::Text(word) if word.literal => Some(word.text.clone()),
            Stdin::Pipe { from: Some(index), exact: true } => self.output(*index),
            _ => None,
        }
    }

    fn output_within(&self, index: usize, steps: usize) -> Option<String> {
        let command = self.script.commands.get(index)?;
        let goes_elsewhere = command.redirects.iter().any(|redirect| {
            !matches!(redirect.kind, RedirectKind::Text | RedirectKind::Read)
                && redirect.target.text != "/dev/null"
        });
        let size: usize = command.args.iter().map(|word| word.text.len()).sum();
        if goes_elsewhere || size > LONG {
            return None;
        }
        match command.name() {
            "echo" => echo(&command.args),
            "printf" => printf(&command.args),
            "cat" if command.args.iter().all(|word| word.text == "-") => {
                self.fed(command, index, steps)
            }
            "base64" if command.args.iter().any(is_decode) => {
                let text = self.fed(command, index, steps)?;
                String::from_utf8(decode_base64(&text)?).ok()
            }
            _ => None,
        }
    }

    /// What is fed to a command.
    fn fed(&self, command: &Command, index: usize, steps: usize) -> Option<String> {
        let text = command.redirects.iter().rev().find(|r| r.kind == RedirectKind::Text);
        if let Some(text) = text {
            return text.target.literal.then(|| text.target.text.clone());
        }
        let from = command.piped_from?;
        let exact = self.exact.get(index).copied().unwrap_or_default();
        if exact && steps > 0 { self.output_within(from, steps - 1) } else { None }
    }
}

fn is_decode(word: &Word) -> bool {
    matches!(word.text.as_str(), "-d" | "-D" | "--decode" | "-di" | "-id" | "--dec")
}

fn all_known(words: &[Word]) -> bool {
    words.iter().all(|word| word.literal && !word.glob)
}

fn echo(args: &[Word]) -> Option<String> {
    if !all_known(args) {
        return None;
    }
    let options = args
        .iter()
        .take_while(|word| {
            word.text.strip_prefix('-').is_some_and(|letters| {
                !letters.is_empty() && letters.bytes().all(|b| b"neE".contains(&b))
            })
        })
        .count();
    let set = |letter| args.iter().take(options).any(|word| word.text.contains(letter));
    let mut text = super::joined(args.iter().skip(options));
    if set('e') {
        text = unescape(&text, Escapes::Echo);
    }
    if !set('n') {
        text.push('\n');
    }
    Some(text)
}

fn printf(args: &[Word]) -> Option<String> {
    if !all_known(args) {
        return None;
    }
    let mut args = args.iter().map(|word| word.text.as_str()).peekable();
    if args.peek() == Some(&"--") {
        args.next();
    }
    let format = unescape(args.next()?, Escapes::Format);
    let mut out = String::new();
    loop {
        let before = args.len();
        round(&format, &mut args, &mut out)?;
        if args.len() == 0 || args.len() == before || out.len() > LONG {
            return Some(out);
        }
    }
}

/// One pass over the format.
fn round<'a>(
    format: &str,
    args: &mut impl Iterator<Item = &'a str>,
    out: &mut String,
) -> Option<()> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(rest.get(..at)?);
        let mut tail = rest.get(at + 1..)?.chars();
        match tail.next() {
            Some('%') => out.push('%'),
            Some('s' | 'd') => out.push_str(args.next().unwrap_or_default()),
            Some('b') => out.push_str(&unescape(args.next().unwrap_or_default(), Escapes::Echo)),
            _ => return None,
        }
        rest = tail.as_str();
    }
    out.push_str(rest);
    Some(())
}

/// The bytes that `text` encodes; `None` if it is not base64.
pub(crate) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let mut bits = 0u32;
    let mut count = 0u32;
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => continue,
            _ if byte.is_ascii_whitespace() => continue,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{decode_base64, echo, printf};
    use crate::script::Word;
    use alloc::vec::Vec;

    fn words(texts: &[&str]) -> Vec<Word> {
        texts.iter().map(|text| Word::literal(*text)).collect()
    }

    #[test]
    fn says_what_echo_and_printf_print() {
        assert_eq!(echo(&words(&["-ne", r"rm\x20/"])).as_deref(), Some("rm /"));
        assert_eq!(echo(&words(&["a", "-n"])).as_deref(), Some("a -n\n"));
        assert_eq!(printf(&words(&["%s\\n", "a", "b"])).as_deref(), Some("a\nb\n"));
        assert_eq!(printf(&words(&["%b", r"\x72m"])).as_deref(), Some("rm"));
        assert_eq!(printf(&words(&["%q", "a"])), None);
    }

    #[test]
    fn decodes_base64() {
        assert_eq!(decode_base64("cm0gLXJmIC8=").as_deref(), Some(b"rm -rf /".as_slice()));
        assert_eq!(decode_base64("?"), None);
    }
}
