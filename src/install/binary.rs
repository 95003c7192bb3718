//! Which path is registered: one that will still be there after the next update, build
//! and reboot.

use super::failure::Failure;
use super::surroundings::Surroundings;
use crate::hosts::claude_code::places::{Os, Scope};
use crate::sys::{fs, ordinary, paths};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The program to register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Where it is, or will be.
    pub path: PathBuf,
    /// The running program, if it has to be copied there first.
    pub copy_from: Option<PathBuf>,
    /// BLAKE3 of its content.
    pub blake3: String,
}

/// In every build of harness, so that a foreign program of that name is not replaced.
const MARK: &[u8] = b"harness: guards, context and proof for coding agents (c1a7)";

/// The stable path of the running program, or the place to copy it to.
///
/// # Errors
/// The program can't be read, or a foreign one is in its place.
pub fn choose(around: &Surroundings, scope: Scope) -> Result<Program, Failure> {
    if scope == Scope::Project {
        return by_name(around);
    }
    let running = std::env::current_exe().map_err(|e| unreadable(&e))?;
    let bytes = std::fs::read(&running).map_err(|e| unreadable(&e))?;
    let blake3 = blake3::hash(&bytes).to_hex().to_string();
    let machine = scope == Scope::Managed;
    let for_all = |path: &PathBuf| !machine || !path.starts_with(&around.home);
    if let Some(path) = stable(&running, around).filter(for_all) {
        let path = utf8(path)?;
        return Ok(Program { path: utf8(path)?, copy_from: None, blake3 });
    }
    let name = running.extension().map_or_else(|| "harness".into(), |_| "harness.exe".to_owned());
    let folder = match around.os {
        Os::Linux | Os::MacOs if machine => PathBuf::from("/usr/local/bin"),
        Os::Windows if machine => PathBuf::from(r"C:\Program Files\harness"),
        _ => around.home.join(".local").join("bin"),
    };
    let path = utf8(folder.join(name))?;
    let same = || std::fs::read(&path).is_ok_and(|there| there == bytes);
    if !path.is_symlink() && fs::is_executable(&path) && same() {
        return Ok(Program { path, copy_from: None, blake3 });
    }
    if let Some(there) = fs::read(&path)?
        && !contains(&there, MARK)
    {
        let what = format!("`{}` is another program", path.display());
        let hint = "put harness on your search path under a stable folder, then run it from there";
        return Err(Failure::could_not(what, Some(hint.to_owned())));
    }
    Ok(Program { path, copy_from: Some(running), blake3 })
}

/// What every user's client starts must be the administrator's alone, to the last folder on
/// the way: whoever can change it decides for all users.
///
/// # Errors
/// An ordinary user can change the program, or the settings that name it.
pub fn must_be_the_machines(program: &Program, settings: &Path) -> Result<(), Failure> {
    // The settings have one place; a program may be elsewhere.
    let elsewhere = ", or put harness in `/usr/bin` and run it from there";
    let what = [(program.path.as_path(), "program", elsewhere), (settings, "settings file", "")];
    for (path, what, elsewhere) in what {
        if let Some(why) = ordinary::changes(path) {
            return Err(Failure::could_not(
                format!("the {what} for every user would be {}, and {why}", path.display()),
                Some(format!(
                    "nothing was changed; give that place to root alone (`chown root`, `chmod go-w`){elsewhere}"
                )),
            ));
        }
    }
    Ok(())
}

/// A shared project starts harness by its name.
fn by_name(around: &Surroundings) -> Result<Program, Failure> {
    let found = which::which_in("harness", Some(&around.path), &around.cwd);
    let path = found.map_err(|_| {
        Failure::usage(
            "no `harness` is on the search path, and a project's hooks start it by that name",
            "run `harness install` first, and put the folder it names on your search path",
        )
    })?;
    let bytes = std::fs::read(&path).map_err(|e| unreadable(&e))?;
    Ok(Program { path, copy_from: None, blake3: blake3::hash(&bytes).to_hex().to_string() })
}

/// Copies the running program to its stable path.
///
/// # Errors
/// The system refuses.
pub fn put(program: &Program) -> Result<(), Failure> {
    let Some(from) = &program.copy_from else { return Ok(()) };
    let bytes = std::fs::read(from).map_err(|e| unreadable(&e))?;
    Ok(fs::write_program(&program.path, &bytes)?)
}

fn unreadable(e: &std::io::Error) -> Failure {
    Failure::could_not(format!("the running program can't be read: {e}"), None)
}

/// Settings are Unicode; a path that isn't can't be written there.
fn utf8(path: PathBuf) -> Result<PathBuf, Failure> {
    if path.to_str().is_some() {
        return Ok(path);
    }
    let what =
        format!("`{}` is not valid Unicode, so no settings file can name it", path.display());
    Err(Failure::could_not(what, Some("put harness under a folder with a Unicode name".into())))
}

/// A name of the running program that lasts: first the ones package managers keep, then
/// the search path's, then its own.
fn stable(running: &Path, around: &Surroundings) -> Option<PathBuf> {
    let real = running.canonicalize().ok()?;
    let name = &OsString::from(format!("harness{}", std::env::consts::EXE_SUFFIX));
    let home = &around.home;
    let kept = [home.join(".local/bin"), home.join(".cargo/bin")];
    let system =
        ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"];
    let same = |path: &PathBuf| path.canonicalize().is_ok_and(|p| p == real);
    if let Some(path) = kept.iter().map(|f| f.join(name)).find(same) {
        return leads_to_lasting(&real, around, &kept).then_some(path);
    }
    let on_path = std::env::split_paths(&around.path).filter(|f| f.is_absolute());
    system
        .iter()
        .map(PathBuf::from)
        .chain(on_path)
        .map(|folder| folder.join(name))
        .chain([running.to_path_buf()])
        .filter(|path| lasts(path, around))
        .filter(|path| same(path))
        .find(|path| path.is_symlink() || lasts(&real, around) || *path == real)
        .filter(|_| !is_passing(&real, around))
}

/// Whether what a kept name leads to is no build or scratch file itself.
fn leads_to_lasting(real: &Path, around: &Surroundings, kept: &[PathBuf]) -> bool {
    let inside = kept.iter().any(|k| k.canonicalize().is_ok_and(|k| real.starts_with(k)));
    inside || !is_passing(real, around)
}

/// Whether a path will be there tomorrow and after the next upgrade.
fn lasts(path: &Path, around: &Surroundings) -> bool {
    !is_passing(path, around) && !is_versioned(path)
}

/// A build tree, a temp folder, a repository: gone with the next clean.
fn is_passing(path: &Path, around: &Surroundings) -> bool {
    let built = path
        .ancestors()
        .skip(1)
        .any(|f| f.join("CACHEDIR.TAG").exists() || f.join(".cargo-lock").exists());
    let repository =
        path.parent().and_then(fs::git_root).is_some_and(|root| !around.home.starts_with(root));
    let workspace = path.starts_with(&around.cwd)
        && !around.home.starts_with(&around.cwd)
        && !is_install_folder(path);
    paths::is_temporary(path, Some(&std::env::temp_dir())) || built || repository || workspace
}

/// `bin` folders of the system aren't a workspace, wherever a person stands.
fn is_install_folder(path: &Path) -> bool {
    ["/usr", "/opt", "/bin", "/home/linuxbrew"].iter().any(|f| path.starts_with(f))
}

/// A path that names a version dies with the next upgrade.
#[must_use]
pub fn is_versioned(path: &Path) -> bool {
    let words = ["Cellar", "versions", "installs", "store"];
    path.components().any(|c| {
        let Component::Normal(name) = c else { return false };
        let name = name.to_string_lossy();
        let digits = name.trim_start_matches('v');
        let numbered = digits.starts_with(|c: char| c.is_ascii_digit()) && digits.contains('.');
        words.contains(&name.as_ref()) || numbered
    })
}

/// Whether these are the bytes of some build of harness.
#[must_use]
pub fn is_harness(bytes: &[u8]) -> bool {
    contains(bytes, MARK)
}

fn contains(bytes: &[u8], what: &[u8]) -> bool {
    bytes.windows(what.len()).any(|w| w == what)
}

/// Whether a program needs no loader: a repository's settings can name libraries to load
/// into one that does (`LD_PRELOAD` in an `env` block). `None` where that can't be told
/// (not an ELF file).
#[must_use]
pub fn is_static(path: &Path) -> Option<bool> {
    let bytes = std::fs::read(path).ok()?;
    elf_is_static(&bytes)
}

fn elf_is_static(bytes: &[u8]) -> Option<bool> {
    const PT_INTERP: u64 = 3;
    if bytes.get(..4)? != b"\x7fELF" {
        return None;
    }
    let wide = *bytes.get(4)? == 2;
    let little = *bytes.get(5)? == 1;
    let number = |at: usize, len: usize| -> Option<u64> {
        let field = bytes.get(at..at.checked_add(len)?)?;
        let fold = |n: u64, b: &u8| (n << 8) | u64::from(*b);
        Some(if little { field.iter().rev().fold(0, fold) } else { field.iter().fold(0, fold) })
    };
    let (table, size, count) = if wide {
        (number(0x20, 8)?, number(0x36, 2)?, number(0x38, 2)?)
    } else {
        (number(0x1c, 4)?, number(0x2a, 2)?, number(0x2c, 2)?)
    };
    for index in 0..count {
        let at = usize::try_from(table.checked_add(index * size)?).ok()?;
        if number(at, 4)? == PT_INTERP {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_in_a_path_is_seen() {
        for bad in [
            "/opt/homebrew/Cellar/harness/1.0/bin/harness",
            "/h/.nvm/versions/node/v20.1.0/bin/harness",
            "/nix/store/abc-harness/bin/harness",
            "/h/mise/installs/harness/latest/bin/harness",
            "/h/apps/harness-x/1.2.3/harness",
        ] {
            assert!(is_versioned(Path::new(bad)), "{bad}");
        }
        assert!(!is_versioned(Path::new("/home/u.name/.local/bin/harness")));
    }

    #[test]
    fn the_loader_is_read_from_the_program_headers() {
        let mut elf = vec![0_u8; 64 + 56];
        elf[..6].copy_from_slice(b"\x7fELF\x02\x01");
        elf[0x20] = 64;
        elf[0x36] = 56;
        elf[0x38] = 1;
        elf[64] = 1;
        assert_eq!(elf_is_static(&elf), Some(true));
        elf[64] = 3;
        assert_eq!(elf_is_static(&elf), Some(false));
        elf.truncate(70);
        elf[0x38] = 9;
        assert_eq!(elf_is_static(&elf), Some(false));
        elf[64] = 1;
        assert_eq!(elf_is_static(&elf), None);
        assert_eq!(elf_is_static(b"#!/bin/sh\n"), None);
    }
}
