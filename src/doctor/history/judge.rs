//! What transcripts and journal mean together.

use super::transcripts::{Hook, Outcome, Session};
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::{State, Status};
use crate::doctor::scene::Scene;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A call this much later than the last mark of its session has left none.
const LATE: u64 = 60_000;
/// The most sessions and commands that are named.
const NAMED: usize = 10;

/// What ran was not what was decided: somebody else's hook changed it in between.
pub(super) fn rewritten(records: &[Value], found: &mut Findings) {
    let broken = |r: &&Value| r["type"] == "tool/result" && r["sealed"] == "broken";
    let calls: Vec<&Value> = records.iter().filter(broken).collect();
    let Some(last) = calls.last() else {
        let kept = records.iter().filter(|r| r["sealed"] == "kept").count();
        if kept > 0 {
            found.right("foreign-rewrite", format!("{kept} calls ran as they were decided on"));
        }
        return;
    };
    let word = |key: &str| last[key].as_str().unwrap_or("?").to_owned();
    let (tool, session, call) = (word("tool"), word("session"), word("call"));
    let what = format!("{} calls ran with another input than was decided on", calls.len());
    found.add(
        Finding::new("foreign-rewrite", what)
            .see(format!("last: {tool} in session {session} (call {call})"))
            .fix("look for a hook that returns `updatedInput`: `harness doctor foreign-hooks`"),
    );
}

/// Before a person has accepted a folder, an interactive session starts no hook in it.
pub(super) fn untrusted(scene: &Scene, found: &mut Findings) {
    let around = &scene.around;
    let name = match &around.config_dir {
        Some(folder) => folder.join(".claude.json"),
        None => around.home.join(".claude.json"),
    };
    let root = around.git_root.as_ref().unwrap_or(&around.cwd);
    let read = || serde_json::from_slice::<Value>(&std::fs::read(&name).ok()?).ok();
    let Some(state) = read() else { return };
    let said = |folder: &std::path::Path| {
        state["projects"][&*folder.to_string_lossy()]["hasTrustDialogAccepted"].as_bool()
    };
    let parents = around.cwd.ancestors().filter_map(said);
    let accepted = parents.chain(said(root)).any(|a| a);
    if accepted {
        found.right("untrusted", "the client trusts this folder");
    } else if said(root) == Some(false) {
        found.add(
            Finding::new(
                "untrusted",
                "this folder is not trusted yet, so an interactive session starts no hook",
            )
            .see(format!("{}: projects.{}", around.shown(&name), root.display()))
            .fix("start the client here and answer its question about the folder"),
        );
    }
}

/// Sessions with calls of which no hook of ours was told, or was told no longer.
pub(super) fn not_called(
    sessions: &[Session],
    records: &[Value],
    since: u64,
    found: &mut Findings,
) {
    let mut marks: BTreeMap<&str, u64> = BTreeMap::new();
    for record in records {
        if let Some(session) = record["session"].as_str() {
            let mark = marks.entry(session).or_default();
            *mark = (*mark).max(record["ts"].as_u64().unwrap_or_default());
        }
    }
    let mut sorted: Vec<&Session> = sessions.iter().collect();
    sorted.sort_by(|a, b| a.id.cmp(&b.id));
    let mut told = 0_usize;
    for session in sorted {
        let Some(last) = session.last_use.filter(|at| *at > since) else { continue };
        let finding = match marks.get(session.id.as_str()) {
            Some(mark) if last > mark.saturating_add(LATE) && *mark > since => Finding::new(
                "not-called",
                "sessions went on calling tools after the last call that our hooks were told of",
            )
            .kind("stopped")
            .status(Status::Warn)
            .fix("restart these sessions, then run `harness doctor --live`"),
            Some(_) => {
                told += 1;
                continue;
            }
            None if session.began.is_none_or(|began| began < since) => Finding::new(
                "not-called",
                "sessions that began before the install go on without our hooks",
            )
            .kind("older")
            .status(Status::Warn)
            .fix("restart these sessions: a client reads new hooks when it starts, or when you open `/hooks`"),
            None => Finding::new(
                "not-called",
                "sessions called tools after the install, and no hook of ours was started",
            )
            .hits(Some(State::Unknown), None)
            .fix("run `harness doctor --live`: it shows whether this client calls them"),
        };
        found.add(finding.see(format!("session {}", session.id)));
    }
    if told > 0 {
        found.right("not-called", format!("{told} sessions called our hooks"));
    }
}

/// Errors and time-outs that the client wrote down since the install.
pub(super) fn errors(sessions: &[Session], own: &[String], since: u64, found: &mut Findings) {
    let mut bad: BTreeMap<(bool, &str), Vec<&Hook>> = BTreeMap::new();
    let mut gone = BTreeSet::new();
    for session in sessions {
        for hook in session.hooks.iter().filter(|h| h.at > since) {
            match &hook.outcome {
                Outcome::Well(_) => continue,
                Outcome::Failed { stderr, .. } if is_folder_gone(stderr) => {
                    gone.insert(session.id.as_str());
                }
                _ => {
                    let ours = own.contains(&hook.command);
                    bad.entry((ours, hook.command.as_str())).or_default().push(hook);
                }
            }
        }
    }
    if !gone.is_empty() {
        let what = "the folder of a session was gone, so the client could start no hook there";
        let mut finding = Finding::new("cwd-gone", what)
            .see("the client says that `/bin/sh` is missing; it is the folder that is")
            .fix("end these sessions and start them in a folder that exists");
        for id in gone.iter().take(NAMED) {
            finding = finding.see(format!("session {id}"));
        }
        found.add(finding);
    }
    let ran = sessions.iter().flat_map(|s| &s.hooks).filter(|h| h.at > since).count();
    if ran > 0 {
        found.right("cwd-gone", format!("{ran} hooks were started where they could be"));
        found.right("history", format!("the client wrote down {ran} hooks, and no failure"));
    }
    let mut bad: Vec<_> = bad.into_iter().collect();
    bad.sort_by_key(|(_, hooks)| std::cmp::Reverse(hooks.len()));
    for ours in [true, false] {
        let of: Vec<_> = bad.iter().filter(|((o, _), _)| *o == ours).collect();
        let total: usize = of.iter().map(|(_, hooks)| hooks.len()).sum();
        if total == 0 {
            continue;
        }
        let whose = if ours { "our hooks" } else { "hooks of others" };
        let what = format!("the client wrote down {total} failures of {whose} since the install");
        let mut finding = Finding::new("history", what)
            .kind(if ours { "ours" } else { "others" })
            .fix("run `harness doctor` again after what is named is mended and installed again");
        if !ours {
            finding = finding
                .status(Status::Note)
                .fix("mend or remove them; harness never changes what isn't its own");
        }
        for ((_, command), hooks) in of.into_iter().take(NAMED) {
            finding = finding.see(told(command, hooks));
        }
        found.add(finding);
    }
}

fn told(command: &str, hooks: &[&Hook]) -> String {
    let last = hooks.iter().max_by_key(|h| h.at);
    let how = last.map(|hook| match &hook.outcome {
        Outcome::Late(ms) => format!("{} not in time ({ms} ms)", hook.event),
        Outcome::Failed { code, stderr } => {
            let said: String = stderr.chars().take(120).collect();
            format!("{} exit {code}: {}", hook.event, said.trim())
        }
        Outcome::Well(_) => hook.event.clone(),
    });
    let command: String = command.chars().take(160).collect();
    format!("{} times, last {}: {command}", hooks.len(), how.unwrap_or_default())
}

/// The system names the program where it means the folder that it should start in.
fn is_folder_gone(stderr: &str) -> bool {
    stderr.contains("ENOENT") && stderr.contains("spawn") && stderr.contains("/bin/sh")
}

/// Whether what our hook said at a session's start is where the model gets it.
pub(super) fn context(sessions: &[Session], own: &[String], since: u64, found: &mut Findings) {
    let said = |s: &Session| -> Option<String> {
        let ours = s.hooks.iter().filter(|h| h.event == "SessionStart" && own.contains(&h.command));
        ours.rev().find_map(|h| match &h.outcome {
            Outcome::Well(stdout) => context_of(stdout),
            _ => None,
        })
    };
    let newest = sessions.iter().filter(|s| s.began.is_some_and(|b| b > since));
    let Some((session, said)) = newest.filter_map(|s| Some((s, said(s)?))).next() else { return };
    if session.context.iter().any(|c| c.contains(said.trim())) {
        found.right(
            "context-undelivered",
            format!("the context of session {} is in its transcript", session.id),
        );
        return;
    }
    found.add(
        Finding::new(
            "context-undelivered",
            "our hook spoke at the start of the newest session, and the model did not get it",
        )
        .see(format!("session {}: {}", session.id, session.file.display()))
        .hits(None, Some(State::Unknown))
        .fix("run `harness doctor --live`: it shows what reaches the model"),
    );
}

fn context_of(stdout: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(stdout).ok()?;
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str()?;
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// Subagents that called tools, and no mark of one in a session that has left marks.
pub(super) fn subagents(sessions: &[Session], records: &[Value], since: u64, found: &mut Findings) {
    let mut known = BTreeSet::new();
    let mut with_agent = BTreeSet::new();
    for record in records {
        let Some(session) = record["session"].as_str() else { continue };
        known.insert(session);
        if record["agent"].is_string() {
            with_agent.insert(session);
        }
    }
    let used = sessions
        .iter()
        .filter(|s| s.last_agent_use.is_some_and(|at| at > since) && known.contains(s.id.as_str()));
    let (seen, unseen): (Vec<&Session>, Vec<&Session>) =
        used.partition(|s| with_agent.contains(s.id.as_str()));
    if unseen.is_empty() {
        if !seen.is_empty() {
            let what = format!("our hooks were told of subagents in {} sessions", seen.len());
            found.right("subagent-unproven", what);
        }
        return;
    }
    let what = "subagents called tools, and no call of one was told to our hooks";
    let mut finding = Finding::new("subagent-unproven", what)
        .fix("run `harness doctor --live`; until it shows otherwise, don't count on the gate in subagents of this client");
    for session in unseen.into_iter().take(NAMED) {
        finding = finding.see(format!("session {}", session.id));
    }
    found.add(finding);
}

#[cfg(test)]
mod tests {
    use super::super::transcripts::slug;
    use super::{context_of, is_folder_gone};
    use std::path::Path;

    #[test]
    fn small_things() {
        assert_eq!(slug(Path::new("/a b/한.c")), "-a-b---c");
        assert!(is_folder_gone("ENOENT: no such file or directory, posix_spawn '/bin/sh'"));
        assert!(!is_folder_gone("ENOENT: no such file or directory, posix_spawn '/no/such'"));
        assert!(!is_folder_gone("/bin/sh: 1: /no/such/prog: not found"));
        assert_eq!(
            context_of(r#"{"hookSpecificOutput":{"additionalContext":"x"}}"#).as_deref(),
            Some("x")
        );
        assert_eq!(context_of("{}"), None);
    }
}
