//! The swap: at every moment the program in place is the old one or a proven new one.
//!
//! In order: the candidate is written beside the old program and proven there; the old one
//! is kept; what is about to happen is written down; one rename puts the new one in place; it
//! migrates the entries and is proven again; what was written down goes. Killed in between,
//! the next run of `harness update` finds what was written down and goes on or back.

use super::prove;
use crate::install::manifest::now_ms;
use crate::install::{Failure, Surroundings};
use crate::journal::record::Record;
use crate::journal::{audit, place};
use crate::sys::fault;
use crate::sys::fs::{self, Lock};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is being done, written down while it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Pending {
    schema: u32,
    from: String,
    to: String,
    target: PathBuf,
    old: String,
    new: String,
    was_alive: bool,
}

/// What was done last: what `--rollback` goes back from, and a receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    schema: u32,
    /// The version before.
    pub from: String,
    /// The version now.
    pub to: String,
    /// The program.
    pub target: PathBuf,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// BLAKE3 of the program now.
    pub blake3: String,
    /// What vouches for it: a signature, or that it was here before.
    pub by: String,
}

/// What came of a swap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swapped {
    /// The version before.
    pub from: String,
    /// The version now.
    pub to: String,
}

/// One update at a time, of one program.
#[derive(Debug)]
pub struct Work {
    around: Surroundings,
    target: PathBuf,
    _lock: Lock,
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn point(station: &str) -> Result<(), Failure> {
    fault::point(station)
        .map_err(|fault::Injected| Failure::could_not(format!("a fault at {station}"), None))
}

impl Work {
    /// Takes the turn.
    ///
    /// # Errors
    /// Another update is at work.
    pub fn begin(around: Surroundings, target: PathBuf) -> Result<Self, Failure> {
        let lock = Lock::take(&around.harness.state.join("update.lock"), Duration::from_secs(5))?;
        let _ = std::fs::remove_file(staged(&target));
        Ok(Self { around, target, _lock: lock })
    }

    fn folder(&self) -> PathBuf {
        self.around.harness.state.join("update")
    }

    fn pending_file(&self) -> PathBuf {
        self.folder().join("pending.json")
    }

    fn kept(&self) -> PathBuf {
        self.folder().join("previous")
    }

    /// Ends an update that was killed: forward if the new program proves itself, else back.
    /// Says what it did.
    ///
    /// # Errors
    /// Neither can be done.
    pub fn settle(&self) -> Result<Option<String>, Failure> {
        let Some(bytes) = fs::read(&self.pending_file())? else { return Ok(None) };
        let pending = serde_json::from_slice::<Pending>(&bytes).ok();
        let Some(pending) = pending.filter(|p| p.target == self.target) else {
            self.forget();
            return Ok(Some("what an update wrote down can't be read, and is gone now".into()));
        };
        let now = fs::read(&self.target)?.map(|bytes| hash(&bytes));
        if now.as_ref() != Some(&pending.new) {
            self.forget();
            return Ok(Some(format!(
                "an update to {} was stopped before it changed anything",
                pending.to
            )));
        }
        match prove::in_place(&self.target, &pending.to, &self.around, pending.was_alive) {
            Ok(()) => {
                self.finish(&pending, "signature")?;
                Ok(Some(format!("an update to {} that was stopped is finished now", pending.to)))
            }
            Err(why) => Err(self.take_back(&pending, &why)),
        }
    }

    /// Puts a program in place, proven before and after.
    ///
    /// # Errors
    /// It didn't prove itself, or could not be put there; then the old one is in place.
    pub fn put(&self, program: &[u8], to: &str, by: &str) -> Result<Swapped, Failure> {
        let from = env!("CARGO_PKG_VERSION").to_owned();
        let old = fs::read(&self.target)?.ok_or_else(|| {
            Failure::could_not(format!("{} is gone", self.target.display()), None)
        })?;
        let candidate = staged(&self.target);
        fs::write_program(&candidate, program).map_err(|e| self.not_writable(&e))?;
        let proven = point("update-staged")
            .and_then(|()| prove::candidate(&candidate, to, &self.around).map_err(unproven));
        let _ = std::fs::remove_file(&candidate);
        proven?;
        point("update-proven")?;
        let pending = Pending {
            schema: 1,
            from: from.clone(),
            to: to.to_owned(),
            target: self.target.clone(),
            old: hash(&old),
            new: hash(program),
            was_alive: prove::is_alive(&self.target),
        };
        fs::write_program(&self.kept(), &old)?;
        point("update-kept")?;
        let text =
            serde_json::to_vec(&pending).map_err(|e| Failure::could_not(e.to_string(), None))?;
        fs::write_private(&self.pending_file(), &text)?;
        point("update-pending")?;
        fs::write_program(&self.target, program).map_err(|e| self.not_writable(&e))?;
        let after = point("update-swapped")
            .map_err(|e| e.message)
            .and_then(|()| prove::in_place(&self.target, to, &self.around, pending.was_alive));
        if let Err(why) = after {
            return Err(self.take_back(&pending, &why));
        }
        point("update-migrated")?;
        self.finish(&pending, by)?;
        Ok(Swapped { from, to: to.to_owned() })
    }

    /// The program before the last update, and its version.
    ///
    /// # Errors
    /// There is none, or it isn't what was kept.
    pub fn previous(&self) -> Result<(Vec<u8>, String), Failure> {
        let none = || {
            Failure::could_not(
                "there is no earlier program to go back to",
                Some("`harness update --version V` takes a certain release".into()),
            )
        };
        let receipt = fs::read(&self.folder().join("receipt.json"))?.ok_or_else(none)?;
        let receipt: Receipt = serde_json::from_slice(&receipt).map_err(|_| none())?;
        let bytes = fs::read(&self.kept())?.ok_or_else(none)?;
        if receipt.target != self.target {
            return Err(none());
        }
        Ok((bytes, receipt.from))
    }

    fn finish(&self, pending: &Pending, by: &str) -> Result<(), Failure> {
        let receipt = Receipt {
            schema: 1,
            from: pending.from.clone(),
            to: pending.to.clone(),
            target: pending.target.clone(),
            at_ms: now_ms(),
            blake3: pending.new.clone(),
            by: by.to_owned(),
        };
        let text = serde_json::to_vec_pretty(&receipt)
            .map_err(|e| Failure::could_not(e.to_string(), None))?;
        fs::write_private(&self.folder().join("receipt.json"), &text)?;
        self.journal("update/done", pending, by);
        self.forget();
        Ok(())
    }

    /// Puts the old program back, and its entries.
    fn take_back(&self, pending: &Pending, why: &str) -> Failure {
        let back = fs::read(&self.kept()).map_err(Failure::from).and_then(|old| {
            let old = old.filter(|old| hash(old) == pending.old).ok_or_else(|| {
                Failure::could_not("what was kept of it is not what it was", None)
            })?;
            Ok(fs::write_program(&self.target, &old)?)
        });
        let unproven = format!("harness {} did not prove itself: {why}", pending.to);
        match back {
            Ok(()) => {
                let entries = prove::in_place(&self.target, &pending.from, &self.around, false);
                self.journal("update/taken-back", pending, why);
                self.forget();
                match entries {
                    Ok(()) => {
                        Failure::unproven(unproven, format!("harness {} is back", pending.from))
                    }
                    Err(e) => Failure::unproven(
                        unproven,
                        format!("harness {} is back; run `harness doctor`, for {e}", pending.from),
                    ),
                }
            }
            Err(e) => Failure::could_not(
                format!("{unproven}; and the old program could not be put back: {}", e.message),
                Some(format!(
                    "copy {} to {} yourself",
                    self.kept().display(),
                    self.target.display()
                )),
            ),
        }
    }

    fn forget(&self) {
        let _ = std::fs::remove_file(self.pending_file());
    }

    fn journal(&self, kind: &str, pending: &Pending, by: &str) {
        let record = Record::new(kind, now_ms())
            .text("from", &pending.from)
            .text("to", &pending.to)
            .text("blake3", &pending.new)
            .text("by", by);
        let _ = audit::append(&place::audit(&self.around.harness.state), [record]);
    }

    fn not_writable(&self, e: &fs::FsError) -> Failure {
        let folder = self.target.parent().unwrap_or(&self.target).display().to_string();
        Failure::could_not(
            e.to_string(),
            Some(format!(
                "nothing was changed; whoever owns {folder} can update it (with `sudo`?)"
            )),
        )
    }
}

fn unproven(why: String) -> Failure {
    Failure::unproven(
        format!("the new program did not prove itself: {why}"),
        "nothing was changed; please tell the project",
    )
}

/// Where a candidate is proven: in the same folder, so that it starts there as it would.
fn staged(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.next"))
}
