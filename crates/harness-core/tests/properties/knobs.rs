//! P46 to P57: knobs, presets and what a log folds into.

use harness_core::knobs::value::Knob;
use harness_core::knobs::{
    ApprovalPolicy, CUSTOM, Deployment, Diagnostic, Folded, KnobEvent, LoggedEvent, Preset,
    PresetError, Presets, SandboxMode, SessionLog, apply, fold, pin,
};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::sample::{Index, select};
use proptest::{prop_assert, prop_assert_eq, proptest};

type Owned = (String, Option<String>);

fn folded(events: &[Owned]) -> Folded {
    let events: Vec<LoggedEvent<'_>> =
        events.iter().map(|(kind, value)| LoggedEvent { kind, value: value.as_deref() }).collect();
    fold(SessionLog::Events(&events))
}

fn event(kind: &str, value: &str) -> Owned {
    (kind.into(), Some(value.into()))
}

/// Events of all kinds, now and then with a value nobody knows.
fn events() -> impl Strategy<Value = Vec<Owned>> {
    let modes = ["read-only", "workspace-write", "danger-full-access", "Read-Only", ""];
    let policies = ["ask", "never", "sometimes"];
    let presets = ["workspace-write", "danger-full-access", "locked", "gone", "custom"];
    let one = (0..5, any::<Index>(), 0..12).prop_map(move |(kind, at, odd)| {
        let (kind, words): (&str, &[&str]) = match kind {
            0 => ("sandbox/mode", &modes),
            1 => ("approval/policy", &policies),
            2 => ("permission/preset", &presets),
            3 => ("alarm/tightened", &["rewrite"]),
            _ => ("tool/call", &["x"]),
        };
        (kind.to_owned(), (odd > 0).then(|| words[at.index(words.len())].to_owned()))
    });
    vec(one, 0..10)
}

fn deployment() -> impl Strategy<Value = Deployment> {
    (select(SandboxMode::ALL), select(ApprovalPolicy::ALL))
        .prop_map(|(sandbox, approval)| Deployment { sandbox, approval })
}

/// The two default rows, a strict one, and a second name for the first bundle.
fn presets() -> Presets {
    let mut rows = Presets::default().rows().to_vec();
    rows.push(row("locked", SandboxMode::ReadOnly, ApprovalPolicy::Never));
    rows.push(row("alias", SandboxMode::WorkspaceWrite, ApprovalPolicy::Ask));
    Presets::new(rows).expect("good rows")
}

fn row(name: &str, sandbox: SandboxMode, approval: ApprovalPolicy) -> Preset {
    Preset { name: name.into(), sandbox, approval, description: None }
}

fn name() -> impl Strategy<Value = &'static str> {
    select(vec!["workspace-write", "danger-full-access", "locked", "alias"])
}

fn derive(folded: &Folded, deployment: Deployment) -> String {
    presets().derive(folded, deployment).to_owned()
}

fn append(log: &mut Vec<Owned>, events: &[KnobEvent]) {
    log.extend(events.iter().map(|event| {
        let logged = event.logged();
        (logged.kind.to_owned(), logged.value.map(str::to_owned))
    }));
}

fn choose(log: &mut Vec<Owned>, name: &str, deployment: Deployment) -> Vec<KnobEvent> {
    let events = apply(&presets(), name, &folded(log), deployment).expect("a known preset");
    append(log, &events);
    events
}

proptest! {
    #[test]
    fn p46_one_knob_never_turns_the_other(log in events(), mode in select(SandboxMode::ALL)) {
        let before = folded(&log);
        let mut turned = log.clone();
        append(&mut turned, &[KnobEvent::Sandbox(mode)]);
        prop_assert_eq!(folded(&turned).approval, before.approval);
        prop_assert_eq!(folded(&turned).sandbox, Some(mode));
        let mut turned = log;
        append(&mut turned, &[KnobEvent::Approval(ApprovalPolicy::Ask)]);
        prop_assert_eq!(folded(&turned).sandbox, before.sandbox);
    }

    #[test]
    fn p47_the_last_event_of_a_knob_wins(
        log in events(), noise in vec((any::<Index>(), select(vec!["tool/call", "x"])), 0..6),
    ) {
        let mut noisy = log.clone();
        for (at, kind) in noise {
            noisy.insert(at.index(noisy.len() + 1), event(kind, "read-only"));
        }
        prop_assert_eq!(folded(&noisy), folded(&log));
        let own: Vec<Owned> = log.iter().filter(|(k, _)| k == "approval/policy").cloned().collect();
        prop_assert_eq!(folded(&own).approval, folded(&log).approval);
        prop_assert_eq!(folded(own.get(own.len().saturating_sub(1)..).unwrap_or_default()).approval,
            folded(&log).approval);
    }

    #[test]
    fn p48_what_nobody_knows_is_the_strictest(log in events(), word in "[a-z]{0,9}") {
        for (kind, value) in [
            ("sandbox/mode", Some(word.clone())), ("sandbox/mode", None),
            ("approval/policy", Some(word.clone())), ("approval/policy", None),
        ] {
            if value.as_deref().is_some_and(|w| SandboxMode::from_word(w).is_some() || ApprovalPolicy::from_word(w).is_some()) {
                continue;
            }
            let mut odd: Vec<Owned> = log.iter().filter(|(k, _)| k == "tool/call").cloned().collect();
            odd.push((kind.to_owned(), value));
            let now = folded(&odd);
            let strict = now.effective(Deployment { sandbox: SandboxMode::DangerFullAccess, approval: ApprovalPolicy::Ask });
            prop_assert_eq!(now.diagnostics.len(), 1);
            prop_assert_eq!(derive(&now, Deployment::default()), CUSTOM);
            if kind == "sandbox/mode" {
                prop_assert_eq!(strict.sandbox, SandboxMode::ReadOnly);
            } else {
                prop_assert_eq!(strict.approval, ApprovalPolicy::Never);
            }
        }
    }

    #[test]
    fn p49_p50_choosing_appends_what_changes_and_nothing_twice(
        log in events(), name in name(), deployment in deployment(),
    ) {
        let mut log = log;
        let before = folded(&log);
        let events = choose(&mut log, name, deployment);
        let rank = |event: &KnobEvent| match event {
            KnobEvent::Preset(_) => 0,
            KnobEvent::Sandbox(_) => 1,
            KnobEvent::Approval(_) => 2,
        };
        prop_assert!(events.len() <= 3);
        prop_assert!(events.windows(2).all(|pair| rank(&pair[0]) < rank(&pair[1])));
        for event in &events {
            match event {
                KnobEvent::Preset(_) => prop_assert!(derive(&before, deployment) != name),
                KnobEvent::Sandbox(mode) => prop_assert!(
                    before.doubts("sandbox/mode") || before.effective(deployment).sandbox != *mode
                ),
                KnobEvent::Approval(policy) => prop_assert!(
                    before.doubts("approval/policy")
                        || before.effective(deployment).approval != *policy
                ),
            }
        }
        prop_assert_eq!(derive(&folded(&log), deployment), name);
        prop_assert_eq!(choose(&mut log, name, deployment), []);
    }

    #[test]
    fn p51_the_last_choice_alone_counts(
        log in events(), p in name(), q in name(), deployment in deployment(),
    ) {
        let (mut both, mut one) = (log.clone(), log);
        choose(&mut both, p, deployment);
        choose(&mut both, q, deployment);
        choose(&mut one, q, deployment);
        let knobs = |log: &[Owned]| folded(log).effective(deployment);
        prop_assert_eq!(knobs(&both), knobs(&one));
    }

    #[test]
    fn p53_custom_is_left_by_turning_back(name in name(), deployment in deployment()) {
        let mut log = Vec::new();
        choose(&mut log, name, deployment);
        let bundle = folded(&log).effective(deployment);
        // Read-only and ask is no row of the table.
        append(&mut log, &[KnobEvent::Sandbox(SandboxMode::ReadOnly), KnobEvent::Approval(ApprovalPolicy::Ask)]);
        prop_assert_eq!(derive(&folded(&log), deployment), CUSTOM);
        append(&mut log, &[KnobEvent::Sandbox(bundle.sandbox), KnobEvent::Approval(bundle.approval)]);
        prop_assert_eq!(derive(&folded(&log), deployment), name);
    }

    #[test]
    fn p55_no_name_is_special(
        names in proptest::collection::hash_set(
            select(vec!["constructor", "__proto__", "1", "10", "2", "toString", "a b", "é"]), 1..8),
    ) {
        let rows: Vec<Preset> = names
            .iter()
            .map(|name| row(name, SandboxMode::WorkspaceWrite, ApprovalPolicy::Never))
            .collect();
        let table = Presets::new(rows.clone()).expect("good rows");
        let order: Vec<&str> = table.rows().iter().map(|row| row.name.as_str()).collect();
        let declared: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        prop_assert_eq!(order, declared);
        prop_assert!(table.find("hasOwnProperty").is_err());
        for name in &names {
            prop_assert_eq!(table.find(name).map(|row| row.name.as_str()), Ok(*name));
        }
    }

    #[test]
    fn p56_pinning_is_three_events_once(log in events(), deployment in deployment()) {
        let mut fresh = Vec::new();
        let events = pin(&presets(), "locked", &folded(&fresh), deployment).expect("in the table");
        prop_assert_eq!(events.len(), 3);
        append(&mut fresh, &events);
        prop_assert_eq!(pin(&presets(), "alias", &folded(&fresh), deployment), Ok(vec![]));

        let before = folded(&log);
        if before.sandbox.is_some() {
            let events = pin(&presets(), "locked", &before, deployment).expect("in the table");
            let mut resumed = log;
            append(&mut resumed, &events);
            prop_assert_eq!(folded(&resumed).effective(deployment), before.effective(deployment));
        }
    }
}

#[test]
fn p48_a_log_that_is_gone_is_the_strictest() {
    let lost = fold(SessionLog::Lost);
    let wide = Deployment { sandbox: SandboxMode::DangerFullAccess, approval: ApprovalPolicy::Ask };
    let strict = Deployment { sandbox: SandboxMode::ReadOnly, approval: ApprovalPolicy::Never };
    assert_eq!(lost.effective(wide), strict);
    assert_eq!(lost.diagnostics, [Diagnostic::LogLost]);
    assert_eq!(derive(&lost, wide), CUSTOM);
    assert_eq!(fold(SessionLog::Fresh).effective(wide), wide);
}

#[test]
fn p52_equal_rows_are_told_apart_by_the_recorded_name() {
    let wide = Deployment::default();
    let knobs =
        [event("sandbox/mode", "workspace-write"), event("approval/policy", "ask")].to_vec();
    assert_eq!(derive(&folded(&knobs), wide), "workspace-write");
    let mut named = knobs;
    named.push(event("permission/preset", "alias"));
    assert_eq!(derive(&folded(&named), wide), "alias");
    assert_eq!(
        choose(&mut named, "workspace-write", wide),
        [KnobEvent::Preset("workspace-write".into())]
    );
}

#[test]
fn p54_custom_is_neither_declared_nor_chosen() {
    let make = |name: &str| row(name, SandboxMode::ReadOnly, ApprovalPolicy::Ask);
    assert_eq!(Presets::new(vec![make("custom")]), Err(PresetError::Reserved));
    assert_eq!(Presets::new(vec![make(" ")]), Err(PresetError::Blank));
    assert_eq!(Presets::new(vec![make("a"), make("a")]), Err(PresetError::Twice("a".into())));
    for name in ["custom", "nope"] {
        let error = apply(&presets(), name, &folded(&[]), Deployment::default());
        let told = error.map_err(|e| e.to_string()).err().unwrap_or_default();
        for known in presets().rows() {
            assert!(told.contains(&known.name), "{told}");
        }
    }
}

#[test]
fn p97_an_alarm_holds_until_the_sandbox_is_set_anew() {
    let mut log = vec![event("sandbox/mode", "danger-full-access"), event("alarm/tightened", "x")];
    assert_eq!(folded(&log).sandbox, Some(SandboxMode::ReadOnly));
    log.push(event("sandbox/mode", "workspace-write"));
    assert_eq!(folded(&log).sandbox, Some(SandboxMode::WorkspaceWrite));
}
