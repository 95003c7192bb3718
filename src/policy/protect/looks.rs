//! Code that only looks: every call in it is one that reads or prints.

/// Calls that read a file, look at what was read, or print it.
const LOOKS: &[&str] = &[
    "Path",
    "abs",
    "all",
    "any",
    "basename",
    "bool",
    "cat",
    "console.log",
    "dict",
    "dirname",
    "dumps",
    "endswith",
    "entries",
    "enumerate",
    "exists",
    "existsSync",
    "exit",
    "expanduser",
    "file_get_contents",
    "filter",
    "float",
    "for",
    "format",
    "get",
    "getsize",
    "glob",
    "has",
    "head",
    "homedir",
    "if",
    "in",
    "includes",
    "int",
    "is_dir",
    "is_file",
    "isdir",
    "isfile",
    "items",
    "join",
    "keys",
    "len",
    "lines",
    "list",
    "listdir",
    "load",
    "loads",
    "log",
    "lower",
    "lstatSync",
    "map",
    "max",
    "min",
    "open",
    "parse",
    "pprint",
    "print",
    "range",
    "read",
    "readFileSync",
    "read_bytes",
    "read_text",
    "readdirSync",
    "readline",
    "readlines",
    "repr",
    "require",
    "resolve",
    "reversed",
    "set",
    "slice",
    "sorted",
    "split",
    "splitlines",
    "stat",
    "statSync",
    "startswith",
    "str",
    "stringify",
    "strip",
    "sum",
    "toString",
    "trim",
    "tuple",
    "type",
    "upper",
    "values",
    "with",
    "zip",
];

/// Words of languages that call without parentheses, beside those above.
const WORDS: &[&str] = &[
    "BEGIN",
    "END",
    "ENV",
    "F",
    "File",
    "IO",
    "JSON",
    "STDIN",
    "STDOUT",
    "begin",
    "close",
    "die",
    "do",
    "each",
    "echo",
    "else",
    "elsif",
    "end",
    "file_get_contents",
    "foreach",
    "getline",
    "gets",
    "io",
    "json",
    "last",
    "local",
    "my",
    "next",
    "os",
    "p",
    "puts",
    "readlines",
    "return",
    "shell",
    "strict",
    "then",
    "unless",
    "use",
    "warnings",
    "while",
];

/// Calls that run a text in a shell, which is read by itself.
const RUNS: &[&str] = &[
    "check_output",
    "execSync",
    "execute",
    "getoutput",
    "passthru",
    "popen",
    "run",
    "script",
    "shell_exec",
    "system",
];

/// Names that write or run wherever they stand, called or not.
const ACTS: &[&str] = &[
    "Deno",
    "Popen",
    "__import__",
    "appendFile",
    "appendFileSync",
    "chmod",
    "compile",
    "copy",
    "copyFile",
    "copyFileSync",
    "delattr",
    "dump",
    "eval",
    "exec",
    "getattr",
    "globals",
    "import_module",
    "link",
    "makedirs",
    "mkdir",
    "move",
    "process.binding",
    "promises",
    "remove",
    "rename",
    "renameSync",
    "replace",
    "rm",
    "rmSync",
    "rmdir",
    "rmtree",
    "setattr",
    "shutil",
    "socket",
    "spawn",
    "symlink",
    "touch",
    "truncate",
    "unlink",
    "unlinkSync",
    "urllib",
    "write",
    "writeFile",
    "writeFileSync",
    "write_bytes",
    "write_text",
    "writelines",
    "rm_rf",
    "rm_r",
    "rm_f",
    "mv",
    "cp",
    "ln_s",
    "delete",
    "syswrite",
    "sysopen",
];

/// Whether a program only looks at what it names.
pub(super) fn only(code: &str, interpreter: &str) -> bool {
    let bare = interpreter.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let all_words = match bare {
        "python" | "node" | "nodejs" | "php" => false,
        "ruby" | "perl" | "lua" | "awk" | "gawk" | "mawk" | "osascript" => true,
        _ => return false,
    };
    if all_words && outside_strings(code, '>') {
        return false;
    }
    // What is called is computed: `x['unlink' + 'Sync'](…)`.
    if code.contains("](") {
        return false;
    }
    let mut rest = code;
    let mut runs = false;
    while let Some(at) = rest.find(|c: char| is_name(c) || matches!(c, '\'' | '"' | '`')) {
        rest = rest.get(at..).unwrap_or_default();
        if let Some(quote) = rest.chars().next().filter(|c| !is_name(*c)) {
            let body = rest.get(1..).unwrap_or_default();
            let Some(end) = body.find(quote) else { return false };
            let text = body.get(..end).unwrap_or_default();
            // A mode that writes, an escape that hides one, or code within the string.
            if is_mode(text) || text.contains(['\\', '$', '{']) || quote == '`' {
                return false;
            }
            rest = body.get(end + 1..).unwrap_or_default();
            if core::mem::take(&mut runs) && !rest.trim_start().starts_with([')', ',', ';', '}']) {
                return rest.trim().is_empty();
            }
            continue;
        }
        let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        if ACTS.contains(&name) {
            return false;
        }
        let after = after.trim_start();
        if RUNS.contains(&name) {
            // Only with a text that stands there.
            runs = after.strip_prefix('(').unwrap_or(after).starts_with(['\'', '"']);
            if !runs {
                return false;
            }
            continue;
        }
        let plain =
            name.bytes().all(|b| b.is_ascii_digit()) || (all_words && WORDS.contains(&name));
        let called = after.starts_with('(') || all_words;
        if called && !plain && !LOOKS.contains(&name) {
            return false;
        }
    }
    true
}

/// Whether a sign stands in the code, and not within a string.
fn outside_strings(code: &str, sign: char) -> bool {
    let mut quote = None;
    code.chars().any(|c| {
        match quote {
            Some(q) if q == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        quote.is_none() && c == sign
    })
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_mode(text: &str) -> bool {
    text.starts_with(['>', '+'])
        || text.len() <= 3
            && text.contains(['w', 'a', 'x', '+'])
            && text.bytes().all(|b| b"rwabxt+U".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::only;

    #[test]
    fn looks() {
        for (interpreter, code) in [
            ("python3", "import json; print(json.load(open('.claude/settings.json'))['hooks'])"),
            ("python", "print(open('.claude/settings.json', 'r').read(), 'w ')"),
            (
                "python3",
                "from pathlib import Path; print(Path('.claude/settings.json').read_text())",
            ),
            (
                "node",
                "console.log(JSON.parse(require('fs').readFileSync('.claude/settings.json', 'utf8')).hooks)",
            ),
            (
                "python3",
                "import json\nwith open('.claude/settings.json') as f:\n    print(json.dumps(json.load(f), indent=2))",
            ),
            ("python3", "import os; os.system(\"cat .claude/settings.json\")"),
            (
                "python3",
                "import subprocess\nsubprocess.run(\"cat .claude/settings.json\", shell=True)",
            ),
            ("node", "require(\"child_process\").execSync(\"cat .claude/settings.json\")"),
            ("ruby", "puts File.read('.claude/settings.json')"),
            ("ruby", "system(\"cat .claude/settings.json\")"),
            ("perl", "system(\"cat .claude/settings.json\")"),
            ("awk", "BEGIN { system(\"cat .claude/settings.json\") }"),
            ("lua", "os.execute(\"cat .claude/settings.json\")"),
            ("php", "echo file_get_contents('.claude/settings.json');"),
        ] {
            assert!(only(code, interpreter), "{code}");
        }
    }

    #[test]
    fn acts() {
        for (interpreter, code) in [
            ("python3", "open('.claude/settings.json', 'w')"),
            ("python3", "open('.claude/settings.json', mode='r+')"),
            ("python3", "import os; os.remove('.claude/settings.json')"),
            ("python3", "from os import remove as print; print('.claude/settings.json')"),
            ("python3", "f(open('.claude/settings.json'))"),
            ("python3", "import os; list(map(os.unlink, ['.claude/settings.json']))"),
            ("python3", "getattr(os, 'rem' + 'ove')('.claude/settings.json')"),
            ("node", "require('fs')['unlink' + 'Sync']('.claude/settings.json')"),
            ("python3", "eval('.claude/settings.json')"),
            ("python3", "print(open('.claude/settings.json', '\\x77'))"),
            ("python3", "print('.claude/settings.json"),
            ("python3", "json.dump({}, open('.claude/settings.json'))"),
            ("python3", "Path('.claude/settings.json').write_text('x')"),
            ("python3", "os.system(x + '.claude/settings.json')"),
            ("python3", "os.system('rm ' + '.claude/settings.json')"),
            ("ruby", "File.delete '.claude/settings.json'"),
            ("ruby", "FileUtils.rm_rf '.claude/settings.json'"),
            ("ruby", "puts `rm .claude/settings.json`"),
            ("perl", "unlink '.claude/settings.json'"),
            ("perl", "open(F, '>.claude/settings.json')"),
            ("perl", "my $f = 'unlink'; &$f('.claude/settings.json')"),
            ("awk", "BEGIN { print > \".claude/settings.json\" }"),
            ("lua", "io.open('.claude/settings.json', 'w')"),
            ("php", "unlink('.claude/settings.json');"),
            ("tclsh", "puts '.claude/settings.json'"),
        ] {
            assert!(!only(code, interpreter), "{code}");
        }
    }
}
