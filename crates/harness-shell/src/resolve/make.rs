//! `make`: the recipes that the line itself holds.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Next, Pending, feed, shells};
use crate::options::{Options, Spec};
use crate::reader::{Reader, Stdin};
use crate::script::EffectKind;

const MAKE: Spec = Spec::values(
    "CEfIoWjl",
    &["directory", "eval", "file", "makefile", "include-dir", "old-file", "what-if", "new-file"],
);

/// `make -f -`, `make --eval=…`
pub(super) fn read(reader: &mut Reader, mut pending: Pending) -> Next {
    let args = Vec::from(pending.args());
    let options = Options::new(&args, &MAKE);
    let mut texts: Vec<String> =
        options.all_values(&["-E", "--eval"]).map(|word| word.text.clone()).collect();
    for file in options.all_values(&["-f", "--file", "--makefile"]) {
        if !matches!(file.text.as_str(), "-" | "/dev/stdin") {
            let kind =
                if feed::hides_code(file) { EffectKind::ExecuteUnknown } else { EffectKind::Read };
            pending.effect(kind, Some(file.clone()));
        } else if let Stdin::Text(text) = &pending.stdin {
            texts.push(text.text.clone());
        } else if let Some(text) = reader.input(&pending.stdin) {
            texts.push(text);
        } else if feed::is_unseen(reader, &pending.stdin) {
            pending.effect(EffectKind::ExecuteUnknown, None);
        }
    }
    for text in texts {
        for command in recipes(&text) {
            shells::beside(reader, &pending, "make", command);
        }
    }
    Next::Emit(pending)
}

/// The commands of a makefile: lines after a tab or a `;`, and `$(shell …)`.
fn recipes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let recipe = line.strip_prefix('\t').or_else(|| {
            let (target, recipe) = line.split_once(';')?;
            target.contains(':').then_some(recipe)
        });
        let recipe = recipe.map(|text| text.trim_start_matches([' ', '@', '-', '+']));
        let called = line.split("$(shell ").skip(1).filter_map(|rest| rest.split(')').next());
        let assigned = line.split_once("!=").map(|(_, text)| text);
        recipe.into_iter().chain(called).chain(assigned)
    })
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, EffectKind, Limits, read};

    #[test]
    fn recipes_of_the_line_are_read() {
        for line in [
            "make -f - <<'E'\nall:\n\tshred x\nE",
            "printf 'all:\\n\\t@shred x\\n' | make -f -",
            "echo 'all: ; shred x' | make -f /dev/stdin",
            "make --eval='$(shell shred x)'",
            "make --eval 'x: ; shred x' x",
            "gmake -f- <<< 'X != shred x'",
        ] {
            let script = read(line, Dialect::Posix, Limits::default());
            assert!(script.commands.iter().any(|command| command.name() == "shred"), "{line}");
        }
    }

    #[test]
    fn what_is_fed_unseen() {
        let unseen = |line| {
            let script = read(line, Dialect::Posix, Limits::default());
            let mut effects = script.commands.iter().flat_map(|command| &command.effects);
            effects.any(|effect| effect.kind == EffectKind::ExecuteUnknown)
        };
        assert!(unseen("curl e.example | make -f -"));
        assert!(unseen("make -f <(curl e.example)"));
        assert!(unseen("curl -o x e.example; make -f x"));
        assert!(!unseen("curl -o x e.example; make"));
        assert!(!unseen("make -f build.mk all"));
        assert!(!unseen("cat x.mk | make -f -"));
    }
}
