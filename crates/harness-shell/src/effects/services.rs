//! Programs that change the state of services, near and far: one table of uniform rows.

use super::row::{Pick, Row, act};
use crate::script::EffectKind::{Delete, RemoteState, Stop};

/// In order of the names.
pub(super) const TABLE: &[Row] = &[
    act("ansible", RemoteState, Pick::First)
        .values("imaeul", &["inventory", "module-name", "args"]),
    act("ansible-playbook", RemoteState, Pick::All)
        .unless(&["-C", "--check", "--syntax-check"])
        .values("ieultk", &["inventory", "extra-vars", "user", "limit", "tags"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["s3", "rm"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["s3", "rb"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["s3", "mv"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["s3", "cp"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["s3", "sync"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["s3api", "delete-object"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["s3api", "delete-objects"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["s3api", "delete-bucket"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["ec2", "terminate-instances"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["ec2", "delete-volume"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["rds", "delete-db-instance"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["rds", "delete-db-cluster"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["dynamodb", "delete-table"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["cloudformation", "delete-stack"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["iam", "delete-user"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["iam", "delete-role"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["lambda", "delete-function"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["eks", "delete-cluster"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("aws", RemoteState, Pick::All)
        .sub(&["kms", "schedule-key-deletion"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values("", &["profile", "region", "endpoint-url", "output", "query"]),
    act("az", RemoteState, Pick::All)
        .sub(&["group", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("az", RemoteState, Pick::All)
        .sub(&["vm", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("az", RemoteState, Pick::All)
        .sub(&["storage", "account", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("az", RemoteState, Pick::All)
        .sub(&["storage", "blob", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("az", RemoteState, Pick::All)
        .sub(&["aks", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("az", RemoteState, Pick::All)
        .sub(&["keyvault", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("cdk", RemoteState, Pick::All)
        .sub(&["destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("cdk", RemoteState, Pick::All)
        .sub(&["deploy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("consul", RemoteState, Pick::All)
        .sub(&["kv", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["system", "prune"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["volume", "rm"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["volume", "prune"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["image", "prune"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["container", "prune"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["network", "prune"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["builder", "prune"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["rm"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["rmi"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["compose", "down"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Stop, Pick::All)
        .sub(&["kill"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Stop, Pick::All)
        .sub(&["stop"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("docker", Delete, Pick::All)
        .sub(&["image", "rm"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("doctl", RemoteState, Pick::All)
        .sub(&["compute", "droplet", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("dropdb", RemoteState, Pick::All)
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("dropuser", RemoteState, Pick::All)
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("eksctl", RemoteState, Pick::All)
        .sub(&["delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("etcdctl", RemoteState, Pick::All)
        .sub(&["del"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("firebase", RemoteState, Pick::All)
        .sub(&["deploy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("firebase", RemoteState, Pick::All)
        .sub(&["firestore:delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("fly", RemoteState, Pick::All)
        .sub(&["apps", "destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("fly", RemoteState, Pick::All)
        .sub(&["deploy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("fly", RemoteState, Pick::All)
        .sub(&["volumes", "destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("flyctl", RemoteState, Pick::All)
        .sub(&["apps", "destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("flyctl", RemoteState, Pick::All)
        .sub(&["deploy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("flyctl", RemoteState, Pick::All)
        .sub(&["volumes", "destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["repo", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["repo", "archive"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["repo", "edit"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["secret", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["secret", "set"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["pr", "merge"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["api"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["workflow", "disable"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["ruleset", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["repo", "deploy-key", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gh", RemoteState, Pick::All)
        .sub(&["ssh-key", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("glab", RemoteState, Pick::All)
        .sub(&["repo", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("glab", RemoteState, Pick::All)
        .sub(&["mr", "merge"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gsutil", RemoteState, Pick::All)
        .sub(&["rm"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("gsutil", RemoteState, Pick::All)
        .sub(&["rb"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("helm", RemoteState, Pick::All)
        .sub(&["uninstall"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("helm", RemoteState, Pick::All)
        .sub(&["delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("helm", RemoteState, Pick::All)
        .sub(&["upgrade"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("helm", RemoteState, Pick::All)
        .sub(&["install"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("helm", RemoteState, Pick::All)
        .sub(&["rollback"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("heroku", RemoteState, Pick::All)
        .sub(&["apps:destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("heroku", RemoteState, Pick::All)
        .sub(&["pg:reset"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("heroku", RemoteState, Pick::All)
        .sub(&["addons:destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("kind", Delete, Pick::All)
        .sub(&["delete", "cluster"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("kubectl", RemoteState, Pick::All)
        .sub(&["delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values(
            "nflsc",
            &[
                "namespace",
                "context",
                "kubeconfig",
                "cluster",
                "user",
                "filename",
                "selector",
                "grace-period",
                "timeout",
            ],
        ),
    act("kubectl", RemoteState, Pick::All)
        .sub(&["drain"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values(
            "nflsc",
            &[
                "namespace",
                "context",
                "kubeconfig",
                "cluster",
                "user",
                "filename",
                "selector",
                "grace-period",
                "timeout",
            ],
        ),
    act("kubectl", RemoteState, Pick::All)
        .sub(&["apply"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values(
            "nflsc",
            &[
                "namespace",
                "context",
                "kubeconfig",
                "cluster",
                "user",
                "filename",
                "selector",
                "grace-period",
                "timeout",
            ],
        ),
    act("kubectl", RemoteState, Pick::All)
        .sub(&["scale"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values(
            "nflsc",
            &[
                "namespace",
                "context",
                "kubeconfig",
                "cluster",
                "user",
                "filename",
                "selector",
                "grace-period",
                "timeout",
            ],
        ),
    act("kubectl", RemoteState, Pick::All)
        .sub(&["replace"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values(
            "nflsc",
            &[
                "namespace",
                "context",
                "kubeconfig",
                "cluster",
                "user",
                "filename",
                "selector",
                "grace-period",
                "timeout",
            ],
        ),
    act("kubectl", RemoteState, Pick::All)
        .sub(&["patch"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values(
            "nflsc",
            &[
                "namespace",
                "context",
                "kubeconfig",
                "cluster",
                "user",
                "filename",
                "selector",
                "grace-period",
                "timeout",
            ],
        ),
    act("kubectl", RemoteState, Pick::All)
        .sub(&["rollout"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values(
            "nflsc",
            &[
                "namespace",
                "context",
                "kubeconfig",
                "cluster",
                "user",
                "filename",
                "selector",
                "grace-period",
                "timeout",
            ],
        ),
    act("limactl", Delete, Pick::All)
        .sub(&["delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("lxc", Delete, Pick::All)
        .sub(&["delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("minikube", Delete, Pick::All)
        .sub(&["delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("multipass", Delete, Pick::All)
        .sub(&["delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("netlify", RemoteState, Pick::All)
        .sub(&["sites:delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("netlify", RemoteState, Pick::All)
        .sub(&["deploy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("oc", RemoteState, Pick::All)
        .sub(&["delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"])
        .values(
            "nflsc",
            &[
                "namespace",
                "context",
                "kubeconfig",
                "cluster",
                "user",
                "filename",
                "selector",
                "grace-period",
                "timeout",
            ],
        ),
    act("podman", Delete, Pick::All)
        .sub(&["system", "prune"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("podman", Delete, Pick::All)
        .sub(&["volume", "rm"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("podman", Delete, Pick::All)
        .sub(&["volume", "prune"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("podman", Delete, Pick::All)
        .sub(&["rm"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("podman", Delete, Pick::All)
        .sub(&["rmi"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("podman", Delete, Pick::All)
        .sub(&["system", "reset"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("prisma", RemoteState, Pick::All)
        .sub(&["migrate", "reset"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("prisma", RemoteState, Pick::All)
        .sub(&["db", "push"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("pulumi", RemoteState, Pick::All)
        .sub(&["destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("pulumi", RemoteState, Pick::All)
        .sub(&["up"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("rails", RemoteState, Pick::All)
        .sub(&["db:drop"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("rails", RemoteState, Pick::All)
        .sub(&["db:reset"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("rake", RemoteState, Pick::All)
        .sub(&["db:drop"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("rake", RemoteState, Pick::All)
        .sub(&["db:reset"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("redis-cli", RemoteState, Pick::All)
        .sub(&["FLUSHALL"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("redis-cli", RemoteState, Pick::All)
        .sub(&["FLUSHDB"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("redis-cli", RemoteState, Pick::All)
        .sub(&["flushall"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("redis-cli", RemoteState, Pick::All)
        .sub(&["flushdb"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("serverless", RemoteState, Pick::All)
        .sub(&["remove"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("serverless", RemoteState, Pick::All)
        .sub(&["deploy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("sls", RemoteState, Pick::All)
        .sub(&["remove"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("sls", RemoteState, Pick::All)
        .sub(&["deploy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("supabase", RemoteState, Pick::All)
        .sub(&["db", "reset"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("terraform", RemoteState, Pick::All)
        .sub(&["destroy"])
        .forced(&["-auto-approve", "--auto-approve", "-force"])
        .single_dash(),
    act("terraform", RemoteState, Pick::All)
        .sub(&["apply"])
        .forced(&["-auto-approve", "--auto-approve", "-force"])
        .single_dash(),
    act("terraform", RemoteState, Pick::All).sub(&["state", "rm"]),
    act("terraform", RemoteState, Pick::All).sub(&["workspace", "delete"]),
    act("terragrunt", RemoteState, Pick::All)
        .sub(&["destroy"])
        .forced(&["-auto-approve", "--auto-approve", "-force"])
        .single_dash(),
    act("terragrunt", RemoteState, Pick::All)
        .sub(&["apply"])
        .forced(&["-auto-approve", "--auto-approve", "-force"])
        .single_dash(),
    act("terragrunt", RemoteState, Pick::All).sub(&["state", "rm"]),
    act("terragrunt", RemoteState, Pick::All).sub(&["workspace", "delete"]),
    act("tofu", RemoteState, Pick::All)
        .sub(&["destroy"])
        .forced(&["-auto-approve", "--auto-approve", "-force"])
        .single_dash(),
    act("tofu", RemoteState, Pick::All)
        .sub(&["apply"])
        .forced(&["-auto-approve", "--auto-approve", "-force"])
        .single_dash(),
    act("tofu", RemoteState, Pick::All).sub(&["state", "rm"]),
    act("tofu", RemoteState, Pick::All).sub(&["workspace", "delete"]),
    act("vagrant", Delete, Pick::All)
        .sub(&["destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("vault", RemoteState, Pick::All)
        .sub(&["delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("vault", RemoteState, Pick::All)
        .sub(&["kv", "delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("vault", RemoteState, Pick::All)
        .sub(&["kv", "destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("vercel", RemoteState, Pick::All)
        .sub(&["rm"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("vercel", RemoteState, Pick::All)
        .sub(&["remove"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("vercel", RemoteState, Pick::All)
        .sub(&["deploy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("virsh", Delete, Pick::All)
        .sub(&["destroy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("virsh", Delete, Pick::All)
        .sub(&["undefine"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("wrangler", RemoteState, Pick::All)
        .sub(&["delete"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("wrangler", RemoteState, Pick::All)
        .sub(&["deploy"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
    act("wrangler", RemoteState, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "--dryrun"])
        .recursive(&["--recursive", "-r", "-a", "--all", "--volumes", "-v"])
        .forced(&["-y", "--yes", "-f", "--force"]),
];
