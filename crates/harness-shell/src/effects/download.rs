//! Downloads that are named after where they come from.

use alloc::string::String;
use alloc::vec::Vec;

use crate::options::{Options, Spec};
use crate::script::{Command, Effect, EffectKind, Word};

/// Which options of `curl` have values.
pub(super) const CURL: Spec = Spec::values(
    "AbcCdDeEFHKmoPQrtTuUwxXyYz",
    &[
        "user-agent",
        "cookie",
        "cookie-jar",
        "data",
        "data-binary",
        "data-raw",
        "data-urlencode",
        "form",
        "header",
        "config",
        "max-time",
        "output",
        "proxy",
        "request",
        "upload-file",
        "user",
        "write-out",
        "cacert",
        "cert",
        "key",
        "connect-timeout",
        "retry",
        "url",
        "referer",
        "range",
        "json",
        "output-dir",
        "resolve",
        "interface",
        "limit-rate",
        "cert-type",
        "capath",
        "form-string",
        "retry-delay",
        "retry-max-time",
        "max-redirs",
        "noproxy",
        "data-ascii",
    ],
);

/// Which options of `wget` have values.
pub(super) const WGET: Spec = Spec::values(
    "oaOPtTUeiBDIAXRQwl",
    &[
        "output-document",
        "directory-prefix",
        "user-agent",
        "header",
        "post-file",
        "post-data",
        "body-file",
        "body-data",
        "method",
        "tries",
        "timeout",
        "input-file",
        "output-file",
        "append-output",
        "user",
        "password",
        "referer",
    ],
);

/// `curl -O URL`, `curl --output-dir FOLDER …`
pub(super) fn curl(options: &Options<'_>, effects: &mut Vec<Effect>) {
    let folder = options.value(&["--output-dir"]).cloned();
    if options.has_any(&["-O", "--remote-name", "--remote-name-all", "-J"]) {
        named_after(options, folder.as_ref(), effects);
    } else if let Some(folder) = folder {
        for file in options.all_values(&["-o", "--output"]) {
            effects.push(saved(crate::walk::join(Some(&folder), file)));
        }
    }
}

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

#[cfg(test)]
mod tests {
    use crate::{Dialect, EffectKind, Limits, read};
    use alloc::string::String;
    use alloc::vec::Vec;

    fn saves(line: &str) -> Vec<String> {
        let script = read(line, Dialect::Posix, Limits::default());
        let effects = script.commands.iter().flat_map(|command| &command.effects);
        let written = effects.filter(|effect| effect.kind == EffectKind::Overwrite);
        written.filter_map(|effect| Some(effect.target.as_ref()?.text.clone())).collect()
    }

    #[test]
    fn what_is_saved_is_named_after_the_url_and_nothing_else() {
        assert_eq!(saves("wget --body-file x u.example/a"), ["a"]);
        assert_eq!(saves("wget --append-output log -P d u.example/a?b"), ["d/a"]);
        assert_eq!(saves("curl -O --connect-timeout 3 u.example/a"), ["a"]);
        assert_eq!(saves("curl --output-dir d -o a u.example"), ["a", "d/a"]);
        assert_eq!(saves("curl u.example/a"), [""; 0]);
    }
}
