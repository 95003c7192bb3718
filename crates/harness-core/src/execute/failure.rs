//! [`Failure`]: any failure of any station, as a result can carry it.

use crate::guard::StationError;
use crate::json::Json;
use crate::reason::Reason;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A failure's machine-readable kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Cancelled, and the body never ran.
    AbortedBeforeDispatch,
    /// Cancelled after the body had started.
    Aborted,
    /// No tool of this name can be called.
    UnknownTool,
    /// The arguments do not fit the tool.
    InvalidArgs,
    /// The body gave what the tool says it never gives.
    InvalidToolOutput,
    /// The tool's own deadline passed.
    ToolTimeout,
    /// The command could not be confined as asked, and was not run.
    SandboxUnavailable,
    /// A tool's own code.
    Own(Cow<'static, str>),
}

impl Code {
    /// The word in results and journals.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::AbortedBeforeDispatch => "ABORTED_BEFORE_DISPATCH",
            Self::Aborted => "ABORTED",
            Self::UnknownTool => "UNKNOWN_TOOL",
            Self::InvalidArgs => "INVALID_ARGS",
            Self::InvalidToolOutput => "INVALID_TOOL_OUTPUT",
            Self::ToolTimeout => "TOOL_TIMEOUT",
            Self::SandboxUnavailable => "SANDBOX_UNAVAILABLE",
            Self::Own(word) => word,
        }
    }
}

/// Why a call failed. The message is never blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    code: Option<Code>,
    message: Cow<'static, str>,
}

/// The message of a failure that told nothing of itself.
pub const SPEECHLESS: &str = "the tool failed and did not say why";

/// How much of a foreign failure is kept, in bytes.
const FOREIGN_LIMIT: usize = 4096;

impl Failure {
    /// A failure of this message; a blank one becomes [`SPEECHLESS`].
    #[must_use]
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        let message = message.into();
        let message = if message.trim().is_empty() { Cow::Borrowed(SPEECHLESS) } else { message };
        Self { code: None, message }
    }

    /// The same failure with a code.
    #[must_use]
    pub fn coded(mut self, code: Code) -> Self {
        self.code = Some(code);
        self
    }

    /// From any value a foreign body failed with. Total: a string is the message, an
    /// object's string `message` is, anything else is written out, bounded.
    #[must_use]
    pub fn from_value(value: &Json<'_>) -> Self {
        let spoken = match value {
            Json::String(text) => Some(text.to_str().into_owned()),
            Json::Object(_) => value.str_at("message").map(Cow::into_owned),
            _ => None,
        };
        let mut message =
            spoken.filter(|message| !message.trim().is_empty()).unwrap_or_else(|| {
                let mut bytes = Vec::new();
                value.write(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            });
        message.truncate(message.floor_char_boundary(FOREIGN_LIMIT));
        Self::new(message)
    }

    /// Cancelled; `ran` says whether the body had started.
    #[must_use]
    pub const fn aborted(ran: bool) -> Self {
        let (code, message) = if ran {
            (Code::Aborted, "aborted")
        } else {
            (Code::AbortedBeforeDispatch, "aborted before dispatch")
        };
        Self { code: Some(code), message: Cow::Borrowed(message) }
    }

    /// The code, if it has one.
    #[must_use]
    pub const fn code(&self) -> Option<&Code> {
        self.code.as_ref()
    }

    /// The message, never blank.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl From<StationError> for Failure {
    fn from(error: StationError) -> Self {
        Self::new(error.message)
    }
}

impl From<&Reason> for Failure {
    fn from(reason: &Reason) -> Self {
        Self::new(reason.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, SPEECHLESS};
    use crate::json::{Limits, parse};
    use alloc::string::String;

    fn message(doc: &str) -> Option<String> {
        let parsed = parse(doc.as_bytes(), Limits::default()).ok()?;
        Some(Failure::from_value(&parsed.value).message().into())
    }

    #[test]
    fn every_value_has_a_message() {
        assert_eq!(message(r#""broken pipe""#).as_deref(), Some("broken pipe"));
        assert_eq!(message(r#"{"message":"no"}"#).as_deref(), Some("no"));
        assert_eq!(message(r#"{"message":7}"#).as_deref(), Some(r#"{"message":7}"#));
        assert_eq!(message("null").as_deref(), Some("null"));
        assert_eq!(message(r#""\ud800""#).as_deref(), Some("\u{fffd}\u{fffd}\u{fffd}"));
        assert_eq!(Failure::new("  ").message(), SPEECHLESS);
        let long = alloc::format!("\"{}\"", "é".repeat(5000));
        assert!(message(&long).is_some_and(|m| m.len() <= 4096 && m.starts_with('é')));
    }
}
