//! Wrappers that run their arguments as they stand: `sudo`, `timeout 5`, `nice -n 3`.

use alloc::string::String;

use super::{Next, Pending, base};
use crate::options::{Name, Options, Spec};
use crate::reader::Reader;
use crate::script::Word;

/// One such program.
#[derive(Debug)]
struct Wrapper {
    name: &'static str,
    /// Words before the options (`uv run`).
    sub: &'static [&'static str],
    spec: Spec,
    /// Letters of options without a value. Others are not understood.
    flags: &'static str,
    /// Operands of its own before the command.
    operands: usize,
    /// Takes `NAME=value` before the command.
    assigns: bool,
    /// Options that name the folder to run in.
    folder: &'static [&'static str],
}

const fn wrapper(name: &'static str, flags: &'static str, spec: Spec) -> Wrapper {
    Wrapper { name, sub: &[], spec, flags, operands: 0, assigns: false, folder: &[] }
}

const fn after(operands: usize, wrapper: Wrapper) -> Wrapper {
    Wrapper { operands, ..wrapper }
}

const fn sub(words: &'static [&'static str], wrapper: Wrapper) -> Wrapper {
    Wrapper { sub: words, ..wrapper }
}

const fn in_folder(folder: &'static [&'static str], wrapper: Wrapper) -> Wrapper {
    Wrapper { folder, ..wrapper }
}

const fn with_assigns(wrapper: Wrapper) -> Wrapper {
    Wrapper { assigns: true, ..wrapper }
}

const NONE: Spec = Spec::ordered("", &[]);

const SUDO_VALUES: &[&str] = &[
    "user",
    "group",
    "host",
    "prompt",
    "role",
    "type",
    "chdir",
    "chroot",
    "close-from",
    "command-timeout",
    "other-user",
    "auth-type",
];
const UV_VALUES: &[&str] = &[
    "with",
    "python",
    "directory",
    "project",
    "extra",
    "group",
    "env-file",
    "index-url",
    "package",
    "with-requirements",
    "with-editable",
    "only-group",
    "no-group",
    "from",
    "cache-dir",
];

/// In order of the names.
const TABLE: &[Wrapper] = &[
    wrapper("builtin", "", NONE),
    sub(&["exec"], in_folder(&[], wrapper("bundle", "", NONE))),
    wrapper("busybox", "", NONE),
    wrapper("caffeinate", "dimsu", Spec::ordered("tw", &[])),
    wrapper("catchsegv", "", NONE),
    wrapper("cgexec", "", Spec::ordered("g", &["sticky"])),
    wrapper("chronic", "ev", NONE),
    after(1, wrapper("chroot", "", Spec::ordered("", &[]))),
    after(1, wrapper("chrt", "abdfimorRv", Spec::ordered("TPD", &[]))),
    wrapper("command", "p", NONE),
    wrapper("dbus-run-session", "", Spec::ordered("", &["config-file", "dbus-daemon"])),
    with_assigns(wrapper("doas", "Lns", Spec::ordered("aCu", &[]))),
    wrapper("dumb-init", "cvV", Spec::ordered("r", &["rewrite"])),
    wrapper("entr", "acdnprsxz", NONE),
    wrapper("exec", "cl", Spec::ordered("a", &[])),
    wrapper("fakeroot", "uv", Spec::ordered("lsbi", &["lib", "faked"])),
    wrapper("firejail", "", NONE),
    after(1, wrapper("gosu", "", NONE)),
    sub(
        &["exec"],
        wrapper("harness", "", Spec::ordered("", &["sandbox", "timeout", "retry", "call"])),
    ),
    wrapper("ionice", "t", Spec::ordered("cnpPu", &["class", "classdata", "pid", "pgid", "uid"])),
    wrapper("ltrace", "bcCfhiLrStTV", Spec::ordered("aAdDeFlnopsuwx", &["output", "library"])),
    wrapper("lvm", "", NONE),
    sub(&["exec"], wrapper("mise", "", NONE)),
    wrapper("nice", "0123456789", Spec::ordered("n", &["adjustment"])),
    wrapper("nocorrect", "", NONE),
    wrapper("noglob", "", NONE),
    wrapper("nohup", "", NONE),
    wrapper("nsenter", "aCFnmpuiUTZ", Spec::ordered("tSGw", &["target", "setuid", "setgid"])),
    sub(&["run"], wrapper("pdm", "", NONE)),
    sub(&["run"], wrapper("pipenv", "", NONE)),
    wrapper("pkexec", "", Spec::ordered("", &["user"])),
    sub(&["exec"], wrapper("pnpm", "cr", Spec::ordered("CF", &["filter", "dir"]))),
    sub(
        &["run"],
        in_folder(
            &["-C", "--directory"],
            wrapper("poetry", "nqv", Spec::ordered("CP", &["directory", "project"])),
        ),
    ),
    wrapper("prlimit", "", NONE),
    wrapper("proxychains", "q", Spec::ordered("f", &[])),
    wrapper("proxychains4", "q", Spec::ordered("f", &[])),
    wrapper(
        "runuser",
        "lmpP",
        Spec::ordered("ugGsw", &["user", "group", "supp-group", "shell", "whitelist-environment"]),
    ),
    sub(&["run"], wrapper("rye", "", NONE)),
    wrapper("screen", "aADdfhilLmnOqrRUvxX", Spec::ordered("cehpSstT", &[])),
    after(1, wrapper("setarch", "vRFZLXBIST3", NONE)),
    wrapper(
        "setpriv",
        "d",
        Spec::ordered("", &["reuid", "regid", "groups", "inh-caps", "bounding-set", "securebits"]),
    ),
    wrapper("setsid", "cfw", NONE),
    wrapper("stdbuf", "", Spec::ordered("ioe", &["input", "output", "error"])),
    wrapper(
        "strace",
        "ABcCdDfFhiknNqrtTvVwxXyYzZ",
        Spec::ordered("abeEIoOpPsSuU", &["output", "trace", "user", "attach"]),
    ),
    in_folder(
        &["-D", "--chdir"],
        with_assigns(wrapper(
            "sudo",
            "AbBEeHiKklNnPSsVv",
            Spec::ordered("CDghpRrTtUu", SUDO_VALUES),
        )),
    ),
    wrapper("systemd-inhibit", "", Spec::ordered("", &["what", "who", "why", "mode"])),
    wrapper(
        "systemd-run",
        "dGPqrSt",
        Spec::ordered(
            "EHMpu",
            &[
                "unit",
                "property",
                "uid",
                "gid",
                "slice",
                "setenv",
                "on-active",
                "on-calendar",
                "working-directory",
                "machine",
                "description",
            ],
        ),
    ),
    after(1, wrapper("taskset", "acp", NONE)),
    wrapper("time", "apvVqlh", Spec::ordered("fo", &["format", "output"])),
    after(1, wrapper("timeout", "fpv", Spec::ordered("ks", &["kill-after", "signal"]))),
    wrapper("tini", "gsvw", Spec::ordered("pe", &[])),
    wrapper("toybox", "", NONE),
    wrapper("tsocks", "", NONE),
    wrapper("unbuffer", "p", NONE),
    in_folder(
        &["--wd"],
        wrapper(
            "unshare",
            "imnpuUCTrcfhVk",
            Spec::ordered(
                "SGRw",
                &[
                    "setuid",
                    "setgid",
                    "root",
                    "wd",
                    "propagation",
                    "map-user",
                    "map-group",
                    "map-users",
                    "map-groups",
                    "setgroups",
                ],
            ),
        ),
    ),
    sub(
        &["run"],
        in_folder(&["--directory"], wrapper("uv", "qvnm", Spec::ordered("pw", UV_VALUES))),
    ),
    wrapper("uvx", "qvn", Spec::ordered("pw", UV_VALUES)),
    wrapper("valgrind", "qvdh", NONE),
    wrapper("winpty", "", NONE),
    wrapper("wsl", "", Spec::ordered("due", &["distribution", "user", "cd", "shell-type"])),
    wrapper(
        "xvfb-run",
        "alh",
        Spec::ordered("efnpsw", &["error-file", "server-num", "server-args", "auth-file"]),
    ),
    sub(&["exec"], wrapper("yarn", "", NONE)),
];

/// Takes one wrapper off, if there is one.
pub(super) fn unwrap(reader: &mut Reader, mut pending: Pending) -> Next {
    let Some(first) = pending.words.first() else { return Next::Emit(pending) };
    let name = base(&first.text);
    let Ok(index) = TABLE.binary_search_by(|row| row.name.cmp(name)) else {
        return Next::Emit(pending);
    };
    let Some(row) = TABLE.get(index) else { return Next::Emit(pending) };
    let Some((used, unknown)) = measure(row, &pending) else { return Next::Emit(pending) };
    if let Some(unknown) = unknown {
        reader.opaque(pending.at, "a wrapper's option that is not known", &unknown);
    }
    take(row, &mut pending, used);
    Next::Again(pending)
}

/// How many arguments are the wrapper's own, and an option of it that is not known.
/// `None`: it wraps nothing here.
fn measure(row: &Wrapper, pending: &Pending) -> Option<(usize, Option<String>)> {
    let args = pending.args();
    let mut skip = 0;
    if !row.sub.is_empty() {
        // `uv --directory x run`: options may come first.
        let lead = Options::new(args, &row.spec);
        skip = lead.first;
        for (word, expected) in row.sub.iter().zip(args.get(skip..)?) {
            if expected.text != *word {
                return None;
            }
        }
        skip += row.sub.len();
    }
    let rest = args.get(skip..)?;
    let options = Options::new(rest, &row.spec);
    let first = options.first + row.operands;
    if (row.name == "command" && options.has_any(&["-v", "-V"]))
        || (row.name == "lvm" && options.has_any(&["-t", "--test", "-h"]))
    {
        return None;
    }
    if options.operands.len() <= row.operands {
        return None;
    }
    let unknown = options.options.iter().find(|option| match option.name {
        Name::Short(letter) => !row.flags.contains(letter) && !row.spec.values.contains(letter),
        Name::Long(_) => false,
    });
    let unknown =
        unknown.map(|_| rest.iter().take(options.first).map(|w| w.text.as_str()).collect());
    Some((skip + first, unknown))
}

fn take(row: &Wrapper, pending: &mut Pending, used: usize) {
    let own = pending.words.get(1..=used).unwrap_or_default();
    let options = Options::new(own, &Spec { ordered: false, ..row.spec });
    if let Some(folder) = options.value(row.folder) {
        pending.cwd = Some(crate::walk::join(pending.cwd.as_ref(), folder));
    }
    pending.unwrap(row.name, used);
    if row.assigns {
        assignments(pending);
    }
}

/// Moves leading `NAME=value` words to the assignments.
pub(super) fn assignments(pending: &mut Pending) {
    let count = pending.words.iter().take_while(|word| is_assignment(&word.text)).count();
    for word in pending.words.drain(..count) {
        if let Some((name, value)) = word.text.split_once('=') {
            let value = Word { text: String::from(value), literal: word.literal, glob: false };
            pending.assigns.push((String::from(name), value));
        }
    }
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && !name.starts_with(['-', '/', '.', '~']) && !name.contains('/')
    })
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn is_in_order() {
        assert!(TABLE.is_sorted_by(|a, b| a.name < b.name));
    }
}
