//! Unix sockets at which somebody listens: who connects can have another process write.

use std::path::PathBuf;

/// Sockets whose listeners only answer questions about names, users and time.
const HARMLESS: &[&str] = &[
    "/run/nscd/",
    "/var/run/nscd/",
    "/run/systemd/resolve/",
    "/run/systemd/userdb/",
    "/run/systemd/io.systemd.",
    "/var/lib/sss/pipes/",
    "/run/avahi-daemon/",
];

/// The flag of a socket that accepts connections.
const LISTENS: u32 = 0x0001_0000;

/// Paths of the sockets of this machine at which somebody listens.
#[cfg(target_os = "linux")]
#[must_use]
pub fn listening() -> Vec<PathBuf> {
    parse(&std::fs::read("/proc/net/unix").unwrap_or_default())
}

/// Nothing is known of them here.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn listening() -> Vec<PathBuf> {
    Vec::new()
}

/// The lines of `/proc/net/unix`: number, references, protocol, flags, type, state, inode,
/// path. A path may hold anything but a line end.
fn parse(table: &[u8]) -> Vec<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let mut found: Vec<PathBuf> = Vec::new();
    for line in table.split(|byte| *byte == b'\n').skip(1) {
        let mut fields = line.split(|byte| *byte == b' ').filter(|field| !field.is_empty());
        let flags = fields.nth(3).and_then(|field| std::str::from_utf8(field).ok());
        let flags = flags.and_then(|field| u32::from_str_radix(field, 16).ok()).unwrap_or(0);
        // An abstract name begins with `@`.
        let Some(at) = line.windows(2).position(|two| two == b" /") else { continue };
        let at = at.saturating_add(1);
        let path = line.get(at..).unwrap_or_default();
        let harmless = HARMLESS.iter().any(|known| path.starts_with(known.as_bytes()));
        if flags & LISTENS != 0 && !harmless {
            found.push(PathBuf::from(std::ffi::OsStr::from_bytes(path)));
        }
    }
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn those_who_listen_at_a_path_are_found() {
        let table = b"Num       RefCount Protocol Flags    Type St Inode Path\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 17 /run/docker.sock\n\
            0000000000000000: 00000003 00000000 00000000 0001 03 18 /run/docker.sock\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 19 @/tmp/.X11-unix/X0\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 20 /run/nscd/socket\n\
            0000000000000000: 00000002 00000000 00010000 0001 01 21 /tmp/a b/s\n\
            0000000000000000: 00000002 00000000 00010000 0005 01 22\n";
        let found = parse(table);
        let found: Vec<_> = found.iter().filter_map(|path| path.to_str()).collect();
        assert_eq!(found, ["/run/docker.sock", "/tmp/a b/s"]);
    }
}
