//! Downloads over HTTPS, and the words for what goes wrong on the way.

use super::source::is_loopback;
use crate::install::Failure;
use std::io::{ErrorKind, Read};
use std::time::Duration;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// Who is told how much has come, and of how much.
pub type Progress<'a> = &'a mut dyn FnMut(u64, Option<u64>);

/// The bytes at an address, at most `most`.
///
/// # Errors
/// They can't be had, in words a person can act on.
pub fn bytes(url: &str, most: u64, told: Progress<'_>) -> Result<Vec<u8>, Failure> {
    let config = ureq::Agent::config_builder()
        .https_only(!is_loopback(url))
        .max_redirects(5)
        .timeout_connect(Some(Duration::from_secs(20)))
        .timeout_recv_response(Some(Duration::from_secs(30)))
        .timeout_global(Some(Duration::from_secs(600)))
        .user_agent(concat!("harness/", env!("CARGO_PKG_VERSION")))
        .tls_config(TlsConfig::builder().root_certs(roots()?).build())
        .build();
    let agent = ureq::Agent::new_with_config(config);
    let mut response = agent.get(url).call().map_err(|e| failure(url, &e))?;
    let length = response.body().content_length();
    if length.is_some_and(|length| length > most) {
        return Err(Failure::could_not(format!("{url} is larger than a release can be"), None));
    }
    let mut reader = response.body_mut().as_reader();
    let mut got = Vec::new();
    let mut buffer = [0_u8; 64 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => got.extend_from_slice(buffer.get(..n).unwrap_or_default()),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(broken_off(url, &e.to_string())),
        }
        let so_far = got.len() as u64;
        if so_far > most {
            return Err(Failure::could_not(format!("{url} is larger than a release can be"), None));
        }
        told(so_far, length);
    }
    if length.is_some_and(|length| length != got.len() as u64) {
        return Err(broken_off(url, "it ended too early"));
    }
    Ok(got)
}

/// The authorities known to this program, or those of `SSL_CERT_FILE`: behind a proxy that
/// opens connections there is one more. What was fetched must be signed all the same.
fn roots() -> Result<RootCerts, Failure> {
    let Some(file) = std::env::var_os("SSL_CERT_FILE").filter(|f| !f.is_empty()) else {
        return Ok(RootCerts::WebPki);
    };
    let shown = file.to_string_lossy().into_owned();
    let wrong = |why: String| {
        let hint = "name a file of certificates in PEM form, or unset it";
        Failure::could_not(format!("`SSL_CERT_FILE` names {shown}: {why}"), Some(hint.to_owned()))
    };
    let text = std::fs::read(&file).map_err(|e| wrong(e.to_string()))?;
    let certificates: Vec<Certificate<'static>> = parse_pem(&text)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    if certificates.is_empty() {
        return Err(wrong("there is no certificate in it".to_owned()));
    }
    Ok(RootCerts::new_with_certs(&certificates))
}

fn broken_off(url: &str, why: &str) -> Failure {
    Failure::could_not(
        format!("the download of {url} broke off: {why}"),
        Some("nothing was changed; run it again".to_owned()),
    )
}

fn failure(url: &str, error: &ureq::Error) -> Failure {
    use ureq::Error;
    let proxy = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
        .iter()
        .find_map(|name| Some((*name, std::env::var(name).ok().filter(|v| !v.is_empty())?)));
    let host = url.split('/').nth(2).unwrap_or(url);
    let (what, hint) = match error {
        Error::StatusCode(404) => {
            (format!("there is no {url}"), "is that a version that was released?".to_owned())
        }
        Error::StatusCode(407) => (
            format!("the proxy wants to know who asks for {url}"),
            "put name and password into its address: `https_proxy=http://name:password@host:port`"
                .to_owned(),
        ),
        Error::StatusCode(code) => {
            (format!("{host} answered {code} for {url}"), "try again in a while".to_owned())
        }
        Error::HostNotFound | Error::ConnectionFailed | Error::Io(_) | Error::Timeout(_) => (
            format!("{host} can't be reached ({error})"),
            match &proxy {
                Some((name, value)) => {
                    format!("`{name}` sends this through {}: is that right?", without_secret(value))
                }
                None => {
                    "is the network there? behind a proxy set `https_proxy`; nothing was changed"
                        .to_owned()
                }
            },
        ),
        Error::InvalidProxyUrl => (
            "the proxy's address can't be read".to_owned(),
            "it is `http://host:port`, in `https_proxy`".to_owned(),
        ),
        Error::RequireHttpsOnly(_) => (
            format!("{host} leads to an address that isn't encrypted"),
            "nothing was changed; please tell the project".to_owned(),
        ),
        other => (
            format!("{url} can't be fetched: {other}"),
            "where a proxy opens connections, `SSL_CERT_FILE` names its authority".to_owned(),
        ),
    };
    Failure::could_not(what, Some(hint))
}

/// A proxy's address as it may be shown.
fn without_secret(address: &str) -> String {
    match address.rsplit_once('@') {
        Some((before, host)) => {
            let scheme = before.split_once("://").map_or("", |(scheme, _)| scheme);
            format!("{scheme}://…@{host}")
        }
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{failure, without_secret};

    #[test]
    fn a_proxys_password_is_not_shown_and_every_failure_says_what_next() {
        assert_eq!(without_secret("http://me:secret@proxy:3128"), "http://…@proxy:3128");
        assert_eq!(without_secret("http://proxy:3128"), "http://proxy:3128");
        for error in [
            ureq::Error::StatusCode(404),
            ureq::Error::StatusCode(407),
            ureq::Error::StatusCode(503),
            ureq::Error::HostNotFound,
            ureq::Error::InvalidProxyUrl,
        ] {
            assert!(failure("https://h/x", &error).hint.is_some_and(|h| h.len() > 10));
        }
    }
}
