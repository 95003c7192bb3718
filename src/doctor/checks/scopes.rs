//! The same hook more than once, and what a scope can't hold.

use crate::doctor::effective::started;
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::handler::{Handler, OnFailure};
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::places::Scope;
use crate::install::words;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    let own = scene.own();
    let mut by_event: BTreeMap<&str, Vec<&Handler>> = BTreeMap::new();
    for handler in &own {
        by_event.entry(handler.event.as_str()).or_default().push(handler);
    }
    for (event, handlers) in by_event {
        repeated(event, &handlers, found);
    }
    weaker(scene, found);
    weak_scopes(&own, found);
}

fn repeated(event: &str, handlers: &[&Handler], found: &mut Findings) {
    let scopes: BTreeSet<Scope> = handlers.iter().map(|h| h.scope).collect();
    for scope in &scopes {
        let same: Vec<_> = handlers.iter().filter(|h| h.scope == *scope).collect();
        if same.len() > 1 {
            let mut finding = Finding::new(
                "duplicate-entry",
                format!("our hook is registered more than once in {scope} settings"),
            )
            .fix("run `harness install`: it leaves one of each");
            for handler in same {
                finding = finding.see(format!("{event}: {}", handler.place()));
            }
            found.add(finding);
        }
    }
    if scopes.len() > 1 {
        let mut finding =
            Finding::new("duplicate-scope", "our hook is registered in more than one scope")
                .fix("keep the strongest: `harness uninstall --scope …` takes the other out");
        for handler in handlers {
            finding = finding.see(format!("{event}: {}", handler.place()));
        }
        found.add(finding);
    }
}

/// A later scope that repeats our command wins, with its own attributes.
fn weaker(scene: &Scene, found: &mut Findings) {
    let active = scene.own_active();
    for event in ["PreToolUse", "ConfigChange", "SessionStart"] {
        let subject = match event {
            "PreToolUse" => "Write",
            "SessionStart" => "startup",
            _ => "user_settings",
        };
        let occasion = started(&active, event, subject, scene.version);
        for (before, after) in occasion.replaced {
            let Some(how) = weakens(before, after) else { continue };
            let finding = Finding::new(
                "duplicate-scope",
                format!(
                    "{} settings repeat our command {how}; the client takes theirs",
                    after.scope
                ),
            )
            .kind("weaker")
            .status(crate::doctor::report::Status::Fail)
            .see(after.place())
            .see(format!("replaces {}", before.place()))
            .fix(format!("take the entry out of {}", scene.around.shown(&after.file)));
            found.add(if after.asynchronous { finding.kills(event) } else { finding });
        }
    }
}

fn weakens(before: &Handler, after: &Handler) -> Option<&'static str> {
    if after.asynchronous && !before.asynchronous {
        Some("with `async`, so that nobody waits for its answer")
    } else if before.on_failure == Some(OnFailure::Block)
        && after.on_failure != Some(OnFailure::Block)
    {
        Some("without `onFailure`, so that a failure lets the call run")
    } else if after.limit() < before.limit() {
        Some("with a shorter time limit")
    } else {
        None
    }
}

fn weak_scopes(own: &[&Handler], found: &mut Findings) {
    let scopes: BTreeSet<Scope> = own.iter().map(|h| h.scope).collect();
    if scopes.contains(&Scope::Managed) {
        return;
    }
    for scope in scopes {
        let mut finding =
            Finding::new("scope-weak", format!("scope `{scope}` can't hold everything"))
                .kind(scope.as_str())
                .fix(words::STRONGER);
        for word in words::weaknesses(scope) {
            finding = finding.see(*word);
        }
        found.add(finding);
    }
}
