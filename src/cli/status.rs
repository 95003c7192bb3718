//! `harness status`

use harness_core::World;
use harness_core::knobs::value::Knob;
use crate::policy::knobs::BUILT_IN;
use serde_json::{Value, json};

use super::exit::Exit;
use super::install::fail;
use super::passphrase::kept::{self, Kept};
use super::{log, out};
use super::policy::check::{waits, word};
use super::scene::{self, Scene};
use crate::hook::{limits, off};
use crate::install::status::{HostStatus, LiveStatus, Status, status};
use crate::install::{Surroundings, words};
use crate::journal::{audit, authority, place};
use crate::policy::remarks::{self, Remark};
use crate::sys::world::Machine;

/// Arguments of `harness status`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing; exit code 0 if installed and switched on, else 1
    #[arg(long, short)]
    quiet: bool,
}

/// Runs `harness status`.
pub fn run(args: Args) -> Exit {
    let around = match Surroundings::now() {
        Ok(around) => around,
        Err(failure) => return fail(&failure),
    };
    let status = status(&around);
    if args.json && !args.quiet {
        out::line(json(&status));
    } else if !args.quiet {
        show(&around, &status);
        show_policy();
    }
    if status.ok { Exit::Done } else { Exit::No }
}

/// The status, and beside it the policy in force here.
fn json(status: &Status) -> String {
    let mut value = serde_json::to_value(status).unwrap_or_default();
    if let (Some(members), Some(scene)) = (value.as_object_mut(), here()) {
        members.insert("policy".to_owned(), policy(&scene));
        members.insert("knobs".to_owned(), knobs(&scene));
        members.insert("off".to_owned(), json!({"until": off(&scene)}));
        members.insert("passphrase".to_owned(), passphrase(&scene));
        members.insert("journal".to_owned(), json!({"lost": lost(&scene)}));
    }
    value.to_string()
}

fn here() -> Option<Scene> {
    Scene::look(&scene::folder(None).ok()?)
}

/// Until when a person has silenced harness.
fn off(scene: &Scene) -> Option<u64> {
    off::until(&scene.home, Machine::new("").now_ms())
}

/// Whether what widens asks for a passphrase, and what is wrong with the one that is kept.
fn passphrase(scene: &Scene) -> Value {
    let kept = Kept::read(&scene.home.state);
    json!({"set": kept != Ok(None), "unreadable": kept.err()})
}

/// Why no record can be added to the journal.
fn lost(scene: &Scene) -> Option<String> {
    let file = place::audit(&scene.home.state);
    audit::refusal(&file).map(|why| format!("`{}`: {why}", file.display()))
}

/// Where what a person chose for new sessions can't be read, so that the strictest holds.
fn damaged(scene: &Scene) -> Option<String> {
    let file = place::person(&scene.home.state);
    let damage = authority::damage(&file, limits::AUTHORITY).filter(|damage| damage.counts)?;
    Some(format!("{}: {}", damage.place(&file.display().to_string()), damage.why))
}

/// The knobs that a session started here begins with.
fn knobs(scene: &Scene) -> Value {
    let ladder = scene.ladder();
    let now = ladder.now();
    json!({
        "sandbox": now.sandbox.word(),
        "approval": now.approval.word(),
        "preset": ladder.preset(&scene.policy.presets()),
        "damaged": damaged(scene),
    })
}

fn policy(scene: &Scene) -> Value {
    let files = scene.policy.layers().iter();
    let files: Vec<Value> =
        files.map(|l| json!({"file": l.path.to_string_lossy(), "state": word(l)})).collect();
    let packs: Vec<&str> = scene.policy.packs().iter().map(|pack| pack.name).collect();
    let (remarks, count) = remarks::of(&scene.policy);
    let warnings: Vec<&str> = remarks.iter().map(|remark| remark.what.as_str()).collect();
    json!({
        "files": files, "packs": packs, "rules": count.rules,
        "rules_with_examples": count.with_examples, "warnings": warnings,
    })
}

/// What of the policy needs a look; nothing if nothing does.
fn show_policy() {
    let Some(scene) = here() else { return };
    if let Some(until) = off(&scene) {
        let until = log::when(until);
        out::line(format!("off      all but self-protection is silent until {until}   harness off --end"));
    }
    if let Some(why) = lost(&scene) {
        out::line(format!("journal  records are lost: {why}"));
    }
    if let Some(why) = damaged(&scene) {
        out::line(format!("knobs    held to the strictest: {why}   harness doctor choice-damaged"));
    }
    match Kept::read(&scene.home.state) {
        Ok(None) => {}
        Ok(Some(_)) => out::line("phrase   what widens asks for a passphrase   harness passphrase"),
        Err(why) => {
            let file = kept::file(&scene.home.state);
            out::line(format!("phrase   nothing is widened: `{}`: {why}   remove it", file.display()));
        }
    }
    let ladder = scene.ladder();
    if ladder.now() != BUILT_IN {
        let now = ladder.now();
        let (sandbox, approval) = (now.sandbox.word(), now.approval.word());
        out::line(format!("knobs    sandbox {sandbox}, approval {approval}   harness knob"));
    }
    for loaded in scene.policy.layers().iter().filter(|l| l.broken().is_some()) {
        let file = loaded.path.display();
        out::line(format!("policy   {file}: broken   harness policy check"));
    }
    for loaded in scene.policy.layers().iter().filter(|l| waits(l)) {
        let file = loaded.path.display();
        out::line(format!("policy   {file}: what runs code in it waits   harness trust"));
    }
    let (remarks, count) = remarks::of(&scene.policy);
    // A lost guard is a problem of the installation, and told there.
    let told = |remark: &&Remark| !matches!(remark.kind, "no-examples" | "guard-lost");
    for remark in remarks.iter().filter(told) {
        out::line(format!("policy   {}: {}", remark.place(), remark.what));
    }
    let left = count.rules - count.with_examples;
    if left > 0 {
        out::line(format!(
            "policy   {left} of {} rules can't prove themselves   harness policy check",
            count.rules
        ));
    }
}

fn show(around: &Surroundings, status: &Status) {
    for host in &status.hosts {
        show_host(around, host);
    }
}

fn show_host(around: &Surroundings, host: &HostStatus) {
    for file in &host.ignored {
        let file = around.shown(file);
        out::line(format!("{}   installed, and ignored for a mistake in the file   {file}", host.id));
    }
    if !host.installed && host.ignored.is_empty() {
        out::line(format!("{}   not installed   harness install", host.id));
    }
    for scope in &host.scopes {
        let file = around.shown(&scope.file);
        let off = host.off_switches.iter().any(|s| s.hits.contains(&scope.scope));
        let state = if off { "switched off" } else { "installed" };
        let (name, events) = (scope.scope, scope.events.len());
        out::line(format!("{}   {state} ({name})   {events} events   {file}", host.id));
        for weakness in &scope.weaknesses {
            out::line(format!("  can't hold: {weakness}"));
        }
        if !scope.weaknesses.is_empty() {
            out::line(format!("  {}", words::STRONGER));
        }
    }
    for switch in &host.off_switches {
        let hits: Vec<&str> = switch.hits.iter().map(|s| s.as_str()).collect();
        out::line(format!("  off switch: `{}` at {} ({})", switch.name, switch.place, hits.join(", ")));
    }
    // What a client showed of hooks that are gone says nothing of now.
    if let Some(live) = host.live.as_ref().filter(|_| host.installed) {
        out::line(format!("  {}", told(live)));
    }
    for problem in &host.problems {
        out::line(format!("  problem: {problem}"));
    }
    if let Some(binary) = host.binary.as_ref().filter(|b| b.is_static == Some(false)) {
        let path = around.shown(&binary.path);
        out::line(format!("  dynamic-binary: {path} loads libraries that a repository's settings can name"));
    }
}

/// What the client itself showed last, in a line.
fn told(live: &LiveStatus) -> String {
    let proven = &live.proven;
    let ms = i64::try_from(proven.at_ms).unwrap_or(i64::MAX);
    let at = jiff::Timestamp::from_millisecond(ms).unwrap_or_default();
    let day = at.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%F").to_string();
    let (client, gate, soft) = (&proven.client, &proven.gate, &proven.soft);
    let line = format!("live: gate {gate}, soft {soft} in Claude Code {client} on {day}");
    match &live.expired {
        None => line,
        Some(why) => format!("{line}; expired: {why}; run `harness doctor --live` again"),
    }
}
