//! `installers/install.sh`, against a release server on loopback.

use crate::support::release::{Key, TRIPLE, is_here, pack, tool};
use crate::support::server::{Fault, Server};
use crate::support::{Ran, Sandbox, binary, is_root, repository};
use std::path::{Path, PathBuf};

/// What the installer needs of a system, and nothing else.
const SYSTEM: &[&str] = &[
    "cat",
    "chmod",
    "cp",
    "curl",
    "cut",
    "dirname",
    "env",
    "expr",
    "grep",
    "gzip",
    "id",
    "mkdir",
    "mktemp",
    "mv",
    "rm",
    "sed",
    "sh",
    "sha256sum",
    "sort",
    "tail",
    "tar",
    "uname",
];

/// A server with releases of a program that only says its version and writes down how it
/// was called.
struct World {
    sandbox: Sandbox,
    server: Server,
    key: Key,
}

impl World {
    fn new() -> Self {
        Self::of(Sandbox::new())
    }

    fn of(sandbox: Sandbox) -> Self {
        let releases = sandbox.root().join("releases");
        std::fs::create_dir(&releases).expect("made");
        let (server, key) = (Server::of(&releases), Key::new(&sandbox, "ours"));
        let world = Self { sandbox, server, key };
        world.release("0.2.0", &world.key);
        world.tools("system", SYSTEM);
        world
    }

    fn releases(&self) -> PathBuf {
        self.sandbox.root().join("releases")
    }

    fn release(&self, version: &str, key: &Key) {
        let program = self.program(version);
        pack(&self.releases(), version, &program, key, &self.server.url());
    }

    fn program(&self, version: &str) -> PathBuf {
        let text = format!(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'harness {version}'; exit 0; fi\n\
             echo \"{version} $*\" >> \"$HOME/calls\"\nexit \"${{STUB_EXIT:-0}}\"\n"
        );
        self.sandbox.script(format!("programs/{version}"), &text)
    }

    /// A folder of links to programs: all that a run finds.
    fn tools(&self, name: &str, programs: &[&str]) -> PathBuf {
        let folder = self.sandbox.root().join(name);
        std::fs::create_dir_all(&folder).expect("made");
        for program in programs {
            let path = which::which(program).unwrap_or_else(|_| tool(program));
            let link = folder.join(program);
            if !link.exists() {
                std::os::unix::fs::symlink(path, link).expect("made");
            }
        }
        folder
    }

    fn script(&self, version: &str) -> PathBuf {
        self.releases().join(format!("v{version}/install.sh"))
    }

    fn install(&self, args: &[&str], env: &[(&str, &str)]) -> Ran {
        self.install_as(args, env, false)
    }

    fn install_as(&self, args: &[&str], env: &[(&str, &str)], nobody: bool) -> Ran {
        let mut all = vec![self.script("0.2.0").to_string_lossy().into_owned()];
        all.extend(args.iter().map(|a| (*a).to_owned()));
        let run = self.sandbox.program("/bin/sh", all);
        let run = run.env("PATH", self.sandbox.root().join("system"));
        let run = env.iter().fold(run, |run, (name, value)| run.env(name, value));
        if nobody { run.as_nobody().go() } else { run.go() }
    }

    fn target(&self) -> PathBuf {
        self.sandbox.home().join(".local/bin/harness")
    }

    fn version_there(&self) -> String {
        let ran = self.sandbox.program(self.target(), ["--version"]).ok();
        ran.stdout.trim().to_owned()
    }

    /// Everything below the home, so that nothing new is missed.
    fn left(&self) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.sandbox.home(), &mut found);
        found.sort();
        found
    }
}

fn walk(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of ours").flatten() {
        if entry.path().is_dir() {
            walk(&entry.path(), found);
        } else {
            found.push(entry.path().to_string_lossy().into_owned());
        }
    }
}

#[track_caller]
fn failed(ran: &Ran, code: i32, words: &str) {
    assert_eq!(ran.status.code(), Some(code), "{ran:?}");
    assert!(ran.stderr.contains("error: ") && ran.stderr.contains(words), "{words}: {ran:?}");
    assert!(ran.stderr.contains("hint: "), "what next? {ran:?}");
}

#[test]
fn a_fresh_machine_is_guarded_after_one_command_and_proves_it_with_a_second() {
    if !is_here() {
        return;
    }
    let world = World::new();
    world.sandbox.stub_claude("2.1.332");
    let version = env!("CARGO_PKG_VERSION");
    pack(&world.releases(), version, &binary(), &world.key, &world.server.url());
    let begun = std::time::Instant::now();
    let script = world.script(version);
    let ran = world.sandbox.program("/bin/sh", [script.as_os_str(), "-y".as_ref()]).ok();
    assert!(ran.stdout.contains("proven: the hook denied a test call"), "{ran:?}");
    let doctor = world.sandbox.program(world.target(), ["doctor", "--json"]).go();
    assert_eq!(doctor.json()["hosts"][0]["gate"]["state"], "alive", "{doctor:?}");
    let took = begun.elapsed();
    assert!(took < std::time::Duration::from_secs(60), "two commands took {took:?}");
    // A new terminal finds it.
    let found =
        world.sandbox.program("/bin/sh", ["-c", ". \"$HOME/.profile\"; command -v harness"]);
    assert_eq!(Path::new(found.ok().stdout.trim()), world.target());
    let script = world.script(version);
    let args = [script.as_os_str(), "--uninstall".as_ref(), "-y".as_ref()];
    world.sandbox.program("/bin/sh", args).ok();
    assert!(!world.target().exists());
    let settings = std::fs::read_to_string(world.sandbox.user_settings()).unwrap_or_default();
    assert!(!settings.contains("harness"), "{settings}");
}

#[test]
fn it_says_how_the_download_was_verified_and_registers_with_consent_only() {
    let world = World::new();
    let ran = world.install(&["--yes"], &[]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert!(ran.stdout.contains("verified: its SHA-256 is the one in this installer"), "{ran:?}");
    assert!(ran.stdout.contains("was not checked, for there is no minisign here"), "{ran:?}");
    assert_eq!(world.sandbox.read("home/calls"), "0.2.0 install --yes\n");
    world.tools("system", &["minisign"]);
    let ran = world.install(&["-q", "-y"], &[("HARNESS_REQUIRE_SIGNATURE", "1")]);
    assert_eq!((ran.status.code(), ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    let ran = world.install(&[], &[("HARNESS_NO_INSTALL", "1")]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert!(ran.stdout.contains("its signature was checked with minisign"), "{ran:?}");
    // Without a terminal and without a yes nobody agreed to the hooks.
    let ran = world.install(&[], &[]);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    assert!(ran.stdout.contains("next: ") && ran.stdout.contains("harness install"), "{ran:?}");
    let ran = world.install(&["-y"], &[("STUB_EXIT", "1")]);
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
    assert_eq!(world.sandbox.read("home/calls").lines().count(), 3);
}

#[test]
fn whatever_goes_wrong_on_the_way_installs_nothing() {
    let world = World::new();
    let archive = format!("harness-{TRIPLE}.tar.gz");
    let whole = std::fs::read(world.releases().join("v0.2.0").join(&archive)).expect("packed");
    let mut other = whole.clone();
    other[20] ^= 1;
    let cut = if whole.len() > 99 { 99 } else { 1 };
    let dead = "http://127.0.0.1:9";
    for (fault, words) in [
        (Some(Fault::Cut(cut)), "can't be fetched"),
        (Some(Fault::Status(404)), "can't be fetched"),
        (Some(Fault::Status(500)), "can't be fetched"),
        (Some(Fault::Redirect("ftp://127.0.0.1/x".into())), "can't be fetched"),
        (Some(Fault::Body(other)), "is not what it should be: its SHA-256 is"),
        (Some(Fault::Body(Vec::new())), "is not what it should be"),
        (None, "can't be fetched"),
    ] {
        let env = [("HARNESS_DOWNLOAD_URL", dead)];
        let env = if fault.is_none() { &env[..] } else { &[] };
        if let Some(fault) = &fault {
            world.server.fault(&archive, fault.clone());
        }
        failed(&world.install(&["-y"], env), 3, words);
        assert_eq!(world.left(), [""; 0], "{fault:?}");
    }
    world.server.heal();
    assert_eq!(world.install(&["-y"], &[]).status.code(), Some(0));
}

#[test]
fn a_signature_of_another_key_file_or_version_is_refused() {
    let world = World::new();
    world.tools("system", &["minisign"]);
    let signature = format!("harness-{TRIPLE}.tar.gz.minisig");
    let read = |version: &str| {
        std::fs::read(world.releases().join(format!("v{version}")).join(&signature))
            .expect("packed")
    };
    world.release("0.1.9", &world.key);
    world.release("0.2.1", &Key::new(&world.sandbox, "theirs"));
    for (body, words) in [
        (read("0.2.1"), "is not this project's"),
        (read("0.1.9"), "is not this project's"),
        (b"junk".to_vec(), "is not this project's"),
    ] {
        world.server.fault(&signature, Fault::Body(body));
        failed(&world.install(&["-y"], &[]), 3, words);
        assert_eq!(world.left(), [""; 0]);
    }
    world.server.fault(&signature, Fault::Status(404));
    failed(&world.install(&["-y"], &[]), 3, "minisig can't be fetched");
    // Rightly signed, but as another version: what was handed out is old.
    world.server.heal();
    let old = world.releases().join("v0.1.9");
    std::fs::rename(old, world.releases().join("v0.3.0")).expect("renamed");
    failed(&world.install(&["-y", "--version", "0.3.0"], &[]), 3, "is signed as `harness 0.1.9");
    assert_eq!(world.left(), [""; 0]);
}

#[test]
fn another_version_than_its_own_needs_the_signature() {
    let world = World::new();
    world.release("0.1.9", &world.key);
    failed(&world.install(&["-y", "--version=v0.1.9"], &[]), 3, "there is no `minisign`");
    world.tools("system", &["minisign"]);
    let ran = world.install(&["-y"], &[("HARNESS_VERSION", "0.1.9")]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert!(ran.stdout.contains("verified: its signature was checked with minisign"), "{ran:?}");
    assert_eq!(world.version_there(), "harness 0.1.9");
}

#[test]
fn tools_that_are_missing_are_named() {
    let world = World::new();
    let without = |name: &str, left_out: &[&str], more: &[&str]| {
        let mut programs: Vec<&str> =
            SYSTEM.iter().copied().filter(|p| !left_out.contains(p)).collect();
        programs.extend(more);
        let path = world.tools(name, &programs);
        world.install(&["-y"], &[("PATH", &path.to_string_lossy())])
    };
    failed(&without("no-curl", &["curl"], &[]), 3, "neither `curl` nor `wget`");
    failed(&without("no-hash", &["sha256sum"], &[]), 3, "none of `sha256sum`");
    failed(&without("no-tar", &["tar"], &[]), 3, "`tar` is needed");
    failed(&without("no-mktemp", &["mktemp"], &[]), 3, "`mktemp` is needed");
    assert_eq!(world.left(), [""; 0]);
    let ran = without("wget", &["curl", "sha256sum"], &["wget", "openssl"]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(world.version_there(), "harness 0.2.0");
}

#[test]
fn what_is_there_already_is_replaced_only_forwards() {
    let world = World::new();
    let place = |text: &str| world.sandbox.script("home/.local/bin/harness", text);
    let say = |version: &str| format!("#!/bin/sh\necho 'harness {version}'\n");
    for older in ["0.1.0", "0.1.10", "0.2.0"] {
        place(&say(older));
        let ran = world.install(&["-y"], &[]);
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
        assert!(ran.stdout.contains(&format!("where {older} was")), "{ran:?}");
        assert_eq!(world.version_there(), "harness 0.2.0");
    }
    for newer in ["0.2.1", "0.10.0", "1.0.0"] {
        place(&say(newer));
        failed(&world.install(&["-y"], &[]), 2, "which is newer than 0.2.0");
        assert_eq!(world.version_there(), format!("harness {newer}"));
    }
    assert_eq!(world.install(&["-y", "--force"], &[]).status.code(), Some(0));
    place("#!/bin/sh\necho 'another harness'\n");
    failed(&world.install(&["-y"], &[]), 2, "is another program");
    std::fs::remove_file(world.target()).expect("it is there");
    std::fs::create_dir(world.target()).expect("made");
    failed(&world.install(&["-y"], &[]), 3, "is a folder");
}

#[test]
fn a_home_that_cannot_be_written_is_said_before_anything_is_downloaded() {
    let world = World::of(Sandbox::in_temp());
    let locked = world.sandbox.root().join("locked");
    std::fs::create_dir(&locked).expect("made");
    let asked = world.server.asked().len();
    let under = "/proc/harness-bin";
    failed(&world.install(&["-y", "--dir", under], &[]), 3, "can't be made");
    if is_root() {
        let folder = locked.to_string_lossy().into_owned();
        let first = world.install_as(&["-y", "--no-install", "--no-modify-path"], &[], true);
        assert_eq!(first.status.code(), Some(0), "{first:?}");
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).expect("ours");
        let before = world.server.asked().len();
        failed(&world.install_as(&["-y", "--dir", &folder], &[], true), 3, "can't be written");
        assert_eq!(world.server.asked().len(), before);
    } else {
        assert_eq!(world.server.asked().len(), asked);
    }
}

#[test]
fn options_are_checked_and_addresses_are_safe_ones() {
    let world = World::new();
    let help = world.install(&["--help"], &[]);
    assert_eq!(help.status.code(), Some(0));
    assert!(help.stdout.contains("Usage: install.sh") && help.stdout.contains("Exit codes"));
    for (args, words) in [
        (&["--frobnicate"][..], "unknown option `--frobnicate`"),
        (&["--dir"], "`--dir` needs a value"),
        (&["--dir", "relative"], "not an absolute path"),
        (&["--version", "../../etc"], "is no version"),
        (&["--version", "latest"], "is no version"),
    ] {
        failed(&world.install(args, &[]), 2, words);
    }
    for address in [
        "http://example.invalid/x",
        "http://127.0.0.1:80@example.invalid",
        "http://localhost.example.invalid/",
        "ftp://127.0.0.1/",
        "file:///etc",
    ] {
        let ran = world.install(&["-y"], &[("HARNESS_DOWNLOAD_URL", address)]);
        assert_eq!(ran.status.code(), Some(2), "{address}: {ran:?}");
    }
    let template = repository().join("installers/install.sh");
    let ran = world.sandbox.program("/bin/sh", [template]).code(2);
    assert!(ran.stderr.contains("template"), "{ran:?}");
    assert_eq!(world.left(), [""; 0]);
}

#[test]
fn the_search_path_is_extended_once_and_only_where_it_has_to_be() {
    let world = World::new();
    world.sandbox.write("home/.bashrc", "# mine\n");
    world.sandbox.write("home/.config/fish/config.fish", "");
    for _ in 0..2 {
        assert_eq!(world.install(&["-y"], &[("SHELL", "/bin/zsh")]).status.code(), Some(0));
    }
    for file in ["home/.profile", "home/.bashrc", "home/.zshenv"] {
        let text = world.sandbox.read(file);
        assert_eq!(text.matches("# harness\n").count(), 1, "{file}: {text}");
    }
    assert!(world.sandbox.read("home/.bashrc").starts_with("# mine\n"));
    assert!(world.sandbox.read("home/.config/fish/conf.d/harness.fish").contains("fish_add_path"));

    let other = World::new();
    let path = format!(
        "{}:{}",
        other.sandbox.root().join("system").display(),
        other.target().parent().expect("a folder").display()
    );
    assert_eq!(other.install(&["-y"], &[("PATH", &path)]).status.code(), Some(0));
    assert_eq!(other.install(&["-y", "--no-modify-path"], &[]).status.code(), Some(0));
    let program = other.target().to_string_lossy().into_owned();
    let calls = other.sandbox.home().join("calls").to_string_lossy().into_owned();
    assert_eq!(other.left(), [program, calls]);
}

#[test]
fn a_script_that_was_cut_off_does_nothing() {
    let world = World::new();
    let text = std::fs::read(world.script("0.2.0")).expect("packed");
    let asked = world.server.asked().len();
    let end = text.len() - 2;
    let cuts = (0..40).map(|n| end * n / 40).chain(end - 30..=end);
    for at in cuts {
        let part = world.sandbox.write("part.sh", &text[..at]);
        let ran = world.sandbox.program("/bin/sh", [part.as_os_str(), "-y".as_ref()]);
        let ran = ran.env("PATH", world.sandbox.root().join("system")).go();
        assert!(ran.stdout.is_empty(), "{at}: {ran:?}");
        assert_eq!(world.left(), [""; 0], "cut at {at}");
    }
    assert_eq!(world.server.asked().len(), asked);
}

#[test]
fn the_shell_scripts_are_clean() {
    let scripts = ["installers/install.sh", "ci/verify", "ci/pack"];
    let scripts: Vec<PathBuf> = scripts.iter().map(|s| repository().join(s)).collect();
    let ran = std::process::Command::new(tool("shellcheck"))
        .arg("-x")
        .arg("-P")
        .arg(repository())
        .args(&scripts)
        .output()
        .expect("it starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    let text = std::fs::read_to_string(&scripts[0]).expect("it is there");
    assert!(text.ends_with("\n{\n  main \"$@\"\n}\n"), "the last lines alone start anything");
}
