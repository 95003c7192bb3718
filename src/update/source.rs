//! Where releases come from and whose signature they carry: fixed when the program is built,
//! so that nothing on the machine can name another place or key.

use crate::install::Failure;
use crate::sys::fault;

/// An address and a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Releases are below it: `latest/download/FILE` and `download/vVERSION/FILE`.
    pub address: String,
    /// The public key, as minisign writes it.
    pub key: String,
}

impl Source {
    /// What this program was built with.
    ///
    /// # Errors
    /// It was built without, or with an address that isn't encrypted.
    pub fn built_in() -> Result<Self, Failure> {
        let built = |built: Option<&str>, name| {
            fault::setting(name).or_else(|| built.map(str::to_owned)).filter(|v| !v.is_empty())
        };
        let address = built(option_env!("HARNESS_UPDATE_URL"), "UPDATE_URL");
        let key = built(option_env!("HARNESS_UPDATE_KEY"), "UPDATE_KEY");
        let (Some(address), Some(key)) = (address, key) else {
            return Err(Failure::could_not(
                "updates are not configured: this build of harness names no address and key of releases",
                Some("update it the way it was installed, such as `cargo install --locked --force harness`".into()),
            ));
        };
        let address = address.trim_end_matches('/').to_owned();
        let local = fault::setting("UPDATE_URL").is_some() && is_loopback(&address);
        if !address.starts_with("https://") && !local {
            return Err(Failure::could_not(
                format!("releases come over HTTPS only, and this build names `{address}`"),
                Some("take another build of harness".into()),
            ));
        }
        Ok(Self { address, key })
    }

    /// Where a file of the newest release is.
    #[must_use]
    pub fn newest(&self, file: &str) -> String {
        format!("{}/latest/download/{file}", self.address)
    }

    /// Where a file of a release is.
    #[must_use]
    pub fn of_version(&self, version: &super::version::Version, file: &str) -> String {
        format!("{}/download/v{version}/{file}", self.address)
    }
}

/// An address of this very machine: tests have no certificate.
#[must_use]
pub fn is_loopback(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("http://") else { return false };
    let host = rest.split('/').next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    matches!(name, "127.0.0.1" | "localhost" | "[::1]")
}

/// The machine that this program runs on, as releases name it.
#[must_use]
pub fn triple() -> Option<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some("x86_64-unknown-linux-musl"),
        ("linux", "aarch64") => Some("aarch64-unknown-linux-musl"),
        ("macos", "x86_64") => Some("x86_64-apple-darwin"),
        ("macos", "aarch64") => Some("aarch64-apple-darwin"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn only_this_machine_may_be_asked_in_the_clear() {
        for good in ["http://127.0.0.1:8080/x", "http://localhost", "http://[::1]:1"] {
            assert!(is_loopback(good), "{good}");
        }
        for bad in ["https://127.0.0.1", "http://127.0.0.1.x/", "http://u@h/", "http://10.0.0.1"] {
            assert!(!is_loopback(bad), "{bad}");
        }
    }
}
