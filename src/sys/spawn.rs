//! Starts a hook as its host does, and leaves nothing of it behind.

use super::interrupt;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What to start.
#[derive(Clone, Debug)]
pub enum Form {
    /// A program with its arguments, without a shell.
    Exec {
        /// The program; nothing in it is expanded.
        program: OsString,
        /// Its arguments.
        args: Vec<OsString>,
    },
    /// A command line for `/bin/sh -c`.
    Shell(OsString),
}

/// How to start it.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What.
    pub form: Form,
    /// The folder it starts in.
    pub cwd: PathBuf,
    /// Its whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// What it reads.
    pub stdin: Vec<u8>,
    /// Whether its standard input stays open after the last byte.
    pub stdin_stays_open: bool,
    /// When it is killed.
    pub limit: Duration,
    /// Bytes kept of each stream; more are read and dropped.
    pub keep: usize,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With this code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// Killed at the limit.
    Timeout,
    /// It never ran: the system's words.
    NotStarted(String),
}

/// What it did.
#[derive(Clone, Debug)]
pub struct Ran {
    /// How it ended.
    pub ending: Ending,
    /// Its standard output, up to [`Launch::keep`].
    pub stdout: Vec<u8>,
    /// Its standard error, up to [`Launch::keep`].
    pub stderr: Vec<u8>,
    /// Bytes it wrote in all to both.
    pub written: u64,
    /// From start to end.
    pub took: Duration,
    /// What held its streams open after its end: a child's name, as far as it is known.
    pub held: Option<String>,
}

impl Ran {
    fn not_started(error: &std::io::Error) -> Self {
        Self {
            ending: Ending::NotStarted(error.to_string()),
            stdout: Vec::new(),
            stderr: Vec::new(),
            written: 0,
            took: Duration::ZERO,
            held: None,
        }
    }
}

/// Starts it, feeds it, waits for it, and kills whatever of it is left; at once, where a
/// person interrupted the command that wants it run.
#[must_use]
pub fn run(launch: &Launch) -> Ran {
    if interrupt::came() {
        return Ran::not_started(&std::io::Error::other("interrupted"));
    }
    imp::run(launch).unwrap_or_else(|e| Ran::not_started(&e))
}

#[cfg(unix)]
mod imp {
    use super::{Ending, Form, Launch, Ran};
    use std::io::{self, ErrorKind, Read, Write};
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::os::unix::net::UnixStream;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    /// How long a tree may take to end itself before it is killed for good.
    const GRACE: Duration = Duration::from_millis(200);

    pub(super) fn run(launch: &Launch) -> io::Result<Ran> {
        let (stdin, hook_in) = UnixStream::pair()?;
        let (stdout, hook_out) = UnixStream::pair()?;
        let (stderr, hook_err) = UnixStream::pair()?;
        for ours in [&stdin, &stdout, &stderr] {
            ours.set_nonblocking(true)?;
        }
        let mut command = command(launch);
        command.stdin(Stdio::from(OwnedFd::from(hook_in)));
        command.stdout(Stdio::from(OwnedFd::from(hook_out)));
        command.stderr(Stdio::from(OwnedFd::from(hook_err)));
        let started = Instant::now();
        let child = command.spawn()?;
        // The hook's ends must be its own alone, or no end of file is ever seen.
        drop(command);
        let wires = Wires {
            stdin: Some(stdin),
            stdout: Stream::new(stdout),
            stderr: Stream::new(stderr),
            fed: 0,
        };
        Ok(watch(child, wires, launch, started))
    }

    fn command(launch: &Launch) -> Command {
        let mut command = match &launch.form {
            Form::Exec { program, args } => {
                let mut command = Command::new(program);
                command.args(args);
                command
            }
            Form::Shell(line) => {
                let mut command = Command::new("/bin/sh");
                command.arg("-c").arg(line);
                command
            }
        };
        command.current_dir(&launch.cwd).env_clear().envs(launch.env.iter().map(|(k, v)| (k, v)));
        // SAFETY: between fork and exec only `setsid`, `prctl`, `close_range` and `fcntl` are
        // called, which POSIX and Linux allow there; nothing is allocated.
        unsafe { command.pre_exec(own_session) };
        command
    }

    /// An own session, and no handle beyond the three streams.
    fn own_session() -> io::Result<()> {
        // SAFETY: no arguments, no memory.
        if unsafe { libc::setsid() } < 0 {
            return Err(io::Error::last_os_error());
        }
        close_on_exec();
        super::super::tree::die_with_parent();
        Ok(())
    }

    #[cfg(target_os = "linux")]
    fn close_on_exec() {
        const CLOEXEC: libc::c_uint = 4;
        // SAFETY: numbers only. On kernels without the call nothing happens: what we
        // open ourselves is close-on-exec already.
        unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, CLOEXEC) };
    }

    #[cfg(not(target_os = "linux"))]
    fn close_on_exec() {
        for fd in 3..256 {
            // SAFETY: numbers only; a closed descriptor is an error we don't mind.
            unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }

    struct Stream {
        wire: Option<UnixStream>,
        kept: Vec<u8>,
        seen: u64,
    }

    impl Stream {
        const fn new(wire: UnixStream) -> Self {
            Self { wire: Some(wire), kept: Vec::new(), seen: 0 }
        }

        /// Reads what is there; whether anything was.
        fn drain(&mut self, keep: usize) -> bool {
            let mut moved = false;
            let mut buffer = [0_u8; 16 * 1024];
            // Bounded, so that a flood on one stream doesn't starve the clock.
            for _ in 0..64 {
                let Some(wire) = &mut self.wire else { break };
                match wire.read(&mut buffer) {
                    Ok(0) => self.wire = None,
                    Ok(n) => {
                        moved = true;
                        self.seen = self.seen.saturating_add(n as u64);
                        let room = keep.saturating_sub(self.kept.len()).min(n);
                        self.kept.extend_from_slice(buffer.get(..room).unwrap_or_default());
                    }
                    Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    Err(_) => self.wire = None,
                }
            }
            moved
        }
    }

    struct Wires {
        stdin: Option<UnixStream>,
        stdout: Stream,
        stderr: Stream,
        fed: usize,
    }

    impl Wires {
        fn feed(&mut self, launch: &Launch) {
            let Some(wire) = &mut self.stdin else { return };
            loop {
                let rest = launch.stdin.get(self.fed..).unwrap_or_default();
                if rest.is_empty() {
                    if !launch.stdin_stays_open {
                        self.stdin = None;
                    }
                    return;
                }
                match wire.write(rest) {
                    Ok(n) => self.fed += n,
                    Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                    Err(e) if e.kind() == ErrorKind::Interrupted => {}
                    // A hook may ignore its input.
                    Err(_) => {
                        self.stdin = None;
                        return;
                    }
                }
            }
        }

        fn drain(&mut self, keep: usize) -> bool {
            let out = self.stdout.drain(keep);
            self.stderr.drain(keep) || out
        }

        /// Waits until something moves, at most for `wait`.
        fn poll(&self, launch: &Launch, wait: Duration) {
            let mut fds = Vec::with_capacity(3);
            let mut add = |wire: Option<&UnixStream>, events| {
                if let Some(wire) = wire {
                    fds.push(libc::pollfd { fd: wire.as_raw_fd(), events, revents: 0 });
                }
            };
            let unfed = self.fed < launch.stdin.len();
            add(self.stdin.as_ref().filter(|_| unfed), libc::POLLOUT);
            add(self.stdout.wire.as_ref(), libc::POLLIN);
            add(self.stderr.wire.as_ref(), libc::POLLIN);
            let millis = i32::try_from(wait.as_millis()).unwrap_or(10);
            // SAFETY: the pointer and the length are of one live vector.
            unsafe { libc::poll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, millis) };
        }
    }

    fn watch(mut child: Child, mut wires: Wires, launch: &Launch, started: Instant) -> Ran {
        let mut late = false;
        while !ended(&child) {
            if started.elapsed() >= launch.limit || super::interrupt::came() {
                late = true;
                break;
            }
            wires.feed(launch);
            if !wires.drain(launch.keep) {
                // Short: the end of the process wakes nobody if a child holds its streams.
                wires.poll(launch, Duration::from_millis(2));
            }
        }
        let took = started.elapsed();
        if late {
            stop(&child, &mut wires, launch.keep);
        }
        // A host doesn't wait for children that hold the streams; nor do we.
        while wires.drain(launch.keep) {}
        let held = if late { None } else { held(&child, &mut wires, launch.keep) };
        kill_session(&child, libc::SIGKILL);
        let ending = match child.wait() {
            _ if late => Ending::Timeout,
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => Ending::Exit(code),
                (None, Some(signal)) => Ending::Signal(signal),
                (None, None) => Ending::Exit(-1),
            },
            Err(e) => Ending::NotStarted(e.to_string()),
        };
        let written = wires.stdout.seen.saturating_add(wires.stderr.seen);
        Ran { ending, stdout: wires.stdout.kept, stderr: wires.stderr.kept, written, took, held }
    }

    /// Who holds the output of a process that has ended. A process that is just being
    /// started holds it for a moment too, so it gets one.
    fn held(child: &Child, wires: &mut Wires, keep: usize) -> Option<String> {
        let since = Instant::now();
        while wires.stdout.wire.is_some() {
            if since.elapsed() >= GRACE {
                let leader = libc::pid_t::try_from(child.id()).ok()?;
                let others = members(leader).into_iter().filter(|pid| *pid != leader);
                let name = |pid| std::fs::read_to_string(format!("/proc/{pid}/comm")).ok();
                if let Some(name) = others.filter_map(name).next() {
                    return Some(name.trim().to_owned());
                }
                // Nobody of its session: one that left it, or one of ours that is just
                // being started, which on a busy machine takes its time.
                if since.elapsed() >= GRACE * 10 {
                    return Some("a process".to_owned());
                }
            }
            if !wires.drain(keep) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        None
    }

    /// Asks the tree to end, then kills it.
    fn stop(child: &Child, wires: &mut Wires, keep: usize) {
        kill_session(child, libc::SIGTERM);
        let asked = Instant::now();
        while !ended(child) && asked.elapsed() < GRACE {
            if !wires.drain(keep) {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        kill_session(child, libc::SIGKILL);
    }

    /// Whether it ended. It isn't reaped, so that its number can't be another's when the
    /// rest of its session is killed.
    fn ended(child: &Child) -> bool {
        // SAFETY: `info` is a plain C struct that the call fills.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            let asked = libc::waitid(libc::P_PID, child.id(), &raw mut info, flags);
            asked < 0 || info.si_pid() != 0
        }
    }

    /// Signals the process group, and everything else of the session.
    fn kill_session(child: &Child, signal: libc::c_int) {
        let Ok(leader) = libc::pid_t::try_from(child.id()) else { return };
        for pid in members(leader) {
            // SAFETY: numbers only. The leader isn't reaped, so the session is still its.
            unsafe { libc::kill(pid, signal) };
        }
        // SAFETY: numbers only.
        unsafe { libc::killpg(leader, signal) };
    }

    /// Processes of the session that left the leader's group.
    #[cfg(target_os = "linux")]
    fn members(leader: libc::pid_t) -> Vec<libc::pid_t> {
        let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
        let pid = |e: io::Result<std::fs::DirEntry>| e.ok()?.file_name().to_str()?.parse().ok();
        let of_session = |pid: &libc::pid_t| {
            let stat = std::fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
            let stat = String::from_utf8_lossy(&stat).into_owned();
            // The name may hold anything, so count from the last parenthesis.
            let session = stat.rsplit(')').next().and_then(|t| t.split_whitespace().nth(3));
            session.and_then(|s| s.parse().ok()) == Some(leader)
        };
        entries.filter_map(pid).filter(of_session).collect()
    }

    #[cfg(not(target_os = "linux"))]
    fn members(_leader: libc::pid_t) -> Vec<libc::pid_t> {
        Vec::new()
    }
}

#[cfg(not(unix))]
mod imp {
    use super::{Ending, Form, Launch, Ran};
    use std::io::{self, ErrorKind, Read, Write};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    pub(super) fn run(launch: &Launch) -> io::Result<Ran> {
        let Form::Exec { program, args } = &launch.form else {
            return Err(io::Error::new(ErrorKind::Unsupported, "no POSIX shell to start it with"));
        };
        let mut child = Command::new(program)
            .args(args)
            .current_dir(&launch.cwd)
            .env_clear()
            .envs(launch.env.iter().map(|(k, v)| (k, v)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let started = Instant::now();
        let stdin = child.stdin.take();
        let payload = launch.stdin.clone();
        let open = launch.stdin_stays_open;
        let limit = launch.limit;
        std::thread::spawn(move || {
            if let Some(mut stdin) = stdin {
                let _ = stdin.write_all(&payload);
                if open {
                    std::thread::sleep(limit);
                }
            }
        });
        let out = child.stdout.take().map(|s| collect(s, launch.keep));
        let err = child.stderr.take().map(|s| collect(s, launch.keep));
        let ending = loop {
            match child.try_wait()? {
                Some(status) => break Ending::Exit(status.code().unwrap_or(-1)),
                None if started.elapsed() >= limit || super::interrupt::came() => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break Ending::Timeout;
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let took = started.elapsed();
        let join = |h: Option<std::thread::JoinHandle<Vec<u8>>>| {
            h.and_then(|h| h.join().ok()).unwrap_or_default()
        };
        let (stdout, stderr) = (join(out), join(err));
        let written = (stdout.len() + stderr.len()) as u64;
        Ok(Ran { ending, stdout, stderr, written, took, held: None })
    }

    fn collect(
        mut stream: impl Read + Send + 'static,
        keep: usize,
    ) -> std::thread::JoinHandle<Vec<u8>> {
        std::thread::spawn(move || {
            let mut kept = Vec::new();
            let mut buffer = [0_u8; 16 * 1024];
            while let Ok(n @ 1..) = stream.read(&mut buffer) {
                let room = keep.saturating_sub(kept.len()).min(n);
                kept.extend_from_slice(buffer.get(..room).unwrap_or_default());
            }
            kept
        })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Ending, Form, Launch, Ran, run};
    use std::time::{Duration, Instant};

    fn sh(script: &str, change: impl FnOnce(&mut Launch)) -> Ran {
        let mut launch = Launch {
            form: Form::Shell(script.into()),
            cwd: "/".into(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into())],
            stdin: b"hello\n".to_vec(),
            stdin_stays_open: false,
            limit: Duration::from_secs(10),
            keep: 1 << 20,
        };
        change(&mut launch);
        run(&launch)
    }

    #[test]
    fn bytes_go_in_and_come_out() {
        let ran = sh("cat; echo oops >&2; exit 7", |_| {});
        assert_eq!(ran.ending, Ending::Exit(7));
        assert_eq!(
            (ran.stdout.as_slice(), ran.stderr.as_slice()),
            (&b"hello\n"[..], &b"oops\n"[..])
        );
    }

    #[test]
    fn large_input_may_be_ignored_or_read_whole() {
        let big = |l: &mut Launch| l.stdin = vec![b'x'; 3_000_000];
        assert_eq!(sh("exit 0", big).ending, Ending::Exit(0));
        assert_eq!(sh("wc -c", big).stdout.trim_ascii(), b"3000000");
    }

    #[test]
    fn streams_are_sockets_in_an_own_session() {
        let ran = sh("echo x >/dev/stderr; ps -o sid= -p $$; echo $$", |_| {});
        assert!(!ran.stderr.starts_with(b"x"), "a socket can't be opened by name");
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        let mut words = text.split_whitespace();
        assert_eq!(words.next(), words.next());
    }

    #[test]
    fn a_hanging_tree_is_killed_at_the_limit() {
        let begun = Instant::now();
        let short = |l: &mut Launch| l.limit = Duration::from_millis(150);
        let ran = sh("trap '' TERM; sleep 60 & sleep 60", short);
        assert_eq!(ran.ending, Ending::Timeout);
        assert!(begun.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn a_child_that_holds_the_output_delays_nothing_and_is_killed() {
        let begun = Instant::now();
        let ran = sh("sleep 61 & echo $!", |_| {});
        assert_eq!(ran.held.as_deref(), Some("sleep"));
        assert_eq!(sh("echo x", |_| {}).held, None);
        assert!(begun.elapsed() < Duration::from_secs(5));
        let pid = String::from_utf8_lossy(&ran.stdout).trim().to_owned();
        let gone = || !std::path::Path::new(&format!("/proc/{pid}")).exists() || zombie(&pid);
        let until = Instant::now() + Duration::from_secs(3);
        while !gone() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(gone(), "{pid} is left");
    }

    fn zombie(pid: &str) -> bool {
        std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|s| s.contains(") Z "))
    }

    #[test]
    fn open_input_output_limits_signals_and_what_never_starts() {
        let open = |l: &mut Launch| {
            l.stdin_stays_open = true;
            l.limit = Duration::from_millis(150);
        };
        assert_eq!(sh("cat", open).ending, Ending::Timeout);
        assert_eq!(sh("read line; echo $line", open).stdout, b"hello\n");
        let ran = sh("head -c 300000 /dev/zero", |l| l.keep = 1000);
        assert_eq!((ran.stdout.len(), ran.written), (1000, 300_000));
        assert_eq!(sh("kill -9 $$", |_| {}).ending, Ending::Signal(9));
        let missing = Form::Exec { program: "/nowhere/x".into(), args: Vec::new() };
        assert!(matches!(sh("", |l| l.form = missing).ending, Ending::NotStarted(_)));
    }

    #[test]
    fn no_handle_is_inherited_and_the_environment_is_ours() {
        let ran =
            sh("ls /proc/self/fd | wc -l; env | grep -c -v -E '^(PWD|_|SHLVL|OLDPWD)='", |_| {});
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        let numbers: Vec<u32> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        // Three streams and the folder that `ls` reads; PATH alone.
        assert_eq!(numbers, [4, 1], "{text}");
    }
}
