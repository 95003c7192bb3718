//! `harness policy check`: every mistake of every file, every example of every rule, and
//! what is right but weak.

use serde_json::{Value, json};

use crate::cli::exit::Exit;
use crate::cli::out;
use crate::cli::scene::Scene;
use crate::policy::Layer;
use crate::policy::check::Failure;
use crate::policy::load::Loaded;
use crate::policy::parse::Problem;
use crate::policy::remarks::{self, Count, Remark};

/// More rules without examples than this are counted, not listed.
const LISTED: usize = 10;

/// All there is to say.
struct Report {
    files: Vec<(String, &'static str)>,
    findings: Vec<Finding>,
    remarks: Vec<Remark>,
    count: Count,
    built_in: usize,
}

pub(super) fn run(scene: &Scene, strict: bool, as_json: bool) -> Exit {
    let report = look(scene);
    if as_json {
        out::line(report.json());
    } else {
        report.print();
    }
    let well = report.findings.is_empty() && (!strict || report.remarks.is_empty());
    if well { Exit::Done } else { Exit::No }
}

fn look(scene: &Scene) -> Report {
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
            let failures = scene.prove(rule);
            findings.extend(failures.iter().map(|f| of_failure(&path, f)));
        }
    }
    let mut built_in = 0;
    for rule in scene.policy.packs().iter().flat_map(|pack| pack.rules()) {
        built_in += 1;
        findings.extend(scene.prove_built_in(rule).iter().map(|f| of_failure("built in", f)));
    }
    let (remarks, count) = remarks::of(&scene.policy);
    Report { files, findings, remarks, count, built_in }
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
    Finding {
        text: format!("{}: rule `{}`: {}", place(file, f.line), f.rule, f.what),
        hint: String::new(),
        json: json!({"file": file, "line": f.line, "rule": f.rule, "message": f.what}),
    }
}

fn place(file: &str, line: u32) -> String {
    if line > 0 { format!("{file}:{line}") } else { file.to_owned() }
}

/// What became of a file, in a few words.
pub(crate) fn word(loaded: &Loaded) -> &'static str {
    match (loaded.broken(), loaded.flat()) {
        (Some(_), _) => "broken",
        (None, None) => "not there",
        (None, Some(_)) if waits(loaded) => {
            "fine; what runs code in it waits for `harness trust`"
        }
        _ => "fine",
    }
}

/// Whether something in a project's file runs code and nobody has trusted it.
pub(crate) fn waits(loaded: &Loaded) -> bool {
    loaded.flat().is_some() && loaded.layer == Layer::Project && !loaded.trusted()
}

impl Report {
    fn json(&self) -> String {
        let files: Vec<Value> =
            self.files.iter().map(|(file, state)| json!({"file": file, "state": state})).collect();
        let findings: Vec<&Value> = self.findings.iter().map(|f| &f.json).collect();
        let warnings: Vec<Value> = self.remarks.iter().map(of_remark).collect();
        json!({
            "schema": 1, "ok": findings.is_empty(), "files": files, "findings": findings,
            "warnings": warnings, "rules": self.count.rules,
            "rules_with_examples": self.count.with_examples, "built_in": self.built_in,
        })
        .to_string()
    }

    fn print(&self) {
        for (file, state) in &self.files {
            out::line(format!("{file}: {state}"));
        }
        for finding in &self.findings {
            let hint = (!finding.hint.is_empty()).then_some(finding.hint.as_str());
            out::error(&finding.text, hint);
        }
        self.warn();
        if self.findings.is_empty() {
            out::line(self.proven());
        }
    }

    fn warn(&self) {
        let mut hinted = "";
        for remark in self.remarks.iter().take(LISTED) {
            if !hinted.is_empty() && hinted != remark.instead {
                out::note(format!("hint: {hinted}"));
            }
            hinted = remark.instead;
            out::note(format!("warning: {}: {}", remark.place(), remark.what));
        }
        if self.remarks.len() > LISTED {
            out::note(format!("warning: and {} more like it", self.remarks.len() - LISTED));
        }
        if !hinted.is_empty() {
            out::note(format!("hint: {hinted}"));
        }
    }

    /// What the examples prove, and no more than that.
    fn proven(&self) -> String {
        let Count { rules, with_examples } = self.count;
        let built_in = match self.built_in {
            0 => "no built-in rule is on".to_owned(),
            count => format!("{count} built-in ones"),
        };
        match rules - with_examples {
            0 => format!("every rule proves itself: {rules} of files, {built_in}"),
            left => format!(
                "{with_examples} of {rules} rules of files prove themselves, {left} can't for want of examples; {built_in}"
            ),
        }
    }
}

fn of_remark(remark: &Remark) -> Value {
    json!({
        "kind": remark.kind, "file": remark.file, "line": remark.line, "rule": remark.rule,
        "message": remark.what, "instead": remark.instead,
    })
}
