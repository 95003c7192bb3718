//! Programs that talk to other hosts.

use super::download;
use super::row::{Pick, Row, act, row};
use crate::script::EffectKind::{Delete, ExecuteUnknown, Network, Overwrite, Read};

/// In order of the names.
pub(super) const TABLE: &[Row] =
    &[
        act("aria2c", Network, Pick::All).values("doisxjk", &["dir", "out"]),
        row("aws", Read, Pick::AllButLast).sub(&["s3", "cp"]).values(
            "",
            &["profile", "region", "endpoint-url", "output", "query", "acl", "sse", "content-type"],
        ),
        row("aws", Read, Pick::AllButLast).sub(&["s3", "mv"]),
        row("aws", Read, Pick::AllButLast).sub(&["s3", "sync"]),
        act("bitsadmin", Network, Pick::None),
        act("certutil", Network, Pick::None).any(&["-urlcache"]),
        act("curl", Network, Pick::All)
            .unless(&["-h", "-V", "--version", "--manual"])
            .spec(download::CURL),
        row("curl", Network, Pick::Option(&["--url"])),
        row(
            "curl",
            Overwrite,
            Pick::Option(&["-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar"]),
        ),
        row(
            "curl",
            Read,
            Pick::Option(&["-T", "--upload-file", "-K", "--config", "-E", "--cert", "--key"]),
        ),
        act("dig", Network, Pick::All),
        act("ftp", Network, Pick::First),
        row("gcloud", Read, Pick::AllButLast).sub(&["storage", "cp"]),
        row("gsutil", Read, Pick::AllButLast).sub(&["cp"]).values("o", &[]),
        row("gsutil", Read, Pick::AllButLast).sub(&["rsync"]),
        act("http", Network, Pick::All),
        act("httpie", Network, Pick::All),
        act("https", Network, Pick::All),
        act("mail", Network, Pick::All),
        act("mshta", ExecuteUnknown, Pick::All),
        act("nc", Network, Pick::First).unless(&["-z"]).values("ceiIlopqsTVwWxX", &[]),
        act("ncat", Network, Pick::First).values("ceiodgGmpswx", &["sh-exec", "exec", "lua-exec"]),
        act("netcat", Network, Pick::First).values("ceiopqsTVwxX", &[]),
        act("ngrok", Network, Pick::All),
        act("nslookup", Network, Pick::All),
        act("ping", Network, Pick::First).values("cisWwIt", &[]),
        act("rclone", Delete, Pick::All).sub(&["purge"]).deep(),
        act("rclone", Delete, Pick::All).sub(&["delete"]).deep(),
        act("rclone", Delete, Pick::Last).sub(&["sync"]).deep(),
        act("rclone", Network, Pick::All).sub(&["copy"]),
        row("rclone", Read, Pick::AllButLast).sub(&["copy"]),
        row("rclone", Read, Pick::AllButLast).sub(&["copyto"]),
        row("rclone", Read, Pick::AllButLast).sub(&["sync"]),
        act("regsvr32", ExecuteUnknown, Pick::All),
        act("rsync", Network, Pick::None).any(&["-e", "--rsh"]).values(
            "eBfTM",
            &[
                "rsh",
                "exclude",
                "include",
                "exclude-from",
                "include-from",
                "files-from",
                "filter",
                "backup-dir",
                "suffix",
                "temp-dir",
                "compare-dest",
                "link-dest",
                "log-file",
                "max-size",
                "rsync-path",
                "chmod",
                "chown",
                "timeout",
                "port",
                "bwlimit",
            ],
        ),
        row("rsync", Overwrite, Pick::Last)
            .unless(&["-n", "--dry-run", "--list-only"])
            .recursive(&["-r", "-a", "--recursive", "--archive"]),
        row("rsync", Read, Pick::AllButLast).recursive(&["-r", "-a", "--recursive", "--archive"]),
        row("rsync", Delete, Pick::Last)
            .any(&[
                "--delete",
                "--delete-before",
                "--delete-after",
                "--delete-during",
                "--delete-excluded",
                "--delete-delay",
                "--del",
            ])
            .unless(&["-n", "--dry-run", "--list-only"])
            .deep()
            .forced(&["--force"]),
        row("rsync", Delete, Pick::AllButLast)
            .any(&["--remove-source-files"])
            .unless(&["-n", "--dry-run"]),
        act("rundll32", ExecuteUnknown, Pick::All),
        row("s3cmd", Read, Pick::AllButLast).sub(&["put"]),
        act("scp", Network, Pick::Last).recursive(&["-r"]).values("cDFiJloPSX", &[]),
        row("scp", Read, Pick::AllButLast).recursive(&["-r"]),
        row("scp", Overwrite, Pick::Last).recursive(&["-r"]),
        act("sendmail", Network, Pick::All),
        act("sftp", Network, Pick::First).values("BbcDFiJloPRSs", &[]),
        act("socat", Network, Pick::All),
        act("telnet", Network, Pick::First),
        act("wget", Network, Pick::All).unless(&["-h", "--version", "-V"]).spec(download::WGET),
        row("wget", Overwrite, Pick::Option(&["-O", "--output-document", "-o", "--output-file"])),
        row("wget", Read, Pick::Option(&["--post-file", "-i", "--input-file"])),
        // Without a method it is not sent.
        row("wget", Read, Pick::Option(&["--body-file"])).any(&["--method"]),
    ];
