//! The inside of a verdict can be neither named nor replaced.
use harness_core::{Reason, RuleId, Verdict};

fn main() {
    let mut denied = Verdict::deny(Reason::new(RuleId::built_in("r"), "no"));
    denied.0 = Verdict::no_objection().0;
}
