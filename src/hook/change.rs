//! ConfigChange: an edit of settings that takes our hooks out or weakens them is vetoed,
//! unless a person is at it.

use std::path::{Path, PathBuf};

use harness_core::json::{Limits, parse};

use super::answer::Answer;
use super::compare::Weakness;
use super::look;
use super::scene::Scene;
use super::trouble::Trouble;
use crate::home::Home;
use crate::hosts::{Decision, Inbound, Outbound};
use crate::journal::record::Record;
use crate::journal::redact;
use crate::sys::bounded::{self, Unreadable};

/// A consent lasts this long at most, whatever its file says.
const CONSENT_AT_MOST_MS: u64 = 120_000;

/// Settings larger than this are nobody's edit.
const SETTINGS_AT_MOST: u64 = 64 << 20;

/// Answers a change of a settings file; `owned` says that this hook names an owner.
///
/// # Errors
/// What install registered can't be read: a veto.
pub fn answer(
    home: &Home,
    owned: bool,
    inbound: &Inbound<'_>,
    source: &str,
    changed: Option<&str>,
) -> Result<Answer, Trouble> {
    let scene = Scene::look(home, inbound);
    let changed = changed.map(Path::new);
    let consented = consent(&home.state, scene.now_ms())
        .is_some_and(|file| changed.is_some_and(|changed| look::same_file(changed, &file)));
    let found = if consented {
        Vec::new()
    } else {
        look::at_settings(home, &scene, owned).map_err(|why| {
            Trouble::new(
                "harness/config-change",
                format!("harness can't read what it installed (manifest.json: {why}), so no change of settings is let through; `harness install` writes it again"),
            )
        })?
    };
    let blamed: Vec<&Weakness> =
        found.iter().filter(|weakness| concerns(weakness, changed)).collect();
    let decision = match blamed.first() {
        None => Decision::Silence,
        Some(first) => Decision::Deny(veto(first, blamed.len())),
    };
    let record = Record::new("hook/result", scene.now_ms())
        .text("session", redact::head(&inbound.session, 256))
        .text("event", "ConfigChange")
        .text("source", redact::head(source, 256))
        .maybe("file", changed.and_then(Path::to_str).map(|file| redact::head(file, 1_024)))
        .flag("consent", consented)
        .text("answer", decision.word())
        .list("found", found.iter().take(16).map(|weakness| weakness.what.as_str()));
    Ok(Answer {
        outbound: Outbound { decision, context: String::new() },
        record: Some(record),
        notes: None,
    })
}

/// Whether this change is to blame: it is the file, or nobody says which file it is.
fn concerns(weakness: &Weakness, changed: Option<&Path>) -> bool {
    match (&weakness.file, changed) {
        (Some(file), Some(changed)) => look::same_file(file, changed),
        _ => true,
    }
}

fn veto(first: &Weakness, count: usize) -> String {
    let place = first.file.as_deref().map(|f| format!("{}: ", f.display())).unwrap_or_default();
    let more = match count {
        0 | 1 => String::new(),
        more => format!(" and {} more", more - 1),
    };
    format!(
        "this change of settings would weaken harness and is not applied to this session: {place}{}{more}; a person changes that with `harness install` or `harness uninstall` [rule harness/config-change]",
        first.what
    )
}

/// The file that a person's install or uninstall has just written, if it still holds the
/// bytes they agreed to.
fn consent(state: &Path, now_ms: u64) -> Option<PathBuf> {
    let bytes = bounded::read(&state.join("consent.json"), 64 << 10).ok()?;
    let parsed = parse(&bytes, Limits::default()).ok()?;
    let until = match parsed.value.get("until_ms")? {
        harness_core::Json::Number(number) => number.parse::<u64>().ok()?,
        _ => return None,
    };
    let file = PathBuf::from(parsed.value.str_at("file")?.into_owned());
    let agreed = match parsed.value.get("blake3")? {
        harness_core::Json::Null => None,
        other => Some(other.as_str()?.into_owned()),
    };
    let holds = match bounded::read(&file, SETTINGS_AT_MOST) {
        Ok(bytes) => Some(blake3::hash(&bytes).to_hex().to_string()),
        Err(Unreadable::Missing) => None,
        Err(_) => return None,
    };
    let in_time = now_ms < until && until - now_ms <= CONSENT_AT_MOST_MS;
    (in_time && holds == agreed).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::consent;
    use std::path::{Path, PathBuf};

    fn ask(folder: &Path, file: &Path, until: &str, agreed: &str) -> Option<PathBuf> {
        let text = format!("{{\"file\":{file:?},\"until_ms\":{until},\"blake3\":{agreed}}}");
        std::fs::write(folder.join("consent.json"), text).expect("written");
        consent(folder, 1_000_000)
    }

    fn hash(bytes: &[u8]) -> String {
        format!("\"{}\"", blake3::hash(bytes).to_hex())
    }

    #[test]
    fn a_consent_is_short() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("s.json");
        std::fs::write(&file, "{}").expect("written");
        let at = |until| ask(folder.path(), &file, until, &hash(b"{}"));
        assert_eq!(at("1060000"), Some(file.clone()));
        for bad in ["1000000", "999", "9999999999999", "-1", "\"1060000\"", "1e9"] {
            assert_eq!(at(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_consent_is_to_these_bytes_and_no_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("s.json");
        let is = |agreed: &str| ask(folder.path(), &file, "1060000", agreed).is_some();
        assert!(is("null"), "the file is gone, as agreed");
        assert!(!is(&hash(b"{}")));
        std::fs::write(&file, "{}").expect("written");
        assert!(is(&hash(b"{}")));
        assert!(!is("null"));
        std::fs::write(&file, "{\"hooks\":{}}").expect("written");
        assert!(!is(&hash(b"{}")), "another edit within the minute");
    }
}
