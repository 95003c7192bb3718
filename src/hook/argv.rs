//! The hook's argv, read by hand: everything it needs to find is in it, for the
//! environment of a hook is a repository's to set.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::home::Home;
use crate::hosts::claude_code::SOFT_EVENTS;
use crate::hosts::{EventName, HostId, Version};

/// What the registered command says.
#[derive(Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The host that calls.
    pub host: HostId,
    /// The event it was registered for.
    pub event: EventName,
    /// The installation it belongs to, if it says.
    pub owner: Option<String>,
    /// Where harness's files are; `None`: the default below the user's home.
    pub home: Option<Home>,
    /// The lowest client version that reads the settings it is registered in.
    pub client: Version,
}

/// What a failure is aimed at, known from the first two words alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// An event harness knows.
    Known(EventName),
    /// An event of the host that nothing hangs on.
    Soft,
    /// Nobody can say; it may be a gate.
    Unclear,
}

/// The host that calls, as far as argv says one that harness knows.
#[must_use]
pub fn host(args: &[OsString]) -> HostId {
    let word = args.first().and_then(|word| word.to_str());
    word.and_then(HostId::parse).unwrap_or(HostId::ClaudeCode)
}

/// What a failure of this argv is aimed at. Never fails and allocates nothing.
#[must_use]
pub fn aim(args: &[OsString]) -> Aim {
    let Some(event) = args.get(1).and_then(|word| word.to_str()) else { return Aim::Unclear };
    match EventName::parse(event) {
        Some(event) => Aim::Known(event),
        None if SOFT_EVENTS.contains(&event) => Aim::Soft,
        None => Aim::Unclear,
    }
}

/// Reads the words after `hook`.
///
/// # Errors
/// What is wrong, in a clause that fits behind "this hook is registered wrongly: ".
pub fn parse(args: &[OsString]) -> Result<Invocation, String> {
    let mut words = args.iter();
    let host = words.next().ok_or("no host is named")?;
    let host = host
        .to_str()
        .and_then(HostId::parse)
        .ok_or_else(|| format!("`{}` is no host it knows", host.to_string_lossy()))?;
    let event = words.next().ok_or("no event is named")?;
    let event = event
        .to_str()
        .and_then(EventName::parse)
        .ok_or_else(|| format!("`{}` is no event it takes part in", event.to_string_lossy()))?;
    let mut owner = None;
    let mut client = None;
    let mut under = None;
    let mut apart: [Option<PathBuf>; 3] = [None, None, None];
    let [config, state, cache] = &mut apart;
    while let Some(flag) = words.next() {
        let value = words.next();
        match flag.to_str() {
            Some("--owner") => once(&mut owner, text(flag, value)?, flag)?,
            Some("--client") => once(&mut client, version(flag, value)?, flag)?,
            Some("--home") => once(&mut under, folder(flag, value)?, flag)?,
            Some("--config") => once(config, folder(flag, value)?, flag)?,
            Some("--state") => once(state, folder(flag, value)?, flag)?,
            Some("--cache") => once(cache, folder(flag, value)?, flag)?,
            _ => return Err(format!("`{}` is no option of it", flag.to_string_lossy())),
        }
    }
    let home = match (under, apart) {
        (None, [None, None, None]) => None,
        (Some(root), [None, None, None]) => Some(Home::under(&root)),
        (None, [Some(config), Some(state), Some(cache)]) => Some(Home { config, state, cache }),
        (None, _) => return Err("`--config`, `--state` and `--cache` go together".into()),
        (Some(_), _) => return Err("`--home` goes without the other folders".into()),
    };
    Ok(Invocation { host, event, owner, home, client: client.unwrap_or(Version::new(0, 0, 0)) })
}

fn once<T>(slot: &mut Option<T>, value: T, flag: &OsStr) -> Result<(), String> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("`{}` is given twice", flag.to_string_lossy())),
    }
}

fn given<'a>(flag: &OsStr, value: Option<&'a OsString>) -> Result<&'a OsString, String> {
    value
        .filter(|value| !value.is_empty())
        .ok_or_else(|| format!("`{}` needs a value", flag.to_string_lossy()))
}

fn text(flag: &OsStr, value: Option<&OsString>) -> Result<String, String> {
    let value = given(flag, value)?.to_str();
    value
        .map(str::to_owned)
        .ok_or_else(|| format!("the value of `{}` is not text", flag.to_string_lossy()))
}

fn version(flag: &OsStr, value: Option<&OsString>) -> Result<Version, String> {
    let value = text(flag, value)?;
    Version::parse(&value).ok_or_else(|| format!("`{value}` is no version"))
}

fn folder(flag: &OsStr, value: Option<&OsString>) -> Result<PathBuf, String> {
    let value = Path::new(given(flag, value)?);
    if value.is_absolute() {
        Ok(value.to_path_buf())
    } else {
        Err(format!("the folder of `{}` is not absolute", flag.to_string_lossy()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Aim, aim, parse};
    use crate::home::Home;
    use crate::hosts::{EventName, Version};
    use std::ffi::OsString;
    use std::path::Path;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').filter(|w| !w.is_empty()).map(OsString::from).collect()
    }

    #[test]
    fn the_registered_forms_are_read() {
        let got = parse(&words("claude-code PreToolUse --owner ab --home /r --client 2.1.332"));
        let got = got.ok();
        assert_eq!(got.as_ref().and_then(|i| i.owner.as_deref()), Some("ab"));
        assert_eq!(got.as_ref().map(|i| i.client), Some(Version::new(2, 1, 332)));
        assert_eq!(got.and_then(|i| i.home), Some(Home::under(Path::new("/r"))));
        let got = parse(&words("claude-code SessionEnd --config /c --state /s --cache /k"));
        assert!(got.is_ok_and(|i| i.home.is_some_and(|h| h.state == Path::new("/s"))));
    }

    #[test]
    fn every_other_word_is_refused() {
        for line in [
            "",
            "claude-code",
            "clyde PreToolUse",
            "claude-code pretooluse",
            "claude-code PreToolUse --owner",
            "claude-code PreToolUse --home rel",
            "claude-code PreToolUse --home /a --home /b",
            "claude-code PreToolUse --home /a --state /b",
            "claude-code PreToolUse --state /b",
            "claude-code PreToolUse --client new",
            "claude-code PreToolUse --yolo x",
            "claude-code PreToolUse extra",
        ] {
            assert!(parse(&words(line)).is_err(), "{line}");
        }
    }

    #[test]
    fn a_failure_knows_its_aim_before_the_rest_is_read() {
        assert_eq!(aim(&words("x PreToolUse --bad")), Aim::Known(EventName::PreToolUse));
        assert_eq!(aim(&words("claude-code Stop")), Aim::Soft);
        assert_eq!(aim(&words("claude-code PermissionRequest")), Aim::Unclear);
        assert_eq!(aim(&words("claude-code")), Aim::Unclear);
    }
}
