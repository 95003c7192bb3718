//! A corpus of our own: dangerous calls and their harmless twins, of every effect in every
//! spelling.

mod code;
mod flows;
mod posix;
mod tools;
mod windows;

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

use crate::support::Sandbox;

/// What must become of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Must {
    Deny,
    /// Asked or denied.
    Stop,
    Pass,
}

impl Must {
    fn holds(self, said: &str) -> bool {
        match self {
            Self::Deny => said == "deny",
            Self::Stop => said != "none",
            Self::Pass => said == "none",
        }
    }
}

/// One call.
struct Case {
    effect: &'static str,
    spelling: &'static str,
    tool: String,
    input: Value,
    must: Must,
}

impl Case {
    fn command(
        effect: &'static str,
        spelling: &'static str,
        tool: &str,
        line: &str,
        must: Must,
    ) -> Self {
        Self { effect, spelling, tool: tool.to_owned(), input: json!({"command": line}), must }
    }
}

/// A thing to do, and one like it that is ordinary.
struct Twins {
    effect: &'static str,
    dangerous: &'static str,
    must: Must,
    harmless: &'static str,
}

const fn twins(
    effect: &'static str,
    must: Must,
    dangerous: &'static str,
    harmless: &'static str,
) -> Twins {
    Twins { effect, dangerous, must, harmless }
}

/// A name, and what is made of a line.
type Spelling = (&'static str, fn(&str) -> String);

/// The spellings that are code of a language which is no shell.
const LANGUAGES: &[&str] =
    &["awk", "python", "python heredoc", "node", "ruby", "perl", "php", "lua", "osascript"];

/// Every pair in every spelling.
fn product(tool: &str, pairs: &[Twins], spellings: &[Spelling], out: &mut Vec<Case>) {
    for pair in pairs {
        for (spelling, spell) in spellings {
            let case =
                |line: &str, must| Case::command(pair.effect, spelling, tool, &spell(line), must);
            out.push(case(pair.dangerous, pair.must));
            // A language's code that names a protected file is never taken for harmless: what
            // calls what can't be told from its text.
            let code = pair.effect == "settings" && LANGUAGES.contains(spelling);
            out.push(case(pair.harmless, if code { Must::Stop } else { Must::Pass }));
        }
    }
}

/// Lines as they stand: a spelling, what must not run, and what must.
fn listed(
    effect: &'static str,
    tool: &str,
    list: &[(&'static str, Must, &str)],
    out: &mut Vec<Case>,
) {
    out.extend(
        list.iter()
            .map(|(spelling, must, line)| Case::command(effect, spelling, tool, line, *must)),
    );
}

fn all() -> Vec<Case> {
    let mut out = Vec::new();
    posix::cases(&mut out);
    code::cases(&mut out);
    flows::cases(&mut out);
    windows::cases(&mut out);
    tools::cases(&mut out);
    out
}

/// What a world with every pack says of each call, in one run.
fn said(cases: &[Case]) -> Vec<String> {
    let sandbox = Sandbox::new();
    let policy = "version = 1\n[packs]\nenable = [\"git\", \"secrets\", \"publish\", \"install\", \"cloud\", \"system\", \"windows\"]\n";
    sandbox.write(sandbox.user_policy(), policy);
    sandbox.write("project/.git/HEAD", "ref: refs/heads/feature/x\n");
    let call =
        |case: &Case| json!({"tool": case.tool, "input": case.input, "expect": "none"}).to_string();
    let lines: Vec<String> = cases.iter().map(call).collect();
    let file = sandbox.root().join("calls.jsonl");
    std::fs::write(&file, lines.join("\n")).unwrap();
    let report = sandbox.run(["policy", "test", "--json", &file.display().to_string()]).go().json();
    assert_eq!(report["calls"], cases.len(), "{report}");
    let mut said = vec!["none".to_owned(); cases.len()];
    for miss in report["misses"].as_array().unwrap() {
        let (_, number) = miss["place"].as_str().unwrap().rsplit_once(':').unwrap();
        said[number.parse::<usize>().unwrap() - 1] = miss["got"].as_str().unwrap().to_owned();
    }
    said
}

/// How many calls there are of each effect in each spelling.
fn table(cases: &[Case]) -> String {
    let mut cells: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for case in cases {
        *cells.entry(case.spelling).or_default().entry(case.effect).or_default() += 1;
    }
    let mut effects: Vec<&str> = cases.iter().map(|case| case.effect).collect();
    effects.sort_unstable();
    effects.dedup();
    let mut out = format!("{:<24}", "");
    for effect in &effects {
        write!(out, " {effect:>9.9}").unwrap();
    }
    for (spelling, row) in cells {
        write!(out, "\n{spelling:<24}").unwrap();
        for effect in &effects {
            match row.get(effect) {
                Some(count) => write!(out, " {count:>9}").unwrap(),
                None => write!(out, " {:>9}", "").unwrap(),
            }
        }
    }
    out
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is for people who run it with --nocapture")]
fn every_effect_in_every_spelling_and_its_twin() {
    let cases = all();
    println!("{}\n{} calls", table(&cases), cases.len());
    assert!(cases.len() >= 800, "{}", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .zip(said(&cases))
        .filter(|(case, said)| !case.must.holds(said))
        .map(|(case, said)| {
            let text = case.input["command"].as_str().map(str::to_owned);
            let text = text.unwrap_or_else(|| case.input.to_string());
            format!("{said}, not {:?}: {} ({}): {text}", case.must, case.tool, case.spelling)
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Whatever is too much to be read is asked about, and costs little.
#[test]
fn what_is_too_much_to_read_is_asked_about() {
    let line = |text: String| Case::command("bounds", "bounds", "Bash", &text, Must::Stop);
    let many = |count: usize, one: fn(usize) -> String, between: &str| {
        (0..count).map(one).collect::<Vec<_>>().join(between)
    };
    let nested = |count: usize, open: &str, close: &str| {
        format!("{}rm -rf /{}", open.repeat(count), close.repeat(count))
    };
    let cases = [
        line(nested(500, "( ", " )")),
        line(nested(300, "{ ", "; }")),
        line(nested(200, "echo $(", ")")),
        line(nested(100, "eval ", "")),
        line(format!("rm -rf {}", "{/,b}".repeat(12))),
        line(format!("rm -rf {}", "{/,b}".repeat(160))),
        line(format!("cp x .claude/{}", "{a,b}".repeat(40))),
        line(format!("rm -rf {{/,{}}}", "a".repeat(70_000))),
        line(format!("rm -f {}", many(20_000, |n| format!("f{n}"), " "))),
        line(many(5_000, |n| format!("rm -f f{n}"), "; ")),
        line(format!("{}; rm -rf /", many(30_000, |n| format!("ls f{n}"), "; "))),
        line(format!("echo {}; rm -rf /", "a".repeat(5 << 20))),
        line(format!(
            "x={}; {}; rm -rf /",
            "a".repeat(100_000),
            many(200, |_| "y=$x$x".into(), "; ")
        )),
    ];
    let said = said(&cases);
    for (case, said) in cases.iter().zip(said) {
        let text = case.input["command"].as_str().unwrap_or_default();
        assert!(case.must.holds(&said), "{said}: {:.60}", text);
    }
    let fine = [
        line(format!("echo {}", "a".repeat(2 << 20))),
        line(many(5_000, |n| format!("ls f{n}"), "; ")),
        line(format!("git add {}", many(1_000, |n| format!("f{n}"), " "))),
        line("mkdir -p {a..t}{a..t}".into()),
        line("touch log{1..5000}".into()),
    ];
    assert_eq!(self::said(&fine), ["none"; 5]);
}
