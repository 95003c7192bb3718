//! Whose hook this is: the installation that is there, one that was uninstalled while
//! sessions are still open, or nobody's.

use std::path::Path;

use crate::sys::bounded::{self, Unreadable};

/// The most that is read of either file.
const MOST: u64 = 1 << 20;

/// How an owner id stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The installation's own id, or none was given.
    Ours,
    /// An uninstalled one: it has nothing to say any more.
    Retired,
    /// Neither.
    Unknown,
    /// The state folder can't tell.
    Unreadable(String),
}

/// How the owner id of argv stands in a state folder.
#[must_use]
pub fn standing(state: &Path, owner: Option<&str>) -> Standing {
    let Some(owner) = owner else { return Standing::Ours };
    let current = read(&state.join("owner"));
    if current.as_ref().is_ok_and(|id| id.trim() == owner) {
        return Standing::Ours;
    }
    match read(&state.join("retired")) {
        Ok(ids) if ids.lines().any(|id| id.trim() == owner) => return Standing::Retired,
        Err(why) if why != Unreadable::Missing => return Standing::Unreadable(why.to_string()),
        _ => {}
    }
    match current {
        Err(why) if why != Unreadable::Missing => Standing::Unreadable(why.to_string()),
        _ => Standing::Unknown,
    }
}

fn read(file: &Path) -> Result<String, Unreadable> {
    let bytes = bounded::read(file, MOST)?;
    String::from_utf8(bytes).map_err(|_| Unreadable::Refused("it is not text".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{Standing, standing};

    #[test]
    fn an_owner_is_current_retired_or_unknown() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = folder.path();
        assert_eq!(standing(state, None), Standing::Ours);
        assert_eq!(standing(state, Some("a")), Standing::Unknown);
        std::fs::write(state.join("owner"), "a\n").expect("written");
        std::fs::write(state.join("retired"), "b\nc\n").expect("written");
        assert_eq!(standing(state, Some("a")), Standing::Ours);
        assert_eq!(standing(state, Some("c")), Standing::Retired);
        for unknown in ["", "a\nb", "d"] {
            assert_eq!(standing(state, Some(unknown)), Standing::Unknown, "{unknown:?}");
        }
        std::fs::remove_file(state.join("owner")).expect("there");
        std::fs::create_dir(state.join("owner")).expect("made");
        assert!(matches!(standing(state, Some("a")), Standing::Unreadable(_)));
    }
}
