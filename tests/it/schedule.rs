//! `harness schedule`: what is written is what the schedulers read, and it comes and goes
//! whole.

use crate::support::Sandbox;
use serde_json::Value;

/// An installed world with a stand-in for `systemctl` that ends with this code; with 0 it
/// also remembers whether the timer is on.
fn world(code: i32) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.stub_claude("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    let log = sandbox.root().join("systemctl.log");
    let on = sandbox.root().join("timer-is-on");
    let knows = "case $* in *'enable --now'*) : > \"$on\";; *disable*) rm -f \"$on\";; \
                 *is-active*) test -e \"$on\" || exit 3;; esac";
    let text = format!(
        "#!/bin/sh\non='{}'\necho \"$*\" >> '{}'\n[ {code} = 0 ] && {{ {knows}; }}\necho no bus >&2\nexit {code}\n",
        on.display(),
        log.display()
    );
    sandbox.script("bin/systemctl", &text);
    sandbox
}

const UNITS: &str = "home/.config/systemd/user/harness-doctor";

#[test]
fn it_comes_it_is_seen_and_it_goes() {
    let sandbox = world(0);
    assert!(sandbox.run(["schedule"]).code(1).stdout.contains("nothing is scheduled"));
    let dry = sandbox.run(["schedule", "add", "--dry-run"]).code(1).stdout;
    assert!(dry.contains("+OnCalendar=daily"), "{dry}");
    sandbox.run(["schedule", "add"]).code(2);
    assert!(!sandbox.root().join(format!("{UNITS}.timer")).exists());
    sandbox.run(["schedule", "add", "--every", "weekly", "--yes"]).ok();
    assert!(sandbox.read(format!("{UNITS}.timer")).contains("OnCalendar=weekly"));
    assert!(sandbox.read("systemctl.log").ends_with("--user enable --now harness-doctor.timer\n"));
    let json = sandbox.run(["schedule", "--json"]).ok().json();
    assert_eq!((&json["scheduled"], &json["every"]), (&true.into(), &"weekly".into()));
    sandbox.run(["schedule", "add", "--every", "weekly", "--dry-run"]).ok();
    // What the timer starts is started here, and its report is what status tells of.
    let service = sandbox.read(format!("{UNITS}.service"));
    let line = service.lines().find_map(|l| l.strip_prefix("ExecStart=")).expect("a command");
    sandbox.program("/bin/sh", ["-c", line]).cwd("home").ok();
    let shown = sandbox.run(["schedule"]).ok().stdout;
    assert!(
        shown.contains("scheduled: weekly") && shown.contains("gate alive, soft alive"),
        "{shown}"
    );
    sandbox.write(format!("{UNITS}.timer"), "[Timer]\nOnCalendar=yearly\n");
    assert!(sandbox.run(["schedule"]).code(1).stdout.contains("changed: "));
    sandbox.run(["schedule", "remove", "--dry-run"]).code(1);
    let gone = sandbox.run(["schedule", "remove", "--yes"]).ok().stdout;
    assert!(gone.contains("no longer scheduled"), "{gone}");
    for unit in ["timer", "service"] {
        assert!(!sandbox.root().join(format!("{UNITS}.{unit}")).exists());
    }
    assert!(sandbox.read("systemctl.log").contains("disable --now harness-doctor.timer\n"));
    assert!(
        sandbox.run(["schedule", "remove", "--yes"]).ok().stdout.contains("nothing is scheduled")
    );
}

#[test]
fn it_is_gone_when_the_scheduler_says_so() {
    let units = |sandbox: &Sandbox| sandbox.root().join(format!("{UNITS}.timer")).exists();
    // One that keeps what it was told to forget.
    let sandbox = world(0);
    sandbox.run(["schedule", "add", "--yes"]).ok();
    sandbox.script("bin/systemctl", "#!/bin/sh\nexit 0\n");
    let ran = sandbox.run(["schedule", "remove", "--yes"]).code(3);
    assert!(!ran.stdout.contains("no longer") && !units(&sandbox), "{ran:?}");
    assert!(ran.stderr.contains("still knows") && ran.stderr.contains("disable --now"), "{ran:?}");
    // One that gives no answer.
    let sandbox = world(0);
    sandbox.run(["schedule", "add", "--yes"]).ok();
    sandbox.script("bin/systemctl", "#!/bin/sh\necho no bus >&2\nexit 1\n");
    let ran = sandbox.run(["schedule", "remove", "--yes"]).ok();
    assert!(!ran.stdout.contains("no longer") && !units(&sandbox), "{ran:?}");
    assert!(ran.stderr.contains("not known") && ran.stderr.contains("no bus"), "{ran:?}");
    // One that knows the job though its files are gone.
    let sandbox = world(0);
    sandbox.run(["schedule", "add", "--yes"]).ok();
    for unit in ["timer", "service"] {
        std::fs::remove_file(sandbox.root().join(format!("{UNITS}.{unit}"))).expect("there");
    }
    let ran = sandbox.run(["schedule", "remove", "--yes"]).ok();
    assert!(ran.stdout.contains("no longer scheduled"), "{ran:?}");
    assert!(sandbox.read("systemctl.log").contains("disable --now"));
}

#[test]
fn a_scheduler_that_refuses_leaves_everything_as_it_was() {
    let sandbox = world(1);
    sandbox.write(format!("{UNITS}.timer"), "mine\n");
    let ran = sandbox.run(["schedule", "add", "--yes"]).code(3);
    assert!(ran.stderr.contains("systemctl --user daemon-reload") && ran.stderr.contains("no bus"));
    assert_eq!(sandbox.read(format!("{UNITS}.timer")), "mine\n");
    assert!(!sandbox.root().join(format!("{UNITS}.service")).exists());
}

#[test]
fn nothing_is_scheduled_where_nothing_is_installed() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(["schedule", "add", "--yes"]).code(2);
    assert!(ran.stderr.contains("harness is not installed"), "{}", ran.stderr);
}

/// A home whose name every format has to quote.
fn odd(name: &str) -> (Sandbox, std::path::PathBuf) {
    let sandbox = Sandbox::new();
    sandbox.stub_claude("2.1.332");
    sandbox.script("bin/systemctl", "#!/bin/sh\n");
    let home = sandbox.root().join(name);
    std::fs::create_dir(&home).expect("made");
    sandbox.run(["install", "--yes"]).env("HOME", &home).ok();
    (sandbox, home)
}

/// With a quote, which systemd takes in no program's path.
const ODD: &str = "Ana & \"co\" 100% $HOME 한글";

/// What `systemd-analyze verify` says of our units; `None` where there is none.
fn verified(sandbox: &Sandbox, home: &std::path::Path) -> Option<String> {
    let analyze = which("systemd-analyze")?;
    let folder = home.join(".config/systemd/user");
    let units = ["harness-doctor.timer", "harness-doctor.service"].map(|u| folder.join(u));
    let args = ["verify", "--user"].into_iter().map(std::ffi::OsString::from);
    let args: Vec<_> = args.chain(units.into_iter().map(Into::into)).collect();
    let run = sandbox.program(analyze, args).env("HOME", home);
    let ran = run.env("XDG_RUNTIME_DIR", sandbox.root()).go();
    let said = ran.stderr.lines().filter(|l| l.contains("harness"));
    let said: Vec<&str> = said.collect();
    assert_eq!(ran.status.success(), said.is_empty(), "{}", ran.stderr);
    Some(said.join("\n"))
}

#[test]
fn systemd_takes_the_units_and_starts_the_right_program() {
    for name in [ODD, "Ana & co 100% $HOME 한글", "home"] {
        let (sandbox, home) = if name == "home" {
            (world(0), None)
        } else {
            let (sandbox, home) = odd(name);
            (sandbox, Some(home))
        };
        let home = home.unwrap_or_else(|| sandbox.home());
        sandbox.run(["schedule", "add", "--yes"]).env("HOME", &home).ok();
        let Some(said) = verified(&sandbox, &home) else { return };
        assert_eq!(said, "", "{name}");
        // A program that isn't there is a complaint: so the path above was read as meant.
        let file = home.join(".config/systemd/user/harness-doctor.service");
        let service = std::fs::read_to_string(&file).expect("there");
        let gone = service.replace(".local/bin/harness", ".local/bin/harness-gone");
        assert_ne!(gone, service);
        std::fs::write(file, gone).expect("written");
        let said = verified(&sandbox, &home).expect("it is there");
        let told = said.contains(&format!("{name}/.local/bin/harness-gone"));
        assert!(told || name == ODD, "{name}: {said}");
    }
}

fn which(name: &str) -> Option<std::path::PathBuf> {
    ["/usr/bin", "/bin"].iter().map(|f| std::path::Path::new(f).join(name)).find(|p| p.exists())
}

/// What `--print` shows of another system's file, read by an XML parser: the texts of
/// the elements with these names.
fn texts(sandbox: &Sandbox, home: &std::path::Path, kind: &str, names: &[&str]) -> Vec<String> {
    let shown =
        sandbox.run(["schedule", "add", "--print", "--for", kind]).env("HOME", home).ok().stdout;
    let from = shown.find("<?xml").expect("XML");
    let to = shown.find("# then:").expect("the commands");
    let xml = shown[from..to].replace("encoding=\"UTF-16\"", "encoding=\"UTF-8\"");
    let script = "import json, sys, xml.etree.ElementTree as t\n\
        r = t.fromstring(sys.argv[1].encode())\n\
        print(json.dumps([e.text for e in r.iter() if e.tag.split('}')[-1] in sys.argv[2:]]))";
    let args = ["-c", script, &xml].into_iter().chain(names.iter().copied());
    let found = sandbox.program("/usr/bin/python3", args).ok().json();
    let found = found.as_array().expect("a list").iter();
    found.map(|t| t.as_str().expect("text").to_owned()).collect()
}

#[test]
fn the_files_of_other_systems_are_xml_with_the_right_words() {
    let (sandbox, home) = odd(ODD);
    let program = home.join(".local/bin/harness").display().to_string();
    let receipt = home.join(".local/state/harness/doctor.json").display().to_string();
    let plist = texts(&sandbox, &home, "launchd", &["string"]);
    assert_eq!(plist[..6], ["harness.doctor", &program, "doctor", "--ci", "--receipt", &receipt]);
    let task = texts(&sandbox, &home, "task-scheduler", &["Command", "Arguments"]);
    assert_eq!(task, [program, format!("doctor --ci --receipt \"{receipt}\"")]);
}

#[test]
fn variables_that_doctor_goes_by_are_passed_on() {
    let sandbox = Sandbox::new();
    sandbox.stub_claude("2.1.332");
    let (one, claude) = (sandbox.root().join("one"), sandbox.root().join("claude dir"));
    let run = |args: &[&str]| {
        sandbox.run(args).env("HARNESS_HOME", &one).env("CLAUDE_CONFIG_DIR", &claude)
    };
    run(&["install", "--yes"]).ok();
    let shown = run(&["schedule", "add", "--print", "--for", "systemd"]).ok().stdout;
    assert!(shown.contains(&format!("Environment=\"HARNESS_HOME={}\"", one.display())), "{shown}");
    assert!(shown.contains(&format!("Environment=\"CLAUDE_CONFIG_DIR={}\"", claude.display())));
    let status: Value = run(&["schedule", "--json"]).code(1).json();
    assert_eq!(status["scheduled"], false);
}
