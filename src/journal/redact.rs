//! Finds secrets in text and takes them out before it is written down or shown.

use std::borrow::Cow;
use std::ops::Range;

use harness_core::{Json, Text};

/// What stands where a secret stood.
pub const MARK: &str = "[redacted]";

/// Tokens told by how they begin, and how many characters at least follow.
const PREFIXES: &[(&str, usize)] = &[
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("SG.", 20),
    ("dop_v1_", 20),
    ("eyJ", 20),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("hf_", 20),
    ("npm_", 20),
    ("pypi-", 20),
    ("rk_live_", 16),
    ("sk-", 20),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("xapp-", 16),
    ("xoxa-", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("ya29.", 20),
];

/// Parts of names whose values are secrets.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "access-key",
    "private_key",
    "credential",
    "authorization",
];

/// Whether a value of this name is a secret.
#[must_use]
pub fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|part| name.contains(part))
}

/// Where secrets stand in `text`, in order, not overlapping.
#[must_use]
pub fn find(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let span = secret_at(text, bytes, at).filter(|span| !span.is_empty());
        match span {
            Some(span) => {
                at = span.end;
                found.push(span);
            }
            None => at += 1,
        }
    }
    found
}

/// `text` without its secrets.
#[must_use]
pub fn text(text: &str) -> Cow<'_, str> {
    let found = find(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for span in found {
        out.push_str(text.get(from..span.start).unwrap_or_default());
        out.push_str(MARK);
        from = span.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// The secrets in the strings of a JSON value, as far as `budget` bytes of it go.
#[must_use]
pub fn secrets(value: &Json<'_>, mut budget: usize) -> Vec<String> {
    let mut found = Vec::new();
    gather(value, false, &mut budget, &mut found);
    found
}

fn gather(value: &Json<'_>, named: bool, budget: &mut usize, found: &mut Vec<String>) {
    match value {
        Json::String(text) if *budget > 0 => {
            let text = text.to_str();
            let text = head(&text, *budget);
            *budget = budget.saturating_sub(text.len().max(1));
            if named && text.len() >= 4 {
                found.push(text.to_owned());
            }
            found.extend(find(text).into_iter().filter_map(|s| text.get(s)).map(str::to_owned));
        }
        Json::Array(items) => {
            for item in items {
                gather(item, named, budget, found);
            }
        }
        Json::Object(members) => {
            for (key, item) in members {
                gather(item, names_a_secret(&key.to_str()), budget, found);
            }
        }
        _ => {}
    }
}

/// A copy of `value` without secrets and of at most about `most` bytes: strings are cut,
/// and what no longer fits is left out, with a mark.
#[must_use]
pub fn bounded(value: &Json<'_>, most: usize) -> Json<'static> {
    let mut budget = most;
    copy(value, false, &mut budget)
}

/// What a string keeps so that its neighbours have room too.
const STRING_AT_MOST: usize = 2_000;
/// Beyond a cut this much is searched, so that a secret is not halved into disguise.
const BEYOND: usize = 512;

fn copy(value: &Json<'_>, named: bool, budget: &mut usize) -> Json<'static> {
    *budget = budget.saturating_sub(2);
    match value {
        Json::Null => Json::Null,
        Json::Bool(b) => Json::Bool(*b),
        Json::Number(n) => {
            let n = head(n, 40).to_owned();
            *budget = budget.saturating_sub(n.len());
            Json::Number(Cow::Owned(n))
        }
        Json::String(_) if named => Json::String(Text::from(MARK)),
        Json::String(text) => {
            let whole = text.to_str();
            let keep = STRING_AT_MOST.min(*budget);
            let clean = self::text(head(&whole, keep + BEYOND));
            let kept = head(&clean, keep);
            *budget = budget.saturating_sub(kept.len());
            let mut out = kept.to_owned();
            if kept.len() < clean.len() || whole.len() > keep + BEYOND {
                out.push_str(&format!("… [{} bytes in all]", whole.len()));
            }
            Json::String(Text::from(out))
        }
        Json::Array(items) => {
            let mut out = Vec::new();
            for item in items {
                if *budget == 0 {
                    out.push(Json::String(Text::from("…")));
                    break;
                }
                out.push(copy(item, named, budget));
            }
            Json::Array(out)
        }
        Json::Object(members) => {
            let mut out = Vec::new();
            for (key, item) in members {
                if *budget == 0 {
                    out.push((Text::from("…"), Json::Null));
                    break;
                }
                let name = key.to_str();
                let short = head(&name, 200).to_owned();
                *budget = budget.saturating_sub(short.len() + 3);
                let item = copy(item, names_a_secret(&name), budget);
                out.push((Text::from(text(&short).into_owned()), item));
            }
            Json::Object(out)
        }
    }
}

/// At most `most` bytes of `text`, whole characters.
#[must_use]
pub fn head(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

fn secret_at(text: &str, bytes: &[u8], at: usize) -> Option<Range<usize>> {
    match bytes.get(at)? {
        b'-' if bytes.get(at..)?.starts_with(b"-----BEGIN ") => private_key(text, at),
        b'-' if bytes.get(at..)?.starts_with(b"--") => flag(text, bytes, at),
        b'=' | b':' if bytes.get(at..)?.starts_with(b"://") => login(text, at),
        b'=' | b':' => assignment(text, bytes, at),
        b'B' | b'b' => scheme(text, bytes, at),
        b'A' | b'S' | b'd' | b'e' | b'g' | b'h' | b'n' | b'p' | b'r' | b's' | b'x' | b'y' => {
            prefixed(bytes, at)
        }
        _ => None,
    }
}

const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn begins_a_word(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| bytes.get(before)).is_none_or(|b| !is_token(*b))
}

fn prefixed(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if !begins_a_word(bytes, at) {
        return None;
    }
    let rest = bytes.get(at..)?;
    let (prefix, least) = PREFIXES.iter().find(|(p, _)| rest.starts_with(p.as_bytes()))?;
    let end = rest.iter().position(|b| !is_token(*b) && *b != b'.').unwrap_or(rest.len());
    (end >= prefix.len() + least).then_some(at..at + end)
}

fn private_key(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let header = rest.find("-----\n").or_else(|| rest.find("-----\\n")).unwrap_or(rest.len());
    let header = rest.get(..header.max(11)).unwrap_or(rest);
    if !head(header, 80).contains("PRIVATE KEY") {
        return None;
    }
    let end = rest.find("-----END ").and_then(|end| {
        let after = end + "-----END ".len();
        rest.get(after..)?.find("-----").map(|close| after + close + 5)
    });
    Some(at..at + end.unwrap_or(rest.len()))
}

/// `--password VALUE`; `--password=VALUE` is an assignment.
fn flag(text: &str, bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let name_end = at + 2 + bytes.get(at + 2..)?.iter().position(|b| !is_token(*b))?;
    if !matches!(bytes.get(name_end), Some(b' ')) || !begins_a_word(bytes, at) {
        return None;
    }
    names_a_secret(text.get(at..name_end)?).then(|| value(text, bytes, name_end + 1)).flatten()
}

/// `name=VALUE`, `name: VALUE`, `"name": "VALUE"`.
fn assignment(text: &str, bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let before = bytes.get(at.saturating_sub(64)..at)?;
    let start = at - before.len();
    let trimmed = before.iter().rposition(|b| !matches!(b, b' ' | b'"' | b'\'' | b'\\'))? + 1;
    let begin = before.get(..trimmed)?.iter().rposition(|b| !is_token(*b)).map_or(0, |b| b + 1);
    let name = text.get(start + begin..start + trimmed)?;
    if !names_a_secret(name) {
        return None;
    }
    value(text, bytes, at + 1)
}

/// A value: quotes and blanks before it skipped, up to what ends a word. A variable is
/// no secret, and what follows `Bearer` is found by itself.
fn value(text: &str, bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let skip = bytes.get(at..)?.iter().position(|b| !matches!(b, b' ' | b'"' | b'\'' | b'\\'))?;
    let start = at + skip;
    let quote = bytes.get(at..start)?.iter().find(|b| matches!(b, b'"' | b'\''));
    let rest = bytes.get(start..)?;
    let ends = |b: &u8| match quote {
        Some(quote) => b == quote || *b == b'\n',
        None => {
            b.is_ascii_whitespace()
                || matches!(b, b'"' | b'\'' | b'&' | b',' | b';' | b'|' | b')' | b'}')
        }
    };
    let end = start + rest.iter().position(ends).unwrap_or(rest.len());
    let word = text.get(start..end)?;
    let plain = word.len() >= 4 && !word.starts_with('$') && !word.starts_with(MARK);
    let scheme = matches!(word, "Bearer" | "bearer" | "Basic" | "basic");
    (plain && !scheme).then_some(start..end)
}

/// `Bearer VALUE`, `Basic VALUE`.
fn scheme(text: &str, bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let word = ["Bearer ", "bearer ", "Basic ", "basic "].iter().find(|w| rest.starts_with(**w))?;
    let span = begins_a_word(bytes, at).then(|| value(text, bytes, at + word.len())).flatten()?;
    (span.len() >= 8).then_some(span)
}

/// `://user:VALUE@host`
fn login(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at + 3..)?;
    let end = rest.find(['/', ' ', '"', '\'', '\n']).unwrap_or(rest.len());
    let user = rest.get(..rest.get(..end)?.rfind('@')?)?;
    let colon = user.find(':')?;
    let span = at + 3 + colon + 1..at + 3 + user.len();
    (!text.get(span.clone())?.starts_with('$')).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::{MARK, bounded, secrets, text};
    use harness_core::json::{Limits, parse};

    #[test]
    fn secrets_of_every_kind_go() {
        for (dirty, clean) in [
            ("echo AKIAIOSFODNN7EXAMPLE x", "echo [redacted] x"),
            ("x ghp_0123456789abcdefghijABCDEFGHIJ456789", "x [redacted]"),
            ("mysql --password hunter22 -e x", "mysql --password [redacted] -e x"),
            ("mysql --password=hunter22 -e x", "mysql --password=[redacted] -e x"),
            ("API_TOKEN='a b c d' run", "API_TOKEN='[redacted]' run"),
            (
                "curl -H 'Authorization: Bearer abcdefgh123' u",
                "curl -H 'Authorization: Bearer [redacted]' u",
            ),
            (
                "git clone https://me:s3cr3t@example.org/x",
                "git clone https://me:[redacted]@example.org/x",
            ),
            ("{\"client_secret\": \"abcd1234\"}", "{\"client_secret\": \"[redacted]\"}"),
            (
                "a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b",
                "a [redacted] b",
            ),
            ("-----BEGIN PRIVATE KEY-----\nMII", "[redacted]"),
        ] {
            assert_eq!(text(dirty), clean);
        }
    }

    #[test]
    fn ordinary_text_stays() {
        for plain in [
            "git push --force origin main",
            "echo $TOKEN; run --token $TOKEN --password=\"$PW\"",
            "see https://example.org:8080/a@b",
            "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----",
            "sk-short task-runner-with-a-very-long-name-indeed",
            "한글 ключ 😀 -- : = ://",
        ] {
            assert_eq!(text(plain), plain);
        }
    }

    #[test]
    fn arguments_are_bounded_and_clean() {
        let doc = format!(
            "{{\"password\":\"hunter22\",\"content\":\"{}\",\"command\":\"export SECRET=abcd1234\"}}",
            "é".repeat(50_000)
        );
        let value = parse(doc.as_bytes(), Limits::default()).map(|p| p.value).expect("json");
        let mut out = Vec::new();
        bounded(&value, 4096).write(&mut out);
        let out = String::from_utf8_lossy(&out);
        assert!(out.len() < 5_000 && out.contains("100000 bytes in all"), "{}", out.len());
        assert!(!out.contains("hunter22") && !out.contains("abcd1234") && out.contains(MARK));
        assert_eq!(secrets(&value, 1 << 20), ["hunter22", "abcd1234"]);
    }

    #[test]
    fn a_secret_across_the_cut_is_not_halved() {
        let doc = format!("[\"{} ghp_0123456789abcdefghijABCDEFGHIJ456789\"]", "x".repeat(1_985));
        let value = parse(doc.as_bytes(), Limits::default()).map(|p| p.value).expect("json");
        let mut out = Vec::new();
        bounded(&value, 4096).write(&mut out);
        assert!(!String::from_utf8_lossy(&out).contains("ghp_"));
    }
}
