//! Releases made by `ci/pack`, as the project makes its own, signed with keys of the test.

use super::{Sandbox, repository};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The machine that releases are made for in tests.
pub(crate) const TRIPLE: &str = "x86_64-unknown-linux-musl";

/// Whether this machine is that one.
pub(crate) fn is_here() -> bool {
    std::env::consts::OS == "linux" && std::env::consts::ARCH == "x86_64"
}

/// Where a tool is that `ci/tools` gets. Fails rather than skips: what it checks would be
/// unproven.
pub(crate) fn tool(name: &str) -> PathBuf {
    let folder = std::env::var_os("HARNESS_TEST_TOOLS").map(PathBuf::from);
    let found = folder.map(|f| f.join(name)).filter(|path| path.is_file());
    found.or_else(|| which::which(name).ok()).unwrap_or_else(|| {
        panic!("`{name}` is needed: `eval \"$(ci/tools)\"` gets it on Debian, `./ci/test` does so")
    })
}

/// A key pair.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    secret: PathBuf,
    /// The public one, as text.
    pub(crate) public: String,
}

impl Key {
    /// Makes one in a sandbox.
    pub(crate) fn new(sandbox: &Sandbox, name: &str) -> Self {
        let secret = sandbox.root().join(format!("{name}.key"));
        let public = sandbox.root().join(format!("{name}.pub"));
        let made = Command::new(tool("minisign"))
            .args(["-G", "-W", "-f", "-s"])
            .arg(&secret)
            .arg("-p")
            .arg(&public)
            .output();
        assert!(made.is_ok_and(|m| m.status.success()), "no key");
        let text = std::fs::read_to_string(public).expect("it was made");
        Self { secret, public: text.lines().nth(1).expect("two lines").to_owned() }
    }
}

/// Makes a release of a program below `root`, which a server may serve.
pub(crate) fn pack(root: &Path, version: &str, program: &Path, key: &Key, url: &str) -> PathBuf {
    let out = root.join(format!("v{version}"));
    let ran = Command::new("bash")
        .arg(repository().join("ci/pack"))
        .arg(version)
        .arg(&out)
        .arg(format!("{TRIPLE}={}", program.display()))
        .env("HARNESS_SIGNING_KEY", &key.secret)
        .env("HARNESS_UPDATE_KEY", &key.public)
        .env("HARNESS_RELEASES", url)
        .env("CARGO_TARGET_DIR", env!("CARGO_TARGET_TMPDIR"))
        .env("PATH", path())
        .env("PACK_GZIP", "-1")
        .output()
        .expect("bash starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    std::fs::write(root.join("latest"), version).expect("written");
    out
}

/// The search path with the tools.
fn path() -> std::ffi::OsString {
    let mut path = tool("minisign").parent().expect("a folder").as_os_str().to_owned();
    path.push(":/usr/bin:/bin");
    path
}
