//! A task of the Windows Task Scheduler.

use super::{Every, Job, Plan, Question, Unit, words};
use crate::hosts::words::escape;

const NAME: &str = "harness doctor";

pub(super) fn plan(job: &Job) -> Plan {
    let path = job.receipt.with_file_name("doctor-task.xml");
    let file = path.to_string_lossy().into_owned();
    let text = task(job);
    // `schtasks` reads what it writes itself: UTF-16 with its mark.
    let bytes = "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes);
    let bytes = bytes.collect();
    let mut notes =
        vec![format!("`schtasks /Query /TN \"{NAME}\" /V` shows how the last run ended")];
    notes.extend(job.variables.iter().map(|(name, value)| {
        format!("a task has no variables of its own: `setx {name} \"{value}\"` gives it yours")
    }));
    Plan {
        files: vec![Unit { path, text, bytes }],
        start: vec![words(&["schtasks", "/Create", "/F", "/TN", NAME, "/XML", &file])],
        stop: vec![words(&["schtasks", "/Delete", "/F", "/TN", NAME])],
        gone: Vec::new(),
        ask: Question { command: words(&["schtasks", "/Query", "/TN", NAME]), absent: &[1] },
        notes,
    }
}

fn task(job: &Job) -> String {
    let trigger = match job.every {
        Every::Hour => {
            "<TimeTrigger><Repetition><Interval>PT1H</Interval></Repetition>\
             <StartBoundary>2026-01-01T00:17:00</StartBoundary></TimeTrigger>"
        }
        Every::Day => {
            "<CalendarTrigger><StartBoundary>2026-01-01T10:17:00</StartBoundary>\
             <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay></CalendarTrigger>"
        }
        Every::Week => {
            "<CalendarTrigger><StartBoundary>2026-01-01T10:17:00</StartBoundary>\
             <ScheduleByWeek><DaysOfWeek><Monday/></DaysOfWeek><WeeksInterval>1</WeeksInterval>\
             </ScheduleByWeek></CalendarTrigger>"
        }
    };
    let args: Vec<String> = job.args().iter().map(|a| argument(a)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\r\n\
         <Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\r\n\
         <RegistrationInfo><Description>Proof that the hooks of coding agents work\
         </Description></RegistrationInfo>\r\n\
         <Triggers>{trigger}</Triggers>\r\n\
         <Principals><Principal id=\"Author\"><LogonType>InteractiveToken</LogonType>\
         <RunLevel>LeastPrivilege</RunLevel></Principal></Principals>\r\n\
         <Settings><MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\
         <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\
         <StartWhenAvailable>true</StartWhenAvailable>\
         <ExecutionTimeLimit>PT10M</ExecutionTimeLimit></Settings>\r\n\
         <Actions Context=\"Author\"><Exec><Command>{}</Command><Arguments>{}</Arguments>\
         <WorkingDirectory>{}</WorkingDirectory></Exec></Actions>\r\n\
         </Task>\r\n",
        escape(&job.program.to_string_lossy()),
        escape(&args.join(" ")),
        escape(&job.home.to_string_lossy()),
    )
}

/// An argument as a Windows program takes its command line apart. No path holds a quote.
fn argument(word: &str) -> String {
    if word.contains([' ', '\t', '&', '^', '(', ')']) {
        format!("\"{word}\"")
    } else {
        word.to_owned()
    }
}
