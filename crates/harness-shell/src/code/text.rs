//! What of a program is only text, and what its strings say.

use alloc::borrow::Cow;
use alloc::string::String;

/// A program without what is surely only text in its language: Perl's manual where the
/// program starts with one, and a Lua program that prints one long string. Anywhere else the
/// same signs may stand in a string or an expression, and code behind them would be lost.
pub(crate) fn without_text<'a>(language: &str, code: &'a str) -> &'a str {
    if language.starts_with("perl") {
        return behind_manual(code).unwrap_or(code);
    }
    let printed = code.trim().strip_prefix("print([[").and_then(|c| c.strip_suffix("]])"));
    match printed {
        Some(text) if language.starts_with("lua") && !text.contains("]]") => "",
        _ => code,
    }
}

/// What follows `=pod … =cut`.
fn behind_manual(code: &str) -> Option<&str> {
    let named = code.trim_start_matches('\n').strip_prefix('=')?;
    if !named.starts_with(|c: char| c.is_ascii_alphabetic()) || named.starts_with("cut") {
        return None;
    }
    let behind = named.split_once("\n=cut").map_or("", |(_, behind)| behind);
    Some(behind.split_once('\n').map_or("", |(_, code)| code))
}

/// `\u{2e}`, with as many digits as it likes, as the `\U` with eight that the shell knows.
fn braced(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 8;
    let mut parts = text.split("\\u{");
    let first = parts.next().unwrap_or_default();
    if first.len() == text.len() {
        return Cow::Borrowed(text);
    }
    let mut out = String::from(first);
    for part in parts {
        match part.bytes().take(LONGEST + 1).position(|b| b == b'}') {
            Some(end) => {
                let (digits, after) = part.split_at(end);
                out.push_str("\\U");
                out.extend(core::iter::repeat_n('0', LONGEST - end));
                out.push_str(digits);
                out.push_str(after.get(1..).unwrap_or_default());
            }
            None => {
                out.push_str("\\u{");
                out.push_str(part);
            }
        }
    }
    Cow::Owned(out)
}

/// A string as the language reads it.
pub(super) fn unescape(text: &str) -> String {
    if text.contains('\\') {
        crate::posix::ansi_c::unescape(&braced(text), crate::posix::ansi_c::Escapes::Quote)
    } else {
        String::from(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{unescape, without_text};

    #[test]
    fn only_what_is_surely_text_is_left_out() {
        for (language, code, rest) in [
            ("perl", "=pod\nunlink 'x'\n=cut\nprint 1", "print 1"),
            ("perl", "\n=head1 X\nunlink 'x'", ""),
            ("lua5.4", " print([[os.remove('x')]]) ", ""),
        ] {
            assert_eq!(without_text(language, code), rest, "{code}");
        }
        for (language, code) in [
            // An assignment, a string, a manual of another language.
            ("perl", "$x\n=unlink('x')"),
            ("perl", "print 'a;\n=x\n'; unlink('x'); '\n=cut\n'"),
            ("perl", "= unlink('x')"),
            ("ruby", "=pod\nunlink 'x'"),
            ("lua", "os.execute([[rm x]])"),
            ("lua", "print([[a]]); os.remove('x'); print([[b]])"),
            ("python3", "print([[os.remove('x')]])"),
        ] {
            assert_eq!(without_text(language, code), code);
        }
    }

    #[test]
    fn escapes_in_braces_are_read_in_one_pass() {
        assert_eq!(unescape("a\\u{2e}b\\u{1f600}"), "a.b😀");
        assert!(unescape("a\\u{2e").contains("{2e"));
        assert_eq!(unescape(&"\\u{2e}".repeat(200_000)).len(), 200_000);
        assert!(!unescape(&"\\u{".repeat(200_000)).is_empty());
    }
}
