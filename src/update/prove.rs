//! What a program has to show: as a candidate, before anything is changed, and in its place.

use crate::hosts::claude_code::places::Scope;
use crate::hosts::{EventName, HostId};
use crate::install::manifest::{self, Manifest, Registered};
use crate::install::run::bounded;
use crate::install::{Surroundings, verify};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A version, a denial, its harmless twin, a greeting: by a program that nobody calls yet.
///
/// # Errors
/// In words: what it didn't do.
pub fn candidate(program: &Path, version: &str, around: &Surroundings) -> Result<(), String> {
    says(program, version)?;
    let entries = [EventName::PreToolUse, EventName::SessionStart].map(|event| {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let mut args: Vec<String> =
            ["hook", HostId::ClaudeCode.as_str(), event.as_str()].map(str::to_owned).into();
        for (flag, folder) in [
            ("--config", &around.harness.config),
            ("--state", &around.harness.state),
            ("--cache", &around.harness.cache),
        ] {
            args.extend([flag.to_owned(), path(folder)]);
        }
        Registered {
            host: HostId::ClaudeCode.as_str().to_owned(),
            scope: Scope::User,
            file: around.file(Scope::User),
            client: None,
            event: event.as_str().to_owned(),
            matcher: None,
            command: path(program),
            args: Some(args),
            timeout: 30,
            on_failure: None,
        }
    });
    verify::prove(&entries, Scope::User, around).map(drop)
}

fn says(program: &Path, version: &str) -> Result<(), String> {
    let mut command = Command::new(program);
    command.arg("--version");
    let ran = bounded(command, b"", Duration::from_secs(10))
        .map_err(|e| format!("it does not start: {e}"))?;
    let said = String::from_utf8_lossy(&ran.stdout).trim().to_owned();
    if ran.status.is_some_and(|s| s.success()) && said == format!("harness {version}") {
        return Ok(());
    }
    Err(format!("asked for its version it said `{said}`, not `harness {version}`"))
}

/// Lets the program in place write its entries anew, where that is needed, and proves them;
/// then its doctor must find the gate as alive as it was.
///
/// # Errors
/// In words: what failed.
pub fn in_place(
    program: &Path,
    version: &str,
    around: &Surroundings,
    was_alive: bool,
) -> Result<(), String> {
    says(program, version)?;
    let loaded = manifest::load(&around.harness);
    for (scope, folder) in loaded.get().map(scopes).unwrap_or_default() {
        let mut command = Command::new(program);
        command.args(["install", "--yes", "--json", "--scope", scope]);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        let ran = bounded(command, b"", Duration::from_secs(120));
        let ran = ran.map_err(|e| format!("its install does not start: {e}"))?;
        // Its entries may well be switched off by a setting that is none of ours.
        let done =
            serde_json::from_slice::<Value>(&ran.stdout).is_ok_and(|v| v["hosts"].is_array());
        if !done {
            let said = String::from_utf8_lossy(&ran.stderr);
            let said = said.lines().next().unwrap_or("nothing was said").to_owned();
            return Err(format!("its hooks for scope `{scope}` did not prove themselves: {said}"));
        }
    }
    if was_alive && !is_alive(program) {
        return Err("its doctor does not find the gate alive, as it was before".to_owned());
    }
    Ok(())
}

/// Whether a program's doctor finds the gate of some host alive.
#[must_use]
pub fn is_alive(program: &Path) -> bool {
    let mut command = Command::new(program);
    command.args(["doctor", "--json"]);
    let Ok(ran) = bounded(command, b"", Duration::from_secs(120)) else { return false };
    let report: Value = serde_json::from_slice(&ran.stdout).unwrap_or_default();
    let hosts = report["hosts"].as_array().cloned().unwrap_or_default();
    hosts.iter().any(|host| host["gate"]["state"] == "alive")
}

/// The scopes with entries, and the folder to stand in for those of a repository.
fn scopes(manifest: &Manifest) -> Vec<(&'static str, Option<PathBuf>)> {
    let mut found = Vec::new();
    for entry in &manifest.entries {
        let root = || entry.file.parent().and_then(Path::parent).map(Path::to_path_buf);
        let one = match entry.scope {
            Scope::User => ("user", None),
            Scope::Managed => ("managed", None),
            Scope::Project => ("project", root()),
            Scope::Local => ("local", root()),
        };
        // A repository that is gone needs nothing.
        let there = one.1.as_ref().is_none_or(|folder| folder.is_dir());
        if there && !found.contains(&one) {
            found.push(one);
        }
    }
    found
}
