//! Starts a command in what holds it, and somebody who hears of the tree's end.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use super::child::{self, Ready};
use super::supervise::{Told, peak, processors, status_of, written};
use super::{Holder, NotRun, Status, Watch, wire};

/// A command that was started.
pub(super) struct Begun {
    pid: libc::pid_t,
    /// Whether it lives in namespaces of its own, whose first process this is.
    pub(super) apart: bool,
    /// Whether all that it started ends with it.
    whole: bool,
    watcher: Option<Watcher>,
}

/// How a child of ours stands.
pub(super) enum State {
    Stopped,
    Ended,
}

struct Watcher {
    pid: libc::pid_t,
    line: OwnedFd,
}

fn trouble(step: &str) -> NotRun {
    NotRun::Holder(step.to_owned(), io::Error::last_os_error().raw_os_error().unwrap_or(0))
}

/// Starts the command.
pub(super) fn begin(
    holder: &Holder,
    ready: &Ready,
    theirs: &OwnedFd,
    ours: &OwnedFd,
    watch: &dyn Watch,
) -> Result<Begun, NotRun> {
    match holder {
        #[cfg(target_os = "linux")]
        Holder::Namespaces(fence, version) => {
            linux::apart(fence, *version, ready, theirs, ours, watch)
        }
        #[cfg(not(target_os = "linux"))]
        Holder::Namespaces(..) => Err(NotRun::Holder("making namespaces".to_owned(), 0)),
        Holder::Nobody | Holder::Landlock(..) | Holder::Program(..) => {
            let whole = !matches!(holder, Holder::Nobody);
            // Before the command, so that it is no child of what is to be ended.
            let watcher = if whole { watcher(watch, None, &[])? } else { None };
            // SAFETY: this process has one thread, so its copy is whole.
            match unsafe { libc::fork() } {
                -1 => Err(trouble("starting a process")),
                0 => become_command(holder, ready, theirs),
                pid => Ok(Begun { pid, apart: false, whole, watcher }),
            }
        }
    }
}

/// Becomes the command in what holds it.
fn become_command(holder: &Holder, ready: &Ready, ctl: &OwnedFd) -> ! {
    #[cfg(target_os = "linux")]
    // SAFETY: numbers only: who waits for it is gone, so is it.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
    }
    if !matches!(holder, Holder::Nobody) {
        child::close_writers(matches!(holder, Holder::Landlock(..)));
    }
    #[cfg(target_os = "linux")]
    let held = linux::give_up(holder);
    #[cfg(not(target_os = "linux"))]
    let held: Result<(), (&'static str, io::Error)> = Ok(());
    let told = match held {
        Err((step, error)) => Told::holder(step.to_owned(), &error),
        Ok(()) => Told::Program(ready.start()),
    };
    told.send(ctl.as_raw_fd());
    // SAFETY: ends this process; nothing of the one it is a copy of is to be tidied up.
    unsafe { libc::_exit(127) }
}

impl Begun {
    /// Passes a signal on.
    pub(super) fn signal(&self, signal: libc::c_int) {
        // SAFETY: numbers only; the child isn't reaped yet, so the number is its own.
        unsafe { libc::kill(self.pid, signal) };
    }

    /// Ends it and all it started, at once.
    pub(super) fn kill(&self) {
        self.signal(libc::SIGKILL);
        if !self.apart {
            super::family::end(self.pid, self.watcher.as_ref().map(|w| w.pid));
        }
    }

    /// Whether the child has stopped or ended, without reaping it.
    pub(super) fn state(&self) -> Option<State> {
        let id = libc::id_t::try_from(self.pid).ok()?;
        // SAFETY: all-zero is a valid `siginfo_t`, which the call fills.
        let code = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let flags = libc::WEXITED | libc::WSTOPPED | libc::WNOWAIT | libc::WNOHANG;
            if libc::waitid(libc::P_PID, id, &raw mut info, flags) != 0 || info.si_pid() == 0 {
                return None;
            }
            info.si_code
        };
        let stopped = matches!(code, libc::CLD_STOPPED | libc::CLD_TRAPPED);
        Some(if stopped { State::Stopped } else { State::Ended })
    }

    /// Reaps the child that has ended, and ends what it left where that is held.
    pub(super) fn reap(&self) -> (Status, u64, u64, u64, bool) {
        let bytes = written(self.pid);
        let (status, usage) = wait(self.pid);
        if self.whole {
            super::family::end(self.pid, self.watcher.as_ref().map(|w| w.pid));
        }
        (status_of(status), processors(&usage), peak(&usage), bytes, false)
    }

    /// Reaps the first process of a namespace that told nothing more: all is over.
    pub(super) fn lost(&self) -> (Status, u64, u64, u64, bool) {
        let (status, usage) = wait(self.pid);
        (status_of(status), processors(&usage), peak(&usage), 0, false)
    }

    /// Says goodbye to the watcher and hears what it has to say, unless processes go on.
    pub(super) fn end(&mut self, leaves: bool) -> Vec<u8> {
        if self.apart && !leaves {
            wait(self.pid);
        }
        let Some(watcher) = self.watcher.take() else { return Vec::new() };
        wire::send(watcher.line.as_raw_fd(), if leaves { b"leaves" } else { b"over" });
        if leaves {
            return Vec::new();
        }
        let word = wire::receive(watcher.line.as_raw_fd()).unwrap_or_default();
        wait(watcher.pid);
        word.get(1..).unwrap_or_default().to_vec()
    }
}

fn wait(pid: libc::pid_t) -> (libc::c_int, libc::rusage) {
    let mut status = 0;
    // SAFETY: all-zero is a valid `rusage`; the call fills both.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        while libc::wait4(pid, &raw mut status, 0, &raw mut usage) < 0
            && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
        {}
        (status, usage)
    }
}

/// Starts the watcher: a process apart from our group and terminal, so that what ends us
/// doesn't end it. `first` is the handle on the first process of a namespace.
fn watcher(
    watch: &dyn Watch,
    first: Option<&OwnedFd>,
    not_its: &[&OwnedFd],
) -> Result<Option<Watcher>, NotRun> {
    let (line, its) = wire::pair().map_err(|_| trouble("opening a line"))?;
    // SAFETY: this process has one thread, so its copy is whole.
    match unsafe { libc::fork() } {
        -1 => Err(trouble("starting a watcher")),
        0 => {
            // SAFETY: no arguments, no memory.
            unsafe { libc::setsid() };
            for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT] {
                // SAFETY: constants only.
                unsafe { libc::signal(signal, libc::SIG_IGN) };
            }
            drop(line);
            child::leave_streams();
            let mut keep = vec![its.as_raw_fd()];
            keep.extend(first.map(AsRawFd::as_raw_fd));
            let _ = not_its;
            child::close_but(&keep);
            keep_watch(watch, first, &its);
            // SAFETY: ends this process; nothing of the one it is a copy of is to be tidied.
            unsafe { libc::_exit(0) }
        }
        pid => Ok(Some(Watcher { pid, line })),
    }
}

/// Waits for the end of the tree, whatever becomes of the one who started it.
fn keep_watch(watch: &dyn Watch, first: Option<&OwnedFd>, its: &OwnedFd) {
    let word = wire::receive(its.as_raw_fd());
    #[cfg(target_os = "linux")]
    if let Some(first) = first {
        if word.is_none() {
            // Nobody said goodbye: the one whose command it was is gone, so is the command.
            linux::kill(first);
        }
        let _ = wire::wait([first.as_raw_fd()], -1);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = first;
    let alone = word.as_deref() != Some(b"over");
    let mut said = vec![b'.'];
    said.extend(watch.ended(alone));
    wire::send(its.as_raw_fd(), &said);
}

#[cfg(target_os = "linux")]
mod linux {
    use super::super::init;
    use super::{
        AsRawFd, Begun, FromRawFd, Holder, NotRun, OwnedFd, Ready, Watch, io, trouble, watcher,
        wire,
    };
    use crate::sys::confine::landlock::{DEVICES, Rules};
    use crate::sys::confine::{Fence, filter, powers};
    use std::path::PathBuf;

    /// Starts the first process of new namespaces.
    pub(super) fn apart(
        fence: &Fence,
        version: u32,
        ready: &Ready,
        theirs: &OwnedFd,
        ours: &OwnedFd,
        watch: &dyn Watch,
    ) -> Result<Begun, NotRun> {
        let net = if fence.network { 0 } else { libc::CLONE_NEWNET };
        let flags = libc::CLONE_NEWUSER
            | libc::CLONE_NEWNS
            | libc::CLONE_NEWPID
            | net
            | libc::CLONE_PIDFD
            | libc::SIGCHLD;
        let root = crate::sys::own::user() == 0;
        let mut handle: libc::c_int = -1;
        // SAFETY: as `fork`: no stack and no memory is shared. This process has one thread,
        // so its copy is whole. The kernel writes one descriptor to `handle`.
        let pid = unsafe { clone(flags, &raw mut handle) };
        match pid {
            -1 => return Err(trouble("making namespaces")),
            0 => init::run(theirs.as_raw_fd(), fence, version, ready, root),
            _ => {}
        }
        // SAFETY: the kernel has just made it for us alone.
        let handle = unsafe { OwnedFd::from_raw_fd(handle) };
        let begun = number(pid).and_then(|()| watcher(watch, Some(&handle), &[theirs, ours]));
        match begun {
            Ok(watcher) => {
                wire::send(ours.as_raw_fd(), b"go");
                Ok(Begun { pid, apart: true, whole: true, watcher })
            }
            Err(error) => {
                kill(&handle);
                super::wait(pid);
                Err(error)
            }
        }
    }

    unsafe fn clone(flags: libc::c_int, handle: *mut libc::c_int) -> libc::pid_t {
        let flags = flags as libc::c_ulong;
        // SAFETY: the caller's. The order of the last two differs between processors, and
        // both are null; on s390 so does that of the first two, which isn't built for.
        let pid =
            unsafe { libc::syscall(libc::SYS_clone, flags, 0_usize, handle, 0_usize, 0_usize) };
        libc::pid_t::try_from(pid).unwrap_or(-1)
    }

    /// Users and groups keep their numbers inside: all that there are for root, else the
    /// one.
    fn number(pid: libc::pid_t) -> Result<(), NotRun> {
        let told = |error: io::Error| {
            NotRun::Holder("numbering users".to_owned(), error.raw_os_error().unwrap_or(0))
        };
        let all = |kind: &str| {
            let ours = std::fs::read_to_string(format!("/proc/self/{kind}"))?;
            let lines = ours.lines().filter_map(|line| {
                let mut fields = line.split_whitespace();
                let (first, _, count) = (fields.next()?, fields.next()?, fields.next()?);
                Some(format!("{first} {first} {count}\n"))
            });
            std::fs::write(format!("/proc/{pid}/{kind}"), lines.collect::<String>())
        };
        // SAFETY: no arguments, no memory.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        if user == 0 && all("gid_map").is_ok() && all("uid_map").is_ok() {
            return Ok(());
        }
        let write = |kind: &str, text: String| std::fs::write(format!("/proc/{pid}/{kind}"), text);
        write("setgroups", "deny".to_owned()).map_err(told)?;
        write("uid_map", format!("{user} {user} 1\n")).map_err(told)?;
        write("gid_map", format!("{group} {group} 1\n")).map_err(told)
    }

    /// Ends the process behind a handle.
    pub(super) fn kill(handle: &OwnedFd) {
        // SAFETY: numbers, and no structure.
        unsafe {
            libc::syscall(
                libc::SYS_pidfd_send_signal,
                handle.as_raw_fd(),
                libc::SIGKILL,
                std::ptr::null::<libc::siginfo_t>(),
                0_u32,
            );
        }
    }

    type Step = (&'static str, io::Error);

    /// What a command gives up that is held without namespaces of ours.
    pub(super) fn give_up(holder: &Holder) -> Result<(), Step> {
        let (rules, version) = match holder {
            Holder::Landlock(fence, version) => (alone(fence), *version),
            // The program makes mounts, which Landlock's rules for files forbid.
            Holder::Program(_, version) => {
                (Rules { writable: Vec::new(), files: false, signals: false }, *version)
            }
            Holder::Nobody | Holder::Namespaces(..) => return Ok(()),
        };
        let useful = rules.files || version >= crate::sys::confine::LANDLOCK_SCOPES;
        let rules = useful.then(|| rules.build(version)).transpose();
        let rules = rules.map_err(|error| ("making Landlock's rules", error))?;
        powers::no_new().map_err(|error| ("giving up rights of files", error))?;
        if let Some(rules) = rules {
            rules.apply().map_err(|error| ("applying Landlock", error))?;
        }
        filter::apply().map_err(|error| ("filtering system calls", error))
    }

    fn alone(fence: &Fence) -> Rules {
        let mut writable = fence.writable.clone();
        let devices = DEVICES.iter().map(PathBuf::from);
        writable.extend(devices.filter(|path| path.exists()));
        Rules { writable, files: true, signals: true }
    }
}
