//! Many at once: installs, uninstalls, and programs that write the settings meanwhile.

use super::{assert_one_each, install, parsed, uninstall, world};
use std::sync::atomic::{AtomicBool, Ordering};

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

#[test]
fn a_program_that_rewrites_the_settings_loses_nothing() {
    let sandbox = world("2.1.332");
    let file = sandbox.user_settings();
    sandbox.write(&file, "{\"foreign\": 0}");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // As clients do: read, change one thing, truncate, write.
        scope.spawn(|| {
            let mut count = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                if let Ok(mut all) = serde_json::from_str::<serde_json::Value>(&text) {
                    count += 1;
                    all["foreign"] = count.into();
                    std::fs::write(&file, all.to_string()).expect("ours");
                }
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        });
        for _ in 0..10 {
            for command in ["install", "uninstall"] {
                let ran = sandbox.run([command, "--yes"]).go();
                let code = ran.status.code();
                assert!(matches!(code, Some(0 | 1 | 3)), "{command}: {ran:?}");
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    let left = parsed(&sandbox);
    assert!(left["foreign"].as_u64().is_some_and(|n| n > 0), "{left}");
    install(&sandbox);
    assert_one_each(&parsed(&sandbox));
    uninstall(&sandbox);
    assert!(parsed(&sandbox).get("hooks").is_none());
}
