//! Hooks that plugins bring: those of every plugin that is installed for this folder and
//! switched on, as the client writes both down (2.1.332, measured).

use crate::doctor::effective::File;
use crate::doctor::handler::Handler;
use crate::hosts::claude_code::caps::Version;
use crate::hosts::claude_code::decoder::Since;
use crate::hosts::claude_code::places::{Scope, config_dir};
use crate::install::Surroundings;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The variable that the client sets for them, and expands itself in exec form.
pub const ROOT: &str = "CLAUDE_PLUGIN_ROOT";

/// The plugin that a hook is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// `name@marketplace`
    pub name: String,
    /// Its folder.
    pub root: PathBuf,
}

/// Every hook of a plugin that the client loads here.
#[must_use]
pub fn handlers(around: &Surroundings, files: &[File], version: Version) -> Vec<Handler> {
    let on = enabled(files);
    let plugins = installed(around, version).into_iter();
    let plugins = plugins.filter(|p| on.get(&p.name).copied().unwrap_or(false));
    plugins.flat_map(|plugin| of(&plugin, version)).collect()
}

/// What settings say of plugins; a later scope has the last word.
fn enabled(files: &[File]) -> BTreeMap<String, bool> {
    let mut read: Vec<&File> = files.iter().collect();
    read.sort_by_key(|f| f.scope);
    let mut on = BTreeMap::new();
    for settings in read.into_iter().filter_map(File::json) {
        let said = settings.get("enabledPlugins").and_then(Value::as_object);
        for (name, value) in said.into_iter().flatten() {
            on.insert(name.clone(), value != &Value::Bool(false) && !value.is_null());
        }
    }
    on
}

/// The plugins that are there, for every folder or for this one.
fn installed(around: &Surroundings, version: Version) -> Vec<Plugin> {
    let folder = config_dir(&around.home, around.config_dir.as_deref()).join("plugins");
    let Some(list) = json(&folder.join("installed_plugins.json")) else { return Vec::new() };
    let shelves = json(&folder.join("known_marketplaces.json"));
    let shelves = shelves.filter(|_| Since::PluginsInPlace.held_by(version)).unwrap_or_default();
    let here = |entry: &Value| {
        let project = entry["projectPath"].as_str().map(Path::new);
        project.is_none_or(|p| p == around.cwd || around.git_root.as_deref() == Some(p))
    };
    let mut found = Vec::new();
    for (name, entries) in list["plugins"].as_object().into_iter().flatten() {
        let mut entries = entries.as_array().into_iter().flatten();
        if let Some(copy) = entries.find(|e| here(e)).and_then(|e| e["installPath"].as_str()) {
            let root = in_place(name, &shelves).unwrap_or_else(|| copy.into());
            found.push(Plugin { name: name.clone(), root });
        }
    }
    found
}

/// Where a plugin lies in a marketplace that is a folder of this machine.
fn in_place(name: &str, shelves: &Value) -> Option<PathBuf> {
    let (plugin, shelf) = name.rsplit_once('@')?;
    let shelf = shelves.get(shelf).filter(|s| s["source"]["source"] == "directory")?;
    let folder = Path::new(shelf["installLocation"].as_str()?);
    let offers = json(&folder.join(".claude-plugin/marketplace.json"))?;
    let mut offers = offers["plugins"].as_array()?.iter();
    let source = offers.find(|p| p["name"] == plugin)?["source"].as_str()?;
    let place = folder.join(source.trim_start_matches("./"));
    place.is_dir().then_some(place)
}

fn json(file: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

/// Its hooks: `hooks/hooks.json`, and what its manifest names besides.
fn of(plugin: &Plugin, version: Version) -> Vec<Handler> {
    let mut files = vec![plugin.root.join("hooks/hooks.json")];
    let manifest = plugin.root.join(".claude-plugin/plugin.json");
    let said = json(&manifest).map(|m| m["hooks"].clone()).unwrap_or_default();
    let mut found = Vec::new();
    match &said {
        Value::String(file) => files.push(plugin.root.join(file.trim_start_matches("./"))),
        Value::Object(inner) => {
            let hooks = if inner.contains_key("hooks") {
                said.clone()
            } else {
                serde_json::json!({ "hooks": said })
            };
            found.extend(read(plugin, &manifest, hooks.to_string().as_bytes(), version));
        }
        _ => {}
    }
    files.dedup();
    for file in files {
        let bytes = std::fs::read(&file).unwrap_or_default();
        found.extend(read(plugin, &file, &bytes, version));
    }
    found
}

fn read(plugin: &Plugin, file: &Path, bytes: &[u8], version: Version) -> Vec<Handler> {
    let file = File::read(Scope::User, file, bytes, version);
    let root = plugin.root.to_string_lossy();
    // The client puts the folder in before a shell or nobody reads the rest.
    let full = |word: &str| word.replace(&format!("${{{ROOT}}}"), &root);
    let mut handlers = file.settings().map(|s| s.handlers.clone()).unwrap_or_default();
    for handler in &mut handlers {
        handler.command = full(&handler.command);
        handler.args = handler.args.take().map(|args| args.iter().map(|a| full(a)).collect());
        handler.plugin = Some(plugin.clone());
    }
    handlers
}

/// The command of a plugin as it is written, before the client puts the plugin's folder in;
/// `None` where it doesn't name that folder.
#[must_use]
pub fn template(handler: &Handler) -> Option<(String, Vec<String>)> {
    let command = handler.entry.command()?.to_owned();
    let args = handler.entry.args().unwrap_or_default();
    let args: Vec<String> = args.into_iter().map(str::to_owned).collect();
    let names = command.contains(ROOT) || args.iter().any(|a| a.contains(ROOT));
    (handler.plugin.is_some() && names).then_some((command, args))
}
