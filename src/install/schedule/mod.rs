//! Checking every day: what the system's own scheduler needs to start `harness doctor
//! --ci`, as files and commands ([`Plan`]), and putting that there (`apply`).

mod apply;
mod launchd;
mod systemd;
mod task;

pub use apply::{Standing, add, remove, standing};

use std::path::PathBuf;

/// A system's scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A timer of the person's systemd.
    Systemd,
    /// An agent of the person's launchd.
    Launchd,
    /// A task of the Windows Task Scheduler.
    TaskScheduler,
}

impl Kind {
    /// Every one, with the name people give it.
    pub const ALL: &[(&'static str, Self)] = &[
        ("systemd", Self::Systemd),
        ("launchd", Self::Launchd),
        ("task-scheduler", Self::TaskScheduler),
    ];
}

/// How often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// Each hour.
    Hour,
    /// Each day.
    Day,
    /// Each week.
    Week,
}

impl Every {
    /// Every one, with its name.
    pub const ALL: &[(&'static str, Self)] =
        &[("hourly", Self::Hour), ("daily", Self::Day), ("weekly", Self::Week)];
}

/// What is to be started, and when.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program that install registered.
    pub program: PathBuf,
    /// The person's home: where it starts.
    pub home: PathBuf,
    /// Where the person's systemd looks.
    pub config: PathBuf,
    /// Where the report is kept.
    pub receipt: PathBuf,
    /// Variables that doctor goes by.
    pub variables: Vec<(&'static str, String)>,
    /// How often.
    pub every: Every,
    /// The person's number.
    pub user: u32,
}

impl Job {
    /// The words after the program.
    fn args(&self) -> [String; 4] {
        let receipt = self.receipt.to_string_lossy().into_owned();
        ["doctor".into(), "--ci".into(), "--receipt".into(), receipt]
    }
}

/// A file of the scheduler's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Where.
    pub path: PathBuf,
    /// What is in it, for people.
    pub text: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Unit {
    fn text(path: PathBuf, text: String) -> Self {
        Self { path, bytes: text.clone().into_bytes(), text }
    }
}

/// Everything a scheduler needs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its files.
    pub files: Vec<Unit>,
    /// Commands that make it know them.
    pub start: Vec<Vec<String>>,
    /// Commands that make it forget them, before they go.
    pub stop: Vec<Vec<String>>,
    /// Commands after they are gone.
    pub gone: Vec<Vec<String>>,
    /// Asks it whether it knows the job.
    pub ask: Question,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// A command that ends with 0 where the scheduler knows the job.
#[derive(Clone, Debug)]
pub struct Question {
    /// The command.
    pub command: Vec<String>,
    /// How it ends where the scheduler doesn't. Any other end is no answer.
    pub absent: &'static [i32],
}

/// What this scheduler needs for this job.
#[must_use]
pub fn plan(kind: Kind, job: &Job) -> Plan {
    match kind {
        Kind::Systemd => systemd::plan(job),
        Kind::Launchd => launchd::plan(job),
        Kind::TaskScheduler => task::plan(job),
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| (*w).to_owned()).collect()
}
