//! What widens needs a person: no agent above, and their word.

use super::exit::Exit;
use crate::sys::person;

/// What is said, the exit code, and what to do next.
pub type Failed = (String, Exit, Option<&'static str>);

/// A person's yes to something that widens.
///
/// # Errors
/// An agent runs this, the answer is no, or nobody can be asked.
pub fn widening(what: &str, question: &str, yes: bool) -> Result<(), Failed> {
    if let Some(agent) = person::agent_above() {
        let why = format!("this runs inside {agent}, and {what} is a person's to give");
        return Err((why, Exit::Usage, Some("run it in a terminal of your own")));
    }
    if yes {
        return Ok(());
    }
    match dialoguer::Confirm::new().with_prompt(question).default(false).interact_opt() {
        Ok(Some(true)) => Ok(()),
        Ok(_) => Err(("nothing was changed".to_owned(), Exit::Usage, None)),
        Err(_) => Err((
            "there is no terminal to ask on".to_owned(),
            Exit::Usage,
            Some("run it in a terminal, or with `--yes`"),
        )),
    }
}
