//! [`Stamp`]: what the system says of a file's state, without reading it.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Which file, how long, when it was last written and when anything of it last changed.
/// That last time nobody but the system sets, so a file whose stamp is the same is the
/// same, once the change lies back by more than the system's clock ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp([u64; 7]);

/// How far back a change must lie: more than any file system's times are rounded by.
const REST: Duration = Duration::from_secs(4);

impl Stamp {
    /// Its size in bytes.
    pub const SIZE: usize = 7 * 8;

    /// Of a file's metadata.
    #[cfg(unix)]
    #[must_use]
    pub fn of(meta: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self([
            meta.dev(),
            meta.ino(),
            meta.size(),
            meta.mtime().cast_unsigned(),
            meta.mtime_nsec().cast_unsigned(),
            meta.ctime().cast_unsigned(),
            meta.ctime_nsec().cast_unsigned(),
        ])
    }

    /// Of a file's metadata, which here don't tell: no such stamp is ever at rest.
    #[cfg(not(unix))]
    #[must_use]
    pub fn of(_meta: &Metadata) -> Self {
        Self([u64::MAX; 7])
    }

    /// Whether the next change will show: it can't have the same time.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let changed = UNIX_EPOCH + Duration::from_secs(self.0[5].min(u64::from(u32::MAX) * 4));
        SystemTime::now().duration_since(changed).is_ok_and(|since| since > REST)
    }

    /// As bytes.
    #[must_use]
    pub fn bytes(&self) -> [u8; Self::SIZE] {
        let mut out = [0; Self::SIZE];
        for (place, word) in out.as_chunks_mut::<8>().0.iter_mut().zip(self.0) {
            *place = word.to_le_bytes();
        }
        out
    }
}
