use super::super::Layer;
use super::super::flat::{Flat, compile};
use super::{Problem, with_file};

fn problems(text: &str, layer: Layer) -> Vec<Problem> {
    with_file(text.as_bytes(), layer, |_| ()).err().unwrap_or_default()
}

const WHOLE: &str = r#"
version = 1

[knobs]
sandbox = "workspace-write"
approval = "ask"

[presets.review]
sandbox = "read-only"
approval = "ask"
description = "Look, don't touch"

[packs]
enable = ["core", "git", "secrets"]

[[listener]]
id = "publish"
tool = "Bash"
command = ["npm", "publish"]
vote = "ask"
reason = "Publishing is for people"
examples.match = ["npm publish --tag next"]
examples.pass = ["npm pack"]

[[guard]]
id = "no-prod-db"
tool = ["Bash", "mcp__postgres__*"]
mentions = ["prod-db.internal"]
deny = "The production database is off limits"
instead = "Use dev-db"

[[guard]]
id = "licence-check"
tool = "Write"
run = ["./tools/licence-guard"]
timeout = "2s"

[[except]]
rule = "git/force-push"
when.branch = "feature/*"
reason = "My own branches"

[[context]]
event = "SessionStart"
text = "Use `just test` before you say done."

[[post]]
id = "redact-keys"
tool = "*"
redact = ["aws-access-key", "private-key"]
"#;

#[test]
fn the_whole_format_survives_the_flat_form() {
    with_file(WHOLE.as_bytes(), Layer::User, |file| {
        assert_eq!((file.rules.len(), file.excepts.len(), file.posts.len()), (3, 1, 1));
        assert_eq!(file.rules[2].run.as_ref().unwrap().timeout_ms, 2000);
        assert_eq!(file.rules[0].line, 16);
        let bytes = compile(file);
        assert_eq!(compile(&Flat::over(&bytes).all().unwrap()), bytes);
    })
    .unwrap();
}

#[test]
fn every_mistake_at_once_with_its_place() {
    let text = "version = 2\nfoo = 1\n\n[[guard]]\nid = \"a\"\ntool = \"Bash\"\nmention = \"x\"\ndeny = \"\"\n\n[[listener]]\nid = \"a\"\nvote = \"maybe\"\ncommand = 5\nreason = \"r\"\n";
    let found: Vec<(u32, u32, String)> =
        problems(text, Layer::User).into_iter().map(|p| (p.line, p.column, p.key)).collect();
    for expected in [
        (1, 11, "version"),
        (2, 1, "foo"),
        (7, 1, "guard[1].mention"),
        (8, 8, "guard[1].deny"),
        (10, 1, "id"),
        (12, 8, "listener[1].vote"),
        (13, 11, "listener[1].command"),
    ] {
        let expected = (expected.0, expected.1, expected.2.to_owned());
        assert!(found.contains(&expected), "{expected:?} in {found:?}");
    }
    let near = problems(text, Layer::User).into_iter().find(|p| p.line == 7).unwrap();
    assert_eq!(near.instead, "did you mean `mentions`?");
}

#[test]
fn a_project_can_only_tighten() {
    let loosening = [
        ("[knobs]\nsandbox = \"read-only\"\n", "knobs"),
        ("[presets.x]\nsandbox = \"read-only\"\napproval = \"ask\"\n", "presets"),
        ("[packs]\ndisable = [\"core\"]\n", "packs.disable"),
        ("[[except]]\nrule = \"core/clean\"\nreason = \"r\"\n", "except"),
        ("[[listener]]\nid = \"a\"\ntool = \"Bash\"\nvote = \"allow\"\n", "listener[1].vote"),
    ];
    for (part, key) in loosening {
        let text = format!("version = 1\n{part}");
        let keys: Vec<String> =
            problems(&text, Layer::Project).into_iter().map(|p| p.key).collect();
        assert_eq!(keys, [key], "{part}");
        assert_eq!(problems(&text, Layer::User), [], "{part}");
    }
}

#[test]
fn no_way_out_of_self_protection() {
    for rule in ["self-protection/settings", "harness/broken-policy", "core/no-such-rule", "mine"] {
        let text = format!("version = 1\n[[except]]\nrule = \"{rule}\"\nreason = \"r\"\n");
        assert_eq!(problems(&text, Layer::User)[0].key, "except[1].rule", "{rule}");
    }
    let text = "version = 1\n[packs]\ndisable = [\"self-protection\"]\n";
    assert_eq!(problems(text, Layer::Managed)[0].key, "packs.disable");
}

#[test]
fn what_is_refused() {
    for (part, key) in [
        ("[[guard]]\nid = \"a\"\ndeny = \"x\"\n", "guard[1]"),
        ("[[guard]]\nid = \"a/b\"\ntool = \"*\"\ndeny = \"x\"\n", "guard[1].id"),
        ("[[guard]]\nid = \"a\"\ntool = \"*\"\nvote = \"allow\"\ndeny = \"x\"\n", "guard[1].vote"),
        (
            "[[guard]]\nid = \"a\"\ntool = \"*\"\nrun = [\"x\"]\ntimeout = \"9s\"\n",
            "guard[1].timeout",
        ),
        ("[[guard]]\nid = \"a\"\ntool = []\ndeny = \"x\"\n", "guard[1].tool"),
        ("[[bridge]]\nconfig = \"x\"\non_failure = \"deny\"\n", "bridge[1]"),
        ("[[context]]\nevent = \"SessionEnd\"\ntext = \"x\"\n", "context[1].event"),
        ("[[post]]\nid = \"a\"\nredact = [\"nope\"]\n", "post[1].redact"),
        ("[presets.custom]\nsandbox = \"read-only\"\napproval = \"ask\"\n", "presets.custom"),
        ("guard = 5\n", "guard"),
    ] {
        let found = problems(&format!("version = 1\n{part}"), Layer::User);
        assert!(found.iter().any(|p| p.key == key), "{part}: {found:?}");
        assert!(found.iter().all(|p| p.line > 0 && !p.instead.is_empty()), "{found:?}");
    }
}

#[test]
fn not_toml_at_all() {
    let found = problems("version = 1\nx = = 2\ny = [\n", Layer::User);
    assert!(found.iter().any(|p| p.line == 2), "{found:?}");
    assert!(with_file(b"\xff\xfev\0", Layer::User, |_| ()).is_err());
    let latin = with_file(b"version = 1\n# \xe9\n", Layer::User, |_| ()).unwrap_err();
    assert_eq!(latin[0].line, 2);
    assert!(with_file(b"\xef\xbb\xbfversion = 1\n", Layer::User, |_| ()).is_ok());
}
