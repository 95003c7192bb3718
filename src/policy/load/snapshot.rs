//! [`Snapshot`]: a compiled policy file in the cache, believed only if it was made by
//! this version of harness, for this layer, from exactly this source.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};

use siphasher::sip128::{Hasher128, SipHasher13};

use super::super::Layer;
use super::super::parse::BOUND;
use super::checksum;
use super::source::Source;
use crate::sys::bounded;

const MAGIC: &[u8; 8] = b"harnessP";
/// Counts up when the layout of the body changes.
const LAYOUT: u8 = 3;
/// Behind the body: magic, nonce, key, checksum.
const TRAILER: usize = 8 + 16 + 16 + 8;

/// The place of a snapshot and what it must have been made from.
#[derive(Debug)]
pub(super) struct Snapshot {
    file: PathBuf,
    layer: Layer,
}

impl Snapshot {
    /// For a source file.
    pub(super) fn of(cache: &Path, layer: Layer, path: &Path) -> Self {
        let name = match layer {
            Layer::Managed => "policy-managed".to_owned(),
            Layer::User => "policy-user".to_owned(),
            Layer::Project => {
                let id = blake3::hash(path.as_os_str().as_encoded_bytes());
                format!("policy-{}", &id.to_hex()[..16])
            }
        };
        Self { file: cache.join(name), layer }
    }

    /// Begins the key that ties a snapshot to its source, which is still to be written to
    /// it. Keyed by a nonce of the snapshot's own, which only its owner may read: a
    /// repository that writes its policy file can't look for a second source with the same
    /// key, though the hash is a fast one.
    fn key(&self, nonce: [u8; 16]) -> SipHasher13 {
        let mut hasher = SipHasher13::new_with_key(&nonce);
        hasher.write(&[LAYOUT, self.layer as u8]);
        hasher.write(env!("CARGO_PKG_VERSION").as_bytes());
        hasher.write(&[0]);
        hasher
    }

    /// The body, if it can be believed for this source.
    pub(super) fn read(&self, source: &Source) -> Option<Vec<u8>> {
        let snapshot = bounded::open_no_link(&self.file, 4 * BOUND).ok()?;
        if !snapshot.is_private() {
            return None;
        }
        let mut bytes = snapshot.read().ok()?;
        let (body, trailer) = bytes.split_at_checked(bytes.len().checked_sub(TRAILER)?)?;
        let nonce = trailer.get(8..24)?.try_into().ok()?;
        if trailer.get(..8)? != MAGIC || trailer.get(40..)? != checksum::of(body).to_le_bytes() {
            return None;
        }
        let mut key = self.key(nonce);
        source.each(|piece| key.write(piece)).ok()?;
        if trailer.get(24..40)? != key.finish128().as_bytes() {
            return None;
        }
        bytes.truncate(bytes.len() - TRAILER);
        Some(bytes)
    }

    /// Writes it whole or not at all. A cache that can't be written only costs time.
    pub(super) fn write(&self, source: &[u8], body: &[u8]) {
        let _ = self.try_write(source, body);
    }

    fn try_write(&self, source: &[u8], body: &[u8]) -> std::io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        // Each state is keyed by the system's randomness.
        let random = || RandomState::new().build_hasher().finish().to_le_bytes();
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&random());
        nonce[8..].copy_from_slice(&random());
        let mut key = self.key(nonce);
        key.write(source);
        new.write_all(body)?;
        new.write_all(MAGIC)?;
        new.write_all(&nonce)?;
        new.write_all(&key.finish128().as_bytes())?;
        new.write_all(&checksum::of(body).to_le_bytes())?;
        new.persist(&self.file)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Snapshot, TRAILER};
    use crate::policy::Layer;
    use crate::policy::load::source::Source;
    use std::path::Path;

    /// A folder with a source, and the snapshot of it.
    fn scene(source: &[u8]) -> (tempfile::TempDir, Snapshot) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("source"), source).unwrap();
        let snapshot = Snapshot::of(dir.path(), Layer::User, Path::new("/p"));
        (dir, snapshot)
    }

    fn read(dir: &tempfile::TempDir, snapshot: &Snapshot) -> Option<Vec<u8>> {
        let file = dir.path().join("source");
        let [open, held] = [Layer::User, Layer::Project]
            .map(|layer| snapshot.read(&Source::of(layer, &file).unwrap()));
        assert_eq!(open, held);
        open
    }

    #[test]
    fn believed_only_if_whole_and_fresh() {
        let (dir, snapshot) = scene(b"a");
        assert_eq!(read(&dir, &snapshot), None);
        snapshot.write(b"b", b"body of it");
        assert_eq!(read(&dir, &snapshot), None, "another source");
        snapshot.write(b"a", b"body of it");
        assert_eq!(read(&dir, &snapshot).unwrap(), b"body of it");
        let whole = std::fs::read(&snapshot.file).unwrap();
        for cut in [0, 7, 30, TRAILER, whole.len() - 1] {
            std::fs::write(&snapshot.file, &whole[..cut]).unwrap();
            assert_eq!(read(&dir, &snapshot), None, "torn at {cut}");
        }
        for at in 0..whole.len() {
            let mut bad = whole.clone();
            bad[at] ^= 0x10;
            std::fs::write(&snapshot.file, &bad).unwrap();
            assert_eq!(read(&dir, &snapshot), None, "flipped at {at}");
        }
    }

    #[test]
    fn a_source_of_several_pieces_is_one_source() {
        let source: Vec<u8> = (0..100_000_u32).map(|n| (n % 251) as u8).collect();
        let (dir, snapshot) = scene(&source);
        snapshot.write(&source, b"body");
        assert_eq!(read(&dir, &snapshot).unwrap(), b"body");
    }

    #[test]
    fn not_believed_if_others_may_write_it_or_it_is_a_link() {
        use std::os::unix::fs::PermissionsExt;
        let (dir, snapshot) = scene(b"a");
        snapshot.write(b"a", b"x");
        let set = |mode| {
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&snapshot.file, mode).unwrap();
        };
        set(0o666);
        assert_eq!(read(&dir, &snapshot), None);
        set(0o600);
        assert!(read(&dir, &snapshot).is_some());
        let elsewhere = dir.path().join("elsewhere");
        std::fs::rename(&snapshot.file, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &snapshot.file).unwrap();
        assert_eq!(read(&dir, &snapshot), None);
    }
}
