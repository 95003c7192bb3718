//! Asks `harness policy test`, in a home of its own with every pack on.

use super::Case;
use serde_json::{Value, json};
use std::fs;
use std::io::{Error, Result, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is said of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// `none`, `ask` or `deny`.
    pub verdict: String,
    /// The rule that decided, if one did.
    pub rule: String,
}

impl Said {
    /// Whether the call is stopped.
    #[must_use]
    pub fn stops(&self) -> bool {
        self.verdict != "none"
    }
}

/// A home with every pack on, removed when dropped.
#[derive(Debug)]
pub struct Runner {
    root: PathBuf,
    binary: PathBuf,
}

impl Runner {
    /// Makes the home below a folder.
    ///
    /// # Errors
    ///
    /// If files can't be written.
    pub fn new(below: &Path, binary: &Path) -> Result<Self> {
        let root = below.join(format!("corpus-{}", std::process::id()));
        let runner = Self { root, binary: binary.canonicalize()? };
        fs::create_dir_all(runner.home().join(".config/harness"))?;
        fs::create_dir_all(runner.project().join(".git"))?;
        fs::write(runner.project().join(".git/HEAD"), "ref: refs/heads/feature/x\n")?;
        let policy = "version = 1\n[packs]\nenable = [\"git\", \"secrets\", \"publish\", \"install\", \"cloud\", \"system\", \"windows\"]\n";
        fs::write(runner.home().join(".config/harness/policy.toml"), policy)?;
        Ok(runner)
    }

    fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    fn project(&self) -> PathBuf {
        self.root.join("home/code/project")
    }

    /// What is said of each call, in their order.
    ///
    /// # Errors
    ///
    /// If the program can't be run or answers something else.
    pub fn judge(&self, cases: &[Case]) -> Result<Vec<Said>> {
        let file = self.root.join("calls.jsonl");
        let mut out = fs::File::create(&file)?;
        for case in cases {
            let call = json!({"tool": case.tool, "input": case.input, "expect": "none"});
            writeln!(out, "{call}")?;
        }
        let mut command = Command::new(&self.binary);
        command.args(["policy", "test", "--json"]).arg(&file).current_dir(self.project());
        let output = command.env_clear().env("HOME", self.home()).output()?;
        let report: Value = serde_json::from_slice(&output.stdout).map_err(|e| {
            Error::other(format!("{e}: {}", String::from_utf8_lossy(&output.stderr)))
        })?;
        let none = Said { verdict: "none".to_owned(), rule: String::new() };
        let mut said = vec![none; cases.len()];
        let text = |miss: &Value, key: &str| miss[key].as_str().unwrap_or_default().to_owned();
        for miss in report["misses"].as_array().into_iter().flatten() {
            let place = text(miss, "place");
            let number = place.rsplit_once(':').and_then(|(_, n)| n.parse::<usize>().ok());
            let slot = number.and_then(|n| said.get_mut(n.checked_sub(1)?));
            let slot = slot.ok_or_else(|| Error::other(format!("no such call: `{place}`")))?;
            *slot = Said { verdict: text(miss, "got"), rule: text(miss, "rule") };
        }
        Ok(said)
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.root));
    }
}
