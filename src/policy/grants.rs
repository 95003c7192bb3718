//! What a person granted in advance, and the questions that it answers. A grant answers an
//! ask and nothing else: a denial stands, whoever spoke it.

use harness_core::verdict::VerdictView;
use harness_core::{ToolCall, World};
use harness_shell::{Command, RedirectKind};

use super::{Ruling, paths, tools};

/// What a grant is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'g> {
    /// One call, by the mark of its tool, arguments and folder.
    Once(&'g str),
    /// Whatever this rule asks about.
    Rule(&'g str),
    /// File tools at this path or below it.
    Path(&'g str),
    /// Command lines whose every command begins with these words.
    Prefix(&'g str),
}

impl<'g> Scope<'g> {
    /// The scope of a logged grant; `None` for a word nobody knows.
    #[must_use]
    pub fn of(word: &str, of: &'g str) -> Option<Self> {
        if of.trim().is_empty() {
            return None;
        }
        Some(match word {
            "once" => Self::Once(of),
            "rule" => Self::Rule(of),
            "path" => Self::Path(of),
            "prefix" => Self::Prefix(of),
            _ => return None,
        })
    }
}

/// The grant that answers a ruling's question: its place in `scopes`. Never for a subagent,
/// and where it isn't for the one call, never for what protects harness itself.
#[must_use]
pub fn answering(
    scopes: &[Option<Scope<'_>>],
    ruling: &Ruling,
    call: &ToolCall<'_>,
    mark: &str,
    world: &dyn World,
) -> Option<usize> {
    if call.identity().agent.is_some() || !matches!(ruling.verdict.view(), VerdictView::Ask(_)) {
        return None;
    }
    let find = |wanted: &dyn Fn(Scope<'_>) -> bool| {
        scopes.iter().position(|scope| scope.is_some_and(wanted))
    };
    if let Some(once) = find(&|scope| scope == Scope::Once(mark)) {
        return Some(once);
    }
    let asking: Vec<&str> = ruling
        .votes
        .iter()
        .filter(|cast| cast.vote == "ask")
        .map(|cast| cast.rule.as_str())
        .collect();
    if asking.is_empty() || !asking.iter().all(|rule| may_be_granted(rule)) {
        return None;
    }
    let by_call = find(&|scope| match scope {
        Scope::Path(path) => is_below(call, path, world),
        Scope::Prefix(prefix) => begins_with(ruling, prefix),
        Scope::Once(_) | Scope::Rule(_) => false,
    });
    // Every rule that asks needs its own; the first one's is told.
    let by_rule = || {
        let of = |rule: &&str| find(&|scope| scope == Scope::Rule(rule));
        asking.iter().map(of).collect::<Option<Vec<_>>>()?.into_iter().next()
    };
    by_call.or_else(by_rule)
}

/// Whether a grant for more than one call may answer this rule's question: not what guards
/// harness itself, and not what says that it can't be relied on.
#[must_use]
pub fn may_be_granted(rule: &str) -> bool {
    let kept = ["harness/tightened", "harness/broken-policy", "harness/seal"];
    !rule.starts_with("self-protection/") && !kept.contains(&rule)
}

/// Whether a file tool names nothing but this path and what is below it, as spelled and
/// where it leads.
fn is_below(call: &ToolCall<'_>, path: &str, world: &dyn World) -> bool {
    let named = tools::named_paths(call);
    tools::file_effect(call.tool()).is_some()
        && !named.is_empty()
        && named.iter().all(|name| {
            let spelled = paths::normal(call.cwd(), name);
            paths::within(&spelled, path) && paths::within(&world.resolve(call.cwd(), name), path)
        })
}

/// Whether every command of the line is known and begins with these words, and nothing
/// around it changes what it does.
fn begins_with(ruling: &Ruling, prefix: &str) -> bool {
    let words: Vec<&str> = prefix.split_whitespace().collect();
    ruling.script.as_ref().is_some_and(|script| {
        script.opaque.is_empty()
            && !script.commands.is_empty()
            && script.commands.iter().all(|command| command_begins(command, &words))
    })
}

fn command_begins(command: &Command, words: &[&str]) -> bool {
    let argv = || std::iter::once(&command.program).chain(&command.args);
    command.assigns.is_empty()
        && command.via.is_empty()
        && command.cwd.is_none()
        && command.redirects.iter().all(|r| r.kind == RedirectKind::Text)
        && words.len() <= command.args.len() + 1
        && argv().zip(words).all(|(word, want)| word.literal && !word.glob && word.text == *want)
}

#[cfg(test)]
mod tests {
    use super::{Scope, answering};
    use crate::policy::{Cast, Layer, Ruling, paths};
    use harness_core::json::{Limits, parse};
    use harness_core::{Identity, Reason, RuleId, ToolCall, Verdict, World};

    struct Flat;
    impl World for Flat {
        fn resolve(&self, base: &str, path: &str) -> String {
            paths::normal(base, path).replace("/w/link", "/etc")
        }
        fn now_ms(&self) -> u64 {
            0
        }
        fn home(&self) -> &str {
            "/home/u"
        }
    }

    fn call(tool: &str, input: &str, agent: Option<&str>) -> ToolCall<'static> {
        let identity = Identity {
            session: "s".into(),
            call: "c".into(),
            agent: agent.map(|a| a.to_owned().into()),
            tool: tool.to_owned().into(),
            cwd: "/w".into(),
        };
        let input = parse(input.as_bytes(), Limits::default()).expect("json").value.into_owned();
        ToolCall::seal(identity, input, false)
    }

    fn ruling(call: &ToolCall<'_>, votes: &[(&str, &'static str)]) -> Ruling {
        let reason = Reason::new(RuleId::named("r".to_owned()), "why");
        let verdict = match votes.first() {
            Some((_, "deny")) => Verdict::deny(reason),
            Some((_, "ask")) => Verdict::ask(reason),
            _ => Verdict::no_objection(),
        };
        let cast = |(rule, vote): &(&str, &'static str)| Cast {
            rule: RuleId::named((*rule).to_owned()),
            layer: Layer::User,
            place: None,
            vote,
            guards: *vote == "deny",
        };
        let script = call.input().str_at("command").map(|line| {
            harness_shell::read(
                &line,
                harness_shell::Dialect::Posix,
                harness_shell::Limits::default(),
            )
        });
        Ruling { verdict, votes: votes.iter().map(cast).collect(), script }
    }

    fn answers(scope: Scope<'_>, call: &ToolCall<'_>, votes: &[(&str, &'static str)]) -> bool {
        answering(&[None, Some(scope)], &ruling(call, votes), call, "mark", &Flat) == Some(1)
    }

    #[test]
    fn a_denial_a_subagent_and_self_protection_are_out_of_reach() {
        let push = call("Bash", r#"{"command":"git push"}"#, None);
        let scopes = [Scope::Once("mark"), Scope::Rule("a"), Scope::Prefix("git")];
        for scope in scopes {
            assert!(answers(scope, &push, &[("a", "ask")]), "{scope:?}");
            assert!(!answers(scope, &push, &[("g", "deny"), ("a", "ask")]), "{scope:?}");
            let child = call("Bash", r#"{"command":"git push"}"#, Some("agent"));
            assert!(!answers(scope, &child, &[("a", "ask")]), "{scope:?}");
            let own = answers(scope, &push, &[("a", "ask"), ("self-protection/settings", "ask")]);
            assert_eq!(own, matches!(scope, Scope::Once(_)), "{scope:?}");
        }
        assert!(!answers(Scope::Once("other"), &push, &[("a", "ask")]));
        assert!(!answers(Scope::Rule("a"), &push, &[("a", "ask"), ("b", "ask")]));
        let both = [Some(Scope::Rule("b")), Some(Scope::Rule("a"))];
        let asked = ruling(&push, &[("a", "ask"), ("b", "ask")]);
        assert_eq!(answering(&both, &asked, &push, "", &Flat), Some(1));
    }

    #[test]
    fn a_prefix_is_for_lines_of_nothing_else() {
        let ask = [("a", "ask")];
        for (line, fits) in [
            ("npm publish", true),
            ("npm publish --tag next", true),
            ("npm publish && npm publish x", true),
            ("npm pack", false),
            ("npm", false),
            ("npm publishx", false),
            ("npm publish; rm -rf x", false),
            ("npm publish $(rm x)", false),
            ("npm publish > ~/.bashrc", false),
            ("A=1 npm publish", false),
            ("sudo npm publish", false),
            ("cd x && npm publish", false),
            ("npm \"$X\"", false),
            ("sh -c 'npm publish'", false),
        ] {
            let call = call("Bash", &format!("{{\"command\":{line:?}}}"), None);
            assert_eq!(answers(Scope::Prefix("npm publish"), &call, &ask), fits, "{line}");
        }
    }

    #[test]
    fn a_path_is_for_file_tools_below_it_wherever_links_lead() {
        let ask = [("a", "ask")];
        for (tool, path, fits) in [
            ("Write", "/w/src/a", true),
            ("Edit", "src/a", true),
            ("Write", "/w/src", true),
            ("Write", "/w/src/../b", false),
            ("Write", "/w/srcs", false),
            ("Write", "/w/link/x", false),
            ("Bash", "/w/src/a", false),
        ] {
            let call = call(tool, &format!("{{\"file_path\":{path:?}}}"), None);
            assert_eq!(answers(Scope::Path("/w/src"), &call, &ask), fits, "{tool} {path}");
        }
        let leads = call("Write", r#"{"file_path":"/w/link/x"}"#, None);
        assert!(!answers(Scope::Path("/w/link"), &leads, &ask));
    }
}
