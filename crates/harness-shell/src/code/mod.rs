//! Programs in other languages: the calls in them that delete, write or run something.
//!
//! Not a parser: it looks for calls of known names and the literal strings they are
//! given. What is built at run time it can't see, and says so for the calls it knows.

mod dynamic;
mod table;
mod text;

use alloc::string::String;
use alloc::vec::Vec;

use crate::cut::cut;
use crate::script::{Effect, EffectKind, Word};
use table::{CALLS, Call};
use text::unescape;
pub(crate) use text::without_text;

/// Something that a program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Effect(Effect),
    /// Runs a text in a shell.
    Shell(String),
    /// Runs a program with arguments.
    Program(Vec<Word>),
}

/// Code within code is followed so far.
const MOST_NESTED: usize = 4;

/// At most so many finds; what comes behind the last is code that nobody has seen.
const MOST_FOUND: usize = 512;
/// At most so many strings of a call, and so many places where a name is looked for.
const MOST: usize = 64;

/// All that is found in a program.
pub(crate) fn scan(code: &str) -> Vec<Found> {
    let mut found = Vec::new();
    scan_into(code, MOST_NESTED, &mut found);
    if found.len() >= MOST_FOUND {
        let kind = EffectKind::ExecuteUnknown;
        found.push(Found::Effect(Effect { kind, target: None, recursive: false, forced: false }));
    }
    found
}

fn scan_into(code: &str, depth: usize, found: &mut Vec<Found>) {
    let mut rest = code;
    // The string that ended just before: what a method is called on (`Path("x").unlink()`).
    let mut before = None;
    let mut last = "";
    while found.len() < MOST_FOUND {
        let Some(at) = rest.find(|c: char| is_path(c) || matches!(c, '\'' | '"' | '`')) else {
            break;
        };
        rest = rest.get(at..).unwrap_or_default();
        if rest.starts_with('`') {
            let (text, after) = string(rest);
            // Perl, Ruby and PHP run it; in JavaScript it is but a string.
            if looks_like_command(text) {
                found.push(Found::Shell(String::from(text)));
            }
            rest = after;
            continue;
        }
        if rest.starts_with(['\'', '"']) {
            let (text, after) = string(rest);
            rest = after;
            before = (rest.starts_with(").") && names_a_file(last)).then_some(text);
            if let Some((call, args)) = dynamic::indexed(code, rest, text) {
                arguments(call, &Site { on: None, code, after: args, depth }, found);
            }
            continue;
        }
        let end = rest.find(|c: char| !is_path(c)).unwrap_or(rest.len());
        let (path, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        let on = before.take().filter(|_| path.starts_with('.'));
        let spaced = if (last, path) == ("shell", "script") { "shell.script" } else { path };
        last = path;
        if let Some((call, args)) = dynamic::named(path, rest) {
            arguments(call, &Site { on: None, code, after: args, depth }, found);
            continue;
        }
        if let Some(call) = find(spaced, on.is_some()) {
            let at = Site { on, code, after, depth };
            arguments(call, &at, found);
        }
    }
}

fn is_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':')
}

/// Whether a name means one thing, whatever it hangs on (`import subprocess as s`).
fn is_only_one(name: &str) -> bool {
    (name.ends_with("Sync") && name != "removeSync")
        || matches!(
            name,
            "rmtree"
                | "check_call"
                | "check_output"
                | "Popen"
                | "getoutput"
                | "rm_rf"
                | "remove_tree"
        )
}

/// Whether what is made of a string by this name is a file.
fn names_a_file(path: &str) -> bool {
    let name = path.strip_suffix(".new").unwrap_or(path);
    let name = name.rsplit(['.', ':']).next().unwrap_or(name);
    matches!(name, "Path" | "PosixPath" | "Pathname" | "File")
}

fn is_program(texts: &[String]) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    texts.len() > 1 && texts.first().is_some_and(|first| first.chars().all(plain))
}

fn looks_like_command(text: &str) -> bool {
    text.contains(' ') && text.starts_with(|c: char| c.is_ascii_lowercase() || c == '/')
}

fn find(path: &str, on_string: bool) -> Option<Call> {
    let name = path.rsplit(['.', ':']).next().unwrap_or(path);
    let owner = path.strip_suffix(name).unwrap_or_default().trim_end_matches(['.', ':']);
    let owner = owner.rsplit('.').next().unwrap_or(owner);
    // `require("fs").rmSync` and `__import__("os").system` hang on a call.
    let on_call = path.starts_with('.')
        && !matches!(name, "delete" | "write" | "open" | "touch" | "chmod" | "chown" | "link");
    let on_call = on_call || (on_string && path.starts_with('.'));
    CALLS
        .iter()
        .find(|(known, owners, _)| {
            *known == name && (owners.contains(&owner) || on_call || is_only_one(name))
        })
        .map(|(_, _, call)| *call)
}

/// Where a call stands.
struct Site<'a> {
    /// The string that it hangs on, which then is its first argument.
    on: Option<&'a str>,
    /// The whole program.
    code: &'a str,
    /// What comes after its name.
    after: &'a str,
    /// How much deeper code within code may go.
    depth: usize,
}

/// The text that a variable is given somewhere in a program: `name = 'text'`, `name in
/// ['text']`.
fn given(code: &str, inside: &str) -> Option<String> {
    let inside = inside.trim_start();
    let end = inside.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '@'))?;
    let (name, rest) = inside.split_at_checked(end)?;
    if name.is_empty() || !rest.trim_start().starts_with([')', ',', ']']) {
        return None;
    }
    let code = crate::cut::cut_to(code, 1 << 14);
    code.match_indices(name).take(MOST).find_map(|(at, _)| {
        let before = code.get(..at).and_then(|head| head.chars().next_back());
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let after = code.get(at + name.len()..)?.trim_start();
        let value = after.strip_prefix("in ").map(|list| list.trim_start_matches([' ', '[', '(']));
        let value = value.or_else(|| after.strip_prefix('=').map(str::trim_start))?;
        value.starts_with(['\'', '"']).then(|| unescape(string(value).0))
    })
}

fn arguments(call: Call, site: &Site<'_>, found: &mut Vec<Found>) {
    let Site { on, code, after, depth } = *site;
    // Arguments further on than this are not looked for: each call would cost the rest.
    let trimmed = crate::cut::cut_to(after, 2048).trim_start();
    let (inside, parenthesised) = match trimmed.strip_prefix('(') {
        Some(inside) => (inside, true),
        None => (trimmed, false),
    };
    if !parenthesised && !trimmed.starts_with(['\'', '"']) && !trimmed.starts_with("glob ") {
        return;
    }
    let mut args = strings(inside, parenthesised);
    if let Some(on) = on {
        args.texts.insert(0, unescape(on));
        (args.leads, args.whole) = (true, true);
    } else if !args.leads
        && let Some(text) = given(code, inside)
    {
        args.texts.insert(0, text);
        (args.leads, args.whole) = (true, true);
    }
    let effect = |kind, recursive| {
        let target = args.texts.first().filter(|_| args.leads).map_or_else(
            || Word { text: alloc::format!("${{{}}}", cut(args.raw)), literal: false, glob: false },
            |text| Word { text: text.clone(), literal: args.whole, glob: false },
        );
        Found::Effect(Effect { kind, target: Some(target), recursive, forced: true })
    };
    match call {
        Call::Delete { recursive } => {
            let told = args.raw.to_ascii_lowercase();
            let told = told.contains("recursive") && told.contains("true");
            match searched(&args) {
                Some(target) => found.push(Found::Effect(Effect {
                    kind: EffectKind::Delete,
                    target: Some(target),
                    recursive: true,
                    forced: true,
                })),
                None => found.push(effect(EffectKind::Delete, recursive || told)),
            }
        }
        Call::Read if args.leads => found.push(effect(EffectKind::Read, false)),
        Call::Read => {}
        Call::Write => found.push(effect(EffectKind::Overwrite, false)),
        Call::Move | Call::Copy => {
            if call == Call::Move && args.leads {
                found.push(effect(EffectKind::Move, false));
            }
            if let Some(to) = args.texts.get(1).filter(|_| args.leads && args.whole) {
                let target = Some(Word::literal(to));
                let kind = EffectKind::Overwrite;
                found.push(Found::Effect(Effect { kind, target, recursive: false, forced: true }));
            }
        }
        Call::Open if args.texts.first().is_some_and(|text| text.starts_with(['>', '+'])) => {
            // Perl: `open(F, ">file")`, `open(my $f, ">", "file")`.
            let mode = args.texts.first().map_or("", String::as_str);
            let kind =
                if mode.starts_with(">>") { EffectKind::Create } else { EffectKind::Overwrite };
            let file = mode.trim_start_matches(['>', '+', ' ']);
            let file = if file.is_empty() || file.starts_with(':') {
                args.texts.get(1).map_or("", String::as_str)
            } else {
                file
            };
            let target = Some(Word::literal(file));
            found.push(Found::Effect(Effect { kind, target, recursive: false, forced: true }));
        }
        Call::Open => {
            let mode = args.texts.get(1).map_or("r", String::as_str);
            let kind = match mode.trim_start_matches(['>', '<', '+']).chars().next() {
                _ if mode.starts_with('>') => EffectKind::Overwrite,
                Some('w') => EffectKind::Overwrite,
                Some('a' | 'x') => EffectKind::Create,
                _ => EffectKind::Read,
            };
            if args.leads {
                found.push(effect(kind, false));
            }
        }
        Call::OpenFor => {
            let writes = ["O_WRONLY", "O_RDWR", "O_TRUNC", "O_CREAT", "O_APPEND"];
            let kind = if writes.iter().any(|flag| args.raw.contains(flag)) {
                EffectKind::Overwrite
            } else {
                EffectKind::Read
            };
            let target = args.texts.first().map(Word::literal);
            if target.is_some() {
                found.push(Found::Effect(Effect { kind, target, recursive: false, forced: true }));
            }
        }
        Call::Run => runs(&args, found),
        Call::Permissions => found.push(effect(EffectKind::Permissions, false)),
        Call::Create => found.push(effect(EffectKind::Create, false)),
        Call::Link => {
            // What is done to the second name is done to the file.
            found.push(effect(EffectKind::Overwrite, false));
        }
        // `exec "rm", "-rf", "x"`: a program and its arguments.
        Call::Evaluate if args.leads && args.whole && is_program(&args.texts) => {
            found.push(Found::Program(args.texts.iter().map(Word::literal).collect()));
        }
        Call::Load if !args.leads || !args.whole => {}
        Call::Evaluate | Call::Load if args.leads && args.whole && depth > 0 => {
            for text in &args.texts {
                if looks_like_command(text) {
                    found.push(Found::Shell(text.clone()));
                }
                scan_into(text, depth - 1, found);
            }
        }
        Call::Evaluate | Call::Load => {
            let unseen = Effect {
                kind: EffectKind::ExecuteUnknown,
                target: None,
                recursive: false,
                forced: false,
            };
            found.push(Found::Effect(unseen));
        }
    }
}

/// `unlink(glob('x/*'))`: the pattern.
fn searched(args: &Arguments<'_>) -> Option<Word> {
    let inside = args.raw.trim_start().strip_prefix("glob")?;
    let text = args.texts.first().filter(|_| inside.trim_start().starts_with(['(', '"', '\'']))?;
    Some(Word { text: text.clone(), literal: true, glob: true })
}

fn runs(args: &Arguments<'_>, found: &mut Vec<Found>) {
    if !args.leads {
        return found.push(Found::Effect(Effect {
            kind: EffectKind::ExecuteUnknown,
            target: Some(Word { text: String::from(cut(args.raw)), literal: false, glob: false }),
            recursive: false,
            forced: false,
        }));
    }
    let Some(first) = args.texts.first() else { return };
    if args.texts.len() > 1 && !first.contains(' ') {
        return found.push(Found::Program(args.texts.iter().map(Word::literal).collect()));
    }
    let mut text = first.clone();
    if !args.whole {
        text.push_str(" $UNKNOWN");
    }
    found.push(Found::Shell(text));
}

/// The literal strings of a call whose parenthesis has just been opened, and its text.
pub(crate) fn literals(inside: &str) -> (Vec<String>, &str) {
    let inside = crate::cut::cut_to(inside, 2048);
    let mut args = plain_strings(inside);
    let raw = args.1;
    if !raw.trim_start().starts_with(['\'', '"']) {
        args.0.clear();
    }
    (args.0, raw)
}

/// As [`strings`], in a language whose backslash is a character like any other.
fn plain_strings(inside: &str) -> (Vec<String>, &str) {
    let mut texts = Vec::new();
    let mut quote = None;
    let mut from = 0;
    let mut depth = 1usize;
    for (at, c) in inside.char_indices() {
        match quote {
            Some(q) if c == q => {
                texts.push(String::from(inside.get(from..at).unwrap_or_default()));
                quote = None;
            }
            Some(_) => {}
            None if matches!(c, '\'' | '"') => {
                quote = Some(c);
                from = at + 1;
            }
            None if c == '(' => depth += 1,
            None if c == ')' => {
                depth -= 1;
                if depth == 0 {
                    return (texts, inside.get(..at).unwrap_or_default());
                }
            }
            None => {}
        }
    }
    (texts, inside)
}

/// The literal strings among a call's arguments.
struct Arguments<'a> {
    texts: Vec<String>,
    /// The first argument starts with a string.
    leads: bool,
    /// The first string is a whole argument.
    whole: bool,
    raw: &'a str,
}

fn strings(inside: &str, parenthesised: bool) -> Arguments<'_> {
    let mut texts = Vec::new();
    let mut rest = inside;
    let mut depth = 1usize;
    let mut whole = true;
    let lead = inside.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '[' | '('));
    let lead = dynamic::inside(lead).trim_start_matches(['r', 'b', 'u']);
    let leads = lead.starts_with(['\'', '"', '`']);
    while let Some(at) = rest.find(['\'', '"', '`', '(', ')', '\n', ';']) {
        let next = rest.get(at..).unwrap_or_default();
        match next.as_bytes().first() {
            Some(b'(') => depth += 1,
            Some(b')') => depth -= 1,
            Some(b'\n' | b';') if !parenthesised => break,
            Some(b'\'' | b'"' | b'`') => {
                let (text, after) = string(next);
                if texts.is_empty() {
                    whole = after.trim_start().starts_with([',', ')', ']', ';'])
                        || after.trim().is_empty();
                }
                let before = rest.get(..at).unwrap_or_default();
                texts.push(if dynamic::is_raw(before) { text.into() } else { unescape(text) });
                rest = after;
                if texts.len() >= MOST {
                    break;
                }
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            rest = next;
            break;
        }
        rest = next.get(1..).unwrap_or_default();
    }
    let used = inside.len() - rest.len();
    Arguments { texts, leads, whole, raw: inside.get(..used).unwrap_or_default() }
}

/// The text of the string that starts here, and what comes after it.
fn string(code: &str) -> (&str, &str) {
    let quote =
        if code.starts_with("\"\"\"") { "\"\"\"" } else { code.get(..1).unwrap_or_default() };
    let body = code.get(quote.len()..).unwrap_or_default();
    let mut from = 0;
    while let Some(found) =
        body.get(from..).and_then(|rest| rest.find(['\\', quote.chars().next().unwrap_or('"')]))
    {
        let at = from + found;
        let here = body.get(at..).unwrap_or_default();
        if here.starts_with(quote) {
            return (
                body.get(..at).unwrap_or_default(),
                body.get(at + quote.len()..).unwrap_or_default(),
            );
        }
        let skip = if here.starts_with('\\') {
            1 + here.chars().nth(1).map_or(0, char::len_utf8)
        } else {
            1
        };
        from = at + skip;
    }
    (body, "")
}

#[cfg(test)]
mod tests {
    use super::{Found, MOST_FOUND, scan};
    use crate::script::{Effect, EffectKind, Word};
    use alloc::string::String;

    #[test]
    fn what_comes_behind_too_many_finds_is_code_that_nobody_saw() {
        let many = |count: usize| {
            let found = scan(&"os.remove('a'); ".repeat(count));
            found
                .iter()
                .any(|f| matches!(f, Found::Effect(e) if e.kind == EffectKind::ExecuteUnknown))
        };
        assert!(many(MOST_FOUND) && !many(MOST_FOUND - 1));
    }

    fn deletes(code: &str, text: &str, recursive: bool) {
        let target = Some(Word::literal(text));
        let effect = Effect { kind: EffectKind::Delete, target, recursive, forced: true };
        assert!(scan(code).contains(&Found::Effect(effect)), "{code}: {:?}", scan(code));
    }

    #[test]
    fn sees_deletions() {
        deletes("import shutil; shutil.rmtree('/x')", "/x", true);
        deletes("import os\nos.remove(\"/x\")", "/x", false);
        deletes("require('fs').rmSync('/x', {recursive: true})", "/x", true);
        deletes("fs.unlinkSync(`/x`)", "/x", false);
        deletes("FileUtils.rm_rf '/x'", "/x", true);
        deletes("unlink '/x';", "/x", false);
        deletes("from pathlib import Path; Path('/x').unlink()", "/x", false);
        deletes("eval(\"__import__('os').remove('/x')\")", "/x", false);
        deletes("eval(\"unlink('/x');\");", "/x", false);
        deletes("file.remove('/x')", "/x", false);
        deletes("p = '/x'; shutil.rmtree(p)", "/x", true);
        deletes("[os.remove(p) for p in ['/x']]", "/x", false);
    }

    #[test]
    fn sees_moves() {
        for code in ["shutil.move('/x', '/y')", "rename '/x', '/y';"] {
            let target = Some(Word::literal("/x"));
            let (recursive, forced) = (false, true);
            let effect = Effect { kind: EffectKind::Move, target, recursive, forced };
            assert!(scan(code).contains(&Found::Effect(effect)), "{code}: {:?}", scan(code));
        }
    }

    #[test]
    fn sees_what_is_run() {
        let text = Found::Shell(String::from("rm -rf /"));
        for code in [
            "os.system('rm -rf /')",
            "system(\"rm -rf /\")",
            "`rm -rf /`",
            "require('child_process').execSync('rm -rf /')",
            "__import__('os').system('rm -rf /')",
            "do shell script \"rm -rf /\"",
            "exec('rm -rf /')",
            "eval('os.system(\"rm -rf /\")')",
        ] {
            assert!(scan(code).contains(&text), "{code}: {:?}", scan(code));
        }
        let words = ["rm", "-rf", "/"].map(Word::literal).into();
        assert_eq!(scan("subprocess.run(['rm', '-rf', '/'])"), [Found::Program(words)]);
    }

    #[test]
    fn text_is_no_call() {
        for code in [
            "print('os.remove(\"/x\")')",
            "df.rename('a', 'b')",
            "x.remove('a')",
            "items.delete('b')",
            "a = 'rm -rf /'",
            "eval('print(1)')",
            "print('a').touch('b')",
        ] {
            assert_eq!(scan(code), [], "{code}");
        }
    }
}
