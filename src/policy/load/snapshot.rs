//! [`Snapshot`]: a compiled policy file in the cache, believed only if it was made by
//! this version of harness, for this layer, from exactly this source.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};

use siphasher::sip128::{Hasher128, SipHasher13};

use super::super::Layer;
use super::super::parse::BOUND;
use super::checksum;
use crate::sys::bounded;

const MAGIC: &[u8; 8] = b"harnessP";
/// Counts up when the layout of the body changes.
const LAYOUT: u8 = 1;
/// Magic, nonce, key, checksum.
const HEADER: usize = 8 + 16 + 16 + 8;

/// The place of a snapshot and what it must have been made from.
#[derive(Debug)]
pub(super) struct Snapshot<'a> {
    file: PathBuf,
    layer: Layer,
    source: &'a [u8],
}

impl<'a> Snapshot<'a> {
    /// For a source file.
    pub(super) fn of(cache: &Path, layer: Layer, path: &Path, source: &'a [u8]) -> Self {
        let name = match layer {
            Layer::Managed => "policy-managed".to_owned(),
            Layer::User => "policy-user".to_owned(),
            Layer::Project => {
                let id = blake3::hash(path.as_os_str().as_encoded_bytes());
                format!("policy-{}", &id.to_hex()[..16])
            }
        };
        Self { file: cache.join(name), layer, source }
    }

    /// Ties a snapshot to its source. Keyed by a nonce of the snapshot's own, which only
    /// its owner may read: a repository that writes its policy file can't look for a second
    /// source with the same key, though the hash is a fast one.
    fn key(&self, nonce: [u8; 16]) -> [u8; 16] {
        let mut hasher = SipHasher13::new_with_key(&nonce);
        hasher.write(&[LAYOUT, self.layer as u8]);
        hasher.write(env!("CARGO_PKG_VERSION").as_bytes());
        hasher.write(&[0]);
        hasher.write(self.source);
        hasher.finish128().as_bytes()
    }

    /// The body, if it can be believed.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        if !bounded::is_private(&self.file) {
            return None;
        }
        let mut bytes = bounded::read(&self.file, 4 * BOUND).ok()?;
        let body = bytes.get(HEADER..)?;
        let nonce = bytes.get(8..24)?.try_into().ok()?;
        let fits = bytes.get(..8)? == MAGIC
            && bytes.get(24..40)? == self.key(nonce)
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
        // Each state is keyed by the system's randomness.
        let random = || RandomState::new().build_hasher().finish().to_le_bytes();
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&random());
        nonce[8..].copy_from_slice(&random());
        new.write_all(&nonce)?;
        new.write_all(&self.key(nonce))?;
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
        let make = |source| Snapshot::of(dir.path(), Layer::User, Path::new("/p"), source);
        let snapshot = make(b"a".as_slice());
        assert_eq!(snapshot.read(), None);
        snapshot.write(b"body of it");
        assert_eq!(snapshot.read().unwrap(), b"body of it");
        assert_eq!(make(b"b".as_slice()).read(), None, "another source");
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
