//! The waterfall: listeners in order, the first one that does not delegate settles.
//!
//! A dispatch borrows its list, so the list cannot change under it: what is
//! registered while a call is decided first takes part in the next call.

use crate::call::ToolCall;
use crate::guard::StationError;
use crate::vote::{Answer, ProjectAnswer};
use crate::world::World;

/// A pre-execute listener of the managed or the user layer.
pub trait Listener {
    /// A vote, or [`Answer::Next`].
    ///
    /// # Errors
    /// When the listener itself could not do its work; that denies the call.
    fn hear(&self, call: &ToolCall<'_>, world: &dyn World) -> Result<Answer, StationError>;
}

/// A pre-execute listener of the project layer: it asks, denies or delegates.
pub trait ProjectListener {
    /// A tightening answer, or [`ProjectAnswer::Next`].
    ///
    /// # Errors
    /// When the listener itself could not do its work; that denies the call.
    fn hear(&self, call: &ToolCall<'_>, world: &dyn World) -> Result<ProjectAnswer, StationError>;
}

/// Runs a list to its first answer for which `settles` holds; `None` if all delegate.
///
/// # Errors
/// The first error ends the run, since nobody knows what its station would have said.
pub fn first_settled<T: ?Sized, A>(
    list: &[&T],
    mut ask: impl FnMut(&T) -> Result<Option<A>, StationError>,
) -> Result<Option<A>, StationError> {
    for station in list {
        if let Some(answer) = ask(station)? {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}
