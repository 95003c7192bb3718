//! The terminal of the console: taken, drawn on, and given back however it ends.

use std::io::{self, Stdout, Write, stdout};
use std::mem::ManuallyDrop;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::board::Board;
use super::draw::draw;
use super::keys::{Next, View};
use crate::cli::consent::Failed;
use crate::cli::exit::Exit;
use crate::cli::knobs::Whose;
use crate::hosts::words;
use crate::sys::{fault, interrupt, terminal};

/// How long a signal may wait to be seen.
const PACE: Duration = Duration::from_millis(100);

/// Shows the board until a person has seen enough.
///
/// # Errors
/// The terminal can't be used.
pub(super) fn run(board: &mut Board, whose: &Whose) -> Result<Exit, Failed> {
    interrupt::note();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        give_back();
        before(info);
    }));
    let shown = show(board, whose);
    // It may have gone while something was drawn on it.
    let gone = shown.is_err() && !terminal::wait(Duration::ZERO);
    give_back();
    if gone {
        return Ok(Exit::Interrupted);
    }
    shown.map_err(|error| {
        (format!("the terminal: {error}"), Exit::CouldNot, Some("`harness console --plain`"))
    })
}

fn show(board: &mut Board, whose: &Whose) -> io::Result<Exit> {
    let colours = std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty());
    // Never dropped: that would complain on a terminal that is gone, and `give_back` does it all.
    let mut screen = ManuallyDrop::new(take()?);
    let mut view = View::new(board);
    let mut pause = Duration::ZERO;
    loop {
        screen.draw(|frame| draw(frame, board, &view, colours))?;
        // The waiting is ours, since the library reads on for ever from a terminal that is
        // gone; what it has read already, the system doesn't tell of again.
        if interrupt::came() || !terminal::wait(pause) {
            return Ok(Exit::Interrupted);
        }
        if !event::poll(Duration::ZERO)? {
            pause = PACE;
            continue;
        }
        pause = Duration::ZERO;
        let next = match event::read()? {
            Event::Key(key) => view.key(board, key),
            Event::Paste(text) => {
                view.pasted(&text);
                Next::Stay
            }
            _ => Next::Stay,
        };
        match next {
            Next::Stay => {}
            Next::Quit => return Ok(Exit::Done),
            Next::Write => {
                let _ = fault::point("console");
                // The question, if there is one, is put where all others are.
                give_back();
                view.note = match board.write(whose) {
                    Ok(said) => said,
                    Err((what, _, hint)) => words::line(&match hint {
                        Some(hint) => format!("error: {what}; {hint}"),
                        None => format!("error: {what}"),
                    }),
                };
                screen = ManuallyDrop::new(take()?);
                view.replay(board);
            }
        }
    }
}

fn take() -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
    Terminal::new(CrosstermBackend::new(stdout()))
}

/// Leaves the terminal as it was found; more than once does no harm.
fn give_back() {
    let _ = disable_raw_mode();
    let _ = execute!(stdout(), DisableBracketedPaste, LeaveAlternateScreen, Show);
    let _ = stdout().flush();
}
