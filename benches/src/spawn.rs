//! Starts a program by `posix_spawn` and waits: the floor of what a host can do.

use std::ffi::CString;
use std::io::{Error, Result};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// A command line ready to be started many times.
#[derive(Debug)]
pub struct Program {
    argv: Vec<CString>,
    env: Vec<CString>,
    stdin: Vec<u8>,
}

/// What one run cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// From before the start to after the wait.
    pub wall: Duration,
    /// Page faults served without reading a disk.
    pub faults: i64,
    /// The exit code, or 128 and the signal.
    pub code: i32,
}

impl Program {
    /// A program, its arguments and what it reads. The input must fit into a pipe
    /// (64 KiB), since it is written before the program starts.
    ///
    /// # Errors
    ///
    /// If a word holds a NUL byte.
    pub fn new(path: &Path, args: &[String], stdin: &[u8]) -> Result<Self> {
        let word = |bytes: &[u8]| CString::new(bytes).map_err(Error::other);
        let mut argv = vec![word(path.as_os_str().as_bytes())?];
        for arg in args {
            argv.push(word(arg.as_bytes())?);
        }
        let env = vec![word(b"PATH=/usr/bin:/bin")?, word(b"LANG=C.UTF-8")?];
        Ok(Self { argv, env, stdin: stdin.to_vec() })
    }

    /// Runs it once, its output thrown away.
    ///
    /// # Errors
    ///
    /// If the system can't start it.
    pub fn run(&self) -> Result<Cost> {
        let input = filled_pipe(&self.stdin)?;
        let argv = pointers(&self.argv);
        let env = pointers(&self.env);
        let mut actions = Actions::new()?;
        actions.stdin(input.as_raw_fd())?;
        actions.discard(1)?;
        actions.discard(2)?;
        let mut pid = 0;
        let begin = Instant::now();
        // SAFETY: every pointer is to a live, NUL-terminated array made above.
        let failed = unsafe {
            libc::posix_spawn(
                &raw mut pid,
                self.argv[0].as_ptr(),
                &raw const actions.0,
                std::ptr::null(),
                argv.as_ptr(),
                env.as_ptr(),
            )
        };
        if failed != 0 {
            return Err(Error::from_raw_os_error(failed));
        }
        let (status, usage) = wait(pid)?;
        let wall = begin.elapsed();
        Ok(Cost { wall, faults: usage.ru_minflt, code: exit_code(status) })
    }
}

/// A shell's way to tell a wait status in one number.
#[must_use]
pub fn exit_code(status: i32) -> i32 {
    if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { 128 + libc::WTERMSIG(status) }
}

/// The read end of a pipe that holds these bytes and then ends.
///
/// # Errors
///
/// If there is no pipe to be had, or the bytes don't fit into one.
pub fn filled_pipe(bytes: &[u8]) -> Result<OwnedFd> {
    let mut ends = [0; 2];
    // SAFETY: `ends` has room for two descriptors.
    check(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) })?;
    // SAFETY: both were just opened and belong to nobody else.
    let (read, write) = unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) };
    if bytes.len() > 65_536 {
        return Err(Error::other("the input doesn't fit into a pipe"));
    }
    std::io::Write::write_all(&mut std::fs::File::from(write), bytes)?;
    Ok(read)
}

fn pointers(words: &[CString]) -> Vec<*mut libc::c_char> {
    let words = words.iter().map(|w| w.as_ptr().cast_mut());
    words.chain(std::iter::once(std::ptr::null_mut())).collect()
}

fn wait(pid: i32) -> Result<(i32, libc::rusage)> {
    let mut status = 0;
    // SAFETY: a zeroed `rusage` is a valid one.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live values; the process is our own child.
    check(unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) })?;
    Ok((status, usage))
}

fn check(returned: i32) -> Result<()> {
    if returned == -1 { Err(Error::last_os_error()) } else { Ok(()) }
}

/// What to do with descriptors between fork and exec.
struct Actions(libc::posix_spawn_file_actions_t);

impl Actions {
    fn new() -> Result<Self> {
        // SAFETY: it is initialised by the next call before anything reads it.
        let mut actions = Self(unsafe { std::mem::zeroed() });
        // SAFETY: the pointer is to a live value.
        actions.told(|a| unsafe { libc::posix_spawn_file_actions_init(a) })?;
        Ok(actions)
    }

    fn stdin(&mut self, from: i32) -> Result<()> {
        // SAFETY: `init` was called; the descriptor is open until the program started.
        self.told(|a| unsafe { libc::posix_spawn_file_actions_adddup2(a, from, 0) })
    }

    fn discard(&mut self, fd: i32) -> Result<()> {
        let null = c"/dev/null".as_ptr();
        // SAFETY: `init` was called; the path is static.
        self.told(|a| unsafe {
            libc::posix_spawn_file_actions_addopen(a, fd, null, libc::O_WRONLY, 0)
        })
    }

    fn told(
        &mut self,
        call: impl FnOnce(*mut libc::posix_spawn_file_actions_t) -> i32,
    ) -> Result<()> {
        match call(&raw mut self.0) {
            0 => Ok(()),
            failed => Err(Error::from_raw_os_error(failed)),
        }
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: `init` was called, and this is the last use.
        unsafe { libc::posix_spawn_file_actions_destroy(&raw mut self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::Program;
    use std::path::Path;

    #[test]
    fn a_run_has_a_time_faults_and_a_code() {
        let program = Program::new(Path::new("/bin/grep"), &["b".into()], b"a\n").expect("plain");
        let cost = program.run().expect("it runs");
        assert_eq!(cost.code, 1);
        assert!(cost.faults > 0 && cost.wall.as_nanos() > 0, "{cost:?}");
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let program = Program::new(Path::new("/nowhere"), &[], b"").expect("plain");
        assert_eq!(program.run().expect_err("not there").kind(), std::io::ErrorKind::NotFound);
    }
}
