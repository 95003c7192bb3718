//! The two clients these tests are about, at pinned versions.

use harness::doctor::live::client::Client;
use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};

/// The newest version measured: exec form, `onFailure`.
pub(super) const NEW: &str = "2.1.332";
/// A version before exec form and `onFailure`, run by node.
pub(super) const OLD: &str = "2.1.100";

/// The client of [`NEW`].
pub(super) fn new() -> Client {
    named("HARNESS_TEST_CLAUDE", NEW)
}

/// The client of [`OLD`].
pub(super) fn old() -> Client {
    named("HARNESS_TEST_CLAUDE_OLD", OLD)
}

/// Whether it is the client of [`NEW`].
pub(super) fn is_new(client: &Client) -> bool {
    *client == new()
}

/// Fails rather than skips: a test of the real client that didn't meet it proves nothing.
fn named(variable: &str, version: &str) -> Client {
    let path = std::env::var_os(variable).unwrap_or_else(|| {
        panic!("`{variable}` must name Claude Code {version}; `./ci/test` gets it and sets that")
    });
    Client::at(Path::new(&path))
        .unwrap_or_else(|e| panic!("`{variable}` names no client ({e}); run `./ci/test`"))
}

/// Clients at once: each takes some hundred megabytes and a core.
const PLACES: usize = 2;

static TAKEN: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// A place to run one client in; given back when dropped.
pub(super) struct Place(());

/// Waits for a place.
pub(super) fn place() -> Place {
    let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let full = |taken: &mut usize| *taken >= PLACES;
    let mut taken = FREED.wait_while(taken, full).unwrap_or_else(PoisonError::into_inner);
    *taken += 1;
    Place(())
}

impl Drop for Place {
    fn drop(&mut self) {
        *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        FREED.notify_one();
    }
}
