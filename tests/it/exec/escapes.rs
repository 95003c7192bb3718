//! Ways out of a sandbox, each tried for real under each backend, as root and as an ordinary
//! user: held, or a limit that the docs name.

use super::{BACKENDS, home};
use crate::support::{Sandbox, is_root, repository};
use std::os::unix::net::UnixListener;
use std::path::Path;

struct Escape {
    /// As `docs/sandbox.md` calls it.
    name: &'static str,
    /// A script, in the workspace, with `$OUT` a folder outside of it.
    script: &'static str,
    /// Backends that don't hold it.
    open: &'static [&'static str],
}

const TABLE: &[Escape] = &[
    Escape {
        name: "write outside",
        script: "echo x > $OUT/file; echo x > $OUT/new; rm -f $OUT/file; mv $OUT/file $OUT/gone; : > $OUT/file; cp t $OUT/file",
        open: &[],
    },
    Escape { name: "change a mode outside", script: "chmod 777 $OUT/file", open: &["landlock"] },
    Escape {
        name: "symbolic link",
        script: "ln -s $OUT l; echo x > l/new; ln -s $OUT/file f; echo x > f; mv l .git/l; echo x > .git/l/new",
        open: &[],
    },
    Escape {
        name: "link swapped in the way",
        script: "mkdir d; (while :; do rm -rf d; ln -s $OUT d; rm -f d; mkdir d; done) 2>/dev/null & for i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5 6 7 8 9; do echo x > d/new; done; done 2>/dev/null; kill $!",
        open: &[],
    },
    Escape { name: "hard link", script: "ln $OUT/file h && echo x > h", open: &[] },
    Escape {
        name: "hard link to what is protected",
        script: "ln .git/config c && echo '[core] fsmonitor = x' > c",
        open: &["landlock"],
    },
    Escape {
        name: "rename of a parent",
        script: "mv .git g && mkdir -p .git/hooks && echo x > .git/hooks/post-checkout; mv ../project ../moved; rmdir .git/hooks && ln -s /tmp .git/hooks",
        open: &["landlock"],
    },
    Escape {
        name: "write to hooks",
        script: "echo x > .git/hooks/pre-commit; echo '[core] hooksPath = x' >> .git/config; git config core.fsmonitor x",
        open: &["landlock"],
    },
    Escape {
        name: "make settings that were missing",
        script: "mkdir -p .claude .codex .harness; echo '{}' > .claude/settings.json; ln -s /etc/passwd .claude/settings.local.json; echo x > .codex/config.toml; echo x > .harness/policy.toml",
        open: &[],
    },
    Escape {
        name: "/proc",
        script: "for p in self 1 $PPID; do echo x > /proc/$p/root$OUT/file; echo x > /proc/$p/cwd/../outside/new; done; echo x > /proc/sys/kernel/core_pattern",
        open: &[],
    },
    Escape {
        name: "inherited descriptors",
        script: "echo x >&7; echo x > /proc/self/fd/7; echo x > /proc/self/fd/8/new; echo x > /proc/self/fd/9",
        open: &[],
    },
    Escape {
        name: "open again what is open",
        script: "echo x > /proc/self/fd/0",
        open: &["bubblewrap"],
    },
    Escape {
        name: "setuid",
        script: "grep -q 'NoNewPrivs:.1' /proc/self/status || echo x > escaped",
        open: &[],
    },
    Escape {
        name: "unix socket",
        script: "perl -e 'use IO::Socket::UNIX; my $s = IO::Socket::UNIX->new(Peer => $ENV{OUT}.\"/socket\") or exit; print $s \"write\"; close $s; sleep 1'",
        open: &["landlock"],
    },
    Escape {
        name: "abstract socket",
        script: "perl -e 'use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, pack(\"Sa*\", 1, \"\\0\".$ENV{ABSTRACT})) or exit; syswrite $s, \"write\"; sleep 1'",
        open: &[],
    },
    Escape {
        name: "background child",
        script: "(sleep 0.4; echo x > $OUT/new; echo x > $OUT/file; mkdir -p .claude; echo x > .claude/settings.json) >/dev/null 2>&1 &",
        open: &[],
    },
    Escape {
        name: "new mounts",
        script: "mount -o remount,rw,bind /; umount -l $OUT; umount -l .git/hooks; umount -l /; mount -t tmpfs x /mnt; unshare -Urm sh -c 'mount -o remount,rw,bind /; umount -l .git/hooks; echo x > $OUT/new; echo x > .git/hooks/y'; nsenter -t $PPID -m sh -c 'echo x > $OUT/new'; echo x > $OUT/new",
        open: &[],
    },
    Escape {
        name: "handing on to cron or at",
        script: "echo '# nothing' > /etc/cron.d/harness-escape; echo 'touch $OUT/new' | at now; echo '* * * * * true' | crontab -; ls /etc/cron.d/harness-escape 2>/dev/null && echo x > escaped",
        open: &[],
    },
];

/// A world with something to protect.
fn world() -> (Sandbox, std::path::PathBuf) {
    let sandbox = Sandbox::in_temp();
    sandbox.write("project/.git/config", "[core]\n");
    sandbox.write("project/t", "text\n");
    std::fs::create_dir_all(sandbox.project().join(".git/hooks")).expect("new");
    let file = sandbox.write("outside/file", "original\n");
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&file, mode).expect("ours");
    let out = file.parent().expect("a folder").to_path_buf();
    (sandbox, out)
}

/// What is different from how it was.
fn escaped(sandbox: &Sandbox, out: &Path) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt;
    let mut found = Vec::new();
    let mut expect = |what: &str, holds: bool| {
        if !holds {
            found.push(what.to_owned());
        }
    };
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    expect("file", read(&out.join("file")) == "original\n");
    let mode = std::fs::metadata(out.join("file")).map_or(0, |m| m.permissions().mode() & 0o777);
    expect("mode", mode == 0o644);
    let mut names: Vec<String> = std::fs::read_dir(out)
        .expect("there")
        .map(|e| e.expect("there").file_name().to_string_lossy().into_owned())
        .collect();
    names.retain(|name| name != "socket");
    expect("folder", names == ["file"]);
    let git = sandbox.project().join(".git");
    expect("config", read(&git.join("config")) == "[core]\n");
    let hooks = git.join("hooks");
    let kept = hooks.symlink_metadata().is_ok_and(|m| m.is_dir());
    expect("hooks", kept && std::fs::read_dir(&hooks).is_ok_and(|mut all| all.next().is_none()));
    for name in [
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".codex/config.toml",
        ".harness/policy.toml",
        "escaped",
    ] {
        expect(name, sandbox.project().join(name).symlink_metadata().is_err());
    }
    found
}

/// Somebody outside who writes for whoever connects.
fn obliging(listener: UnixListener, out: &Path) {
    let out = out.to_path_buf();
    std::thread::spawn(move || {
        for _ in listener.incoming() {
            let _ = std::fs::write(out.join("file"), "by another\n");
        }
    });
}

fn attempt(escape: &Escape, backend: &str, nobody: bool) -> Option<Vec<String>> {
    use std::os::linux::net::SocketAddrExt;
    let (sandbox, out) = world();
    obliging(UnixListener::bind(out.join("socket")).expect("new"), &out);
    let abstract_name = format!("harness-{}", sandbox.root().file_name()?.to_str()?);
    let address =
        std::os::unix::net::SocketAddr::from_abstract_name(&abstract_name).expect("short");
    obliging(UnixListener::bind_addr(&address).expect("new"), &out);
    // What the script is started with: the file as input, and for writing, the folder.
    let outer = "exec \"$0\" exec --sandbox workspace-write -- sh escape.sh 7<>\"$OUT/file\" 8<\"$OUT\" 9<\"$OUT/file\" <\"$OUT/file\"";
    let program = if nobody { sandbox.root().join("program") } else { crate::support::binary() };
    let program = program.to_str()?.to_owned();
    // In a file, so that the kernel has to hold what no rule has read.
    sandbox.write("project/escape.sh", escape.script);
    let words = ["-c", outer, &program];
    let run = if nobody {
        sandbox.run(["--version"]).as_nobody().ok();
        let ids = ["--reuid=65534", "--regid=65534", "--clear-groups", "--", "/bin/sh"];
        sandbox.program("/usr/bin/setpriv", [&ids[..], &words[..]].concat())
    } else {
        sandbox.program("/bin/sh", words)
    };
    let ran = run
        .env("HARNESS_HOME", home(&sandbox))
        .env("HARNESS_BACKEND", backend)
        .env("OUT", &out)
        .env("ABSTRACT", &abstract_name)
        .go();
    if ran.stderr.contains("SANDBOX_UNAVAILABLE") {
        return None;
    }
    assert!(!ran.stderr.contains("RUNNER_FAILED"), "{}: {ran:?}", escape.name);
    if escape.name == "background child" {
        std::thread::sleep(std::time::Duration::from_millis(1_500));
    }
    Some(escaped(&sandbox, &out))
}

fn table(nobody: bool) {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for backend in BACKENDS {
        for escape in TABLE {
            // What only root's user may do to others is no limit to a user who may not.
            let Some(found) = attempt(escape, backend, nobody) else { continue };
            tried += 1;
            let open = escape.open.contains(backend);
            if found.is_empty() == open {
                wrong.push(format!("{backend}: {}: {found:?}", escape.name));
            }
        }
    }
    assert!(tried >= TABLE.len(), "no backend works here");
    assert!(wrong.is_empty(), "not as the table says:\n{}", wrong.join("\n"));
}

#[test]
fn every_way_out_is_held_or_named() {
    table(false);
}

#[test]
fn every_way_out_is_held_or_named_for_an_ordinary_user() {
    if is_root() {
        table(true);
    }
}

#[test]
fn the_docs_name_every_way_out_with_what_holds_it() {
    let page = std::fs::read_to_string(repository().join("docs/sandbox.md")).expect("there");
    for escape in TABLE {
        let held = |backend: &str| if escape.open.contains(&backend) { "**no**" } else { "yes" };
        let row = format!(
            "| {} | {} | {} | {} |",
            escape.name,
            held("namespaces"),
            held("bubblewrap"),
            held("landlock")
        );
        assert!(page.contains(&row), "docs/sandbox.md lacks `{row}`");
    }
}
