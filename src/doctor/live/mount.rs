//! [`PrivateManaged`]: managed settings that one run sees and the machine doesn't, by a
//! private mount (Linux; root, or a user who may make namespaces).

use crate::doctor::scratch::Scratch;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Mounts `$1` over the managed folder (over a copy of its parent where the folder doesn't
/// exist, so that nothing is created on the machine), then becomes the client.
const MOUNT: &str = r#"set -e
managed=$1 etc=$2
shift 2
mount --make-rprivate /
if [ -d /etc/claude-code ]; then
  mount --bind "$managed" /etc/claude-code
else
  cp -a /etc "$etc" 2>/dev/null || :
  mkdir "$etc/claude-code"
  mount --bind "$etc" /etc
  mount --bind "$managed" /etc/claude-code
fi
exec "$@""#;

/// A folder that stands in for the managed one.
#[derive(Debug)]
pub struct PrivateManaged {
    unshare: PathBuf,
    arguments: &'static [&'static str],
    dir: Scratch,
}

impl PrivateManaged {
    /// An empty managed folder.
    ///
    /// # Errors
    /// This machine or user can't make private mounts.
    pub fn new() -> io::Result<Self> {
        let dir = Scratch::new("managed")?;
        std::fs::create_dir(dir.path().join("claude-code"))?;
        let unshare = which::which("unshare").map_err(|_| unsupported("no `unshare` here"))?;
        for arguments in [&["-m"][..], &["-rm"][..]] {
            let probe = "mount --make-rprivate / && mount --bind \"$1\" /etc";
            let tried = Command::new(&unshare)
                .args(arguments)
                .args(["sh", "-c", probe, "sh"])
                .arg(dir.path())
                .stderr(std::process::Stdio::null())
                .status();
            if tried.is_ok_and(|status| status.success()) {
                return Ok(Self { unshare, arguments, dir });
            }
        }
        Err(unsupported("this user may not make private mounts"))
    }

    /// The folder to write managed settings to.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.dir.path().join("claude-code")
    }

    /// The program, started where this folder is the managed one.
    #[must_use]
    pub fn wrap(&self, program: &Path, args: &[OsString]) -> Command {
        let etc = self.dir.path().join(format!("etc-{}", super::nonce::hex()));
        let mut command = Command::new(&self.unshare);
        command
            .args(self.arguments)
            .args(["sh", "-c", MOUNT, "sh"])
            .arg(self.folder())
            .arg(etc)
            .arg(program)
            .args(args);
        command
    }
}

fn unsupported(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, why.to_owned())
}
