//! The console in words: one line in, some lines out. For screen readers, pipes and
//! terminals that can't be drawn on.

use std::io::{BufRead, IsTerminal};

use harness_core::knobs::value::Knob;
use harness_core::knobs::{ApprovalPolicy, CUSTOM, SandboxMode};
use serde_json::{Value, json};

use super::board::{Board, OPERATIONS};
use super::walk::{Person, Walk};
use crate::cli::exit::Exit;
use crate::cli::knobs::Whose;
use crate::cli::out;
use crate::hosts::words;

/// The longest line that is taken for one.
const LONGEST: usize = 64 << 10;

const HELP: &[&str] = &[
    "a number plays that operation; any other line is a call: `git push`, `Read src/main.rs`",
    ":sandbox VALUE, :approval VALUE, :preset NAME set what calls are decided with",
    ":answer yes, :answer no is what a person says where one is asked",
    ":recent lists the last real calls, :recent N plays one",
    ":write makes what is set hold; only this writes, and only a person widens",
    ":show says what is set, :quit ends",
];

/// Reads lines until they end.
pub(super) fn run(board: &mut Board, whose: &Whose) -> Exit {
    let person = std::io::stdin().is_terminal();
    overview(board);
    if person {
        out::line("type a number or a call; :help says what else, :quit ends");
    }
    let mut line = Vec::new();
    loop {
        if person {
            out::prompt("> ");
        }
        line.clear();
        // Held for one line: a question to the person reads the next one.
        match std::io::stdin().lock().read_until(b'\n', &mut line) {
            Ok(0) => return Exit::Done,
            Ok(_) if line.len() > LONGEST => out::line("that line is too long"),
            Ok(_) => {
                if !obey(board, whose, String::from_utf8_lossy(&line).trim()) {
                    return Exit::Done;
                }
            }
            Err(error) => {
                out::error(format!("standard input: {error}"), None);
                return Exit::CouldNot;
            }
        }
    }
}

/// Does what a line says; whether to go on.
fn obey(board: &mut Board, whose: &Whose, line: &str) -> bool {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match word {
        "" => {}
        ":quit" | ":q" => return false,
        ":help" => HELP.iter().for_each(out::line),
        ":show" => overview(board),
        ":sandbox" => told(value::<SandboxMode>(rest).map(|mode| board.sandbox(mode)), board),
        ":approval" => {
            told(value::<ApprovalPolicy>(rest).map(|policy| board.approval(policy)), board);
        }
        ":preset" => {
            let chosen = board.choose(rest);
            told(chosen, board);
        }
        ":answer" => match rest {
            "yes" => board.person = Person::Agrees,
            "no" => board.person = Person::Refuses,
            _ => out::line("`:answer yes` or `:answer no`"),
        },
        ":recent" => recent(board, rest),
        ":write" => match board.write(whose) {
            Ok(said) => out::line(said),
            Err((what, _, hint)) => out::error(what, hint),
        },
        _ if word.starts_with(':') => out::line("no such word; `:help` lists them"),
        _ => {
            let number = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let call = number.and_then(|n| OPERATIONS.get(n).copied()).unwrap_or(line);
            match board.play(call) {
                Ok(played) => walk(&played),
                Err(what) => out::line(format!("error: {}", words::line(&what))),
            }
        }
    }
    true
}

fn value<K: Knob>(word: &str) -> Result<K, String> {
    K::from_word(word).ok_or_else(|| {
        let all: Vec<&str> = K::ALL.iter().map(|value| value.word()).collect();
        format!("it is one of {}", all.join(", "))
    })
}

fn told(done: Result<(), String>, board: &Board) {
    match done {
        Ok(()) => knobs(board),
        Err(what) => out::line(format!("error: {}", words::line(&what))),
    }
}

fn recent(board: &mut Board, rest: &str) {
    let calls = board.recent();
    if let Some(call) = rest.parse::<usize>().ok().and_then(|n| calls.get(n.checked_sub(1)?)) {
        return match board.again(call) {
            Ok(played) => walk(&played),
            Err(what) => out::line(format!("error: {what}")),
        };
    }
    if calls.is_empty() {
        out::line("the journal holds no call yet");
    }
    for (number, call) in calls.iter().enumerate() {
        out::line(format!("{:>3}  {}  {:<4}  {}", number + 1, call.when, call.answer, call.about));
    }
}

fn overview(board: &Board) {
    out::line(format!("console of {}", board.whose()));
    knobs(board);
    for row in board.rows() {
        let name = words::line(&row.name);
        out::line(format!("preset {name}: {}, {}", row.sandbox.word(), row.approval.word()));
    }
    for (number, operation) in OPERATIONS.iter().enumerate() {
        out::line(format!("operation {}: {operation}", number + 1));
    }
}

fn knobs(board: &Board) {
    let knobs = board.knobs();
    let set = if board.events().is_empty() { "in force" } else { "to try, not written" };
    let preset = words::line(board.preset());
    let (sandbox, approval) = (knobs.sandbox.word(), knobs.approval.word());
    out::line(format!("sandbox {sandbox}, approval {approval}, preset {preset}: {set}"));
}

/// A call's way, station by station.
pub(super) fn walk(walk: &Walk) {
    out::line(format!("call: {}", walk.about));
    for (number, station) in walk.stations.iter().enumerate() {
        let (name, mark, says) = (station.name, station.mark.word(), &station.says);
        out::line(format!("station {}, {name}, {mark}: {says}", number + 1));
        for more in &station.more {
            out::line(format!("    {more}"));
        }
    }
    out::line(format!("verdict: {}; the client is told: {}", walk.verdict, walk.answer));
}

/// What is set, for scripts.
pub(super) fn json(board: &Board) -> Value {
    let knobs = board.knobs();
    let presets: Vec<Value> = board
        .rows()
        .iter()
        .map(|row| {
            json!({"name": row.name, "sandbox": row.sandbox.word(), "approval": row.approval.word()})
        })
        .collect();
    json!({
        "schema": 1, "sandbox": knobs.sandbox.word(), "approval": knobs.approval.word(),
        "preset": board.preset(), "custom": board.preset() == CUSTOM, "presets": presets,
        "operations": OPERATIONS,
    })
}
