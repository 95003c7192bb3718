//! Ten thousand hostile settings files, in and out again: not a byte changes that isn't
//! ours, whatever client the entries were written for and whatever was remembered.

use super::*;
use crate::home::Home;
use crate::hosts::claude_code::caps::Version;
use crate::hosts::claude_code::places::Os;
use crate::install::clients::Client;
use crate::settings::corpus;

const OLD: Version = Version::new(2, 1, 100);
const NEW: Version = Version::new(2, 1, 332);

fn prepared(home: &Path, version: Version) -> Prepared {
    let around = Surroundings {
        home: home.to_path_buf(),
        harness: Home::under(&home.join("one")),
        one_folder: Some(home.join("one")),
        config_dir: None,
        cwd: home.join("project"),
        git_root: None,
        os: Os::here(),
        path: std::ffi::OsString::new(),
    };
    let sources =
        Sources { home: &around.harness, managed: home.join("no-managed"), project: None };
    let policy = Policy::load(&sources);
    let client = Client { path: "/c".into(), version: Ok(version) };
    let program = Program { path: "/x y/harness".into(), copy_from: None, blake3: String::new() };
    Prepared {
        scope: Scope::User,
        file: around.file(Scope::User),
        clients: Clients(vec![client]),
        program,
        require: false,
        policy,
        around,
    }
}

/// An installation into one file, without the disk.
struct Installed {
    text: String,
    manifest: Manifest,
}

fn install(
    prepared: &Prepared,
    text: &str,
    before: Option<&Manifest>,
) -> Result<Installed, Failure> {
    let binary = prepared.program.path.to_string_lossy();
    let wish = Wish {
        scope: prepared.scope,
        require: false,
        binary: &binary,
        owner: "00112233445566778899aabbccddeeff",
        clients: &prepared.clients,
        policy: &prepared.policy,
    };
    let entries = wanted(&wish, &prepared.around);
    let (new, record) = prepared.edit(Some(text), &entries, before)?;
    target::check(&prepared.file, Some(text), &new, &prepared.clients)?;
    assert!(is_done(&new, &entries, before), "{text:?}\n{new}");
    let manifest = Manifest {
        schema: 1,
        version: String::new(),
        installed_at: 0,
        binary: prepared.program.path.clone(),
        binary_blake3: String::new(),
        entries,
        files: vec![record],
        beside: Vec::new(),
    };
    Ok(Installed { text: new, manifest })
}

fn uninstall(prepared: &Prepared, text: &str, manifest: Option<&Manifest>) -> String {
    let trace = manifest.and_then(|m| m.record(&prepared.file)).map(|r| &r.trace);
    edit::strip(text, trace, &|entry| own::is_ours(entry, manifest)).unwrap()
}

/// Hooks of others: where, and every field of theirs.
fn foreign(text: &str) -> Vec<(String, Option<String>, String)> {
    let found =
        if syntax_blank(text) { Vec::new() } else { hooks::list(text, NEW).unwrap().entries };
    let others = found.into_iter().filter(|e| !own::is_ours(e, None));
    others.map(|e| (e.event, e.matcher, serde_json::Value::Object(e.fields).to_string())).collect()
}

fn syntax_blank(text: &str) -> bool {
    crate::settings::syntax::is_blank(text)
}

/// Every byte that isn't white space is still there, in its order.
fn holds(new: &str, old: &str) -> bool {
    let mut rest = new.bytes();
    old.bytes().filter(|b| !b.is_ascii_whitespace()).all(|b| rest.any(|r| r == b))
}

/// Whether the text could be installed into.
fn goes_around(worlds: &[Prepared; 2], number: u64) -> bool {
    let corpus::Text { text, refused } = corpus::text(number);
    let (first, then) = match number % 2 {
        0 => (&worlds[0], &worlds[1]),
        _ => (&worlds[1], &worlds[0]),
    };
    let Ok(one) = install(first, &text, None) else { return false };
    assert!(!refused, "{number}: no client reads {text:?}");
    assert!(holds(&one.text, &text), "{number}: {text:?}\n{}", one.text);
    assert_eq!(foreign(&one.text), foreign(&text), "{number}: {text:?}");
    assert_eq!(uninstall(first, &one.text, Some(&one.manifest)), text, "{number}");
    // A quarter each of what may happen before that.
    match number / 2 % 4 {
        0 => again(first, &one, &text),
        1 => forgotten(first, &one, &text),
        _ => migrated(then, &one, &text),
    }
    true
}

/// A second install changes nothing, remembered or not.
fn again(prepared: &Prepared, one: &Installed, text: &str) {
    for memory in [Some(&one.manifest), None] {
        let again = install(prepared, &one.text, memory).unwrap();
        assert_eq!(again.text, one.text, "{text:?}");
    }
}

/// Written anew for another client, and then out.
fn migrated(then: &Prepared, one: &Installed, text: &str) {
    let Ok(two) = install(then, &one.text, Some(&one.manifest)) else { return };
    assert_eq!(foreign(&two.text), foreign(text), "{text:?}");
    assert_eq!(uninstall(then, &two.text, Some(&two.manifest)), text);
}

/// With the memory lost, nothing of ours stays and everything of others does.
fn forgotten(prepared: &Prepared, one: &Installed, text: &str) {
    let left = uninstall(prepared, &one.text, None);
    assert_eq!(foreign(&left), foreign(text), "{text:?}");
    assert!(!left.contains("/x y/harness"), "{left}");
    assert!(holds(&one.text, &left), "{left}");
}

fn corpus_of(numbers: std::ops::Range<u64>) {
    let home = tempfile::tempdir().unwrap();
    let worlds = [OLD, NEW].map(|version| prepared(home.path(), version));
    let all = numbers.end - numbers.start;
    let good = numbers.filter(|number| goes_around(&worlds, *number)).count() as u64;
    // A corpus that is nearly all refused, or never, would prove little.
    assert!(good > all / 2 && good < all * 19 / 20, "{good} of {all}");
}

#[test]
fn hostile_files_come_back_to_the_byte_first_quarter() {
    corpus_of(0..2_500);
}

#[test]
fn hostile_files_come_back_to_the_byte_second_quarter() {
    corpus_of(2_500..5_000);
}

#[test]
fn hostile_files_come_back_to_the_byte_third_quarter() {
    corpus_of(5_000..7_500);
}

#[test]
fn hostile_files_come_back_to_the_byte_fourth_quarter() {
    corpus_of(7_500..10_000);
}
