//! Many at once: installs, uninstalls, and programs that write the settings meanwhile.

use super::{assert_one_each, install, parsed, uninstall, world};
use crate::support::Sandbox;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[test]
fn installs_at_once_leave_one_entry_each() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), "{\n  \"model\": \"m\"\n}\n");
    install(&sandbox);
    uninstall(&sandbox);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| install(&sandbox));
        }
    });
    assert_one_each(&parsed(&sandbox));
    uninstall(&sandbox);
    assert_eq!(sandbox.read(sandbox.user_settings()), "{\n  \"model\": \"m\"\n}\n");
}

/// As clients do: read, change one thing, empty the file, write. It looks before each
/// write whether its last one is there (for a moment it may not be, until harness sees that
/// it is newer), and says how often it wrote.
fn count_up(file: &Path, stop: &AtomicBool) -> u64 {
    let (mut count, mut seen) = (0_u64, Instant::now());
    while !stop.load(Ordering::Relaxed) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if let Ok(mut all) = serde_json::from_str::<serde_json::Value>(&text) {
            if all["foreign"] != count {
                assert!(seen.elapsed() < Duration::from_secs(5), "write {count} is lost: {all}");
                continue;
            }
            seen = Instant::now();
            count += 1;
            all["foreign"] = count.into();
            std::fs::write(file, all.to_string()).expect("ours");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    count
}

#[test]
fn a_program_that_rewrites_the_settings_loses_nothing() {
    let sandbox = world("2.1.332");
    let file = sandbox.user_settings();
    sandbox.write(&file, "{\"foreign\": 0}");
    let stop = AtomicBool::new(false);
    let written = std::thread::scope(|scope| {
        let writer = scope.spawn(|| count_up(&file, &stop));
        for _ in 0..10 {
            for command in ["install", "uninstall"] {
                let ran = sandbox.run([command, "--yes"]).go();
                let code = ran.status.code();
                assert!(matches!(code, Some(0 | 1 | 3)), "{command}: {ran:?}");
            }
        }
        stop.store(true, Ordering::Relaxed);
        writer.join().expect("nothing was lost")
    });
    assert!(written > 0);
    assert_eq!(parsed(&sandbox)["foreign"], written);
    install(&sandbox);
    assert_one_each(&parsed(&sandbox));
    uninstall(&sandbox);
    assert!(parsed(&sandbox).get("hooks").is_none());
}

/// As clients write: the file they opened is emptied, then filled. It never takes anything
/// out, so whatever is lost was lost by harness.
fn rewrite(file: &Path) {
    let Ok(mut open) = std::fs::File::options().read(true).write(true).open(file) else { return };
    let mut bytes = Vec::new();
    let Ok(_) = open.read_to_end(&mut bytes) else { return };
    if serde_json::from_slice::<serde_json::Value>(&bytes).is_err() {
        return;
    }
    open.set_len(0).expect("it is ours");
    open.seek(SeekFrom::Start(0)).expect("a file");
    let (head, tail) = bytes.split_at(bytes.len() / 2);
    open.write_all(head).expect("it is ours");
    open.write_all(tail).expect("it is ours");
}

/// Runs `work` while another program rewrites the settings every millisecond.
fn under_rewriting(sandbox: &Sandbox, work: impl Fn() + Sync) {
    let (stop, file) = (AtomicBool::new(false), sandbox.user_settings());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                rewrite(&file);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(&work));
        stop.store(true, Ordering::Relaxed);
        if let Err(panic) = done {
            std::panic::resume_unwind(panic);
        }
    });
}

const FOREIGN: &str = "{\n  \"model\": \"m\",\n  \"hooks\": {\n    \"Stop\": [ {\"hooks\": [\n \
                       {\"type\": \"command\", \"command\": \"echo mine\"}]} ]\n  }\n}\n";

#[test]
fn two_hundred_installs_and_uninstalls_among_torn_writes_keep_every_foreign_byte() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), FOREIGN);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    under_rewriting(&sandbox, || {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while let n @ 0..200 = next.fetch_add(1, Ordering::Relaxed) {
                        let command = if n % 2 == 0 { "install" } else { "uninstall" };
                        let ran = sandbox.run([command, "--yes"]).go();
                        let code = ran.status.code();
                        assert!(matches!(code, Some(0 | 1 | 3)), "{command}: {ran:?}");
                        done.fetch_add(u64::from(code == Some(0)), Ordering::Relaxed);
                    }
                });
            }
        });
    });
    let done = done.into_inner();
    assert!(done > 100, "only {done} of 200 came through");
    sandbox.run(["uninstall", "--yes"]).ok();
    assert_eq!(sandbox.read(sandbox.user_settings()), FOREIGN);
    let folder = sandbox.user_settings();
    let left = std::fs::read_dir(folder.parent().expect("a folder")).expect("there").count();
    assert_eq!(left, 1, "temporary files stayed");
}

#[test]
fn who_says_done_among_torn_writes_has_done_it() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), FOREIGN);
    under_rewriting(&sandbox, || {
        for round in 0..12 {
            for (command, code) in [("install", 0), ("uninstall", 1)] {
                if sandbox.run([command, "--yes"]).go().status.code() == Some(0) {
                    // A torn read is no answer: the file is looked at until it is whole.
                    let whole = || std::fs::read(sandbox.user_settings()).ok();
                    let parses =
                        |b: &Vec<u8>| serde_json::from_slice::<serde_json::Value>(b).is_ok();
                    let mut seen = whole();
                    while !seen.as_ref().is_some_and(parses) {
                        seen = whole();
                    }
                    let text = String::from_utf8(seen.expect("whole")).expect("UTF-8");
                    assert_eq!(
                        text.contains("claude-code"),
                        code == 0,
                        "{round} {command}: {text}"
                    );
                }
            }
        }
    });
}
