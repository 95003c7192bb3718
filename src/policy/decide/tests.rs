use std::borrow::Cow;
use std::path::PathBuf;

use harness_core::{Identity, Json, Text, ToolCall, World};
use harness_shell::{Command, Opaque, Script, Word};
use proptest::prelude::*;

use super::super::facts::Facts;
use super::super::file::File;
use super::super::flat::{Candidates, Flat, compile};
use super::super::load::{Loaded, State};
use super::super::model::{Matcher, Rule, Say, Station};
use super::super::{Layer, Policy, Situation, protect};
use super::ballot::Ballot;
use super::layer::Run;

/// A world without links or files.
struct Flatland;

impl World for Flatland {
    fn resolve(&self, base: &str, path: &str) -> String {
        super::super::paths::normal(base, path)
    }

    fn now_ms(&self) -> u64 {
        0
    }

    fn home(&self) -> &str {
        "/home/u"
    }
}

const SITUATION: Situation<'static> = Situation {
    workspace: "/w",
    homes: &[],
    temp: &[],
    protected: &(),
    tightened: false,
    sandbox: harness_core::knobs::SandboxMode::DangerFullAccess,
    subagent: false,
    spoke: None,
};

fn call(tool: &str, text: &str) -> ToolCall<'static> {
    let identity = Identity {
        session: "s".into(),
        call: "c".into(),
        agent: None,
        tool: Cow::Owned(tool.to_owned()),
        cwd: "/w".into(),
    };
    let key = if tool == "Write" { "file_path" } else { "command" };
    let value = Json::String(Text::from(text.to_owned()));
    ToolCall::seal(identity, Json::Object(vec![(Text::from(key), value)]), false)
}

fn policy(layer: Layer, bytes: Vec<u8>) -> Policy {
    let path = PathBuf::from("/p/policy.toml");
    let state = State::Good { bytes, trusted: true };
    Policy {
        layers: vec![Loaded { layer, path, state }],
        packs: Vec::new(),
        own: protect::Own::default(),
        project: None,
    }
}

/// A rule of small alphabets, so that rules and calls often meet.
#[derive(Clone, Debug)]
struct Draft {
    guard: bool,
    say: u8,
    tools: Vec<&'static str>,
    command: Vec<&'static str>,
    flags: Vec<&'static str>,
    mentions: Vec<&'static str>,
    paths: Vec<&'static str>,
}

impl Draft {
    fn rule<'a>(&self, id: &'a str) -> Rule<'a> {
        let say = match (self.guard, self.say) {
            (true, _) => Say::Deny,
            (false, 0) => Say::Allow,
            (false, 1) => Say::Ask,
            (false, _) => Say::Deny,
        };
        Rule {
            id,
            line: 1,
            station: if self.guard { Station::Guard } else { Station::Listener },
            say,
            reason: "because",
            instead: "",
            when: Matcher {
                tools: Cow::Owned(self.tools.clone()),
                command: Cow::Owned(self.command.clone()),
                flags: Cow::Owned(self.flags.clone()),
                mentions: Cow::Owned(self.mentions.clone()),
                paths: Cow::Owned(self.paths.clone()),
                ..Matcher::ANY
            },
            run: None,
            matches: Cow::Borrowed(&[]),
            passes: Cow::Borrowed(&[]),
        }
    }
}

fn few(words: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    proptest::collection::vec(proptest::sample::select(words), 0..3)
}

fn draft() -> impl Strategy<Value = Draft> {
    (
        any::<bool>(),
        0_u8..3,
        few(&["Bash", "Write", "mcp__*", "*"]),
        few(&["git", "npm|pnpm", "g*", "push", "publish"]),
        few(&["-f|--force", "-n"]),
        few(&["prod", "ab", "abcdef", "é-key", "push"]),
        few(&["*.env", "/w/src/**", "src/a"]),
    )
        .prop_map(|(guard, say, tools, command, flags, mentions, paths)| Draft {
            guard,
            say,
            tools,
            command,
            flags,
            mentions,
            paths,
        })
}

/// A call and the line as read: commands of the same small words.
fn calls() -> impl Strategy<Value = (ToolCall<'static>, Option<Script>)> {
    let words =
        few(&["git", "npm", "push", "publish", "-f", "--force", "src/a", "x.env", "abcdef"]);
    let lines = proptest::collection::vec(words, 0..4);
    let tool = proptest::sample::select(&["Bash", "Write", "mcp__pg__q", "Other"][..]);
    (tool, lines, any::<bool>(), "[a-f é]{0,12}").prop_map(|(tool, lines, opaque, extra)| {
        let text: Vec<String> = lines.iter().map(|l| l.join(" ")).collect();
        let text = format!("{} prod {extra}", text.join("; "));
        let script = (tool == "Bash").then(|| Script {
            commands: lines
                .iter()
                .filter_map(|l| l.split_first())
                .map(|(program, args)| Command {
                    program: Word::literal(*program),
                    args: args.iter().map(|a| Word::literal(*a)).collect(),
                    ..Command::default()
                })
                .collect(),
            opaque: if opaque {
                vec![Opaque { at: 0, why: "why", text: text.clone() }]
            } else {
                Vec::new()
            },
        });
        (call(tool, &text), script)
    })
}

proptest! {
    /// The index only saves time: the verdict and the votes are those of trying every
    /// rule in order.
    #[test]
    fn indexed_is_naive(drafts in proptest::collection::vec(draft(), 0..30), (call, script) in calls()) {
        let ids: Vec<String> = (0..drafts.len()).map(|i| format!("r{i}")).collect();
        let rules = drafts.iter().zip(&ids).map(|(d, id)| d.rule(id)).collect();
        let file = File { rules, ..File::default() };
        let bytes = compile(&file);
        prop_assert_eq!(&compile(&Flat::over(&bytes).all().unwrap()), &bytes);

        let facts = Facts::with_script(&call, &SITUATION, &Flatland, script);
        let units = facts.units();
        let indexed = policy(Layer::User, bytes);
        let run = Run { facts: &facts, units: &units, excepts: &[], policy: &indexed };
        let mut by_index = Ballot::default();
        run.layer(Layer::User, &mut by_index);
        let mut in_order = Ballot::default();
        run.naive(&file, Layer::User, &mut in_order);
        let (verdict, votes) = by_index.settle(&call, &Flatland);
        let (expected, all) = in_order.settle(&call, &Flatland);
        prop_assert_eq!(verdict, expected);
        prop_assert_eq!(votes, all);
    }

    /// Bytes that were never compiled are an error or some policy, never a panic.
    #[test]
    fn hostile_bytes_never_panic(drafts in proptest::collection::vec(draft(), 1..6), flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8), (call, script) in calls()) {
        let ids: Vec<String> = (0..drafts.len()).map(|i| format!("r{i}")).collect();
        let rules = drafts.iter().zip(&ids).map(|(d, id)| d.rule(id)).collect();
        let mut bytes = compile(&File { rules, ..File::default() });
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let _ = Flat::over(&bytes).all();
        let facts = Facts::with_script(&call, &SITUATION, &Flatland, script);
        let _ = Candidates::of(Flat::over(&bytes), &facts);
    }

    /// A project's file never loosens: with it the verdict is at least as strict.
    #[test]
    fn a_project_never_loosens(user in proptest::collection::vec(draft(), 0..12), project in proptest::collection::vec(draft(), 0..12), (call, script) in calls()) {
        let ids: Vec<String> = (0..12).map(|i| format!("r{i}")).collect();
        let compiled = |drafts: &[Draft]| {
            let rules = drafts.iter().zip(&ids).map(|(d, id)| d.rule(id)).collect();
            compile(&File { rules, ..File::default() })
        };
        let facts = Facts::with_script(&call, &SITUATION, &Flatland, script);
        let units = facts.units();
        let mut both = policy(Layer::User, compiled(&user));
        let word = |policy: &Policy| {
            let mut ballot = Ballot::default();
            for layer in [Layer::Managed, Layer::User, Layer::Project] {
                Run { facts: &facts, units: &units, excepts: &[], policy }.layer(layer, &mut ballot);
            }
            ballot.settle(&call, &Flatland).0.word()
        };
        let alone = word(&both);
        both.layers.extend(policy(Layer::Project, compiled(&project)).layers);
        let rank = |word: &str| ["none", "ask", "deny"].iter().position(|w| *w == word);
        prop_assert!(rank(word(&both)) >= rank(alone));
    }
}

#[test]
fn damaged_rules_deny() {
    let rule = Draft {
        guard: true,
        say: 2,
        tools: vec!["*"],
        command: vec![],
        flags: vec![],
        mentions: vec![],
        paths: vec![],
    };
    let mut bytes = compile(&File { rules: vec![rule.rule("r")], ..File::default() });
    bytes.truncate(70);
    let policy = policy(Layer::User, bytes);
    let call = call("Write", "/w/a");
    assert_eq!(super::decide(&policy, &call, &SITUATION, &Flatland).verdict.word(), "deny");
}
