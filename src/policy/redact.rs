//! Finds secrets of named kinds in text, without a regular expression: each kind is a
//! prefix, an alphabet and a length.

/// A kind of secret.
#[derive(Debug)]
pub struct Kind {
    /// Its name in policy files.
    pub name: &'static str,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    /// One of the prefixes, then at least this many characters of the alphabet.
    Token { prefixes: &'static [&'static str], alphabet: fn(u8) -> bool, least: usize },
    /// A PEM block of a private key.
    Pem,
    /// Three parts of base64url, the first two of JSON.
    Jwt,
}

/// Every kind.
pub static KINDS: &[Kind] = &[
    Kind { name: "private-key", shape: Shape::Pem },
    token("aws-access-key", &["AKIA", "ASIA"], upper, 16),
    token("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"], word, 30),
    token("gitlab-token", &["glpat-"], dashed, 20),
    token("slack-token", &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-"], dashed, 20),
    token("anthropic-key", &["sk-ant-"], dashed, 20),
    token("openai-key", &["sk-proj-", "sk-svcacct-"], dashed, 20),
    token("google-api-key", &["AIza"], dashed, 35),
    token("npm-token", &["npm_"], word, 36),
    token("pypi-token", &["pypi-AgE"], dashed, 40),
    token("stripe-key", &["sk_live_", "rk_live_"], word, 16),
    token("huggingface-token", &["hf_"], word, 30),
    Kind { name: "jwt", shape: Shape::Jwt },
];

const fn token(
    name: &'static str,
    prefixes: &'static [&'static str],
    alphabet: fn(u8) -> bool,
    least: usize,
) -> Kind {
    Kind { name, shape: Shape::Token { prefixes, alphabet, least } }
}

fn upper(b: u8) -> bool {
    b.is_ascii_uppercase() || b.is_ascii_digit()
}

fn word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

fn dashed(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// A kind by name.
#[must_use]
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|k| k.name == name)
}

/// The text with every secret of these kinds replaced by `[redacted: KIND]`; `None` if
/// there is none.
#[must_use]
pub fn redact<'k>(text: &str, kinds: impl Iterator<Item = &'k Kind>) -> Option<String> {
    let mut found: Vec<(usize, usize, &'static str)> = Vec::new();
    for kind in kinds {
        kind.find(text, &mut found);
    }
    if found.is_empty() {
        return None;
    }
    found.sort_unstable_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (start, end, name) in found {
        if start >= at {
            out.push_str(text.get(at..start).unwrap_or(""));
            out.push_str("[redacted: ");
            out.push_str(name);
            out.push(']');
            at = end;
        } else if end > at {
            at = end;
        }
    }
    out.push_str(text.get(at..).unwrap_or(""));
    Some(out)
}

/// Every kind's secrets taken out.
#[must_use]
pub fn redact_all(text: &str) -> Option<String> {
    redact(text, KINDS.iter())
}

impl Kind {
    fn find(&self, text: &str, out: &mut Vec<(usize, usize, &'static str)>) {
        match &self.shape {
            Shape::Token { prefixes, alphabet, least } => {
                for prefix in *prefixes {
                    self.tokens(text, prefix, *alphabet, *least, out);
                }
            }
            Shape::Pem => self.pem(text, out),
            Shape::Jwt => self.tokens(text, "eyJ", |b| dashed(b) || b == b'.', 40, out),
        }
    }

    fn tokens(
        &self,
        text: &str,
        prefix: &str,
        alphabet: fn(u8) -> bool,
        least: usize,
        out: &mut Vec<(usize, usize, &'static str)>,
    ) {
        let bytes = text.as_bytes();
        for (start, _) in text.match_indices(prefix) {
            let before = start.checked_sub(1).and_then(|i| bytes.get(i));
            if before.is_some_and(|b| word(*b)) {
                continue;
            }
            let tail = start + prefix.len();
            let len = bytes.iter().skip(tail).take_while(|b| alphabet(**b)).count();
            let end = tail + len;
            let jwt = matches!(self.shape, Shape::Jwt);
            let dots = || text.get(start..end).map_or(0, |t| t.matches('.').count());
            if len >= least && (!jwt || dots() >= 2) {
                out.push((start, end, self.name));
            }
        }
    }

    /// From the mark that opens a private key to the one that ends it; to the end of the
    /// text if that one is missing.
    fn pem(&self, text: &str, out: &mut Vec<(usize, usize, &'static str)>) {
        let mut from = 0;
        while let Some(start) = text.get(from..).and_then(|t| t.find("-----BEGIN ")) {
            let start = from + start;
            let head = text.get(start..).unwrap_or("");
            let line = head.lines().next().unwrap_or("");
            // In a JSON text or a log the line's end may itself be written out.
            if !line.get(..line.len().min(80)).unwrap_or(line).contains("PRIVATE KEY-----") {
                from = start + 11;
                continue;
            }
            let end = head
                .find("-----END ")
                .and_then(|e| {
                    let tail = head.get(e + 9..)?;
                    tail.find("-----").map(|close| start + e + 9 + close + 5)
                })
                .unwrap_or(text.len());
            out.push((start, end, self.name));
            from = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{kind, redact, redact_all};

    #[test]
    fn tokens_go() {
        let key = format!("AKIA{}", "A".repeat(16));
        let text = format!("id={key}; x{key} AKIAshort");
        assert_eq!(
            redact_all(&text).unwrap(),
            format!("id=[redacted: aws-access-key]; x{key} AKIAshort")
        );
        assert_eq!(redact_all("nothing here"), None);
    }

    #[test]
    fn pem_goes_whole() {
        let text = "a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb";
        let only = redact(text, kind("private-key").into_iter()).unwrap();
        assert_eq!(only, "a\n[redacted: private-key]\nb");
        let open = redact_all("-----BEGIN PRIVATE KEY-----\nMII").unwrap();
        assert_eq!(open, "[redacted: private-key]");
        assert_eq!(redact_all("-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----"), None);
    }

    #[test]
    fn jwt_needs_its_dots() {
        let part = "a".repeat(30);
        assert!(redact_all(&format!("eyJ{part}.eyJ{part}.{part}")).is_some());
        assert!(redact_all(&format!("eyJ{part}{part}")).is_none());
    }
}
