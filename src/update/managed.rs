//! Who else looks after a program: a package manager, whose files are not ours to replace.

use serde::Deserialize;
use std::path::Path;

/// What a package leaves beside its program: `../share/harness/receipt.json`.
#[derive(Clone, Debug, Deserialize)]
struct Receipt {
    /// Who put it there.
    by: String,
    /// How it is updated.
    update: String,
}

/// Who updates the program at this path (followed to its end), and how; `None` if it is ours
/// to replace.
#[must_use]
pub fn by(program: &Path) -> Option<(String, String)> {
    let built = crate::sys::fault::setting("PACKAGED_BY");
    let built = built.or_else(|| option_env!("HARNESS_PACKAGED_BY").map(str::to_owned));
    if let Some(how) = built.filter(|how| !how.is_empty()) {
        return Some(("a package".to_owned(), how));
    }
    receipt(program).or_else(|| of_path(&program.to_string_lossy()))
}

fn receipt(program: &Path) -> Option<(String, String)> {
    let file = program.parent()?.parent()?.join("share/harness/receipt.json");
    let receipt: Receipt = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    Some((receipt.by, receipt.update))
}

/// Folders in which only one program puts anything.
fn of_path(path: &str) -> Option<(String, String)> {
    const PLACES: &[(&str, &str, &str)] = &[
        ("/Cellar/", "Homebrew", "brew upgrade harness"),
        ("/node_modules/", "npm", "npm update --global harness-hooks"),
        ("/nix/store/", "Nix", "nix profile upgrade harness"),
        ("/.cargo/bin/", "cargo", "cargo install --locked --force harness"),
        ("/mise/installs/", "mise", "mise upgrade harness"),
        ("/scoop/apps/", "Scoop", "scoop update harness"),
    ];
    let path = path.replace('\\', "/");
    let place = PLACES.iter().find(|(part, _, _)| path.contains(part))?;
    Some((place.1.to_owned(), place.2.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{by, of_path};

    #[test]
    fn a_package_managers_folder_or_receipt_is_seen() {
        let who = |path| of_path(path).map(|(who, _)| who);
        assert_eq!(who("/opt/homebrew/Cellar/harness/1/bin/harness").as_deref(), Some("Homebrew"));
        assert_eq!(who(r"C:\Users\me\scoop\apps\harness\1\harness.exe").as_deref(), Some("Scoop"));
        assert_eq!(who("/home/me/.local/bin/harness"), None);
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("bin/harness");
        assert_eq!(by(&program), None);
        std::fs::create_dir_all(dir.path().join("share/harness")).unwrap();
        let file = dir.path().join("share/harness/receipt.json");
        std::fs::write(file, r#"{"by":"apt","update":"apt-get install harness"}"#).unwrap();
        assert_eq!(by(&program).map(|(who, _)| who).as_deref(), Some("apt"));
    }
}
