//! Text for a host: bounded in the host's own unit, clean of what a terminal would
//! obey.

/// The longest reason, in characters.
pub const REASON: usize = 2_000;

/// Whether a character is obeyed rather than shown: control characters, line and
/// paragraph separators, bidirectional overrides and isolates, the byte-order mark.
/// Joiners stay: scripts and emoji are spelled with them.
#[must_use]
pub fn obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// A reason as one clean line of at most [`REASON`] characters, never empty.
#[must_use]
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(REASON * 4));
    let mut blank = true;
    let mut kept = 0;
    for c in text.chars() {
        let c = if c.is_whitespace() { ' ' } else { c };
        if obeyed(c) || (c == ' ' && blank) {
            continue;
        }
        if kept == REASON {
            out.push('…');
            break;
        }
        blank = c == ' ';
        out.push(c);
        kept += 1;
    }
    out.truncate(out.trim_end().len());
    if out.is_empty() {
        out.push_str(harness_core::reason::DEFAULT_SENTENCE);
    }
    out
}

/// Text of several lines: line ends and tabs stay, other control characters go.
#[must_use]
pub fn lines(text: &str) -> String {
    text.chars().filter(|&c| c == '\n' || c == '\t' || !c.is_control()).collect()
}

/// At most `units` UTF-16 units of `text`, whole characters, with a mark where it was
/// cut.
#[must_use]
pub fn fit(text: &str, units: usize) -> String {
    if text.len() <= units || text.encode_utf16().take(units + 1).count() <= units {
        return text.to_owned();
    }
    let mark = "\n[cut by harness: the rest is over the host's limit]";
    let room = units.saturating_sub(mark.len());
    let mut used = 0;
    let mut out: String = text
        .chars()
        .take_while(|c| {
            used += c.len_utf16();
            used <= room
        })
        .collect();
    out.push_str(mark);
    out
}

/// Text as XML and HTML hold it, in elements and attributes; what XML can't hold is replaced.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{REASON, fit, line};

    #[test]
    fn a_reason_is_one_clean_line() {
        assert_eq!(line(" a\r\n\tb\u{1b}[31m\u{202e}c\0 "), "a b[31mc");
        assert_eq!(line("\u{feff}\n"), harness_core::reason::DEFAULT_SENTENCE);
        assert_eq!(line(&"é".repeat(9_000)).chars().count(), REASON + 1);
    }

    #[test]
    fn a_limit_is_counted_in_utf16() {
        let text = "😀".repeat(5_000);
        assert_eq!(fit(&text, 10_000), text);
        let cut = fit(&text, 9_999);
        assert!(cut.encode_utf16().count() <= 9_999);
        assert!(cut.ends_with("limit]"));
    }

    #[test]
    fn markup_is_shown_and_never_obeyed() {
        assert_eq!(
            super::escape("<a href='x' title=\"y\">&</a>\u{1b}\u{ffff}"),
            "&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;&lt;/a&gt;\u{fffd}\u{fffd}"
        );
    }
}
