//! Reads a file that somebody else may have made: bounded, and never waiting for one
//! that is no file.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The bytes of a regular file of at most `most` bytes.
///
/// # Errors
/// What the system says; `FileTooLarge` over the bound, `InvalidInput` for a folder, a
/// pipe or a device.
pub fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let size = usize::try_from(about.len()).unwrap_or(usize::MAX);
    if size > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::with_capacity(size + 1);
    let bound = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    file.take(bound).read_to_end(&mut bytes)?;
    if bytes.len() > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::read;
    use std::io::ErrorKind;

    #[test]
    fn only_files_within_the_bound_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("f");
        std::fs::write(&file, "1234").expect("written");
        assert_eq!(read(&file, 4).ok(), Some(b"1234".to_vec()));
        assert_eq!(read(&file, 3).map_err(|e| e.kind()), Err(ErrorKind::FileTooLarge));
        assert_eq!(read(folder.path(), 4).map_err(|e| e.kind()), Err(ErrorKind::InvalidInput));
    }
}
