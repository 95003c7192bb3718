//! The first process of a command's own namespaces: it builds the view, starts the command,
//! waits for all that the command leaves behind, and tells the outside.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicI32, Ordering};

use super::child::{self, Ready};
use super::supervise::{Told, peak, processors, status_of};
use super::wire;
use crate::sys::confine::landlock::{DEVICES, Rules};
use crate::sys::confine::{Fence, TEMP, filter, mounts, powers};

/// The command, as it is numbered in here.
static COMMAND: AtomicI32 = AtomicI32::new(0);

extern "C" fn pass(signal: libc::c_int) {
    let command = COMMAND.load(Ordering::Relaxed);
    if command > 1 {
        // SAFETY: two numbers; `kill` may be called in a handler.
        unsafe { libc::kill(command, signal) };
    }
}

/// Runs as the first process. Never comes back.
pub(super) fn run(ctl: RawFd, fence: &Fence, version: u32, ready: &Ready, root: bool) -> ! {
    // Nobody numbers our users before the outside has.
    if wire::receive(ctl).is_none() {
        leave();
    }
    // SAFETY: numbers only: nobody in here looks into this process.
    unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) };
    if let Err(trouble) = mounts::build(fence) {
        Told::holder(trouble.step, &trouble.error).send(ctl);
        leave();
    }
    for signal in [
        libc::SIGINT,
        libc::SIGQUIT,
        libc::SIGTERM,
        libc::SIGHUP,
        libc::SIGUSR1,
        libc::SIGUSR2,
        libc::SIGALRM,
        libc::SIGCONT,
    ] {
        // SAFETY: the handler only calls `kill`.
        unsafe { libc::signal(signal, pass as extern "C" fn(_) as libc::sighandler_t) };
    }
    // SAFETY: this process has one thread, so its copy is whole.
    match unsafe { libc::fork() } {
        -1 => {
            Told::holder("starting a process".to_owned(), &std::io::Error::last_os_error())
                .send(ctl);
            leave();
        }
        0 => command(ctl, fence, version, ready, root),
        pid => {
            COMMAND.store(pid, Ordering::Relaxed);
            child::leave_streams();
            child::close_but(&[ctl]);
            watch(ctl, pid);
            leave()
        }
    }
}

fn leave() -> ! {
    // SAFETY: ends this process; nothing of ours is to be tidied up in here.
    unsafe { libc::_exit(0) }
}

/// Becomes the command.
fn command(ctl: RawFd, fence: &Fence, version: u32, ready: &Ready, root: bool) -> ! {
    // SAFETY: constants and numbers; as a program finds them.
    unsafe {
        libc::signal(libc::SIGCONT, libc::SIG_DFL);
        libc::prctl(libc::PR_SET_DUMPABLE, 1, 0, 0, 0);
    }
    child::close_writers(true);
    let held = give_up(fence, version, root);
    let told = match held {
        Err((step, error)) => Told::holder(step.to_owned(), &error),
        Ok(()) => Told::Program(ready.start()),
    };
    told.send(ctl);
    leave()
}

type Step = (&'static str, std::io::Error);

fn give_up(fence: &Fence, version: u32, root: bool) -> Result<(), Step> {
    let rules = (version > 0).then(|| rules(fence).build(version)).transpose();
    let rules = rules.map_err(|error| ("making Landlock's rules", error))?;
    powers::drop(root).map_err(|error| ("giving up capabilities", error))?;
    if let Some(rules) = rules {
        rules.apply().map_err(|error| ("applying Landlock", error))?;
    }
    filter::apply().map_err(|error| ("filtering system calls", error))
}

/// What Landlock lets be written in the new view.
fn rules(fence: &Fence) -> Rules {
    let mut writable = fence.writable.clone();
    let further = DEVICES.iter().copied().chain(["/dev/shm", "/dev/dri", "/dev/kvm"]);
    writable.extend(further.map(Into::into).filter(|path: &std::path::PathBuf| path.exists()));
    // What a process says of itself, such as its name, or how gladly it is killed.
    writable.push("/proc".into());
    if fence.temp {
        writable
            .extend(TEMP.iter().map(Into::into).filter(|path: &std::path::PathBuf| path.is_dir()));
    }
    Rules { writable, files: true, signals: false }
}

/// Reaps until nobody is left.
fn watch(ctl: RawFd, command: libc::pid_t) {
    loop {
        // SAFETY: a plain structure that the call fills, before it is read.
        let (pid, kind) = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let flags = libc::WEXITED | libc::WSTOPPED | libc::WCONTINUED | libc::WNOWAIT;
            if libc::waitid(libc::P_ALL, 0, &raw mut info, flags) != 0 {
                if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted {
                    continue;
                }
                return;
            }
            (info.si_pid(), info.si_code)
        };
        let ended = matches!(kind, libc::CLD_EXITED | libc::CLD_KILLED | libc::CLD_DUMPED);
        let written = if ended && pid == command { super::supervise::written(pid) } else { 0 };
        let mut status = 0;
        // SAFETY: all-zero is a valid `rusage`; both are filled by the call.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            let flags = libc::WNOHANG | libc::WUNTRACED | libc::WCONTINUED;
            libc::wait4(pid, &raw mut status, flags, &raw mut usage);
            usage
        };
        if pid != command {
            continue;
        }
        if !ended {
            let stopped = matches!(kind, libc::CLD_STOPPED | libc::CLD_TRAPPED);
            if stopped { Told::Stopped } else { Told::Continued }.send(ctl);
            continue;
        }
        COMMAND.store(0, Ordering::Relaxed);
        let leaves = others();
        Told::Done {
            status: status_of(status),
            cpu_us: processors(&usage),
            peak_kib: peak(&usage),
            written,
            leaves,
        }
        .send(ctl);
        if !leaves {
            return;
        }
    }
}

/// Whether any process is left in here; those that have just ended don't count.
fn others() -> bool {
    loop {
        let mut status = 0;
        // SAFETY: one live number.
        match unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) } {
            0 => return true,
            pid if pid < 0 => return false,
            _ => {}
        }
    }
}
