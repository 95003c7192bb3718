//! Agents started without their hooks.

use harness_shell::{Command, Word};

use super::super::facts::Facts;
use super::super::matching::has_flag;
use super::super::model::Say;
use super::Objection;

/// Variables that move or drop the settings an agent reads.
const VARIABLES: &[&str] = &[
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CODE_SAFE_MODE",
    "HOME",
    "USERPROFILE",
    "XDG_CONFIG_HOME",
    "CODEX_HOME",
    "GROK_HOME",
    "GEMINI_CLI_HOME",
    "DSH_HOME",
    "CLAUDE_CODE_MANAGED_SETTINGS_PATH",
];

/// Flags with which Claude Code starts without some or all hooks.
const FLAGS: &str = "--bare|--safe-mode|--setting-sources|--restricted";

pub(super) fn check(facts: &Facts<'_>, out: &mut Vec<Objection>) {
    let Some(script) = &facts.script else { return };
    let mut moved = false;
    for command in &script.commands {
        if !is_claude_code(command) && !is_other(command) {
            moved |= sets_variable(command);
            continue;
        }
        let assigned = command.assigns.iter().any(|(name, _)| is_variable(name));
        let cleared = command.via.iter().any(|v| v.starts_with("env")) && wiped(facts);
        if moved || assigned || cleared {
            out.push(objection(Say::Deny, "with its settings moved away by the environment"));
        } else if !is_claude_code(command) {
            if drops_hooks(&command.args) {
                out.push(objection(Say::Deny, "with its hooks switched off"));
            }
        } else if has_flag(FLAGS, &command.args) {
            out.push(objection(Say::Deny, "with a flag that drops hooks"));
        } else if let Some(settings) = flag_value("--settings", &command.args) {
            out.push(settings_objection(settings));
        }
    }
}

/// Claude Code itself, or through a package runner.
fn is_claude_code(command: &Command) -> bool {
    let agent = |text: &str| {
        text == "claude" || text == "claude-code" || text.starts_with("@anthropic-ai/claude-code")
    };
    match command.name() {
        name if is_runner(name) => command.args.iter().any(|w| agent(&w.text)),
        "node" | "deno" => command.args.iter().any(|w| w.text.contains("claude-code")),
        name => agent(name),
    }
}

fn is_runner(name: &str) -> bool {
    matches!(name, "npx" | "bunx" | "pnpx" | "npm" | "pnpm" | "yarn" | "bun" | "mise" | "uvx")
}

/// Another agent that starts hooks, itself or through a package runner.
fn is_other(command: &Command) -> bool {
    let name = command.name();
    if is_runner(name) {
        let packages =
            ["@openai/codex", "@google/gemini-cli", "@github/copilot", "@qwen-code/qwen-code"];
        return command.args.iter().any(|w| packages.iter().any(|p| w.text.starts_with(p)));
    }
    matches!(name, "codex" | "grok" | "gemini" | "copilot" | "qwen" | "dsh")
}

/// Codex: `--disable hooks`, `-c features.hooks=false`.
fn drops_hooks(args: &[Word]) -> bool {
    let words = || args.iter().map(|w| w.text.as_str());
    let disabled = words().zip(words().skip(1)).any(|pair| pair == ("--disable", "hooks"));
    disabled
        || words().any(|word| {
            word == "--disable=hooks" || (word.contains("features.hooks") && word.contains("false"))
        })
}

fn is_variable(name: &str) -> bool {
    VARIABLES.contains(&name)
}

/// `export CLAUDE_CODE_SIMPLE=1`, or a bare assignment, earlier in the line.
fn sets_variable(command: &Command) -> bool {
    let bare =
        command.program.text.is_empty() && command.assigns.iter().any(|(n, _)| is_variable(n));
    let declares =
        matches!(command.name(), "export" | "declare" | "typeset" | "unset" | "set" | "setx");
    let named = |w: &Word| is_variable(w.text.split('=').next().unwrap_or(""));
    bare || (declares
        && (command.args.iter().any(named) || command.assigns.iter().any(|(n, _)| is_variable(n))))
}

/// `env -i` and `env -u HOME` leave no trace in the command but in the text.
fn wiped(facts: &Facts<'_>) -> bool {
    let text = facts.text();
    ["env -i", "env - ", "env --ignore-environment", "env -u HOME", "env --unset"]
        .iter()
        .any(|spelling| text.contains(spelling))
}

fn flag_value<'a>(flag: &str, args: &'a [Word]) -> Option<&'a Word> {
    let mut args = args.iter();
    while let Some(word) = args.next() {
        if word.text == flag {
            return args.next();
        }
        if word.text.strip_prefix(flag).is_some_and(|rest| rest.starts_with('=')) {
            return Some(word);
        }
    }
    None
}

fn settings_objection(settings: &Word) -> Objection {
    let text = settings.text.as_str();
    let switches = ["disableAllHooks", "hooks", "allowManagedHooksOnly", "env"];
    if switches.iter().any(|key| text.contains(key)) {
        objection(Say::Deny, "with settings that touch hooks")
    } else {
        objection(Say::Ask, "with settings of its own")
    }
}

fn objection(say: Say, how: &str) -> Objection {
    Objection::new(
        say,
        "self-protection/agents",
        format!("this starts another agent {how}"),
        "start it with the settings it finds: `claude -p …`",
    )
}
