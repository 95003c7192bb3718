//! Downloads that are named after where they come from.

use alloc::string::String;
use alloc::vec::Vec;

use crate::options::{Options, Spec};
use crate::script::{Command, Effect, EffectKind, Word};

const CURL: Spec = Spec::values(
    "AbcCdDeEFHKmoPQrtTuUwxXyYz",
    &["output", "output-dir", "header", "data", "request", "user", "url", "max-time", "retry"],
);

/// `curl -O URL`, `curl --output-dir FOLDER …`
pub(super) fn curl(command: &Command, effects: &mut Vec<Effect>) {
    let options = Options::new(&command.args, &CURL);
    let folder = options.value(&["--output-dir"]).cloned();
    if options.has_any(&["-O", "--remote-name", "--remote-name-all", "-J"]) {
        named_after(&options, folder.as_ref(), effects);
    } else if let Some(folder) = folder {
        for file in options.all_values(&["-o", "--output"]) {
            effects.push(saved(crate::walk::join(Some(&folder), file)));
        }
    }
}

const WGET: Spec = Spec::values(
    "oaOPtTUeiBDIAXRQwl",
    &[
        "output-document",
        "directory-prefix",
        "user-agent",
        "header",
        "post-file",
        "post-data",
        "method",
        "tries",
        "timeout",
        "input-file",
        "output-file",
        "user",
        "password",
        "referer",
    ],
);

/// `wget URL`, `wget -P FOLDER URL`
pub(super) fn wget(command: &Command, effects: &mut Vec<Effect>) {
    let options = Options::new(&command.args, &WGET);
    if options.has_any(&["-O", "--output-document", "--spider", "-h", "--help", "-V", "--version"])
    {
        return;
    }
    let folder = options.value(&["-P", "--directory-prefix"]).cloned();
    named_after(&options, folder.as_ref(), effects);
}

fn saved(target: Word) -> Effect {
    Effect { kind: EffectKind::Overwrite, target: Some(target), recursive: false, forced: false }
}

/// One file for each URL, by the last part of its path.
fn named_after(options: &Options<'_>, folder: Option<&Word>, effects: &mut Vec<Effect>) {
    for url in &options.operands {
        let path = url.text.split(['?', '#']).next().unwrap_or_default();
        let path = path.split_once("://").map_or(path, |(_, rest)| rest);
        let name = path.rsplit_once('/').map_or("", |(_, name)| name);
        let name = if name.is_empty() { "index.html" } else { name };
        let file = Word { text: String::from(name), literal: url.literal, glob: false };
        effects.push(saved(crate::walk::join(folder, &file)));
    }
}
