//! `harness demo`

use super::exit::Exit;
use super::install::fail;
use super::out;
use crate::doctor::live::client::Client;
use crate::doctor::report::{Evidence, Report, State};
use crate::doctor::scene::Scene;
use crate::doctor::{Request, effective::Switches, examine, probes};
use crate::hosts::claude_code::places::{Os, Scope};
use crate::install::{self, Failure, Surroundings, remove};
use crate::sys::{interrupt, paths};
use std::path::{Path, PathBuf};

/// Arguments of `harness demo`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// What must be denied; it is only ever asked about.
const FORBIDDEN: &str = "rm -rf /";
/// What must pass.
const HARMLESS: &str = "ls -la";
/// Settings of a person who cares about their layout.
const SETTINGS: &str = "{\n\t\"model\":   \"opus\",\n\n\t\"env\": {}\n}\n";

/// Runs `harness demo`.
pub fn run(_args: Args) -> Exit {
    interrupt::note();
    let home = match tempfile::Builder::new().prefix("harness-demo-").tempdir() {
        Ok(home) => home,
        Err(e) => {
            let hint = "set `TMPDIR` to a folder you may write to";
            out::error(format!("no temporary folder can be made: {e}"), Some(hint));
            return Exit::CouldNot;
        }
    };
    let root = home.path().to_path_buf();
    let shown = show(&root);
    // Whatever happened above, nothing stays.
    if let Err(e) = home.close() {
        out::error(format!("`{}` can't be removed: {e}", root.display()), Some("remove it by hand"));
        return Exit::CouldNot;
    }
    match shown {
        _ if interrupt::came() => Exit::Interrupted,
        Err(failure) => fail(&failure),
        Ok(false) => Exit::No,
        Ok(true) => {
            out::line("  left behind    nothing: the throw-away home is gone\n");
            out::line("Install it for real:  harness install     (take it out: harness uninstall)");
            out::line("Prove it any time:    harness doctor      (with your own client: --live)");
            Exit::Done
        }
    }
}

/// The whole show; whether all of it really happened.
fn show(root: &Path) -> Result<bool, Failure> {
    let root = root.canonicalize().map_err(could_not)?;
    let around = surroundings(&root);
    let settings = around.file(Scope::User);
    std::fs::create_dir_all(root.join("home/.claude")).map_err(could_not)?;
    std::fs::create_dir_all(&around.cwd).map_err(could_not)?;
    std::fs::write(&settings, SETTINGS).map_err(could_not)?;

    out::line("harness demo: everything happens in a throw-away home, nothing of yours is touched\n");
    let done = install::prepare(around.clone(), Scope::User, false)?.apply()?;
    let count = done.draft.entries.len();
    out::line(format!("  installed      {count} hooks into its Claude Code settings"));
    let mut fine = !interrupt::came() && calls(&around, &root);
    fine &= !interrupt::came() && verdicts(&around, &root);
    let removed = remove::apply(&around, &[Scope::User])?;
    if let Some(failure) = removed.failures.into_iter().next() {
        return Err(failure);
    }
    let restored = std::fs::read(&settings).is_ok_and(|now| now == SETTINGS.as_bytes());
    out::line(if restored {
        "  uninstalled    the settings are byte for byte as they were"
    } else {
        "  uninstalled    BUT the settings are not as they were"
    });
    Ok(fine && restored)
}

fn surroundings(root: &Path) -> Surroundings {
    let home = root.join("home");
    Surroundings {
        harness: paths::default_layout(&home),
        home,
        one_folder: None,
        config_dir: None,
        cwd: root.join("project"),
        git_root: None,
        os: Os::here(),
        path: std::env::var_os("PATH").unwrap_or_default(),
    }
}

fn request(around: &Surroundings, root: &Path) -> Request {
    Request {
        around: around.clone(),
        // The machine's own settings are no part of the show.
        managed: root.join("managed"),
        switches: Switches::default(),
        live: false,
        all_hooks: false,
        expected: Vec::new(),
        mounts: String::new(),
        windows_users: PathBuf::new(),
    }
}

/// One denied and one harmless call, through the host that is built in.
fn calls(around: &Surroundings, root: &Path) -> bool {
    let scene = Scene::look(&request(around, root));
    let denied = probes::ask(&scene, root, FORBIDDEN).flatten();
    let passed = probes::ask(&scene, root, HARMLESS) == Some(None);
    out::line("\n  the agent wants to run two commands (built-in host, hooks started as the client does)");
    match &denied {
        Some(reason) => out::line(format!("    {FORBIDDEN:<12} DENIED: {reason}")),
        None => out::line(format!("    {FORBIDDEN:<12} was NOT denied")),
    }
    out::line(format!("    {HARMLESS:<12} {}", if passed { "runs" } else { "was NOT let through" }));
    denied.is_some() && passed
}

/// Doctor's two verdicts, by the real client where there is one.
fn verdicts(around: &Surroundings, root: &Path) -> bool {
    let mut request = request(around, root);
    request.live = Client::on_path().is_some();
    let report = examine(&request, &|_| {});
    out::line("");
    let Some(host) = report.hosts.first() else { return false };
    let delivered = [&host.gate, &host.soft].iter().all(|c| c.evidence == Evidence::Delivered);
    match (request.live, delivered, &host.version) {
        (true, true, Some(version)) => {
            out::line(format!("  doctor         by the real client on your search path, Claude Code {version}:"));
            given(&report);
        }
        (true, ..) => out::line("  doctor         by the built-in host (the client on your search path could not be driven):"),
        _ => out::line("  doctor         by the built-in host (no client is on your search path):"),
    }
    for (name, channel) in [("gate", &host.gate), ("soft", &host.soft)] {
        let state = match channel.state {
            State::Alive => "alive".to_owned(),
            State::Dead => format!("DEAD because of {}", channel.because.join(", ")),
            State::Unknown => "unknown".to_owned(),
        };
        let what = if name == "gate" { "a denial stops the call" } else { "context reaches the model" };
        out::line(format!("    {name}         {state}: {what}"));
    }
    out::line("");
    host.gate.state == State::Alive && host.soft.state == State::Alive
}

/// What the model was given in place of the forbidden call's result. The call is one that
/// any policy forbids, so its reason speaks of a file that nobody named so far.
fn given(report: &Report) {
    let gate = report.checks.iter().find(|c| c.id == "live-gate");
    if let Some(line) = gate.and_then(|c| c.evidence.first()) {
        out::line("    the client's model, a stand-in, was made to write into its own settings file, which could");
        out::line("    switch every hook off; nothing was written, and");
        out::line(format!("    {line}"));
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape `map_err` wants")]
fn could_not(e: std::io::Error) -> Failure {
    Failure::could_not(format!("the throw-away home can't be used: {e}"), None)
}
