//! What can only be seen of the file as a whole.

use std::collections::HashMap;

use super::super::file::File;
use super::problem::Problem;

/// Ids are unique within a file.
pub(super) fn unique(file: &File<'_>, problems: &mut Vec<Problem>) {
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let ids =
        file.rules.iter().map(|r| (r.id, r.line)).chain(file.posts.iter().map(|p| (p.id, p.line)));
    for (id, line) in ids.filter(|(id, _)| !id.is_empty()) {
        if let Some(first) = seen.insert(id, line) {
            problems.push(Problem {
                line: line.max(first),
                column: 1,
                key: "id".to_owned(),
                what: format!("`{id}` is already the id of the rule in line {}", line.min(first)),
                instead: "give each rule its own id".to_owned(),
            });
        }
    }
}
