//! [`replace`] and [`remove`]: a file that others write too changes in one step, or not at
//! all. No half-written file, no link turned into a file, and nothing lost of what somebody
//! else wrote meanwhile: what was in the place is looked at once more after it was taken
//! out, when nobody can write it any more, and goes back if it isn't what was read before.

use super::attributes;
use super::fault;
use super::fs::{self, FsError, Readers};
use super::swap::{self, Writers};
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::{NamedTempFile, TempPath};

/// How long a program may keep a file open for writing that we have taken out.
const PATIENCE: Duration = Duration::from_secs(2);
/// In which a write that has begun is over.
const A_MOMENT: Duration = Duration::from_millis(30);
/// How often what was taken out may turn out to be newer than what was put in.
const TURNS: usize = 8;

/// Puts `new` in the place of `old` (`None`: there is no file), or leaves everything as it
/// is. Links are followed and kept, mode and owner too; a new file is for `readers`.
///
/// # Errors
/// See [`FsError`]; `Changed` if the file doesn't hold `old`, or no longer holds `new`.
pub fn replace(
    path: &Path,
    old: Option<&[u8]>,
    new: &[u8],
    readers: Readers,
) -> Result<(), FsError> {
    let target = fs::follow(path)?;
    let folder = target.parent().unwrap_or_else(|| Path::new("."));
    let before = writable(&target)?;
    let mut temp = fs::temp_beside(folder, &target).map_err(beside(folder, &target))?;
    let write = FsError::io("cannot write", &target);
    fs::fill(&mut temp, new, before.as_ref()).map_err(write)?;
    if before.is_some() {
        attributes::keep(&target, temp.path()).map_err(attributes_lost(&target))?;
    }
    if before.is_none() && readers == Readers::Everyone {
        fs::set_mode(temp.path(), 0o644).map_err(FsError::io("cannot write", &target))?;
    }
    point("replace-temp", &target)?;
    if fs::read(&target)?.as_deref() != old {
        return Err(changed(path));
    }
    let put = match old {
        Some(old) => exchange(temp, &target, old, new)?,
        None => put_new(temp, &target)?,
    };
    fs::sync_folder(folder);
    if !put || fs::read(&target)?.as_deref() != Some(new) {
        return Err(changed(path));
    }
    Ok(())
}

/// Removes a file that still holds `old`.
///
/// # Errors
/// See [`FsError`].
pub fn remove(path: &Path, old: &[u8]) -> Result<(), FsError> {
    if fs::read(path)?.as_deref() != Some(old) {
        return Err(changed(path));
    }
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let aside = fs::temp_beside(folder, path).map_err(beside(folder, path))?.into_temp_path();
    std::fs::rename(path, &aside).map_err(FsError::io("cannot remove", path))?;
    let quiet = settled(&aside);
    if quiet && fs::read(&aside)?.as_deref() == Some(old) {
        return Ok(());
    }
    // Unless somebody has made a new one already, which is newer.
    let _ = aside.persist_noclobber(path);
    Err(changed(path))
}

fn changed(path: &Path) -> FsError {
    FsError::Changed { path: path.to_path_buf() }
}

fn point(station: &str, target: &Path) -> Result<(), FsError> {
    fault::point(station).map_err(|fault::Injected| FsError::refused(target, "a fault on demand"))
}

/// A file that lost its access list would be readable by others than before.
fn attributes_lost(target: &Path) -> impl FnOnce(io::Error) -> FsError {
    move |e| {
        let why = format!("its access list or attributes can't be kept ({e})");
        FsError::refused(target, why)
    }
}

fn beside(folder: &Path, target: &Path) -> impl FnOnce(io::Error) -> FsError {
    move |source| match source.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            FsError::refused(folder, format!("the folder is read-only ({source})"))
        }
        _ => FsError::Io { what: "cannot write beside", path: target.to_path_buf(), source },
    }
}

/// A file where there was none; false if there is one by now.
fn put_new(temp: NamedTempFile, target: &Path) -> Result<bool, FsError> {
    match temp.persist_noclobber(target) {
        Ok(_) => Ok(true),
        Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        // A file system without links and without that kind of rename.
        Err(e) => fs::persist(e.file, target).map(|()| true),
    }
}

/// Swaps the target and its replacement, and looks at what came out. Says whether it was
/// what was expected, to the last byte and with nobody writing it. If not, the newest text
/// is in the place again.
fn exchange(temp: NamedTempFile, target: &Path, old: &[u8], new: &[u8]) -> Result<bool, FsError> {
    let held = File::open(target).map_err(FsError::io("cannot read", target))?;
    let out = temp.into_temp_path();
    match swap::exchange(&out, target) {
        Ok(()) => point("replace-swapped", target)?,
        Err(e) if swap::is_missing(&e) => return rename(out, target, &held, old, new),
        Err(e) => return Err(FsError::io("cannot put the new file in place", target)(e)),
    }
    drop(held);
    let (mut expected, mut put) = (old.to_vec(), new.to_vec());
    for turn in 0..TURNS {
        let quiet = settled(&out);
        let came_out = fs::read(&out)?.unwrap_or_default();
        if quiet && came_out == expected {
            return Ok(turn == 0);
        }
        // Newer than what was put in its place: it goes back.
        swap::exchange(&out, target).map_err(FsError::io("cannot put it back", target))?;
        expected = std::mem::replace(&mut put, came_out);
    }
    Ok(false)
}

/// Where files can't be swapped: renames over the target, and looks at the file that was
/// there through the handle it was opened with. A rename of somebody else's just before
/// ours can't be seen that way.
fn rename(
    temp: TempPath,
    target: &Path,
    held: &File,
    old: &[u8],
    new: &[u8],
) -> Result<bool, FsError> {
    let again = |e: io::Error| FsError::io("cannot put the new file in place", target)(e);
    fs::persist_path(temp, target)?;
    let there = at_rest(held).map_err(again)?;
    if there == old {
        return Ok(true);
    }
    if fs::read(target)?.as_deref() == Some(new) {
        let meta = std::fs::metadata(target).map_err(again)?;
        let folder = target.parent().unwrap_or_else(|| Path::new("."));
        let mut temp = fs::temp_beside(folder, target).map_err(again)?;
        fs::fill(&mut temp, &there, Some(&meta)).map_err(again)?;
        attributes::keep(target, temp.path()).map_err(attributes_lost(target))?;
        fs::persist(temp, target)?;
    }
    Ok(false)
}

/// The text of a file that somebody may be in the middle of writing, once it stays as it is.
fn at_rest(file: &File) -> io::Result<Vec<u8>> {
    let start = Instant::now();
    let mut seen = read_through(file)?;
    loop {
        std::thread::sleep(A_MOMENT);
        let now = read_through(file)?;
        if now == seen || start.elapsed() > PATIENCE {
            return Ok(now);
        }
        seen = now;
    }
}

fn read_through(mut file: &File) -> io::Result<Vec<u8>> {
    use std::io::{Read, Seek, SeekFrom};
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Waits until nobody has a file open for writing that no path leads to but ours; false if
/// somebody keeps it open.
fn settled(out: &Path) -> bool {
    let start = Instant::now();
    loop {
        match swap::writers(out) {
            Writers::None => return true,
            Writers::Some if start.elapsed() > PATIENCE => return false,
            Writers::Some => std::thread::sleep(Duration::from_millis(1)),
            Writers::Unknown => {
                // A writer that had just opened it is done by then.
                std::thread::sleep(A_MOMENT);
                return true;
            }
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
        return Err(FsError::refused(target, format!("it is read-only ({})", fs::describe(&meta))));
    }
    if let Err(e) = OpenOptions::new().write(true).open(target) {
        return Err(FsError::refused(
            target,
            format!("not writable ({}; {e})", fs::describe(&meta)),
        ));
    }
    if fs::links(&meta) > 1 {
        let why = "it has other names (hard links), which would keep the old text";
        return Err(FsError::refused(target, why));
    }
    Ok(Some(meta))
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

    fn with_new(dir: &Path) -> NamedTempFile {
        let mut temp = fs::temp_beside(dir, &dir.join("f")).unwrap();
        fs::fill(&mut temp, b"new", None).unwrap();
        temp
    }

    #[test]
    fn what_came_in_after_the_last_look_goes_back_by_either_means() {
        for swaps in [true, false] {
            let dir = tempfile::tempdir().unwrap();
            let file = dir.path().join("f");
            let turn = |write: Option<Writer>| {
                std::fs::write(&file, "old").unwrap();
                let (held, temp) = (File::open(&file).unwrap(), with_new(dir.path()));
                if let Some(write) = write {
                    write(&file, b"theirs");
                }
                let done = if swaps {
                    exchange(temp, &file, b"old", b"new")
                } else {
                    rename(temp.into_temp_path(), &file, &held, b"old", b"new")
                };
                (done.unwrap(), std::fs::read(&file).unwrap())
            };
            assert_eq!(turn(None), (true, b"new".to_vec()));
            assert_eq!(turn(Some(in_place)), (false, b"theirs".to_vec()));
            if swaps {
                assert_eq!(turn(Some(by_rename)), (false, b"theirs".to_vec()));
            }
            assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn who_keeps_it_open_for_writing_is_waited_for_and_then_respected() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        std::fs::write(&file, "old").unwrap();
        let theirs = OpenOptions::new().append(true).open(&file).unwrap();
        let refused = replace(&file, Some(b"old"), b"new", Readers::Owner);
        assert_eq!(matches!(refused, Err(FsError::Changed { .. })), cfg!(target_os = "linux"));
        if refused.is_err() {
            assert_eq!(std::fs::read(&file).unwrap(), b"old");
        }
        drop(theirs);
        let now = std::fs::read(&file).unwrap();
        replace(&file, Some(&now), b"newer", Readers::Owner).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"newer");
    }

    #[test]
    fn a_file_to_remove_that_somebody_writes_stays() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        std::fs::write(&file, "theirs").unwrap();
        assert!(matches!(remove(&file, b"old"), Err(FsError::Changed { .. })));
        let writer = OpenOptions::new().append(true).open(&file).unwrap();
        let kept = remove(&file, b"theirs");
        assert_eq!(matches!(kept, Err(FsError::Changed { .. })), cfg!(target_os = "linux"));
        drop(writer);
        if kept.is_err() {
            assert_eq!(std::fs::read(&file).unwrap(), b"theirs");
            remove(&file, b"theirs").unwrap();
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    /// How a program of somebody else's writes a file.
    type Writer = fn(&Path, &[u8]);

    fn in_place(path: &Path, bytes: &[u8]) {
        std::fs::write(path, bytes).unwrap();
    }

    fn by_rename(path: &Path, bytes: &[u8]) {
        let beside = path.with_extension("theirs");
        std::fs::write(&beside, bytes).unwrap();
        std::fs::rename(&beside, path).unwrap();
    }

    /// `ours theirs end`: two counters, each with one writer that changes nothing else. A
    /// text without its end is a write in the middle.
    fn whole(path: &Path) -> (u64, u64) {
        loop {
            let text = std::fs::read_to_string(path).unwrap();
            let words: Vec<&str> = text.split(' ').collect();
            if let [ours, theirs, "end"] = words.as_slice() {
                return (ours.parse().unwrap(), theirs.parse().unwrap());
            }
        }
    }

    /// Our counter, once theirs is what they wrote: for a moment it may be out of its place,
    /// until it is seen that it is newer than what was put there.
    fn settled_at(path: &Path, mine: u64) -> Option<u64> {
        let start = Instant::now();
        loop {
            match whole(path) {
                (ours, theirs) if theirs == mine => return Some(ours),
                _ if start.elapsed() > 2 * PATIENCE => return None,
                _ => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    /// Replaces as fast as it goes while another program writes. What the other wrote must
    /// be there when it looks again. Says how often it wrote and how often we came through.
    fn contend(write: Writer) -> (u64, u64) {
        use std::sync::atomic::{AtomicBool, Ordering};
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        std::fs::write(&path, "0 0 end").unwrap();
        let (stop, start) = (AtomicBool::new(false), Instant::now());
        let written = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                let mut mine = 0;
                while !stop.load(Ordering::Relaxed) {
                    let Some(ours) = settled_at(&path, mine) else {
                        stop.store(true, Ordering::Relaxed);
                        panic!("wrote {mine}, found {:?}", whole(&path));
                    };
                    mine += 1;
                    write(&path, format!("{ours} {mine} end").as_bytes());
                    std::thread::sleep(Duration::from_millis(2));
                }
                assert!(settled_at(&path, mine).is_some());
                mine
            });
            let mut through = 0;
            while start.elapsed() < Duration::from_secs(3) && !stop.load(Ordering::Relaxed) {
                let (ours, theirs) = whole(&path);
                let text = |ours| format!("{ours} {theirs} end").into_bytes();
                match replace(&path, Some(&text(ours)), &text(ours + 1), Readers::Owner) {
                    Ok(()) => through += 1,
                    Err(FsError::Changed { .. }) => {}
                    Err(e) => panic!("{e}"),
                }
            }
            stop.store(true, Ordering::Relaxed);
            (other.join().unwrap(), through)
        });
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        written
    }

    #[test]
    fn nothing_is_lost_of_what_another_writes_in_place() {
        let (theirs, ours) = contend(in_place);
        assert!(theirs > 20 && ours > 2, "{theirs} {ours}");
    }

    #[test]
    fn nothing_is_lost_of_what_another_renames_into_place() {
        let (theirs, ours) = contend(by_rename);
        assert!(theirs > 20 && ours > 2, "{theirs} {ours}");
    }
}
