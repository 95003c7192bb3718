//! [`Kept`]: what of a passphrase is kept: a salt and a hash that takes its time and memory,
//! so that whoever can read the file can't try words by the million.

use std::path::{Path, PathBuf};

use argon2::{Algorithm, Argon2, Params, Version};
use serde_json::{Value, json};

use crate::sys::bounded::{self, Unreadable};
use crate::sys::{fs, random};

const SALT: usize = 16;
const HASH: usize = 32;
/// What RFC 9106 has for machines that can't spare two gibibytes.
const MEMORY_KIB: u32 = 64 << 10;
const PASSES: u32 = 3;
/// What is believed of a file: more would only be a way to stop the machine.
const MEMORY_AT_MOST: u32 = 1 << 20;
const PASSES_AT_MOST: u32 = 64;
/// A file larger than this isn't ours.
const BOUND: u64 = 4 << 10;
const KIND: &str = "argon2id";

/// Where it is kept.
#[must_use]
pub(in crate::cli) fn file(state: &Path) -> PathBuf {
    state.join("passphrase")
}

/// What is kept of a passphrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Kept {
    memory_kib: u32,
    passes: u32,
    salt: [u8; SALT],
    hash: [u8; HASH],
}

impl Kept {
    /// Of a new passphrase, with a salt of its own.
    ///
    /// # Errors
    /// There is no memory for it, or nothing random.
    pub(in crate::cli) fn of(phrase: &[u8]) -> Result<Self, String> {
        let mut salt = [0; SALT];
        random::fill(&mut salt).map_err(|e| format!("the system gives nothing random: {e}"))?;
        let hash = hash(phrase, &salt, MEMORY_KIB, PASSES)?;
        Ok(Self { memory_kib: MEMORY_KIB, passes: PASSES, salt, hash })
    }

    /// Whether this is the passphrase. How long that takes says nothing of where it differs.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(in crate::cli) fn is(&self, phrase: &[u8]) -> Result<bool, String> {
        let hash = hash(phrase, &self.salt, self.memory_kib, self.passes)?;
        Ok(hash.iter().zip(&self.hash).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0)
    }

    /// What is kept; `None`: no passphrase is set.
    ///
    /// # Errors
    /// Something is there, and it isn't that. Then one is set that nobody knows.
    pub(in crate::cli) fn read(state: &Path) -> Result<Option<Self>, String> {
        let file = file(state);
        match bounded::read(&file, BOUND) {
            Ok(bytes) => match Self::parse(&bytes) {
                Some(kept) => Ok(Some(kept)),
                None => Err("it holds no passphrase that harness wrote".to_owned()),
            },
            Err(Unreadable::Missing) if file.is_symlink() => {
                Err("it is a link that leads nowhere".to_owned())
            }
            Err(Unreadable::Missing) => Ok(None),
            Err(other) => Err(other.to_string()),
        }
    }

    /// Keeps it, private to this user.
    ///
    /// # Errors
    /// The system refuses.
    pub(in crate::cli) fn write(&self, state: &Path) -> Result<(), String> {
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        let text = json!({
            "schema": 1, "kind": KIND, "memory_kib": self.memory_kib, "passes": self.passes,
            "salt": hex(&self.salt), "hash": hex(&self.hash),
        });
        fs::write_private(&file(state), format!("{text}\n").as_bytes()).map_err(|e| e.to_string())
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let number = |key: &str, most: u32| {
            let number = u32::try_from(value.get(key)?.as_u64()?).ok()?;
            (1..=most).contains(&number).then_some(number)
        };
        let ours = value.get("schema")?.as_u64() == Some(1) && value.get("kind")? == KIND;
        ours.then_some(())?;
        Some(Self {
            memory_kib: number("memory_kib", MEMORY_AT_MOST)?,
            passes: number("passes", PASSES_AT_MOST)?,
            salt: bytes_of(value.get("salt")?.as_str()?)?,
            hash: bytes_of(value.get("hash")?.as_str()?)?,
        })
    }
}

fn bytes_of<const N: usize>(hex: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if hex.len() != 2 * N || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

fn hash(phrase: &[u8], salt: &[u8], memory_kib: u32, passes: u32) -> Result<[u8; HASH], String> {
    let why = |e: argon2::Error| format!("the passphrase can't be hashed: {e}");
    let params = Params::new(memory_kib, passes, 1, Some(HASH)).map_err(why)?;
    let mut hash = [0; HASH];
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon.hash_password_into(phrase, salt, &mut hash).map_err(why)?;
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use super::{Kept, bytes_of, file, hash};

    #[test]
    fn the_hash_is_the_one_that_the_world_has() {
        // From the tests of the reference program: argon2id, version 19, 256 KiB, two passes.
        let hex = "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe";
        assert_eq!(hash(b"password", b"somesalt", 256, 2), Ok(bytes_of(hex).expect("hexadecimal")));
    }

    #[test]
    fn only_the_passphrase_is_it_and_each_time_it_is_salted_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(Kept::read(folder.path()), Ok(None));
        let kept = Kept::of("läuft bergab".as_bytes()).expect("memory");
        kept.write(folder.path()).expect("written");
        let read = Kept::read(folder.path()).expect("readable").expect("there");
        assert_eq!(read, kept);
        for (phrase, is) in [("läuft bergab", true), ("lauft bergab", false), ("", false)] {
            assert_eq!(read.is(phrase.as_bytes()), Ok(is), "{phrase}");
        }
        let text = std::fs::read_to_string(file(folder.path())).expect("there");
        assert!(!text.contains("bergab"));
        assert_ne!(Kept::of("läuft bergab".as_bytes()).expect("memory"), kept);
    }

    #[test]
    fn what_is_there_and_is_none_of_ours_is_an_error_and_never_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = file(folder.path());
        Kept::of(b"x").expect("memory").write(folder.path()).expect("written");
        let good = std::fs::read_to_string(&file).expect("there");
        let mut bad: Vec<String> = (0..good.len() - 2).map(|cut| good[..cut].to_owned()).collect();
        bad.extend([
            good.replace("argon2id", "md5"),
            good.replace("\"schema\":1", "\"schema\":2"),
            good.replace("65536", "4294967295"),
            good.replace("\"passes\":3", "\"passes\":0"),
            good.replace("\"salt\":\"", "\"salt\":\"z"),
            good.clone() + &" ".repeat(5_000),
        ]);
        for text in bad {
            std::fs::write(&file, &text).expect("written");
            assert!(Kept::read(folder.path()).is_err(), "{text}");
        }
        std::fs::remove_file(&file).expect("removed");
        std::os::unix::fs::symlink("nowhere", &file).expect("made");
        assert!(Kept::read(folder.path()).is_err());
        std::fs::remove_file(&file).expect("removed");
        std::fs::create_dir(&file).expect("made");
        assert!(Kept::read(folder.path()).is_err());
    }
}
