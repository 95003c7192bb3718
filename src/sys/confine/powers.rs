//! Capabilities: a confined command has none over the mounts that confine it.

use std::io;

const HEADER_V3: u32 = 0x2008_0522;

#[repr(C)]
struct Header {
    version: u32,
    pid: libc::c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Data {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// What root keeps, so that ordinary work of root's goes on: changing owners and modes,
/// reading what belongs to others, becoming another user. None of it lifts a mount.
const ROOT_KEEPS: u32 = 1 << 0 | 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7;

/// Gives up every capability but `root`'s few, for good: no program that is started later
/// gains any. For a process that is about to become a confined command.
///
/// # Errors
/// What the kernel says.
pub fn drop(root: bool) -> io::Result<()> {
    let keep = if root { ROOT_KEEPS } else { 0 };
    for number in 0..64 {
        if number < 32 && keep & 1 << number != 0 {
            continue;
        }
        // SAFETY: numbers only. Beyond the last capability it is an error that says so.
        let dropped = unsafe { libc::prctl(libc::PR_CAPBSET_DROP, number, 0, 0, 0) };
        if dropped != 0 {
            let error = io::Error::last_os_error();
            if error.raw_os_error() == Some(libc::EINVAL) {
                break;
            }
            return Err(error);
        }
    }
    // SAFETY: numbers only; kernels without ambient capabilities say so and have none.
    unsafe { libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) };
    set(keep)?;
    no_new()
}

/// No program that is started from now on gains rights by its file.
///
/// # Errors
/// What the kernel says.
pub fn no_new() -> io::Result<()> {
    // SAFETY: numbers only.
    match unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn set(keep: u32) -> io::Result<()> {
    let mut header = Header { version: HEADER_V3, pid: 0 };
    let mut data = [Data { effective: keep, permitted: keep, inheritable: 0 }, Data::default()];
    // SAFETY: the header and both halves of the data live until the call returns.
    let done = unsafe { libc::syscall(libc::SYS_capset, &raw mut header, data.as_mut_ptr()) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
