//! What each host makes of each answer, by the model of its decoder: never something looser.

use super::super::ready;
use super::super::understood::{Understood, call};
use super::*;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

const OLD: Version = Version::new(2, 1, 100);
const OTHERS: &[HostId] =
    &[HostId::Dsh, HostId::Grok, HostId::Codex, HostId::Gemini, HostId::Copilot, HostId::Qwen];

fn reply(host: HostId, decision: Decision, context: &str) -> Reply {
    let outbound = Outbound { decision, context: context.to_owned() };
    encode(host, Some(EventName::PreToolUse), &outbound, Some("Bash"), OLD)
}

fn is_stopped_with_a_reason(understood: &Understood) -> bool {
    matches!(understood, Understood::Stopped(reason) if !reason.trim().is_empty())
}

proptest! {
    #[test]
    fn no_verdict_decodes_looser(reason in any::<String>(), context in any::<String>()) {
        for host in HostId::ALL {
            let deny = reply(*host, Decision::Deny(reason.clone()), &context);
            prop_assert!(is_stopped_with_a_reason(&call(*host, &deny)), "{host:?} {deny:?}");
            let ask = call(*host, &reply(*host, Decision::Ask(reason.clone()), &context));
            let asks = host.profile().asks && ask == Understood::Asks;
            prop_assert!(asks || is_stopped_with_a_reason(&ask), "{host:?} {ask:?}");
            let silence = reply(*host, Decision::Silence, &context);
            prop_assert_eq!(call(*host, &silence), Understood::Runs);
            prop_assert!(silence.code == 0 && silence.stderr.is_empty());
        }
    }

    #[test]
    fn each_channel_alone_still_denies(reason in any::<String>()) {
        for host in OTHERS {
            let whole = reply(*host, Decision::Deny(reason.clone()), "");
            let stdout = Reply { code: 0, stderr: Vec::new(), ..whole.clone() };
            let exit = Reply { stdout: Vec::new(), ..whole.clone() };
            for alone in [&stdout, &exit] {
                let got = call(*host, alone);
                prop_assert!(matches!(got, Understood::Stopped(_)), "{host:?} {alone:?}");
            }
            if matches!(host, HostId::Grok | HostId::Gemini | HostId::Copilot) {
                let lost = Reply { code: 1, ..whole };
                prop_assert!(matches!(call(*host, &lost), Understood::Stopped(_)), "{host:?}");
            }
        }
    }
}

#[test]
fn what_is_ready_before_the_event_is_read_denies_everywhere() {
    for host in HostId::ALL {
        let plan = ready::plan(*host, Some(EventName::PreToolUse));
        for ready in
            [plan.panic, plan.crash, plan.memory, plan.deadline, plan.stopped, plan.unwritable]
        {
            let reply = Reply {
                stdout: ready.stdout.to_vec(),
                stderr: ready.stderr.to_vec(),
                code: plan.code,
            };
            assert!(is_stopped_with_a_reason(&call(*host, &reply)), "{host:?} {reply:?}");
        }
        // An event that nobody could name.
        let unclear = ready::plan(*host, None);
        assert_eq!(unclear.code, 2);
        assert!(!unclear.crash.stderr.is_empty());
    }
}

#[test]
fn codex_on_windows_is_told_by_json_alone() {
    let outbound = Outbound { decision: Decision::Deny("no".into()), context: String::new() };
    let event = Some(EventName::PreToolUse);
    let reply = encode_on(Os::Windows, HostId::Codex.profile(), event, &outbound);
    assert_eq!((reply.code, reply.stderr.as_slice()), (0, &b""[..]));
    assert!(is_stopped_with_a_reason(&call(HostId::Codex, &reply)));
}

#[test]
fn the_bytes_of_a_denial_are_what_was_measured() {
    let nested = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    let top = r#"{"decision":"deny","reason":"no"}"#;
    let both = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"},"permissionDecision":"deny","permissionDecisionReason":"no"}"#;
    for (host, json) in [
        (HostId::Dsh, nested),
        (HostId::Codex, nested),
        (HostId::Qwen, nested),
        (HostId::Grok, top),
        (HostId::Gemini, top),
        (HostId::Copilot, both),
    ] {
        let got = reply(host, Decision::Deny(" no ".into()), "context");
        assert_eq!(String::from_utf8_lossy(&got.stdout), json, "{host:?}");
        assert_eq!((got.stderr.as_slice(), got.code), (&b"no\n"[..], 2), "{host:?}");
    }
}

#[test]
fn context_goes_out_only_where_it_reaches_the_model() {
    for host in OTHERS {
        for event in EventName::ALL {
            let outbound = Outbound { decision: Decision::Silence, context: "mark".into() };
            let got = encode(*host, Some(*event), &outbound, None, OLD);
            let reaches = host.profile().context.contains(event);
            assert_eq!(!got.stdout.is_empty(), reaches, "{host:?} {event:?}");
        }
    }
    let outbound = Outbound { decision: Decision::Silence, context: "mark".into() };
    let got = encode(HostId::Gemini, Some(EventName::UserPromptSubmit), &outbound, None, OLD);
    let json =
        r#"{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"mark"}}"#;
    assert_eq!(String::from_utf8_lossy(&got.stdout), json);
}

#[test]
fn a_result_is_replaced_by_the_reason_where_the_host_does_that() {
    let of = |host, json: &str| {
        let decision = Decision::Replace(json.as_bytes().to_vec());
        let outbound = Outbound { decision, context: String::new() };
        let got = encode(host, Some(EventName::PostToolUse), &outbound, Some("Bash"), OLD);
        String::from_utf8_lossy(&got.stdout).into_owned()
    };
    assert_eq!(
        of(HostId::Codex, r#""key [redacted]""#),
        r#"{"decision":"block","reason":"key [redacted]"}"#
    );
    assert_eq!(of(HostId::Gemini, r#"{"llmContent":"x"}"#), r#"{"decision":"deny","reason":"x"}"#);
    assert!(of(HostId::Grok, r#""x""#).contains("harness/replace"));
    assert!(of(HostId::Qwen, r#""x""#).contains("additionalContext"));
}
