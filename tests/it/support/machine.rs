//! A view of the machine that one program has and nothing else: `/etc`, `/usr/local/bin`
//! and the home that the system names for its user are folders of the test's.
//!
//! Managed settings, programs for everyone and hooks that ask the system where the home
//! is would otherwise be written where the person who runs the tests lives.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Mounts the folders below `$1` over the machine's, then becomes the program. What was in
/// `/usr/local/bin` stays reachable: the stand-in has links to where it is seen now.
const VIEW: &str = r#"root=$1; shift
mount --make-rprivate / &&
mount --bind /usr/local/bin "$root/aside" &&
mount --bind "$root/bin" /usr/local/bin &&
mount --bind "$root/etc" /etc || exit 77
exec "$@""#;

/// The view. Its folders go with the folder it was made in.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    root: PathBuf,
    how: &'static str,
}

impl Machine {
    /// A view below `folder` in which `home` is the user's home by the system's word.
    /// `None` where this user may not make mounts.
    pub(crate) fn below(folder: &Path, home: &Path) -> Option<Self> {
        let root = folder.join("machine");
        for part in ["aside", "bin", "etc"] {
            std::fs::create_dir_all(root.join(part)).expect("a folder of ours");
        }
        // Some of it may not be readable; nothing here needs that.
        let mut copy = Command::new("cp");
        copy.args(["-a", "/etc/.", "."]).current_dir(root.join("etc"));
        let _ = quiet(&mut copy).status();
        // The second is who an installation for everybody is tried as.
        let users = format!(
            "root:x:0:0::{}:/bin/sh\nnobody:x:65534:65534::/nonexistent:/bin/false\n",
            home.display()
        );
        std::fs::write(root.join("etc/passwd"), users).expect("a copy of ours");
        for stale in ["etc/claude-code", "etc/harness"] {
            let _ = std::fs::remove_dir_all(root.join(stale));
        }
        std::fs::create_dir(root.join("etc/claude-code")).expect("it was just cleared");
        for entry in std::fs::read_dir("/usr/local/bin").into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name != "harness" {
                let there = root.join("aside").join(&name);
                let _ = std::os::unix::fs::symlink(there, root.join("bin").join(&name));
            }
        }
        ["-m", "-rm"].into_iter().map(|how| Self { root: root.clone(), how }).find(|view| {
            let (program, args) = view.wrap("true", [""; 0]);
            quiet(Command::new(program).args(args)).status().is_ok_and(|s| s.success())
        })
    }

    /// What stands in for `/etc/claude-code`.
    pub(crate) fn managed(&self) -> PathBuf {
        self.root.join("etc/claude-code")
    }

    /// What stands in for `/usr/local/bin`.
    pub(crate) fn bin(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// The program and arguments that start `program` in this view.
    pub(crate) fn wrap<I>(&self, program: impl AsRef<OsStr>, args: I) -> (PathBuf, Vec<OsString>)
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        let mut all: Vec<OsString> = [self.how, "sh", "-c", VIEW, "sh"].map(OsString::from).into();
        all.extend([self.root.as_os_str(), program.as_ref()].map(OsStr::to_owned));
        all.extend(args.into_iter().map(|a| a.as_ref().to_owned()));
        ("/usr/bin/unshare".into(), all)
    }
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

#[test]
fn what_is_written_in_a_view_is_not_on_the_machine() {
    let sandbox = super::Sandbox::new();
    let Some(machine) = sandbox.machine() else { return };
    let script = "echo x > /etc/claude-code/x && echo x > /usr/local/bin/x && getent passwd 0";
    let (program, args) = machine.wrap("sh", ["-c", script]);
    let ran = sandbox.program(program, args).ok();
    assert!(ran.stdout.contains(sandbox.home().to_str().expect("UTF-8")), "{ran:?}");
    assert!(machine.managed().join("x").exists() && machine.bin().join("x").exists());
    for place in ["/etc/claude-code/x", "/usr/local/bin/x"] {
        assert!(!Path::new(place).exists(), "{place}");
    }
}
