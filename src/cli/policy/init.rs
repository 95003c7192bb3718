//! `harness policy init`: a first policy file, with everything in it explained.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::check;
use crate::cli::exit::Exit;
use crate::cli::out;
use crate::cli::scene::Scene;
use crate::policy::load;
use crate::sys::fs::{self, FsError, Readers};

/// The file that is written.
pub(crate) const STARTER: &str = include_str!("starter.toml");

pub(super) fn run(scene: &Scene, cwd: &Path, project: bool, as_json: bool) -> Exit {
    let file = match target(scene, project) {
        Ok(file) => file,
        Err(what) => {
            out::error(what, Some("start in a project's folder, or leave `--project` out"));
            return Exit::No;
        }
    };
    if let Some(what) = in_the_way(&file) {
        let hint = "`harness policy check` says whether it is fine; nothing was changed";
        out::error(format!("`{}` {what}", file.display()), Some(hint));
        return Exit::No;
    }
    if let Err(error) = write(&file, project) {
        out::error(format!("`{}` could not be written: {error}", file.display()), None);
        return Exit::CouldNot;
    }
    let Some(scene) = Scene::look(cwd) else {
        out::error("this user has no home folder", None);
        return Exit::CouldNot;
    };
    if as_json {
        out::line(json!({"schema": 1, "written": file.to_string_lossy()}).to_string());
        return Exit::Done;
    }
    out::line(format!("wrote {}", file.display()));
    check::run(&scene, false, false)
}

fn target(scene: &Scene, project: bool) -> Result<PathBuf, String> {
    match (project, scene.workspace.as_str()) {
        (false, _) => Ok(scene.home.policy()),
        (true, "") => Err("there is no project around this folder".to_owned()),
        (true, root) => Ok(load::project_file(Path::new(root))),
    }
}

/// Why the file can't be made, if something is in its place: also a link that leads
/// nowhere.
fn in_the_way(file: &Path) -> Option<&'static str> {
    let found = file.symlink_metadata().ok()?;
    Some(if found.is_file() { "is there already" } else { "is there already, and is no file" })
}

fn write(file: &Path, project: bool) -> Result<(), FsError> {
    let readers = if project { Readers::Everyone } else { Readers::Owner };
    if let Some(folder) = file.parent() {
        fs::folder(folder, readers)?;
    }
    fs::replace(file, None, STARTER.as_bytes(), readers)
}

#[cfg(test)]
mod tests {
    use super::STARTER;
    use crate::policy::parse;
    use crate::policy::Layer;

    /// What is commented out, taken in: lines that are no prose.
    fn whole() -> String {
        let code = |line: &&str| {
            let bare = line.strip_prefix("# ").unwrap_or("");
            bare.starts_with("[[") || bare.split_once(" = ").is_some_and(|(k, _)| !k.contains(' '))
        };
        let take = |line: &str| match Some(line).filter(code) {
            Some(line) => line.get(2..).unwrap_or("").to_owned(),
            None => line.to_owned(),
        };
        STARTER.lines().map(|line| take(line) + "\n").collect()
    }

    #[test]
    fn it_is_a_policy_with_and_without_what_is_commented_out() {
        let rules = |text: &str| {
            parse::with_file(text.as_bytes(), Layer::User, |file| {
                assert!(file.rules.iter().all(|r| !r.matches.is_empty() && !r.passes.is_empty()));
                (file.rules.len(), file.excepts.len() + file.contexts.len() + file.posts.len())
            })
        };
        assert_eq!(rules(STARTER), Ok((1, 0)));
        assert_eq!(rules(&whole()), Ok((3, 3)));
    }
}
