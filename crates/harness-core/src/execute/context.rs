//! [`Block`] and [`Context`]: what the model is shown of a result, and beside it.

use crate::json::Json;
use alloc::string::String;
use alloc::vec::Vec;

/// A piece of a result's content.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Text.
    Text(String),
    /// Anything else, by its type's name.
    Other {
        /// The type, such as `image`.
        kind: String,
        /// The block as the host has it.
        body: Json<'static>,
    },
}

impl Block {
    /// One block of text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The blocks as one text: texts as they are, others as their type in brackets, joined
    /// by newlines.
    #[must_use]
    pub fn join(blocks: &[Self]) -> String {
        let pieces: Vec<String> = blocks
            .iter()
            .map(|block| match block {
                Self::Text(text) => text.clone(),
                Self::Other { kind, .. } => alloc::format!("[{kind}]"),
            })
            .collect();
        pieces.join("\n")
    }
}

/// Text for the model that travels beside a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The text.
    pub text: String,
}

impl Context {
    /// Context of this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}
