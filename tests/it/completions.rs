//! `harness completions`: what it prints is read by the shells themselves.

use crate::support::Sandbox;

#[test]
fn bash_loads_the_script_and_completes_commands_and_flags() {
    let sandbox = Sandbox::new();
    let script = sandbox.run(["completions", "bash"]).ok().stdout;
    sandbox.write("completions.bash", script);
    let complete = |words: &str, word: &str, at: usize| {
        let program = format!(
            "set -eu; source completions.bash; COMP_WORDS=({words}); COMP_CWORD={at}; \
             _harness harness '{word}' \"${{COMP_WORDS[{at}-1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let ran = sandbox.program("/bin/bash", ["--norc", "-c", &program]).cwd("").ok();
        ran.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(complete("harness un", "un", 1), ["uninstall"]);
    assert!(complete("harness install --d", "--d", 2).contains(&"--dry-run".to_owned()));
    let scopes = complete("harness install --scope ''", "", 3);
    assert_eq!(scopes, ["user", "project", "local", "managed"]);
}

#[test]
fn every_shell_gets_a_script_that_names_every_command() {
    let sandbox = Sandbox::new();
    let shells = [("bash", "complete -F"), ("zsh", "#compdef harness"), ("fish", "complete -c")];
    for (shell, sign) in
        shells.into_iter().chain([("powershell", "Register-"), ("elvish", "edit:completion")])
    {
        let script = sandbox.run(["completions", shell]).ok().stdout;
        assert!(script.contains(sign), "{shell}: {script}");
        for command in ["install", "uninstall", "doctor", "explain", "completions"] {
            assert!(script.contains(command), "{shell}: no `{command}`");
        }
    }
}

#[test]
fn an_unknown_shell_is_a_usage_error_that_names_the_known_ones() {
    let ran = Sandbox::new().run(["completions", "tcsh"]).code(2);
    assert!(ran.stderr.contains("bash, elvish, fish, powershell, zsh"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
}

#[test]
fn the_help_of_every_command_has_examples_its_exit_codes_and_the_words_it_takes() {
    let sandbox = Sandbox::new();
    let all = sandbox.run(["--help"]).ok().stdout;
    let commands = all.lines().skip_while(|l| !l.starts_with("Commands:")).skip(1);
    let names: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() >= 10, "{all}");
    for name in names {
        let help = sandbox.run([name, "--help"]).ok().stdout;
        assert!(help.contains("Exit codes: 0 "), "{name}: {help}");
        let example = format!("Examples:\n  harness {name}");
        assert!(name == "demo" || help.contains(&example), "{name}: {help}");
    }
    let help = sandbox.run(["install", "--help"]).ok().stdout;
    for word in ["claude-code", "user:", "project:", "local:", "managed:"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    let refused = sandbox.run(["install", "--scope", "everywhere"]).code(2);
    assert!(refused.stderr.contains("user, project, local, managed"), "{}", refused.stderr);
}
