//! A fence in the words of macOS' Seatbelt.

use std::ffi::OsString;
use std::path::Path;

use crate::sys::confine::Fence;

/// The words before the command's own.
#[must_use]
pub fn words(fence: &Fence) -> Vec<OsString> {
    vec!["/usr/bin/sandbox-exec".into(), "-p".into(), profile(fence).into()]
}

/// The profile: all is allowed but writing, writing where it is wanted, and not in what is
/// frozen; the last rule that fits decides. Moving a folder away is writing to it, so those
/// on the way to something frozen can't be moved.
#[must_use]
pub fn profile(fence: &Fence) -> String {
    let mut text = String::from("(version 1)\n(allow default)\n(deny file-write*)\n");
    let mut rule = |verb: &str, how: &str, path: &Path| {
        text.push_str(&format!("({verb} file-write* ({how} {}))\n", quoted(path)));
    };
    for device in ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"] {
        rule("allow", "literal", Path::new(device));
    }
    for path in &fence.writable {
        rule("allow", "subpath", path);
    }
    for path in &fence.pinned {
        rule("deny", "literal", path);
    }
    for path in &fence.frozen {
        rule("deny", "subpath", path);
    }
    text.push_str("(allow file-write* (regex #\"^/dev/ttys[0-9]+$\"))\n");
    for path in &fence.masked {
        text.push_str(&format!(
            "(deny network-outbound (remote unix-socket (path-literal {})))\n",
            quoted(path)
        ));
    }
    if !fence.network {
        text.push_str("(deny network*)\n");
    }
    text
}

/// A string of the profile's language; a quote or a backslash in a path ends nothing.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::profile;
    use crate::sys::confine::Fence;

    #[test]
    fn the_profile_says_what_the_fence_says() {
        let fence = Fence {
            writable: vec!["/w/a \"b\"".into()],
            pinned: vec!["/w/a \"b\"/.git".into()],
            frozen: vec!["/w/a \"b\"/.git/hooks".into()],
            network: false,
            ..Fence::default()
        };
        let text = profile(&fence);
        let at = |line: &str| text.find(line).unwrap_or_else(|| panic!("{line} in {text}"));
        let all = at("(deny file-write*)\n");
        let allowed = at("(allow file-write* (subpath \"/w/a \\\"b\\\"\"))\n");
        let pinned = at("(deny file-write* (literal \"/w/a \\\"b\\\"/.git\"))\n");
        let frozen = at("(deny file-write* (subpath \"/w/a \\\"b\\\"/.git/hooks\"))\n");
        assert!(all < allowed && allowed < pinned && pinned < frozen, "{text}");
        assert!(text.contains("(deny network*)"));
        assert!(!profile(&Fence { network: true, ..fence }).contains("(deny network*)"));
    }
}
