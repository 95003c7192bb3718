//! [`Client`]: the person's own Claude Code, and how it is started.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A client that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The program to start.
    pub program: PathBuf,
    /// What comes before the client's own arguments: the script, where node runs it.
    pub leading: Vec<OsString>,
}

impl Client {
    /// The client at a path: a program, or a script for node.
    ///
    /// # Errors
    /// There is no such file, or it is a script and there is no node to run it.
    pub fn at(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        if !is_node_script(&path)? {
            return Ok(Self { program: path, leading: Vec::new() });
        }
        let node = which::which("node").map_err(|_| {
            let why = format!("`{}` is a script for node, and there is no node", path.display());
            io::Error::new(io::ErrorKind::NotFound, why)
        })?;
        Ok(Self { program: node, leading: vec![path.into_os_string()] })
    }

    /// The client that a shell would start.
    #[must_use]
    pub fn on_path() -> Option<Self> {
        which::which("claude").ok().and_then(|path| Self::at(&path).ok())
    }
}

fn is_node_script(path: &Path) -> io::Result<bool> {
    let by_name = path.extension().is_some_and(|e| e == "js" || e == "mjs" || e == "cjs");
    let mut head = Vec::new();
    File::open(path)?.take(256).read_to_end(&mut head)?;
    let line = head.split(|b| *b == b'\n').next().unwrap_or_default();
    let by_line = line.starts_with(b"#!") && line.windows(4).any(|word| word == b"node");
    Ok(by_name || by_line)
}

#[cfg(test)]
mod tests {
    use super::is_node_script;

    #[test]
    fn a_script_is_told_by_its_name_or_its_first_line() {
        let dir = tempfile::tempdir().unwrap();
        let told = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            is_node_script(&path).unwrap()
        };
        assert!(told("cli.js", "console.log(1)"));
        assert!(told("claude", "#!/usr/bin/env node\nconsole.log(1)"));
        assert!(!told("wrapper", "#!/bin/sh\nexec node cli.js"));
        assert!(!told("native", "\u{7f}ELF node"));
    }
}
