//! Lines broken between words so that they fit a narrow terminal.

/// Columns that a character takes.
#[must_use]
pub const fn width(c: char) -> usize {
    match c {
        '\u{1100}'..='\u{115F}'
        | '\u{2E80}'..='\u{A4CF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE6F}'
        | '\u{FF00}'..='\u{FF60}'
        | '\u{1F300}'..='\u{1FAFF}'
        | '\u{20000}'..='\u{3FFFD}' => 2,
        _ => 1,
    }
}

/// Columns that a text takes; colours take none.
#[must_use]
pub fn columns(text: &str) -> usize {
    let mut coloured = false;
    let mut columns = 0;
    for c in text.chars() {
        match c {
            '\u{1b}' => coloured = true,
            'm' if coloured => coloured = false,
            _ if coloured => {}
            c => columns += width(c),
        }
    }
    columns
}

/// Breaks a text's lines at `room` columns. What follows a break stands two columns
/// deeper than the line began. A word that is longer than the room stays whole, so that a
/// path or an address can be copied.
#[must_use]
pub fn wrap(text: &str, room: usize) -> String {
    let lines: Vec<String> = text.lines().map(|line| line_within(line, room)).collect();
    lines.join("\n")
}

fn line_within(line: &str, room: usize) -> String {
    if columns(line) <= room {
        return line.to_owned();
    }
    let indent = line.len() - line.trim_start_matches(' ').len();
    let deeper = " ".repeat((indent + 2).min(room / 2));
    let mut out = " ".repeat(indent);
    let mut used = indent;
    let mut first = true;
    for word in line.split(' ').filter(|w| !w.is_empty()) {
        let needs = columns(word);
        let gap = usize::from(!first);
        if !first && used + gap + needs > room {
            out.push('\n');
            out.push_str(&deeper);
            used = deeper.len();
        } else if !first {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += needs;
        first = false;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{columns, wrap};

    #[test]
    fn words_stay_whole_and_what_follows_stands_deeper() {
        assert_eq!(wrap("short", 10), "short");
        assert_eq!(wrap("  one two three", 10), "  one two\n    three");
        assert_eq!(wrap("a /very/long/path/that b", 10), "a\n  /very/long/path/that\n  b");
        assert_eq!(wrap("하하하 하하하", 8), "하하하\n  하하하");
        assert_eq!(wrap("x\ny\n", 4), "x\ny");
    }

    #[test]
    fn colours_take_no_room() {
        assert_eq!(columns("\u{1b}[31m✗\u{1b}[0m no"), 4);
    }
}
