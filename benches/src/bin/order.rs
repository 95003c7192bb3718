//! `order BINARY`: the functions that hooks execute, as a linker script which puts them
//! side by side. The binary must hold its symbols.
//!
//! The kernel brings a program in by pages as they are touched, sixteen at a time; the
//! few hundred functions of a hook, scattered over four megabytes, touch most of them.

use std::error::Error;
use std::io::Write;

/// Functions of the thread that keeps the time, as their mangled names have them.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const WATCHING: [&str; 2] = ["3sys8deadline5watch", "3sys3netNtB4_8Requests4wait"];

/// The C library, and how it begins.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const LIBRARY: &str =
    "    *crt1.o(.text .text.*)\n    *crtbegin*.o(.text .text.*)\n    *libc.a:*(.text .text.*)\n";

/// Large rooms behind all small variables, which then share pages.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const ROOMS: &str = "SECTIONS\n{\n  .bss.rooms (NOLOAD) : {\n    *(.bss.*3net7HANDLER)\n    \
                     *(.bss.*5alloc5SPACE)\n    *(.bss.*8deadline7SLEEPER)\n  }\n}\n\
                     INSERT AFTER .bss;";

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() -> Result<(), Box<dyn Error>> {
    Ok(writeln!(std::io::stderr(), "the order is taken on Linux on x86-64 only")?)
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[expect(clippy::disallowed_methods, reason = "a measuring program acts on the machine")]
fn main() -> Result<(), Box<dyn Error>> {
    use harness_bench::{scene::Scene, trace::places};
    use std::collections::BTreeMap;

    let binary = std::path::PathBuf::from(std::env::args_os().nth(1).ok_or("usage: order BINARY")?);
    let symbols: BTreeMap<u64, String> = symbols(&binary)?;
    let scene = Scene::new(&std::env::temp_dir(), &binary, 60)?;
    Scene::rest(&[&scene])?;
    let mut names: Vec<String> = Vec::new();
    let mut commonest = 0;
    for (event, payload) in scene.events() {
        for place in places(&binary, &scene.args(event), payload.as_bytes())? {
            let name = symbols.range(..=place).next_back().map(|(_, name)| name);
            // Rust's own; the C library is taken whole below.
            if let Some(name) = name.filter(|name| name.starts_with("_R"))
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        }
        if commonest == 0 {
            // What the thread that keeps the time does, which isn't followed.
            let watching = |name: &&String| WATCHING.iter().any(|part| name.contains(part));
            names.extend(symbols.values().filter(watching).cloned());
            commonest = names.len();
        }
    }
    if names.len() < 100 {
        return Err(format!("only {} functions were seen: is it stripped?", names.len()).into());
    }
    let section = |name: &String| {
        // What the compiler takes for unlikely has a section of another kind of name.
        let name = any_crate(name);
        format!("    *(.text.{name} .text.unlikely.{name})\n")
    };
    let (first, others) = names.split_at(commonest);
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "/* Made by `ci/order`: what hooks execute, side by side. First what an ordinary"
    )?;
    writeln!(
        out,
        "   call does, to which ci/link-gcc adds the constants; then the other events. */"
    )?;
    let others: String = others.iter().map(section).collect();
    writeln!(out, "SECTIONS\n{{\n  .text.events : {{\n{others}  }}\n}}\nINSERT BEFORE .text;")?;
    let first: String = first.iter().map(section).collect();
    writeln!(out, "SECTIONS\n{{\n  .text.hook : {{\n    *(.text.main)\n{first}{LIBRARY}  }}\n}}")?;
    writeln!(out, "INSERT BEFORE .text.events;\n{ROOMS}")?;
    Ok(())
}

/// Functions by address.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[expect(clippy::disallowed_methods, reason = "a measuring program acts on the machine")]
fn symbols(
    binary: &std::path::Path,
) -> Result<std::collections::BTreeMap<u64, String>, Box<dyn Error>> {
    let nm = std::process::Command::new("nm").arg("--defined-only").arg(binary).output()?;
    if !nm.status.success() {
        return Err(String::from_utf8_lossy(&nm.stderr).into_owned().into());
    }
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let (address, kind, name) = (words.next()?, words.next()?, words.next()?);
        let address = u64::from_str_radix(address, 16).ok()?;
        matches!(kind, "t" | "T" | "w" | "W").then(|| (address, name.to_owned()))
    };
    Ok(std::str::from_utf8(&nm.stdout)?.lines().filter_map(line).collect())
}

/// A mangled name with any crate's disambiguator (`Cs…_`), which changes from one compiler
/// to the next.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn any_crate(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find("Cs") {
        let (before, after) = rest.split_at(at + 2);
        out.push_str(before);
        rest = after;
        // A disambiguator is base 62 and followed by the length of the crate's name.
        if let Some(end) = rest.find('_')
            && rest
                .get(end + 1..)
                .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
            && rest.get(..end).is_some_and(|id| id.bytes().all(|b| b.is_ascii_alphanumeric()))
        {
            out.push('*');
            rest = rest.get(end..).unwrap_or_default();
        }
    }
    out + rest
}
