//! Built-in packs: rules as constant tables, each with examples it must match and must
//! let pass. Deny only what is irreversible and never routine; ask what is risky but
//! routine. A rule that fires on ordinary work is a bug.

mod cloud;
mod core;
mod core_git;
mod git;
mod install;
mod publish;
mod secrets;
mod system;
mod windows;

use super::model::Rule;

/// The name under which self-protection is listed. It is code, not a table, and can
/// neither be switched off nor excepted.
pub const SELF_PROTECTION: &str = "self-protection";

/// A pack.
#[derive(Debug)]
pub struct Pack {
    /// Its name, and the part of its rules' ids before the slash.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Whether it is on unless switched off.
    pub default: bool,
    /// Its rules.
    pub rules: &'static [&'static [Rule<'static>]],
}

impl Pack {
    /// Its rules, in order.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule<'static>> + use<> {
        self.rules.iter().flat_map(|part| part.iter())
    }
}

/// Every pack.
pub static ALL: &[Pack] = &[
    Pack {
        name: "core",
        about: "destruction beyond repair: system, home and workspace deletes, devices, history",
        default: true,
        rules: &[core::RULES, core_git::RULES],
    },
    Pack {
        name: "git",
        about: "a stricter git: every force push, pushes to main, amends, skipped hooks",
        default: false,
        rules: &[git::RULES],
    },
    Pack {
        name: "secrets",
        about: "reading keys, credentials and .env files",
        default: false,
        rules: &[secrets::RULES],
    },
    Pack {
        name: "publish",
        about: "publishing packages, images and releases",
        default: false,
        rules: &[publish::RULES],
    },
    Pack {
        name: "install",
        about: "installing and running code that no registry holds",
        default: false,
        rules: &[install::RULES],
    },
    Pack {
        name: "cloud",
        about: "destroying cloud resources, clusters and volumes",
        default: false,
        rules: &[cloud::RULES],
    },
    Pack {
        name: "system",
        about: "services, the network and settings of the machine, those of macOS among them",
        default: false,
        rules: &[system::RULES],
    },
    Pack {
        name: "windows",
        about: "services, accounts, the registry and protections of Windows",
        default: false,
        rules: &[windows::RULES],
    },
];

/// A pack by name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Pack> {
    ALL.iter().find(|p| p.name == name)
}

/// A pack's rule by id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Rule<'static>> {
    ALL.iter().flat_map(Pack::rules).find(|r| r.id == id)
}

/// One row of a pack's table. Conditions come in the order of [`Matcher`]'s fields.
///
/// [`Matcher`]: super::model::Matcher
macro_rules! rule {
    (
        $say:ident $id:literal, $reason:literal, instead $instead:literal,
        when {
            $(tools [$($tool:literal),*])?
            $(command [$($command:literal),*])?
            $(flags [$($flag:literal),*])?
            $(without [$($without:literal),*])?
            $(args [$($arg:literal),*])?
            $(paths [$($path:literal),*])?
            $(access $access:ident)?
            $(effects [$($effect:ident),*])?
            $(zones [$($zone:ident),*])?
            $(recursive $recursive:literal)?
            $(forced $forced:literal)?
            $(mentions [$($mention:literal),*])?
            $(branch [$($branch:literal),*])?
        },
        match [$($match:literal),* $(,)?],
        pass [$($pass:literal),* $(,)?] $(,)?
    ) => {
        $crate::policy::model::Rule {
            id: $id,
            line: 0,
            station: $crate::policy::packs::rule!(@station $say),
            say: $crate::policy::model::Say::$say,
            reason: $reason,
            instead: $instead,
            when: $crate::policy::model::Matcher {
                tools: std::borrow::Cow::Borrowed(&[$($($tool),*)?]),
                command: std::borrow::Cow::Borrowed(&[$($($command),*)?]),
                letters: $crate::policy::kinds::Letters::of(&[$($($command),*)?]),
                flags: std::borrow::Cow::Borrowed(&[$($($flag),*)?]),
                without: std::borrow::Cow::Borrowed(&[$($($without),*)?]),
                args: std::borrow::Cow::Borrowed(&[$($($arg),*)?]),
                paths: std::borrow::Cow::Borrowed(&[$($($path),*)?]),
                access: $crate::policy::packs::rule!(@access $($access)?),
                effects: $crate::policy::kinds::EffectSet::EMPTY
                    $($(.with($crate::policy::kinds::EffectSet::$effect))*)?,
                zones: $crate::policy::kinds::Zones::EMPTY
                    $($(.with($crate::policy::kinds::Zones::$zone))*)?,
                recursive: $crate::policy::packs::rule!(@flag $($recursive)?),
                forced: $crate::policy::packs::rule!(@flag $($forced)?),
                mentions: std::borrow::Cow::Borrowed(&[$($($mention),*)?]),
                branch: std::borrow::Cow::Borrowed(&[$($($branch),*)?]),
            },
            run: None,
            matches: std::borrow::Cow::Borrowed(&[$($match),*]),
            passes: std::borrow::Cow::Borrowed(&[$($pass),*]),
        }
    };
    (@station Deny) => { $crate::policy::model::Station::Guard };
    (@station Ask) => { $crate::policy::model::Station::Listener };
    (@flag) => { false };
    (@flag $value:literal) => { $value };
    (@access) => { $crate::policy::kinds::Access::Any };
    (@access $access:ident) => { $crate::policy::kinds::Access::$access };
}
pub(in crate::policy) use rule;
