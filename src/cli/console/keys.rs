//! [`View`]: what the screen shows beside the board, and what a key does to both. No
//! terminal is known here.

use harness_core::knobs::value::Knob;
use harness_core::knobs::{ApprovalPolicy, SandboxMode};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::board::{Board, OPERATIONS, Recent};
use super::walk::{Person, Walk};

/// The longest line that can be typed.
const LONGEST: usize = 4_096;

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tab {
    /// Imagined calls.
    Play,
    /// Real ones.
    Recent,
}

/// What the arrows move in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Focus {
    Sandbox,
    Approval,
    Presets,
    List,
    Line,
}

impl Focus {
    const ALL: [Self; 5] =
        [Self::Sandbox, Self::Approval, Self::Presets, Self::List, Self::Line];

    fn turned(self, by: usize) -> Self {
        let at = Self::ALL.iter().position(|focus| *focus == self).unwrap_or(0);
        Self::ALL.get((at + by) % Self::ALL.len()).copied().unwrap_or(self)
    }
}

/// What is to happen after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Stay,
    Quit,
    /// Make what is set hold; the screen is left for the question.
    Write,
}

/// What the screen shows.
#[derive(Debug)]
pub(super) struct View {
    pub(super) tab: Tab,
    pub(super) focus: Focus,
    /// The highlighted rows of the presets, the operations and the real calls.
    pub(super) preset: usize,
    pub(super) operation: usize,
    pub(super) call: usize,
    pub(super) recent: Vec<Recent>,
    pub(super) line: String,
    pub(super) walk: Option<Walk>,
    /// The station that the call has come to.
    pub(super) step: usize,
    /// How many lines of what is said there are scrolled away.
    pub(super) scrolled: u16,
    /// What was played, to be played again with other knobs.
    played: Option<Played>,
    pub(super) asking: bool,
    pub(super) note: String,
}

#[derive(Clone, Debug)]
enum Played {
    Line(String),
    Recent(Recent),
}

impl View {
    pub(super) fn new(board: &Board) -> Self {
        let preset = board.rows().iter().position(|row| row.name == board.preset()).unwrap_or(0);
        Self {
            tab: Tab::Play,
            focus: Focus::List,
            preset,
            operation: 0,
            call: 0,
            recent: Vec::new(),
            line: String::new(),
            walk: None,
            step: 0,
            scrolled: 0,
            played: None,
            asking: false,
            note: String::new(),
        }
    }

    /// What a key does.
    pub(super) fn key(&mut self, board: &mut Board, key: KeyEvent) -> Next {
        if key.kind == KeyEventKind::Release {
            return Next::Stay;
        }
        self.note.clear();
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c' | 'd')) {
            return Next::Quit;
        }
        if self.asking {
            self.asking = false;
            if matches!(key.code, KeyCode::Char('y' | 'Y')) {
                return Next::Write;
            }
            "nothing was written".clone_into(&mut self.note);
            return Next::Stay;
        }
        match key.code {
            KeyCode::Tab => self.focus = self.focus.turned(1),
            KeyCode::BackTab => self.focus = self.focus.turned(Focus::ALL.len() - 1),
            KeyCode::F(2) => self.turn_tab(board),
            KeyCode::Up => self.moved(board, false),
            KeyCode::Down => self.moved(board, true),
            KeyCode::Enter => self.enter(board),
            KeyCode::PageDown => self.scrolled = self.scrolled.saturating_add(3),
            KeyCode::PageUp => self.scrolled = self.scrolled.saturating_sub(3),
            KeyCode::Right => self.step(true),
            KeyCode::Left => self.step(false),
            KeyCode::Esc => {
                self.walk = None;
                self.played = None;
            }
            _ if self.focus == Focus::Line => self.typed(key.code, control),
            KeyCode::Char(' ') => self.step(true),
            KeyCode::Char('t') => self.turn_tab(board),
            KeyCode::Char('q') => return Next::Quit,
            KeyCode::Char('w') if board.events().is_empty() => {
                "what is set holds already".clone_into(&mut self.note);
            }
            KeyCode::Char('w') => self.asking = true,
            KeyCode::Char(answer @ ('y' | 'n')) => {
                board.person = if answer == 'y' { Person::Agrees } else { Person::Refuses };
                self.replay(board);
            }
            _ => {}
        }
        Next::Stay
    }

    /// Text that was put in at once: only a line takes it.
    pub(super) fn pasted(&mut self, text: &str) {
        if self.focus == Focus::Line {
            let room = LONGEST.saturating_sub(self.line.chars().count());
            self.line.extend(text.chars().filter(|c| !c.is_control()).take(room));
        }
    }

    fn typed(&mut self, code: KeyCode, control: bool) {
        match code {
            KeyCode::Char('u') if control => self.line.clear(),
            KeyCode::Char(c) if !control && self.line.chars().count() < LONGEST => {
                self.line.push(c);
            }
            KeyCode::Backspace => {
                self.line.pop();
            }
            _ => {}
        }
    }

    fn turn_tab(&mut self, board: &Board) {
        self.walk = None;
        self.played = None;
        self.tab = match self.tab {
            Tab::Play => {
                self.recent = board.recent();
                self.call = 0;
                self.focus = Focus::List;
                Tab::Recent
            }
            Tab::Recent => Tab::Play,
        };
    }

    fn moved(&mut self, board: &mut Board, down: bool) {
        let step = |at: usize, many: usize| {
            if down { (at + 1).min(many.saturating_sub(1)) } else { at.saturating_sub(1) }
        };
        match self.focus {
            Focus::Sandbox => {
                if let Some(mode) = beside(board.knobs().sandbox, down) {
                    board.sandbox(mode);
                    self.replay(board);
                }
            }
            Focus::Approval => {
                if let Some(policy) = beside(board.knobs().approval, down) {
                    board.approval(policy);
                    self.replay(board);
                }
            }
            Focus::Presets => self.preset = step(self.preset, board.rows().len()),
            Focus::List | Focus::Line if self.tab == Tab::Recent => {
                self.call = step(self.call, self.recent.len());
            }
            Focus::List => self.operation = step(self.operation, OPERATIONS.len()),
            Focus::Line => {}
        }
    }

    fn enter(&mut self, board: &mut Board) {
        let play = match self.focus {
            Focus::Presets => {
                let name = board.rows().get(self.preset).map(|row| row.name.clone());
                if let Some(Err(what)) = name.map(|name| board.choose(&name)) {
                    self.note = what;
                }
                self.replay(board);
                return;
            }
            Focus::Line => Some(Played::Line(self.line.clone())),
            _ if self.tab == Tab::Recent => self.recent.get(self.call).cloned().map(Played::Recent),
            _ => OPERATIONS.get(self.operation).map(|line| Played::Line((*line).to_owned())),
        };
        // Another Enter on what plays takes it a station further.
        if self.walk.is_some() && self.same(play.as_ref()) {
            return self.step(true);
        }
        self.step = 0;
        self.played = play;
        self.replay(board);
    }

    fn same(&self, play: Option<&Played>) -> bool {
        match (&self.played, play) {
            (Some(Played::Line(a)), Some(Played::Line(b))) => a == b,
            (Some(Played::Recent(a)), Some(Played::Recent(b))) => {
                (&a.when, &a.about) == (&b.when, &b.about)
            }
            _ => false,
        }
    }

    /// Plays what is played again, with what is set now.
    pub(super) fn replay(&mut self, board: &mut Board) {
        self.scrolled = 0;
        let walk = match &self.played {
            None => return,
            Some(Played::Line(line)) => board.play(line),
            Some(Played::Recent(recent)) => board.again(recent),
        };
        self.walk = match walk {
            Ok(walk) => Some(walk),
            Err(what) => {
                self.note = what;
                self.played = None;
                None
            }
        };
    }

    fn step(&mut self, on: bool) {
        let most = self.walk.as_ref().map_or(0, |walk| walk.stations.len().saturating_sub(1));
        self.step = if on { (self.step + 1).min(most) } else { self.step.saturating_sub(1) };
        self.scrolled = 0;
    }
}

/// The value beside one.
fn beside<K: Knob + PartialEq>(now: K, down: bool) -> Option<K> {
    let at = K::ALL.iter().position(|value| *value == now)?;
    K::ALL.get(if down { at + 1 } else { at.checked_sub(1)? }).copied()
}

/// All values of the two knobs, in the order in which the arrows go through them.
pub(super) fn values() -> (&'static [SandboxMode], &'static [ApprovalPolicy]) {
    (SandboxMode::ALL, ApprovalPolicy::ALL)
}
