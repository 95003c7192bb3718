//! `harness policy check`: every mistake of every file, every example of every rule.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::exit::Exit;
use crate::cli::out;
use crate::cli::scene::Scene;
use crate::policy::Layer;
use crate::policy::check::Failure;
use crate::policy::load::Loaded;
use crate::policy::parse::Problem;

pub(super) fn run(scene: &Scene, cwd: &Path, as_json: bool) -> Exit {
    let mut findings = Vec::new();
    let mut files = Vec::new();
    for loaded in scene.policy.layers() {
        let path = loaded.path.display().to_string();
        files.push((path.clone(), word(loaded)));
        for problem in loaded.broken().unwrap_or_default() {
            findings.push(of_problem(&path, problem));
        }
        let Some(Ok(file)) = loaded.flat().map(crate::policy::flat::Flat::all) else { continue };
        for rule in &file.rules {
            let failures = scene.prove(rule, cwd);
            findings.extend(failures.iter().map(|f| of_failure(&path, f)));
        }
    }
    for rule in scene.policy.packs().iter().flat_map(|pack| pack.rules()) {
        findings.extend(scene.prove(rule, cwd).iter().map(|f| of_failure("built in", f)));
    }
    print(&files, &findings, as_json);
    if findings.is_empty() { Exit::Done } else { Exit::No }
}

/// One finding in both forms.
struct Finding {
    text: String,
    hint: String,
    json: Value,
}

fn of_problem(file: &str, p: &Problem) -> Finding {
    Finding {
        text: p.located(file),
        hint: p.instead.clone(),
        json: json!({
            "file": file, "line": p.line, "column": p.column, "key": p.key,
            "message": p.what, "instead": p.instead,
        }),
    }
}

fn of_failure(file: &str, f: &Failure) -> Finding {
    let place = if f.line > 0 { format!("{file}:{}", f.line) } else { file.to_owned() };
    Finding {
        text: format!("{place}: rule `{}`: {}", f.rule, f.what),
        hint: String::new(),
        json: json!({"file": file, "line": f.line, "rule": f.rule, "message": f.what}),
    }
}

fn word(loaded: &Loaded) -> &'static str {
    match (loaded.broken(), loaded.flat()) {
        (Some(_), _) => "broken",
        (None, None) => "not there",
        (None, Some(_)) if loaded.layer == Layer::Project && !loaded.trusted() => {
            "fine; what runs code in it waits for `harness trust`"
        }
        _ => "fine",
    }
}

fn print(files: &[(String, &str)], findings: &[Finding], as_json: bool) {
    if as_json {
        let files: Vec<Value> =
            files.iter().map(|(file, state)| json!({"file": file, "state": state})).collect();
        let findings: Vec<&Value> = findings.iter().map(|f| &f.json).collect();
        out::line(
            json!({"schema": 1, "ok": findings.is_empty(), "files": files, "findings": findings})
                .to_string(),
        );
        return;
    }
    for (file, state) in files {
        out::line(format!("{file}: {state}"));
    }
    for finding in findings {
        let hint = (!finding.hint.is_empty()).then_some(finding.hint.as_str());
        out::error(&finding.text, hint);
    }
    if findings.is_empty() {
        out::line("every rule proves itself");
    }
}
