//! The binary on a terminal: `script` makes one, a parser of what terminals obey shows
//! what a person would see on it.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::{PATIENCE, Sandbox, binary};

/// What the terminal's shell does: names itself, then its program's end and whether the
/// terminal was left as it was. The first word is the folder to start the rest in.
const SHELL: &str = r#"tty > tty; stty -g > before
sh -c 'echo $$ > pid; cd "$0" && exec "$@"' "$@"
echo $? > code; stty -g > after"#;

/// A program on a terminal.
pub(crate) struct Screen {
    child: Child,
    stdin: ChildStdin,
    seen: Arc<Mutex<Seen>>,
    folder: PathBuf,
}

struct Seen {
    parser: vt100::Parser,
    bytes: Vec<u8>,
}

fn size(of: u16) -> NonZero<u16> {
    NonZero::new(of).expect("a terminal has some")
}

impl Screen {
    /// Starts the binary with these arguments in the sandbox's project, on a terminal of 80
    /// by 24.
    pub(crate) fn start(sandbox: &Sandbox, args: &[&str], env: &[(&str, &str)]) -> Self {
        let folder = sandbox.root().join("terminal");
        let mut words = vec![binary().into_os_string()];
        words.extend(args.iter().map(OsString::from));
        words.extend(["--cwd".into(), sandbox.project().as_os_str().to_owned()]);
        let mut all: Vec<(OsString, OsString)> = sandbox.environment().into_iter().collect();
        all.push(("TERM".into(), "xterm-256color".into()));
        all.push(("HARNESS_HOME".into(), sandbox.root().join("h").into_os_string()));
        all.extend(env.iter().map(|(n, v)| (n.into(), v.into())));
        Self::of(&folder, &words, &folder, &all, (24, 80))
    }

    /// Starts any program in a folder, on a terminal of this many rows and columns whose own
    /// files are in `folder`. The environment is this one and no other.
    pub(crate) fn of(
        folder: &Path,
        words: &[OsString],
        cwd: &Path,
        env: &[(OsString, OsString)],
        (rows, columns): (u16, u16),
    ) -> Self {
        let _ = std::fs::remove_dir_all(folder);
        std::fs::create_dir(folder).expect("a folder of ours");
        let shell = format!("stty rows {rows} cols {columns}\n{SHELL}");
        std::fs::write(folder.join("run"), shell).expect("a folder of ours");
        let mut line = "exec sh ./run".to_owned();
        for word in std::iter::once(cwd.as_os_str()).chain(words.iter().map(OsString::as_os_str)) {
            let word = word.to_str().expect("text").replace('\'', r"'\''");
            line.push_str(&format!(" '{word}'"));
        }
        let mut child = Command::new("/usr/bin/script")
            .args(["-qfec", &line, "/dev/null"])
            .env_clear()
            .envs(env.iter().map(|(n, v)| (n, v)))
            .env("SHELL", "/bin/sh")
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("`script` starts");
        let stdin = child.stdin.take().expect("piped");
        let mut out = child.stdout.take().expect("piped");
        let parser = vt100::Parser::new(size(rows), size(columns), 0);
        let seen = Arc::new(Mutex::new(Seen { parser, bytes: Vec::new() }));
        let shown = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut some = [0; 4_096];
            while let Ok(read @ 1..) = out.read(&mut some) {
                let mut seen = shown.lock().expect("nobody panics with it");
                seen.parser.process(&some[..read]);
                seen.bytes.extend_from_slice(&some[..read]);
            }
        });
        Self { child, stdin, seen, folder: folder.to_path_buf() }
    }

    /// Types.
    pub(crate) fn keys(&mut self, keys: &str) {
        self.stdin.write_all(keys.as_bytes()).expect("the terminal reads");
        self.stdin.flush().expect("the terminal reads");
    }

    /// What is on the screen now.
    pub(crate) fn text(&self) -> String {
        self.seen.lock().expect("nobody panics with it").parser.screen().contents()
    }

    /// Everything that was ever written to it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.seen.lock().expect("nobody panics with it").bytes.clone()
    }

    /// Whether the program's own screen is shown, and not the one from before it.
    pub(crate) fn is_taken(&self) -> bool {
        let seen = self.seen.lock().expect("nobody panics with it");
        seen.parser.screen().alternate_screen() || seen.parser.screen().hide_cursor()
    }

    /// Waits until all of this is on the screen; returns the screen.
    pub(crate) fn until(&self, wanted: &[&str]) -> String {
        self.wait(&format!("{wanted:?}"), |text| wanted.iter().all(|part| text.contains(part)))
    }

    /// Waits until the screen is as wanted.
    pub(crate) fn wait(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let text = self.text();
            if fits(&text) {
                return text;
            }
            assert!(start.elapsed() < PATIENCE, "{what}\n{text}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Another size.
    pub(crate) fn resize(&self, rows: u16, columns: u16) {
        {
            let mut seen = self.seen.lock().expect("nobody panics with it");
            seen.parser.screen_mut().set_size(size(rows), size(columns));
        }
        let tty = self.read("tty");
        let size = [rows.to_string(), columns.to_string()];
        let mut stty = Command::new("stty");
        stty.args(["-F", &tty, "rows", &size[0], "cols", &size[1]]);
        assert!(stty.status().expect("`stty` starts").success());
    }

    /// Sends the program a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.read("pid")]).status();
        assert!(status.expect("`kill` starts").success());
    }

    /// Waits for the program's end: its exit code, and whether the terminal is as before.
    pub(crate) fn end(&mut self) -> (i32, bool) {
        let start = Instant::now();
        while self.child.try_wait().expect("our own child").is_none() {
            if start.elapsed() > PATIENCE {
                let text = self.text();
                let _ = self.child.kill();
                panic!("it doesn't end\n{text}");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let restored = self.read("before") == self.read("after") && !self.is_taken();
        (self.read("code").parse().expect("a number"), restored)
    }

    fn read(&self, name: &str) -> String {
        let start = Instant::now();
        loop {
            let text = std::fs::read_to_string(self.folder.join(name)).unwrap_or_default();
            if text.ends_with('\n') || start.elapsed() > Duration::from_secs(5) {
                return text.trim().to_owned();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
