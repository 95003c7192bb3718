//! Calls by a name that is a text: `getattr(os, "remove")("x")`, `fs["rmSync"]("x")`,
//! `File.send(:unlink, "x")`.

use super::table::Call;
use super::{find, is_path, string};

/// What stands between a name and the call by it, in brackets: `["rmSync"](…)`. The rest is
/// what comes after the string.
pub(super) fn indexed<'a>(code: &str, rest: &'a str, name: &str) -> Option<(Call, &'a str)> {
    let args = rest.trim_start().strip_prefix(']')?.trim_start();
    if !args.starts_with('(') || !is_name(name) {
        return None;
    }
    // The string with its quotes, and what is before it.
    let from = code.len().checked_sub(rest.len() + name.len() + 2)?;
    let before = code.get(..from)?.trim_end().strip_suffix('[')?.trim_end();
    let on = owner(before.trim_end_matches([')', '(']));
    let call = find(&alloc::format!("{on}.{name}"), false);
    Some((call.or_else(|| find(&alloc::format!(".{name}"), false))?, args))
}

/// `getattr(X, "name")(…)`, `X.send(:name, …)`: the call, and its arguments.
pub(super) fn named<'a>(path: &str, after: &'a str) -> Option<(Call, &'a str)> {
    let inside = after.trim_start().strip_prefix('(')?.trim_start();
    let (on, verb) = path.rsplit_once(['.', ':']).unwrap_or(("", path));
    match verb {
        "getattr" => {
            let (object, rest) = inside.split_once(',')?;
            let object = object.trim_end_matches(')');
            let object = owner(object.trim_end_matches(['\'', '"']));
            let (name, rest) = quoted(rest.trim_start())?;
            let args = rest.trim_start().strip_prefix(')')?.trim_start();
            let call = args.starts_with('(');
            call.then(|| Some((find(&alloc::format!("{object}.{name}"), false)?, args)))?
        }
        "send" | "public_send" | "__send__" | "method" => {
            let (name, rest) = match inside.strip_prefix(':') {
                Some(symbol) => symbol.split_at_checked(symbol.find(|c| !is_path(c))?)?,
                None => quoted(inside)?,
            };
            let rest = rest.trim_start();
            let args = if verb == "method" {
                rest.strip_prefix(").call")?.trim_start()
            } else {
                rest.strip_prefix(',')?
            };
            let on = owner(on.trim_end_matches(':'));
            let call = is_name(name).then(|| find(&alloc::format!("{on}.{name}"), false))?;
            Some((call.or_else(|| find(name, false))?, args.trim_start()))
        }
        _ => None,
    }
}

/// What is inside of calls that leave a path what it is: `os.path.expanduser("~/x")`.
pub(super) fn inside(args: &str) -> &str {
    const SAME: &[&str] = &[
        "expanduser",
        "abspath",
        "realpath",
        "normpath",
        "fspath",
        "expandvars",
        "resolve",
        "expand_path",
        "Path",
        "Pathname",
        "str",
    ];
    let mut args = args;
    while let Some((path, rest)) = args.split_once('(') {
        let name = path.rsplit(['.', ':']).next().unwrap_or(path);
        if !path.chars().all(is_path) || !SAME.contains(&name) {
            break;
        }
        args = rest.trim_start();
    }
    args
}

/// Whether the string after this is one in which a backslash is a backslash: `r"…"`.
pub(super) fn is_raw(before: &str) -> bool {
    let head = before.trim_end_matches(['r', 'R', 'b', 'B']);
    let prefix = before.get(head.len()..).unwrap_or_default();
    prefix.contains(['r', 'R'])
        && prefix.len() < 3
        && !head.ends_with(|c: char| c.is_alphanumeric())
}

/// The last name of a path that ends here.
fn owner(before: &str) -> &str {
    let end = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    before.get(end.len()..).unwrap_or_default()
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    text.starts_with(['\'', '"']).then(|| string(text))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use crate::code::{Found, scan};
    use crate::script::EffectKind;

    fn does(code: &str) -> Option<(EffectKind, alloc::string::String)> {
        scan(code).into_iter().find_map(|found| match found {
            Found::Effect(effect) => Some((effect.kind, effect.target?.text)),
            _ => None,
        })
    }

    #[test]
    fn calls_by_a_name_that_is_a_text() {
        for code in [
            "getattr(os, 'remove')('/x')",
            "getattr(__import__('os'), \"remove\")('/x')",
            "vars(os)['remove']('/x')",
            "os.__dict__[\"unlink\"]('/x')",
            "fs['unlinkSync']('/x')",
            "require('fs')['rmSync']('/x')",
            "File.send(:unlink, '/x')",
            "File.public_send('delete', '/x')",
            "File.method(:unlink).call('/x')",
            "os.remove(os.path.expanduser('/x'))",
            "load('os.remove(\"/x\")')()",
        ] {
            assert_eq!(does(code), Some((EffectKind::Delete, "/x".into())), "{code}");
        }
        let code = "sysopen(my $fh, '/x', O_WRONLY|O_TRUNC)";
        assert_eq!(does(code), Some((EffectKind::Overwrite, "/x".into())));
        assert_eq!(does("copy('/a', '/x')"), Some((EffectKind::Overwrite, "/x".into())));
        assert_eq!(does("os.remove(r'\\x2fx')"), Some((EffectKind::Delete, "\\x2fx".into())));
    }

    #[test]
    fn names_that_call_nothing() {
        for code in [
            "print(getattr(os, 'remove'), '/x')",
            "socket.send('/x')",
            "a['remove'] = '/x'",
            "rows['a']('/x')",
            "x = load(f)",
            "json.load(open('x'))['remove']",
        ] {
            assert!(!matches!(does(code), Some((EffectKind::Delete, _))), "{code}");
            assert!(!matches!(does(code), Some((EffectKind::ExecuteUnknown, _))), "{code}");
        }
    }
}
