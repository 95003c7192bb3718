//! The rooms: `ARCHITECTURE.md`'s table, the doors in `src/lib.rs` and the imports are
//! one and the same.

use super::{Source, lawful, read, sources};
use std::collections::{BTreeMap, BTreeSet};

/// Where the name of the lint may stand. Each place is a door of its own: a crate's root
/// or the `mod` line of a room. `policy` opens some for the parts that read files and run guards.
const DOORS: &[&str] = &["src/lib.rs", "src/main.rs", "src/policy/mod.rs", "tests/it/main.rs"];

/// A row of the table.
#[derive(Debug)]
struct Room {
    /// What it may reach; empty for a room without effects.
    door: String,
    /// The rooms it may use.
    uses: BTreeSet<String>,
}

/// The table under `## Rooms`: room, door, uses, invariant.
fn table() -> BTreeMap<String, Room> {
    let text = read("ARCHITECTURE.md");
    let section = text.split("\n## Rooms\n").nth(1).expect("a section `## Rooms`");
    let section = section.split("\n## ").next().expect("split gives one part at least");
    let rows = section.lines().filter(|l| l.starts_with("| `"));
    let rooms: BTreeMap<String, Room> = rows.map(row).collect();
    assert!(rooms.len() > 5, "the table has hardly any row: {rooms:?}");
    rooms
}

fn row(line: &str) -> (String, Room) {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [name, door, uses, invariant] = cells.as_slice() else { panic!("four cells: {line}") };
    assert!(!invariant.is_empty(), "{name} has no invariant");
    let door = if *door == "–" { String::new() } else { (*door).to_owned() };
    let uses = uses.split(',').map(|u| u.trim().trim_matches('`').to_owned());
    let uses = uses.filter(|u| u != "–").collect();
    (name.trim_matches('`').to_owned(), Room { door, uses })
}

/// The `mod` lines of a file with the reason of their door.
fn modules(file: &str) -> BTreeMap<String, String> {
    let text = read(file);
    let mut reason = String::new();
    let mut found = BTreeMap::new();
    for line in text.lines().map(str::trim) {
        if let Some((_, said)) = line.split_once("reason = \"") {
            reason = said.split('"').next().expect("split gives one part at least").to_owned();
        } else if let Some(name) = line.strip_prefix("pub mod ") {
            found.insert(name.trim_end_matches(';').to_owned(), std::mem::take(&mut reason));
        }
    }
    found
}

#[test]
fn the_table_of_rooms_is_the_doors_in_lib_rs() {
    let told: BTreeMap<String, String> = table().into_iter().map(|(n, r)| (n, r.door)).collect();
    assert_eq!(told, modules("src/lib.rs"), "ARCHITECTURE.md (left) and src/lib.rs (right) differ");
}

#[test]
fn the_table_of_rooms_is_the_folders() {
    let mut there = BTreeSet::new();
    for source in sources(&["src"]) {
        let below = source.path.trim_start_matches("src/");
        let name = below.split('/').next().expect("split gives one part at least");
        there.insert(name.trim_end_matches(".rs").to_owned());
    }
    there.retain(|n| n != "lib" && n != "main");
    assert_eq!(table().into_keys().collect::<BTreeSet<_>>(), there);
}

#[test]
fn no_room_opens_its_own_door() {
    let mut broken = Vec::new();
    for source in sources(&["src", "crates", "tests"]) {
        let house = source.path.starts_with("tests/it/house");
        if house || DOORS.contains(&source.path.as_str()) || !source.is_rust() {
            continue;
        }
        for (line, code) in source.code() {
            if code.contains("disallowed_methods") {
                broken.push(source.at(line));
            }
        }
    }
    lawful("a door is opened on a `mod` line of src/lib.rs only", &broken);
}

#[test]
fn a_room_without_effects_has_no_door() {
    let rooms = table();
    for name in ["hosts", "policy"] {
        assert_eq!(rooms[name].door, "", "`{name}` decides, so it can't act");
    }
    let doors = modules("src/policy/mod.rs");
    let open: Vec<&str> =
        doors.iter().filter(|(_, why)| !why.is_empty()).map(|(name, _)| name.as_str()).collect();
    assert_eq!(open, ["external", "load", "trust"], "no other part of `policy` may act");
}

#[test]
fn arrows_point_down() {
    let rooms = table();
    let mut broken = Vec::new();
    for source in sources(&["src"]).iter().filter(|s| s.is_rust()) {
        let Some(room) = room_of(source) else { continue };
        for (line, used) in imports(source) {
            let Some(allowed) = rooms.get(&room) else { continue };
            if rooms.contains_key(&used) && used != room && !allowed.uses.contains(&used) {
                broken.push(format!("{}: `{room}` uses `{used}`", source.at(line)));
            }
        }
    }
    lawful("a room uses only what ARCHITECTURE.md's table says", &broken);
}

#[test]
fn no_two_rooms_use_each_other() {
    let rooms = table();
    let mut left: BTreeMap<&str, BTreeSet<&str>> = rooms
        .iter()
        .map(|(name, room)| (name.as_str(), room.uses.iter().map(String::as_str).collect()))
        .collect();
    while !left.is_empty() {
        let names: BTreeSet<&str> = left.keys().copied().collect();
        let before = left.len();
        left.retain(|_, uses| uses.iter().any(|u| names.contains(u)));
        assert!(left.len() < before, "a circle among {names:?}");
    }
}

fn room_of(source: &Source) -> Option<String> {
    let below = source.path.strip_prefix("src/")?;
    let first = below.split('/').next()?.trim_end_matches(".rs");
    (first != "lib" && first != "main").then(|| first.to_owned())
}

/// Every `crate::room` that is named in code, one of a group (`crate::{a, b}`) each.
/// Unit tests at the bottom of a file may use more.
fn imports(source: &Source) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let lines = source.code().take_while(|(_, code)| *code != "#[cfg(test)]");
    for (line, code) in lines {
        for after in code.split("crate::").skip(1) {
            let names = after.strip_prefix('{').map_or(after, |group| group);
            for name in names.split([',', '{']).take(if after.starts_with('{') { 99 } else { 1 }) {
                let word: String =
                    name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                found.push((line, word));
            }
        }
    }
    found
}

#[test]
fn the_imports_are_read_right() {
    let text = "use crate::home::Home;\nuse crate::{sys, hosts::EventName};\n// crate::cli\n\
                fn f() { crate::stdio::read() }\n#[cfg(test)]\nuse crate::doctor;\n";
    let source = Source { path: "src/x.rs".into(), text: text.into() };
    let found: Vec<String> = imports(&source).into_iter().map(|(_, n)| n).collect();
    assert_eq!(found, ["home", "sys", "hosts", "stdio"]);
}
