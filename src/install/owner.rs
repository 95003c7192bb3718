//! The installation's secret id, and the ids of installations that were.

use super::failure::Failure;
use crate::home::Home;
use crate::sys::{fs, random};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;

fn current_file(home: &Home) -> PathBuf {
    home.state.join("owner")
}

fn retired_file(home: &Home) -> PathBuf {
    home.state.join("retired")
}

fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// The id of this installation, if there is a well-formed one.
///
/// # Errors
/// The file exists and can't be read.
pub fn current(home: &Home) -> Result<Option<String>, Failure> {
    let bytes = fs::read(&current_file(home))?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim().to_owned()).filter(|id| is_id(id)))
}

/// A fresh id. Two sources, so that one failing can't make it guessable.
#[must_use]
pub fn fresh() -> String {
    let mut hash = blake3::Hasher::new();
    for n in 0..4_u64 {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(n);
        hash.update(&hasher.finish().to_le_bytes());
    }
    let mut bytes = [0; 32];
    if random::fill(&mut bytes).is_ok() {
        hash.update(&bytes);
    }
    hash.update(&std::process::id().to_le_bytes());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    hash.update(&now.map_or(0, |d| d.as_nanos()).to_le_bytes());
    hash.finalize().to_hex().chars().take(32).collect()
}

/// Makes an id the installation's.
///
/// # Errors
/// The system refuses.
pub fn keep(home: &Home, id: &str) -> Result<(), Failure> {
    Ok(fs::write_private(&current_file(home), format!("{id}\n").as_bytes())?)
}

/// Retires the current id: hooks that still carry it (sessions that are open) fall silent.
///
/// # Errors
/// The system refuses.
pub fn retire(home: &Home) -> Result<(), Failure> {
    let Some(id) = current(home)? else { return Ok(()) };
    let bytes = fs::read(&retired_file(home))?.unwrap_or_default();
    let mut ids: Vec<String> =
        String::from_utf8_lossy(&bytes).lines().map(|l| l.trim().to_owned()).collect();
    ids.retain(|old| is_id(old) && *old != id);
    ids.push(id);
    let text: String = ids.iter().map(|id| format!("{id}\n")).collect();
    fs::write_private(&retired_file(home), text.as_bytes())?;
    match std::fs::remove_file(current_file(home)) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::could_not(format!("{}: {e}", current_file(home).display()), None))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_kept_then_retired_once() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::under(dir.path());
        assert_eq!(current(&home).unwrap(), None);
        let (one, two) = (fresh(), fresh());
        assert!(is_id(&one) && one != two);
        keep(&home, &one).unwrap();
        assert_eq!(current(&home).unwrap(), Some(one.clone()));
        retire(&home).unwrap();
        retire(&home).unwrap();
        keep(&home, &two).unwrap();
        retire(&home).unwrap();
        let retired = std::fs::read_to_string(home.state.join("retired")).unwrap();
        assert_eq!(retired, format!("{one}\n{two}\n"));
        assert_eq!(current(&home).unwrap(), None);
    }
}
