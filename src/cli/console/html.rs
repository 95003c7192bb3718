//! The console as one page that needs nothing else: no script, no font, no picture. Which
//! knobs hold is chosen by buttons that the style sheet follows, so it works where scripts
//! don't run, and by keyboard.

use std::fs;
use std::path::Path;

use harness_core::knobs::value::Knob;
use harness_core::knobs::{ApprovalPolicy, SandboxMode};

use super::board::{Board, OPERATIONS};
use super::walk::Walk;
use crate::cli::consent::Failed;
use crate::cli::exit::Exit;
use crate::cli::out;
use crate::hosts::words::{self, escape};

/// How every page of ours begins: nothing else is written over.
const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<!-- harness console -->\n";

const STYLE: &str = "\
:root{color-scheme:light dark;--text:#1c1c1c;--back:#fff;--soft:#5c5c5c;--line:#bbb;--deny:#a3161b;--ask:#7a5200;--pass:#17652f}\
@media(prefers-color-scheme:dark){:root{--text:#ececec;--back:#161616;--soft:#a8a8a8;--line:#555;--deny:#ff8f8f;--ask:#f0c060;--pass:#7fd69a}}\
body{font:1rem/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:60rem;margin:0 auto;padding:1rem}\
h1{font-size:1.3rem}h2{font-size:1.1rem}fieldset{border:1px solid var(--line);margin:0 0 1rem}\
label{display:inline-block;margin-right:1rem}code,.about{font-family:ui-monospace,monospace;overflow-wrap:anywhere}\
details{border-top:1px solid var(--line);padding:.3rem 0}details details{margin-left:1.2rem}summary{cursor:pointer}\
:focus-visible{outline:3px solid;outline-offset:2px}ul{margin:.2rem 0}table{border-collapse:collapse}\
th,td{text-align:left;padding:.1rem 1rem .1rem 0;vertical-align:top}\
.deny,.stopped{color:var(--deny)}.ask,.asks{color:var(--ask)}.none,.passed{color:var(--pass)}.skipped{color:var(--soft)}\
.set{display:none}";

/// Writes the page.
///
/// # Errors
/// The call isn't one, the file is something else's, or can't be written.
pub(super) fn write(board: &mut Board, line: Option<&str>, file: &Path) -> Result<Exit, Failed> {
    let page = page(board, line)?;
    if file == Path::new("-") {
        out::line(page);
        return Ok(Exit::Done);
    }
    let name = file.display();
    match fs::read(file) {
        Ok(there) if !there.is_empty() && !there.starts_with(HEAD.as_bytes()) => {
            let what = format!("`{name}` is there and is no page of the console");
            return Err((what, Exit::Usage, Some("name another file, or move that one away")));
        }
        _ => {}
    }
    fs::write(file, page).map_err(|e| (format!("`{name}`: {e}"), Exit::CouldNot, None))?;
    out::line(words::line(&format!("written: {name}")));
    Ok(Exit::Done)
}

fn page(board: &mut Board, line: Option<&str>) -> Result<String, Failed> {
    let begin = board.knobs();
    let mut style = STYLE.to_owned();
    let mut buttons = [String::new(), String::new()];
    let mut sets = String::new();
    for (number, mode) in SandboxMode::ALL.iter().enumerate() {
        let on = *mode == begin.sandbox;
        buttons[0].push_str(&button("sandbox", &format!("s{number}"), mode.word(), on));
        for (other, policy) in ApprovalPolicy::ALL.iter().enumerate() {
            if number == 0 {
                let on = *policy == begin.approval;
                buttons[1].push_str(&button("approval", &format!("a{other}"), policy.word(), on));
            }
            style.push_str(&format!(
                "body:has(#s{number}:checked):has(#a{other}:checked) .s{number}a{other}{{display:block}}"
            ));
            board.sandbox(*mode);
            board.approval(*policy);
            sets.push_str(&set(board, line, &format!("s{number}a{other}"))?);
        }
    }
    // Where the style sheet can't tell which are chosen, all are shown.
    style.push_str("@supports not selector(:has(a)){.set{display:block}}");
    let [modes, policies] = buttons;
    let rows: String = board
        .rows()
        .iter()
        .map(|row| {
            format!(
                "<tr><td>{}</td><td>{}, {}</td></tr>\n",
                escape(&words::line(&row.name)),
                row.sandbox.word(),
                row.approval.word()
            )
        })
        .collect();
    let whose = escape(&board.whose());
    Ok(format!(
        "{HEAD}<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>harness console</title>\n\
         <style>{style}</style>\n</head>\n<body>\n<h1>harness console: {whose}</h1>\n\
         <fieldset><legend>Sandbox</legend>\n{modes}</fieldset>\n\
         <fieldset><legend>Approval</legend>\n{policies}</fieldset>\n\
         <details><summary>Presets</summary>\n<table>\n{rows}<tr><td>custom</td><td>what none of them describes; not one to choose</td></tr>\n</table></details>\n\
         <main>\n{sets}</main>\n</body>\n</html>"
    ))
}

fn button(group: &str, id: &str, word: &str, on: bool) -> String {
    let on = if on { " checked" } else { "" };
    format!("<label><input type=\"radio\" name=\"{group}\" id=\"{id}\"{on}> {word}</label>\n")
}

/// Every operation with one pair of knobs.
fn set(board: &Board, line: Option<&str>, class: &str) -> Result<String, Failed> {
    let knobs = board.knobs();
    let mut out = format!(
        "<section class=\"set {class}\">\n<h2>With {} and {}</h2>\n",
        knobs.sandbox.word(),
        knobs.approval.word()
    );
    for call in line.into_iter().chain(OPERATIONS.iter().copied()) {
        let walk = board.play(call).map_err(|what| (what, Exit::Usage, None))?;
        out.push_str(&played(&walk));
    }
    out.push_str("</section>\n");
    Ok(out)
}

fn played(walk: &Walk) -> String {
    let mut out = format!(
        "<details><summary><span class=\"about\">{}</span>: <strong class=\"{1}\">{1}</strong>, the client is told <strong class=\"{2}\">{2}</strong></summary>\n",
        escape(&walk.about),
        walk.verdict,
        walk.answer
    );
    for (number, station) in walk.stations.iter().enumerate() {
        let mark = station.mark.word();
        out.push_str(&format!(
            "<details><summary>{}. {}, <span class=\"{mark}\">{mark}</span>: {}</summary>",
            number + 1,
            station.name,
            escape(&station.says)
        ));
        if station.more.is_empty() {
            out.push_str("<p>nothing more</p>");
        } else {
            let more: String =
                station.more.iter().map(|m| format!("<li><code>{}</code></li>", escape(m))).collect();
            out.push_str(&format!("<ul>{more}</ul>"));
        }
        out.push_str("</details>\n");
    }
    out.push_str("</details>\n");
    out
}
