//! The process that stands where the command was asked for: it starts it, passes signals on,
//! waits, and counts.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

use super::child::Ready;
use super::signals::Signals;
use super::{Body, Ended, Holder, NotRun, Status, Watch, wire};

/// How long a command that is to stop may take to do so by itself.
const GRACE: Duration = Duration::from_millis(500);
/// How often it is asked whether somebody still wants the command, where that can change.
const TICK: libc::c_int = 20;

/// What is told from inside.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// What holds it couldn't be set up.
    Holder(String, i32),
    /// The program couldn't be started.
    Program(i32),
    /// The command was stopped, as by `kill -STOP`.
    Stopped,
    /// It goes on.
    Continued,
    /// It ended.
    Done { status: Status, cpu_us: u64, peak_kib: u64, written: u64, leaves: bool },
}

impl Told {
    pub(super) fn holder(step: String, error: &io::Error) -> Self {
        Self::Holder(step, error.raw_os_error().unwrap_or(0))
    }

    pub(super) fn send(&self, fd: RawFd) {
        let text = match self {
            Self::Holder(step, errno) => format!("holder {errno} {step}"),
            Self::Program(errno) => format!("program {errno}"),
            Self::Stopped => "stopped".to_owned(),
            Self::Continued => "continued".to_owned(),
            Self::Done { status, cpu_us, peak_kib, written, leaves } => {
                let (how, code) = match status {
                    Status::Exit(code) => ("exit", code),
                    Status::Signal(signal) => ("signal", signal),
                };
                format!("done {how} {code} {cpu_us} {peak_kib} {written} {leaves}")
            }
        };
        wire::send(fd, text.as_bytes());
    }

    fn read(message: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(message).ok()?;
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        Some(match word {
            "holder" => {
                let (errno, step) = rest.split_once(' ')?;
                Self::Holder(step.to_owned(), errno.parse().ok()?)
            }
            "program" => Self::Program(rest.parse().ok()?),
            "stopped" => Self::Stopped,
            "continued" => Self::Continued,
            "done" => {
                let mut fields = rest.split(' ');
                let how = fields.next()?;
                let code = fields.next()?.parse().ok()?;
                let status = if how == "exit" { Status::Exit(code) } else { Status::Signal(code) };
                let mut number = || fields.next()?.parse().ok();
                let (cpu_us, peak_kib, written) = (number()?, number()?, number()?);
                Self::Done { status, cpu_us, peak_kib, written, leaves: fields.next()? == "true" }
            }
            _ => return None,
        })
    }
}

/// Runs a command to its end. `wanted` is asked now and then where it is given, and a no
/// stops the command and all it started. `watch` is told when the whole tree is gone, and
/// what it says is given back, unless processes of the tree go on.
///
/// # Errors
/// It never ran.
pub fn run(
    body: &Body,
    holder: &Holder,
    wanted: Option<&dyn Fn() -> bool>,
    watch: &dyn Watch,
) -> Result<(Ended, Vec<u8>), NotRun> {
    let before: &[std::ffi::OsString] =
        if let Holder::Program(words, _) = holder { words } else { &[] };
    let ready = Ready::of(before, body).map_err(|_| NotRun::Program(libc::EINVAL))?;
    let failed = |step: &str| {
        let step = step.to_owned();
        move |error: io::Error| NotRun::Holder(step, error.raw_os_error().unwrap_or(0))
    };
    let signals = Signals::catch().map_err(failed("watching signals"))?;
    let (ours, theirs) = wire::pair().map_err(failed("opening a line"))?;
    if !matches!(holder, Holder::Nobody | Holder::Namespaces(..)) || wanted.is_some() {
        adopt(true);
    }
    let started = Instant::now();
    let begun = super::start::begin(holder, &ready, &theirs, &ours, watch)?;
    drop(theirs);
    let mut run = Run { begun, ctl: ours, signals, stopped: None, told: None, killed: false };
    let result = run.wait(wanted);
    adopt(false);
    let (status, cpu_us, peak_kib, written, leaves) = result?;
    let stopped = run.stopped.is_some();
    let leaves = leaves && !stopped;
    let word = run.begun.end(leaves);
    let ended = Ended {
        status,
        wall: started.elapsed(),
        cpu: Duration::from_micros(cpu_us),
        peak_kib,
        written,
        leaves,
        stopped,
    };
    Ok((ended, word))
}

/// Whether what loses its parent below becomes a child of this process.
fn adopt(on: bool) {
    #[cfg(target_os = "linux")]
    // SAFETY: numbers only.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, libc::c_ulong::from(on), 0, 0, 0);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = on;
}

struct Run {
    begun: super::start::Begun,
    ctl: OwnedFd,
    signals: Signals,
    /// When it was told to stop.
    stopped: Option<Instant>,
    told: Option<Told>,
    killed: bool,
}

type Sums = (Status, u64, u64, u64, bool);

impl Run {
    fn wait(&mut self, wanted: Option<&dyn Fn() -> bool>) -> Result<Sums, NotRun> {
        loop {
            let tick = if wanted.is_some() || self.stopped.is_some() { TICK } else { -1 };
            let fds = [self.ctl.as_raw_fd(), self.signals.fd()];
            let [told, _] = wire::wait(fds, tick);
            for signal in self.signals.came() {
                self.begun.signal(signal);
            }
            if told && let Some(sums) = self.hear()? {
                return Ok(sums);
            }
            if let Some(sums) = self.look() {
                return Ok(sums);
            }
            self.stop_unless(wanted);
        }
    }

    /// A message from inside, or the end of the line.
    fn hear(&mut self) -> Result<Option<Sums>, NotRun> {
        let message = wire::receive(self.ctl.as_raw_fd());
        let Some(message) = message else {
            // In a namespace of its own everything is over; else the program has started.
            return Ok(if self.begun.apart { Some(self.begun.lost()) } else { self.hang_up() });
        };
        match Told::read(&message) {
            Some(Told::Holder(step, errno)) => {
                self.begun.lost();
                Err(NotRun::Holder(step, errno))
            }
            Some(Told::Program(errno)) => {
                self.begun.lost();
                Err(NotRun::Program(errno))
            }
            Some(Told::Done { status, cpu_us, peak_kib, written, leaves }) => {
                if self.stopped.is_some() {
                    self.begun.kill();
                }
                Ok(Some((status, cpu_us, peak_kib, written, leaves)))
            }
            Some(Told::Stopped) => {
                // Where a terminal stopped us all, it has been continued by now.
                if !wire::wait([self.ctl.as_raw_fd()], 20)[0] {
                    stop_too(&self.begun);
                }
                Ok(None)
            }
            Some(Told::Continued) | None => Ok(None),
        }
    }

    /// Stops listening to a line whose other end is closed.
    fn hang_up(&mut self) -> Option<Sums> {
        if let Ok((never, other)) = wire::pair() {
            // Both ends stay ours, so that it is never readable.
            std::mem::forget(other);
            self.ctl = never;
        }
        None
    }

    /// Whether a command that is our own child has ended or was stopped.
    fn look(&mut self) -> Option<Sums> {
        if self.begun.apart {
            return None;
        }
        // A message that says why it never ran comes first.
        match self.begun.state()? {
            super::start::State::Stopped => {
                std::thread::sleep(Duration::from_millis(5));
                if matches!(self.begun.state(), Some(super::start::State::Stopped)) {
                    stop_too(&self.begun);
                }
                None
            }
            super::start::State::Ended => {
                self.told = wire::wait([self.ctl.as_raw_fd()], 0)[0]
                    .then(|| wire::receive(self.ctl.as_raw_fd()))
                    .flatten()
                    .and_then(|message| Told::read(&message));
                if self.told.is_some() {
                    return None;
                }
                if self.stopped.is_some() {
                    // What it started goes with it.
                    self.begun.kill();
                }
                Some(self.begun.reap())
            }
        }
    }

    /// Asks the command to end when nobody wants it any more, and later ends it.
    fn stop_unless(&mut self, wanted: Option<&dyn Fn() -> bool>) {
        match self.stopped {
            None if wanted.is_some_and(|wanted| !wanted()) => {
                self.stopped = Some(Instant::now());
                self.begun.signal(libc::SIGTERM);
                self.begun.signal(libc::SIGCONT);
            }
            Some(since) if since.elapsed() >= GRACE && !self.killed => {
                self.killed = true;
                self.begun.kill();
            }
            _ => {}
        }
    }
}

/// Stops as the command has, and makes it go on as we do.
fn stop_too(begun: &super::start::Begun) {
    // SAFETY: numbers only.
    unsafe { libc::raise(libc::SIGSTOP) };
    begun.signal(libc::SIGCONT);
}

/// The end of a process as `wait` tells it.
pub(super) const fn status_of(status: libc::c_int) -> Status {
    if libc::WIFSIGNALED(status) {
        Status::Signal(libc::WTERMSIG(status))
    } else {
        Status::Exit(libc::WEXITSTATUS(status))
    }
}

/// Microseconds of processors.
pub(super) fn processors(usage: &libc::rusage) -> u64 {
    let micros = |time: libc::timeval| {
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        seconds.saturating_mul(1_000_000).saturating_add(u64::try_from(time.tv_usec).unwrap_or(0))
    };
    micros(usage.ru_utime).saturating_add(micros(usage.ru_stime))
}

/// The largest process, in KiB.
pub(super) fn peak(usage: &libc::rusage) -> u64 {
    let most = u64::try_from(usage.ru_maxrss).unwrap_or(0);
    if cfg!(target_os = "macos") { most / 1024 } else { most }
}

/// Bytes that an ended process, and what it waited for, wrote.
pub(super) fn written(pid: libc::pid_t) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
    let field = text.lines().find_map(|line| line.strip_prefix("wchar: "));
    field.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::Status;
    use super::Told;

    #[test]
    fn what_is_told_is_understood() {
        let (one, other) = super::wire::pair().expect("a line");
        use std::os::fd::AsRawFd;
        for status in [Status::Exit(7), Status::Signal(9)] {
            for told in [
                Told::Done { status, cpu_us: 1, peak_kib: 2, written: 3, leaves: true },
                Told::Holder("mounting `/a b`".to_owned(), 13),
                Told::Program(2),
                Told::Stopped,
                Told::Continued,
            ] {
                told.send(one.as_raw_fd());
                let message = super::wire::receive(other.as_raw_fd()).expect("a message");
                assert_eq!(Told::read(&message), Some(told));
            }
        }
        assert_eq!(Told::read(b"else"), None);
    }
}
