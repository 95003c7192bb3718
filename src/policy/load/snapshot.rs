//! [`Snapshot`]: a compiled policy file in the cache, believed only if it was made by
//! this version of harness, for this layer, from exactly this source.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::super::Layer;
use super::super::parse::BOUND;
use super::checksum;
use crate::sys::bounded;

const MAGIC: &[u8; 8] = b"harnessP";
/// Counts up when the layout of the body changes.
const LAYOUT: u8 = 1;
/// Magic, key, checksum.
const HEADER: usize = 8 + 32 + 8;

/// The place of a snapshot and the key it must carry.
#[derive(Debug)]
pub(super) struct Snapshot {
    file: PathBuf,
    key: [u8; 32],
}

impl Snapshot {
    /// For a source file.
    pub(super) fn of(cache: &Path, layer: Layer, path: &Path, source: &[u8]) -> Self {
        let name = match layer {
            Layer::Managed => "policy-managed".to_owned(),
            Layer::User => "policy-user".to_owned(),
            Layer::Project => {
                let id = blake3::hash(path.as_os_str().as_encoded_bytes());
                format!("policy-{}", &id.to_hex()[..16])
            }
        };
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[LAYOUT, layer as u8]);
        hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
        hasher.update(&[0]);
        hasher.update(source);
        Self { file: cache.join(name), key: hasher.finalize().into() }
    }

    /// The body, if it can be believed.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        if !bounded::is_private(&self.file) {
            return None;
        }
        let mut bytes = bounded::read(&self.file, 4 * BOUND).ok()?;
        let body = bytes.get(HEADER..)?;
        let fits = bytes.get(..8)? == MAGIC
            && bytes.get(8..40)? == self.key
            && bytes.get(40..HEADER)? == checksum::of(body).to_le_bytes();
        if !fits {
            return None;
        }
        bytes.drain(..HEADER);
        Some(bytes)
    }

    /// Writes it whole or not at all. A cache that can't be written only costs time.
    pub(super) fn write(&self, body: &[u8]) {
        let _ = self.try_write(body);
    }

    fn try_write(&self, body: &[u8]) -> std::io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(MAGIC)?;
        new.write_all(&self.key)?;
        new.write_all(&checksum::of(body).to_le_bytes())?;
        new.write_all(body)?;
        new.persist(&self.file)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{HEADER, Snapshot};
    use crate::policy::Layer;
    use std::path::Path;

    #[test]
    fn believed_only_if_whole_and_fresh() {
        let dir = tempfile::tempdir().unwrap();
        let make = |source: &[u8]| Snapshot::of(dir.path(), Layer::User, Path::new("/p"), source);
        let snapshot = make(b"a");
        assert_eq!(snapshot.read(), None);
        snapshot.write(b"body of it");
        assert_eq!(snapshot.read().unwrap(), b"body of it");
        assert_eq!(make(b"b").read(), None, "another source");
        let whole = std::fs::read(&snapshot.file).unwrap();
        for cut in [0, 7, 30, HEADER, whole.len() - 1] {
            std::fs::write(&snapshot.file, &whole[..cut]).unwrap();
            assert_eq!(snapshot.read(), None, "torn at {cut}");
        }
        for at in 0..whole.len() {
            let mut bad = whole.clone();
            bad[at] ^= 0x10;
            std::fs::write(&snapshot.file, &bad).unwrap();
            assert_eq!(snapshot.read(), None, "flipped at {at}");
        }
    }

    #[cfg(all(test, unix))]
    #[test]
    fn not_believed_if_others_may_write_it() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let snapshot = Snapshot::of(dir.path(), Layer::User, Path::new("/p"), b"a");
        snapshot.write(b"x");
        std::fs::set_permissions(&snapshot.file, std::fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(snapshot.read(), None);
    }
}
