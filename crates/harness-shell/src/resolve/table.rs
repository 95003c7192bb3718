//! The programs that run what they are given in a way of their own.

use super::{Next, Pending, find, inline, make, remote, shells, stdin_args, variables};
use crate::reader::Reader;

/// Finds out what a command runs.
pub(super) type Read = fn(&mut Reader, Pending) -> Next;

/// How to read a program's arguments, if it is one of those.
pub(super) fn find(name: &str) -> Option<Read> {
    let index = TABLE.binary_search_by(|(known, _)| (*known).cmp(name));
    if let Ok(index) = index {
        return TABLE.get(index).map(|(_, read)| *read);
    }
    // `python3.12`, `perl5.36`: the version is not part of the name.
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if bare.len() < name.len() && matches!(bare, "python" | "pypy" | "perl" | "ruby" | "php") {
        return Some(inline::read);
    }
    None
}

/// In order of the names.
const TABLE: &[(&str, Read)] = &[
    (".", shells::source),
    ("R", inline::read),
    ("Rscript", inline::read),
    ("ash", shells::posix),
    ("at", shells::later),
    ("awk", inline::awk),
    ("bash", shells::posix),
    ("batch", shells::later),
    ("bsdtar", variables::tar),
    ("bun", inline::read),
    ("bunx", remote::package),
    ("cmd", shells::cmd),
    ("crontab", shells::crontab),
    ("dash", shells::posix),
    ("deno", inline::read),
    ("docker", remote::container),
    ("env", stdin_args::env),
    ("eval", shells::eval),
    ("fd", find::fd),
    ("fdfind", find::fd),
    ("find", find::read),
    ("fish", shells::posix),
    ("flock", shells::flock),
    ("forfiles", shells::forfiles),
    ("gawk", inline::awk),
    ("gfind", find::read),
    ("gmake", make::read),
    ("gtar", variables::tar),
    ("ksh", shells::posix),
    ("kubectl", remote::kubectl),
    ("lua", inline::read),
    ("make", make::read),
    ("mariadb", shells::fed),
    ("mawk", inline::awk),
    ("mksh", shells::posix),
    ("mongosh", shells::fed),
    ("mysql", shells::fed),
    ("nawk", inline::awk),
    ("nerdctl", remote::container),
    ("node", inline::read),
    ("nodejs", inline::read),
    ("npm", remote::npm),
    ("npx", remote::package),
    ("oc", remote::kubectl),
    ("osascript", inline::read),
    ("parallel", stdin_args::parallel),
    ("perl", inline::read),
    ("php", inline::read),
    ("podman", remote::container),
    ("powershell", shells::powershell),
    ("psql", shells::fed),
    ("pwsh", shells::powershell),
    ("pypy", inline::read),
    ("python", inline::read),
    ("rbash", shells::posix),
    ("ruby", inline::read),
    ("script", shells::dash_c),
    ("sh", shells::posix),
    ("source", shells::source),
    ("sqlite3", shells::fed),
    ("ssh", remote::ssh),
    ("su", shells::dash_c),
    ("tar", variables::tar),
    ("trap", shells::trap),
    ("watch", shells::watch),
    ("xargs", stdin_args::xargs),
    ("zsh", shells::posix),
];

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn is_in_order() {
        assert!(TABLE.is_sorted_by(|a, b| a.0 < b.0));
    }
}
