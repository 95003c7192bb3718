//! Proves that hooks work, or says which don't and why.
//!
//! [`examine`] looks at everything once ([`scene`]), lets the static [`checks`] and the
//! executed [`probes`] find what is wrong, and folds that into one [`report::Report`].

pub mod checks;
pub mod effective;
pub mod finding;
pub mod foreign;
pub mod handler;
mod history;
pub mod line;
pub mod live;
pub mod probes;
pub mod render;
pub mod report;
pub mod scene;
mod scratch;
pub mod table;
pub mod verdict;

use crate::install::Surroundings;
use std::path::PathBuf;

/// What to examine.
#[derive(Clone, Debug)]
pub struct Request {
    /// The person, folders and environment.
    pub around: Surroundings,
    /// The folder of the machine's settings.
    pub managed: PathBuf,
    /// Whether the client's own switches are set in the environment.
    pub switches: effective::Switches,
    /// Drive the person's own client as well.
    pub live: bool,
    /// Run others' hooks too, which a person has agreed to.
    pub all_hooks: bool,
    /// What is expected of them.
    pub expected: Vec<foreign::expect::Call>,
    /// The system's table of mounts, as text.
    pub mounts: String,
    /// Where the homes of Windows users are seen from Linux on Windows.
    pub windows_users: PathBuf,
}

impl Request {
    /// What this process stands in.
    #[must_use]
    pub fn here(around: Surroundings) -> Self {
        let managed = crate::hosts::claude_code::places::managed_dir(around.os);
        let set = |name: &str| {
            std::env::var_os(name).is_some_and(|v| !v.is_empty() && v != "0" && v != "false")
        };
        let switches = effective::Switches {
            simple: set("CLAUDE_CODE_SIMPLE"),
            safe_mode: set("CLAUDE_CODE_SAFE_MODE"),
        };
        Self {
            around,
            managed,
            switches,
            live: false,
            all_hooks: false,
            expected: Vec::new(),
            mounts: std::fs::read_to_string("/proc/self/mounts").unwrap_or_default(),
            windows_users: PathBuf::from("/mnt/c/Users"),
        }
    }
}

/// Examines one host.
#[must_use]
pub fn examine(request: &Request, progress: &dyn Fn(&str)) -> report::Report {
    examined(request, progress).0
}

/// Examines one host; also which hooks of others were met, for whoever shows the report to
/// write down.
#[must_use]
pub fn examined(request: &Request, progress: &dyn Fn(&str)) -> (report::Report, foreign::met::Met) {
    let scene = scene::Scene::look(request);
    let mut found = finding::Findings::default();
    checks::run(&scene, &mut found);
    history::check(&scene, &mut found);
    probes::run(&scene, &mut found);
    if request.all_hooks {
        probes::foreign::run(&scene, &request.expected, &mut found);
    }
    let live = request.live.then(|| probes::live::run(&scene, request.all_hooks, progress));
    let met = foreign::met::Met::now(&scene);
    (verdict::report(&scene, found, live), met)
}
