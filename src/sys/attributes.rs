//! Extended attributes and access lists: what a file has beside bytes, mode and owner, and
//! what its replacement must have too.

use std::io;
use std::path::Path;

/// Gives `to` the attributes of `from`, and takes away the access list that the folder gave
/// it. Those that the system keeps for itself (`security.`, `trusted.`) are its own to set.
///
/// # Errors
/// A person's attribute or an access list can't be carried over.
pub(super) fn keep(from: &Path, to: &Path) -> io::Result<()> {
    let (wanted, given) = (imp::list(from)?, imp::list(to)?);
    for name in given.iter().filter(|name| is_kept(name) && !wanted.contains(name)) {
        imp::remove(to, name)?;
    }
    for name in wanted.iter().filter(|name| is_kept(name)) {
        let value = imp::get(from, name)?;
        if !given.contains(name) || imp::get(to, name)? != value {
            imp::set(to, name, &value)?;
        }
    }
    Ok(())
}

fn is_kept(name: &[u8]) -> bool {
    [&b"user."[..], b"system.posix_acl_access"].iter().any(|start| name.starts_with(start))
}

#[cfg(target_os = "linux")]
mod imp {
    use std::ffi::CString;
    use std::io;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    fn path(path: &Path) -> io::Result<CString> {
        Ok(CString::new(path.as_os_str().as_bytes())?)
    }

    /// Asks how much there is, then for it; again where it grew between.
    fn whole(ask: impl Fn(*mut u8, usize) -> libc::ssize_t) -> io::Result<Vec<u8>> {
        loop {
            let size = usize::try_from(ask(std::ptr::null_mut(), 0));
            let mut bytes = vec![0; size.map_err(|_| io::Error::last_os_error())?];
            if bytes.is_empty() {
                return Ok(bytes);
            }
            match usize::try_from(ask(bytes.as_mut_ptr(), bytes.len())) {
                Ok(read) => {
                    bytes.truncate(read);
                    return Ok(bytes);
                }
                Err(_) => {
                    let error = io::Error::last_os_error();
                    if error.raw_os_error() != Some(libc::ERANGE) {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// The names; none where the file system has no such thing.
    pub(super) fn list(file: &Path) -> io::Result<Vec<Vec<u8>>> {
        let path = path(file)?;
        // SAFETY: a NUL-terminated path, and a buffer of the size given with it or null and 0.
        let ask = |to: *mut u8, size| unsafe { libc::llistxattr(path.as_ptr(), to.cast(), size) };
        match whole(ask) {
            Ok(names) => {
                let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
                Ok(names.map(<[u8]>::to_vec).collect())
            }
            Err(e) if matches!(e.raw_os_error(), Some(libc::ENOTSUP | libc::ENOSYS)) => {
                Ok(Vec::new())
            }
            Err(e) => Err(e),
        }
    }

    pub(super) fn get(file: &Path, name: &[u8]) -> io::Result<Vec<u8>> {
        let (path, name) = (path(file)?, CString::new(name)?);
        // SAFETY: NUL-terminated path and name, and a buffer of the size given with it or
        // null and 0.
        whole(|to, size| unsafe { libc::lgetxattr(path.as_ptr(), name.as_ptr(), to.cast(), size) })
    }

    pub(super) fn set(file: &Path, name: &[u8], value: &[u8]) -> io::Result<()> {
        let (path, name) = (path(file)?, CString::new(name)?);
        // SAFETY: NUL-terminated path and name, and a value of the length given with it.
        let done = unsafe {
            libc::lsetxattr(path.as_ptr(), name.as_ptr(), value.as_ptr().cast(), value.len(), 0)
        };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    pub(super) fn remove(file: &Path, name: &[u8]) -> io::Result<()> {
        let (path, name) = (path(file)?, CString::new(name)?);
        // SAFETY: NUL-terminated path and name.
        let done = unsafe { libc::lremovexattr(path.as_ptr(), name.as_ptr()) };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

/// Elsewhere they are not looked at.
#[cfg(not(target_os = "linux"))]
mod imp {
    use std::io;
    use std::path::Path;

    pub(super) fn list(_: &Path) -> io::Result<Vec<Vec<u8>>> {
        Ok(Vec::new())
    }

    pub(super) fn get(_: &Path, _: &[u8]) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    pub(super) fn set(_: &Path, _: &[u8], _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn remove(_: &Path, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_replacement_has_what_the_file_had_and_no_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::write(&from, "a").expect("written");
        std::fs::write(&to, "b").expect("written");
        if imp::set(&from, b"user.mine", b"\x00\xff").is_err() {
            return keep(&from, &to).expect("nothing to carry where there is no such thing");
        }
        imp::set(&from, b"user.empty", b"").expect("set");
        imp::set(&to, b"user.mine", b"other").expect("set");
        imp::set(&to, b"user.inherited", b"x").expect("set");
        keep(&from, &to).expect("carried");
        let mut names = imp::list(&to).expect("listed");
        names.sort();
        assert_eq!(names, [b"user.empty".to_vec(), b"user.mine".to_vec()]);
        assert_eq!(imp::get(&to, b"user.mine").expect("there"), b"\x00\xff");
        assert!(keep(&folder.path().join("none"), &to).is_err());
    }
}
