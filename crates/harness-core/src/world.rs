//! [`World`]: the only window through which a decision sees anything but the call.

use alloc::string::String;
use alloc::vec::Vec;

/// What a decision may ask about the world. The hook answers from the machine;
/// `replay` answers from the record; tests answer from a table. Answers are
/// recorded with the verdict.
pub trait World {
    /// Where `path` leads as the kernel would follow it from `base` (an absolute
    /// folder): symlinks, `.` and `..` resolved, parts that do not exist yet kept as
    /// spelled. Relative paths are relative to `base`. Never fails: what cannot be
    /// resolved comes back lexically normalised.
    fn resolve(&self, base: &str, path: &str) -> String;

    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;

    /// The person's home folder, from the operating system and not the environment.
    fn home(&self) -> &str;

    /// A small file's bytes, for rules that weigh an edit against what is there. `None`
    /// when it is missing, large or unreadable, or when this world has no files.
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let _ = path;
        None
    }
}
