//! What the client refuses in a settings file, and how much it drops for it.

use super::super::version::{Since, Version};
use super::events;
use harness_core::Json;

/// What is lost by a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drops {
    /// The whole file: hooks, permissions, all.
    File,
    /// The entry or its group.
    Entry,
    /// Nothing: the client warns at most.
    Nothing,
}

/// One thing the client refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where: `hooks.PreToolUse[0].hooks[1].timeout`.
    pub path: String,
    /// What is wrong.
    pub why: String,
    /// What is lost by it.
    pub drops: Drops,
    /// Whether it is an event name this client doesn't know.
    pub unknown_event: bool,
}

/// Everything the client refuses in a settings file that parses.
#[must_use]
pub fn problems(root: &Json<'_>, version: Version) -> Vec<Problem> {
    let mut found = Finder { version, drops: Drops::File, problems: Vec::new() };
    if !matches!(root, Json::Object(_)) {
        found.add("", "the file must hold an object");
        return found.problems;
    }
    found.want(root, "disableAllHooks", "true or false", |v| matches!(v, Json::Bool(_)));
    found.want(root, "permissions", "an object", |v| matches!(v, Json::Object(_)));
    found.want(root, "model", "a string", |v| matches!(v, Json::String(_)));
    match root.get("hooks") {
        None | Some(Json::Null) => {}
        Some(Json::Object(events)) => {
            for (name, groups) in events {
                found.event(&name.to_str(), groups);
            }
        }
        Some(_) => found.add("hooks", "must be an object"),
    }
    found.problems
}

struct Finder {
    version: Version,
    drops: Drops,
    problems: Vec<Problem>,
}

impl Finder {
    fn add(&mut self, path: &str, why: &str) {
        let problem = Problem {
            path: path.to_owned(),
            why: why.to_owned(),
            drops: self.drops,
            unknown_event: false,
        };
        self.problems.push(problem);
    }

    fn want(&mut self, of: &Json<'_>, key: &str, what: &str, fits: impl Fn(&Json<'_>) -> bool) {
        if of.get(key).is_some_and(|v| !fits(v)) {
            self.add(key, &format!("must be {what}"));
        }
    }

    fn event(&mut self, name: &str, groups: &Json<'_>) {
        let path = format!("hooks.{name}");
        if events::known(name, self.version) == Some(false) {
            let tolerated = self.version.has(Since::UnknownEvent);
            self.problems.push(Problem {
                path,
                why: format!("this client knows no event `{name}`"),
                drops: if tolerated { Drops::Nothing } else { Drops::File },
                unknown_event: true,
            });
            return;
        }
        self.drops = match name {
            "PreToolUse" | "PermissionRequest" => Drops::File,
            _ if self.version.has(Since::EntryDropped) => Drops::Entry,
            _ => Drops::File,
        };
        let Json::Array(groups) = groups else { return };
        for (i, group) in groups.iter().enumerate() {
            self.group(group, &format!("{path}[{i}]"));
        }
    }

    fn group(&mut self, group: &Json<'_>, path: &str) {
        if !matches!(group, Json::Object(_)) {
            return self.add(path, "must be an object");
        }
        if group.get("matcher").is_some_and(|m| !matches!(m, Json::String(_))) {
            self.add(&format!("{path}.matcher"), "must be a string");
        }
        match group.get("hooks") {
            Some(Json::Array(entries)) => {
                for (i, entry) in entries.iter().enumerate() {
                    self.entry(entry, &format!("{path}.hooks[{i}]"));
                }
            }
            Some(_) => self.add(&format!("{path}.hooks"), "must be an array"),
            None => self.add(path, "lacks `hooks`, an array"),
        }
    }

    fn entry(&mut self, entry: &Json<'_>, path: &str) {
        if !matches!(entry, Json::Object(_)) {
            return self.add(path, "must be an object");
        }
        let kind = entry.str_at("type");
        match kind.as_deref() {
            Some("command") => self.text(entry, path, "command"),
            Some("prompt" | "agent") => self.text(entry, path, "prompt"),
            Some("http") => self.text(entry, path, "url"),
            Some("mcp_tool") => {}
            Some(other) => {
                self.add(&format!("{path}.type"), &format!("`{other}` is no type of hook"));
            }
            None => self.add(path, "lacks `type`"),
        }
        self.attributes(entry, path);
    }

    fn attributes(&mut self, entry: &Json<'_>, path: &str) {
        let positive = |v: &Json<'_>| match v {
            Json::Number(n) => n.parse::<f64>().is_ok_and(|n| n > 0.0),
            _ => false,
        };
        self.field(entry, path, "timeout", "a number above 0", positive);
        self.field(entry, path, "shell", "`bash` or `powershell`", |v| {
            matches!(v.as_str().as_deref(), Some("bash" | "powershell"))
        });
        self.field(entry, path, "once", "true or false", |v| matches!(v, Json::Bool(_)));
        if self.version.has(Since::OnFailure) {
            self.field(entry, path, "onFailure", "`continue` or `block`", |v| {
                matches!(v.as_str().as_deref(), Some("continue" | "block"))
            });
        }
        if self.version.has(Since::ExecForm) {
            self.field(entry, path, "args", "an array of strings", |v| match v {
                Json::Array(words) => words.iter().all(|w| matches!(w, Json::String(_))),
                _ => false,
            });
        }
    }

    fn field(
        &mut self,
        entry: &Json<'_>,
        path: &str,
        key: &str,
        what: &str,
        fits: impl Fn(&Json<'_>) -> bool,
    ) {
        if entry.get(key).is_some_and(|v| !fits(v)) {
            self.add(&format!("{path}.{key}"), &format!("must be {what}"));
        }
    }

    fn text(&mut self, entry: &Json<'_>, path: &str, key: &str) {
        if !matches!(entry.get(key), Some(Json::String(_))) {
            self.add(path, &format!("lacks `{key}`, a string"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::version::Version;
    use super::{Drops, problems};
    use harness_core::json::{Limits, parse};

    fn drops(text: &str, version: Version) -> Option<Drops> {
        let parsed = parse(text.as_bytes(), Limits::default()).ok()?;
        problems(&parsed.value, version).first().map(|p| p.drops)
    }

    const BAD: [&str; 14] = [
        r#"[{"hooks":[{"type":"shout","command":"x"}]}]"#,
        r#"[{"hooks":[{"command":"x"}]}]"#,
        r#"[{"hooks":[{"type":"command"}]}]"#,
        r#"[{"hooks":[{"type":"command","command":"x","timeout":"5"}]}]"#,
        r#"[{"hooks":[{"type":"command","command":"x","timeout":0}]}]"#,
        r#"[{"hooks":[{"type":"command","command":"x","timeout":null}]}]"#,
        r#"[{"hooks":[{"type":"command","command":"x","shell":"zsh"}]}]"#,
        r#"[{"hooks":[{"type":"command","command":"x","onFailure":"deny"}]}]"#,
        r#"[{"hooks":[{"type":"command","command":"x","once":1}]}]"#,
        r#"[{"hooks":[{"type":"command","command":"x","args":"y"}]}]"#,
        r#"[{"matcher":null,"hooks":[]}]"#,
        r#"[{"matcher":7,"hooks":[]}]"#,
        r#"[{"matcher":"Bash"}]"#,
        r#"[{"type":"command","command":"x"}]"#,
    ];

    #[test]
    fn a_bad_gate_entry_drops_the_file() {
        for bad in BAD {
            let text = format!(r#"{{"hooks":{{"PreToolUse":{bad}}}}}"#);
            assert_eq!(drops(&text, Version::NEWEST_MEASURED), Some(Drops::File), "{bad}");
        }
    }

    #[test]
    fn a_bad_entry_elsewhere_drops_itself_since_it_was_measured() {
        for bad in BAD {
            let text = format!(r#"{{"hooks":{{"PostToolUse":{bad}}}}}"#);
            assert_eq!(drops(&text, Version::NEWEST_MEASURED), Some(Drops::Entry), "{bad}");
            assert_ne!(drops(&text, Version(2, 1, 240)), Some(Drops::Entry), "{bad}");
        }
    }

    #[test]
    fn what_old_clients_do_not_know_is_an_unknown_field_to_them() {
        let text = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","args":1,"onFailure":2}]}]}}"#;
        assert_eq!(drops(text, Version(2, 1, 100)), None);
    }

    #[test]
    fn top_keys_and_tolerated_oddities() {
        for bad in
            ["[]", "null", r#"{"hooks":[]}"#, r#"{"disableAllHooks":"true"}"#, r#"{"model":5}"#]
        {
            assert_eq!(drops(bad, Version::NEWEST_MEASURED), Some(Drops::File), "{bad}");
        }
        for fine in [
            "{}",
            r#"{"hooks":null}"#,
            r#"{"hooks":{"Stop":{}}}"#,
            r#"{"hooks":{"Stop":null},"new":1,"env":{"A":1}}"#,
            r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"","new":1}]}]}}"#,
        ] {
            assert_eq!(drops(fine, Version::NEWEST_MEASURED), None, "{fine}");
        }
    }

    #[test]
    fn an_unknown_event_dropped_the_file_once() {
        let text = r#"{"hooks":{"PreTooluse":[]}}"#;
        assert_eq!(drops(text, Version(2, 1, 100)), Some(Drops::File));
        assert_eq!(drops(text, Version(2, 1, 101)), Some(Drops::Nothing));
    }
}
