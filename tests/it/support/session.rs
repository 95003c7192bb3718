//! A session between a client and the hook, without the client.

use serde_json::{Value, json};
use std::path::PathBuf;

use super::{Ran, Sandbox, pre_tool_use};

/// The session of the payloads that `pre_tool_use` makes.
fn session_of(payload: &str) -> String {
    let payload: Value = serde_json::from_str(payload).expect("json");
    payload["session_id"].as_str().expect("text").to_owned()
}

/// A session of a person who sits there, and the commands they type.
pub(crate) struct World {
    /// Where it all is.
    pub(crate) sandbox: Sandbox,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { sandbox: Sandbox::new() }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.sandbox.root().join("h")
    }

    pub(crate) fn cli(&self, args: &[&str]) -> Ran {
        self.sandbox.run(args).env("HARNESS_HOME", self.root()).go()
    }

    /// One event of the client.
    pub(crate) fn hook(&self, event: &str, payload: &str) -> Ran {
        let root = self.root();
        let home = root.to_str().expect("text");
        let args = ["hook", "claude-code", event, "--home", home, "--client", "2.1.332"];
        let project = self.sandbox.project();
        let run = self.sandbox.run(args).env("CLAUDE_PROJECT_DIR", project);
        // A person sits there.
        run.env("CLAUDE_CODE_ENTRYPOINT", "cli").stdin(payload).go()
    }

    /// What the hook says to a call: `none`, `ask` or `deny`, and why.
    pub(crate) fn verdict(&self, tool: &str, input: &Value) -> (String, String) {
        let ran = self.hook("PreToolUse", &pre_tool_use(&self.sandbox.project(), tool, input));
        if let Some(reason) = ran.denied() {
            return ("deny".to_owned(), reason);
        }
        if ran.stdout.is_empty() {
            return ("none".to_owned(), String::new());
        }
        let answer = ran.json();
        let answer = &answer["hookSpecificOutput"];
        let text = |key: &str| answer[key].as_str().unwrap_or("none").to_owned();
        (text("permissionDecision"), text("permissionDecisionReason"))
    }

    pub(crate) fn bash(&self, command: &str) -> String {
        self.verdict("Bash", &json!({ "command": command })).0
    }

    pub(crate) fn write(&self, file: &str) -> String {
        self.verdict("Write", &json!({"file_path": file, "content": "x"})).0
    }

    /// A call by its id, of the main agent or a subagent: the hook's answer.
    pub(crate) fn call(&self, id: &str, tool: &str, input: &Value, agent: Option<&str>) -> Ran {
        self.hook("PreToolUse", &self.payload("PreToolUse", id, tool, input, agent).to_string())
    }

    /// That call ran.
    pub(crate) fn ran(&self, id: &str, tool: &str, input: &Value) -> Ran {
        let mut payload = self.payload("PostToolUse", id, tool, input, None);
        payload["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false});
        self.hook("PostToolUse", &payload.to_string())
    }

    fn payload(
        &self,
        event: &str,
        id: &str,
        tool: &str,
        input: &Value,
        agent: Option<&str>,
    ) -> Value {
        let payload = pre_tool_use(&self.sandbox.project(), tool, input);
        let mut payload: Value = serde_json::from_str(&payload).expect("json");
        payload["hook_event_name"] = json!(event);
        payload["tool_use_id"] = json!(id);
        if let Some(agent) = agent {
            payload["agent_id"] = json!(agent);
            payload["agent_type"] = json!("general-purpose");
        }
        payload
    }

    /// Another event of the session.
    pub(crate) fn event(&self, event: &str, more: &[(&str, &str)]) -> Ran {
        let call = pre_tool_use(&self.sandbox.project(), "Bash", &json!({"command": "ls"}));
        let mut payload = json!({
            "session_id": session_of(&call), "cwd": self.sandbox.project(),
            "hook_event_name": event,
        });
        for (key, value) in more {
            payload[*key] = json!(value);
        }
        self.hook(event, &payload.to_string())
    }

    /// The journal's records of a type.
    pub(crate) fn records(&self, kind: &str) -> Vec<Value> {
        let log = self.cli(&["log", "--json"]).stdout;
        let records = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("json"));
        records.filter(|record| record["type"] == kind).collect()
    }

    /// Begins the session of all payloads here, and says its id.
    pub(crate) fn begin(&self) -> String {
        let call = pre_tool_use(&self.sandbox.project(), "Bash", &json!({"command": "ls"}));
        let session = session_of(&call);
        let payload = json!({
            "session_id": session, "cwd": self.sandbox.project(),
            "hook_event_name": "SessionStart", "source": "startup",
        });
        assert_eq!(self.hook("SessionStart", &payload.to_string()).status.code(), Some(0));
        session
    }

    pub(crate) fn knobs(&self, whose: &[&str]) -> (String, String, String) {
        let mut args = vec!["knob", "--json"];
        args.extend(whose);
        let shown = self.cli(&args).json();
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        (
            text(&shown["sandbox"]["value"]),
            text(&shown["approval"]["value"]),
            text(&shown["preset"]),
        )
    }

    pub(crate) fn inside(&self, file: &str) -> String {
        self.sandbox.project().join(file).to_str().expect("text").to_owned()
    }
}
