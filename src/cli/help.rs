//! What `--help` ends with: examples and exit codes, one text a command.

/// The program itself.
pub(super) const HARNESS: &str = "\
First steps:
  harness demo       see it work, in a throw-away home
  harness install    put the hooks into your agent's settings
  harness doctor     prove that they work

Exit codes:
  0    done, healthy, nothing to do
  1    done, and the answer is no
  2    usage, or confirmation refused
  3    could not: files, network, internal
  4    doctor: nothing dead, something unknown
  100  `update --check`: there is a newer release
  130  interrupted";

/// `demo`
pub(super) const DEMO: &str = "\
Exit codes: 0 all of it happened, 1 something did not, 3 no temporary folder, 130 interrupted";

/// `exec`
pub(super) const EXEC: &str = "\
Examples:
  harness exec --sandbox read-only -- make test
  harness exec --sandbox workspace-write --network off -- cargo build --offline
  harness exec --timeout 90s --retry 2 -- curl -fsS https://example.com

Exit codes: 0 to 255 the command's own; 124 timed out, 125 not run (denied, or not held), 126 can't be
started, 127 not found, 2 usage";

/// `install`
pub(super) const INSTALL: &str = "\
Examples:
  harness install --dry-run                show the change, make none
  harness install --yes                    for scripts
  harness install --host codex             into another agent
  sudo harness install --scope managed     so that no repository can switch it off

Exit codes: 0 installed and proven, 1 not proven (nothing is left changed), installed but switched
off by a setting that is named, or `--dry-run` would change something, 2 usage or refused,
3 could not";

/// `uninstall`
pub(super) const UNINSTALL: &str = "\
Examples:
  harness uninstall                        every agent and scope it was put into
  harness uninstall --scope project --yes

Exit codes: 0 gone, 1 `--dry-run` would change something, 2 usage or refused, 3 could not";

/// `status`
pub(super) const STATUS: &str = "\
Examples:
  harness status
  harness status --quiet && echo guarded   for scripts

Exit codes: 0 installed and switched on, 1 not, 3 could not";

/// `doctor`
pub(super) const DOCTOR: &str = "\
Examples:
  harness doctor                           starts the hooks as your agent does
  harness doctor --live                    drives your agent too, without an account
  harness doctor --fix                     repairs what is ours, after a diff
  harness doctor --ci --strict             for pipelines: annotations, a summary, exit codes
  harness doctor --ci --junit report.xml --sarif report.sarif
  harness doctor --all-hooks --expect calls.toml   do the hooks of others do their work?
  harness doctor --plain                   in sentences, for screen readers

Exit codes: 0 nothing dead, 1 something dead or failed, 2 usage or refused, 3 could not,
4 nothing dead and something unknown (0 with `--ci`)";

/// `schedule`
pub(super) const SCHEDULE: &str = "\
Examples:
  harness schedule                         is it, and what did the last run say?
  harness schedule add --every daily       a timer of systemd, launchd or the Task Scheduler
  harness schedule add --print             the files and commands, to put them there yourself
  harness schedule remove

Exit codes: 0 scheduled, done or shown, 1 not scheduled or `--dry-run` would change something,
2 usage or refused, 3 could not";

/// `explain`
pub(super) const EXPLAIN: &str = "\
Examples:
  harness explain 'git push --force'
  harness explain Read ~/.ssh/id_rsa
  harness explain --last
  harness explain --tool Write --input '{\"file_path\":\"/etc/hosts\",\"content\":\"\"}'
  harness explain --exit-code 'rm -rf build'

Exit codes: 0 explained, 1 no call is written down, 2 usage, 3 could not; with `--exit-code` 0 no
objection, 10 would ask, 11 would deny";

/// `policy`
pub(super) const POLICY: &str = "\
Examples:
  harness policy init                      a first file, with everything in it explained
  harness policy check                     every file, every example
  harness policy show git/force-push       one rule and where it comes from
  harness policy test cases.jsonl          your own cases

Exit codes: 0 sound, 1 mistakes or misses, 2 usage, 3 could not";

/// `trust`
pub(super) const TRUST: &str = "\
Examples:
  harness trust                            the project around this folder
  harness trust ../other --revoke

Exit codes: 0 done, 1 nothing to trust or to revoke, or the policy is broken, 2 usage or refused,
3 could not";

/// `knob`
pub(super) const KNOB: &str = "\
Examples:
  harness knob                                     what holds here for new sessions
  harness knob sandbox read-only --project         look, don't touch, in this project
  harness knob approval never --default            nobody is asked, wherever nothing else is said
  harness knob --session 4f2c --history            how a session came to what holds in it

A session's own word wins over its project's, that over the default, that over `[knobs]` in the
policy. Managed `[knobs]` are a limit for all of them. Sessions that have begun keep what they
began with until `--session` says otherwise.

Exit codes: 0 shown or set (also where it already was), 1 no such session, 2 usage or refused,
3 could not";

/// `preset`
pub(super) const PRESET: &str = "\
Examples:
  harness preset                                   the table, and which one holds
  harness preset workspace-write                   for new sessions
  harness preset read-only --session 4f2c          for a session, from its next call

Exit codes: 0 shown or set (also where it already was), 1 no such session, 2 usage or refused,
3 could not";

/// `approve`
pub(super) const APPROVE: &str = "\
Examples:
  harness approve                                  the last call that asked, once
  harness approve toolu_01AB                       a call by the beginning of its id
  harness approve --rule                           whatever the rules ask that asked about it
  harness approve --path src                       file tools below src
  harness approve --prefix 'npm publish' --for 1h  lines of nothing but such commands

A grant is for one session and its main agent, and lifts no denial. Only a person makes one.

Exit codes: 0 granted, 1 no such call or nothing to grant, 2 usage or refused, 3 could not";

/// `grants`
pub(super) const GRANTS: &str = "\
Examples:
  harness grants
  harness grants --revoke 4f2c01ab93de
  harness grants --revoke all

Exit codes: 0 shown or taken back, 1 no such grant, 2 usage, 3 could not";

/// `off`
pub(super) const OFF: &str = "\
Examples:
  harness off --for 10m        ends by itself; every call it let through is in `harness log`
  harness off                  is it, and until when?
  harness off --end            now

Only a person does that, and self-protection stays: an agent can't use the while to switch
its guard off for good.

Exit codes: 0 done or shown, 2 usage or refused, 3 could not";

/// `passphrase`
pub(super) const PASSPHRASE: &str = "\
Examples:
  harness passphrase           is one set?
  harness passphrase --set     typed twice, on a terminal; to change it, the old one first
  harness passphrase --remove  asks for it

While one is set, a wider knob or preset, `approve`, `off`, `trust` and `uninstall` ask for it, also
with `--yes`. Only a slow, salted hash is kept, in `state/passphrase`. Who has forgotten it removes
that file by hand, which agents are kept from.

Exit codes: 0 done or shown, 1 nothing to remove, 2 usage or refused, 3 could not, 130 interrupted";

/// `why`
pub(super) const WHY: &str = "\
Examples:
  harness why                              the last call
  harness why toolu_01AB
  harness why toolu_01AB --json

Exit codes: 0 shown, 1 no such call, 2 usage, 3 could not";

/// `replay`
pub(super) const REPLAY: &str = "\
Examples:
  harness replay                               has the policy's meaning changed since?
  harness replay --policy new.toml             what would another policy of yours have said?
  harness replay --knobs read-only,never       and other knobs?
  harness replay --policy new.toml --json | jq .changed

Calls are decided with the folders, links and files that they met then; nothing is started.
Those whose arguments the journal left out, as secrets or for their length, are counted apart.

Exit codes: 0 nothing would change, 1 something would, 2 usage, 3 could not";

/// `console`
pub(super) const CONSOLE: &str = "\
Examples:
  harness console                          on a terminal: knobs, presets, operations, a command line
  harness console 'git push --force'       one call's way, in words
  harness console --knobs read-only,never --json 'touch a'
  harness console --html page.html         the same as a page that needs nothing else

It writes nothing but a knob that you choose to. In words (`--plain`, or where standard output is
no terminal) a line is a call, the number of an operation, or a word after `:`; `:help` lists them.

Exit codes: 0 shown, 1 no such session, 2 usage, 3 could not, 130 interrupted";

/// `log`
pub(super) const LOG: &str = "\
Examples:
  harness log --session 4f2c               one session, by the beginning of its id
  harness log -n 20                        the last 20 records
  harness log --follow                     as it happens
  harness log --json | jq .reason          everything of every record
  harness log verify                       is the chain whole?

Lines are cut to a terminal's width; `--wide`, a pipe and `--json` show all of them.

Exit codes: 0 shown or whole, 1 no record of that session, or `verify` found a break, 2 usage,
            3 could not";

/// `update`
pub(super) const UPDATE: &str = "\
Examples:
  harness update --check                   is there a newer release?
  harness update
  harness update --version 0.1.0           this one; an older one needs a person
  harness update --rollback                back to the program before the last update

A release is signed, comes over HTTPS, and must deny a test call before it takes the old one's
place and again after; else the old one comes back by itself. Proxies: `https_proxy`. A harness
that a package manager put there is left to it.

Exit codes: 0 done, or nothing newer, 1 it did not prove itself and the old one is in place, 2 usage
or refused, 3 could not, 100 `--check` found a newer release";

/// `completions`
pub(super) const COMPLETIONS: &str = "\
Examples:
  harness completions bash > ~/.local/share/bash-completion/completions/harness
  harness completions zsh > ~/.zfunc/_harness
  harness completions fish > ~/.config/fish/completions/harness.fish
  harness completions powershell >> $PROFILE

Exit codes: 0 printed, 2 usage";
