//! Hooks of others that somebody should look at: new ones, those that use the network, and
//! those of two plugins that the client takes for one.

use super::reach::TOOLS;
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::foreign::plugins::template;
use crate::doctor::foreign::{described, met};
use crate::doctor::handler::Handler;
use crate::doctor::line;
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::decoder::matcher::{Fires, counts, fires, names_tools};
use crate::hosts::claude_code::decoder::{Since, pattern};
use crate::hosts::claude_code::tools;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    never(scene, found);
    newcomers(scene, found);
    collisions(scene, found);
}

/// Those whose matcher fits no tool, though it was surely meant to.
fn never(scene: &Scene, found: &mut Findings) {
    for handler in scene.foreign().into_iter().filter(|h| names_tools(&h.event)) {
        let matcher = handler.matcher.as_deref().filter(|m| *m != "*");
        let Some(why) = matcher.and_then(|m| misses(m, scene)) else { continue };
        found.add(
            Finding::new("matcher-dead", "hooks of others wait for a tool that never comes")
                .kind("foreign")
                .status(Status::Warn)
                .see(format!("{}: {why}", described(handler, scene.version)))
                .fix("write the tool's name as the client does, letter case and all"),
        );
    }
}

/// Why a matcher, or a part of it, fits nothing. What may be the name of a tool that isn't
/// known here is none of that.
fn misses(matcher: &str, scene: &Scene) -> Option<String> {
    if pattern::is_refused(matcher) {
        return Some(format!("`{matcher}` is no regular expression"));
    }
    let fits = |matcher: &str, tool: &str| fires(Some(matcher), tool, scene.version) != Fires::No;
    let part = |part: &str| {
        let part = part.trim();
        // `Bash(rm:*)` is how permissions are written.
        let name = part.split('(').next().unwrap_or(part);
        let meant = match tools::spelled_like(name) {
            Some(like) => like,
            None if name != part && tools::known(name) => name,
            None => return None,
        };
        let missed = !tools::known(part) && !fits(matcher, meant);
        missed.then(|| format!("`{part}` is not the tool `{meant}`"))
    };
    matcher.split(['|', ',']).find_map(part)
}

/// New ones and those that use the network. A first look has nothing to compare with: what
/// was not seen to be known isn't said to be.
fn newcomers(scene: &Scene, found: &mut Findings) {
    let before = met::before(&scene.around.harness);
    let news = before.news(scene);
    let since = news.since_ms.and_then(day);
    if let (Some(since), false) = (&since, news.new.is_empty()) {
        let message = format!("{} hooks of others are new since {since}", news.new.len());
        let finding = Finding::new("foreign-new", message)
            .kind("new")
            .fix("make sure that you know who brought them; `--all-hooks` runs them");
        found.add(news.new.iter().fold(finding, |f, h| f.see(described(h, scene.version))));
    }
    let talking: Vec<String> =
        scene.foreign().into_iter().filter_map(|h| talks(scene, h)).collect();
    if !talking.is_empty() {
        let message = format!("{} hooks of others use the network", talking.len());
        let finding = Finding::new("foreign-new", message)
            .kind("network")
            .fix("make sure that you know what they send and fetch, and that you want it");
        found.add(talking.iter().fold(finding, |f, line| f.see(line)));
    } else if news.new.is_empty()
        && news.complete
        && let Some(since) = since
    {
        let words = format!("none is new since {since}, and none is seen to use the network");
        found.right("foreign-new", words);
    }
}

fn day(ms: u64) -> Option<String> {
    let at = Timestamp::from_millisecond(i64::try_from(ms).ok()?).ok()?;
    Some(at.to_zoned_datetime(TimeZone::system()).strftime("%F %H:%M").to_string())
}

/// A hook that uses the network, and with what.
fn talks(scene: &Scene, handler: &Handler) -> Option<String> {
    let with = match handler.kind.as_str() {
        "http" => vec!["the client itself".to_owned()],
        "command" => line::on_network(handler, &scene.around),
        _ => Vec::new(),
    };
    let shown = described(handler, scene.version);
    (!with.is_empty()).then(|| format!("{shown} (by {})", with.join(", ")))
}

/// Hooks of two plugins that differ in nothing but the plugin's folder: an older client
/// compares them before it puts the folder in, and starts one.
fn collisions(scene: &Scene, found: &mut Findings) {
    let mut one: BTreeMap<String, Vec<&Handler>> = BTreeMap::new();
    for handler in scene.foreign().into_iter().filter(|h| h.kind == "command") {
        if let Some(template) = template(handler) {
            let key = format!("{template:?} {} {:?}", handler.event, handler.condition);
            one.entry(key).or_default().push(handler);
        }
    }
    for alike in one.values() {
        let together = |a: &Handler, b: &Handler| {
            let root = |h: &Handler| h.plugin.as_ref().map(|p| p.root.clone());
            root(a) != root(b) && meet(a, b, scene)
        };
        let hit = |h: &&&Handler| alike.iter().any(|other| together(h, other));
        let hit: Vec<_> = alike.iter().filter(hit).collect();
        let Some(first) = hit.first() else { continue };
        let line = first.entry.command().unwrap_or_default();
        let apart = Since::PluginsApart.held_by(scene.version);
        let does = if apart {
            "this client starts each of them, and older ones only one"
        } else {
            "the client takes them for one and starts only one"
        };
        let message = format!("hooks of plugins are the same words, `{line}`: {does}");
        let mut finding = Finding::new("template-collision", message)
            .kind(if apart { "older-clients" } else { "lost" })
            .fix("update the client, or switch one of the plugins off");
        if apart {
            finding = finding.status(Status::Note);
        }
        found.add(hit.iter().fold(finding, |f, h| f.see(described(h, scene.version))));
    }
}

/// Whether some occasion meets both.
fn meet(a: &Handler, b: &Handler, scene: &Scene) -> bool {
    let on = |h: &Handler| h.matcher.clone().filter(|m| counts(&h.event) && m != "*");
    let (a, b) = (on(a).unwrap_or_default(), on(b).unwrap_or_default());
    let fits = |matcher: &str, tool: &str| fires(Some(matcher), tool, scene.version) != Fires::No;
    a == b
        || a.is_empty()
        || b.is_empty()
        || TOOLS.iter().any(|tool| fits(&a, tool) && fits(&b, tool))
}
