//! What `harness knob` and `harness preset` share: whose knobs, what they are and how they
//! came to be, and setting them.

use std::path::{Path, PathBuf};

use harness_core::World;
use harness_core::knobs::value::Knob as _;
use harness_core::knobs::{Deployment, Folded, KnobEvent};

use super::consent::{self, Failed};
use super::exit::Exit;
use super::scene::{self, Scene};
use crate::hook::knobs::{self, Ladder};
use crate::hook::{limits, scene as hook};
use crate::journal::authority::{self, Line};
use crate::journal::record::Record;
use crate::journal::{audit, place};
use crate::sys::person;
use crate::sys::world::Machine;

/// Whose knobs.
#[derive(Debug, clap::Args)]
pub struct Whose {
    /// This session's: its id or the beginning of it
    #[arg(long, value_name = "ID", conflicts_with_all = ["project", "default"])]
    session: Option<String>,
    /// Those of new sessions in the project around the current folder
    #[arg(long, conflicts_with = "default")]
    project: bool,
    /// Those of new sessions everywhere (if nothing else is said)
    #[arg(long)]
    default: bool,
}

/// Whose knobs they turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A session's, by its whole id.
    Session(String),
    /// A project's, by its folder.
    Project(String),
    /// Everybody's.
    Default,
    /// Nobody's own: what a session begins with that starts in this folder. To be looked at;
    /// what is set from here is everybody's.
    Here(String),
}

/// The knobs of a target with all they come from.
#[derive(Debug)]
pub struct Desk {
    /// Whose.
    pub target: Target,
    /// Everybody's word.
    pub ladder: Ladder,
    /// The lines of the target's own log.
    pub lines: Vec<Line>,
    /// The surroundings.
    pub scene: Scene,
    file: PathBuf,
}

impl Desk {
    /// Looks for the knobs.
    ///
    /// # Errors
    /// There is no such session, or none of it can be read.
    pub fn of(whose: &Whose) -> Result<Self, Failed> {
        let cwd = scene::folder(None).map_err(|e| (e, Exit::CouldNot, None))?;
        Self::at(whose, &cwd)
    }

    /// The same from another folder than the current one.
    ///
    /// # Errors
    /// There is no such session, or none of it can be read.
    pub fn at(whose: &Whose, cwd: &Path) -> Result<Self, Failed> {
        let scene = Scene::look(cwd).ok_or_else(|| {
            let what = "this user has no home folder".to_owned();
            (what, Exit::CouldNot, Some("set `HARNESS_HOME`"))
        })?;
        match &whose.session {
            Some(id) => Self::of_session(id, scene),
            None => Self::of_person(whose.project, scene),
        }
    }

    /// Looks for the knobs to show them: where nothing says whose, those that hold here.
    ///
    /// # Errors
    /// There is no such session, or none of it can be read.
    pub fn to_show(whose: &Whose) -> Result<Self, Failed> {
        let desk = Self::of(whose)?;
        let unsaid = whose.session.is_none() && !whose.project && !whose.default;
        Ok(if unsaid { desk.here() } else { desk })
    }

    /// The same surroundings, for a look at what holds in this folder.
    #[must_use]
    fn here(self) -> Self {
        let target = match self.scene.workspace.as_str() {
            "" => Target::Default,
            root => Target::Here(root.to_owned()),
        };
        Self { ladder: self.scene.ladder(), target, ..self }
    }

    /// Where a default was set that doesn't hold in this folder: by whom something else is
    /// said here.
    #[must_use]
    pub fn overridden(&self) -> Option<String> {
        let here = self.scene.ladder();
        let differs = self.target == Target::Default && here.now() != self.ladder.now();
        differs
            .then(|| format!("the project {} says otherwise: `harness knob`", self.scene.workspace))
    }

    fn of_session(id: &str, scene: Scene) -> Result<Self, Failed> {
        let home = scene.home.clone();
        let id = whole_id(&home.state, id)?;
        let file = place::session(&home.state, &id);
        let standing = hook::standing(&home, &id);
        let workspace = standing.workspace.clone().unwrap_or_default();
        // The policy of where the session works, not of where this runs.
        let scene = match workspace.as_str() {
            "" => scene,
            folder => Scene::look(Path::new(folder)).unwrap_or(scene),
        };
        let lines = lines(&file)?;
        let ladder = Ladder::of(&home, standing.knobs, &workspace, scene.policy.knobs());
        Ok(Self { target: Target::Session(id), ladder, lines, scene, file })
    }

    fn of_person(project: bool, scene: Scene) -> Result<Self, Failed> {
        let file = place::person(&scene.home.state);
        let mut ladder = scene.ladder();
        let target = if project {
            if scene.workspace.is_empty() {
                let what = "there is no project here: a home or the root is none".to_owned();
                return Err((what, Exit::Usage, Some("run it in a project's folder")));
            }
            Target::Project(scene.workspace.clone())
        } else {
            ladder.project = authority::fresh();
            Target::Default
        };
        let of_target = |line: &Line| match &target {
            Target::Project(root) => line.project.as_deref() == Some(root),
            _ => line.project.is_none(),
        };
        let lines = lines(&file)?.into_iter().filter(of_target).collect();
        Ok(Self { target, ladder, lines, scene, file })
    }

    /// The target's own word.
    #[must_use]
    pub fn own(&self) -> &Folded {
        match self.target {
            Target::Session(_) => &self.ladder.session,
            Target::Project(_) => &self.ladder.project,
            Target::Default | Target::Here(_) => &self.ladder.default,
        }
    }

    /// What holds where the target says nothing.
    #[must_use]
    pub fn below(&self) -> Deployment {
        match self.target {
            Target::Session(_) => self.ladder.below_session(),
            Target::Project(_) => self.ladder.below_project(),
            Target::Default | Target::Here(_) => self.ladder.below_default(),
        }
    }

    /// In words.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.target {
            Target::Session(id) => format!("session {id}"),
            Target::Project(root) | Target::Here(root) => format!("new sessions in {root}"),
            Target::Default => "new sessions".to_owned(),
        }
    }

    /// Appends what was chosen, once a person has agreed if that widens.
    ///
    /// # Errors
    /// They don't agree, or it can't be written.
    pub fn choose(&self, events: &[KnobEvent], yes: bool) -> Result<(), Failed> {
        let before = self.own().effective(self.below());
        let after = events.iter().fold(before, |knobs, event| match event {
            KnobEvent::Sandbox(sandbox) => Deployment { sandbox: *sandbox, ..knobs },
            KnobEvent::Approval(approval) => Deployment { approval: *approval, ..knobs },
            KnobEvent::Preset(_) => knobs,
        });
        if after.sandbox > before.sandbox || after.approval > before.approval {
            let question = format!(
                "Widen {} from {} and {} to {} and {}?",
                self.name(),
                before.sandbox.word(),
                before.approval.word(),
                after.sandbox.word(),
                after.approval.word()
            );
            consent::widening(&self.scene.home, "more room", &question, yes)?;
        }
        self.write(events)
    }

    fn write(&self, events: &[KnobEvent]) -> Result<(), Failed> {
        let now = Machine::new("").now_ms();
        let by = if person::agent_above().is_some() { "agent" } else { "person" };
        let (scope, session, project) = match &self.target {
            Target::Session(id) => ("session", Some(id.as_str()), None),
            Target::Project(root) => ("project", None, Some(root.as_str())),
            Target::Default | Target::Here(_) => ("default", None, None),
        };
        let record = |event: &KnobEvent| -> Record {
            knobs::record(event, now).maybe("project", project).text("by", by)
        };
        authority::append(&self.file, events.iter().map(record)).map_err(|e| {
            let what = format!("`{}`: {e}", self.file.display());
            (what, Exit::CouldNot, Some("nothing was changed"))
        })?;
        // The authority log is what holds; the journal only tells of it.
        let journal = place::audit(&self.scene.home.state);
        for event in events {
            let told = record(event).maybe("session", session).text("scope", scope);
            let _ = audit::append(&journal, [told]);
        }
        Ok(())
    }

    /// The same desk as it is after a change.
    ///
    /// # Errors
    /// It can't be read any more.
    pub fn again(self) -> Result<Self, Failed> {
        match self.target {
            Target::Session(id) => Self::of_session(&id, self.scene),
            Target::Project(_) => Self::of_person(true, self.scene),
            Target::Default | Target::Here(_) => Self::of_person(false, self.scene),
        }
    }
}

fn lines(file: &Path) -> Result<Vec<Line>, Failed> {
    let lines = authority::read(file, limits::AUTHORITY).map_err(|e| {
        let what = format!("`{}` can't be read ({e}), so the strictest holds", file.display());
        (what, Exit::CouldNot, Some("move that file away, then set the knobs anew"))
    })?;
    Ok(lines.unwrap_or_default())
}

/// A session's whole id: as given where it has a log, else the one session of late that
/// begins so.
fn whole_id(state: &Path, id: &str) -> Result<String, Failed> {
    if !id.is_empty() && place::session(state, id).exists() {
        return Ok(id.to_owned());
    }
    let mut found: Vec<String> = Vec::new();
    let needle = format!("\"session\":\"{id}");
    audit::search(&place::audit(state), LATE, &needle, |record| {
        let session = record.str_at("session")?.into_owned();
        if session.starts_with(id) && !found.contains(&session) {
            found.push(session);
        }
        None::<()>
    });
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err((
            format!("no session begins with `{id}`"),
            Exit::No,
            Some("`harness log` shows the sessions of late"),
        )),
        several => {
            let some: Vec<&str> = several.iter().take(5).map(String::as_str).collect();
            let what = format!("several sessions begin with `{id}`: {}", some.join(", "));
            Err((what, Exit::Usage, Some("write more of the id")))
        }
    }
}

/// How much of the journal's end is looked through for a session, in bytes.
const LATE: usize = 16 << 20;
