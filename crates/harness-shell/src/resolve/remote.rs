//! Commands that run somewhere else: another host, a container, a fetched package.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Next, Pending, base, emit, script, shells};
use crate::options::{Options, Spec};
use crate::reader::Reader;
use crate::script::{Dialect, EffectKind, Word};

const SSH: Spec = Spec::ordered("BbcDEeFIiJLlmOopQRSWw", &[]);

/// `ssh host command…`
pub(super) fn ssh(reader: &mut Reader, mut pending: Pending) -> Next {
    let args = Vec::from(pending.args());
    let options = Options::new(&args, &SSH);
    for setting in options.all_values(&["-o"]) {
        if let Some(text) = local_command(&setting.text) {
            shells::beside(reader, &pending, "ssh -o", text);
        }
    }
    let mut operands = options.operands.iter();
    let host = operands.next().map(|word| (*word).clone());
    if host.is_some() {
        pending.effect(EffectKind::Network, host);
    }
    // Options may also follow the host.
    let after = args.get(options.first + 1..).unwrap_or_default();
    let rest = Options::new(after, &SSH);
    let mut text = shells::all(&rest);
    if rest.operands.is_empty() {
        // Without a command the shell over there reads what it is fed.
        match reader.input(&pending.stdin) {
            Some(fed) => text = Word::literal(fed),
            None => return Next::Emit(pending),
        }
    }
    let mut inner = pending.clone();
    inner.effects.clear();
    inner.redirects.clear();
    inner.cwd = None;
    emit(reader, pending);
    script(reader, &text, Dialect::Posix, inner, "ssh");
    Next::Done
}

/// The command in an option of ssh that runs one here.
pub(super) fn local_command(setting: &str) -> Option<&str> {
    let (name, text) = setting.split_once(['=', ' '])?;
    ["ProxyCommand", "LocalCommand", "KnownHostsCommand"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
        .then_some(text)
}

const CONTAINER: Spec = Spec::ordered(
    "aceHhlmpuvwfn",
    &[
        "add-host",
        "annotation",
        "attach",
        "blkio-weight",
        "cap-add",
        "cap-drop",
        "cgroup-parent",
        "cgroupns",
        "cidfile",
        "config",
        "context",
        "cpus",
        "cpu-shares",
        "cpuset-cpus",
        "device",
        "dns",
        "entrypoint",
        "env",
        "env-file",
        "expose",
        "file",
        "gpus",
        "group-add",
        "health-cmd",
        "host",
        "hostname",
        "ip",
        "ipc",
        "isolation",
        "label",
        "link",
        "log-driver",
        "log-opt",
        "mac-address",
        "memory",
        "mount",
        "name",
        "net",
        "network",
        "network-alias",
        "pid",
        "pids-limit",
        "platform",
        "project-directory",
        "project-name",
        "profile",
        "publish",
        "pull",
        "restart",
        "runtime",
        "security-opt",
        "shm-size",
        "stop-signal",
        "storage-opt",
        "sysctl",
        "tmpfs",
        "ulimit",
        "user",
        "userns",
        "uts",
        "volume",
        "volumes-from",
        "workdir",
    ],
);

/// `docker run image command…`, `docker exec container command…`
pub(super) fn container(reader: &mut Reader, pending: Pending) -> Next {
    let args = Vec::from(pending.args());
    let program = String::from(pending.words.first().map_or("docker", |word| base(&word.text)));
    let lead = Options::new(&args, &CONTAINER);
    let mut at = lead.first;
    if let Some("container" | "compose") = args.get(at).map(|word| word.text.as_str()) {
        at += 1 + Options::new(args.get(at + 1..).unwrap_or_default(), &CONTAINER).first;
    }
    let action = args.get(at).map_or("", |word| word.text.as_str());
    if !matches!(action, "run" | "exec") {
        return Next::Emit(pending);
    }
    let via = alloc::format!("{program} {action}");
    let rest = args.get(at + 1..).unwrap_or_default();
    let options = Options::new(rest, &CONTAINER);
    let mut words: Vec<Word> = options.operands.iter().skip(1).map(|w| (*w).clone()).collect();
    if let Some(program) = options.value(&["--entrypoint"]) {
        words.insert(0, program.clone());
    }
    elsewhere(reader, pending, words, &via)
}

/// Adds the command itself, then what it runs elsewhere.
fn elsewhere(reader: &mut Reader, mut pending: Pending, words: Vec<Word>, via: &str) -> Next {
    let mut inner = pending.clone();
    // The words of what runs elsewhere are not the program's own.
    if pending.words.ends_with(&words) {
        pending.words.truncate(pending.words.len() - words.len());
    }
    emit(reader, pending);
    if words.is_empty() {
        return Next::Done;
    }
    inner.words = words;
    inner.via.push(String::from(via));
    inner.effects.clear();
    inner.redirects.clear();
    inner.assigns.clear();
    inner.cwd = None;
    Next::Again(inner)
}

const KUBECTL: Spec = Spec::values(
    "ncfsl",
    &[
        "namespace",
        "container",
        "context",
        "kubeconfig",
        "cluster",
        "user",
        "server",
        "filename",
        "pod-running-timeout",
        "as",
        "token",
        "selector",
    ],
);

/// `kubectl exec pod -- command…`
pub(super) fn kubectl(reader: &mut Reader, pending: Pending) -> Next {
    let args = Vec::from(pending.args());
    let options = Options::new(&args, &KUBECTL);
    if options.operands.first().is_none_or(|word| word.text != "exec") {
        return Next::Emit(pending);
    }
    let skip = options.before_dashes.unwrap_or(2);
    let words = options.operands.iter().skip(skip).map(|word| (*word).clone()).collect();
    elsewhere(reader, pending, words, "kubectl exec")
}

/// `npm exec …`, which is `npx` by another name.
pub(super) fn npm(reader: &mut Reader, mut pending: Pending) -> Next {
    let at = pending.args().iter().position(|word| !word.text.starts_with('-'));
    match at.and_then(|at| pending.args().get(at)) {
        Some(word) if matches!(word.text.as_str(), "exec" | "x" | "dlx") => {
            pending.words.remove(at.unwrap_or_default() + 1);
            package(reader, pending)
        }
        _ => super::argv::unwrap(reader, pending),
    }
}

/// `npx package args…`, `npx -c text`
pub(super) fn package(reader: &mut Reader, mut pending: Pending) -> Next {
    let options = Options::new(
        pending.args(),
        &Spec::ordered("pcw", &["package", "call", "workspace", "cache"]),
    );
    if let Some(text) = options.value(&["-c", "--call"]) {
        let text = text.clone();
        script(reader, &text, Dialect::Posix, pending, "npx -c");
        return Next::Done;
    }
    if options.operands.is_empty() {
        return Next::Emit(pending);
    }
    let first = options.first;
    pending.unwrap("npx", first);
    Next::Again(pending)
}
