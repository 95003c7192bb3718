//! Code that can't be judged by its text, but names something protected.

use harness_shell::{Command, EffectKind};

use super::super::facts::{Facts, Unit};
use super::super::model::Say;
use super::Objection;
use super::class::Known;

/// Words that, next to a protected name, say that it is written.
const WRITING: &[&str] = &[
    "write", "'w", "\"w", "'a'", "\"a\"", "unlink", "remove", "rename", "rmtree", "rmdir", "chmod",
    "truncate", "replace", "copy", "move", "dump", "symlink", "system", "exec", "spawn", "delete",
    ">", "shutil", "sed -i",
];

/// Words that, next to a whole folder of settings, say that it is taken away.
const TAKING: &[&str] = &[
    "unlink", "remove", "rename", "rmtree", "rmdir", "chmod", "truncate", "symlink", "delete",
    "rmSync", ".rm(",
];

pub(super) fn check(
    facts: &Facts<'_>,
    unit: &Unit<'_>,
    command: &Command,
    known: &Known<'_>,
    out: &mut Vec<Objection>,
) {
    let unknown = unit.touches.iter().any(|t| t.kind == Some(EffectKind::ExecuteUnknown));
    if !is_interpreter(command.name()) && !unknown && command.program.literal {
        return;
    }
    let words = command.args.iter().map(|w| w.text.as_str());
    let texts = command
        .redirects
        .iter()
        .filter(|r| r.kind == harness_shell::RedirectKind::Text)
        .map(|r| r.target.text.as_str());
    let piped = command.piped_from.and_then(|i| facts.script.as_ref()?.commands.get(i));
    let fed = piped.into_iter().flat_map(|c| c.args.iter().map(|w| w.text.as_str()));
    let takes = |t: &str| TAKING.iter().any(|w| t.contains(w)) && Known::folder_named_in(t);
    let named: Vec<&str> =
        words.chain(texts).chain(fed).filter(|t| known.named_in(t) || takes(t)).collect();
    // A script's own path is not code; that it is protected is judged as an argument.
    let code: Vec<&str> = named.into_iter().filter(|t| t.contains([' ', '(', '\n', ';'])).collect();
    if !code.is_empty() {
        out.push(objection(&code.concat(), command.name()));
    }
}

/// What the line's reader could not read, if it names something protected.
pub(super) fn opaque(facts: &Facts<'_>, known: &Known<'_>, out: &mut Vec<Objection>) {
    let Some(script) = &facts.script else { return };
    let found = script.opaque.iter().find(|o| known.named_in(&o.text));
    if let Some(opaque) = found {
        out.push(objection(&opaque.text, opaque.why));
    }
}

fn objection(code: &str, who: &str) -> Objection {
    let writes = WRITING.iter().any(|w| code.contains(w));
    Objection::new(
        if writes { Say::Deny } else { Say::Ask },
        "self-protection/code",
        format!(
            "code that can't be read for certain ({who}) names a file that decides which hooks run"
        ),
        "read such files with `cat` or the Read tool; ask the person to change them",
    )
}

fn is_interpreter(name: &str) -> bool {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    matches!(
        bare,
        "python"
            | "pypy"
            | "node"
            | "nodejs"
            | "deno"
            | "bun"
            | "perl"
            | "ruby"
            | "php"
            | "lua"
            | "Rscript"
            | "R"
            | "osascript"
            | "tclsh"
            | "awk"
            | "gawk"
            | "mawk"
            | "ex"
            | "vim"
            | "vi"
            | "nvim"
            | "emacs"
            | "ed"
            | "sh"
            | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "fish"
            | "pwsh"
            | "powershell"
            | "cmd"
            | "eval"
            | "source"
            | "jshell"
            | "ghci"
            | "elixir"
            | "julia"
            | "swift"
            | "sqlite"
            | "guile"
    )
}
