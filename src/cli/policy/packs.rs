//! `harness policy packs`: the built-in packs.

use serde_json::{Value, json};

use crate::cli::exit::Exit;
use crate::cli::out;
use crate::cli::scene::Scene;
use crate::policy::packs::{self, Pack};
use crate::policy::protect;

pub(super) fn run(scene: &Scene, as_json: bool) -> Exit {
    let is_on = |pack: &Pack| scene.policy.packs().iter().any(|p| p.name == pack.name);
    if as_json {
        let mut all: Vec<Value> = packs::ALL
            .iter()
            .map(|p| json!({"name": p.name, "about": p.about, "on": is_on(p), "rules": p.rules().count()}))
            .collect();
        all.push(json!({
            "name": packs::SELF_PROTECTION, "about": ABOUT, "on": true, "rules": protect::RULES.len(),
        }));
        out::line(json!({"schema": 1, "packs": all}).to_string());
        return Exit::Done;
    }
    for pack in packs::ALL {
        let on = if is_on(pack) { "on" } else { "off" };
        out::line(format!(
            "{:<16} {on:<4} {:>3} rules  {}",
            pack.name,
            pack.rules().count(),
            pack.about
        ));
    }
    let rules = protect::RULES.len();
    out::line(format!("{:<16} {:<4} {rules:>3} rules  {ABOUT}", packs::SELF_PROTECTION, "on"));
    Exit::Done
}

const ABOUT: &str = "harness, hooks and settings against the agent; always on";
