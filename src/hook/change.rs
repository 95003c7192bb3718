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
use crate::sys::bounded;

/// A consent lasts this long at most, whatever its file says.
const CONSENT_AT_MOST_MS: u64 = 120_000;

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
    Ok(Answer { outbound: Outbound { decision, context: String::new() }, record: Some(record) })
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

/// The file a person's install or uninstall is editing right now.
fn consent(state: &Path, now_ms: u64) -> Option<PathBuf> {
    let bytes = bounded::read(&state.join("consent.json"), 64 << 10).ok()?;
    let parsed = parse(&bytes, Limits::default()).ok()?;
    let until = match parsed.value.get("until_ms")? {
        harness_core::Json::Number(number) => number.parse::<u64>().ok()?,
        _ => return None,
    };
    let file = PathBuf::from(parsed.value.str_at("file")?.into_owned());
    (now_ms < until && until - now_ms <= CONSENT_AT_MOST_MS).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::consent;
    use std::path::PathBuf;

    #[test]
    fn a_consent_is_short() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |until: &str| {
            let text = format!("{{\"file\":\"/s.json\",\"until_ms\":{until}}}");
            std::fs::write(folder.path().join("consent.json"), text).expect("written");
            consent(folder.path(), 1_000_000)
        };
        assert_eq!(at("1060000"), Some(PathBuf::from("/s.json")));
        for bad in ["1000000", "999", "9999999999999", "-1", "\"1060000\"", "1e9"] {
            assert_eq!(at(bad), None, "{bad}");
        }
    }
}
