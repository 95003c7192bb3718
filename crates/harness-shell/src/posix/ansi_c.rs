//! The escapes of `$'…'`, `echo -e` and `printf`.

use alloc::string::String;

/// Which of the near-alike languages of escapes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// `$'…'`
    Quote,
    /// `echo -e`, `printf %b`: an octal number starts with `\0`.
    Echo,
    /// The format of `printf`.
    Format,
}

/// The text that `raw` stands for. Bytes over 127 that make no UTF-8 become U+FFFD.
pub(crate) fn unescape(raw: &str, kind: Escapes) -> String {
    let mut out = alloc::vec::Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(rest.as_bytes().get(..at).unwrap_or_default());
        rest = rest.get(at + 1..).unwrap_or_default();
        let used = escape(rest, kind, &mut out);
        rest = rest.get(used..).unwrap_or_default();
    }
    out.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&out).into_owned()
}

/// Writes what the escape at the start of `rest` means; how much of it was used.
fn escape(rest: &str, kind: Escapes, out: &mut alloc::vec::Vec<u8>) -> usize {
    let Some(letter) = rest.chars().next() else {
        out.push(b'\\');
        return 0;
    };
    let simple = match letter {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' => b'\\',
        '\'' | '"' | '?' if kind != Escapes::Echo => letter as u8,
        'x' => return number(rest, 1, 2, 16, out),
        'u' => return code_point(rest, 4, out),
        'U' => return code_point(rest, 8, out),
        '0' if kind == Escapes::Echo => return number(rest, 1, 3, 8, out).max(1),
        '0'..='7' => return number(rest, 0, 3, 8, out),
        'c' if kind == Escapes::Quote => {
            let control = rest.as_bytes().get(1).copied().unwrap_or(b'@');
            out.push(control & 0x1f);
            return if control.is_ascii() { 2 } else { 1 };
        }
        _ => {
            out.push(b'\\');
            return 0;
        }
    };
    out.push(simple);
    1
}

fn number(
    rest: &str,
    skip: usize,
    most: usize,
    radix: u32,
    out: &mut alloc::vec::Vec<u8>,
) -> usize {
    let (value, count) = digits(rest, skip, most, radix);
    if count == 0 {
        if radix == 8 {
            out.push(0);
        } else {
            out.push(b'\\');
            return 0;
        }
    } else {
        out.push((value & 0xff) as u8);
    }
    skip + count
}

fn code_point(rest: &str, most: usize, out: &mut alloc::vec::Vec<u8>) -> usize {
    let (value, count) = digits(rest, 1, most, 16);
    if count == 0 {
        out.push(b'\\');
        return 0;
    }
    let found = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    out.extend_from_slice(found.encode_utf8(&mut [0; 4]).as_bytes());
    1 + count
}

fn digits(rest: &str, skip: usize, most: usize, radix: u32) -> (u32, usize) {
    let mut value: u32 = 0;
    let mut count = 0;
    for digit in rest.bytes().skip(skip).take(most).map_while(|b| char::from(b).to_digit(radix)) {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        count += 1;
    }
    (value, count)
}

#[cfg(test)]
mod tests {
    use super::{Escapes, unescape};

    #[test]
    fn escapes_mean_what_bash_says() {
        for (raw, kind, want) in [
            (r"\x72\x6d -rf", Escapes::Quote, "rm -rf"),
            (r"\162\155", Escapes::Format, "rm"),
            (r"\0162\0155", Escapes::Echo, "rm"),
            (r"a\tb\\c\'", Escapes::Quote, "a\tb\\c'"),
            (r"é\u00e9\xc3\xa9", Escapes::Quote, "ééé"),
            (r"\q\", Escapes::Quote, r"\q\"),
        ] {
            assert_eq!(unescape(raw, kind), want, "{raw}");
        }
    }
}
