//! Whether the policy files can be relied on.

use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::policy::Layer;
use crate::policy::remarks::{self, Count, Remark};

/// How many mistakes of a file are shown.
const SHOWN: usize = 5;

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    let mut well = true;
    for loaded in scene.policy.layers() {
        let Some(problems) = loaded.broken() else { continue };
        well = false;
        let file = loaded.path.display().to_string();
        let (status, effect) = match loaded.layer {
            Layer::Project => (Status::Warn, "what is not plainly reading asks until it is mended"),
            _ => (Status::Fail, "every call is denied until it is mended"),
        };
        let mut finding = Finding::new("policy-bad", format!("`{file}` can't be used: {effect}"))
            .status(status)
            .fix("run `harness policy check`, which lists every mistake and what to write instead");
        for problem in problems.iter().take(SHOWN) {
            finding = finding.see(problem.located(&file));
        }
        found.add(finding);
    }
    if well {
        found.right("policy-bad", "every policy file there is can be used");
    }
    let (remarks, count) = remarks::of(&scene.policy);
    let (lost, weak): (Vec<_>, Vec<_>) = remarks.into_iter().partition(|r| r.kind == "guard-lost");
    guards(scene, &lost, found);
    self::weak(&weak, count, found);
}

/// Guards that deny whatever they are asked, for want of a program.
fn guards(scene: &Scene, lost: &[Remark], found: &mut Findings) {
    for remark in lost {
        let project = |l: &&crate::policy::load::Loaded| {
            l.layer == Layer::Project && l.path.display().to_string() == remark.file
        };
        let mut finding = Finding::new("guard-lost", remark.what.clone())
            .kind(remark.rule.clone().unwrap_or_default())
            .see(remark.place())
            .fix(remark.instead);
        if scene.policy.layers().iter().any(|l| project(&l)) {
            finding = finding.status(Status::Warn);
        }
        found.add(finding);
    }
}

/// What is right but weak: all of it in one finding for each kind.
fn weak(remarks: &[Remark], count: Count, found: &mut Findings) {
    if remarks.is_empty() {
        let what = format!("{} rules of files, each with examples; the core is on", count.rules);
        return found.right("policy-weak", what);
    }
    for kind in ["core-off", "no-such-tool", "no-examples"] {
        let of_kind: Vec<_> = remarks.iter().filter(|remark| remark.kind == kind).collect();
        let Some(first) = of_kind.first() else { continue };
        let what = match of_kind.len() {
            1 => first.what.clone(),
            many if kind == "no-such-tool" => {
                format!("{many} rules are for tools that no client has")
            }
            many => format!("{many} rules can't prove themselves, for want of examples"),
        };
        let mut finding = Finding::new("policy-weak", what).status(Status::Warn).fix(first.instead);
        for remark in of_kind.iter().take(SHOWN) {
            finding = finding.see(format!("{}: {}", remark.place(), remark.what));
        }
        found.add(finding);
    }
}
