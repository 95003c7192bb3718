//! The version that a client's own file says: starting node to hear it takes more than a
//! second, and the npm package has it in the first lines of the very script that would be
//! started.

use crate::hosts::claude_code::caps::Version;
use crate::install::Surroundings;
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The package that the script is of.
const PACKAGE: &str = "@anthropic-ai/claude-code";
/// How the script's comment begins.
const WORD: &str = "// Version: ";
/// How much of the script is read.
const HEAD: u64 = 2048;

/// The version, where there is no doubt about it: the script is the program of the package
/// that it lies in, both say the same, and there is a node that would run it. `None`: ask.
pub(super) fn version(path: &Path, around: &Surroundings) -> Option<Version> {
    let script = path.canonicalize().ok()?;
    let folder = script.parent()?;
    let mut head = Vec::new();
    File::open(&script).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    let said = of_script(&String::from_utf8_lossy(&head))?;
    let package: Value =
        serde_json::from_slice(&std::fs::read(folder.join("package.json")).ok()?).ok()?;
    let program = package["bin"]["claude"].as_str().or_else(|| package["bin"].as_str())?;
    let its = folder.join(program).canonicalize().ok()? == script;
    let same = package["name"] == PACKAGE && package["version"] == said.as_str();
    let runs = which::which_in("node", Some(&around.path), &around.cwd).is_ok();
    Version::parse(&said).filter(|_| its && same && runs)
}

/// What a script's first lines say, as they are in the package: the interpreter, then
/// comments.
fn of_script(head: &str) -> Option<String> {
    let mut lines = head.lines();
    if lines.next()?.trim_end() != "#!/usr/bin/env node" {
        return None;
    }
    let comments = lines.take_while(|l| l.is_empty() || l.starts_with("//"));
    comments.filter_map(|l| l.strip_prefix(WORD)).map(|v| v.trim().to_owned()).next()
}

#[cfg(all(test, unix))]
mod tests {
    use super::{of_script, version};
    use crate::hosts::claude_code::caps::Version;
    use crate::install::Surroundings;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    const SCRIPT: &str = "#!/usr/bin/env node\n// (c)\n\n// Version: 2.1.100\n\nimport x;\n";

    fn package(folder: &Path, script: &str, package: &str) {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("cli.js"), script).unwrap();
        std::fs::write(folder.join("package.json"), package).unwrap();
    }

    fn described(version: &str, name: &str, bin: &str) -> String {
        format!(r#"{{"name":"{name}","version":"{version}","bin":{bin}}}"#)
    }

    #[test]
    fn only_what_the_script_and_its_package_agree_on_is_taken() {
        let dir = tempfile::tempdir().unwrap();
        let node = dir.path().join("bin/node");
        std::fs::create_dir_all(dir.path().join("bin")).unwrap();
        std::fs::write(&node, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&node, PermissionsExt::from_mode(0o755)).unwrap();
        let around = |path: &Path| Surroundings {
            path: path.as_os_str().to_owned(),
            ..Surroundings::now().unwrap()
        };
        let with_node = around(&dir.path().join("bin"));
        let folder = dir.path().join("lib/node_modules/@anthropic-ai/claude-code");
        let link = dir.path().join("bin/claude");
        symlink(folder.join("cli.js"), &link).unwrap();
        let good = described("2.1.100", super::PACKAGE, r#"{"claude":"cli.js"}"#);
        let told = |script: &str, json: &str| {
            package(&folder, script, json);
            version(&link, &with_node)
        };
        let right = Some(Version::new(2, 1, 100));
        assert_eq!(told(SCRIPT, &good), right);
        assert_eq!(told(SCRIPT, &described("2.1.100", super::PACKAGE, r#""cli.js""#)), right);
        for (script, json) in [
            (SCRIPT, described("2.1.101", super::PACKAGE, r#"{"claude":"cli.js"}"#)),
            (SCRIPT, described("2.1.100", "claude-wrapper", r#"{"claude":"cli.js"}"#)),
            (SCRIPT, described("2.1.100", super::PACKAGE, r#"{"claude":"package.json"}"#)),
            (SCRIPT, described("2.1.100", super::PACKAGE, r#"{"other":"cli.js"}"#)),
            (SCRIPT, "{".to_owned()),
            ("#!/bin/sh\n// Version: 2.1.100\n", good.clone()),
            ("#!/usr/bin/env node\nimport x;\n// Version: 2.1.100\n", good.clone()),
            ("#!/usr/bin/env node\n// Version: new\n", good.clone()),
            ("", good.clone()),
        ] {
            assert_eq!(told(script, &json), None, "{script:?} {json}");
        }
        assert_eq!(told(SCRIPT, &good), right);
        assert_eq!(version(&link, &around(&dir.path().join("lib"))), None, "no node to run it");
        assert_eq!(version(&dir.path().join("gone"), &with_node), None);
    }

    #[test]
    fn a_version_counts_in_the_comments_before_the_code() {
        assert_eq!(of_script(SCRIPT).as_deref(), Some("2.1.100"));
        assert_eq!(of_script("#!/usr/bin/env node\nlet a = 1\n// Version: 3.0.0\n"), None);
        assert_eq!(of_script("// Version: 3.0.0\n"), None);
    }
}
