//! A grant is for one call.
use harness_core::ask::Grant;

fn twice(grant: Grant) -> (Grant, Grant) {
    (grant.clone(), grant)
}

fn main() {}
