//! Programs whose output is made to be evaluated: a shell's own set-up is not unseen code.

use harness_shell::Command;

const PRINTERS: &[&str] = &[
    "ssh-agent -s",
    "ssh-agent",
    "ssh-agent -c",
    "direnv hook",
    "direnv export",
    "brew shellenv",
    "/opt/homebrew/bin/brew shellenv",
    "pyenv init",
    "pyenv virtualenv-init",
    "rbenv init",
    "nodenv init",
    "goenv init",
    "fnm env",
    "mise activate",
    "mise env",
    "asdf exec",
    "zoxide init",
    "starship init",
    "conda shell.bash",
    "micromamba shell",
    "opam env",
    "luarocks path",
    "dircolors",
    "minikube docker-env",
    "minikube -p minikube docker-env",
    "docker-machine env",
    "thefuck --alias",
    "keychain",
    "lesspipe",
    "resize",
];

/// Whether the command evaluates what such a program prints.
pub(super) fn is(command: &Command) -> bool {
    let evaluated = if command.name() == "eval" {
        let [word] = command.args.as_slice() else { return false };
        word.text.as_str()
    } else if command.via.iter().any(|v| v == "eval") {
        command.program.text.as_str()
    } else {
        return false;
    };
    let inner = evaluated.strip_prefix("$(").and_then(|t| t.strip_suffix(')')).unwrap_or("");
    // One plain command: nothing chained, nothing substituted.
    !inner.contains(['$', '`', ';', '&', '|', '<', '>', '\n', '('])
        && PRINTERS.iter().any(|p| {
            inner.strip_prefix(p).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
}
