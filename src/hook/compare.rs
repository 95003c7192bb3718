//! Compares the settings a client reads with what install registered in them. Pure: it
//! is given texts.

use std::path::{Path, PathBuf};

use super::registered::Registered;
use crate::hosts::claude_code::caps;
use crate::hosts::claude_code::places::Scope;
use crate::settings::hooks::{Entry, Fate, list};
use crate::settings::syntax::{self, Node, Value};

/// A settings file as it is now.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whose.
    pub scope: Scope,
    /// Where.
    pub file: PathBuf,
    /// Its text; `Ok(None)`: there is none; an error says why it can't be read.
    pub text: Result<Option<String>, String>,
}

/// Something that takes our hooks out or makes them weaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weakness {
    /// The file it is in; `None` where several together do it.
    pub file: Option<PathBuf>,
    /// What it is, in a clause.
    pub what: String,
    /// A later scope repeats our command with weaker attributes, which win.
    pub repeated: bool,
}

impl Weakness {
    fn of(file: &Path, what: impl Into<String>) -> Self {
        Self { file: Some(file.to_path_buf()), what: what.into(), repeated: false }
    }
}

/// Everything that weakens `ours`. `all` stands in the client's order (user, project,
/// local, managed); files with entries of ours that are not in it are looked at as gone.
#[must_use]
pub fn weaknesses(ours: &[Registered], all: &[Settings]) -> Vec<Weakness> {
    let mut found = Vec::new();
    off_switches(ours, all, &mut found);
    let mut files: Vec<&Path> = ours.iter().map(|entry| entry.file.as_path()).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let here: Vec<&Registered> = ours.iter().filter(|entry| entry.file == file).collect();
        match all.iter().find(|settings| settings.file == file) {
            Some(settings) => own_file(&here, settings, &mut found),
            None => found.push(Weakness::of(file, "the file can't be found")),
        }
    }
    for settings in all {
        repeats(ours, settings, &mut found);
    }
    found
}

/// `disableAllHooks` and `allowManagedHooksOnly`.
fn off_switches(ours: &[Registered], all: &[Settings], found: &mut Vec<Weakness>) {
    let mut off: Option<&Settings> = None;
    let mut decided = false;
    for settings in all {
        let Some(root) = root(settings) else { continue };
        let managed = settings.scope == Scope::Managed;
        let switch = |key: &str| bool_at(&root, key);
        if managed && switch("disableAllHooks") == Some(true) {
            found.push(Weakness::of(&settings.file, "`disableAllHooks` switches every hook off"));
        }
        if managed
            && switch("allowManagedHooksOnly") == Some(true)
            && ours.iter().any(|entry| entry.scope != Scope::Managed.as_str())
        {
            found.push(Weakness::of(&settings.file, "`allowManagedHooksOnly` switches ours off"));
        }
        if !managed && let Some(value) = switch("disableAllHooks") {
            off = value.then_some(settings);
            decided = true;
        }
    }
    let exposed = ours.is_empty() || ours.iter().any(|e| e.scope != Scope::Managed.as_str());
    if decided
        && exposed
        && let Some(settings) = off
    {
        found.push(Weakness {
            file: None,
            what: format!(
                "`disableAllHooks` in {} switches every hook off",
                settings.file.display()
            ),
            repeated: false,
        });
    }
}

/// A file that holds entries of ours.
fn own_file(ours: &[&Registered], settings: &Settings, found: &mut Vec<Weakness>) {
    let file = settings.file.as_path();
    let text = match &settings.text {
        Ok(Some(text)) => text,
        Ok(None) => return found.push(Weakness::of(file, "the file is gone")),
        Err(why) => return found.push(Weakness::of(file, format!("it can't be read: {why}"))),
    };
    let client = ours.iter().map(|entry| entry.client).min().unwrap_or(caps::NEWEST_MEASURED);
    let listing = match list(text, client) {
        Ok(listing) => listing,
        Err(error) => {
            let what = format!("the client ignores the file, for it doesn't parse: {error}");
            return found.push(Weakness::of(file, what));
        }
    };
    if let Some(fault) = listing.file_dropped() {
        let what = format!("the client ignores the file for {} in line {}", fault.what, fault.line);
        return found.push(Weakness::of(file, what));
    }
    for registered in ours {
        let same: Vec<&Entry> = listing
            .entries
            .iter()
            .filter(|entry| !entry.shadowed && entry.fate == Fate::Kept)
            .filter(|entry| is_same(registered, entry) && entry.fields.get("if").is_none())
            .collect();
        if same.is_empty() {
            let what = format!("our `{}` hook is missing or changed", registered.event);
            found.push(Weakness::of(file, what));
            continue;
        }
        if !same.iter().any(|entry| covers(entry.matcher.as_deref(), registered.matcher.as_deref()))
        {
            let what = format!("the matcher of our `{}` hook is narrower", registered.event);
            found.push(Weakness::of(file, what));
        }
        for what in same.iter().filter_map(|entry| weaker(registered, entry)) {
            let what = format!("our `{}` hook {what}", registered.event);
            found.push(Weakness::of(file, what));
        }
    }
}

/// The same command elsewhere: the client runs it once, with the attributes of the later
/// scope.
fn repeats(ours: &[Registered], settings: &Settings, found: &mut Vec<Weakness>) {
    let Ok(Some(text)) = &settings.text else { return };
    let rank = |scope: &str| Scope::ALL.iter().position(|s| s.as_str() == scope);
    let later = |entry: &Registered| {
        entry.file != settings.file && rank(&entry.scope) <= rank(settings.scope.as_str())
    };
    if !ours.iter().any(later) {
        return;
    }
    let client = ours.iter().map(|entry| entry.client).max().unwrap_or(caps::NEWEST_MEASURED);
    let Ok(listing) = list(text, client) else { return };
    if listing.file_dropped().is_some() {
        return;
    }
    for registered in ours.iter().filter(|entry| later(entry)) {
        for entry in listing.entries.iter().filter(|entry| {
            entry.fate == Fate::Kept
                && is_same(registered, entry)
                && !entry.fields.contains_key("if")
        }) {
            if let Some(what) = weaker(registered, entry) {
                found.push(Weakness {
                    file: Some(settings.file.clone()),
                    what: format!(
                        "line {} repeats our `{}` hook, which then {what}",
                        entry.line, registered.event
                    ),
                    repeated: true,
                });
            }
        }
    }
}

fn is_same(registered: &Registered, entry: &Entry) -> bool {
    let args = registered.args.as_ref().map(|args| args.iter().map(String::as_str).collect());
    entry.event == registered.event
        && entry.text("type") == Some("command")
        && entry.command() == Some(registered.command.as_str())
        && entry.args() == args
}

/// What makes an entry weaker than it was registered, in a clause.
fn weaker(registered: &Registered, entry: &Entry) -> Option<String> {
    let truthy = |key: &str| {
        entry.fields.get(key).is_some_and(|v| !matches!(v, serde_json::Value::Bool(false)))
    };
    for key in ["async", "asyncRewake"] {
        if truthy(key) {
            return Some(format!("isn't waited for (`{key}`)"));
        }
    }
    if let (Some(now), Some(before)) = (entry.timeout(), registered.timeout)
        && now < before
    {
        return Some(format!("has {now} s instead of {before} s"));
    }
    if registered.on_failure.as_deref() == Some("block") && entry.on_failure() != Some("block") {
        return Some("lets calls pass when it fails (`onFailure` is gone)".into());
    }
    None
}

/// Whether a matcher covers at least what another does, as far as that can be told.
fn covers(now: Option<&str>, before: Option<&str>) -> bool {
    matches!(now, None | Some("" | "*" | ".*")) || now == before
}

fn root(settings: &Settings) -> Option<Node> {
    let text = settings.text.as_ref().ok()?.as_deref()?;
    syntax::parse(text).ok()
}

fn bool_at(root: &Node, key: &str) -> Option<bool> {
    match root.get(key)?.value.value {
        Value::Bool(value) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Settings, weaknesses};
    use crate::hook::registered::Registered;
    use crate::hosts::Version;
    use crate::hosts::claude_code::places::Scope;
    use std::path::PathBuf;

    fn ours() -> Registered {
        Registered {
            scope: "user".into(),
            file: "/u.json".into(),
            client: Version::new(2, 1, 332),
            event: "PreToolUse".into(),
            matcher: Some("*".into()),
            command: "/h".into(),
            args: Some(vec!["hook".into()]),
            timeout: Some(30.0),
            on_failure: Some("block".into()),
        }
    }

    fn settings(scope: Scope, file: &str, text: &str) -> Settings {
        Settings { scope, file: PathBuf::from(file), text: Ok(Some(text.into())) }
    }

    fn entry(fields: &str) -> String {
        format!(
            r#"{{"hooks":{{"PreToolUse":[{{"matcher":"*","hooks":[{{"type":"command","command":"/h","args":["hook"]{fields}}}]}}]}}}}"#
        )
    }

    const WHOLE: &str = r#","timeout":30,"onFailure":"block""#;

    fn of(user: &str, others: &[(Scope, &str)]) -> Vec<(String, bool)> {
        let mut all = vec![settings(Scope::User, "/u.json", user)];
        all.extend(others.iter().map(|(scope, text)| settings(*scope, &format!("/{scope}"), text)));
        weaknesses(&[ours()], &all).into_iter().map(|w| (w.what, w.repeated)).collect()
    }

    #[test]
    fn what_is_whole_has_no_weakness() {
        let whole = entry(WHOLE);
        assert_eq!(of(&whole, &[(Scope::Project, "{}"), (Scope::Local, "not json")]), []);
        assert_eq!(of(&whole, &[(Scope::Project, &whole)]), []);
        assert_eq!(of(&whole.replace("\"matcher\":\"*\",", ""), &[]), []);
        let more = entry(r#","timeout":60,"onFailure":"block","async":false"#);
        assert_eq!(of(&more, &[]), []);
    }

    #[test]
    fn every_way_to_weaken_an_entry_is_seen() {
        let whole = entry(WHOLE);
        for text in [
            "{}".to_owned(),
            String::new(),
            "[]".to_owned(),
            format!("// c\n{whole}"),
            whole.replace("/h", "/other"),
            whole.replace("[\"hook\"]", "[\"hook\",\"x\"]"),
            whole.replace("PreToolUse", "PostToolUse"),
            whole.replace("\"*\"", "\"Bash\""),
            whole.replace("30", "3"),
            whole.replace("\"30\"", "\"x\"").replace(":30", ":\"30\""),
            whole.replace("block", "continue"),
            entry(r#","timeout":30"#),
            entry(r#","timeout":30,"onFailure":"block","async":true"#),
            entry(r#","timeout":30,"onFailure":"block","if":"Bash(git *)""#),
            whole.replacen('{', "{\"disableAllHooks\":true,", 1),
            whole.replace("]}]}}", "]},{\"hooks\":[{\"type\":\"nope\"}]}]}}"),
        ] {
            assert_ne!(of(&text, &[]), [], "{text}");
        }
    }

    #[test]
    fn switches_follow_the_clients_precedence() {
        let whole = entry(WHOLE);
        let off = r#"{"disableAllHooks":true}"#;
        let on = r#"{"disableAllHooks":false}"#;
        assert_eq!(of(&whole, &[(Scope::Project, off)]).len(), 1);
        assert_eq!(of(&whole, &[(Scope::Project, off), (Scope::Local, on)]), []);
        assert_eq!(of(&whole, &[(Scope::Project, on), (Scope::Local, off)]).len(), 1);
        assert_eq!(of(&whole, &[(Scope::Managed, r#"{"allowManagedHooksOnly":true}"#)]).len(), 1);
        assert_eq!(of(&whole, &[(Scope::Project, r#"{"allowManagedHooksOnly":true}"#)]), []);
    }

    #[test]
    fn a_later_scope_that_repeats_us_weaker_is_seen() {
        let whole = entry(WHOLE);
        for fields in [
            r#","timeout":30,"onFailure":"block","async":true"#,
            r#","timeout":1,"onFailure":"block""#,
            r#","timeout":30"#,
        ] {
            let got = of(&whole, &[(Scope::Project, &entry(fields))]);
            assert!(matches!(got.as_slice(), [(_, true)]), "{fields} {got:?}");
        }
    }
}
