//! The types a command line becomes.

use alloc::string::String;
use alloc::vec::Vec;

/// The shell language a line is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// bash and POSIX sh.
    Posix,
    /// PowerShell 5 and 7.
    PowerShell,
    /// cmd.exe.
    Cmd,
}

/// Bounds on the work for one line. Past a bound the rest is one [`Opaque`].
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of text read, nested scripts included.
    pub bytes: usize,
    /// Simple commands produced.
    pub commands: usize,
    /// Words read, expansions in them included.
    pub words: usize,
    /// How deep substitutions, subshells and nested shells may go.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 4 << 20, commands: 6_000, words: 25_000, depth: 64 }
    }
}

/// What a command line will do, as far as it can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Every simple command that may run, in the order written, those inside
    /// substitutions, functions, nested shells and wrappers included.
    pub commands: Vec<Command>,
    /// What could not be read.
    pub opaque: Vec<Opaque>,
}

/// One simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// What runs, through wrappers: of `sudo -u x env A=1 rm -rf y` it is `rm`. The
    /// spelling is kept (`/bin/rm`); [`Command::name`] gives the bare name.
    pub program: Word,
    /// Its arguments.
    pub args: Vec<Word>,
    /// Variables set for it, by a prefix or by `env`.
    pub assigns: Vec<(String, Word)>,
    /// Its redirections, those of enclosing compound commands included.
    pub redirects: Vec<Redirect>,
    /// The wrappers it was reached through, outermost first (`sudo`, `env`, `sh -c`).
    pub via: Vec<String>,
    /// What it does that a rule may care about.
    pub effects: Vec<Effect>,
    /// The folder it runs in when the line changes it first (`cd x && …`, `git -C x`):
    /// to be resolved against the call's own folder. `None` when unchanged.
    pub cwd: Option<Word>,
    /// Whether its standard input is a pipe from another command of the line, and the
    /// index of that command in [`Script::commands`].
    pub piped_from: Option<usize>,
    /// Byte offset of the command in the text given to [`crate::read`] (for nested
    /// scripts, of the word they came from).
    pub at: usize,
}

impl Command {
    /// The program's bare name: no folder, no `.exe`, lower case on a drive path only.
    #[must_use]
    pub fn name(&self) -> &str {
        let text = self.program.text.as_str();
        // Asked for each rule, so by bytes: a separator is one, and no part of another.
        let folder = text.bytes().rposition(|b| matches!(b, b'/' | b'\\'));
        let base = folder.and_then(|at| text.get(at + 1..)).unwrap_or(text);
        base.strip_suffix(".exe").or_else(|| base.strip_suffix(".EXE")).unwrap_or(base)
    }
}

/// A word after quoting and constant expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The text, as far as it is known. An unknown part stands as it was written
    /// (`$HOME/x`, `$(date)`).
    pub text: String,
    /// Whether the text is all there is to it: no expansion left in it.
    pub literal: bool,
    /// Whether an unquoted `*`, `?`, `[` or brace in it is for the shell to expand.
    pub glob: bool,
}

impl Word {
    /// A word known in full.
    #[must_use]
    pub fn literal(text: impl Into<String>) -> Self {
        Self { text: text.into(), literal: true, glob: false }
    }
}

/// How a redirection opens its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// `< file`
    Read,
    /// `> file`, `>| file`, `&> file`
    Overwrite,
    /// `>> file`, `&>> file`
    Append,
    /// `<> file`
    ReadWrite,
    /// `<< END` or `<<< word`: the target is the text itself.
    Text,
}

/// One redirection to a file (duplications such as `2>&1` are not kept).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// How.
    pub kind: RedirectKind,
    /// The file, or the text of a here-document.
    pub target: Word,
}

/// What a command does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectKind {
    /// Removes files; `recursive` in [`Effect`] says whether folders go with all in them.
    Delete,
    /// Replaces or truncates what is there.
    Overwrite,
    /// Makes something new or appends.
    Create,
    /// Reads a file.
    Read,
    /// Sends to or fetches from the network.
    Network,
    /// Runs code that this reading can't see (a fetched script, a decoded string).
    ExecuteUnknown,
    /// Changes permissions or ownership.
    Permissions,
    /// Publishes a package or an image.
    Publish,
    /// Rewrites or discards version history or uncommitted work.
    RewriteHistory,
    /// Changes state on a remote system.
    RemoteState,
    /// Writes to a raw device or makes a file system.
    Device,
    /// Ends processes or the system.
    Stop,
    /// Switches off a protection.
    DisableProtection,
    /// Sends what a file holds to somewhere else.
    Send,
    /// Takes files away to another place.
    Move,
    /// Starts itself or others over and over, without an end.
    Multiply,
    /// Makes something run later by itself: a service, a scheduled task.
    Persist,
}

/// One effect of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What kind.
    pub kind: EffectKind,
    /// The file, URL, branch or device concerned, if one is named.
    pub target: Option<Word>,
    /// Whether it goes down folders.
    pub recursive: bool,
    /// Whether it was told not to stop or ask (`-f`, `--force`, `-y`).
    pub forced: bool,
}

/// A part of the line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque {
    /// Byte offset.
    pub at: usize,
    /// Why, in a few words a person can act on (`unterminated quote`).
    pub why: &'static str,
    /// The text concerned, as far as it goes.
    pub text: String,
}

impl Opaque {
    /// Whether reading stopped at one of [`Limits`], so that what follows is not known.
    #[must_use]
    pub fn is_exhaustion(&self) -> bool {
        matches!(
            self.why,
            "expands to too much"
                | "functions that define too many others"
                | "nested too deeply"
                | "too long"
                | "too many commands"
                | "too many links"
                | "too many words"
                | "too many wrappers"
        )
    }
}
