//! One event, stdin to exit code: net, input, decode, decide, encode, journal.
//!
//! Whatever goes wrong, there is one answer, and on a gate it is a denial. The exit
//! code is 0 or 2, nothing else.

use std::ffi::OsString;

pub mod answer;
pub mod approvals;
pub mod argv;
pub mod change;
pub mod compare;
pub mod context;
pub mod gate;
pub mod grants;
pub mod knobs;
pub mod limits;
pub mod look;
pub mod off;
pub mod owner;
pub mod protected;
pub mod registered;
pub mod result;
pub mod scene;
pub mod seal;
pub mod session;
pub mod soft;
pub mod surroundings;
pub mod trouble;

use argv::{Aim, Invocation};
use owner::Standing;
use trouble::{Trouble, station};

use crate::home::Home;
use crate::hosts::claude_code::decode;
use crate::hosts::claude_code::ready::silence;
use crate::hosts::{Event, EventName, HostId, Outbound, Subject, Version, encode, ready};
use crate::journal::record::Record;
use crate::journal::{audit, place};
use crate::stdio::document::{Received, receive};
use crate::sys::world::Machine;
use crate::sys::{deadline, fault, fd, net, paths};

/// Runs the hook with the words after `hook`. Never comes back.
pub fn main(args: &[OsString]) -> ! {
    let aim = argv::aim(args);
    let host = argv::host(args);
    let (plan, limit) = match aim {
        Aim::Known(event) => (ready::plan(host, Some(event)), limits::deadline_ms(event)),
        Aim::Soft => (silence(), limits::deadline_ms(EventName::SessionEnd)),
        Aim::Unclear => (ready::plan(host, None), limits::deadline_ms(EventName::PreToolUse)),
    };
    net::arm(plan);
    deadline::start(fault::deadline(limit));
    run(args, aim);
    net::finish()
}

fn run(args: &[OsString], aim: Aim) {
    let invocation = match argv::parse(args) {
        Ok(invocation) => invocation,
        Err(why) => return refuse_argv(argv::host(args), aim, &why),
    };
    let (host, event) = (invocation.host, invocation.event);
    let Some(home) = invocation.home.clone().or_else(paths::home_for_hook) else {
        let why = "the system knows no home folder for this user; `harness install` with `HARNESS_HOME` set names one";
        return say(
            host,
            Some(event),
            &Trouble::new("harness/home", why).answer(Some(event)),
            None,
            invocation.client,
        );
    };
    if let Err(ended) = admit(&invocation, &home) {
        return say(host, Some(event), &ended, None, invocation.client);
    }
    match handle(&invocation, &home) {
        Ok(()) => {}
        Err((as_event, trouble)) => {
            let outbound = trouble.answer(as_event);
            say(host, as_event, &outbound, None, invocation.client);
            write_down(&home, troubled(event, &trouble, &outbound));
        }
    }
}

/// Argv itself is wrong: nothing is read, nobody's files are known.
fn refuse_argv(host: HostId, aim: Aim, why: &str) {
    let event = match aim {
        Aim::Known(event) => Some(event),
        Aim::Unclear => None,
        Aim::Soft => return net::answer(b"", b"", 0),
    };
    let sentence =
        format!("this hook is registered wrongly: {why}; `harness install` repairs that");
    let outbound = Trouble::new("harness/argv", sentence).answer(event);
    say(host, event, &outbound, None, Version::new(0, 0, 0));
}

/// Whether this hook belongs to an installation that has something to say.
fn admit(invocation: &Invocation, home: &Home) -> Result<(), Outbound> {
    let sentence = match owner::standing(&home.state, invocation.owner.as_deref()) {
        Standing::Ours => return Ok(()),
        Standing::Retired => return Err(Outbound::default()),
        Standing::Unknown => "this hook belongs to an installation of harness that isn't here any more; `harness install` repairs that, `harness uninstall` takes it out".to_owned(),
        Standing::Unreadable(why) => {
            format!("harness can't read whose hook this is ({why}); `harness doctor` says more")
        }
    };
    Err(Trouble::new("harness/owner", sentence).answer(Some(invocation.event)))
}

type Failed = (Option<EventName>, Trouble);

/// Reads the payload, decides, answers, writes down.
fn handle(invocation: &Invocation, home: &Home) -> Result<(), Failed> {
    let event = invocation.event;
    let here = |trouble| (Some(event), trouble);
    station("input").map_err(here)?;
    let payload = payload().map_err(here)?;
    station("decode").map_err(here)?;
    let decoded = decode::decode(invocation.host, &payload, event).map_err(|refusal| {
        net::aim(ready::plan(invocation.host, refusal.answer_as));
        let trouble = Trouble::new("harness/payload", refusal.sentence).within(&payload);
        (refusal.answer_as, trouble)
    })?;
    let inbound = decoded.inbound;
    if inbound.host != invocation.host {
        net::aim(ready::plan(inbound.host, Some(event)));
    }
    let owned = invocation.owner.is_some();
    let answer = match &inbound.event {
        Event::PreToolUse(call) => gate::answer(home, invocation.client, &inbound, call),
        Event::PostToolUse(call, result) => {
            result::answer(home, invocation.client, &inbound, call, Some(result))
        }
        Event::PostToolUseFailure(call, _) => {
            result::answer(home, invocation.client, &inbound, call, None)
        }
        Event::SessionStart(source) => session::answer(home, owned, &inbound, source),
        Event::ConfigChange { source, file } => {
            change::answer(home, owned, &inbound, source, file.as_deref())
        }
        Event::UserPromptSubmit(_) | Event::SubagentStart(_) | Event::SessionEnd(_) => {
            soft::answer(home, &inbound, event)
        }
    }
    .map_err(here)?;
    let tool = inbound.event.call().map(harness_core::ToolCall::tool);
    station("encode").map_err(here)?;
    say(inbound.host, Some(event), &answer.outbound, tool, invocation.client);
    if let Some(call) = inbound.event.call()
        && matches!(inbound.host, HostId::Grok | HostId::Copilot)
    {
        let kind = if event == EventName::PreToolUse { "tool/call" } else { "tool/result" };
        if seal::is_recorded(home, kind, &inbound.session, call) {
            return Ok(());
        }
    }
    let other = Some(inbound.host.as_str()).filter(|_| inbound.host != HostId::ClaudeCode);
    let record = answer
        .record
        .map(|record| record.flag("invalid_utf8", decoded.invalid_utf8).maybe("host", other));
    if let Some((notes, log)) = answer.notes {
        notes.write(home, &log);
    }
    write_down(home, record);
    Ok(())
}

fn payload() -> Result<Vec<u8>, Trouble> {
    let sentence = match receive(fd::STDIN, limits::READ, limits::PAYLOAD) {
        Received::Whole(bytes, _) | Received::Partial(bytes) => return Ok(bytes),
        Received::Empty => "the host sent no payload".to_owned(),
        Received::TooLarge => {
            format!("the host's payload is larger than {} MiB", limits::PAYLOAD >> 20)
        }
        Received::Failed(why) => format!("the host's payload can't be read: {why}"),
    };
    Err(Trouble::new("harness/payload", sentence))
}

/// Renders and gives the answer: the one place that does.
fn say(
    host: HostId,
    event: Option<EventName>,
    outbound: &Outbound,
    tool: Option<&str>,
    client: Version,
) {
    let reply = encode::encode(host, event, outbound, tool, client);
    net::answer(&reply.stdout, &reply.stderr, reply.code);
    deadline::linger(limits::LINGER_MS);
}

/// Writes to the journal once the answer is out; a failure changes nothing.
fn write_down(home: &Home, record: Option<Record>) {
    if station("journal").is_ok()
        && let Some(record) = record
    {
        let _ = audit::append(&place::audit(&home.state), [record]);
    }
}

fn troubled(event: EventName, trouble: &Trouble, outbound: &Outbound) -> Option<Record> {
    use harness_core::World;
    let now = Machine::new("").now_ms();
    let record = Record::new("hook/result", now)
        .text("event", event.as_str())
        .maybe("session", trouble.session.as_deref())
        .text("answer", outbound.decision.word())
        .list("rules", [trouble.rule])
        .text("reason", crate::journal::redact::head(&trouble.sentence, 1_024));
    Some(record)
}
