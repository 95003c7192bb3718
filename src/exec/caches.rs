//! The caches of ordinary tools, which ordinary work fills: by name, below a home, with what
//! in them decides what other programs do.

/// A cache: its folder, and what in it stays as it is.
#[derive(Clone, Copy, Debug)]
pub struct Cache {
    /// The folder, below the home.
    pub folder: &'static str,
    /// What in it starts programs or says which are started.
    pub frozen: &'static [&'static str],
}

const fn cache(folder: &'static str, frozen: &'static [&'static str]) -> Cache {
    Cache { folder, frozen }
}

/// All of them. A folder that isn't there is left out, and never made.
pub static ALL: &[Cache] = &[
    cache(
        ".cargo",
        &["bin", "config", "config.toml", "credentials", "credentials.toml", "env", "env.fish"],
    ),
    cache(".npm", &[]),
    cache(".cache/pip", &[]),
    cache(".cache/uv", &[]),
    cache(".cache/yarn", &[]),
    cache(".cache/pnpm", &[]),
    cache(".cache/deno", &[]),
    cache(".cache/go-build", &[]),
    cache(".cache/ccache", &["ccache.conf"]),
    cache(".cache/pre-commit", &[]),
    cache(".cache/node-gyp", &[]),
    cache(".cache/composer", &[]),
    cache(".local/share/pnpm/store", &[]),
    cache(".yarn/berry/cache", &[]),
    cache(".bun/install/cache", &[]),
    cache("go/pkg/mod", &[]),
    cache(".gradle/caches", &[]),
    cache(".m2/repository", &[]),
    cache(".nuget/packages", &[]),
    cache(".ccache", &["ccache.conf"]),
];
