//! Signatures, by minisign's rules. The signed comment binds a file to its version and name,
//! so that neither an older release nor another file can be handed out in its place.

use minisign_verify::{PublicKey, Signature};

/// The word that the signed comment must be.
#[must_use]
pub fn comment(version: &str, file: &str) -> String {
    format!("harness {version} {file}")
}

/// The version that a file is signed as.
///
/// # Errors
/// In words: it isn't signed by this key, or not as this file.
pub fn version_of(file: &str, bytes: &[u8], signature: &str, key: &str) -> Result<String, String> {
    let key = PublicKey::from_base64(key)
        .map_err(|e| format!("the key of this build can't be read: {e}"))?;
    let unsigned = |e| format!("the signature of {file} is not this project's ({e})");
    let signature = Signature::decode(signature).map_err(unsigned)?;
    key.verify(bytes, &signature, false).map_err(unsigned)?;
    let said = signature.trusted_comment();
    let version = said.strip_prefix("harness ").and_then(|rest| rest.strip_suffix(file));
    let version = version.and_then(|v| v.strip_suffix(' ')).filter(|v| !v.contains(' '));
    version.map(str::to_owned).ok_or_else(|| format!("{file} is signed as `{said}`"))
}

#[cfg(test)]
mod tests {
    use super::version_of;

    const KEY: &str = "RWRt602kxzH49k7wLVx4MLDuvpfVs02G5LRi7r1ohE1R+/nZB5rM6qah";
    const JSON: &[u8] = b"{\"schema\":1,\"version\":\"0.2.0\",\"files\":{\"x86_64-unknown-linux-musl\":{\"name\":\"harness-x86_64-unknown-linux-musl.tar.gz\",\"sha256\":\"049959c0f65fd6d88cfe6b8db571a8554987de4ab6a9a68ba311e8df6031f7c6\",\"size\":4584}}}\n";
    const SIGNATURE: &str = "untrusted comment: harness release\nRURt602kxzH49gYXjpkE37DYvXwTI82G1QTmQBcXSu7Aj3uVhEWu17yuw29CUmTOoxklsYeVGxBBti60Czap6kSwJmFUV6pGugQ=\ntrusted comment: harness 0.2.0 release.json\nGZLFlSrUGdRKNqimktBcYnNXshkvgLo8JNiVeQCpxACkPtMnZsUILIO4wwHUdfo1WkXuMKiiXZ/yA9QKoYi1BQ==\n";

    #[test]
    fn what_is_signed_is_the_bytes_the_version_and_the_name() {
        assert_eq!(version_of("release.json", JSON, SIGNATURE, KEY).as_deref(), Ok("0.2.0"));
        let mut other = JSON.to_vec();
        other[5] ^= 1;
        assert!(version_of("release.json", &other, SIGNATURE, KEY).is_err());
        let error = version_of("harness.tar.gz", JSON, SIGNATURE, KEY).unwrap_err();
        assert!(error.contains("is signed as `harness 0.2.0 release.json`"), "{error}");
        let forged = SIGNATURE.replace("harness 0.2.0", "harness 0.9.0");
        assert!(version_of("release.json", JSON, &forged, KEY).is_err());
        let key = KEY.replace("k7wL", "k7wM");
        assert!(version_of("release.json", JSON, SIGNATURE, &key).is_err());
        assert!(version_of("release.json", JSON, "", KEY).is_err());
    }
}
