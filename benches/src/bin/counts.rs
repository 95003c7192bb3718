//! `counts BINARY`: holds the cost of one hook by counts that do not vary with load.

use std::error::Error;
use std::io::Write;

/// What one ordinary call may cost, with 60 rules and everything on.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod limits {
    /// What a run may take before it is a regression, and what the design aims at.
    pub(crate) const INSTRUCTIONS: u64 = 235_000;
    pub(crate) const INSTRUCTIONS_AIM: u64 = 150_000;
    pub(crate) const CPUIDS: u64 = 0;
    /// With the program read back from the disk: 35 with the order made for it.
    pub(crate) const FAULTS: u64 = 55;
    pub(crate) const FAULTS_AIM: u64 = 30;
    pub(crate) const PEAK_KIB: u64 = 4 * 1024;
    pub(crate) const SIZE: u64 = 8 * 1024 * 1024;
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[expect(clippy::disallowed_methods, reason = "a measuring program acts on the machine")]
fn main() -> Result<(), Box<dyn Error>> {
    use harness_bench::{installed, scene::Scene, trace::trace};
    let binary =
        std::path::PathBuf::from(std::env::args_os().nth(1).ok_or("usage: counts BINARY")?);
    let scene = Scene::new(&std::env::temp_dir(), &binary, 60)?;
    Scene::rest(&[&scene])?;
    let counts = trace(&binary, &scene.args("PreToolUse"), scene.payload().as_bytes())?;
    // As after a start of the machine, where layout counts most: a program that was just
    // written comes in larger pieces.
    installed::forget(scene.binary())?;
    let mut faults = Vec::new();
    for _ in 0..9 {
        faults.push(scene.program()?.run()?.faults.unsigned_abs());
    }
    faults.sort_unstable();
    let rows = [
        ("exit code", u64::from(counts.code.unsigned_abs()), 0, 0),
        ("instructions", counts.instructions, limits::INSTRUCTIONS, limits::INSTRUCTIONS_AIM),
        ("CPUID instructions", counts.cpuids, limits::CPUIDS, limits::CPUIDS),
        ("page faults, median", faults[faults.len() / 2], limits::FAULTS, limits::FAULTS_AIM),
        ("peak memory, KiB", counts.peak_kib, limits::PEAK_KIB, limits::PEAK_KIB),
        ("size, bytes", std::fs::metadata(&binary)?.len(), limits::SIZE, limits::SIZE),
    ];
    let mut out = std::io::stdout().lock();
    let mut over = Vec::new();
    for (what, count, limit, aim) in rows {
        writeln!(out, "{what:<22}{count:>10}   of {limit:>9}   aim {aim:>9}")?;
        if count > limit {
            over.push(what);
        }
    }
    if over.is_empty() {
        Ok(())
    } else {
        Err(format!("over the limit: {}", over.join(", ")).into())
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() -> Result<(), Box<dyn Error>> {
    Ok(writeln!(std::io::stderr(), "counts are taken on Linux on x86-64 only")?)
}
