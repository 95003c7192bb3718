//! Post rules on a result: secrets taken out, or the result not to be used.

use harness_core::{Json, Reason, RuleId, Text, ToolCall};

use super::file::Post;
use super::glob;
use super::load::Loaded;
use super::{PostRuling, redact};

/// What every layer's post rules say; a block is stronger than a replacement.
pub(super) fn weigh(layers: &[Loaded], call: &ToolCall<'_>, result: &Json<'_>) -> PostRuling {
    let mut value = result.clone();
    let mut rules = Vec::new();
    for loaded in layers.iter().filter(|l| l.trusted()) {
        let Some(flat) = loaded.flat() else { continue };
        match flat.has_posts() {
            Ok(false) => continue,
            Ok(true) => {}
            Err(_) => return damaged(),
        }
        let Ok(rest) = flat.rest() else { return damaged() };
        for post in rest.posts.iter().filter(|p| concerns(p, call, result)) {
            let id = RuleId::named(post.id.to_owned());
            if !post.block.is_empty() {
                return PostRuling::Block(Reason::new(id, post.block.to_owned()));
            }
            let kinds: Vec<&redact::Kind> =
                post.redact.iter().filter_map(|name| redact::kind(name)).collect();
            if clean(&mut value, &kinds) {
                rules.push(id);
            }
        }
    }
    if rules.is_empty() {
        return PostRuling::Accept;
    }
    let mut bytes = Vec::new();
    value.write(&mut bytes);
    PostRuling::Replace(bytes, rules)
}

/// The rules that look at this tool's results.
pub(super) fn reviewers(layers: &[Loaded], tool: &str) -> Vec<RuleId> {
    let mut rules = Vec::new();
    for loaded in layers.iter().filter(|l| l.trusted()) {
        let Some(Ok(rest)) = loaded.flat().map(super::flat::Flat::rest) else { continue };
        let named = rest.posts.iter().filter(|post| names(post, tool));
        rules.extend(named.map(|post| RuleId::named(post.id.to_owned())));
    }
    rules
}

/// Whether a rule is for this tool.
pub(super) fn names(post: &Post<'_>, tool: &str) -> bool {
    post.tools.is_empty() || post.tools.iter().any(|t| glob::name(t, tool))
}

fn damaged() -> PostRuling {
    PostRuling::Block(Reason::new(
        RuleId::built_in("harness/policy"),
        "the compiled policy is damaged, so this result could not be checked",
    ))
}

fn concerns(post: &Post<'_>, call: &ToolCall<'_>, result: &Json<'_>) -> bool {
    names(post, call.tool())
        && (post.mentions.is_empty()
            || any_text(result, &|text| post.mentions.iter().any(|m| text.contains(m))))
}

fn any_text(root: &Json<'_>, test: &dyn Fn(&str) -> bool) -> bool {
    let mut todo = vec![root];
    while let Some(json) = todo.pop() {
        match json {
            Json::String(text) if test(&text.to_str()) => return true,
            Json::Array(items) => todo.extend(items),
            Json::Object(members) => todo.extend(members.iter().map(|(_, v)| v)),
            _ => {}
        }
    }
    false
}

/// Takes secrets out of every string; whether there were any.
fn clean(root: &mut Json<'_>, kinds: &[&redact::Kind]) -> bool {
    let mut changed = false;
    let mut todo = vec![root];
    while let Some(json) = todo.pop() {
        match json {
            Json::String(text) => {
                if let Some(new) = redact::redact(&text.to_str(), kinds.iter().copied()) {
                    *text = Text::from(new);
                    changed = true;
                }
            }
            Json::Array(items) => todo.extend(items),
            Json::Object(members) => todo.extend(members.iter_mut().map(|(_, v)| v)),
            _ => {}
        }
    }
    changed
}
