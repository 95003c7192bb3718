//! Files: locks, modes, owners, and writing them whole or not at all.

use super::fault;
pub use super::replace::{remove, replace};
#[cfg(not(unix))]
use std::fs::OpenOptions;
use std::fs::{File, Metadata, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Why a file could not be replaced. In every case the old bytes are still there.
#[derive(Debug, thiserror::Error)]
pub enum FsError {
    /// The system refused.
    #[error("{}: {what}: {source}", path.display())]
    Io {
        /// What was being done.
        what: &'static str,
        /// With which file.
        path: PathBuf,
        /// The system's word.
        source: io::Error,
    },
    /// The file, its folder or its owner forbids it.
    #[error("{}: {why}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why, in words.
        why: String,
    },
    /// Somebody else wrote the file since it was read.
    #[error("{}: another program keeps changing the file", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl FsError {
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { what, path: path.to_path_buf(), source }
    }

    pub(super) fn refused(path: &Path, why: impl Into<String>) -> Self {
        Self::Refused { path: path.to_path_buf(), why: why.into() }
    }
}

/// The bytes of a file; `None` only if there is none. What exists and can't be read is an
/// error, never an empty file.
///
/// # Errors
/// The system refuses, or it isn't a regular file.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, FsError> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Err(FsError::refused(path, "it is a folder")),
        Ok(meta) if !meta.is_file() => {
            return Err(FsError::refused(path, "it is not a regular file"));
        }
        _ => {}
    }
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(FsError::io("cannot read", path)(e)),
    }
}

/// Where a chain of links ends: the path to write to. A path that isn't there at all ends
/// at itself.
///
/// # Errors
/// A link whose target is missing, a loop of links, a folder that can't be searched.
pub fn follow(path: &Path) -> Result<PathBuf, FsError> {
    if let Ok(found) = path.canonicalize() {
        return Ok(found);
    }
    if let Ok(target) = std::fs::read_link(path) {
        let why = format!("it is a link to `{}`, which can't be followed", target.display());
        return Err(FsError::refused(path, why));
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if folder.is_dir() => folder
            .canonicalize()
            .map(|folder| folder.join(name))
            .map_err(FsError::io("cannot reach", path)),
        _ => Ok(path.to_path_buf()),
    }
}

/// Who may read a file that is made new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Its owner only.
    Owner,
    /// Everyone: what an administrator writes for all users.
    Everyone,
}

/// How the names of temporary files begin that are made beside a file.
pub(super) fn temp_prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.harness-")
}

/// A temporary file beside a target. Its lock says that somebody is at work on it.
pub(super) fn temp_beside(folder: &Path, target: &Path) -> io::Result<tempfile::NamedTempFile> {
    let temp = tempfile::Builder::new().prefix(&temp_prefix(target)).tempfile_in(folder)?;
    // Nobody else knows the file; where there are no locks its age has to do.
    let _ = temp.as_file().try_lock();
    Ok(temp)
}

/// What killed runs left in a folder: temporary files of ours that nobody is at work on.
/// `names`: beside which files; all, if none are given.
#[must_use]
pub fn leftovers(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let is_temp = |name: &str| match names {
        [] => name.starts_with('.') && name.contains(".harness-"),
        names => names.iter().any(|n| name.starts_with(&temp_prefix(Path::new(n)))),
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|e| is_temp(&e.file_name().to_string_lossy()))
        .map(|e| e.path())
        .filter(|path| is_abandoned(path))
        .collect();
    found.sort();
    found
}

/// Whether nobody holds the lock of a temporary file; where that can't be told, whether it
/// is old: a living one is far younger.
fn is_abandoned(path: &Path) -> bool {
    let Ok(meta) = std::fs::symlink_metadata(path) else { return false };
    if !meta.is_file() {
        return false;
    }
    let age = meta.modified().ok().and_then(|m| SystemTime::now().duration_since(m).ok());
    let old = age.is_some_and(|age| age > Duration::from_secs(60));
    let free = || File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    old || (cfg!(unix) && free())
}

pub(super) fn fill(
    temp: &mut tempfile::NamedTempFile,
    new: &[u8],
    like: Option<&Metadata>,
) -> io::Result<()> {
    temp.write_all(new)?;
    temp.flush()?;
    if let Some(like) = like {
        keep_owner(temp.path(), like).map_err(|e| {
            io::Error::other(format!("its owner and group can't be kept ({}): {e}", describe(like)))
        })?;
        temp.as_file().set_permissions(like.permissions())?;
    }
    temp.as_file().sync_all()?;
    let written = temp.as_file().metadata()?.len();
    if usize::try_from(written) != Ok(new.len()) {
        return Err(io::Error::other(format!("{written} of {} bytes arrived", new.len())));
    }
    Ok(())
}

/// Renames over the target; a scanner or sync program may hold it for a moment on Windows.
pub(super) fn persist(temp: tempfile::NamedTempFile, target: &Path) -> Result<(), FsError> {
    persist_path(temp.into_temp_path(), target)
}

/// The same of a temporary file that is known by its path.
pub(super) fn persist_path(mut temp: tempfile::TempPath, target: &Path) -> Result<(), FsError> {
    let patience = if cfg!(windows) { Duration::from_secs(10) } else { Duration::ZERO };
    let start = Instant::now();
    loop {
        match temp.persist(target) {
            Ok(()) => return Ok(()),
            Err(e) if start.elapsed() < patience => {
                temp = e.path;
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(e) => return Err(FsError::io("cannot put the new file in place", target)(e.error)),
        }
    }
}

/// Writes a file of harness's own, for its owner only, whole or not at all.
///
/// # Errors
/// The system refuses.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), FsError> {
    write_own(path, bytes, false)
}

/// Writes a program of harness's own, whole or not at all.
///
/// # Errors
/// The system refuses.
pub fn write_program(path: &Path, bytes: &[u8]) -> Result<(), FsError> {
    write_own(path, bytes, true)
}

fn write_own(path: &Path, bytes: &[u8], program: bool) -> Result<(), FsError> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    private_folder(folder)?;
    let write = || FsError::io("cannot write", path);
    let mut temp = temp_beside(folder, path).map_err(write())?;
    fill(&mut temp, bytes, None).map_err(write())?;
    fault::point(if program { "program-temp" } else { "own-temp" })
        .map_err(|fault::Injected| FsError::refused(path, "a fault on demand"))?;
    if program {
        set_mode(temp.path(), 0o755).map_err(write())?;
    }
    persist(temp, path)?;
    sync_folder(folder);
    Ok(())
}

/// Makes a folder and the missing ones above it, each for its owner only. Says which were
/// made, outermost first.
///
/// # Errors
/// The system refuses, or something else is in its place.
pub fn private_folder(path: &Path) -> Result<Vec<PathBuf>, FsError> {
    folder(path, Readers::Owner)
}

/// Makes a folder and the missing ones above it for `readers`. Says which were made,
/// outermost first.
///
/// # Errors
/// The system refuses, or something else is in its place.
pub fn folder(path: &Path, readers: Readers) -> Result<Vec<PathBuf>, FsError> {
    let mut missing: Vec<&Path> =
        path.ancestors().take_while(|p| !p.as_os_str().is_empty() && !p.exists()).collect();
    missing.reverse();
    if let Some((link, target)) =
        missing.iter().find_map(|p| Some((p, std::fs::read_link(p).ok()?)))
    {
        let target = target.display();
        let why = format!(
            "it is a link to `{target}`, where nothing is: make that folder, or take the link away"
        );
        return Err(FsError::refused(link, why));
    }
    let mode = if readers == Readers::Everyone { 0o755 } else { 0o700 };
    for folder in &missing {
        match make_folder(folder, mode) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
                return Err(FsError::io("cannot make the folder", folder)(e));
            }
            _ => {}
        }
    }
    if !path.is_dir() {
        return Err(FsError::refused(path, "a folder is needed here, something else is"));
    }
    Ok(missing.into_iter().map(Path::to_path_buf).collect())
}

/// Makes a link to a folder; `false` where that can't be had (on Windows it takes a
/// privilege).
#[must_use]
pub fn link(folder: &Path, link: &Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(folder, link).is_ok();
    #[cfg(not(unix))]
    {
        let _ = (folder, link);
        false
    }
}

/// A lock that ends with the process, however that ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, waiting at most `patience`.
    ///
    /// # Errors
    /// It can't be made, or another holds it for longer.
    pub fn take(path: &Path, patience: Duration) -> Result<Self, FsError> {
        if let Some(folder) = path.parent() {
            private_folder(folder)?;
        }
        // What was opened is looked at, not what stood there before: that may have changed.
        let other =
            || FsError::refused(path, "the lock must be a regular file, something else is there");
        let file = open_at_once(path).map_err(|e| {
            let is_file = std::fs::metadata(path).map_or(true, |meta| meta.is_file());
            if is_file { FsError::io("cannot open the lock", path)(e) } else { other() }
        })?;
        if !file.metadata().is_ok_and(|meta| meta.is_file()) {
            return Err(other());
        }
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(FsError::refused(path, "another harness is at work"));
                }
                Err(TryLockError::Error(e)) => {
                    return Err(FsError::io("cannot lock", path)(e));
                }
            }
        }
    }
}

/// Opens a file to write, or makes it; a pipe without a reader is not waited for.
#[cfg(unix)]
fn open_at_once(path: &Path) -> io::Result<File> {
    let flags = libc::O_RDWR | libc::O_CREAT | libc::O_NONBLOCK | libc::O_NOCTTY;
    super::open::open(path, flags)
}

/// Elsewhere nothing is waited for.
#[cfg(not(unix))]
fn open_at_once(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).open(path)
}

#[cfg(unix)]
pub(super) fn describe(meta: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt;
    format!("mode {:04o}, owner {}", meta.mode() & 0o7777, meta.uid())
}

#[cfg(not(unix))]
pub(super) fn describe(_: &Metadata) -> String {
    "read-only attribute".to_owned()
}

#[cfg(unix)]
pub(super) fn links(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(meta)
}

#[cfg(not(unix))]
pub(super) fn links(_: &Metadata) -> u64 {
    1
}

#[cfg(unix)]
fn keep_owner(temp: &Path, like: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, chown};
    let now = std::fs::metadata(temp)?;
    let uid = (now.uid() != like.uid()).then(|| like.uid());
    let gid = (now.gid() != like.gid()).then(|| like.gid());
    if uid.is_none() && gid.is_none() { Ok(()) } else { chown(temp, uid, gid) }
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
pub(super) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub(super) fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn make_folder(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(mode).create(path)
}

#[cfg(not(unix))]
fn make_folder(path: &Path, _: u32) -> io::Result<()> {
    std::fs::DirBuilder::new().create(path)
}

/// Makes the rename last through a power cut; not every system can.
pub(super) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Whether this is `sudo`, with the home of the person who called it: what is made there
/// would be root's, and theirs no more.
#[must_use]
pub fn is_sudo_in_home_of_another(home: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let caller = std::env::var("SUDO_UID").ok().and_then(|uid| uid.parse::<u32>().ok());
        let owner = std::fs::metadata(home).ok().map(|m| m.uid());
        caller.is_some_and(|uid| uid != 0) && caller == owner && tempfile_uid() == Some(0)
    }
    #[cfg(not(unix))]
    {
        let _ = home;
        false
    }
}

/// The user id new files get.
#[cfg(unix)]
fn tempfile_uid() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    tempfile::tempfile().ok()?.metadata().ok().map(|m| m.uid())
}

/// Whether a file belongs to the user this process acts as.
#[must_use]
pub fn is_own(meta: &Metadata) -> bool {
    #[cfg(unix)]
    {
        std::os::unix::fs::MetadataExt::uid(meta) == super::own::user()
    }
    #[cfg(not(unix))]
    {
        let _ = meta;
        true
    }
}

/// Whether a file can be started.
#[must_use]
pub fn is_executable(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        path.is_file()
    }
}

/// Whether every user may write a file.
#[must_use]
pub fn others_may_write(path: &Path) -> bool {
    others_may(path, 0o002)
}

/// Whether every user may read a file.
#[must_use]
pub fn others_may_read(path: &Path) -> bool {
    others_may(path, 0o004)
}

fn others_may(path: &Path, bit: u32) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|m| m.permissions().mode() & bit != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = (path, bit);
        false
    }
}

/// The root of the git repository around a folder.
#[must_use]
pub fn git_root(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|f| f.join(".git").exists()).map(Path::to_path_buf)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_new_file_is_private_and_so_are_its_folders() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a/b/f");
        write_private(&file, b"x").unwrap();
        let mode = |p: &Path| std::fs::metadata(p).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(&dir.path().join("a"))), (0o600, 0o700));
    }

    #[test]
    fn what_a_killed_run_left_is_told_from_what_is_worked_on() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("settings.json");
        let working = temp_beside(dir.path(), &target).unwrap();
        let dead = dir.path().join(".settings.json.harness-abc");
        std::fs::write(&dead, "x").unwrap();
        std::fs::write(dir.path().join(".settings.json.tmp-abc"), "theirs").unwrap();
        std::fs::write(dir.path().join(".other.harness-abc"), "x").unwrap();
        assert_eq!(leftovers(dir.path(), &["settings.json"]), [dead]);
        assert_eq!(leftovers(dir.path(), &[]).len(), 2);
        drop(working);
    }

    #[test]
    fn a_lock_is_held_by_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let held = Lock::take(&path, Duration::ZERO).unwrap();
        assert!(Lock::take(&path, Duration::from_millis(50)).is_err());
        drop(held);
        assert!(Lock::take(&path, Duration::ZERO).is_ok());
    }

    #[test]
    fn a_lock_looks_at_what_it_opened_and_never_waits_for_a_reader() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
        assert!(made.success());
        std::fs::write(at("file"), "").unwrap();
        let lock = at("lock");
        let take = || Lock::take(&lock, Duration::ZERO).map(drop);
        let (told, done) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // What stands there changes between any two looks.
                for n in 0..400 {
                    let next = at("next");
                    std::fs::hard_link(at(["file", "pipe"][n % 2]), &next).unwrap();
                    std::fs::rename(&next, &lock).unwrap();
                    std::fs::remove_file(&next).ok();
                }
                told.send(()).unwrap();
            });
            while done.try_recv().is_err() {
                if let Err(e) = take() {
                    assert!(e.to_string().contains("must be a regular file"), "{e}");
                }
            }
        });
        std::fs::rename(at("pipe"), &lock).unwrap();
        assert!(take().is_err());
        std::fs::rename(at("file"), &lock).unwrap();
        assert!(take().is_ok());
    }
}
