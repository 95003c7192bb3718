//! `publish`: what goes out to everybody. A uniform table.

use super::rule;
use crate::policy::model::Rule;

pub(super) static RULES: &[Rule<'static>] = &[
    rule!(
        Ask "publish/package", "Publishing a package is for people",
        instead "a dry run, or packing it",
        when { command ["npm|pnpm|yarn|bun|cargo|poetry|uv|flit|hatch|dart|deno|jsr|vsce|ovsx", "publish"] without ["--dry-run"] },
        match ["npm publish --tag next", "cargo publish", "uv publish"],
        pass ["npm pack", "cargo publish --dry-run", "npm run publish-docs"],
    ),
    rule!(
        Ask "publish/upload", "Publishing a package is for people",
        instead "",
        when { command ["twine|gem|nuget|dotnet|helm", "upload|push"] },
        match ["twine upload dist/*", "gem push x.gem", "helm push x oci://y"],
        pass ["twine check dist/*", "gem build x.gemspec"],
    ),
    rule!(
        Ask "publish/image", "Publishing an image is for people",
        instead "",
        when { command ["docker|podman|buildah|crane|skopeo", "push|copy"] },
        match ["docker push me/app:latest"],
        pass ["docker build .", "docker pull alpine"],
    ),
    rule!(
        Ask "publish/image-build", "Publishing an image is for people",
        instead "",
        when { command ["docker|podman", "buildx|build"] flags ["--push"] },
        match ["docker buildx build --push ."],
        pass ["docker buildx build ."],
    ),
    rule!(
        Ask "publish/release", "Publishing a release is for people",
        instead "a draft: `gh release create --draft`",
        when { command ["gh|glab", "release", "create|delete|upload"] without ["-d|--draft"] },
        match ["gh release create v1"],
        pass ["gh release list", "gh release create v1 --draft"],
    ),
    rule!(
        Ask "publish/any", "Publishing is for people",
        instead "",
        when { without ["--draft|-d", "--dry-run"] effects [PUBLISH] },
        match ["npm unpublish x --force", "cargo yank --version 1.0.0", "python -m twine upload dist/x", "./gradlew publish", "mvn deploy"],
        pass ["gh release create v1 --draft", "mvn package", "./gradlew build"],
    ),
    rule!(
        Ask "publish/tunnel", "This lets everybody reach a port of this machine",
        instead "",
        when { command ["ngrok|cloudflared|localtunnel|lt|bore", "http|tcp|tunnel|start|local|--port"] },
        match ["ngrok http 80", "cloudflared tunnel --url http://localhost:80"],
        pass ["ngrok version"],
    ),
    rule!(
        Ask "publish/deploy", "This puts a version before everybody",
        instead "a preview: the same command without `--prod`",
        when { command ["vercel|netlify|now"] flags ["--prod"] },
        match ["vercel --prod", "netlify deploy --prod"],
        pass ["vercel dev", "netlify deploy"],
    ),
    rule!(
        Ask "publish/deploy-platform", "This puts a version before everybody",
        instead "",
        when { command ["wrangler|firebase|fastlane|fly|flyctl|pod|railway", "deploy|publish|release|trunk|up|down"] without ["--help", "--dry-run"] },
        match ["wrangler deploy", "firebase deploy", "fastlane release"],
        pass ["wrangler dev", "firebase emulators:start", "pod install"],
    ),
    rule!(
        Ask "publish/owner", "This changes who may publish a package",
        instead "",
        when { command ["npm|cargo|gem", "owner"] args ["add", "rm", "--add", "--remove", "-a", "-r"] },
        match ["npm owner add x pkg", "cargo owner --add x"],
        pass ["npm owner ls pkg", "cargo owner --list"],
    ),
];
