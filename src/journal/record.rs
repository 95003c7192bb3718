//! [`Record`]: one line of a log being written.

use harness_core::json::write_string;
use harness_core::{Json, Text};

/// A JSON object growing key by key.
#[derive(Clone, Debug)]
pub struct Record(Vec<u8>);

impl Record {
    /// A record of this type, at this time.
    #[must_use]
    pub fn new(kind: &str, now_ms: u64) -> Self {
        let mut record = Self(Vec::with_capacity(512));
        record.0.extend_from_slice(b"{\"ts\":");
        record.0.extend_from_slice(now_ms.to_string().as_bytes());
        record.text("type", kind)
    }

    /// Adds a string.
    #[must_use]
    pub fn text(mut self, key: &str, value: &str) -> Self {
        self.key(key);
        write_string(&Text::from(value), &mut self.0);
        self
    }

    /// Adds a string if there is one.
    #[must_use]
    pub fn maybe(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(key, value),
            None => self,
        }
    }

    /// Adds a number.
    #[must_use]
    pub fn number(mut self, key: &str, value: u64) -> Self {
        self.key(key);
        self.0.extend_from_slice(value.to_string().as_bytes());
        self
    }

    /// Adds `true` where it is true, nothing where it isn't.
    #[must_use]
    pub fn flag(mut self, key: &str, value: bool) -> Self {
        if value {
            self.key(key);
            self.0.extend_from_slice(b"true");
        }
        self
    }

    /// Adds a list of strings.
    #[must_use]
    pub fn list<'a>(mut self, key: &str, values: impl IntoIterator<Item = &'a str>) -> Self {
        self.key(key);
        let mut mark = b'[';
        for value in values {
            self.0.push(mark);
            write_string(&Text::from(value), &mut self.0);
            mark = b',';
        }
        if mark == b'[' {
            self.0.push(mark);
        }
        self.0.push(b']');
        self
    }

    /// Adds a JSON value.
    #[must_use]
    pub fn json(mut self, key: &str, value: &Json<'_>) -> Self {
        self.key(key);
        value.write(&mut self.0);
        self
    }

    /// The line with its link to the line before, line end included. JSON escapes line
    /// ends, so a record is one line.
    #[must_use]
    pub fn line(mut self, previous: &str) -> Vec<u8> {
        self.key("prev");
        write_string(&Text::from(previous), &mut self.0);
        self.0.extend_from_slice(b"}\n");
        self.0
    }

    /// The object as it stands, without a link.
    #[must_use]
    pub fn object(mut self) -> Vec<u8> {
        self.0.push(b'}');
        self.0
    }

    fn key(&mut self, key: &str) {
        self.0.extend_from_slice(b",\"");
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
    }
}

#[cfg(test)]
mod tests {
    use super::Record;

    #[test]
    fn a_record_is_one_line_of_json() {
        let line = Record::new("t", 7)
            .text("a", "x\ny")
            .maybe("none", None)
            .flag("no", false)
            .flag("yes", true)
            .list("l", ["p", "q"])
            .list("e", [])
            .line("00");
        let want = r#"{"ts":7,"type":"t","a":"x\ny","yes":true,"l":["p","q"],"e":[],"prev":"00"}"#;
        assert_eq!(String::from_utf8_lossy(&line), format!("{want}\n"));
    }
}
