//! Programs in other languages: the calls in them that delete, write or run something.
//!
//! Not a parser: it looks for calls of known names and the literal strings they are
//! given. What is built at run time it can't see, and says so for the calls it knows.

use alloc::string::String;
use alloc::vec::Vec;

use crate::cut::cut;
use crate::script::{Effect, EffectKind, Word};

/// Something that a program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Effect(Effect),
    /// Runs a text in a shell.
    Shell(String),
    /// Runs a program with arguments.
    Program(Vec<Word>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    Delete {
        recursive: bool,
    },
    Write,
    /// Takes the first file away, and writes the second.
    Move,
    /// Writes the second file.
    Copy,
    /// Opens a file, for writing if the second argument says so.
    Open,
    Run,
    /// Runs code that was made at run time.
    Evaluate,
}

/// Names of calls, with what they must hang on (`""`: on nothing).
const CALLS: &[(&str, &[&str], Call)] = &[
    ("rmtree", &["", "shutil", "Path"], Call::Delete { recursive: true }),
    ("remove_tree", &["", "File::Path"], Call::Delete { recursive: true }),
    ("remove", &["", "os", "fs", "Deno", "fse"], Call::Delete { recursive: false }),
    ("removeSync", &["", "fs", "fse", "Deno"], Call::Delete { recursive: true }),
    ("removedirs", &["os"], Call::Delete { recursive: false }),
    ("rmdir", &["", "os", "fs", "Dir"], Call::Delete { recursive: false }),
    ("rmdirSync", &["", "fs"], Call::Delete { recursive: true }),
    ("unlink", &["", "os", "fs", "File", "promises"], Call::Delete { recursive: false }),
    ("unlinkSync", &["", "fs"], Call::Delete { recursive: false }),
    ("rm", &["fs", "promises", "FileUtils"], Call::Delete { recursive: true }),
    ("rmSync", &["", "fs"], Call::Delete { recursive: true }),
    ("rimraf", &[""], Call::Delete { recursive: true }),
    ("rimrafSync", &[""], Call::Delete { recursive: true }),
    ("rm_r", &["", "FileUtils"], Call::Delete { recursive: true }),
    ("rm_rf", &["", "FileUtils"], Call::Delete { recursive: true }),
    ("rm_f", &["", "FileUtils"], Call::Delete { recursive: false }),
    ("remove_dir", &["", "FileUtils"], Call::Delete { recursive: true }),
    ("remove_entry", &["", "FileUtils"], Call::Delete { recursive: true }),
    ("delete", &["File", "Dir"], Call::Delete { recursive: false }),
    ("open", &["", "io", "File", "codecs"], Call::Open),
    ("writeFileSync", &["", "fs"], Call::Write),
    ("writeFile", &["", "fs", "promises"], Call::Write),
    ("truncateSync", &["", "fs"], Call::Write),
    ("truncate", &["os", "fs", "File"], Call::Write),
    ("write", &["File", "IO", "Bun"], Call::Write),
    ("file_put_contents", &[""], Call::Write),
    ("writeTextFile", &["Deno"], Call::Write),
    ("move", &["shutil", "FileUtils", "fse"], Call::Move),
    ("mv", &["FileUtils"], Call::Move),
    ("rename", &["", "os", "fs", "File", "Deno"], Call::Move),
    ("renameSync", &["", "fs"], Call::Move),
    ("renames", &["os"], Call::Move),
    ("replace", &["os"], Call::Move),
    ("copy", &["shutil", "FileUtils", "fse"], Call::Copy),
    ("copy2", &["shutil"], Call::Copy),
    ("copyfile", &["shutil"], Call::Copy),
    ("copytree", &["shutil"], Call::Copy),
    ("copyFile", &["fs", "promises", "Deno"], Call::Copy),
    ("copyFileSync", &["", "fs"], Call::Copy),
    ("cp", &["fs", "FileUtils"], Call::Copy),
    ("cpSync", &["", "fs"], Call::Copy),
    ("symlink", &["os", "fs"], Call::Copy),
    ("symlinkSync", &["", "fs"], Call::Copy),
    ("link", &["os", "fs"], Call::Copy),
    ("system", &["", "os", "Kernel"], Call::Run),
    ("popen", &["", "os", "IO", "io"], Call::Run),
    ("run", &["", "subprocess", "sp"], Call::Run),
    ("call", &["subprocess", "sp"], Call::Run),
    ("check_call", &["", "subprocess", "sp"], Call::Run),
    ("check_output", &["", "subprocess", "sp"], Call::Run),
    ("Popen", &["", "subprocess", "sp"], Call::Run),
    ("getoutput", &["", "subprocess", "sp"], Call::Run),
    ("getstatusoutput", &["", "subprocess", "sp"], Call::Run),
    ("execSync", &["", "child_process", "cp"], Call::Run),
    ("execFileSync", &["", "child_process", "cp"], Call::Run),
    ("execFile", &["", "child_process", "cp"], Call::Run),
    ("spawnSync", &["", "child_process", "cp", "Bun"], Call::Run),
    ("spawn", &["", "child_process", "cp", "pty", "Process", "Bun"], Call::Run),
    ("shell_exec", &[""], Call::Run),
    ("passthru", &[""], Call::Run),
    ("proc_open", &[""], Call::Run),
    ("qx", &[""], Call::Run),
    ("execute", &["os"], Call::Run),
    ("execv", &["os"], Call::Run),
    ("execvp", &["os"], Call::Run),
    ("execl", &["os"], Call::Run),
    ("execlp", &["os"], Call::Run),
    ("exec", &["child_process", "cp", "Kernel"], Call::Run),
    ("exec", &[""], Call::Evaluate),
    ("eval", &[""], Call::Evaluate),
    ("Function", &[""], Call::Evaluate),
    ("instance_eval", &[""], Call::Evaluate),
];

/// At most so many finds.
const MOST: usize = 64;

/// All that is found in a program.
pub(crate) fn scan(code: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut rest = code;
    while found.len() < MOST {
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
            rest = skip_string(rest);
            continue;
        }
        let end = rest.find(|c: char| !is_path(c)).unwrap_or(rest.len());
        let (path, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        if let Some(call) = find(path) {
            arguments(call, after, &mut found);
        }
    }
    found
}

fn is_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':')
}

fn looks_like_command(text: &str) -> bool {
    text.contains(' ') && text.starts_with(|c: char| c.is_ascii_lowercase() || c == '/')
}

fn find(path: &str) -> Option<Call> {
    let name = path.rsplit(['.', ':']).next().unwrap_or(path);
    let owner = path.strip_suffix(name).unwrap_or_default().trim_end_matches(['.', ':']);
    let owner = owner.rsplit('.').next().unwrap_or(owner);
    // `require("fs").rmSync` and `__import__("os").system` hang on a call.
    let on_call = path.starts_with('.') && !matches!(name, "delete" | "write" | "open");
    CALLS
        .iter()
        .find(|(known, owners, _)| *known == name && (owners.contains(&owner) || on_call))
        .map(|(_, _, call)| *call)
}

fn arguments(call: Call, after: &str, found: &mut Vec<Found>) {
    // Arguments further on than this are not looked for: each call would cost the rest.
    let trimmed = crate::cut::cut_to(after, 2048).trim_start();
    let (inside, parenthesised) = match trimmed.strip_prefix('(') {
        Some(inside) => (inside, true),
        None => (trimmed, false),
    };
    if !parenthesised && !trimmed.starts_with(['\'', '"']) {
        return;
    }
    let args = strings(inside, parenthesised);
    let effect = |kind, recursive| {
        let target = args.texts.first().filter(|_| args.leads).map_or_else(
            || Word { text: String::from(cut(args.raw)), literal: false, glob: false },
            |text| Word { text: text.clone(), literal: args.whole, glob: false },
        );
        Found::Effect(Effect { kind, target: Some(target), recursive, forced: true })
    };
    match call {
        Call::Delete { recursive } => found.push(effect(EffectKind::Delete, recursive)),
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
        Call::Run => runs(&args, found),
        Call::Evaluate => {
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
    let lead = lead.trim_start_matches(['r', 'b', 'u']);
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
                texts.push(unescape(text));
                rest = after;
                if texts.len() >= MOST {
                    break;
                }
                continue;
            }
            _ => {}
        }
        if depth == 0 {
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

fn skip_string(code: &str) -> &str {
    string(code).1
}

fn unescape(text: &str) -> String {
    if text.contains('\\') {
        crate::posix::ansi_c::unescape(text, crate::posix::ansi_c::Escapes::Quote)
    } else {
        String::from(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, scan};
    use crate::script::{Effect, EffectKind, Word};
    use alloc::string::String;

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
        ] {
            assert_eq!(scan(code), [], "{code}");
        }
    }
}
