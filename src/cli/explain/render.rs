//! A ruling in words and in JSON.

use harness_core::ToolCall;
use harness_core::verdict::VerdictView;
use harness_shell::{Command, Effect, EffectKind, Script};
use serde_json::{Value, json};

use crate::cli::out;
use crate::policy::kinds::EffectSet;
use crate::policy::{Cast, Layer, Ruling};

/// `explain --json`.
pub(super) fn json(ruling: &Ruling) -> String {
    json_with(ruling, None)
}

/// The same, with one more member.
pub(super) fn json_with(ruling: &Ruling, more: Option<(&str, Value)>) -> String {
    let script = ruling.script.as_ref();
    let commands: Vec<Value> =
        script.map_or_else(Vec::new, |s| s.commands.iter().map(command_json).collect());
    let opaque: Vec<Value> = script.map_or_else(Vec::new, |s| {
        s.opaque.iter().map(|o| json!({"at": o.at, "why": o.why, "text": o.text})).collect()
    });
    let mut value = json!({
        "schema": 1,
        "verdict": ruling.verdict.word(),
        "reason": ruling.verdict.reason().map(ToString::to_string),
        "rules": ruling.votes.iter().map(cast_json).collect::<Vec<_>>(),
        "commands": commands,
        "opaque": opaque,
    });
    if let (Some(members), Some((key, more))) = (value.as_object_mut(), more) {
        members.insert(key.to_owned(), more);
    }
    value.to_string()
}

fn cast_json(cast: &Cast) -> Value {
    json!({
        "id": cast.rule.as_str(),
        "file": cast.place.as_ref().map(|(file, _)| file.to_string_lossy()),
        "line": cast.place.as_ref().map(|(_, line)| line).filter(|line| **line > 0),
        "vote": cast.vote,
        "layer": layer(cast.layer),
    })
}

const fn layer(layer: Layer) -> &'static str {
    match layer {
        Layer::Managed => "managed",
        Layer::User => "user",
        Layer::Project => "project",
    }
}

fn command_json(command: &Command) -> Value {
    json!({
        "program": command.program.text,
        "args": command.args.iter().map(|w| w.text.as_str()).collect::<Vec<_>>(),
        "via": command.via,
        "effects": command.effects.iter().map(effect_json).collect::<Vec<_>>(),
    })
}

fn effect_json(effect: &Effect) -> Value {
    json!({
        "kind": word(effect.kind),
        "target": effect.target.as_ref().map(|w| w.text.as_str()),
        "recursive": effect.recursive,
        "forced": effect.forced,
    })
}

fn word(kind: EffectKind) -> &'static str {
    EffectSet::of(kind).words().next().unwrap_or("unknown")
}

/// The tree in words.
pub(super) fn words(ruling: &Ruling, call: &ToolCall<'_>, workspace: &str) {
    let verdict = match ruling.verdict.view() {
        VerdictView::NoObjection => "no objection: the host's own permissions go on".to_owned(),
        VerdictView::Ask(_) => "ask: a person must agree".to_owned(),
        VerdictView::Deny(_) => "deny: the call is stopped".to_owned(),
    };
    out::line(verdict);
    if let Some(reason) = ruling.verdict.reason() {
        out::line(format!("  why      {}", reason.sentence()));
        if let Some(instead) = reason.alternative() {
            out::line(format!("  instead  {instead}"));
        }
    }
    let root = if workspace.is_empty() { "none" } else { workspace };
    out::line(format!("call       {} in {} (workspace {root})", call.tool(), call.cwd()));
    if ruling.votes.is_empty() {
        out::line("rules      none spoke");
    }
    for (cast, first) in
        ruling.votes.iter().zip(std::iter::once(true).chain(std::iter::repeat(false)))
    {
        let label = if first { "rules" } else { "" };
        out::line(format!("{label:<10} {:<5} {} ({})", cast.vote, cast.rule, place(cast)));
    }
    if let Some(script) = &ruling.script {
        commands(script);
    }
}

/// An effect in words.
fn told(effect: &Effect) -> String {
    let down = if effect.recursive { ", with all below" } else { "" };
    match &effect.target {
        Some(target) => format!("{} {}{down}", word(effect.kind), target.text),
        None => format!("{}{down}", word(effect.kind)),
    }
}

fn place(cast: &Cast) -> String {
    match &cast.place {
        None => "built in".to_owned(),
        Some((file, 0)) => file.display().to_string(),
        Some((file, line)) => format!("{}:{line}", file.display()),
    }
}

fn commands(script: &Script) {
    for command in &script.commands {
        let args: Vec<&str> = command.args.iter().map(|w| w.text.as_str()).collect();
        let via = if command.via.is_empty() {
            String::new()
        } else {
            format!(" (through {})", command.via.join(", "))
        };
        let program = command.program.text.as_str();
        let words: Vec<&str> = std::iter::once(program).chain(args).collect();
        out::line(format!("runs       {}{via}", words.join(" ")));
        let mut shown: Vec<String> = Vec::new();
        for line in command.effects.iter().map(told) {
            if !shown.contains(&line) {
                out::line(format!("             {line}"));
                shown.push(line);
            }
        }
        for redirect in &command.redirects {
            let how = format!("{:?}", redirect.kind).to_lowercase();
            let text: String = redirect.target.text.chars().take(60).collect();
            out::line(format!("             redirect, {how} {text}"));
        }
    }
    for opaque in &script.opaque {
        out::line(format!("unread     {} ({})", opaque.text, opaque.why));
    }
}
