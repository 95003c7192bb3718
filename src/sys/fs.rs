//! Files: locks, modes, owners, atomic replacement.
//!
//! [`replace`] never leaves a half-written file, never turns a link into a file, and
//! never overwrites what somebody else wrote in the meantime.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
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
    fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { what, path: path.to_path_buf(), source }
    }

    fn refused(path: &Path, why: impl Into<String>) -> Self {
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

/// Puts `new` in the place of `old` (`None`: there is no file), or leaves everything as it
/// is. Links are followed and kept, mode and owner too; a new file is for `readers`.
///
/// # Errors
/// See [`FsError`]; `Changed` if the file no longer holds `old`.
pub fn replace(
    path: &Path,
    old: Option<&[u8]>,
    new: &[u8],
    readers: Readers,
) -> Result<(), FsError> {
    let target = follow(path)?;
    let folder = target.parent().unwrap_or_else(|| Path::new("."));
    let before = writable(&target)?;
    sweep(folder, &target);
    let mut temp = tempfile::Builder::new()
        .prefix(&temp_prefix(&target))
        .tempfile_in(folder)
        .map_err(|source| match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                FsError::refused(folder, format!("the folder is read-only ({source})"))
            }
            _ => FsError::Io { what: "cannot write beside", path: target.clone(), source },
        })?;
    let write = FsError::io("cannot write", &target);
    fill(&mut temp, new, before.as_ref()).map_err(write)?;
    if before.is_none() && readers == Readers::Everyone {
        set_mode(temp.path(), 0o644).map_err(FsError::io("cannot write", &target))?;
    }
    if read(&target)?.as_deref() != old {
        return Err(FsError::Changed { path: path.to_path_buf() });
    }
    persist(temp, &target)?;
    sync_folder(folder);
    if read(&target)?.as_deref() != Some(new) {
        return Err(FsError::Changed { path: path.to_path_buf() });
    }
    Ok(())
}

/// Removes a file that still holds `old`.
///
/// # Errors
/// See [`FsError`].
pub fn remove(path: &Path, old: &[u8]) -> Result<(), FsError> {
    if read(path)?.as_deref() != Some(old) {
        return Err(FsError::Changed { path: path.to_path_buf() });
    }
    std::fs::remove_file(path).map_err(FsError::io("cannot remove", path))
}

fn temp_prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.harness-")
}

/// Clears away what a killed run left beside the target; a living one is far younger.
fn sweep(folder: &Path, target: &Path) {
    let prefix = temp_prefix(target);
    let old = |meta: Metadata| {
        let age = meta.modified().ok().and_then(|m| SystemTime::now().duration_since(m).ok());
        age.is_some_and(|age| age > Duration::from_secs(60))
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(&prefix);
        if ours && entry.metadata().is_ok_and(old) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn fill(temp: &mut tempfile::NamedTempFile, new: &[u8], like: Option<&Metadata>) -> io::Result<()> {
    temp.write_all(new)?;
    temp.flush()?;
    if let Some(like) = like {
        keep_owner(temp.path(), like)?;
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
fn persist(mut temp: tempfile::NamedTempFile, target: &Path) -> Result<(), FsError> {
    let patience = if cfg!(windows) { Duration::from_secs(10) } else { Duration::ZERO };
    let start = Instant::now();
    loop {
        match temp.persist(target) {
            Ok(_) => return Ok(()),
            Err(e) if start.elapsed() < patience => {
                temp = e.file;
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(e) => return Err(FsError::io("cannot put the new file in place", target)(e.error)),
        }
    }
}

/// Whether a person would let us write here: a rename could replace a file whose mode says
/// no, and that no is a wish.
fn writable(target: &Path) -> Result<Option<Metadata>, FsError> {
    let meta = match std::fs::metadata(target) {
        Ok(meta) => meta,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(FsError::io("cannot look at", target)(e)),
    };
    if meta.is_dir() {
        return Err(FsError::refused(target, "it is a folder"));
    }
    if meta.permissions().readonly() {
        return Err(FsError::refused(target, format!("it is read-only ({})", describe(&meta))));
    }
    if let Err(e) = OpenOptions::new().write(true).open(target) {
        return Err(FsError::refused(target, format!("not writable ({}; {e})", describe(&meta))));
    }
    if links(&meta) > 1 {
        let why = "it has other names (hard links), which would keep the old text";
        return Err(FsError::refused(target, why));
    }
    Ok(Some(meta))
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
    let mut temp =
        tempfile::Builder::new().prefix(&temp_prefix(path)).tempfile_in(folder).map_err(write())?;
    fill(&mut temp, bytes, None).map_err(write())?;
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
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(path);
        let file = open.map_err(FsError::io("cannot open the lock", path))?;
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

#[cfg(unix)]
fn describe(meta: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt;
    format!("mode {:04o}, owner {}", meta.mode() & 0o7777, meta.uid())
}

#[cfg(not(unix))]
fn describe(_: &Metadata) -> String {
    "read-only attribute".to_owned()
}

#[cfg(unix)]
fn links(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(meta)
}

#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
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
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
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
fn sync_folder(folder: &Path) {
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
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|m| m.permissions().mode() & 0o002 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
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
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn links_stay_links_and_modes_stay_modes() {
        let dir = tempfile::tempdir().unwrap();
        let (real, one, two) =
            (dir.path().join("real"), dir.path().join("one"), dir.path().join("two"));
        std::fs::write(&real, "old").unwrap();
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real", &one).unwrap();
        symlink(&one, &two).unwrap();
        replace(&two, Some(b"old"), b"new", Readers::Owner).unwrap();
        assert!(two.is_symlink() && one.is_symlink());
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3);
    }

    #[test]
    fn what_somebody_else_wrote_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        std::fs::write(&file, "theirs").unwrap();
        assert!(matches!(
            replace(&file, Some(b"mine"), b"new", Readers::Owner),
            Err(FsError::Changed { .. })
        ));
        assert!(matches!(
            replace(&file, None, b"new", Readers::Owner),
            Err(FsError::Changed { .. })
        ));
        assert_eq!(std::fs::read(&file).unwrap(), b"theirs");
    }

    #[test]
    fn a_no_is_a_no() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("f"), dir.path().join("l"));
        std::fs::write(&file, "x").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
        assert!(
            replace(&file, Some(b"x"), b"y", Readers::Owner)
                .unwrap_err()
                .to_string()
                .contains("read-only")
        );
        symlink("nowhere", &link).unwrap();
        assert!(
            replace(&link, None, b"y", Readers::Owner).unwrap_err().to_string().contains("link")
        );
        let e = replace(dir.path(), None, b"y", Readers::Owner).unwrap_err();
        assert!(e.to_string().contains("folder"), "{e}");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        std::fs::hard_link(&file, dir.path().join("h")).unwrap();
        assert!(
            replace(&file, Some(b"x"), b"y", Readers::Owner)
                .unwrap_err()
                .to_string()
                .contains("hard links")
        );
    }

    #[test]
    fn a_new_file_is_private_and_so_are_its_folders() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a/b/f");
        write_private(&file, b"x").unwrap();
        let mode = |p: &Path| std::fs::metadata(p).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(&dir.path().join("a"))), (0o600, 0o700));
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
}
