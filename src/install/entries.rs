//! Which entries are wanted, in the form the client knows.

use super::clients::Clients;
use super::manifest::Registered;
use super::own;
use super::surroundings::Surroundings;
use crate::hook::limits::registered_timeout_s;
use crate::hosts::claude_code::caps;
use crate::hosts::claude_code::places::Scope;
use crate::hosts::{EventName, HostId};
use crate::policy::Policy;
use crate::settings::edit::Group;
use crate::settings::hooks::Entry;
use serde_json::{Map, Value, json};
use std::path::Path;

/// What the entries depend on.
#[derive(Clone, Debug)]
pub struct Wish<'a> {
    /// Where they go.
    pub scope: Scope,
    /// Project scope: those who lack harness are stopped, not just told.
    pub require: bool,
    /// The registered program.
    pub binary: &'a str,
    /// The installation's secret id.
    pub owner: &'a str,
    /// The clients that will read them.
    pub clients: &'a Clients,
    /// Which events it takes part in.
    pub policy: &'a Policy,
}

/// The entries that one installation wants in one file.
#[must_use]
pub fn wanted(wish: &Wish<'_>, around: &Surroundings) -> Vec<Registered> {
    // Whoever clones a project has some client or other.
    let lowest = match wish.scope {
        Scope::Project => caps::OLDEST,
        _ => wish.clients.lowest().unwrap_or(caps::OLDEST),
    };
    let file = around.file(wish.scope);
    let events = EventName::ALL.iter().copied();
    let events = events.filter(|e| caps::knows(*e, lowest) && takes_part(*e, wish.policy));
    let portable = wish.scope == Scope::Project;
    events
        .map(
            |event| {
                if portable {
                    shared(event, wish, &file)
                } else {
                    entry(event, wish, around, &file)
                }
            },
        )
        .collect()
}

pub(super) fn takes_part(event: EventName, policy: &Policy) -> bool {
    match event {
        EventName::UserPromptSubmit | EventName::SubagentStart => policy.uses(event),
        _ => true,
    }
}

/// For a project, shared: no secret, no absolute path, a form every client knows.
fn shared(event: EventName, wish: &Wish<'_>, file: &Path) -> Registered {
    let line = match event {
        EventName::SessionStart if !wish.require => own::GREETING.to_owned(),
        _ => format!("harness hook {} {}", HostId::ClaudeCode.as_str(), event.as_str()),
    };
    let on_failure = if wish.require { "block" } else { "continue" };
    Registered {
        host: HostId::ClaudeCode.as_str().to_owned(),
        scope: wish.scope,
        file: file.to_path_buf(),
        client: None,
        event: event.as_str().to_owned(),
        matcher: matcher(event),
        command: line,
        args: None,
        timeout: registered_timeout_s(event),
        on_failure: event.gates().then(|| on_failure.to_owned()),
    }
}

fn matcher(event: EventName) -> Option<String> {
    let tools = matches!(
        event,
        EventName::PreToolUse | EventName::PostToolUse | EventName::PostToolUseFailure
    );
    tools.then(|| "*".to_owned())
}

fn entry(event: EventName, wish: &Wish<'_>, around: &Surroundings, file: &Path) -> Registered {
    let args = arguments(event, wish, around);
    let exec = wish.clients.lowest().is_some_and(|v| v >= caps::EXEC_FORM);
    let (command, args) = if exec {
        (wish.binary.to_owned(), Some(args))
    } else {
        let words = std::iter::once(wish.binary).chain(args.iter().map(String::as_str));
        (words.map(sh_word).collect::<Vec<_>>().join(" "), None)
    };
    // An unknown field is tolerated by every version, so one client that honours it is
    // reason enough; none found may become one.
    let closes = wish.clients.highest().is_none_or(|v| v >= caps::ON_FAILURE);
    let closes = closes && event.gates() && caps::on_failure_works(event.as_str());
    Registered {
        host: HostId::ClaudeCode.as_str().to_owned(),
        scope: wish.scope,
        file: file.to_path_buf(),
        client: wish.clients.lowest().map(|v| v.to_string()),
        event: event.as_str().to_owned(),
        matcher: matcher(event),
        command,
        args,
        timeout: registered_timeout_s(event),
        on_failure: closes.then(|| "block".to_owned()),
    }
}

/// Everything the hook needs to find is in its arguments: its environment can be set by a
/// repository.
fn arguments(event: EventName, wish: &Wish<'_>, around: &Surroundings) -> Vec<String> {
    // The machine's file is read by every user of it: no secret, and each user's own folders.
    let owner = (wish.scope != Scope::Managed).then_some(wish.owner);
    let mut args = words(HostId::ClaudeCode, event, owner, around);
    if let Some(client) = wish.clients.lowest() {
        args.extend(["--client".to_owned(), client.to_string()]);
    }
    args
}

/// What a hook of a host is started with; without an owner it is every user's.
pub(super) fn words(
    host: HostId,
    event: EventName,
    owner: Option<&str>,
    around: &Surroundings,
) -> Vec<String> {
    let mut args: Vec<String> = ["hook", host.as_str(), event.as_str()].map(str::to_owned).into();
    let mut flag = |name: &str, value: String| args.extend([name.to_owned(), value]);
    let text = |path: &Path| path.to_string_lossy().into_owned();
    if let Some(owner) = owner {
        flag("--owner", owner.to_owned());
    }
    if let Some(root) = &around.one_folder {
        flag("--home", text(root));
    } else if owner.is_some() {
        flag("--config", text(&around.harness.config));
        flag("--state", text(&around.harness.state));
        flag("--cache", text(&around.harness.cache));
    }
    args
}

/// A word as a POSIX shell (and `PowerShell`, for plain paths) reads it back.
pub(super) fn sh_word(word: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/._-+:@%,=".contains(&b);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

impl Registered {
    /// The hook as it stands in the settings.
    #[must_use]
    pub fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("type".into(), "command".into());
        fields.insert("command".into(), self.command.as_str().into());
        if let Some(args) = &self.args {
            fields.insert("args".into(), args.clone().into());
        }
        fields.insert("timeout".into(), self.timeout.into());
        if let Some(on_failure) = &self.on_failure {
            fields.insert("onFailure".into(), on_failure.as_str().into());
        }
        fields
    }

    /// The group as it stands in the settings.
    #[must_use]
    pub fn group(&self) -> Group {
        let mut group = Map::new();
        if let Some(matcher) = &self.matcher {
            group.insert("matcher".into(), matcher.as_str().into());
        }
        group.insert("hooks".into(), json!([self.fields()]));
        Group { event: self.event.clone(), value: Value::Object(group) }
    }

    /// Whether a hook found in the settings is exactly this one.
    #[must_use]
    pub fn is(&self, found: &Entry) -> bool {
        found.event == self.event && found.matcher == self.matcher && found.fields == self.fields()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(sh_word("/usr/bin/harness"), "/usr/bin/harness");
        assert_eq!(sh_word("/home/o'neil $x 한글"), r"'/home/o'\''neil $x 한글'");
        assert_eq!(sh_word(""), "''");
    }
}
