//! What the system told this process about itself: whose it is, which program it runs.

use std::path::PathBuf;

/// The user this process acts as.
#[must_use]
pub fn user() -> u32 {
    // The kernel hands it to every program it starts, and it changes by its owner's own
    // calls only, of which there are none here: no need to ask again.
    #[cfg(target_os = "linux")]
    // SAFETY: getauxval has no preconditions. A value it doesn't have is 0, as is root, so
    // another that is never 0 tells whether it has any.
    unsafe {
        if libc::getauxval(libc::AT_PAGESZ) != 0 {
            return u32::try_from(libc::getauxval(libc::AT_EUID)).unwrap_or(u32::MAX);
        }
    }
    // SAFETY: geteuid has no preconditions and cannot fail.
    unsafe { libc::geteuid() }
}

/// The program file of this process: as whoever started it named it, else where the
/// system says it lies. Links in it are not followed.
#[must_use]
pub fn program() -> Option<PathBuf> {
    named().or_else(|| std::env::current_exe().ok())
}

/// The absolute path given to `execve`. The system's other word on it (`/proc/self/exe`)
/// costs a hook as much as thirty system calls.
#[cfg(target_os = "linux")]
fn named() -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    // SAFETY: the value is null or the address of a NUL-terminated string above the stack,
    // which the kernel put there and nobody moves.
    let path = unsafe {
        let path = libc::getauxval(libc::AT_EXECFN) as *const libc::c_char;
        if path.is_null() {
            return None;
        }
        std::ffi::CStr::from_ptr(path)
    };
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(path.to_bytes()));
    path.is_absolute().then_some(path)
}

#[cfg(not(target_os = "linux"))]
fn named() -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_was_handed_down_is_what_the_system_says() {
        // SAFETY: geteuid has no preconditions and cannot fail.
        assert_eq!(super::user(), unsafe { libc::geteuid() });
        let program = super::program().expect("a program");
        let canonical = program.canonicalize().expect("there");
        assert_eq!(canonical, std::env::current_exe().expect("told"));
    }
}
