//! Whether a person can be asked, as measured, and what the model is told if not.
//!
//! Only rows that were seen to prompt may ask: Claude Code from 2.1.100 (before, an
//! allow rule ran the call without a word), interactive, in a mode whose row in [`MODES`]
//! is a dialog both with an allow rule for the call and without. Headless, nobody is asked
//! in any mode. The entry point comes from the environment and is used in one direction
//! only: to choose the ask instead of the stricter denial, when everything else allows it;
//! a repository's settings can't set it (2.1.332).

use super::caps::NEWEST_MEASURED;
use crate::hosts::{HostId, Version};

/// From this version `ask` shows a dialog even where an allow rule matches.
const PROMPTS_FROM: Version = Version::new(2, 1, 100);

/// What a client that a person sits at does with an `ask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It shows a dialog with the reason; a yes runs the call.
    Dialog,
    /// It denies the call and shows no dialog.
    Denial,
    /// It runs the call without a word.
    Nothing,
}

/// A permission mode, and what it makes of an `ask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Its name in payloads and settings.
    pub name: &'static str,
    /// Where an allow rule of the settings matches the call.
    pub ruled: Shown,
    /// Where none does.
    pub unruled: Shown,
}

impl Mode {
    const fn new(name: &'static str, ruled: Shown, unruled: Shown) -> Self {
        Self { name, ruled, unruled }
    }
}

/// The modes, as measured on a terminal in 2.1.100 and 2.1.332: `tests/it/live/modes.rs`
/// holds each row to both clients.
pub const MODES: &[Mode] = &[
    Mode::new("default", Shown::Dialog, Shown::Dialog),
    Mode::new("acceptEdits", Shown::Dialog, Shown::Dialog),
    Mode::new("plan", Shown::Dialog, Shown::Dialog),
    Mode::new("bypassPermissions", Shown::Dialog, Shown::Dialog),
    Mode::new("auto", Shown::Dialog, Shown::Dialog),
    Mode::new("dontAsk", Shown::Dialog, Shown::Dialog),
];

/// Whether an `ask` shows a dialog in a mode, whatever the settings allow. A mode that nobody
/// measured doesn't.
fn shows_dialog(mode: &str) -> bool {
    let both = |m: &&Mode| m.ruled == Shown::Dialog && m.unruled == Shown::Dialog;
    MODES.iter().filter(both).any(|m| m.name == mode)
}

/// The entry point of an interactive session.
const INTERACTIVE: &str = "cli";

/// What is known of the way to a person.
#[derive(Clone, Copy, Debug)]
pub struct Channel<'a> {
    /// The host that would ask.
    pub host: HostId,
    /// The approval knob says `never`.
    pub never: bool,
    /// The call comes from a subagent.
    pub subagent: bool,
    /// The permission mode the host names.
    pub mode: Option<&'a str>,
    /// The host's entry point.
    pub entrypoint: Option<&'a str>,
    /// The lowest client version.
    pub client: Version,
}

/// Why nobody can be asked: cases the model can tell apart, and from a person's no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPrompt {
    /// The approval policy is `never`.
    Never,
    /// A subagent has no channel of its own.
    Subagent,
    /// Headless, or a mode that isn't known to prompt.
    Unattended,
    /// The client isn't known to prompt.
    NoChannel,
    /// The host's hooks can't make it ask.
    Host,
}

impl Channel<'_> {
    /// The way to a person who sits at a client that asks.
    #[must_use]
    pub const fn attended(never: bool) -> Self {
        let client = NEWEST_MEASURED;
        let (mode, entrypoint) = (Some("default"), Some(INTERACTIVE));
        let host = HostId::ClaudeCode;
        Self { host, never, subagent: false, mode, entrypoint, client }
    }

    /// Whether an ask reaches a person.
    ///
    /// # Errors
    /// [`NoPrompt`] says why not.
    pub fn prompts(&self) -> Result<(), NoPrompt> {
        if self.never {
            return Err(NoPrompt::Never);
        }
        if self.subagent {
            return Err(NoPrompt::Subagent);
        }
        if self.host != HostId::ClaudeCode {
            return if self.host.profile().asks { Ok(()) } else { Err(NoPrompt::Host) };
        }
        if self.client < PROMPTS_FROM {
            return Err(NoPrompt::NoChannel);
        }
        let attended = self.entrypoint == Some(INTERACTIVE) && self.mode.is_some_and(shows_dialog);
        if attended { Ok(()) } else { Err(NoPrompt::Unattended) }
    }
}

impl NoPrompt {
    /// The word in records: what ended the question.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Never => "policy",
            Self::Subagent => "subagent",
            Self::Unattended => "unattended",
            Self::NoChannel => "no channel",
            Self::Host => "host",
        }
    }

    /// What the model is told behind the rule's reason.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Never => {
                "A person would have to agree, but the approval policy is `never`: nobody is asked, and this is a denial."
            }
            Self::Subagent => {
                "A person would have to agree, but a subagent can't ask one: leave this to the main agent."
            }
            Self::Unattended => {
                "A person would have to agree, but this session runs headless or in a mode that isn't known to ask: nobody said no, nobody was there. `harness approve`, in a terminal of theirs, allows this one call."
            }
            Self::Host => {
                "A person would have to agree, but the hooks of this agent can't make it ask one: nobody said no, nobody was asked. `harness approve`, in a terminal of theirs, allows this one call."
            }
            Self::NoChannel => {
                "A person would have to agree, but there is no channel to one in this client: a newer one, installed with `harness install`, can ask. `harness approve`, in a terminal of theirs, allows this one call."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Channel, MODES, NoPrompt};
    use crate::hosts::{HostId, Version};

    const OPEN: Channel<'_> = Channel {
        host: HostId::ClaudeCode,
        never: false,
        subagent: false,
        mode: Some("default"),
        entrypoint: Some("cli"),
        client: Version::new(2, 1, 100),
    };

    #[test]
    fn only_measured_rows_ask() {
        for mode in MODES.iter().map(|m| m.name) {
            assert_eq!(Channel { mode: Some(mode), ..OPEN }.prompts(), Ok(()), "{mode}");
        }
        for (channel, why) in [
            (Channel { never: true, subagent: true, ..OPEN }, NoPrompt::Never),
            (Channel { subagent: true, ..OPEN }, NoPrompt::Subagent),
            (Channel { host: HostId::Codex, ..OPEN }, NoPrompt::Host),
            (Channel { host: HostId::Dsh, never: true, ..OPEN }, NoPrompt::Never),
            (Channel { client: Version::new(2, 1, 99), ..OPEN }, NoPrompt::NoChannel),
            (Channel { client: Version::new(0, 0, 0), ..OPEN }, NoPrompt::NoChannel),
            (Channel { mode: None, ..OPEN }, NoPrompt::Unattended),
            (Channel { mode: Some("new"), ..OPEN }, NoPrompt::Unattended),
            (Channel { entrypoint: None, ..OPEN }, NoPrompt::Unattended),
            (Channel { entrypoint: Some("sdk-cli"), ..OPEN }, NoPrompt::Unattended),
            // Headless, the client shows nobody a dialog, whatever the mode.
            (
                Channel { entrypoint: Some("sdk-cli"), mode: Some("dontAsk"), ..OPEN },
                NoPrompt::Unattended,
            ),
        ] {
            assert_eq!(channel.prompts(), Err(why), "{channel:?}");
        }
    }

    #[test]
    fn where_a_grant_helps_the_way_to_it_is_said() {
        for (why, helps) in [
            (NoPrompt::Never, false),
            (NoPrompt::Subagent, false),
            (NoPrompt::Unattended, true),
            (NoPrompt::NoChannel, true),
            (NoPrompt::Host, true),
        ] {
            assert_eq!(why.sentence().contains("`harness approve`"), helps, "{why:?}");
        }
    }

    #[test]
    fn the_texts_differ() {
        let all = [
            NoPrompt::Never,
            NoPrompt::Subagent,
            NoPrompt::Unattended,
            NoPrompt::NoChannel,
            NoPrompt::Host,
        ];
        let mut texts: Vec<_> = all.iter().map(|n| n.sentence()).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), all.len());
    }
}
