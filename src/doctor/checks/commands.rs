//! What is wrong with a registered command line before anybody runs it.

use crate::doctor::finding::{Finding, Findings};
use crate::doctor::handler::Handler;
use crate::doctor::line;
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::places::Scope;
use crate::install::own;
use crate::sys::program::{Trouble, trouble};
use std::path::{Path, PathBuf};

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    for handler in scene.own() {
        unquoted(scene, handler, found);
    }
    let foreign = scene.foreign();
    for handler in scene.own().into_iter().chain(foreign.iter().copied()) {
        seconds(scene, handler, found);
        if handler.kind == "command" {
            relative(scene, handler, found);
        }
    }
    for handler in foreign.into_iter().filter(|h| h.kind == "command") {
        orphan(scene, handler, found);
    }
}

/// A path that the shell takes apart.
fn unquoted(scene: &Scene, handler: &Handler, found: &mut Findings) {
    let Some(argv) = own::unquoted(&handler.entry, scene.manifest()) else { return };
    let program = argv.first().cloned().unwrap_or_default();
    let seen = line::program(handler, &scene.around).unwrap_or_else(|| "nothing".to_owned());
    let finding = if program.contains('\\') {
        Finding::new("backslash-eaten", "the shell eats the backslashes of our program's path")
    } else {
        Finding::new("unquoted-path", "our program's path is not quoted, so the shell splits it")
    };
    let mut finding = finding
        .see(format!("{}: {}", handler.place(), handler.shown()))
        .see(format!("meant: `{program}`; started: `{seen}`"))
        .fix("run `harness doctor --fix`, or `harness install`: they write it quoted")
        .kills(&handler.event);
    if Path::new(&seen).exists() {
        finding = finding.see(format!("`{seen}` exists: another program than ours is started"));
    }
    found.add(finding);
}

/// The client counts in seconds.
fn seconds(scene: &Scene, handler: &Handler, found: &mut Findings) {
    let Some(limit) = handler.timeout.filter(|t| *t >= 1000.0 && *t % 1000.0 == 0.0) else {
        return;
    };
    let whose = if scene.is_ours(handler) { "our" } else { "a" };
    let what = format!(
        "{whose} hook's time limit is {:.0} minutes; was it meant in milliseconds?",
        limit / 60.0
    );
    found.add(
        Finding::new("timeout-unit", what)
            .see(format!("{}: timeout {limit}", handler.place()))
            .fix(format!("write {} if it was: the client counts in seconds", limit / 1000.0)),
    );
}

/// Whether a hook of every project names a file of one.
fn is_of_a_project(handler: &Handler) -> bool {
    handler.scope == Scope::User && handler.shown().contains("CLAUDE_PROJECT_DIR")
}

/// A program that depends on where the session is.
fn relative(scene: &Scene, handler: &Handler, found: &mut Findings) {
    let evidence = || format!("{}: {}", handler.place(), handler.shown());
    let warned = |finding: Finding| {
        if scene.is_ours(handler) { finding } else { finding.status(Status::Warn) }
    };
    if is_of_a_project(handler) {
        let what = "a hook in user settings names a project's file, which other projects lack";
        let finding = Finding::new("scope-mismatch", what).see(evidence());
        found.add(warned(
            finding.fix("register it in that project's settings, or give an absolute path"),
        ));
        return;
    }
    let Some(program) = line::program(handler, &scene.around) else { return };
    let inside = |path: &Path| {
        path.starts_with(&scene.around.cwd) && !scene.around.home.starts_with(&scene.around.cwd)
    };
    let hijacked = if program.contains('/') {
        Path::new(&program).is_relative() && !program.starts_with(['~', '$'])
    } else {
        let by_name = which::which_in(&program, Some(&scene.around.path), &scene.around.cwd);
        by_name.is_ok_and(|path| inside(&path))
    };
    if hijacked {
        let what = "a hook's program is whatever the session's folder holds under that name";
        let finding = Finding::new("cwd-hijack", what).see(evidence());
        found.add(warned(finding.fix("give an absolute path, or one below `$CLAUDE_PROJECT_DIR`")));
    }
}

/// Left behind by a tool that is gone, or never able to start: an error at every call, or
/// worse.
fn orphan(scene: &Scene, handler: &Handler, found: &mut Findings) {
    // That project's file is another finding's.
    if is_of_a_project(handler) {
        return;
    }
    if let Some(why) = line::unreadable(handler, &scene.around) {
        found.add(
            Finding::new("orphan-foreign", "hooks of other tools are no whole shell lines")
                .kind("line")
                .see(format!("{}: {why}: {}", handler.place(), handler.shown()))
                .fix("complete the line, or take the entry out: the shell refuses all of it"),
        );
        return;
    }
    let shell = handler.args.is_none();
    match line::only(handler, &scene.around).and_then(|words| in_the_way(scene, &words, shell)) {
        Some((program, Trouble::Missing)) => found.add(
            Finding::new("orphan-foreign", "hooks of other tools start programs that are gone")
                .see(format!("{}: `{program}` does not exist", handler.place()))
                .fix("take the entry out, or install that tool again"),
        ),
        Some((program, Trouble::NotStartable(kind, why))) => found.add(
            Finding::new("orphan-foreign", "hooks of other tools start what can't be started")
                .kind(kind)
                .see(format!("{}: `{program}`: {why}", handler.place()))
                .fix("mend that file, or take the entry out"),
        ),
        None => {}
    }
}

const INTERPRETERS: &[&str] =
    &["python", "python3", "node", "bash", "sh", "zsh", "ruby", "perl", "deno", "bun"];
/// Names that a shell answers itself.
const BUILTIN: &[&str] = &[
    ":", ".", "[", "cd", "echo", "eval", "exec", "exit", "export", "printf", "read", "source",
    "test", "true", "false",
];

/// What the words start, and what keeps it from being started.
fn in_the_way(scene: &Scene, words: &[String], shell: bool) -> Option<(String, Trouble)> {
    let (program, rest) = words.split_first()?;
    let path = |word: &str| -> Option<PathBuf> {
        match word.strip_prefix("~/") {
            Some(below) => Some(scene.around.home.join(below)),
            None => Path::new(word).is_absolute().then(|| PathBuf::from(word)),
        }
    };
    if let Some(path) = path(program) {
        // A shell runs an empty file as the script that it is.
        let harmless = |t: &Trouble| shell && matches!(t, Trouble::NotStartable("empty", _));
        return trouble(&path).filter(|t| !harmless(t)).map(|t| (program.clone(), t));
    }
    if program.contains('/') || BUILTIN.contains(&program.as_str()) {
        return None;
    }
    if which::which_in(program, Some(&scene.around.path), &scene.around.cwd).is_err() {
        return Some((program.clone(), Trouble::Missing));
    }
    let script = rest.first().filter(|_| INTERPRETERS.contains(&program.as_str()))?;
    path(script).filter(|p| !p.exists()).map(|_| (script.clone(), Trouble::Missing))
}
