//! Whether a change of permissions leaves files readable for who owns them: a client
//! starts no hook that it can't read of.

use harness_shell::{Command, Word};

/// Whether a command that changes permissions or owners leaves them readable.
pub(super) fn stay_readable(command: &Command) -> bool {
    let mut operands =
        command.args.iter().filter(|word| !is_option(&word.text) && !word.text.is_empty());
    match command.name() {
        "chmod" => operands.next().is_some_and(|mode| mode.literal && is_readable(&mode.text)),
        "chown" | "chgrp" => operands.next().is_some_and(is_self),
        _ => false,
    }
}

/// `-R`, but not `-rwx`, which is a mode.
fn is_option(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| {
        rest.starts_with('-') || !rest.chars().all(|c| "rwxXstugo,=+-".contains(c))
    })
}

fn is_readable(mode: &str) -> bool {
    if mode.bytes().all(|b| b.is_ascii_digit()) {
        let owner = mode.len().checked_sub(3).map_or("0", |at| mode.get(at..=at).unwrap_or("0"));
        // A folder must be entered, too.
        return owner.parse().is_ok_and(|bits: u8| bits & 0b100 != 0);
    }
    mode.split(',').all(clause)
}

/// `go-rwx`, `u+rwX`, `a=r`: whether the owner keeps reading.
fn clause(clause: &str) -> bool {
    let Some(at) = clause.find(['+', '-', '=']) else { return false };
    let (who, change) = clause.split_at_checked(at).unwrap_or((clause, ""));
    let owner = who.is_empty() || who.contains(['u', 'a']);
    let letters = change.get(1..).unwrap_or("");
    !owner
        || match change.chars().next() {
            Some('-') => !letters.contains(['r', 'x', 'X']),
            Some('=') => letters.contains('r'),
            _ => true,
        }
}

/// `$USER`, `$(whoami)`, `$(id -u):$(id -g)`, `:group`: the owner is who runs it.
fn is_self(owner: &Word) -> bool {
    let user = owner.text.split(':').next().unwrap_or("");
    user.is_empty()
        || matches!(
            user,
            "$USER"
                | "${USER}"
                | "$LOGNAME"
                | "$UID"
                | "$(whoami)"
                | "$(id -u)"
                | "$(id -un)"
                | "`whoami`"
        )
}

#[cfg(test)]
mod tests {
    use super::{is_option, is_readable};

    #[test]
    fn modes() {
        for good in ["755", "0644", "400", "u+rwX", "go-rwx", "-w", "a+r,o-x", "u=rw,go=", "+x"] {
            assert!(is_readable(good), "{good}");
        }
        for bad in ["000", "0", "077", "311", "a-r", "u-rwx", "-x", "=", "u=", "go-w,u=w", "x"] {
            assert!(!is_readable(bad), "{bad}");
        }
        assert!(is_option("-R") && is_option("--reference=x") && !is_option("-rw"));
    }
}
