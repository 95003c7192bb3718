//! Landlock: rights over files that a process gives up by itself, without root.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Rights that write, by the version of the interface that knows them.
const WRITE_FILE: u64 = 1 << 1;
const V1: u64 = WRITE_FILE | 0x1ff0;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
/// Rights that can be given for a file that is no folder.
const OF_FILE: u64 = WRITE_FILE | TRUNCATE;

const SCOPE_ABSTRACT_SOCKETS: u64 = 1 << 0;
const SCOPE_SIGNALS: u64 = 1 << 1;

#[repr(C)]
struct RulesetAttr {
    fs: u64,
    net: u64,
    scoped: u64,
}

#[repr(C, packed)]
struct PathAttr {
    access: u64,
    parent: libc::c_int,
}

/// The version of the kernel's interface; 0 where there is none.
#[must_use]
pub fn version() -> u32 {
    // SAFETY: with this flag the call takes no memory and returns a number.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, 1_u32)
    };
    u32::try_from(version).unwrap_or(0)
}

/// What a process gives up.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Where it goes on writing: folders with all below, and single files.
    pub writable: Vec<PathBuf>,
    /// Whether writing elsewhere is given up at all, and not only what follows.
    pub files: bool,
    /// Whether it can't signal processes outside.
    pub signals: bool,
}

/// A set of rules, ready to be put on.
#[derive(Debug)]
pub struct Ruleset(OwnedFd);

impl Rules {
    /// Builds the set of rules for a kernel of this version.
    ///
    /// # Errors
    /// What the kernel says.
    pub fn build(&self, version: u32) -> io::Result<Ruleset> {
        let mut rights = if self.files { V1 } else { 0 };
        if self.files && version >= 2 {
            rights |= REFER;
        }
        if self.files && version >= super::LANDLOCK_WHOLE {
            rights |= TRUNCATE;
        }
        let mut scoped = 0;
        if version >= super::LANDLOCK_SCOPES {
            scoped |= SCOPE_ABSTRACT_SOCKETS;
            scoped |= if self.signals { SCOPE_SIGNALS } else { 0 };
        }
        let attr = RulesetAttr { fs: rights, net: 0, scoped };
        // An older kernel knows a shorter form.
        let size = match version {
            0..=3 => 8_usize,
            4..=5 => 16,
            _ => size_of::<RulesetAttr>(),
        };
        // SAFETY: `attr` lives until the call returns and is at least `size` bytes long.
        let fd = unsafe {
            libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attr, size, 0_u32)
        };
        let fd = i32::try_from(fd).ok().filter(|fd| *fd >= 0);
        let fd = fd.ok_or_else(io::Error::last_os_error)?;
        // SAFETY: the kernel has just made this descriptor for us alone.
        let ruleset = unsafe { OwnedFd::from_raw_fd(fd) };
        if self.files {
            for path in &self.writable {
                allow(&ruleset, path, rights)?;
            }
        }
        Ok(Ruleset(ruleset))
    }
}

fn allow(ruleset: &OwnedFd, path: &Path, rights: u64) -> io::Result<()> {
    let name = std::ffi::CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the name lives until the call returns.
    let fd = unsafe { libc::open(name.as_ptr(), libc::O_PATH | libc::O_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: just opened, and nobody else's.
    let place = unsafe { OwnedFd::from_raw_fd(fd) };
    let folder = std::fs::metadata(format!("/proc/self/fd/{fd}"))
        .map_or_else(|_| path.is_dir(), |about| about.is_dir());
    let access = if folder { rights } else { rights & OF_FILE };
    let rule = PathAttr { access, parent: place.as_raw_fd() };
    // SAFETY: the rule lives until the call returns.
    let added = unsafe {
        libc::syscall(
            libc::SYS_landlock_add_rule,
            ruleset.as_raw_fd(),
            1_u32,
            &raw const rule,
            0_u32,
        )
    };
    if added == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

impl Ruleset {
    /// Puts the rules on this process and all it starts, for good. Needs `no_new_privs`.
    ///
    /// # Errors
    /// What the kernel says.
    pub fn apply(&self) -> io::Result<()> {
        // SAFETY: numbers only.
        match unsafe { libc::syscall(libc::SYS_landlock_restrict_self, self.0.as_raw_fd(), 0_u32) }
        {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Devices that may be written in any mode: nothing is stored there.
pub const DEVICES: &[&str] =
    &["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts"];
