//! What a decision met, as a record keeps it, so that it can be made again elsewhere.

use harness_core::{Json, Text};

use super::scene::Scene;
use crate::journal::record::Record;
use crate::journal::redact;
use crate::sys::world::Met;

/// Links and files kept of one decision; one that met more can't be made again.
const MOST: usize = 64;
/// The longest file kept whole, in bytes.
const FILE: usize = 1 << 10;

/// Adds what the decision met. Most meet nothing.
#[must_use]
pub fn add(record: Record, scene: &Scene) -> Record {
    let record = match scene.homes() {
        [] | [_] => record,
        homes => record.list("homes", homes.iter().map(String::as_str)),
    };
    let met = scene.world().met();
    if met == Met::default() { record } else { record.json("world", &json(&met)) }
}

fn json(met: &Met) -> Json<'static> {
    let text = |text: &str| Text::from(text.to_owned());
    let links = met.links.iter().take(MOST);
    let links = links.map(|(path, leads)| (text(path), Json::String(text(leads)))).collect();
    let files = met.files.iter().take(MOST);
    let files = files.map(|(path, bytes)| (text(path), file(bytes.as_deref()))).collect();
    let cut = met.links.len() > MOST || met.files.len() > MOST;
    Json::Object(vec![
        (text("links"), Json::Object(links)),
        (text("files"), Json::Object(files)),
        (text("cut"), Json::Bool(cut)),
    ])
}

/// A short file without secrets is kept; of another only its size.
fn file(bytes: Option<&[u8]>) -> Json<'static> {
    let Some(bytes) = bytes else { return Json::Null };
    let kept = std::str::from_utf8(bytes).ok().filter(|text| {
        text.len() <= FILE && matches!(redact::text(text), std::borrow::Cow::Borrowed(_))
    });
    match kept {
        Some(text) => Json::String(Text::from(text.to_owned())),
        None => Json::Number(bytes.len().to_string().into()),
    }
}
