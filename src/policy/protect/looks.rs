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

/// Names that write or run wherever they stand, called or not.
const ACTS: &[&str] = &[
    "Deno",
    "Popen",
    "__import__",
    "appendFile",
    "appendFileSync",
    "child_process",
    "chmod",
    "compile",
    "copy",
    "copyFile",
    "copyFileSync",
    "delattr",
    "dump",
    "eval",
    "exec",
    "execSync",
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
    "subprocess",
    "symlink",
    "system",
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
];

/// Whether a program in Python or JavaScript only looks at what it names.
pub(super) fn only(code: &str) -> bool {
    let mut rest = code;
    while let Some(at) = rest.find(|c: char| is_name(c) || matches!(c, '\'' | '"' | '`')) {
        rest = rest.get(at..).unwrap_or_default();
        if let Some(quote) = rest.chars().next().filter(|c| !is_name(*c)) {
            let body = rest.get(1..).unwrap_or_default();
            let Some(end) = body.find(quote) else { return false };
            let text = body.get(..end).unwrap_or_default();
            // A mode that writes, an escape that hides one, or code within the string.
            if is_mode(text) || text.contains(['\\', '$', '{']) {
                return false;
            }
            rest = body.get(end + 1..).unwrap_or_default();
            continue;
        }
        let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        if ACTS.contains(&name) {
            return false;
        }
        if after.trim_start().starts_with('(') && !LOOKS.contains(&name) {
            return false;
        }
    }
    true
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_mode(text: &str) -> bool {
    text.len() <= 3
        && text.contains(['w', 'a', 'x', '+'])
        && text.bytes().all(|b| b"rwabxt+U".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::only;

    #[test]
    fn looks() {
        for code in [
            "import json; print(json.load(open('.claude/settings.json'))['hooks'])",
            "print(open('.claude/settings.json', 'r').read(), 'w ')",
            "from pathlib import Path; print(Path('.claude/settings.json').read_text())",
            "console.log(JSON.parse(require('fs').readFileSync('.claude/settings.json', 'utf8')).hooks)",
            "import json\nwith open('.claude/settings.json') as f:\n    print(json.dumps(json.load(f), indent=2))",
        ] {
            assert!(only(code), "{code}");
        }
    }

    #[test]
    fn acts() {
        for code in [
            "open('.claude/settings.json', 'w')",
            "open('.claude/settings.json', mode='r+')",
            "import os; os.remove('.claude/settings.json')",
            "from os import remove as print; print('.claude/settings.json')",
            "f(open('.claude/settings.json'))",
            "import os; list(map(os.unlink, ['.claude/settings.json']))",
            "getattr(os, 'rem' + 'ove')('.claude/settings.json')",
            "require('fs')['unlink' + 'Sync']('.claude/settings.json')",
            "eval('.claude/settings.json')",
            "print(open('.claude/settings.json', '\\x77'))",
            "print('.claude/settings.json",
            "json.dump({}, open('.claude/settings.json'))",
            "Path('.claude/settings.json').write_text('x')",
        ] {
            assert!(!only(code), "{code}");
        }
    }
}
