//! Programs that publish.

use super::row::{Pick, Row, act};
use crate::script::EffectKind::Publish;

/// In order of the names.
pub(super) const TABLE: &[Row] = &[
    act("bun", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("cargo", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("cargo", Publish, Pick::All)
        .sub(&["yank"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("changeset", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("deno", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("docker", Publish, Pick::All)
        .sub(&["push"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("docker", Publish, Pick::All)
        .sub(&["image", "push"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("dotnet", Publish, Pick::All)
        .sub(&["nuget", "push"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("flit", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("gem", Publish, Pick::All).sub(&["push"]).unless(&["--dry-run", "-n"]).forced(&["--force"]),
    act("gem", Publish, Pick::All).sub(&["yank"]).unless(&["--dry-run", "-n"]).forced(&["--force"]),
    act("gh", Publish, Pick::All).sub(&["release", "create"]),
    act("gh", Publish, Pick::All).sub(&["release", "delete"]).forced(&["-y", "--yes"]),
    act("goreleaser", Publish, Pick::All)
        .sub(&["release"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("gradle", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("gradlew", Publish, Pick::All).sub(&["publish"]).unless(&["--dry-run", "-m"]),
    act("hatch", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("helm", Publish, Pick::All)
        .sub(&["push"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("jsr", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("lerna", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("mvn", Publish, Pick::All)
        .sub(&["deploy"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("mvnw", Publish, Pick::All).sub(&["deploy"]),
    act("npm", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("npm", Publish, Pick::All).sub(&["unpublish"]).forced(&["--force", "-f"]),
    act("npm", Publish, Pick::All).sub(&["deprecate"]),
    act("npm", Publish, Pick::All).sub(&["dist-tag", "add"]),
    act("nuget", Publish, Pick::All)
        .sub(&["push"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("ovsx", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("pdm", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("pnpm", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("podman", Publish, Pick::All)
        .sub(&["push"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("poetry", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("semantic-release", Publish, Pick::All)
        .sub(&[])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("twine", Publish, Pick::All)
        .sub(&["upload"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("uv", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("vsce", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("yarn", Publish, Pick::All)
        .sub(&["publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
    act("yarn", Publish, Pick::All)
        .sub(&["npm", "publish"])
        .unless(&["--dry-run", "-n"])
        .forced(&["--force"]),
];
