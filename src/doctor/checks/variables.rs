//! What a project does to the environment that hooks start in.

use crate::doctor::finding::{Finding, Findings};
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::places::Scope;

/// Variables that decide which program runs or what is run before it, and how.
const LOADED: &[(&str, &str)] = &[
    ("PATH", "which program a name stands for"),
    ("BASH_ENV", "what bash runs before a hook"),
    ("ENV", "what a shell runs before a hook"),
    ("LD_PRELOAD", "what is loaded into programs"),
    ("LD_LIBRARY_PATH", "what is loaded into programs"),
    ("LD_AUDIT", "what is loaded into programs"),
    ("NODE_OPTIONS", "what node loads"),
    ("PYTHONPATH", "what Python loads"),
    ("PYTHONHOME", "what Python loads"),
    ("PERL5OPT", "what perl loads"),
    ("PERL5LIB", "what perl loads"),
    ("RUBYOPT", "what ruby loads"),
    ("RUBYLIB", "what ruby loads"),
];

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    for file in &scene.files {
        if !matches!(file.scope, Scope::Project | Scope::Local) {
            continue;
        }
        let shown = scene.around.shown(&file.path);
        for (name, _) in file.settings().map(|s| s.env.as_slice()).unwrap_or_default() {
            let Some(effect) = effect(name) else { continue };
            found.add(
                Finding::new("env-tampered", "a project's settings change how hooks are started")
                    .see(format!("{shown} env.{name}: {effect}"))
                    .fix(format!("take `{name}` out of {shown}, unless you put it there")),
            );
        }
    }
}

/// What a variable changes for hooks; `None` for one that is only data.
fn effect(name: &str) -> Option<&'static str> {
    let loaded = LOADED.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
    let prefixed =
        [("HARNESS_", "how harness itself works"), ("DYLD_", "what is loaded into programs")];
    let prefixed = prefixed.iter().find(|(p, _)| name.starts_with(p));
    loaded.or(prefixed).map(|(_, effect)| *effect)
}
