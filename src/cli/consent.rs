//! Questions to a person, and what widens: it needs no agent above, and a person's word.

use std::io::{self, BufRead, IsTerminal, Write};

use super::exit::Exit;
use super::out;
use super::passphrase::kept::{Kept, file};
use crate::home::Home;
use crate::install::{Surroundings, in_force};
use crate::sys::hidden::{self, Typed};
use crate::sys::person as agents;

/// What is said, the exit code, and what to do next.
pub type Failed = (String, Exit, Option<&'static str>);

/// How often a passphrase may be typed.
const TRIES: usize = 3;

/// A person's yes to something that widens.
///
/// # Errors
/// An agent runs this, the answer is no, nobody can be asked, or the passphrase isn't known.
pub fn widening(home: &Home, what: &str, question: &str, yes: bool) -> Result<(), Failed> {
    person(what)?;
    if !yes {
        if !answerable() {
            return Err((
                "there is no terminal to ask on".to_owned(),
                Exit::Usage,
                Some("run it in a terminal, or with `--yes`"),
            ));
        }
        match ask(question, false) {
            Ok(true) => {}
            _ => return Err(("nothing was changed".to_owned(), Exit::Usage, None)),
        }
    }
    passphrase(home)
}

/// Whether no agent runs this, as far as that can be seen.
///
/// # Errors
/// One does.
pub fn person(what: &str) -> Result<(), Failed> {
    let Some(agent) = agents::agent_above() else { return Ok(()) };
    let why = format!("this runs inside {agent}, and {what} is a person's to give");
    Err((why, Exit::Usage, Some("run it in a terminal of your own")))
}

/// The passphrase, where a person has set one: `--yes` doesn't stand for it.
///
/// # Errors
/// It isn't known, there is no terminal to type it on, or what is kept of it can't be read.
pub fn passphrase(home: &Home) -> Result<(), Failed> {
    let kept = Kept::read(&home.state).map_err(|why| unreadable(home, &why))?;
    let Some(kept) = kept else { return Ok(()) };
    for turn in 1..=TRIES {
        let typed = hidden("Passphrase: ")?;
        if kept.is(&typed).map_err(|why| (why, Exit::CouldNot, Some("nothing was changed")))? {
            return Ok(());
        }
        if turn < TRIES {
            out::note("that isn't it");
        }
    }
    let file = file(&home.state);
    let what = format!(
        "that isn't the passphrase; nothing was changed (forgotten? remove {} by hand)",
        file.display()
    );
    Err((what, Exit::Usage, None))
}

/// The passphrases of the homes that hooks here were registered with, but for `known`: who
/// takes such hooks out, or has them look elsewhere, takes its rules, knobs and passphrase
/// out of force too.
///
/// # Errors
/// As for [`passphrase`].
pub fn passphrases_in_force(around: &Surroundings, known: &Home) -> Result<(), Failed> {
    for home in in_force::homes(around).iter().filter(|home| home.state != known.state) {
        // One that can't be read is set too: the question then says so.
        if Kept::read(&home.state) != Ok(None) {
            let state = home.state.display();
            out::note(format!("note: hooks here look in {state}, where a passphrase is set"));
            passphrase(home)?;
        }
    }
    Ok(())
}

/// What is there in the place of a passphrase is none: then one is set that nobody knows.
pub(super) fn unreadable(home: &Home, why: &str) -> Failed {
    let what = format!("`{}`: {why}, so that nothing is widened", file(&home.state).display());
    (
        what,
        Exit::CouldNot,
        Some("remove it in a terminal of your own, then `harness passphrase --set`"),
    )
}

/// What a person types unseen.
///
/// # Errors
/// There is no terminal, or they give no answer.
pub(super) fn hidden(question: &str) -> Result<Vec<u8>, Failed> {
    match hidden::ask(question) {
        Ok(Typed::Line(line)) => Ok(line),
        Ok(Typed::End) => Err(("nothing was changed".to_owned(), Exit::Usage, None)),
        Ok(Typed::Interrupted) => Err(("nothing was changed".to_owned(), Exit::Interrupted, None)),
        Err(error) => Err((
            format!("a passphrase is typed on a terminal, and there is none ({error})"),
            Exit::Usage,
            Some("run it in a terminal of your own"),
        )),
    }
}

/// Whether a person sees a question and can answer it.
#[must_use]
pub fn answerable() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for a yes or no, a line at a time: an interrupt finds the terminal as it was. The end
/// of input is a no.
///
/// # Errors
/// The terminal can't be read or written.
pub fn ask(question: &str, default: bool) -> io::Result<bool> {
    answered(&mut io::stdin().lock(), &mut io::stderr().lock(), question, default)
}

fn answered(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    question: &str,
    default: bool,
) -> io::Result<bool> {
    let choices = if default { "[Y/n]" } else { "[y/N]" };
    loop {
        write!(output, "{question} {choices} ")?;
        output.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(output)?;
            return Ok(false);
        }
        match line.trim().to_ascii_lowercase().as_str() {
            "" => return Ok(default),
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => writeln!(output, "write `y` or `n`")?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::answered;

    fn said(typed: &str, default: bool) -> (bool, String) {
        let mut shown = Vec::new();
        let yes = answered(&mut typed.as_bytes(), &mut shown, "Install?", default).expect("memory");
        (yes, String::from_utf8(shown).expect("text"))
    }

    #[test]
    fn a_yes_is_said_or_the_default_and_the_end_is_a_no() {
        for (typed, by_default_yes, by_default_no) in [
            ("y\n", true, true),
            (" YES \r\n", true, true),
            ("n\n", false, false),
            ("no\n", false, false),
            ("\n", true, false),
            ("", false, false),
            ("maybe\ny\n", true, true),
            ("maybe\n", false, false),
        ] {
            assert_eq!(said(typed, true).0, by_default_yes, "{typed:?}");
            assert_eq!(said(typed, false).0, by_default_no, "{typed:?}");
        }
        assert_eq!(said("y\n", true).1, "Install? [Y/n] ");
        let again = said("sure\nn\n", false).1;
        assert_eq!(again, "Install? [y/N] write `y` or `n`\nInstall? [y/N] ");
    }
}
