//! A post-execute decision that came from outside as a document.

use super::decision::{PostDecision, PostRuling};
use crate::execute::{Block, Context};
use crate::guard::StationError;
use crate::json::Json;
use crate::reason::RuleId;
use alloc::string::String;
use alloc::vec::Vec;

impl PostDecision {
    /// Reads `{"kind":"accept","content"?:[text…],"value"?:…,"contexts"?:[text…]}` or
    /// `{"kind":"block","feedback":[text…],"contexts"?:[text…]}`. A key that is present
    /// counts, `null` under `value` included.
    ///
    /// # Errors
    /// For anything else, content and value together among it.
    pub fn from_document(document: &Json<'_>, station: &RuleId) -> Result<Self, StationError> {
        let odd = |what: &'static str| StationError::new(station.clone(), what);
        let Json::Object(_) = document else { return Err(odd("a decision must be an object")) };
        let texts = |key| match document.get(key) {
            None => Ok(None),
            Some(list) => texts(list).map(Some).ok_or_else(|| odd("blocks must be texts")),
        };
        let contexts = texts("contexts")?.unwrap_or_default();
        let content = texts("content")?;
        let feedback = texts("feedback")?;
        let value = document.get("value");
        let blocks = |texts: Vec<String>| texts.into_iter().map(Block::Text).collect();
        let ruling = match (document.str_at("kind").as_deref(), content, value, feedback) {
            (Some("accept"), None, None, None) => PostRuling::Accept,
            (Some("accept"), Some(content), None, None) => {
                PostRuling::ReplaceContent(blocks(content))
            }
            (Some("accept"), None, Some(value), None) => {
                PostRuling::ReplaceValue(value.clone().into_owned())
            }
            (Some("accept"), Some(_), Some(_), None) => {
                return Err(odd("content and value cannot be replaced together"));
            }
            (Some("block"), None, None, Some(feedback)) => PostRuling::Block(blocks(feedback)),
            _ => return Err(odd("a decision must accept or block")),
        };
        Ok(Self { ruling, contexts: contexts.into_iter().map(Context::new).collect() })
    }
}

fn texts(list: &Json<'_>) -> Option<Vec<String>> {
    let Json::Array(items) = list else { return None };
    items.iter().map(|item| item.as_str().map(alloc::borrow::Cow::into_owned)).collect()
}
