//! Properties that hold for any line.

#![expect(clippy::print_stderr, reason = "times are printed on demand")]

use harness_shell::{Command, Dialect, EffectKind, Limits, Script, read};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert, prop_oneof, proptest};

fn posix(line: &str) -> Script {
    read(line, Dialect::Posix, Limits::default())
}

/// Commands with an effect that a rule would stop, and what shows it.
const DANGEROUS: [(&str, EffectKind, &str); 6] = [
    ("rm -rf /srv", EffectKind::Delete, "/srv"),
    ("dd if=/dev/zero of=/dev/sda", EffectKind::Device, "/dev/sda"),
    ("mkfs.ext4 /dev/sdb1", EffectKind::Device, "/dev/sdb1"),
    ("chmod -R 777 /etc", EffectKind::Permissions, "/etc"),
    ("shred -u /srv/key", EffectKind::Delete, "/srv/key"),
    ("git push --force origin main", EffectKind::RewriteHistory, "main"),
];

fn shows(command: &Command, kind: EffectKind, target: &str) -> bool {
    command.effects.iter().any(|effect| {
        effect.kind == kind && effect.target.as_ref().is_some_and(|word| word.text == target)
    })
}

fn seen(line: &str, kind: EffectKind, target: &str) -> bool {
    posix(line).commands.iter().any(|command| shows(command, kind, target))
}

/// Text made of what shells give meaning to.
fn shellish() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(" "),
        Just("\n"),
        Just(";"),
        Just("&"),
        Just("&&"),
        Just("||"),
        Just("|"),
        Just("|&"),
        Just("("),
        Just(")"),
        Just("(("),
        Just("))"),
        Just("{"),
        Just("}"),
        Just("{a,b}"),
        Just("[["),
        Just("]]"),
        Just("$("),
        Just("$(("),
        Just("${"),
        Just("${x:-"),
        Just("`"),
        Just("'"),
        Just("\""),
        Just("$'"),
        Just("\\"),
        Just("\\\n"),
        Just("<<EOF"),
        Just("<<-'E'"),
        Just("<<<"),
        Just("EOF\n"),
        Just("<("),
        Just(">("),
        Just(">"),
        Just(">>"),
        Just("2>&1"),
        Just("&>"),
        Just("<>"),
        Just("#"),
        Just("$x"),
        Just("x="),
        Just("x=("),
        Just("$@"),
        Just("f()"),
        Just("if "),
        Just("then "),
        Just("else "),
        Just("fi "),
        Just("for x in "),
        Just("do "),
        Just("done "),
        Just("while "),
        Just("case "),
        Just(" in "),
        Just("esac"),
        Just(";;"),
        Just("function "),
        Just("coproc "),
        Just("time "),
        Just("! "),
        Just("eval "),
        Just("bash -c "),
        Just("xargs "),
        Just("find . -exec "),
        Just("rm -rf /"),
        Just("echo "),
        Just("sudo "),
        Just("env "),
        Just("python -c "),
        Just("é"),
        Just("\0"),
        Just("*"),
        Just("@("),
        Just("..."),
        Just("{1..9}"),
        Just("cmd /c "),
        Just("powershell -c "),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(line in any::<String>()) {
        for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
            let _ = read(&line, dialect, Limits::default());
        }
    }

    #[test]
    fn any_shellish_text_is_read(line in shellish()) {
        for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
            let _ = read(&line, dialect, Limits::default());
        }
    }

    #[test]
    fn a_command_stays_visible_in_any_composition(
        dangerous in 0..DANGEROUS.len(),
        first in prop_oneof![Just("true"), Just("ls -la"), Just("echo 'a; b'"), Just("x=1"), Just("cd /tmp")],
        shape in 0..SHAPES.len(),
        outer in 0..SHAPES.len(),
    ) {
        let (line, kind, target) = DANGEROUS[dangerous];
        let one = SHAPES[shape].replace('A', first).replace('B', line);
        prop_assert!(seen(&one, kind, target), "{one}");
        let two = SHAPES[outer].replace('A', first).replace('B', &one);
        prop_assert!(seen(&two, kind, target), "{two}");
    }

    #[test]
    fn a_command_stays_visible_in_any_wrapper(
        dangerous in 0..DANGEROUS.len(),
        inner in 0..WRAPPERS.len(),
        outer in 0..WRAPPERS.len(),
    ) {
        let (line, kind, target) = DANGEROUS[dangerous];
        let wrapped = format!("{} {line}", WRAPPERS[inner]);
        prop_assert!(seen(&wrapped, kind, target), "{wrapped}");
        let twice = format!("{} {wrapped}", WRAPPERS[outer]);
        prop_assert!(seen(&twice, kind, target), "{twice}");
        let script = format!("{} bash -c '{wrapped}'", WRAPPERS[outer]);
        prop_assert!(seen(&script, kind, target), "{script}");
    }

    #[test]
    fn data_has_no_effect(dangerous in 0..DANGEROUS.len(), shape in 0..DATA.len()) {
        let (line, kind, target) = DANGEROUS[dangerous];
        let data = DATA[shape].replace('B', line);
        prop_assert!(!seen(&data, kind, target), "{data}");
        let code = CODE[shape % CODE.len()].replace('B', line);
        prop_assert!(seen(&code, kind, target), "{code}");
    }

    #[test]
    fn the_spelling_of_flags_does_not_matter(
        flags in prop_oneof![
            Just("-rf"), Just("-fr"), Just("-r -f"), Just("-f -r"), Just("-R --force"), Just("--recursive --force"),
            Just("--rec --fo"), Just("-vrf"), Just("-r --interactive=never -f"),
        ],
        after in any::<bool>(),
        program in prop_oneof![Just("rm"), Just("/bin/rm"), Just("r\\m"), Just("'rm'"), Just("r''m"), Just("$'\\x72m'")],
    ) {
        let line = if after { format!("{program} /x {flags}") } else { format!("{program} {flags} -- /x") };
        let script = posix(&line);
        prop_assert!(script.commands.iter().flat_map(|command| &command.effects).any(|effect| {
            effect.kind == EffectKind::Delete && effect.recursive && effect.forced
        }), "{line}");
    }
}

const SHAPES: [&str; 30] = [
    "A; B",
    "A && B",
    "A || B",
    "A | B",
    "A |& B",
    "A & B",
    "A\nB",
    "(A; B)",
    "{ A; B; }",
    "B; A",
    "B && A",
    "B | A",
    "B & A",
    "echo $(B)",
    "echo \"$(A; B)\"",
    "if A; then B; fi",
    "if B; then A; fi",
    "if A; then A; elif A; then A; else B; fi",
    "for i in 1 2; do B; done",
    "while A; do B; done",
    "until B; do A; done",
    "case x in y) A;; *) B;; esac",
    "f() { B; }; f",
    "f() { B; }",
    "function f { B; }",
    "cat <(B)",
    "A > >(B)",
    "! B",
    "time B",
    "coproc { B; }",
];

const WRAPPERS: [&str; 24] = [
    "sudo",
    "sudo -u root -E",
    "doas",
    "env",
    "env -u Y X=1",
    "env -i",
    "nice",
    "nice -n 5",
    "ionice -c2 -n7",
    "nohup",
    "timeout 5",
    "timeout -k 5 -s KILL 1m",
    "time -p",
    "stdbuf -oL",
    "setsid -w",
    "command",
    "builtin",
    "exec -a x",
    "xargs",
    "xargs -n1 -P 4",
    "strace -f -o /dev/null",
    "busybox",
    "/usr/bin/env -S",
    "flock /tmp/lock",
];

const DATA: [&str; 10] = [
    "echo 'B'",
    "echo \"B\"",
    "git commit -m 'B'",
    "# B",
    "cat > notes.md <<'EOF'\nB\nEOF",
    "grep -rn 'B' src",
    "printf '%s' 'B' > x.txt",
    "rg \"B\" .",
    "gh pr create --body 'B'",
    "true # B",
];

const CODE: [&str; 6] = [
    "bash <<'EOF'\nB\nEOF",
    "bash -c 'B'",
    "echo 'B' | sh",
    "sh <<< 'B'",
    "eval 'B'",
    "cat <<'EOF' | sudo bash\nB\nEOF",
];

#[test]
fn depth_is_bounded_and_said() {
    for (open, close) in [
        ("( ", ")"),
        ("$(", ")"),
        ("{ ", "; }"),
        ("if ", "; then a; fi"),
        ("$((", "))"),
        ("${x:-", "}"),
    ] {
        let line = format!("{}rm x{}", open.repeat(500), close.repeat(500));
        let script = posix(&line);
        assert!(script.opaque.iter().any(|opaque| opaque.why == "nested too deeply"), "{open}");
    }
}

#[test]
fn work_is_bounded() {
    let lines = [
        "rm -rf /tmp/x; ".repeat(5000),
        "a && ".repeat(5000),
        "x=1; ".repeat(5000),
        format!("echo {}", "x".repeat(2 << 20)),
        format!("echo \"{}", "$(".repeat(1 << 20)),
        "$((".repeat(20_000),
        "`".repeat(20_001),
        "{".repeat(20_000),
        "{a,b}".repeat(2_000),
        "<<E ".repeat(4_000),
        "'\\''".repeat(20_000),
        format!("x={}; {}", "y".repeat(20_000), "echo $x; ".repeat(2_000)),
        format!("f(){{ f; f; }}; {}", "f; ".repeat(2_000)),
        format!(
            "a(){{ b; b; }}; b(){{ c; c; }}; c(){{ d; d; }}; d(){{ e; e; }}; {}",
            "a;".repeat(500)
        ),
        "for i in a b c d e f g h; do ".repeat(4) + "rm $i" + &"; done".repeat(4),
        format!("{{ {}}} {}", "a;".repeat(500), "> x ".repeat(5000)),
        "cd a; ".repeat(2_000),
        format!("python -c '{}'", "open(".repeat(2_000)),
        "sudo ".repeat(2_000),
        "bash -c '".repeat(2_000),
        "eval ".repeat(2_000),
        format!("eval {}", "\\".repeat(20_000)),
    ];
    for line in lines {
        // Work is bounded by counts: commands, depth and text, never by a clock.
        let script = posix(&line);
        assert!(script.commands.len() <= Limits::default().commands);
    }
}

/// What is too much is said to be, and what is kept of it is bounded whatever its shape.
#[test]
fn what_is_kept_is_bounded_in_every_shape() {
    let limits = Limits::default();
    let most = limits.words * 2;
    let lines = [
        format!("ls {}", "> x ".repeat(100_000)),
        format!("cat {}\n", "<<E ".repeat(100_000)),
        format!("{} ls", "a=1 ".repeat(50_000)),
        "a=1;".repeat(50_000),
        format!("echo {}", "$$".repeat(500_000)),
        format!("cat <<E\n{}E\n", "$x $(ls)\n".repeat(50_000)),
        format!("{} ls", "eval ".repeat(50_000)),
        format!("case x in {} esac", "a) ls;; ".repeat(20_000)),
        format!("{} rm $i; {}", "for i in a b c d e f g h; do ".repeat(8), "done; ".repeat(8)),
        (0..2_000).fold(String::from("f0(){ ls; };"), |line, n| {
            format!("{line}f{}(){{ f{n}; f{n}; }};", n + 1)
        }) + "f2000",
        format!("rm {}", "f ".repeat(100_000)),
        format!("find . {}", "-exec rm {} \\; ".repeat(20_000)),
        format!("make -f - <<'E'\nall:\n{}E", "\tls\n".repeat(50_000)),
        format!("pwsh -c \"{}\"", "Get-Item x; ".repeat(50_000)),
        format!("cmd /c \"{}\"", "dir x & ".repeat(50_000)),
        format!("sh <<'E'\n{}E", "ls a\n".repeat(70_000)),
    ];
    for line in lines {
        let script = posix(&line);
        let kept: usize = script
            .commands
            .iter()
            .map(|c| c.args.len() + c.assigns.len() + c.redirects.len() + c.effects.len())
            .sum();
        let head: String = line.chars().take(40).collect();
        assert!(script.commands.len() <= limits.commands, "{head}");
        assert!(kept <= most, "{kept}: {head}");
        assert!(script.opaque.len() <= 300, "{head}: {}", script.opaque.len());
        assert!(script.opaque.iter().any(harness_shell::Opaque::is_exhaustion), "{head}");
    }
}
