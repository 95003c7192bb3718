//! Reads a policy file's TOML. Every mistake is reported at once, each with its place,
//! its key and what to write instead.

mod check;
mod problem;
mod rest;
mod rule;
mod section;

use toml::de::DeTable;

use super::Layer;
use super::file::File;
pub use problem::{Lines, Problem, nearest};
use section::Section;

/// The largest policy file that is read.
pub const BOUND: u64 = 4 << 20;

/// Reads a policy file of a layer and hands what it says to `then`.
///
/// # Errors
/// Everything that is wrong with the file, in the order of the file.
pub fn with_file<T>(
    bytes: &[u8],
    layer: Layer,
    then: impl FnOnce(&File<'_>) -> T,
) -> Result<T, Vec<Problem>> {
    let text = decode(bytes).map_err(|p| vec![p])?;
    let lines = Lines::of(text);
    let (tree, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(problem::sorted(errors.iter().map(|e| lines.syntax(e)).collect()));
    }
    let mut problems = Vec::new();
    let file = read(&tree, layer, &lines, &mut problems);
    if problems.is_empty() { Ok(then(&file)) } else { Err(problem::sorted(problems)) }
}

fn decode(bytes: &[u8]) -> Result<&str, Problem> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || bytes.contains(&0) {
        return Err(Problem::whole("it is UTF-16 or binary", "save it as UTF-8"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|e| {
        let line =
            bytes.get(..e.valid_up_to()).map_or(0, |b| b.iter().filter(|c| **c == b'\n').count());
        Problem::at_line(line + 1, "a byte that is not UTF-8", "save it as UTF-8")
    })
}

fn read<'t>(
    tree: &'t toml::Spanned<DeTable<'t>>,
    layer: Layer,
    lines: &Lines<'_>,
    problems: &mut Vec<Problem>,
) -> File<'t> {
    let mut root = Section::new(tree.get_ref(), tree.span(), String::new(), lines, problems);
    root.known(&[
        "version", "journal", "knobs", "presets", "packs", "listener", "guard", "except",
        "context", "post", "bridge",
    ]);
    rest::version(&mut root);
    let mut file = File::default();
    let project = layer == Layer::Project;
    if project {
        for key in ["journal", "knobs", "presets", "except"] {
            root.forbidden(
                key,
                "a project's file can't set this: it may only tighten",
                "move it to your own policy file, or take it out",
            );
        }
    } else {
        rest::journal(&mut root, &mut file);
        rest::knobs(&mut root, &mut file);
        rest::presets(&mut root, &mut file);
        rest::excepts(&mut root, &mut file);
    }
    rest::packs(&mut root, &mut file, project);
    rule::listeners(&mut root, &mut file, project);
    rule::guards(&mut root, &mut file);
    rest::contexts(&mut root, &mut file);
    rest::posts(&mut root, &mut file);
    rest::bridges(&mut root);
    check::unique(&file, root.problems());
    file
}

#[cfg(test)]
mod tests;
