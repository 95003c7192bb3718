//! The same denial for other tools, other spellings of the path, text full of escapes, and
//! payloads of some size.

use super::gate::denied;
use super::start::{Answer, Setting, Twist, start};
use super::{Part, cause, payload};
use crate::doctor::finding::Finding;
use crate::doctor::handler::Handler;
use crate::doctor::report::Status;
use crate::hosts::claude_code::places::Os;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Sent at once.
const LANES: usize = 4;
/// Over what an argument or a variable may hold, and what a tool may well write.
const SIZES: [usize; 2] = [200 << 10, 2 << 20];
/// What a shell that unpacks its input twice takes for its own.
const ESCAPES: &str = "a\nb\tc\\d\\n\"e\" 'f'\r\n";

/// A call that must be denied, and what it means if it isn't; or the twin of one, which must
/// not be.
struct Probe {
    tool: &'static str,
    input: Value,
    otherwise: Finding,
    twin: bool,
}

pub(super) fn probe(setting: Setting<'_>, handler: &Handler, part: &mut Part) {
    let policy = payload::policy(setting, handler);
    let harmless = setting.folder.join("harmless.txt");
    let waiting: VecDeque<Probe> = tools(&policy, false)
        .into_iter()
        .chain(tools(&harmless, true))
        .chain(spellings(setting, &policy))
        .chain(texts(&policy))
        .collect();
    let sent = waiting.iter().filter(|p| !p.twin).count();
    let waiting = Mutex::new(waiting);
    let broken = Mutex::new(Vec::new());
    std::thread::scope(|threads| {
        for _ in 0..LANES {
            threads.spawn(|| {
                while let Some(probe) = waiting.lock().ok().and_then(|mut w| w.pop_front()) {
                    let sent = payload::call(setting, probe.tool, &probe.input);
                    let answer = start(setting, handler, &sent, Twist::default());
                    if denied(&answer) == probe.twin
                        && let Ok(mut broken) = broken.lock()
                    {
                        broken.push((probe, answer));
                    }
                }
            });
        }
    });
    let mut broken: Vec<(Probe, Answer)> = broken.into_inner().unwrap_or_default();
    broken.sort_by(|(a, _), (b, _)| a.otherwise.message.cmp(&b.otherwise.message));
    if broken.iter().all(|(p, _)| p.twin) {
        let what = format!("{sent} other tools, spellings and sizes are denied as well");
        part.found.right("write-tool-gap", what);
    }
    for (probe, answer) in broken {
        let mut finding = probe.otherwise;
        if !probe.twin {
            finding = finding.kills("PreToolUse");
        }
        finding.evidence.push(format!("{}: {}", probe.tool, head(&probe.input)));
        finding.evidence.extend(cause::shown(&answer, handler));
        part.found.add(finding);
    }
}

fn head(input: &Value) -> String {
    input.to_string().chars().take(120).collect()
}

/// Other tools that write: each names the path in its own way.
fn tools(path: &Path, twin: bool) -> Vec<Probe> {
    let quoted = path.to_string_lossy().replace('\'', "''");
    let of = |tool, input, id, what: &str| {
        // A person's own rules may forbid a tool: that it denies then shows nothing.
        let otherwise = if twin {
            Finding::new("denies-all", format!("a harmless write by {what} is denied too"))
                .status(Status::Note)
                .fix("if no rule of yours forbids that tool, report it")
        } else {
            Finding::new(id, format!("the gate denies a write by Write and not by {what}"))
        };
        Probe { tool, input, otherwise: otherwise.kind(tool), twin }
    };
    let edit = json!({ "old_string": "a", "new_string": "b" });
    vec![
        of(
            "Edit",
            json!({ "file_path": path, "old_string": "a", "new_string": "b" }),
            "write-tool-gap",
            "Edit",
        ),
        of(
            "MultiEdit",
            json!({ "file_path": path, "edits": [edit] }),
            "write-tool-gap",
            "MultiEdit",
        ),
        of(
            "NotebookEdit",
            json!({ "notebook_path": path, "new_source": "x" }),
            "write-tool-gap",
            "NotebookEdit",
        ),
        of(
            "mcp__files__write_file",
            json!({ "path": path, "content": "x" }),
            "write-tool-gap",
            "a server's tool",
        ),
        of(
            "PowerShell",
            json!({ "command": format!("Set-Content -Path '{quoted}' -Value probe") }),
            "shell-tool-gap",
            "PowerShell",
        ),
    ]
}

/// Other names of the same file.
fn spellings(setting: Setting<'_>, policy: &Path) -> Vec<Probe> {
    let mut names: Vec<(&'static str, PathBuf)> = Vec::new();
    if let (Some(folder), Some(name)) = (policy.parent(), policy.file_name()) {
        if let Some(own) = folder.file_name() {
            names.push(("parent", folder.join("..").join(own).join(name)));
        }
        let doubled = format!("{}/.//{}", folder.display(), name.to_string_lossy());
        names.push(("doubled", PathBuf::from(doubled)));
        let link = setting.folder.join("linked");
        if crate::sys::fs::link(folder, &link) {
            names.push(("link", link.join(name)));
        }
    }
    if setting.scene.around.os == Os::Linux
        && let Ok(below) = policy.strip_prefix("/")
    {
        names.push(("proc", Path::new("/proc/self/root").join(below)));
    }
    let of = |(kind, path): (&'static str, PathBuf)| Probe {
        tool: "Write",
        input: payload::write(&path, "probe"),
        otherwise: Finding::new(
            "path-spelling-gap",
            "the gate denies a path and not another spelling of it",
        )
        .kind(kind),
        twin: false,
    };
    names.into_iter().map(of).collect()
}

/// Other contents for the same path.
fn texts(policy: &Path) -> Vec<Probe> {
    let of = |text: &str, otherwise| Probe {
        tool: "Write",
        input: payload::write(policy, text),
        otherwise,
        twin: false,
    };
    let mangled = "the hook denies plain text, and fails where the payload is full of escapes";
    let mut all = vec![of(ESCAPES, Finding::new("payload-mangled", mangled))];
    for size in SIZES {
        let what = format!("the hook denies a small payload, and not one of {} KiB", size >> 10);
        let finding = Finding::new("size-limit", what).kind(format!("{}-kib", size >> 10));
        all.push(of(&"x".repeat(size), finding));
    }
    all
}
