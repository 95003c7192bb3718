//! [`Machine`]: the world of a decision, answered by this machine.

use harness_core::World;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use super::{bounded, clock};

/// Links followed in one path before the rest is taken as spelled; Linux stops at 40.
const MAX_LINKS: u32 = 40;
/// Parts of one path that are walked; beyond it the rest is taken as spelled.
const MAX_PARTS: u32 = 4096;
/// The largest file a decision reads.
const READ_BOUND: u64 = 1 << 20;

/// Where a prefix leads.
#[derive(Clone, Debug)]
enum Step {
    /// A folder, a file, or nothing that could be looked at: stays as spelled.
    Plain,
    /// Nothing is there, so nothing below can be a link either.
    Absent,
    /// A symbolic link and what it says.
    Link(String),
}

/// The world as this machine has it. Links are read once and remembered.
#[derive(Debug)]
pub struct Machine {
    home: String,
    steps: RefCell<BTreeMap<String, Step>>,
    met: RefCell<Met>,
}

/// What a decision met that its own words don't say: enough to decide again without this
/// machine. A path with no link on its way is where it says, and isn't kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Met {
    /// Absolute paths that go through links, with where they lead.
    pub links: Vec<(String, String)>,
    /// Files that were read, with what was in them.
    pub files: Vec<(String, Option<Vec<u8>>)>,
}

impl Machine {
    /// A world whose person lives in `home` (the operating system's word).
    #[must_use]
    pub fn new(home: impl Into<String>) -> Self {
        Self { home: home.into(), steps: RefCell::default(), met: RefCell::default() }
    }

    /// What was met so far.
    #[must_use]
    pub fn met(&self) -> Met {
        self.met.borrow().clone()
    }

    fn step(&self, prefix: &str) -> Step {
        if let Some(step) = self.steps.borrow().get(prefix) {
            return step.clone();
        }
        let step = match std::fs::read_link(prefix) {
            Ok(target) => Step::Link(target.to_string_lossy().into_owned()),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Step::Absent,
            Err(_) => Step::Plain,
        };
        self.steps.borrow_mut().insert(prefix.to_owned(), step.clone());
        step
    }

    fn walk(&self, start: &str) -> String {
        // What is still to be walked, last part first.
        let mut todo: Vec<String> = parts(start).rev().map(str::to_owned).collect();
        let mut done = root_of(start).to_owned();
        let (mut links, mut walked, mut absent) = (0, 0, false);
        while let Some(part) = todo.pop() {
            walked += 1;
            match part.as_str() {
                "" | "." => continue,
                ".." => {
                    // `..` after a link is the parent of where the link leads: `done` is resolved.
                    done.truncate(parent_len(&done));
                    absent = false;
                    continue;
                }
                _ => {}
            }
            let before = done.len();
            if !done.ends_with('/') {
                done.push('/');
            }
            done.push_str(&part);
            if absent || links >= MAX_LINKS || walked >= MAX_PARTS {
                continue;
            }
            match self.step(&done) {
                Step::Plain => {}
                Step::Absent => absent = true,
                Step::Link(target) => {
                    links += 1;
                    if is_absolute(&target) {
                        root_of(&target).clone_into(&mut done);
                    } else {
                        done.truncate(before);
                    }
                    todo.extend(parts(&target).rev().map(str::to_owned));
                }
            }
        }
        if links > 0 {
            self.met.borrow_mut().links.push((start.to_owned(), done.clone()));
        }
        done
    }
}

impl World for Machine {
    fn resolve(&self, base: &str, path: &str) -> String {
        if is_absolute(path) { self.walk(path) } else { self.walk(&format!("{base}/{path}")) }
    }

    fn now_ms(&self) -> u64 {
        clock::now_ms()
    }

    fn home(&self) -> &str {
        &self.home
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let bytes = bounded::read(Path::new(path), READ_BOUND).ok();
        self.met.borrow_mut().files.push((path.to_owned(), bytes.clone()));
        bytes
    }
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || drive(path)
}

/// Whether a path starts with a drive: `C:/`.
fn drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic())
}

fn root_of(path: &str) -> &str {
    if drive(path) { path.get(..3).unwrap_or("/") } else { "/" }
}

fn parts(path: &str) -> std::str::Split<'_, char> {
    let rest = if drive(path) { path.get(3..).unwrap_or("") } else { path };
    rest.split('/')
}

/// The length of a resolved path's parent; the root is its own.
fn parent_len(path: &str) -> usize {
    let root = root_of(path).len();
    path.rfind('/').map_or(root, |at| at.max(root)).min(path.len())
}

#[cfg(test)]
mod tests {
    use super::{Machine, parent_len};
    use harness_core::World;

    #[test]
    fn parents() {
        assert_eq!(parent_len("/a/b"), 2);
        assert_eq!(parent_len("/a"), 1);
        assert_eq!(parent_len("/"), 1);
        assert_eq!(parent_len("C:/a"), 3);
    }

    #[cfg(unix)]
    #[test]
    fn follows_as_the_kernel_does() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let at = |p: &str| format!("{}/{p}", root.display());
        std::fs::create_dir_all(root.join("deep/inner")).unwrap();
        symlink(root.join("deep/inner"), root.join("link")).unwrap();
        symlink("link", root.join("again")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let world = Machine::new("/home/nobody");
        let base = root.display().to_string();
        assert_eq!(world.resolve(&base, "again/x/y"), at("deep/inner/x/y"));
        assert_eq!(world.resolve(&base, "link/../z"), at("deep/z"));
        assert_eq!(world.resolve(&base, "none/../z"), at("z"));
        assert_eq!(world.resolve(&base, "./a//b/."), at("a/b"));
        assert_eq!(world.resolve("/", "../../etc"), "/etc");
        assert!(world.resolve(&base, "loop/x").ends_with("loop/x"));
    }
}
