//! The view of the file system that a fenced command has: everything read-only, what it may
//! write put back, and on top of that what it may not.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::{Fence, TEMP};

const CLONE: libc::c_uint = 1;
const CLOEXEC: libc::c_uint = libc::O_CLOEXEC as libc::c_uint;
const RECURSIVE: libc::c_uint = 0x8000;
const EMPTY_PATH: libc::c_uint = 0x1000;
const FROM_EMPTY: libc::c_uint = 0x04;
const TO_EMPTY: libc::c_uint = 0x40;

const READ_ONLY: u64 = 0x1;
const NO_SETUID: u64 = 0x2;
const NO_DEVICES: u64 = 0x4;

const NO_LINKS: u64 = 0x04;

#[repr(C)]
#[derive(Default)]
struct MountAttr {
    set: u64,
    clear: u64,
    propagation: u64,
    userns: u64,
}

#[repr(C)]
struct OpenHow {
    flags: u64,
    mode: u64,
    resolve: u64,
}

/// Devices that a command finds, beside its terminals.
const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty", "ptmx"];
/// Devices that compute and draw, where there are any.
const FURTHER: &[&str] =
    &["dri", "kvm", "kfd", "nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-modeset"];
/// What may be changed in `/proc` by root's number alone.
const KERNEL: &[&str] = &[
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/acpi",
    "/proc/scsi",
    "/proc/mtrr",
    "/proc/latency_stats",
    "/proc/timer_list",
];

/// What could not be done, and why.
#[derive(Debug)]
pub struct Trouble {
    /// What was to be done.
    pub step: String,
    /// The kernel's word.
    pub error: io::Error,
}

fn at(step: impl Into<String>) -> impl FnOnce(io::Error) -> Trouble {
    let step = step.into();
    move |error| Trouble { step, error }
}

/// Builds the view. For a process that is alone in new user, mount and process namespaces
/// and has every capability there.
///
/// # Errors
/// The step that failed: nothing may be run then.
pub fn build(fence: &Fence) -> Result<(), Trouble> {
    private().map_err(at("making mounts private"))?;
    // Taken before everything becomes read-only.
    let writable = taken(&fence.writable, 0)?;
    let shown = if fence.temp { taken(&fence.shown, READ_ONLY)? } else { Vec::new() };
    let devices = devices()?;
    attributes("/", READ_ONLY | NO_SETUID | NO_DEVICES, 0).map_err(at("making `/` read-only"))?;
    device_folder(devices)?;
    if fence.temp {
        for folder in TEMP.iter().filter(|folder| is_folder(folder)) {
            fresh(folder, "mode=1777")?;
        }
    }
    for folder in fence.emptied.iter().filter(|folder| folder.is_dir()) {
        empty(folder, &fence.kept)?;
    }
    for (path, tree) in shown.into_iter().chain(writable) {
        put(&tree, &path)?;
    }
    for path in &fence.pinned {
        let tree = tree(path).map_err(at(told("holding", path)))?;
        put(&tree, path)?;
    }
    for path in &fence.frozen {
        let tree = tree(path).map_err(at(told("protecting", path)))?;
        tree_attributes(&tree, READ_ONLY, 0).map_err(at(told("protecting", path)))?;
        put(&tree, path)?;
    }
    for socket in &fence.masked {
        mask(socket).map_err(at(told("hiding", socket)))?;
    }
    processes()?;
    enter(&fence.cwd).map_err(at(told("entering", &fence.cwd)))
}

fn told(what: &str, path: &Path) -> String {
    format!("{what} `{}`", path.display())
}

fn name(path: impl AsRef<Path>) -> io::Result<CString> {
    CString::new(path.as_ref().as_os_str().as_bytes()).map_err(io::Error::from)
}

fn done(code: libc::c_long) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn owned(fd: libc::c_long) -> io::Result<OwnedFd> {
    match i32::try_from(fd) {
        // SAFETY: the kernel has just made this descriptor for us alone.
        Ok(fd) if fd >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Nothing that is mounted here is seen outside.
fn private() -> io::Result<()> {
    mount(None, "/", None, libc::MS_REC | libc::MS_PRIVATE, None)
}

fn mount(
    source: Option<&str>,
    target: impl AsRef<Path>,
    kind: Option<&str>,
    flags: libc::c_ulong,
    data: Option<&str>,
) -> io::Result<()> {
    let text = |text: Option<&str>| text.map(name).transpose();
    let (source, target, kind, data) = (text(source)?, name(target)?, text(kind)?, text(data)?);
    let start = |text: &Option<CString>| text.as_ref().map_or(std::ptr::null(), |t| t.as_ptr());
    // SAFETY: every pointer is null or to a string that lives until the call returns.
    let code = unsafe {
        libc::mount(start(&source), target.as_ptr(), start(&kind), flags, start(&data).cast())
    };
    done(libc::c_long::from(code))
}

/// A handle on a place, no link on the way followed: the paths are canonical, so a link is
/// one that somebody has just put there.
fn place(path: &Path) -> io::Result<OwnedFd> {
    let path = name(path)?;
    let how =
        OpenHow { flags: (libc::O_PATH | libc::O_CLOEXEC) as u64, mode: 0, resolve: NO_LINKS };
    // SAFETY: the path and the structure live until the call returns.
    owned(unsafe {
        libc::syscall(
            libc::SYS_openat2,
            libc::AT_FDCWD,
            path.as_ptr(),
            &raw const how,
            size_of::<OpenHow>(),
        )
    })
}

/// A copy of what is mounted at a place and below.
fn tree(path: &Path) -> io::Result<OwnedFd> {
    let from = place(path)?;
    // SAFETY: the empty name is a constant; the rest are numbers.
    owned(unsafe {
        libc::syscall(
            libc::SYS_open_tree,
            from.as_raw_fd(),
            c"".as_ptr(),
            CLONE | CLOEXEC | RECURSIVE | EMPTY_PATH,
        )
    })
}

fn tree_attributes(tree: &OwnedFd, set: u64, clear: u64) -> io::Result<()> {
    let attr = MountAttr { set, clear, ..MountAttr::default() };
    // SAFETY: the name and the structure live until the call returns.
    done(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            EMPTY_PATH | RECURSIVE,
            &raw const attr,
            size_of::<MountAttr>(),
        )
    })
}

fn attributes(path: impl AsRef<Path>, set: u64, clear: u64) -> io::Result<()> {
    let path = name(path)?;
    let attr = MountAttr { set, clear, ..MountAttr::default() };
    // SAFETY: the name and the structure live until the call returns.
    done(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            RECURSIVE,
            &raw const attr,
            size_of::<MountAttr>(),
        )
    })
}

fn taken(paths: &[PathBuf], further: u64) -> Result<Vec<(PathBuf, OwnedFd)>, Trouble> {
    let take = |path: &PathBuf| {
        let tree = tree(path).map_err(at(told("taking", path)))?;
        tree_attributes(&tree, NO_SETUID | NO_DEVICES | further, 0)
            .map_err(at(told("taking", path)))?;
        Ok((path.clone(), tree))
    };
    paths.iter().map(take).collect()
}

/// Mounts a tree at a path; in a temp that is new the path is made first.
fn put(tree: &OwnedFd, path: &Path) -> Result<(), Trouble> {
    let fail = |error| Trouble { step: told("mounting", path), error };
    let target = match place(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make(tree, path).map_err(fail)?;
            place(path).map_err(fail)?
        }
        place => place.map_err(fail)?,
    };
    onto(tree, &target).map_err(fail)
}

fn onto(tree: &OwnedFd, target: &OwnedFd) -> io::Result<()> {
    // SAFETY: the empty names are constants; the rest are numbers.
    done(unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            tree.as_raw_fd(),
            c"".as_ptr(),
            target.as_raw_fd(),
            c"".as_ptr(),
            FROM_EMPTY | TO_EMPTY,
        )
    })
}

/// Makes the mount point for a tree. Only in a new and empty temp anything is missing, for
/// what is mounted was there; elsewhere all is read-only, and nothing can be made.
fn make(tree: &OwnedFd, path: &Path) -> io::Result<()> {
    let mut about = std::mem::MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the kernel fills the structure, and only then it is read.
    let folder = unsafe {
        if libc::fstat(tree.as_raw_fd(), about.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        about.assume_init().st_mode & libc::S_IFMT == libc::S_IFDIR
    };
    if folder {
        return std::fs::create_dir_all(path);
    }
    if let Some(above) = path.parent() {
        std::fs::create_dir_all(above)?;
    }
    std::fs::File::create_new(path).map(drop)
}

fn is_folder(path: &str) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|about| about.is_dir())
}

/// An empty folder of the command's own.
fn fresh(folder: impl AsRef<Path>, options: &str) -> Result<(), Trouble> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    let folder = folder.as_ref();
    mount(Some("tmpfs"), folder, Some("tmpfs"), flags, Some(options))
        .map_err(at(told("giving a new", folder)))
}

/// Shows a folder empty, but for these sockets in it.
fn empty(folder: &Path, kept: &[PathBuf]) -> Result<(), Trouble> {
    let kept = kept.iter().filter(|socket| socket.starts_with(folder));
    let kept: Vec<(&PathBuf, OwnedFd)> =
        kept.filter_map(|socket| tree(socket).ok().map(|tree| (socket, tree))).collect();
    fresh(folder, "mode=0755")?;
    for (path, tree) in kept {
        put(&tree, path)?;
    }
    attributes(folder, READ_ONLY, 0).map_err(at(told("emptying", folder)))
}

type Devices = Vec<(String, OwnedFd)>;

fn devices() -> Result<Devices, Trouble> {
    let mut found = Vec::new();
    for device in DEVICES.iter().chain(FURTHER).chain(&["pts"]) {
        let path = Path::new("/dev").join(device);
        match tree(&path) {
            Ok(tree) => found.push(((*device).to_owned(), tree)),
            // `ptmx` may be a link to the one beside the terminals, which comes with them.
            Err(_) if *device != "null" => {}
            Err(error) => return Err(Trouble { step: told("taking", &path), error }),
        }
    }
    Ok(found)
}

fn device_folder(devices: Devices) -> Result<(), Trouble> {
    let fail = |error| Trouble { step: "giving new devices".to_owned(), error };
    mount(Some("tmpfs"), "/dev", Some("tmpfs"), libc::MS_NOSUID, Some("mode=0755"))
        .map_err(fail)?;
    for (device, tree) in &devices {
        put(tree, &Path::new("/dev").join(device))?;
    }
    let links = [
        ("/proc/self/fd", "/dev/fd"),
        ("/proc/self/fd/0", "/dev/stdin"),
        ("/proc/self/fd/1", "/dev/stdout"),
        ("/proc/self/fd/2", "/dev/stderr"),
    ];
    for (leads, link) in links {
        std::os::unix::fs::symlink(leads, link).map_err(fail)?;
    }
    if devices.iter().all(|(device, _)| device != "ptmx") {
        std::os::unix::fs::symlink("pts/ptmx", "/dev/ptmx").map_err(fail)?;
    }
    std::fs::create_dir("/dev/shm").map_err(fail)?;
    let sealed = MountAttr { set: READ_ONLY, ..MountAttr::default() };
    // Not what is mounted below: devices are written, and a terminal's number is given.
    // SAFETY: the name and the structure live until the call returns.
    done(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            c"/dev".as_ptr(),
            0_u32,
            &raw const sealed,
            size_of::<MountAttr>(),
        )
    })
    .map_err(fail)?;
    fresh("/dev/shm", "mode=1777")
}

/// Puts the null device in a socket's place. One that is gone, or can't be come by, hides
/// itself.
fn mask(socket: &Path) -> io::Result<()> {
    let target = match place(socket) {
        Ok(target) => target,
        Err(error) => {
            return match error.raw_os_error() {
                Some(libc::ENOENT | libc::ENOTDIR | libc::EACCES | libc::ELOOP) => Ok(()),
                _ => Err(error),
            };
        }
    };
    let null = tree(Path::new("/dev/null"))?;
    onto(&null, &target)
}

/// The processes of the command's own, and what root could do to the kernel sealed.
fn processes() -> Result<(), Trouble> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    mount(Some("proc"), "/proc", Some("proc"), flags, None).map_err(at("mounting `/proc`"))?;
    for path in KERNEL {
        let path = Path::new(path);
        if !path.exists() {
            continue;
        }
        let tree = tree(path).map_err(at(told("sealing", path)))?;
        tree_attributes(&tree, READ_ONLY, 0).map_err(at(told("sealing", path)))?;
        put(&tree, path)?;
    }
    Ok(())
}

/// Goes to a folder anew: the one this process is in lies below what is mounted now.
fn enter(folder: &Path) -> io::Result<()> {
    debug_assert!(folder.components().all(|part| part != Component::ParentDir));
    let folder = name(folder)?;
    // SAFETY: the name lives until the call returns.
    done(libc::c_long::from(unsafe { libc::chdir(folder.as_ptr()) }))
}
