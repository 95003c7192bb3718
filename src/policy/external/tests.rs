use super::{Said, ask};
use crate::policy::model::Run;
use harness_core::{Identity, Json, ToolCall};
use std::borrow::Cow;
use std::time::{Duration, Instant};

fn call() -> ToolCall<'static> {
    let identity = Identity {
        session: "s".into(),
        call: "c".into(),
        agent: None,
        tool: "Bash".into(),
        cwd: "/".into(),
    };
    ToolCall::seal(
        identity,
        Json::Object(vec![("command".into(), Json::String("ls".into()))]),
        false,
    )
}

fn sh(script: &str, timeout_ms: u32) -> Said {
    let argv = Cow::Owned(vec!["sh", "-c", script]);
    ask(&Run { argv, timeout_ms }, "/", &call())
}

#[test]
fn contract() {
    assert_eq!(sh("cat >/dev/null", 5000), Said::Nothing);
    assert_eq!(sh("grep -q '\"command\":\"ls\"' || exit 3", 5000), Said::Nothing);
    assert_eq!(
        sh("echo '{\"decision\":\"deny\",\"reason\":\"no\"}'", 5000),
        Said::Deny("no".into())
    );
    assert_eq!(sh("echo why >&2; exit 7", 5000), Said::Deny("why".into()));
    assert_eq!(sh("exit 7", 5000), Said::Deny("it exited with 7".into()));
}

#[test]
fn every_failure_denies() {
    for script in [
        "kill -9 $$",
        "echo hello",
        "echo '{\"decision\":\"allow\"}'",
        "echo '{\"decision\":\"deny\"} x'",
        "echo '{'",
        "head -c 200000 /dev/zero",
    ] {
        assert!(matches!(sh(script, 5000), Said::Failed(_)), "{script}");
    }
    let none = Run { argv: Cow::Owned(vec!["/no/such/program"]), timeout_ms: 100 };
    assert!(matches!(ask(&none, "/", &call()), Said::Failed(_)));
}

#[test]
fn the_environment_is_the_systems() {
    // Cargo sets this for us, as a repository's settings may set anything for a hook.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let script = "test -z \"$CARGO_MANIFEST_DIR\" && test -n \"$HOME\" && case $PATH in /usr/local/*) ;; *) exit 3;; esac";
    assert_eq!(sh(&format!("cat >/dev/null; {script}"), 5000), Said::Nothing);
}

#[test]
fn timeout_takes_the_tree() {
    let begin = Instant::now();
    assert!(matches!(sh("sleep 60 & sleep 60", 200), Said::Failed(_)));
    assert!(begin.elapsed() < Duration::from_secs(3));
    // One that leaves a child behind which holds the output open.
    let begin = Instant::now();
    assert!(matches!(sh("sleep 60 & exit 0", 300), Said::Failed(_)));
    assert!(begin.elapsed() < Duration::from_secs(3));
}
