//! What taking hooks out of a settings text takes with them: the groups, arrays and the
//! `hooks` object that nothing else was in.

use super::edit::{Before, Trace};
use super::splice::{self, Edit};
use super::syntax::{Member, Node};

/// The edits that take out the hooks that go, in one pass however many they are. `goes`
/// has a word for each hook, in the order of [`super::hooks::list`].
pub(super) fn of<'t>(
    root: &Node,
    trace: Option<&'t Trace>,
    goes: &mut dyn Iterator<Item = bool>,
) -> Vec<Edit<'t>> {
    let members = root.members().unwrap_or_default();
    let parts = members.iter().map(|member| match member.key.as_str() {
        "hooks" => hooks(&member.value, trace, goes),
        _ => Part::Stays(Vec::new()),
    });
    let emptied = trace.and_then(|t| t.root.as_deref()).unwrap_or_default();
    match together(root, parts.collect(), Some(emptied)) {
        Part::Stays(edits) => edits,
        Part::Goes => Vec::new(),
    }
}

/// What becomes of a part of the text.
enum Part<'t> {
    /// It stays, with these edits in it.
    Stays(Vec<Edit<'t>>),
    /// It goes.
    Goes,
}

fn hooks<'t>(
    hooks: &Node,
    trace: Option<&'t Trace>,
    goes: &mut dyn Iterator<Item = bool>,
) -> Part<'t> {
    let members = hooks.members().unwrap_or_default();
    let parts = members.iter().map(|member| event(member, trace, goes)).collect();
    together(hooks, parts, stays(trace, trace.and_then(|t| t.hooks.as_ref())))
}

fn event<'t>(
    event: &Member,
    trace: Option<&'t Trace>,
    goes: &mut dyn Iterator<Item = bool>,
) -> Part<'t> {
    let groups = event.value.elements().unwrap_or_default();
    let parts = groups.iter().map(|group| in_group(group, goes)).collect();
    let emptied = stays(trace, trace.and_then(|t| t.events.get(&event.key)));
    together(&event.value, parts, emptied)
}

fn in_group<'t>(group: &Node, goes: &mut dyn Iterator<Item = bool>) -> Part<'t> {
    let Some(list) = group.get("hooks").map(|m| &m.value) else { return Part::Stays(Vec::new()) };
    let hooks = list.elements().unwrap_or_default();
    let parts = hooks.iter().map(|_| match goes.next() {
        Some(true) => Part::Goes,
        _ => Part::Stays(Vec::new()),
    });
    together(list, parts.collect(), None)
}

/// The edits of a container's items, and the container's own. `emptied`: what stays
/// between its brackets if all its items go; without it, it goes with them.
fn together<'t>(container: &Node, parts: Vec<Part<'t>>, emptied: Option<&'t str>) -> Part<'t> {
    let goes: Vec<bool> = parts.iter().map(|p| matches!(p, Part::Goes)).collect();
    if goes.iter().all(|g| *g) && !goes.is_empty() {
        return match emptied {
            Some(emptied) => Part::Stays(splice::remove(container, &goes, emptied)),
            None => Part::Goes,
        };
    }
    let inner = parts.into_iter().filter_map(|part| match part {
        Part::Stays(edits) => Some(edits),
        Part::Goes => None,
    });
    let mut edits: Vec<Edit<'t>> = inner.flatten().collect();
    if goes.contains(&true) {
        edits.extend(splice::remove(container, &goes, ""));
        edits.sort_by_key(|e| e.range.start);
    }
    Part::Stays(edits)
}

/// What stays between the brackets of a container that becomes empty; `None` if it goes
/// with its last item.
fn stays<'t>(trace: Option<&Trace>, before: Option<&'t Before>) -> Option<&'t str> {
    match before {
        Some(Before::Absent) => None,
        Some(Before::Empty(interior)) => Some(interior),
        // It had other items once, which a person has taken out since.
        None => trace.is_some().then_some(""),
    }
}
