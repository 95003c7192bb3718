//! A filter on system calls: what would type into the terminal that the command was
//! started from, as if a person had.

use std::io;

const LOAD_WORD: u16 = 0x20;
const EQUALS: u16 = 0x15;
const RETURN: u16 = 0x06;

const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
/// The low half of the second argument.
const SECOND: u32 = if cfg!(target_endian = "big") { 28 } else { 24 };

const ALLOW: u32 = 0x7fff_0000;
const REFUSE: u32 = 0x0005_0000 | libc::EPERM as u32;

const TIOCSTI: u32 = 0x5412;
const TIOCLINUX: u32 = 0x541c;

#[cfg(target_arch = "x86_64")]
const NATIVE: Option<u32> = Some(0xc000_003e);
#[cfg(target_arch = "aarch64")]
const NATIVE: Option<u32> = Some(0xc000_00b7);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const NATIVE: Option<u32> = None;

/// Of the 32-bit calls of an x86-64 kernel the number is another.
const FOREIGN: (u32, u32) = (0x4000_0003, 54);
const FOREIGN_ARM: (u32, u32) = (0x4000_0028, 54);
/// The x32 calls have this bit; their `ioctl` has a number of its own too.
const X32_BIT: u32 = 0x4000_0000;
const X32_IOCTL: u32 = 514;

const fn op(code: u16, jt: u8, jf: u8, k: u32) -> libc::sock_filter {
    libc::sock_filter { code, jt, jf, k }
}

/// The program: `None` where no filter is known for the processor.
#[must_use]
pub fn program() -> Option<Vec<libc::sock_filter>> {
    let native = NATIVE?;
    let ioctl = u32::try_from(libc::SYS_ioctl).ok()?;
    let (foreign, number) = if cfg!(target_arch = "x86_64") { FOREIGN } else { FOREIGN_ARM };
    Some(vec![
        op(LOAD_WORD, 0, 0, ARCHITECTURE),
        op(EQUALS, 2, 0, native),
        op(EQUALS, 4, 0, foreign),
        // Of a machine that this isn't nothing is known, so nothing passes.
        op(RETURN, 0, 0, REFUSE),
        op(LOAD_WORD, 0, 0, NUMBER),
        op(EQUALS, 5, 0, ioctl),
        op(EQUALS, 4, 6, X32_BIT | X32_IOCTL),
        op(LOAD_WORD, 0, 0, NUMBER),
        op(EQUALS, 2, 0, number),
        op(EQUALS, 1, 3, number),
        op(RETURN, 0, 0, ALLOW),
        op(LOAD_WORD, 0, 0, SECOND),
        op(EQUALS, 2, 0, TIOCSTI),
        op(EQUALS, 1, 0, TIOCLINUX),
        op(RETURN, 0, 0, ALLOW),
        op(RETURN, 0, 0, REFUSE),
    ])
}

/// Puts the filter on this process and all it starts. Needs `no_new_privs`.
///
/// # Errors
/// What the kernel says; unsupported where no filter is known.
pub fn apply() -> io::Result<()> {
    let Some(mut program) = program() else {
        return Err(io::Error::from(io::ErrorKind::Unsupported));
    };
    let program = libc::sock_fprog {
        len: u16::try_from(program.len()).unwrap_or(u16::MAX),
        filter: program.as_mut_ptr(),
    };
    // SAFETY: the program and its instructions live until the call returns.
    let done = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program)
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
