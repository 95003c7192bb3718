//! `bench DIST RUNS`: `harness hook` beside the floors, interleaved. Compare only within
//! one run.

use std::error::Error;
use std::io::Write;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> Result<(), Box<dyn Error>> {
    linux::main()
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() -> Result<(), Box<dyn Error>> {
    Ok(writeln!(std::io::stderr(), "the bench runs on Linux on x86-64 only")?)
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[expect(clippy::disallowed_methods, reason = "a measuring program acts on the machine")]
mod linux {
    use super::{Error, Write};
    use harness_bench::{installed, scene::Scene, spawn::Program, trace};
    use std::path::{Path, PathBuf};

    /// Numbers of rules to measure with.
    const RULES: [usize; 3] = [0, 60, 1000];
    /// The number to measure a program with that was read from the disk.
    const READ_BACK: usize = 60;

    /// One line of the table.
    struct Row {
        name: String,
        program: Program,
        micros: Vec<f64>,
        faults: Vec<i64>,
        peak_kib: u64,
        size: u64,
    }

    pub(super) fn main() -> Result<(), Box<dyn Error>> {
        let mut args = std::env::args_os().skip(1);
        let dist = PathBuf::from(args.next().ok_or("usage: bench DIST [RUNS]")?);
        let runs = args.next().and_then(|n| n.to_str()?.parse().ok()).unwrap_or(500);
        let scenes = RULES
            .iter()
            .map(|n| Scene::new(&std::env::temp_dir(), &dist.join("harness"), *n))
            .collect::<Result<Vec<_>, _>>()?;
        Scene::rest(&scenes.iter().collect::<Vec<_>>())?;
        let payload = scenes[0].payload();
        let below = Below::new();
        let mut rows = vec![
            floor("floor: Rust, std, musl", &below.put(&dist.join("floor"))?, &payload)?,
            floor("C, musl", &below.put(&dist.join("floor-c"))?, &payload)?,
        ];
        for (scene, rules) in scenes.iter().zip(RULES) {
            rows.push(hook(scene, &format!("harness hook, {rules} rules"))?);
        }
        // As after a start of the machine.
        let again = below.put_in("again", &dist.join("floor"))?;
        installed::forget(&again)?;
        rows.push(floor("floor, read from disk", &again, &payload)?);
        let again = Scene::new(&below.0, &dist.join("harness"), READ_BACK)?;
        Scene::rest(&[&again])?;
        installed::forget(again.binary())?;
        rows.push(hook(&again, &format!("hook, {READ_BACK} rules, read from disk"))?);
        for round in 0..runs {
            // Each round starts with another row, so that none always follows the same.
            for place in 0..rows.len() {
                let row = (round + place) % rows.len();
                rows[row].measure()?;
            }
        }
        print(&rows, runs)
    }

    fn floor(name: &str, path: &Path, payload: &str) -> Result<Row, Box<dyn Error>> {
        let program = Program::new(path, &[], payload.as_bytes())?;
        let peak = trace::peak(path, &[], payload.as_bytes())?;
        Row::new(name.to_owned(), program, path, peak)
    }

    fn hook(scene: &Scene, name: &str) -> Result<Row, Box<dyn Error>> {
        let args = scene.args("PreToolUse");
        let peak = trace::peak(scene.binary(), &args, scene.payload().as_bytes())?;
        Row::new(name.to_owned(), scene.program()?, scene.binary(), peak)
    }

    /// A folder for programs, removed when dropped.
    struct Below(PathBuf);

    impl Below {
        fn new() -> Self {
            Self(std::env::temp_dir().join(format!("bench-{}", std::process::id())))
        }

        fn put(&self, program: &Path) -> std::io::Result<PathBuf> {
            installed::put(program, &self.0)
        }

        fn put_in(&self, folder: &str, program: &Path) -> std::io::Result<PathBuf> {
            installed::put(program, &self.0.join(folder))
        }
    }

    impl Drop for Below {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    impl Row {
        fn new(
            name: String,
            program: Program,
            path: &Path,
            peak_kib: u64,
        ) -> Result<Self, Box<dyn Error>> {
            let size = std::fs::metadata(path)?.len() / 1024;
            Ok(Self { name, program, micros: Vec::new(), faults: Vec::new(), peak_kib, size })
        }

        fn measure(&mut self) -> Result<(), Box<dyn Error>> {
            let cost = self.program.run()?;
            if cost.code != 0 {
                return Err(format!("{} ended with {}", self.name, cost.code).into());
            }
            self.micros.push(cost.wall.as_secs_f64() * 1e6);
            self.faults.push(cost.faults);
            Ok(())
        }
    }

    fn print(rows: &[Row], runs: usize) -> Result<(), Box<dyn Error>> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{runs} runs each, interleaved, posix_spawn to wait\n")?;
        writeln!(
            out,
            "{:<32}{:>8}{:>8}{:>9}{:>8}{:>10}{:>10}",
            "", "median", "min", "× floor", "faults", "peak KiB", "size KiB"
        )?;
        for row in rows {
            let mut ratios: Vec<f64> =
                row.micros.iter().zip(&rows[0].micros).map(|(own, floor)| own / floor).collect();
            let mut faults = row.faults.clone();
            faults.sort_unstable();
            writeln!(
                out,
                "{:<32}{:>5.0} µs{:>5.0} µs{:>9.2}{:>8}{:>10}{:>10}",
                row.name,
                median(&mut row.micros.clone()),
                row.micros.iter().copied().fold(f64::INFINITY, f64::min),
                median(&mut ratios),
                faults[faults.len() / 2],
                row.peak_kib,
                row.size
            )?;
        }
        Ok(())
    }

    fn median(values: &mut [f64]) -> f64 {
        values.sort_unstable_by(f64::total_cmp);
        values[values.len() / 2]
    }
}
