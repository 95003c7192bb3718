//! `harness policy test`: calls with the verdict expected of them.

use std::path::{Path, PathBuf};

use harness_core::Json;
use harness_core::json::{self, Limits};
use serde_json::{Value, json};

use crate::cli::exit::Exit;
use crate::cli::explain::made;
use crate::cli::out;
use crate::cli::scene::Scene;
use crate::sys::bounded;

/// The largest file of calls.
const BOUND: u64 = 256 << 20;

/// A call whose verdict was another.
struct Miss {
    place: String,
    expected: String,
    got: &'static str,
    rule: String,
}

pub(super) fn run(scene: &Scene, cwd: &Path, files: &[PathBuf], as_json: bool) -> Exit {
    let mut misses = Vec::new();
    let mut calls = 0;
    for file in files {
        let bytes = match bounded::read(file, BOUND) {
            Ok(bytes) => bytes,
            Err(e) => {
                out::error(format!("`{}`: {e}", file.display()), None);
                return Exit::CouldNot;
            }
        };
        for (line, number) in bytes.split(|b| *b == b'\n').zip(1..) {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let place = format!("{}:{number}", file.display());
            match one(scene, cwd, line, &place) {
                Ok(miss) => misses.extend(miss),
                Err(what) => {
                    let hint =
                        r#"each line is {"tool":"Bash","input":{…},"expect":"none|ask|deny"}"#;
                    out::error(format!("{place}: {what}"), Some(hint));
                    return Exit::Usage;
                }
            }
            calls += 1;
        }
    }
    print(calls, &misses, as_json);
    if misses.is_empty() { Exit::Done } else { Exit::No }
}

fn one(scene: &Scene, cwd: &Path, line: &[u8], place: &str) -> Result<Option<Miss>, String> {
    let doc = json::parse(line, Limits::default())
        .map_err(|e| format!("not JSON: {e}"))?;
    let need = |key: &str| {
        doc.value.str_at(key).map(std::borrow::Cow::into_owned).ok_or(format!("`{key}` is missing"))
    };
    let (tool, expected) = (need("tool")?, need("expect")?);
    if !matches!(expected.as_str(), "none" | "ask" | "deny") {
        return Err(format!("`expect` is `{expected}`, not none, ask or deny"));
    }
    let input: Json<'_> = doc.value.get("input").cloned().ok_or("`input` is missing")?;
    let folder = match doc.value.str_at("cwd") {
        Some(folder) => folder.into_owned(),
        None => cwd.to_string_lossy().into_owned(),
    };
    let ruling = scene.decide(&made(tool, input, folder));
    let got = ruling.verdict.word();
    Ok((got != expected).then(|| Miss {
        place: place.to_owned(),
        expected,
        got,
        rule: ruling.votes.first().map_or_else(String::new, |cast| cast.rule.to_string()),
    }))
}

fn print(calls: usize, misses: &[Miss], as_json: bool) {
    if as_json {
        let list: Vec<Value> = misses
            .iter()
            .map(
                |m| json!({"place": m.place, "expected": m.expected, "got": m.got, "rule": m.rule}),
            )
            .collect();
        out::line(
            json!({"schema": 1, "ok": list.is_empty(), "calls": calls, "misses": list}).to_string(),
        );
        return;
    }
    for miss in misses {
        let rule = if miss.rule.is_empty() { String::new() } else { format!(" [{}]", miss.rule) };
        out::line(format!("{}: expected {}, got {}{rule}", miss.place, miss.expected, miss.got));
    }
    out::line(format!("{calls} calls, {} as expected, {} not", calls - misses.len(), misses.len()));
}
