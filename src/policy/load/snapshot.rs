//! [`Snapshot`]: a compiled policy file in the cache, believed only if it was made by
//! this version of harness, for this layer, from exactly this source.
//!
//! That it is this source is told by its content, which costs with each byte. A file that
//! only its owner can have changed is told by what the system says of it
//! ([`Stamp`]) once its last change lies back far enough for the next one to show.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};

use siphasher::sip128::{Hasher128, SipHasher13};

use super::super::Layer;
use super::super::parse::BOUND;
use super::checksum;
use super::source::Source;
use crate::sys::bounded;
use crate::sys::stamp::Stamp;

/// Who made it: this version. The number counts up when the layout of the body changes.
const MAKER: &[u8] = concat!("harness ", env!("CARGO_PKG_VERSION"), " policy 4").as_bytes();
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
    fn key(nonce: [u8; 16]) -> SipHasher13 {
        SipHasher13::new_with_key(&nonce)
    }

    /// The body, if it can be believed for this source.
    pub(super) fn read(&self, source: &Source) -> Option<Vec<u8>> {
        let snapshot = bounded::open_no_link(&self.file, 4 * BOUND).ok()?;
        if !snapshot.is_private() {
            return None;
        }
        let mut bytes = snapshot.read().ok()?;
        let (before, sum) = bytes.split_last_chunk::<8>()?;
        if *sum != checksum::of(before).to_le_bytes() {
            return None;
        }
        let (before, stamp) = before.split_last_chunk::<{ Stamp::SIZE }>()?;
        let (before, wanted) = before.split_last_chunk::<16>()?;
        let (before, nonce) = before.split_last_chunk::<16>()?;
        let body = before.strip_suffix(&[self.layer as u8])?.strip_suffix(MAKER)?;
        let now = source.stamp();
        if now.is_none_or(|now| now.bytes() != *stamp) {
            let mut key = Self::key(*nonce);
            source.each(|piece| key.write(piece)).ok()?;
            if key.finish128().as_bytes() != *wanted {
                return None;
            }
            // The next one needn't read the source.
            if let Some(now) = source.stamp_at_rest() {
                let text = source.bytes().ok()?;
                // Another text since must not get this body.
                let mut key = Self::key(*nonce);
                key.write(&text);
                if key.finish128().as_bytes() == *wanted {
                    self.write(&text, Some(now), body);
                }
            }
        }
        let length = body.len();
        bytes.truncate(length);
        Some(bytes)
    }

    /// Writes it whole or not at all: the body, and behind it the maker, the layer, nonce,
    /// key, stamp and the checksum of all before. A cache that can't be written only costs time.
    pub(super) fn write(&self, source: &[u8], stamp: Option<Stamp>, body: &[u8]) {
        let _ = self.try_write(source, stamp, body);
    }

    fn try_write(&self, source: &[u8], stamp: Option<Stamp>, body: &[u8]) -> std::io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        // Each state is keyed by the system's randomness.
        let random = || RandomState::new().build_hasher().finish().to_le_bytes();
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&random());
        nonce[8..].copy_from_slice(&random());
        let mut key = Self::key(nonce);
        key.write(source);
        let mut whole = [body, MAKER, &[self.layer as u8], &nonce].concat();
        whole.extend(key.finish128().as_bytes());
        whole.extend(stamp.map_or([0; Stamp::SIZE], |stamp| stamp.bytes()));
        whole.extend(checksum::of(&whole).to_le_bytes());
        new.write_all(&whole)?;
        new.persist(&self.file)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MAKER, Snapshot, Stamp};
    use crate::policy::Layer;
    use crate::policy::load::source::Source;
    use std::path::Path;

    const TRAILER: usize = MAKER.len() + 1 + 16 + 16 + Stamp::SIZE + 8;

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
        snapshot.write(b"b", None, b"body of it");
        assert_eq!(read(&dir, &snapshot), None, "another source");
        snapshot.write(b"a", None, b"body of it");
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
    fn a_settled_source_is_known_by_its_stamp_and_a_changed_one_isnt() {
        let (dir, snapshot) = scene(b"aaaa");
        let file = dir.path().join("source");
        let open = || Source::of(Layer::User, &file).unwrap();
        // Just written: another write might leave the same stamp, so it stays unknown.
        snapshot.write(b"aaaa", open().stamp_at_rest(), b"body");
        std::fs::write(&file, b"bbbb").unwrap();
        assert_eq!(snapshot.read(&open()), None, "changed at once");
        // The stamp alone is believed: this body is of another text.
        snapshot.write(b"other", open().stamp(), b"body");
        assert_eq!(snapshot.read(&open()).unwrap(), b"body", "at rest");
        assert_eq!(snapshot.read(&Source::Held(b"bbbb".to_vec())), None, "a repository's");
        // Same name, same size, another file or another time: its content counts.
        std::fs::write(dir.path().join("new"), b"cccc").unwrap();
        std::fs::rename(dir.path().join("new"), &file).unwrap();
        assert_eq!(snapshot.read(&open()), None, "replaced");
        snapshot.write(b"other", open().stamp(), b"body");
        assert!(snapshot.read(&open()).is_some());
        std::fs::write(&file, b"dddd").unwrap();
        let touched = std::fs::File::options().write(true).open(&file).unwrap();
        touched.set_modified(std::time::UNIX_EPOCH).unwrap();
        assert_eq!(snapshot.read(&open()), None, "a set-back time shows");
    }

    #[test]
    fn a_source_of_several_pieces_is_one_source() {
        let source: Vec<u8> = (0..100_000_u32).map(|n| (n % 251) as u8).collect();
        let (dir, snapshot) = scene(&source);
        snapshot.write(&source, None, b"body");
        assert_eq!(read(&dir, &snapshot).unwrap(), b"body");
    }

    #[test]
    fn not_believed_if_others_may_write_it_or_it_is_a_link() {
        use std::os::unix::fs::PermissionsExt;
        let (dir, snapshot) = scene(b"a");
        snapshot.write(b"a", None, b"x");
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
