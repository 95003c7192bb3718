//! Rules' own examples, and the context that rules add, through the registered hooks.

use super::scopes::{machine, roots};
use serde_json::Value;

const RULES: &str = r#"version = 1
[[guard]]
id = "no-prod"
tool = "Bash"
mentions = ["prod-db"]
deny = "off limits"
examples.match = ["psql -h prod-db"]
examples.pass = ["psql -h dev-db"]
[[listener]]
id = "publish"
tool = "Bash"
command = ["npm", "publish"]
vote = "ask"
reason = "publishing is for people"
examples.match = ["npm publish --tag next"]
examples.pass = ["npm pack"]
"#;

fn check<'r>(report: &'r Value, id: &str) -> Option<&'r Value> {
    report["checks"].as_array().expect("a list").iter().find(|c| c["id"] == id)
}

#[test]
fn examples_are_answered_as_promised_in_every_layer() {
    let sandbox = machine("2.1.332");
    sandbox.write("home/.config/harness/policy.toml", RULES);
    let project = RULES.replace("no-prod", "no-stage").replace("prod-db", "stage-db");
    sandbox.write("project/.harness/policy.toml", project.replace("\"publish\"", "\"ship\""));
    sandbox.run(["install", "--yes"]).ok();
    let report = sandbox.run(["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), [""; 0], "{report:#}");
    let said = check(&report, "policy-bad").expect("it is there")["message"].to_string();
    assert!(said.contains("8 examples of your rules are answered as promised"), "{said}");
}

#[test]
fn a_rule_that_another_one_hides_is_found() {
    let sandbox = machine("2.1.332");
    let hiding = "[[listener]]\nid = \"all\"\ntool = \"Bash\"\ncommand = [\"npm\"]\nvote = \"allow\"\nreason = \"x\"\nexamples.match = [\"npm test\"]\nexamples.pass = [\"cargo test\"]\n[[listener]]";
    sandbox.write("home/.config/harness/policy.toml", RULES.replacen("[[listener]]", hiding, 1));
    sandbox.run(["install", "--yes"]).ok();
    let report = sandbox.run(["doctor", "--json"]).code(1).json();
    assert_eq!(roots(&report), ["policy-bad/example"], "{report:#}");
    let evidence = check(&report, "policy-bad").expect("it is there")["evidence"][0].to_string();
    assert!(
        evidence.contains(
            "`publish`: `npm publish --tag next` must be asked about, and is let through"
        ),
        "{evidence}"
    );
}

#[test]
fn more_examples_than_the_limit_are_said_not_to_be_sent() {
    let sandbox = machine("2.1.332");
    let many: Vec<String> = (0..210).map(|n| format!("\"psql -h prod-db {n}\"")).collect();
    let rules = RULES.replacen("\"psql -h prod-db\"", &many.join(", "), 1);
    sandbox.write("home/.config/harness/policy.toml", rules);
    sandbox.run(["install", "--yes"]).ok();
    let report = sandbox.run(["doctor", "--json"]).ok().json();
    let unsent = check(&report, "policy-bad").expect("it is there");
    assert_eq!(
        (&unsent["kind"], &unsent["status"]),
        (&"unsent".into(), &"note".into()),
        "{unsent:#}"
    );
    assert!(
        unsent["message"].as_str().is_some_and(|m| m.starts_with("211 examples")),
        "{unsent:#}"
    );
}

#[test]
fn context_of_rules_is_looked_for_where_the_client_reads_it() {
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    let rule = "version = 1\n[[context]]\nevent = \"UserPromptSubmit\"\ntext = \"use just test\"\n";
    sandbox.write("home/.config/harness/policy.toml", rule);
    let report = sandbox.run(["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), ["entries-outdated/event"], "{report:#}");
    sandbox.run(["doctor", "--fix", "--yes"]).ok();
    let report = sandbox.run(["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), [""; 0], "{report:#}");
    let said = check(&report, "context-shape").expect("it is there")["message"].to_string();
    assert!(said.contains("a rule's context reaches UserPromptSubmit"), "{said}");
}

#[test]
fn rules_on_results_are_tried_with_sample_secrets() {
    let sandbox = machine("2.1.332");
    let rule =
        "version = 1\n[[post]]\nid = \"keys\"\ntool = \"*\"\nredact = [\"aws-access-key\"]\n";
    sandbox.write("home/.config/harness/policy.toml", rule);
    sandbox.run(["install", "--yes"]).ok();
    let report = sandbox.run(["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), [""; 0], "{report:#}");
    let said = check(&report, "policy-bad").expect("it is there")["message"].to_string();
    assert!(said.contains("takes sample secrets out"), "{said}");
}
