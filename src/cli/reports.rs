//! Where doctor's report goes beside the terminal: files in the forms that other programs
//! read, and the log and summary of a pipeline.

use super::out;
use crate::doctor::render::annotations::{self, Reader};
use crate::doctor::render::{junit, quality, sarif, summary};
use crate::doctor::report::Report;
use crate::install::{Failure, Surroundings};
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Forms of the report that are written to files; `-` is standard output.
#[derive(Debug, clap::Args)]
pub(super) struct Outputs {
    /// Write the report as JUnit XML too (`-`: print that instead)
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the report as SARIF 2.1.0 too (`-`: print that instead)
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Write the report as GitLab's code quality JSON too (`-`: print that instead)
    #[arg(long, value_name = "FILE")]
    code_quality: Option<PathBuf>,
    /// Write the JSON report to a file too, to keep it
    #[arg(long, value_name = "FILE")]
    receipt: Option<PathBuf>,
}

fn is_stdout(file: &Path) -> bool {
    file.as_os_str() == OsStr::new("-")
}

impl Outputs {
    fn files(&self) -> [(&'static str, Option<&Path>); 4] {
        [
            ("--junit", self.junit.as_deref()),
            ("--sarif", self.sarif.as_deref()),
            ("--code-quality", self.code_quality.as_deref()),
            ("--receipt", self.receipt.as_deref()),
        ]
    }

    /// Whether one of them is what standard output holds.
    pub(super) fn take_stdout(&self) -> bool {
        self.files().iter().any(|(_, file)| file.is_some_and(is_stdout))
    }

    /// Only one document can be printed.
    pub(super) fn check(&self, json: bool) -> Result<(), Failure> {
        let printed = self.files().into_iter().filter(|(_, file)| file.is_some_and(is_stdout));
        let mut names: Vec<&str> = printed.map(|(name, _)| name).collect();
        if json {
            names.push("--json");
        }
        if names.len() > 1 {
            let what = format!("{} would print on each other", names.join(" and "));
            return Err(Failure::usage(what, "give all but one of them a file"));
        }
        Ok(())
    }

    /// Writes what was asked for.
    pub(super) fn write(&self, report: &Report, strict: bool, base: &str) -> Result<(), Failure> {
        for (name, file) in self.files() {
            let Some(file) = file else { continue };
            let text = match name {
                "--junit" => junit::render(report, strict),
                "--sarif" => sarif::render(report, base),
                "--code-quality" => quality::render(report, base),
                _ => format!("{}\n", serde_json::to_string_pretty(report).unwrap_or_default()),
            };
            if is_stdout(file) {
                out::line(text.trim_end());
                continue;
            }
            std::fs::write(file, text).map_err(|e| {
                let what = format!("`{}` ({name}) can't be written: {e}", file.display());
                Failure::could_not(what, Some("name a file in a folder that exists".into()))
            })?;
        }
        Ok(())
    }
}

/// The folder that reports name files from.
pub(super) fn base(around: &Surroundings) -> String {
    around.git_root.as_ref().unwrap_or(&around.cwd).to_string_lossy().into_owned()
}

/// The pipeline that doctor runs in.
#[derive(Debug)]
pub(super) struct Pipeline {
    reader: Reader,
    summary: Option<PathBuf>,
    base: String,
}

impl Pipeline {
    /// As its variables say.
    pub(super) fn here(around: &Surroundings) -> Self {
        let github = std::env::var_os("GITHUB_ACTIONS").is_some_and(|v| v == "true");
        let summary = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|v| !v.is_empty());
        Self {
            reader: if github { Reader::GitHub } else { Reader::Plain },
            summary: summary.map(PathBuf::from),
            base: base(around),
        }
    }

    /// Text with others' words in it, so that none of them is taken for a command.
    pub(super) fn fenced(&self, text: &str) -> String {
        if self.reader == Reader::Plain {
            return text.to_owned();
        }
        let fence = crate::doctor::live::nonce::uuid();
        format!("::stop-commands::{fence}\n{text}\n::{fence}::")
    }

    /// Prints the annotations and adds to the job's summary. Where standard output is a
    /// document, they go to standard error, which a pipeline reads as well.
    pub(super) fn annotate(&self, report: &Report, silent: bool) -> Result<(), Failure> {
        for line in annotations::render(report, self.reader, &self.base) {
            if silent { out::note(line) } else { out::line(line) }
        }
        let Some(file) = &self.summary else { return Ok(()) };
        let mut options = std::fs::OpenOptions::new();
        let add = |mut file: std::fs::File| file.write_all(summary::render(report).as_bytes());
        options.append(true).create(true).open(file).and_then(add).map_err(|e| {
            let what = format!("the job's summary `{}` can't be written: {e}", file.display());
            Failure::could_not(what, Some("unset `GITHUB_STEP_SUMMARY` to go without".into()))
        })
    }
}
