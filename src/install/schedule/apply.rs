//! Puts a [`Plan`] in place and takes it out again. What the scheduler refuses is undone.

use super::Plan;
use crate::install::failure::Failure;
use crate::sys::spawn::{Ending, Form, Launch, run};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// No scheduler takes longer.
const LIMIT: Duration = Duration::from_secs(30);
const KEEP: usize = 4_096;

/// Writes the files and tells the scheduler.
///
/// # Errors
/// A file can't be written or the scheduler refuses; the files are then as they were.
pub fn add(plan: &Plan, home: &Path) -> Result<(), Failure> {
    let before: Vec<(PathBuf, Option<Vec<u8>>)> =
        plan.files.iter().map(|f| (f.path.clone(), std::fs::read(&f.path).ok())).collect();
    let put = || {
        for file in &plan.files {
            write(&file.path, &file.bytes)?;
        }
        // One that is there already must be forgotten before it is read again.
        for command in
            before.iter().any(|(_, b)| b.is_some()).then_some(&plan.stop).into_iter().flatten()
        {
            let _ = tell(command, home);
        }
        plan.start.iter().try_for_each(|command| tell(command, home))
    };
    put().inspect_err(|_| {
        for (path, bytes) in before {
            let _ = match bytes {
                Some(bytes) => write(&path, &bytes),
                None => std::fs::remove_file(&path).map_err(|e| cannot(&path, &e)),
            };
        }
    })
}

/// What the scheduler says of the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It starts it.
    Known,
    /// It doesn't know it.
    Absent,
    /// It gave no answer, and why.
    Silent(String),
}

/// Asks the scheduler.
#[must_use]
pub fn standing(plan: &Plan, home: &Path) -> Standing {
    match told(&plan.ask.command, home) {
        Ok(()) => Standing::Known,
        Err((Ending::Exit(code), _)) if plan.ask.absent.contains(&code) => Standing::Absent,
        Err((_, what)) => Standing::Silent(what),
    }
}

/// Tells the scheduler and removes the files; then asks whether it has forgotten the job.
///
/// # Errors
/// A file can't be removed. That the scheduler knows nothing of it is no error.
pub fn remove(plan: &Plan, home: &Path) -> Result<Standing, Failure> {
    for command in &plan.stop {
        let _ = tell(command, home);
    }
    for file in plan.files.iter().filter(|f| f.path.exists()) {
        std::fs::remove_file(&file.path).map_err(|e| cannot(&file.path, &e))?;
    }
    for command in &plan.gone {
        let _ = tell(command, home);
    }
    Ok(standing(plan, home))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    let put = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(".harness-").tempfile_in(folder)?;
        std::io::Write::write_all(&mut file, bytes)?;
        file.persist(path).map_err(|e| e.error)?;
        Ok(())
    };
    put().map_err(|e| cannot(path, &e))
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    let hint = "`harness schedule add --print` shows what would be written, to put elsewhere";
    Failure::could_not(format!("`{}`: {error}", path.display()), Some(hint.into()))
}

fn tell(command: &[String], home: &Path) -> Result<(), Failure> {
    told(command, home).map_err(|(_, what)| {
        let hint = "nothing is left changed; `harness schedule add --print` shows what it would be";
        Failure::could_not(what, Some(hint.into()))
    })
}

/// Runs a command of the scheduler's; else how it ended, and that in words.
fn told(command: &[String], home: &Path) -> Result<(), (Ending, String)> {
    let Some((program, args)) = command.split_first() else { return Ok(()) };
    let ran = run(&Launch {
        form: Form::Exec {
            program: OsString::from(program),
            args: args.iter().map(OsString::from).collect(),
        },
        cwd: home.to_path_buf(),
        // It finds the person's scheduler through its own variables.
        env: std::env::vars_os().collect(),
        stdin: Vec::new(),
        stdin_stays_open: false,
        limit: LIMIT,
        keep: KEEP,
    });
    let why = match &ran.ending {
        Ending::Exit(0) => return Ok(()),
        Ending::Exit(code) => format!("exit code {code}"),
        Ending::Signal(signal) => format!("signal {signal}"),
        Ending::Timeout => "no answer".to_owned(),
        Ending::NotStarted(why) => why.clone(),
    };
    let said = String::from_utf8_lossy(&ran.stderr);
    let said = said.trim().lines().next().unwrap_or_default();
    let what = format!("`{}` failed ({why}) {said}", command.join(" "));
    Err((ran.ending, what.trim_end().to_owned()))
}
