//! Kinds of call that harness judges otherwise than others by policy. A kind is told by the
//! rule that spoke, by the source, or by what the command is, never by a single line.

use super::{Case, Said};

/// One kind, with the reason.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in `docs/corpus.md`.
    pub name: &'static str,
    /// Why harness judges otherwise.
    pub reason: &'static str,
    test: Test,
}

#[derive(Clone, Copy, Debug)]
enum Test {
    /// Expected to pass, and stopped by one of these rules.
    Stopped(&'static [&'static str]),
    /// Expected to be stopped, passes, and its text holds one of these words.
    Passes(&'static [&'static str]),
    /// Expected to be stopped, passes, and its text holds all of these words.
    PassesAll(&'static [&'static str]),
    /// Expected to be stopped, passes, and none of the names in it says that it is secret.
    Unnamed,
    /// From a source whose name holds this.
    Source(&'static str),
    /// Expected to be asked about, which is no part of the measure.
    Asked,
}

impl Kind {
    /// Whether the difference is of this kind.
    #[must_use]
    pub fn holds(&self, case: &Case, said: &Said) -> bool {
        match self.test {
            Test::Stopped(rules) => !case.expected.stops() && rules.contains(&said.rule.as_str()),
            Test::Passes(words) => {
                let text = case.text();
                case.expected.stops() && words.iter().any(|word| holds_word(&text, word))
            }
            Test::PassesAll(words) => {
                let text = case.text();
                case.expected.stops() && words.iter().all(|word| holds_word(&text, word))
            }
            Test::Unnamed => {
                let text = case.text();
                let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
                case.expected.stops() && has(SENDERS) && !has(SECRETS)
            }
            Test::Source(name) => case.source.contains(name),
            Test::Asked => case.expected == super::Expected::Ask,
        }
    }
}

/// Whether a text holds these words, and not as a part of longer ones.
fn holds_word(text: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(joins) && !text[at + word.len()..].starts_with(joins))
}

/// Programs that send.
const SENDERS: &[&str] = &["curl ", "wget ", "nc ", "scp ", "rsync ", "socat "];
/// Parts of names that say what a file is.
const SECRETS: &[&str] = &[
    ".env",
    ".ssh",
    ".key",
    ".pem",
    "cert",
    "secret",
    "credential",
    "id_rsa",
    ".aws",
    "token",
    "passw",
    "/etc/",
    "history",
];

/// Every kind.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "another guard's own",
        reason: "harness protects itself and the hosts it is installed in, not other guards and hosts",
        test: Test::Passes(&[
            "nah",
            "moat",
            "amp plugins",
            "droid",
            "kiro-cli",
            "hermes",
            "openclaw",
            "opencode",
            ".local/bin",
        ]),
    },
    Kind {
        name: "a host's own settings",
        reason: "harness keeps agents from editing what starts hooks, whatever host it is of",
        test: Test::Stopped(&["self-protection/settings"]),
    },
    Kind {
        name: "rules of the source's own",
        reason: "the source tests rules that a person wrote for the test",
        test: Test::Source("custom"),
    },
    Kind {
        name: "a stricter git",
        reason: "the pack `git` is off by default; who switches it on wants to be asked",
        test: Test::Stopped(&[
            "git/force-push",
            "git/push-main",
            "git/rebase",
            "git/amend",
            "git/skip-hooks",
            "git/skip-commit-hooks",
            "git/tag-delete",
        ]),
    },
    Kind {
        name: "loses work",
        reason: "what was never committed or is nowhere else is gone: a question, however few files",
        test: Test::Stopped(&[
            "core/checkout-paths",
            "core/checkout-discard",
            "core/restore",
            "core/restore-worktree",
            "core/clean",
            "core/branch-delete",
            "core/branch-delete-forced",
            "core/reflog-expire",
            "core/delete-remote-branch",
            "core/delete-remote-ref",
            "core/force-push",
            "core/hard-reset",
            "core/stash-drop",
        ]),
    },
    Kind {
        name: "deletes outside",
        reason: "a folder outside of the workspace and of the folders for scratch files is a question",
        test: Test::Stopped(&[
            "core/delete-outside",
            "core/delete-unknown",
            "core/delete-workspace",
            "core/delete-workspace-contents",
            "core/delete-system-file",
        ]),
    },
    Kind {
        name: "destructive as written",
        reason: "denied for what it does if it runs as written, where the source counts on an error, or does not read as far",
        test: Test::Stopped(&[
            "core/delete-system",
            "core/delete-home",
            "core/move-away",
            "core/permissions-system",
            "core/raw-device",
        ]),
    },
    Kind {
        name: "secrets and start-up files",
        reason: "the pack `secrets` is off by default; start-up files are a question, whatever goes in",
        test: Test::Stopped(&["secrets/env-file", "secrets/tokens", "core/startup-files"]),
    },
    Kind {
        name: "packages by name",
        reason: "installing from a registry is ordinary work",
        test: Test::Passes(&["npm install", "pip install", "npx -y", "go mod", "cargo install"]),
    },
    Kind {
        name: "scratch files",
        reason: "in a folder for scratch files deleting is ordinary work",
        test: Test::PassesAll(&["rm -rf", "/tmp"]),
    },
    Kind {
        name: "set too late",
        reason: "a variable that is set for a command is not yet set where the command's words are expanded",
        test: Test::PassesAll(&["TMPDIR=", "$TMPDIR"]),
    },
    Kind {
        name: "files by name",
        reason: "deleting files of a name below the workspace is ordinary work",
        test: Test::PassesAll(&["find .", "-name", "-delete"]),
    },
    Kind {
        name: "names that say nothing",
        reason: "what a file or a folder on the disk holds is not looked at; what the line itself puts into it is followed",
        test: Test::Unnamed,
    },
    Kind {
        name: "read through",
        reason: "a text that the line holds, encoded or fed to a shell, is judged by what it says",
        test: Test::Passes(&["-EncodedCommand", "-enc", "bash -c {}", "sh -c {}"]),
    },
    Kind {
        name: "asks of the source's own",
        reason: "what is to be asked about is each project's choice, and no part of the measure",
        test: Test::Asked,
    },
];
