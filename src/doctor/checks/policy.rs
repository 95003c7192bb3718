//! Whether the policy files can be relied on.

use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::policy::Layer;

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
}
