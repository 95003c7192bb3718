//! `ci/verify`, which pipelines run: a release in a folder or on a server, checked and run.

use crate::support::{Ran, Sandbox, binary, repository};
use serde_json::Value;

const TRIPLE: &str = "x86_64-unknown-linux-musl";

/// A world with a release of the binary under test.
fn world() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.stub_claude("2.1.332");
    sandbox.write("releases/v0.1.0/.keep", "");
    let folder = sandbox.root().join("releases/v0.1.0");
    std::fs::create_dir(sandbox.root().join("built")).expect("made");
    std::os::unix::fs::symlink(binary(), sandbox.root().join("built/harness")).expect("made");
    let line = format!(
        "tar -chzf '{0}/harness-{TRIPLE}.tar.gz' -C built harness && cd '{0}' && \
         sha256sum harness-{TRIPLE}.tar.gz > harness-{TRIPLE}.tar.gz.sha256",
        folder.display()
    );
    sandbox.program("/bin/sh", ["-c", &line]).cwd("").ok();
    sandbox
}

fn verify(sandbox: &Sandbox, more: &[(&str, &str)]) -> Ran {
    let script = repository().join("ci/verify");
    let releases = sandbox.root().join("releases");
    let run = sandbox.program("/bin/sh", [script]).env("HARNESS_VERSION", "0.1.0");
    let run = run.env("HARNESS_RELEASES", releases).env("GITHUB_ACTIONS", "true");
    more.iter().fold(run, |run, (name, value)| run.env(name, value)).go()
}

fn is_here() -> bool {
    std::env::consts::OS == "linux" && std::env::consts::ARCH == "x86_64"
}

#[test]
fn a_healthy_repository_passes_and_keeps_its_reports() {
    if !is_here() {
        return;
    }
    let sandbox = world();
    let summary = sandbox.root().join("summary.md");
    let ran = verify(&sandbox, &[("GITHUB_STEP_SUMMARY", &summary.to_string_lossy())]);
    assert_eq!(ran.status.code(), Some(0), "{}{}", ran.stdout, ran.stderr);
    for file in ["doctor.xml", "doctor.sarif", "code-quality.json", "version.txt"] {
        assert!(!sandbox.read(format!("project/harness-reports/{file}")).is_empty());
    }
    let receipt: Value =
        serde_json::from_str(&sandbox.read("project/harness-reports/doctor.json")).expect("JSON");
    assert_eq!(receipt["hosts"][0]["gate"]["state"], "alive", "{receipt:#}");
    assert!(sandbox.read("summary.md").contains("| alive |"));
    // It was installed for the run only.
    let left = sandbox.user_settings();
    let left = std::fs::read_to_string(left).unwrap_or_default();
    assert!(!left.contains("harness"), "{left}");
}

#[test]
fn settings_of_the_repository_that_switch_hooks_off_fail_the_job() {
    if !is_here() {
        return;
    }
    let sandbox = world();
    sandbox.write("project/.claude/settings.json", "{\"disableAllHooks\":true}");
    let ran = verify(&sandbox, &[]);
    assert_eq!(ran.status.code(), Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("::error title=harness doctor%3A switched-off/project"),
        "{}",
        ran.stdout
    );
    assert!(sandbox.read("project/harness-reports/doctor.xml").contains("<failure"));
}

#[test]
fn what_is_installed_already_stays_installed() {
    if !is_here() {
        return;
    }
    let sandbox = world();
    sandbox.run(["install", "--yes"]).ok();
    let before = sandbox.read("home/.claude/settings.json");
    assert_eq!(verify(&sandbox, &[]).status.code(), Some(0));
    assert_eq!(sandbox.read("home/.claude/settings.json"), before);
    // Installed and switched off is no reason to install it over again.
    sandbox.write("project/.claude/settings.local.json", "{\"disableAllHooks\":true}");
    assert_eq!(verify(&sandbox, &[]).status.code(), Some(1));
    assert_eq!(sandbox.read("home/.claude/settings.json"), before);
}

#[test]
fn a_release_that_is_missing_or_not_what_it_should_be_is_never_started() {
    if !is_here() {
        return;
    }
    let sandbox = world();
    let none = verify(&sandbox, &[("HARNESS_VERSION", "9.9.9")]);
    assert_eq!(none.status.code(), Some(3));
    assert!(none.stderr.contains("v9.9.9/harness-"), "{}", none.stderr);
    let pinned = verify(&sandbox, &[("HARNESS_SHA256", "00")]);
    assert_eq!(pinned.status.code(), Some(3), "{}", pinned.stderr);
    assert!(pinned.stderr.contains("is not what it should be"), "{}", pinned.stderr);
    sandbox.write(format!("releases/v0.1.0/harness-{TRIPLE}.tar.gz.sha256"), "00  x\n");
    assert_eq!(verify(&sandbox, &[]).status.code(), Some(3));
    assert!(!sandbox.root().join("project/harness-reports").exists());
}

#[test]
fn a_release_on_a_server_is_fetched() {
    let curl = std::path::Path::new("/usr/bin/curl");
    if !is_here() || !curl.exists() {
        return;
    }
    let sandbox = world();
    let folder = sandbox.root().join("releases");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback");
    let address = format!("http://{}", listener.local_addr().expect("bound"));
    std::thread::spawn(move || {
        for stream in listener.incoming().take(2) {
            serve(stream.expect("a connection"), &folder);
        }
    });
    let ran = verify(&sandbox, &[("HARNESS_RELEASES", &address)]);
    assert_eq!(ran.status.code(), Some(0), "{}{}", ran.stdout, ran.stderr);
}

fn serve(mut stream: std::net::TcpStream, folder: &std::path::Path) {
    use std::io::{BufRead, Write};
    let mut reader = std::io::BufReader::new(stream.try_clone().expect("a socket"));
    let mut first = String::new();
    reader.read_line(&mut first).expect("a request");
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
        line.clear();
    }
    let path = first.split_whitespace().nth(1).unwrap_or("/").trim_start_matches('/').to_owned();
    let body = std::fs::read(folder.join(path)).expect("it asks for what is there");
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).expect("sent");
}

#[test]
fn the_action_and_the_template_run_that_script_and_keep_what_it_leaves() {
    let read = |name: &str| std::fs::read_to_string(repository().join(name)).expect("there");
    let script = read("ci/verify");
    for (file, words) in [
        ("ci/action.yml", ["verify\"'", "upload-artifact", "if: always()"]),
        ("ci/gitlab.yml", ["sh verify", "junit: harness-reports/doctor.xml", "when: always"]),
    ] {
        let text = read(file);
        for word in words {
            assert!(text.contains(word), "{file} lacks {word}");
        }
        // Every variable that is set is one that the script knows.
        for name in
            text.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
        {
            let own = ["HARNESS_ACTION", "HARNESS_VERIFY_SHA256"].contains(&name);
            assert!(
                !name.starts_with("HARNESS_") || own || script.contains(name),
                "{file}: {name}"
            );
        }
        // No value is ever part of a script.
        let runs = text.lines().filter(|l| l.trim_start().starts_with("run:"));
        assert!(runs.clone().all(|l| !l.contains("${{")), "{file}");
    }
}
