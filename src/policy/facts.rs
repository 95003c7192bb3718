//! [`Facts`]: what is known of one call, each thing found out once and only if a rule
//! asks.

use harness_core::{Json, ToolCall, World};
use harness_shell::{Command, EffectKind, Limits, RedirectKind, Script, Word};
use std::cell::OnceCell;

use super::Situation;
use super::glob;
use super::kinds::Zones;
use super::paths;
use super::place::Place;
use super::tools;
use super::word::{self, Known, Names};
use super::zones;

/// The longest path that any system takes, several times over.
const LONGEST_PATH: usize = 64 << 10;

/// At most so many touches of one call are looked at: each may cost a look at the disk.
pub(super) const MOST_TOUCHES: usize = 512;

/// One touch of the world by one command or file tool.
#[derive(Debug)]
pub struct Touch<'s> {
    /// What is done; `None` where a tool's name doesn't say.
    pub kind: Option<EffectKind>,
    /// Down folders.
    pub recursive: bool,
    /// Told not to ask.
    pub forced: bool,
    word: Option<&'s Word>,
    path: Option<String>,
    base: &'s Base,
    places: OnceCell<Vec<(Place, Zones)>>,
}

/// The folder a command runs in.
#[derive(Debug)]
pub struct Base {
    /// Absolute.
    pub path: String,
    /// Whether the line changed to a folder that can't be known.
    pub unknown: bool,
}

/// A command, or a whole call of a tool that isn't a shell, with its touches.
#[derive(Debug)]
pub struct Unit<'s> {
    /// The command, if it is one.
    pub command: Option<&'s Command>,
    /// What it touches.
    pub touches: Vec<Touch<'s>>,
    /// Where it runs.
    pub base: &'s Base,
}

/// What is known of a call.
pub struct Facts<'c> {
    /// The call.
    pub call: &'c ToolCall<'c>,
    /// The situation.
    pub situation: &'c Situation<'c>,
    /// The world.
    pub world: &'c dyn World,
    /// The command line, for tools that carry one.
    pub script: Option<Script>,
    bases: Vec<Base>,
    text: OnceCell<String>,
}

impl std::fmt::Debug for Facts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Facts").field("call", &self.call).finish_non_exhaustive()
    }
}

impl<'c> Facts<'c> {
    /// Reads a call.
    #[must_use]
    pub fn of(call: &'c ToolCall<'c>, situation: &'c Situation<'c>, world: &'c dyn World) -> Self {
        let script = tools::command_line(call)
            .map(|(line, dialect)| harness_shell::read(&line, dialect, Limits::default()));
        Self::with_script(call, situation, world, script)
    }

    /// A call whose command line has been read.
    #[must_use]
    pub fn with_script(
        call: &'c ToolCall<'c>,
        situation: &'c Situation<'c>,
        world: &'c dyn World,
        script: Option<Script>,
    ) -> Self {
        let mut facts =
            Self { call, situation, world, script, bases: Vec::new(), text: OnceCell::new() };
        facts.bases = facts.find_bases();
        facts
    }

    /// Why not all of the call could be looked at, if so.
    #[must_use]
    pub fn exhausted(&self) -> Option<&'static str> {
        const MANY: &str = "it concerns too many files";
        let Some(script) = self.script.as_ref() else {
            return (tools::named_paths(self.call).len() > MOST_TOUCHES).then_some(MANY);
        };
        if let Some(opaque) = script.opaque.iter().find(|opaque| opaque.is_exhaustion()) {
            return Some(opaque.why);
        }
        let touches = script.commands.iter().map(|c| c.effects.len() + c.redirects.len());
        (touches.sum::<usize>() > MOST_TOUCHES).then_some(MANY)
    }

    /// The units of the call, in the order written.
    #[must_use]
    pub fn units(&self) -> Vec<Unit<'_>> {
        match &self.script {
            Some(script) => {
                let bases = self.bases.iter().skip(1);
                let mut left = MOST_TOUCHES;
                let mut units = Vec::with_capacity(script.commands.len().min(MOST_TOUCHES));
                for (command, base) in script.commands.iter().zip(bases) {
                    let mut unit = self.unit(command, base, left);
                    // Past the last touch that is looked at the line is asked about anyway;
                    // what denies a command by its words still sees all of them.
                    unit.touches.truncate(left);
                    left -= unit.touches.len();
                    units.push(unit);
                }
                units
            }
            None => self.bases.first().map(|base| self.tool_unit(base)).into_iter().collect(),
        }
    }

    /// Every string of the input, one a line.
    #[must_use]
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let mut out = String::new();
            gather(self.call.input(), &mut out);
            out
        })
    }

    /// The home that `~` is.
    #[must_use]
    pub fn home(&self) -> &str {
        self.situation.homes.first().map_or_else(|| self.world.home(), String::as_str)
    }

    /// The places a word means as a path from a base: none if nothing is known of it,
    /// several if braces say so.
    #[must_use]
    pub fn places(&self, word: &Word, base: &Base) -> Vec<Place> {
        let text = word.text.as_str();
        let of_home = text.starts_with('~') || text.contains("HOME") || text.contains("PROFILE");
        match self.situation.homes {
            // The shell's home is the environment's, which may differ from the system's.
            homes @ [_, _, ..] if of_home => {
                homes.iter().flat_map(|home| self.places_in(home, word, base)).collect()
            }
            _ => self.places_in(self.home(), word, base),
        }
    }

    fn places_in(&self, home: &str, word: &Word, base: &Base) -> Vec<Place> {
        // No system opens a path as long as this; what it means is not worth the time.
        if word.text.len() > LONGEST_PATH && !word.glob {
            return Vec::new();
        }
        let names = Names {
            home,
            cwd: &base.path,
            temp: self.situation.temp.first().map_or("", String::as_str),
        };
        match word::path(word, names) {
            Known::Nothing => Vec::new(),
            Known::Prefix(folder) => vec![self.place(&folder, base, false, true)],
            Known::Whole(text) if word.glob && text.contains('{') => word::braces(&text)
                .iter()
                .map(|t| self.place(t, base, glob::is_glob(t), false))
                .collect(),
            Known::Whole(text) => {
                let is_glob = word.glob && glob::is_glob(&text);
                vec![self.place(&text, base, is_glob, false)]
            }
        }
    }

    /// A path from a base.
    #[must_use]
    pub fn place(&self, path: &str, base: &Base, is_glob: bool, partial: bool) -> Place {
        let path = paths::slashes(path);
        let spelled = paths::normal(&base.path, &path);
        let resolved = if is_glob {
            self.resolve_glob(&base.path, &path)
        } else {
            self.world.resolve(&base.path, &path)
        };
        let partial = partial || (base.unknown && !paths::is_absolute(&path));
        Place { spelled, resolved, glob: is_glob, partial }
    }

    /// Resolves the folder before the first glob character and keeps the rest.
    fn resolve_glob(&self, base: &str, path: &str) -> String {
        let at = path.find(['*', '?', '[', '{']).unwrap_or(path.len());
        let cut = path.get(..at).and_then(|head| head.rfind('/')).map_or(0, |slash| slash + 1);
        let (head, rest) = path.split_at_checked(cut).unwrap_or(("", path));
        let folder = self.world.resolve(base, if head.is_empty() { "." } else { head });
        paths::normal(&folder, rest)
    }

    /// First the call's own folder, then one for each command of the line.
    fn find_bases(&self) -> Vec<Base> {
        let cwd = self.call.cwd();
        let own = if cwd.is_empty() { "/" } else { cwd };
        let mut out = vec![Base { path: own.to_owned(), unknown: cwd.is_empty() }];
        let Some(script) = &self.script else { return out };
        for command in &script.commands {
            let first = Base { path: own.to_owned(), unknown: cwd.is_empty() };
            out.push(match &command.cwd {
                None => first,
                Some(word) => self.base_of(word, &first),
            });
        }
        out
    }

    fn base_of(&self, word: &Word, from: &Base) -> Base {
        match self.places(word, from).into_iter().next_back() {
            Some(place) if !place.partial => Base { path: place.resolved, unknown: false },
            Some(place) => Base { path: place.resolved, unknown: true },
            None => Base { path: from.path.clone(), unknown: true },
        }
    }

    fn unit<'s>(&self, command: &'s Command, base: &'s Base, most: usize) -> Unit<'s> {
        let count = command.effects.len() + command.redirects.len();
        let mut touches = Vec::with_capacity(count.min(most + 1));
        let setup = super::shell_setup::is(command);
        for effect in command.effects.iter().take(most + 1) {
            if setup && effect.kind == EffectKind::ExecuteUnknown {
                continue;
            }
            touches.push(Touch {
                kind: Some(effect.kind),
                recursive: effect.recursive,
                forced: effect.forced,
                word: effect.target.as_ref(),
                path: None,
                base,
                places: OnceCell::new(),
            });
        }
        for redirect in command.redirects.iter().take(most + 1) {
            let path = redirect.target.text.as_str();
            let kind = match redirect.kind {
                RedirectKind::Text => continue,
                // bash makes a connection of these names.
                _ if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") => continue,
                RedirectKind::Read => EffectKind::Read,
                RedirectKind::Overwrite | RedirectKind::ReadWrite => EffectKind::Overwrite,
                RedirectKind::Append => EffectKind::Create,
            };
            touches.push(Touch {
                kind: Some(kind),
                recursive: false,
                forced: false,
                word: Some(&redirect.target),
                path: None,
                base,
                places: OnceCell::new(),
            });
        }
        Unit { command: Some(command), touches, base }
    }

    fn tool_unit<'s>(&self, base: &'s Base) -> Unit<'s> {
        let kind = tools::file_effect(self.call.tool());
        let touches = tools::named_paths(self.call)
            .into_iter()
            .take(MOST_TOUCHES)
            .map(|path| Touch {
                kind,
                recursive: false,
                forced: false,
                word: None,
                path: Some(path.into_owned()),
                base,
                places: OnceCell::new(),
            })
            .collect();
        Unit { command: None, touches, base }
    }
}

impl Touch<'_> {
    /// The text of the target, as written.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.path.as_deref().or_else(|| self.word.map(|w| w.text.as_str()))
    }

    /// The target, if it is a word of the line.
    #[must_use]
    pub const fn word(&self) -> Option<&Word> {
        self.word
    }

    /// The places touched with their zones; a target that can't be known is one place of
    /// zone unknown.
    pub fn places<'t>(&'t self, facts: &Facts<'_>) -> &'t [(Place, Zones)] {
        self.places.get_or_init(|| {
            let found = match (&self.path, self.word) {
                (Some(path), _) => vec![facts.place(path, self.base, false, false)],
                (None, Some(word)) => facts.places(word, self.base),
                // `xargs rm`: what is concerned comes from elsewhere.
                (None, None) => Vec::new(),
            };
            if found.is_empty() {
                let nowhere = Place {
                    spelled: String::new(),
                    resolved: String::new(),
                    glob: false,
                    partial: true,
                };
                return vec![(nowhere, Zones::UNKNOWN)];
            }
            found
                .into_iter()
                .map(|place| {
                    let zones = zones::of(&place, facts.situation);
                    (place, zones)
                })
                .collect()
        })
    }

    /// Whether the kind of effect has a path for its target.
    #[must_use]
    pub fn is_path(&self) -> bool {
        !matches!(
            self.kind,
            Some(
                EffectKind::Network
                    | EffectKind::Publish
                    | EffectKind::RewriteHistory
                    | EffectKind::RemoteState
                    | EffectKind::Stop
                    | EffectKind::DisableProtection
                    | EffectKind::ExecuteUnknown
                    | EffectKind::Multiply
                    | EffectKind::Persist
            )
        )
    }
}

fn gather(root: &Json<'_>, out: &mut String) {
    let mut todo = vec![root];
    while let Some(json) = todo.pop() {
        match json {
            Json::String(text) => {
                out.push_str(&text.to_str());
                out.push('\n');
            }
            Json::Array(items) => todo.extend(items.iter().rev()),
            Json::Object(members) => todo.extend(members.iter().rev().map(|(_, v)| v)),
            _ => {}
        }
    }
}
