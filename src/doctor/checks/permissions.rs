//! The client's own rules and sandbox: what looks like protection in settings and is none.

use crate::doctor::effective::File;
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::places::{Os, Scope};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    for file in &scene.files {
        let Some(settings) = file.json() else { continue };
        rules(scene, file, &settings, found);
        sandbox(scene, file, &settings, found);
    }
}

/// The rules of a list: `permissions.deny` …
pub(in crate::doctor) fn list<'v>(settings: &'v Value, name: &str) -> Vec<&'v str> {
    let rules = settings["permissions"][name].as_array();
    rules.into_iter().flatten().filter_map(Value::as_str).collect()
}

fn rules(scene: &Scene, file: &File, settings: &Value, found: &mut Findings) {
    let shown = scene.around.shown(&file.path);
    for name in ["deny", "ask"] {
        let all: HashSet<&str> = list(settings, name).into_iter().collect();
        for rule in list(settings, name) {
            let Some((why, instead)) = ineffective(rule, &all, file) else { continue };
            found.add(
                Finding::new("rule-ineffective", "rules in settings protect nothing")
                    .see(format!("{shown} permissions.{name}: `{rule}` {why}"))
                    .fix(format!("write {instead}")),
            );
        }
    }
}

/// Why a rule protects nothing, and what was probably meant.
fn ineffective(rule: &str, all: &HashSet<&str>, file: &File) -> Option<(String, String)> {
    let (tool, path) = rule.strip_suffix(')')?.split_once('(')?;
    if !matches!(tool, "Read" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit") {
        return None;
    }
    let drive = path.as_bytes().get(1) == Some(&b':') && path.starts_with(char::is_alphabetic);
    if drive || path.contains('\\') {
        let letter = path.chars().next().unwrap_or('c').to_ascii_lowercase();
        let rest = path.get(2..).filter(|_| drive).unwrap_or(path).replace('\\', "/");
        let rest = rest.trim_start_matches('/');
        let instead =
            if drive { format!("`{tool}(//{letter}/{rest})`") } else { "it with `/`".to_owned() };
        return Some(("is never the form that paths are compared in".to_owned(), instead));
    }
    if tool != "Read" && tool != "Edit" {
        let twin = format!("Edit({path})");
        let why = "names a tool that path rules are not asked for".to_owned();
        return (!all.contains(twin.as_str())).then(|| (why, format!("`{twin}`")));
    }
    let below = path.strip_prefix('/').filter(|p| !p.starts_with('/'))?;
    let folder = file.path.parent()?;
    // A project's rules begin at its root, which the settings lie one folder below.
    let base = if file.scope == Scope::User { Some(folder) } else { folder.parent() }?;
    let first = below.split('/').next().filter(|f| !f.is_empty() && !f.contains('*'))?;
    let meant = Path::new("/").join(first).exists() && !base.join(first).exists();
    let why = format!("begins at the settings' folder: it is {}/{below}", base.display());
    meant.then(|| (why, format!("`{tool}(/{path})`: two slashes are the root")))
}

fn sandbox(scene: &Scene, file: &File, settings: &Value, found: &mut Findings) {
    let sandbox = &settings["sandbox"];
    if sandbox["enabled"] != Value::Bool(true) {
        return;
    }
    let shown = scene.around.shown(&file.path);
    let excluded = sandbox["excludedCommands"].as_array();
    let wide = excluded.into_iter().flatten().filter_map(Value::as_str);
    for command in wide.filter(|c| c.ends_with(":*") || c.trim() == "*") {
        found.add(
            Finding::new("sandbox-knob", "commands are left out of the client's sandbox")
                .kind("excluded")
                .see(format!("{shown} sandbox.excludedCommands: `{command}`"))
                .fix("name whole commands: what is excluded runs without the sandbox"),
        );
    }
    if sandbox["allowUnsandboxedCommands"] != Value::Bool(false) {
        found.add(
            Finding::new(
                "sandbox-knob",
                "the agent may ask for a command to run outside the sandbox, and in bypass mode nobody is asked",
            )
            .kind("escape")
            .status(Status::Note)
            .see(format!("{shown} sandbox.allowUnsandboxedCommands is not false"))
            .fix("set `allowUnsandboxedCommands` to false"),
        );
    }
    if scene.around.os == Os::Linux {
        let missing = |name: &&str| {
            which::which_in(name, Some(&scene.around.path), &scene.around.cwd).is_err()
        };
        for name in ["bwrap", "socat"].iter().filter(|n| missing(n)) {
            found.add(
                Finding::new("sandbox-knob", "the client's sandbox is on and can't work")
                    .kind("missing")
                    .see(format!("{shown} sandbox.enabled: `{name}` is not on the search path"))
                    .fix("install bubblewrap and socat"),
            );
        }
    }
}
