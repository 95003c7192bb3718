//! Loops without an end that leave something running each time.

use crate::posix::ast::{Item, List, Node, NodeKind, Simple};

/// Whether a loop starts more and more beside itself, until the machine stands still.
pub(super) fn multiplies(until: bool, head: &List, body: &List) -> bool {
    has_no_end(until, head) && left(body) == Left::Running
}

/// `while true`, `while :`, `while [ 1 ]`, `until false`
fn has_no_end(until: bool, head: &List) -> bool {
    let [Item { nodes, background: false, .. }] = head.items.as_slice() else { return false };
    let [Node { kind: NodeKind::Simple(simple), .. }] = nodes.as_slice() else { return false };
    let mut words = simple.words.iter().map(|word| word.constant());
    let Some(Some(name)) = words.next() else { return false };
    match crate::resolve::base(&name) {
        "true" | ":" => !until,
        "false" => until,
        "[" | "test" if !until => {
            let mut rest = words.filter(|word| word.as_deref() != Some("]"));
            matches!((rest.next(), rest.next()), (Some(Some(text)), None) if !text.is_empty())
        }
        _ => false,
    }
}

/// What one round of a loop leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Nothing,
    /// Something that goes on beside the next round.
    Running,
    /// The round takes its time, or the loop may end with it.
    Bounded,
}

fn left(body: &List) -> Left {
    let mut left = Left::Nothing;
    for item in &body.items {
        if item.background {
            left = Left::Running;
            continue;
        }
        match item.nodes.as_slice() {
            [Node { kind: NodeKind::Simple(simple), .. }] => match foreground(simple) {
                Step::Waits => left = Left::Nothing,
                Step::Quick => {}
                Step::Takes => return Left::Bounded,
            },
            [Node { kind: NodeKind::Group(list), .. }] => match self::left(list) {
                Left::Nothing => {}
                Left::Running => left = Left::Running,
                Left::Bounded => return Left::Bounded,
            },
            [Node { kind: NodeKind::Subshell(list), .. }] => match self::left(list) {
                Left::Running => left = Left::Running,
                Left::Nothing | Left::Bounded if only_waits(list) => {}
                Left::Nothing | Left::Bounded => return Left::Bounded,
            },
            _ => return Left::Bounded,
        }
    }
    left
}

/// `(wait)`, which waits for nothing: what was started is none of the subshell's.
fn only_waits(list: &List) -> bool {
    list.items.iter().all(|item| match item.nodes.as_slice() {
        [Node { kind: NodeKind::Simple(simple), .. }] => {
            !item.background && foreground(simple) == Step::Waits
        }
        _ => false,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Waits,
    /// Over at once.
    Quick,
    /// Takes time, or ends the loop; nobody can tell.
    Takes,
}

fn foreground(simple: &Simple) -> Step {
    let Some(first) = simple.words.first() else { return Step::Quick };
    match first.bare() {
        Some("wait") => Step::Waits,
        Some("disown" | ":" | "true" | "echo" | "printf" | "let") => Step::Quick,
        _ => Step::Takes,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, EffectKind, Limits, read};

    fn multiplies(line: &str) -> bool {
        let script = read(line, Dialect::Posix, Limits::default());
        let mut effects = script.commands.iter().flat_map(|command| &command.effects);
        effects.any(|effect| effect.kind == EffectKind::Multiply)
    }

    #[test]
    fn loops_that_leave_something_running_each_time() {
        for line in [
            "while true; do work & done",
            "while :; do work & echo x; done",
            "until /usr/bin/false; do work & done",
            "while [ true ]; do work & done",
            "while true; do work & wait; work & done",
            "while true; do work & (wait); done",
            "while true; do wait; sleep 1 & disown; done",
            "while true; do (work &); done",
            "while true; do { work & }; done",
        ] {
            assert!(multiplies(line), "{line}");
        }
    }

    #[test]
    fn loops_that_wait_or_end() {
        for line in [
            "while true; do work & wait; done",
            "while true; do work & wait \"$!\"; done",
            "while true; do (work & wait); done",
            "while true; do work & break; done",
            "while true; do work & sleep 1; done",
            "while true; do work; done",
            "while read x; do work & done",
            "while false; do work & done",
            "until true; do work & done",
            "for x in 1 2 3; do work & done",
            "while true; do inotifywait .; make & done",
            "while true; do work & [ -f x ] && break; done",
        ] {
            assert!(!multiplies(line), "{line}");
        }
    }
}
