//! `harness policy show`: the rules in force.

use serde_json::{Value, json};

use crate::cli::exit::Exit;
use crate::cli::out;
use crate::cli::scene::Scene;
use crate::policy::flat::Flat;
use crate::policy::model::{Matcher, Rule};
use crate::policy::parse::nearest;
use crate::policy::{packs, protect};

/// One rule in both forms.
struct Row {
    id: String,
    say: &'static str,
    place: String,
    json: Value,
    detail: Vec<String>,
}

pub(super) fn run(scene: &Scene, id: Option<&str>, as_json: bool) -> Exit {
    let mut rows = all(scene, id);
    if let Some(id) = id {
        rows.retain(|row| {
            row.id == id || row.id.split_once('/').is_some_and(|(pack, _)| pack == id)
        });
        if rows.is_empty() {
            let hint = match like(scene, id).as_slice() {
                [] => "`harness policy show` lists them".to_owned(),
                near => format!("did you mean `{}`?", near.join("` or `")),
            };
            out::error(format!("there is no rule and no pack `{id}`"), Some(&hint));
            return Exit::No;
        }
    }
    if as_json {
        let rules: Vec<Value> = rows.into_iter().map(|row| row.json).collect();
        out::line(json!({"schema": 1, "rules": rules}).to_string());
        return Exit::Done;
    }
    let alone = id.is_some_and(|id| rows.iter().any(|row| row.id == id));
    for row in &rows {
        out::line(format!("{:<5} {} ({})", row.say, row.id, row.place));
        if alone {
            row.detail.iter().for_each(|line| out::line(format!("      {line}")));
        }
    }
    Exit::Done
}

/// The few rules and packs that a word may have meant: rules of that name in a pack, rules that
/// begin so, else what is spelled most like it. Packs that are off count too.
fn like(scene: &Scene, word: &str) -> Vec<String> {
    const FEW: usize = 3;
    let mut ids: Vec<String> = all(scene, None).into_iter().map(|row| row.id).collect();
    for pack in packs::ALL {
        ids.push(pack.name.to_owned());
        ids.extend(pack.rules().map(|rule| rule.id.to_owned()));
    }
    let mut seen = std::collections::BTreeSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    let named = |id: &&String| id.split_once('/').is_some_and(|(_, name)| name == word);
    let begins = |id: &&String| !word.is_empty() && id.starts_with(word);
    let mut near: Vec<String> = ids.iter().filter(named).cloned().collect();
    if near.is_empty() {
        near = ids.iter().filter(begins).cloned().collect();
    }
    if near.is_empty() {
        let names: Vec<&str> = ids.iter().map(String::as_str).collect();
        near.extend(nearest(word, &names).map(str::to_owned));
    }
    near.truncate(FEW);
    near
}

fn all(scene: &Scene, id: Option<&str>) -> Vec<Row> {
    let mut rows = Vec::new();
    for loaded in scene.policy.layers() {
        let Some(Ok(file)) = loaded.flat().map(Flat::all) else { continue };
        let path = loaded.path.display();
        rows.extend(file.rules.iter().map(|r| row(r, format!("{path}:{}", r.line))));
    }
    // A pack that is off is shown when it is asked for by name.
    let named = |pack: &packs::Pack| id.is_some_and(|id| id.split('/').next() == Some(pack.name));
    for pack in packs::ALL {
        let on = scene.policy.packs().iter().any(|p| p.name == pack.name);
        if on || named(pack) {
            let place = if on { "built in" } else { "built in, off" };
            rows.extend(pack.rules().map(|r| row(r, place.to_owned())));
        }
    }
    rows.extend(protect::RULES.iter().map(protection));
    rows
}

fn row(rule: &Rule<'_>, place: String) -> Row {
    let mut detail = vec![format!("why      {}", rule.reason)];
    if !rule.instead.is_empty() {
        detail.push(format!("instead  {}", rule.instead));
    }
    detail.extend(
        conditions(&rule.when)
            .into_iter()
            .map(|(key, words)| format!("{key:<8} {}", words.join(", "))),
    );
    detail.extend(rule.run.iter().map(|run| format!("run      {}", run.argv.join(" "))));
    detail.extend(rule.matches.iter().map(|e| format!("matches  {e}")));
    detail.extend(rule.passes.iter().map(|e| format!("passes   {e}")));
    let when: serde_json::Map<String, Value> =
        conditions(&rule.when).into_iter().map(|(k, v)| (k.to_owned(), json!(v))).collect();
    let json = json!({
        "id": rule.id, "vote": rule.say.word(), "place": place, "reason": rule.reason,
        "instead": rule.instead, "when": when,
        "run": rule.run.as_ref().map(|run| run.argv.to_vec()),
        "examples": {"match": rule.matches.to_vec(), "pass": rule.passes.to_vec()},
    });
    Row { id: rule.id.to_owned(), say: rule.say.word(), place, json, detail }
}

fn conditions(when: &Matcher<'_>) -> Vec<(&'static str, Vec<String>)> {
    let owned = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let flag = |on: bool| if on { vec!["true".to_owned()] } else { Vec::new() };
    let words = |iter: &mut dyn Iterator<Item = &'static str>| iter.map(str::to_owned).collect();
    let mut out = vec![
        ("tool", owned(&when.tools)),
        ("command", owned(&when.command)),
        ("flags", owned(&when.flags)),
        ("without", owned(&when.without)),
        ("args", owned(&when.args)),
        ("paths", owned(&when.paths)),
        ("effects", words(&mut when.effects.words())),
        ("zones", words(&mut when.zones.words())),
        ("recursive", flag(when.recursive)),
        ("forced", flag(when.forced)),
        ("mentions", owned(&when.mentions)),
        ("branch", owned(&when.branch)),
    ];
    out.retain(|(_, words)| !words.is_empty());
    out
}

fn protection((id, about, stops, passes): &(&str, &str, &str, &str)) -> Row {
    Row {
        id: (*id).to_owned(),
        say: "deny",
        place: "built in, always on".to_owned(),
        json: json!({
            "id": id, "vote": "deny", "place": "built in, always on", "reason": about,
            "examples": {"match": [stops], "pass": [passes]},
        }),
        detail: vec![
            format!("why      {about}"),
            format!("matches  {stops}"),
            format!("passes   {passes}"),
        ],
    }
}
