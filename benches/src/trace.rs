//! Steps through a program, all its threads, one instruction at a time.
//!
//! Instructions are those of the program itself, not the kernel's; a repeated string
//! instruction counts once. CPUID is counted since each traps to the hypervisor on a
//! virtual machine and costs there what 20,000 other instructions do.

use crate::spawn::{exit_code, filled_pipe};
use std::collections::{BTreeSet, HashMap};
use std::io::{Error, Result};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a run did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Instructions of the program.
    pub instructions: u64,
    /// CPUID instructions among them.
    pub cpuids: u64,
    /// Most memory held at once, in KiB.
    pub peak_kib: u64,
    /// The exit code, or 128 and the signal.
    pub code: i32,
}

/// Steps through one run of a program.
///
/// # Errors
///
/// If it can't be started or traced.
pub fn trace(program: &Path, args: &[String], stdin: &[u8]) -> Result<Counts> {
    Ok(follow(program, args, stdin, libc::PTRACE_SINGLESTEP, false)?.counts)
}

/// Every address at which one run of a program executes an instruction.
///
/// # Errors
///
/// If it can't be started or traced, or ends otherwise than with 0.
pub fn places(program: &Path, args: &[String], stdin: &[u8]) -> Result<BTreeSet<u64>> {
    // The thread that keeps the time stays at its first stop: on a busy machine a traced run
    // takes longer than a hook may.
    let tracer = follow(program, args, stdin, libc::PTRACE_SINGLESTEP, true)?;
    match tracer.counts.code {
        0 => Ok(tracer.cpuids.into_keys().collect()),
        code => Err(Error::other(format!("{args:?} ended with {code}"))),
    }
}

/// The most memory one run of a program holds, in KiB. It goes at its own pace.
///
/// # Errors
///
/// If it can't be started or traced.
pub fn peak(program: &Path, args: &[String], stdin: &[u8]) -> Result<u64> {
    Ok(follow(program, args, stdin, libc::PTRACE_CONT, false)?.counts.peak_kib)
}

fn follow(
    program: &Path,
    args: &[String],
    stdin: &[u8],
    pace: libc::c_uint,
    alone: bool,
) -> Result<Tracer> {
    let mut command = Command::new(program);
    command.args(args).env_clear().env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8");
    command.stdin(filled_pipe(stdin)?).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: asks to be traced, which touches no memory and is safe after a fork.
    unsafe { command.pre_exec(|| request(libc::PTRACE_TRACEME, 0, 0).map(drop)) };
    let leader = i32::try_from(command.spawn()?.id()).map_err(Error::other)?;
    wait_for(leader)?;
    let options = libc::PTRACE_O_EXITKILL | libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_TRACEEXIT;
    request(libc::PTRACE_SETOPTIONS, leader, i64::from(options))?;
    let mut tracer = Tracer {
        leader,
        pace,
        alone,
        at: HashMap::new(),
        cpuids: HashMap::new(),
        counts: Counts::default(),
    };
    tracer.look(leader);
    request(pace, leader, 0)?;
    tracer.finish()
}

struct Tracer {
    leader: i32,
    /// Instruction by instruction, or on to the end.
    pace: libc::c_uint,
    /// Whether only the first thread goes on.
    alone: bool,
    /// Where each thread is: the instruction it does next.
    at: HashMap<i32, u64>,
    /// Whether a CPUID stands at a place.
    cpuids: HashMap<u64, bool>,
    counts: Counts,
}

impl Tracer {
    fn finish(mut self) -> Result<Self> {
        loop {
            let (thread, status) = wait_for(-1)?;
            if !libc::WIFSTOPPED(status) {
                if thread == self.leader {
                    self.counts.code = exit_code(status);
                    return Ok(self);
                }
                continue;
            }
            let ends = status >> 16 == libc::PTRACE_EVENT_EXIT;
            if self.alone && thread != self.leader && !ends {
                continue;
            }
            let signal = match (status >> 16, libc::WSTOPSIG(status)) {
                (libc::PTRACE_EVENT_EXIT, _) => {
                    self.counts.peak_kib = self.counts.peak_kib.max(most_memory(self.leader));
                    go_on(libc::PTRACE_CONT, thread, 0);
                    continue;
                }
                (0, libc::SIGTRAP) => {
                    self.look(thread);
                    0
                }
                // A new thread's first stop, or the news of one.
                (0, libc::SIGSTOP) | (1.., _) => 0,
                (_, signal) => signal,
            };
            go_on(self.pace, thread, signal);
        }
    }

    /// Counts the instruction that a thread is about to do.
    fn look(&mut self, thread: i32) {
        let Some(at) = next_instruction(thread) else { return };
        if self.at.insert(thread, at) == Some(at) {
            return;
        }
        self.counts.instructions += 1;
        // Code does not change under way, so each place is read once.
        let cpuid = *self.cpuids.entry(at).or_insert_with(|| {
            // SAFETY: reads the other process's memory, not ours.
            let bytes = unsafe { libc::ptrace(libc::PTRACE_PEEKTEXT, thread, at, 0) };
            bytes.cast_unsigned() & 0xffff == 0xa20f
        });
        self.counts.cpuids += u64::from(cpuid);
    }
}

/// A thread that was ended in between can't be told anything, and need not be.
fn go_on(how: libc::c_uint, thread: i32, signal: i32) {
    drop(request(how, thread, i64::from(signal)));
}

/// Where a thread goes on.
fn next_instruction(thread: i32) -> Option<u64> {
    let place =
        std::mem::offset_of!(libc::user, regs) + std::mem::offset_of!(libc::user_regs_struct, rip);
    // SAFETY: reads a register of the other process; the place is within its user area.
    let at = unsafe { libc::ptrace(libc::PTRACE_PEEKUSER, thread, place, 0) };
    (at != -1).then(|| at.cast_unsigned())
}

/// The most memory a process held so far, as the kernel tells it.
fn most_memory(process: i32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

fn wait_for(process: i32) -> Result<(i32, i32)> {
    let mut status = 0;
    // SAFETY: the pointer is to a live value.
    let thread =
        unsafe { libc::waitpid(process, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
    if thread == -1 { Err(Error::last_os_error()) } else { Ok((thread, status)) }
}

fn request(what: libc::c_uint, thread: i32, data: i64) -> Result<()> {
    // SAFETY: none of the requests made here takes a pointer.
    let told = unsafe { libc::ptrace(what, thread, 0, data) };
    if told == -1 { Err(Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::{peak, trace};
    use std::path::Path;

    #[test]
    fn cpuids_of_a_program_that_has_some_are_seen() {
        // The start code of a dynamic glibc program asks the processor what it can do.
        let counts = trace(Path::new("/bin/true"), &[], b"").expect("it runs");
        assert!(counts.cpuids > 5, "{counts:?}");
        assert!(counts.instructions > 10_000, "{counts:?}");
        assert!((100..20_000).contains(&counts.peak_kib), "{counts:?}");
        assert_eq!(counts.code, 0);
    }

    #[test]
    fn a_run_at_its_own_pace_tells_its_memory_and_ends() {
        let args = ["-q".to_owned(), "한글".to_owned()];
        let kib = peak(Path::new("/bin/grep"), &args, "a 한글 b\n".as_bytes()).expect("it runs");
        assert!((100..20_000).contains(&kib), "{kib}");
    }
}
