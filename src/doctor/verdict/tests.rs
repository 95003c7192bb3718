use super::{Ending, channel, checks, ending, healthy, is_bad, joined, root_of};
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::{Channel, Check, Evidence, HostReport, Report, State, Status};

fn said(state: State, evidence: Evidence, because: &[&str]) -> Channel {
    Channel { state, evidence, because: because.iter().map(|b| (*b).to_owned()).collect() }
}

fn with(found: &[Finding]) -> Findings {
    let mut all = Findings::default();
    for finding in found {
        all.add(finding.clone());
    }
    all
}

fn gate(found: &[Finding], seen: bool) -> Channel {
    channel(&with(found), |f| f.gate, seen)
}

fn host(gate: State, soft: State) -> HostReport {
    let of = |state| said(state, Evidence::Executed, &[]);
    let id = "claude-code".to_owned();
    HostReport { id, version: None, scope: Vec::new(), gate: of(gate), soft: of(soft) }
}

fn one(status: Status) -> Vec<Check> {
    let mut all = checks(&Findings::default(), false, true);
    all.truncate(1);
    for check in &mut all {
        check.status = status;
    }
    all
}

#[test]
fn alive_is_only_what_was_seen_and_nothing_speaks_against() {
    let (dead, unknown) = (Some(State::Dead), Some(State::Unknown));
    let fails = Finding::new("fails-open", "x").hits(dead, None);
    let lost = Finding::new("own-entry-lost", "x").hits(dead, None);
    let unsure = Finding::new("entry-unverified", "x").hits(unknown, None);
    let elsewhere = Finding::new("inert", "x").hits(None, dead);
    let plain = Finding::new("timeout-unit", "x");
    use Evidence::{Executed, Static};
    for (found, seen, right) in [
        (vec![], true, said(State::Alive, Executed, &[])),
        (vec![], false, said(State::Unknown, Static, &[])),
        (vec![plain], true, said(State::Alive, Executed, &[])),
        (vec![elsewhere], true, said(State::Alive, Executed, &[])),
        (vec![fails.clone()], true, said(State::Dead, Executed, &["fails-open"])),
        (vec![fails.clone()], false, said(State::Dead, Executed, &["fails-open"])),
        (vec![unsure.clone()], true, said(State::Unknown, Static, &["entry-unverified"])),
        (vec![unsure, fails.clone()], true, said(State::Dead, Executed, &["fails-open"])),
        // A consequence is no reason of its own.
        (vec![fails, lost.clone()], true, said(State::Dead, Static, &["own-entry-lost"])),
        (vec![lost], false, said(State::Dead, Static, &["own-entry-lost"])),
    ] {
        assert_eq!(gate(&found, seen), right, "{found:?} {seen}");
    }
}

#[test]
fn reasons_are_named_once_and_in_order() {
    let dead = |id, kind: &str| Finding::new(id, "x").kind(kind).hits(Some(State::Dead), None);
    let all = [dead("slow", "a"), dead("inert", "b"), dead("slow", "c")];
    assert_eq!(gate(&all, false).because, ["inert", "slow"]);
}

#[test]
fn what_the_client_did_outranks_but_revives_nothing() {
    let ours = |state| said(state, Evidence::Executed, &["ours"]);
    let live = |state| said(state, Evidence::Delivered, &["live"]);
    use State::{Alive, Dead, Unknown};
    for (ran, did, taken) in [
        (Alive, Alive, "live"),
        (Alive, Dead, "live"),
        (Alive, Unknown, "ours"),
        (Dead, Alive, "ours"),
        (Dead, Dead, "live"),
        (Dead, Unknown, "ours"),
        (Unknown, Alive, "ours"),
        (Unknown, Dead, "live"),
        (Unknown, Unknown, "ours"),
    ] {
        let joined = joined(ours(ran), &live(did));
        assert_eq!(joined.because, [taken], "{ran:?} {did:?}");
        assert_eq!(joined.state, if taken == "live" { did } else { ran }, "{ran:?} {did:?}");
    }
}

#[test]
fn a_root_explains_what_it_covers_and_no_more() {
    let (dead, none) = (Some(State::Dead), None);
    let root = |gate, soft| Finding::new("target-missing", "x").hits(gate, soft);
    let explained = |root: Finding, finding: Finding| {
        let all = [root, finding];
        all.last().and_then(|f| root_of(f, &all)).is_some()
    };
    let open = |gate, soft| Finding::new("fails-open", "x").hits(gate, soft);
    assert!(explained(root(dead, none), open(dead, none)));
    assert!(explained(root(dead, dead), open(dead, none)));
    assert!(explained(root(none, dead), open(none, dead)));
    assert!(explained(root(dead, none), open(none, none)));
    assert!(!explained(root(dead, none), open(none, dead)));
    assert!(!explained(root(dead, none), open(dead, dead)));
    assert!(!explained(root(Some(State::Unknown), none), open(dead, none)));
    // One that only warns explains nothing, and neither does one that doesn't list it.
    assert!(!explained(root(none, none).status(Status::Warn), open(none, none)));
    assert!(explained(root(none, none), open(none, none)), "it fails by the table");
    assert!(!explained(root(dead, none), Finding::new("deny-no-reason", "x")));
}

#[test]
fn bad_is_what_fails_or_hits_a_channel() {
    let new = |status| Finding::new("bom", "x").status(status);
    let bad = |f: Finding| is_bad(&f);
    assert!(!bad(Finding::new("bom", "x")) && bad(new(Status::Fail)));
    assert!(bad(Finding::new("bom", "x").hits(Some(State::Unknown), None)));
    assert!(bad(Finding::new("bom", "x").hits(None, Some(State::Dead))));
}

#[test]
fn healthy_is_nothing_dead_and_nothing_failed() {
    use State::{Alive, Dead, Unknown};
    for (gate, soft, status, right) in [
        (Alive, Alive, Status::Ok, true),
        (Unknown, Unknown, Status::Ok, true),
        (Dead, Alive, Status::Ok, false),
        (Alive, Dead, Status::Ok, false),
        (Alive, Alive, Status::Warn, true),
        (Alive, Alive, Status::Note, true),
        (Alive, Alive, Status::Skip, true),
        (Alive, Alive, Status::Fail, false),
        (Alive, Alive, Status::Error, false),
    ] {
        assert_eq!(healthy(&[&host(gate, soft)], &one(status)), right, "{gate:?} {soft:?}");
    }
}

#[test]
fn how_a_run_ends() {
    use State::{Alive, Unknown};
    let run = |ok, gate, soft, status, strict, ci| {
        let report = Report { schema: 1, ok, hosts: vec![host(gate, soft)], checks: one(status) };
        ending(&report, strict, ci)
    };
    for (ok, gate, soft, status, strict, ci, right) in [
        (true, Alive, Alive, Status::Ok, false, false, Ending::Well),
        (true, Alive, Alive, Status::Warn, false, false, Ending::Well),
        (true, Alive, Alive, Status::Warn, true, false, Ending::Ill),
        (true, Alive, Alive, Status::Note, true, false, Ending::Well),
        (false, Alive, Alive, Status::Ok, false, true, Ending::Ill),
        (false, Unknown, Alive, Status::Ok, false, true, Ending::Ill),
        (true, Unknown, Alive, Status::Ok, false, false, Ending::Unknown),
        (true, Alive, Unknown, Status::Ok, false, false, Ending::Unknown),
        (true, Unknown, Unknown, Status::Ok, false, true, Ending::Well),
        (true, Unknown, Unknown, Status::Warn, true, true, Ending::Ill),
    ] {
        let got = run(ok, gate, soft, status, strict, ci);
        assert_eq!(got, right, "{ok} {gate:?} {soft:?} {status:?} {strict} {ci}");
    }
}

#[test]
fn a_check_that_found_nothing_says_what_was_seen_or_that_it_was_not_reached() {
    let of = |found: &Findings, installed, id: &str| {
        let all = checks(found, false, installed);
        let check = all.into_iter().find(|c| c.id == id).expect("it is in the table");
        (check.status, check.message)
    };
    let mut found = Findings::default();
    let skipped = (Status::Skip, "not reached".to_owned());
    assert_eq!(of(&found, true, "inert"), skipped);
    assert_eq!(of(&found, false, "target-missing"), skipped);
    assert_eq!(of(&found, false, "duplicate-entry"), skipped);
    assert_eq!(of(&found, false, "not-installed").0, Status::Ok);
    assert_eq!(of(&found, false, "foreign-hooks").0, Status::Ok);
    assert_eq!(of(&found, true, "target-missing").0, Status::Ok);
    assert_eq!(of(&found, false, "bom").0, Status::Ok);
    found.soft_seen = true;
    assert_eq!(of(&found, true, "inert").0, Status::Ok);
    (found.soft_seen, found.gate_seen) = (false, true);
    assert_eq!(of(&found, true, "inert").0, Status::Ok);
    found.right("inert", "a");
    found.right("inert", "b");
    assert_eq!(of(&found, true, "inert"), (Status::Ok, "a; b".to_owned()));
    assert!(checks(&found, false, true).iter().all(|c| c.group != "live"));
    let live = checks(&found, true, true);
    assert!(live.iter().any(|c| c.group == "live" && c.status == Status::Skip));
}

#[test]
fn what_is_explained_has_no_next_step_of_its_own() {
    let dead = Some(State::Dead);
    let found = with(&[
        Finding::new("target-missing", "gone").hits(dead, None).fix("put it back"),
        Finding::new("fails-open", "open").hits(dead, None).fix("other"),
    ]);
    let all = checks(&found, false, true);
    let of = |id: &str| all.iter().find(|c| c.id == id).expect("it is in the table");
    assert_eq!(of("target-missing").status, Status::Fail);
    assert_eq!(of("target-missing").fix.as_deref(), Some("put it back"));
    assert_eq!(of("fails-open").status, Status::Skip);
    assert_eq!(of("fails-open").fix, None);
    assert_eq!(of("fails-open").message, "explained by target-missing");
}
