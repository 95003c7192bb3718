//! What people type from habit that is no command here: what they get instead, or are told.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;

/// Words that other programs have, after which command they are looked for (`""`: the program
/// itself), and what does that here.
const ELSEWHERE: &[(&str, &[&str], &str)] = &[
    ("", &["setup", "init", "enable", "add", "update", "upgrade", "reinstall"], "harness install"),
    ("", &["remove", "delete", "purge"], "harness uninstall"),
    ("", &["disable", "pause", "stop", "silence"], "harness off --for 10m"),
    ("", &["on", "resume", "start"], "harness off --end"),
    ("", &["repair", "fix"], "harness doctor --fix"),
    ("", &["check", "verify", "health"], "harness doctor"),
    ("", &["test", "try"], "harness explain"),
    ("", &["rules", "list", "ls", "show"], "harness policy show"),
    ("", &["validate", "lint"], "harness policy check"),
    ("", &["policies", "config"], "harness policy"),
    ("", &["packs"], "harness policy packs"),
    ("", &["allow", "grant", "permit"], "harness approve"),
    ("", &["revoke", "deny"], "harness grants --revoke"),
    ("", &["history", "audit", "journal"], "harness log"),
    ("", &["mode", "sandbox", "set"], "harness knob"),
    ("", &["untrust"], "harness trust --revoke"),
    ("policy", &["list", "ls", "rules", "cat", "print"], "harness policy show"),
    ("policy", &["validate", "lint", "verify"], "harness policy check"),
    ("policy", &["new", "create", "add", "edit"], "harness policy init"),
    ("policy", &["try", "explain"], "harness explain"),
];

/// Options that other programs have, likewise.
const OPTIONS: &[(&str, &[&str], &str)] = &[
    (
        "install",
        &["--force", "-f"],
        "`harness install` again mends what is there; it needs no force",
    ),
    ("uninstall", &["--force", "-f"], "`harness uninstall --yes` doesn't ask"),
    ("doctor", &["--scope"], "the doctor looks at every scope at once"),
    ("doctor", &["--dry-run"], "`harness doctor` alone changes nothing"),
];

/// The arguments, with `help` and `version` in the place of a command as the options they
/// mean: `harness help policy check` is `harness policy check --help`.
pub(super) fn meant(argv: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut argv: Vec<OsString> = argv.collect();
    let second = argv.get(1).and_then(|word| word.to_str());
    match second {
        Some("version") if argv.len() == 2 => argv[1] = "--version".into(),
        Some("help") => {
            argv.remove(1);
            argv.push("--help".into());
        }
        Some("policy" | "log") if argv.len() == 3 && argv[2] == "help" => argv[2] = "--help".into(),
        _ => {}
    }
    argv
}

/// Puts what does the thing here in the place of what is merely spelled like the word.
pub(super) fn advise(error: &mut Error, argv: &[OsString]) {
    let command = argv.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    let word = match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) => word.clone(),
        _ => return,
    };
    let after = if word == command { "" } else { command };
    if let Some(instead) = find(ELSEWHERE, after, &word) {
        error.remove(ContextKind::SuggestedSubcommand);
        let tip = format!("`{instead}` does that here");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    } else if let Some(ContextValue::Strings(near)) =
        error.get(ContextKind::SuggestedSubcommand).cloned()
    {
        // The likest alone, which the parser has put last: of `isntall`, not `uninstall` too.
        let likest = near.into_iter().last().into_iter().collect();
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(likest));
    }
}

/// What to say after an option that isn't there.
pub(super) fn hint(error: &Error, argv: &[OsString]) -> Option<String> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let words: Vec<String> =
        argv.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let command = words.first().map(String::as_str).unwrap_or_default();
    if command == "off" && super::duration::parse(option).is_ok() {
        return Some(format!("`harness off --for {option}`"));
    }
    let known = find(OPTIONS, command, option).map(str::to_owned);
    known.or_else(|| super::explain::hint(words.into_iter()))
}

fn find<'a>(table: &[(&str, &[&str], &'a str)], after: &str, word: &str) -> Option<&'a str> {
    let row = table.iter().find(|(place, words, _)| *place == after && words.contains(&word));
    row.map(|(_, _, instead)| *instead)
}
