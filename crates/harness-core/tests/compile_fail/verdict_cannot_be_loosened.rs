//! A verdict goes one way; there is nothing to call for the other.
use harness_core::{Reason, RuleId, Verdict};

fn main() {
    let denied = Verdict::deny(Reason::new(RuleId::built_in("r"), "no"));
    let _ = denied.loosen(Verdict::no_objection());
}
