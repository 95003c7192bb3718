//! Programs that read and change files.

use super::row::{Pick, Row, row};
use crate::script::EffectKind::{Create, Delete, Move, Overwrite, Permissions, Read};

/// In order of the names.
pub(super) const TABLE: &[Row] = &[
    row("7z", Read, Pick::Rest),
    row("ag", Read, Pick::Rest).deep(),
    row("awk", Read, Pick::RestUnless(&["-f"])).values("Ffv", &[]),
    row("base32", Read, Pick::All),
    row("base64", Read, Pick::All).values("w", &["wrap"]),
    row("bat", Read, Pick::All),
    row("batcat", Read, Pick::All),
    row("bzip2", Delete, Pick::All)
        .unless(&["-k", "--keep", "-c", "--stdout", "-t"])
        .forced(&["-f", "--force"]),
    row("bzip2", Read, Pick::All),
    row("bzip2", Create, Pick::All).unless(&["-c", "--stdout", "-t", "-l"]).named(".bz2"),
    row("cat", Read, Pick::All),
    row("chattr", Permissions, Pick::Rest).recursive(&["-R"]).forced(&["-f"]),
    row("chcon", Permissions, Pick::Rest)
        .recursive(&["-r", "-R", "--recursive"])
        .values("turl", &[]),
    row("chflags", Permissions, Pick::Rest).recursive(&["-R"]),
    row("chgrp", Permissions, Pick::RestUnless(&["--reference"]))
        .recursive(&["-r", "-R", "--recursive"])
        .forced(&["-f", "--force"])
        .values("", &["reference"]),
    row("chmod", Permissions, Pick::RestUnless(&["--reference"]))
        .recursive(&["-r", "-R", "--recursive"])
        .forced(&["-f", "--force"])
        .values("", &["reference"]),
    row("chown", Permissions, Pick::RestUnless(&["--reference"]))
        .recursive(&["-r", "-R", "--recursive"])
        .forced(&["-f", "--force"])
        .values("", &["reference", "from"]),
    row("cmp", Read, Pick::All),
    row("column", Read, Pick::All),
    row("comm", Read, Pick::All),
    row("cp", Read, Pick::AllButLast)
        .unless(&["--attributes-only"])
        .recursive(&["-r", "-R", "-a", "--recursive", "--archive"])
        .values("tS", &["target-directory", "suffix"]),
    row("cp", Overwrite, Pick::Last)
        .unless(&["-t", "--target-directory", "-n", "--no-clobber"])
        .recursive(&["-r", "-R", "-a", "--recursive", "--archive"])
        .forced(&["-f", "--force"]),
    row("cp", Create, Pick::Last).any(&["-n", "--no-clobber"]).recursive(&["-r", "-R", "-a"]),
    row("cp", Overwrite, Pick::Option(&["-t", "--target-directory"])).forced(&["-f", "--force"]),
    row("cut", Read, Pick::All),
    row("date", Read, Pick::Option(&["-f", "--file"])).values("fdrs", &["file", "date"]),
    row("del-cli", Delete, Pick::All).deep(),
    row("diff", Read, Pick::All),
    row("ed", Overwrite, Pick::All).values("p", &["prompt"]),
    row("egrep", Read, Pick::RestUnless(&["-e", "-f"]))
        .recursive(&["-r", "-R", "--recursive"])
        .values("efABCm", &[]),
    row("emacs", Read, Pick::All),
    row("ex", Overwrite, Pick::All).values("cSuU", &[]),
    row("fgrep", Read, Pick::RestUnless(&["-e", "-f"]))
        .recursive(&["-r", "-R", "--recursive"])
        .values("efABCm", &[]),
    row("fold", Read, Pick::All),
    row("gawk", Read, Pick::RestUnless(&["-f"])).values("Ffv", &[]),
    row("grep", Read, Pick::RestUnless(&["-e", "-f", "--regexp", "--file"]))
        .recursive(&["-r", "-R", "--recursive"])
        .values(
            "efABCmd",
            &["regexp", "file", "include", "exclude", "exclude-dir", "context", "max-count"],
        ),
    row("gzcat", Read, Pick::All),
    row("gzip", Delete, Pick::All)
        .unless(&["-k", "--keep", "-c", "--stdout", "-l", "-t"])
        .forced(&["-f", "--force"])
        .values("S", &[]),
    row("gzip", Read, Pick::All),
    row("gzip", Create, Pick::All)
        .unless(&["-c", "--stdout", "-t", "-l", "-d", "--decompress"])
        .named(".gz"),
    row("head", Read, Pick::All).values("nc", &["lines", "bytes"]),
    row("hexdump", Read, Pick::All),
    row("icacls", Permissions, Pick::First),
    row("install", Read, Pick::AllButLast)
        .unless(&["-d", "--directory"])
        .values("gmotS", &["group", "mode", "owner", "target-directory"]),
    row("install", Overwrite, Pick::Last).unless(&[
        "-t",
        "--target-directory",
        "-d",
        "--directory",
    ]),
    row("install", Overwrite, Pick::Option(&["-t", "--target-directory"])),
    row("install", Create, Pick::All).any(&["-d", "--directory"]),
    row("jq", Read, Pick::RestUnless(&["-f", "--from-file"]))
        .values("fL", &["from-file", "indent"]),
    row("less", Read, Pick::All).values("bhjkopPtTxyzD", &["pattern", "prompt"]),
    row("link", Read, Pick::First),
    row("link", Create, Pick::Last),
    row("ln", Read, Pick::AllButLast).values("tS", &["target-directory", "suffix"]),
    row("ln", Create, Pick::Last).unless(&["-f", "--force"]),
    row("ln", Overwrite, Pick::Last).any(&["-f", "--force"]).forced(&["-f", "--force"]),
    row("mawk", Read, Pick::RestUnless(&["-f"])).values("Ffv", &[]),
    row("md5sum", Read, Pick::All),
    row("mkdir", Create, Pick::All).values("m", &["mode"]),
    row("mkfifo", Create, Pick::All).values("m", &["mode"]),
    row("mktemp", Create, Pick::None),
    row("more", Read, Pick::All),
    row("most", Read, Pick::All),
    row("mv", Move, Pick::AllButLast)
        .unless(&["-t", "--target-directory"])
        .forced(&["-f", "--force"])
        .values("tS", &["target-directory", "suffix"]),
    row("mv", Move, Pick::All).any(&["-t", "--target-directory"]).forced(&["-f", "--force"]),
    row("mv", Overwrite, Pick::Last)
        .unless(&["-t", "--target-directory", "-n", "--no-clobber"])
        .forced(&["-f", "--force"]),
    row("mv", Create, Pick::Last).any(&["-n", "--no-clobber"]),
    row("mv", Overwrite, Pick::Option(&["-t", "--target-directory"])).forced(&["-f", "--force"]),
    row("nano", Read, Pick::All),
    row("nl", Read, Pick::All),
    row("nvim", Read, Pick::All).values("cSuU", &["cmd"]),
    row("nvim", Overwrite, Pick::All).any(&["-e", "-E", "--headless"]),
    row("objcopy", Overwrite, Pick::Last)
        .values("IOFBjKNRLGW", &["input-target", "output-target", "only-section"]),
    row("objcopy", Overwrite, Pick::First),
    row("od", Read, Pick::All),
    row("openssl", Read, Pick::Option(&["-in", "-inkey", "-kfile", "-key"]))
        .spec(crate::options::Spec::single_dash("", &["in", "out", "inkey", "kfile", "key"])),
    row("openssl", Overwrite, Pick::Option(&["-out", "-keyout"])),
    row("paste", Read, Pick::All),
    row("patch", Overwrite, Pick::First)
        .values("pidoBDFrYz", &["input", "strip", "directory", "output"]),
    row("pr", Read, Pick::All),
    row("rev", Read, Pick::All),
    row("rg", Read, Pick::RestUnless(&["-e", "-f", "--files"]))
        .deep()
        .values("efgtTABCmjrd", &["regexp", "file", "glob", "type"]),
    row("rimraf", Delete, Pick::All).deep(),
    row("rm", Delete, Pick::All).recursive(&["-r", "-R", "--recursive"]).forced(&["-f", "--force"]),
    row("rmdir", Delete, Pick::All),
    row("sed", Overwrite, Pick::RestUnless(&["-e", "-f", "--expression", "--file"]))
        .any(&["-i", "--in-place", "-I"])
        .values("efl", &["expression", "file", "line-length"]),
    row("sed", Read, Pick::RestUnless(&["-e", "-f", "--expression", "--file"])).unless(&[
        "-i",
        "--in-place",
        "-I",
    ]),
    row("setcap", Permissions, Pick::Rest),
    row("setfacl", Permissions, Pick::All)
        .recursive(&["-r", "-R", "--recursive"])
        .values("mxMX", &["modify", "remove", "set"]),
    row("sha1sum", Read, Pick::All),
    row("sha256sum", Read, Pick::All),
    row("shred", Overwrite, Pick::All)
        .unless(&["-u", "--remove"])
        .forced(&["-f", "--force"])
        .values("ns", &["iterations", "size", "random-source"]),
    row("shred", Delete, Pick::All).any(&["-u", "--remove"]).forced(&["-f", "--force"]),
    row("sort", Read, Pick::All).values("koStT", &["key", "output", "files0-from"]),
    row("sort", Read, Pick::Option(&["--files0-from"])),
    row("sort", Overwrite, Pick::Option(&["-o", "--output"])),
    row("split", Create, Pick::Rest).values("abCln", &[]),
    row("sponge", Overwrite, Pick::All),
    row("srm", Delete, Pick::All)
        .recursive(&["-r", "-R", "--recursive"])
        .forced(&["-f", "--force"]),
    row("strings", Read, Pick::All),
    row("strip", Overwrite, Pick::All).unless(&["-o"]).values("oFIOKNR", &["keep-symbol"]),
    row("strip", Overwrite, Pick::Option(&["-o"])),
    row("tac", Read, Pick::All),
    row("tail", Read, Pick::All).values("nc", &["lines", "bytes", "pid", "sleep-interval"]),
    row("takeown", Permissions, Pick::All),
    row("tee", Overwrite, Pick::All).unless(&["-a", "--append"]),
    row("tee", Create, Pick::All).any(&["-a", "--append"]),
    row("touch", Create, Pick::All).values("drt", &["date", "reference"]),
    row("trash", Delete, Pick::All).deep(),
    row("trash-put", Delete, Pick::All).deep(),
    row("truncate", Overwrite, Pick::All).values("sr", &["size", "reference"]),
    row("uniq", Read, Pick::All),
    row("unlink", Delete, Pick::All),
    row("unzip", Read, Pick::First).values("dxP", &[]),
    row("vi", Read, Pick::All).values("cSuU", &[]),
    row("vi", Overwrite, Pick::All).any(&["-e", "-E"]),
    row("view", Read, Pick::All),
    row("vim", Read, Pick::All).values("cSuU", &[]),
    row("vim", Overwrite, Pick::All).any(&["-e", "-E"]),
    row("wc", Read, Pick::All),
    row("wipe", Delete, Pick::All)
        .recursive(&["-r", "-R", "--recursive"])
        .forced(&["-f", "--force"]),
    row("xattr", Permissions, Pick::Rest).recursive(&["-r"]),
    row("xxd", Read, Pick::All),
    row("xz", Delete, Pick::All)
        .unless(&["-k", "--keep", "-c", "--stdout", "-l", "-t"])
        .forced(&["-f", "--force"]),
    row("xz", Read, Pick::All),
    row("xz", Create, Pick::All)
        .unless(&["-c", "--stdout", "-t", "-l", "-d", "--decompress"])
        .named(".xz"),
    row("yq", Read, Pick::Rest),
    row("zcat", Read, Pick::All),
    row("zip", Overwrite, Pick::First).recursive(&["-r"]),
    row("zip", Read, Pick::Rest).recursive(&["-r"]),
];
