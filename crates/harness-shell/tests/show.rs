//! Prints what is read of the lines in `HARNESS_SHELL_SHOW`, for work on the reader.

use harness_shell::{Dialect, Limits, read};

#[test]
fn show() {
    let Ok(lines) = std::env::var("HARNESS_SHELL_SHOW") else { return };
    for line in lines.split("\n---\n") {
        let script = read(line, Dialect::Posix, Limits::default());
        eprintln!("\n$ {line}");
        for c in &script.commands {
            let args: Vec<String> = std::iter::once(&c.program)
                .chain(&c.args)
                .map(|w| {
                    format!(
                        "{}{}{}",
                        w.text,
                        if w.literal { "" } else { "?" },
                        if w.glob { "*" } else { "" }
                    )
                })
                .collect();
            eprintln!(
                "  {args:?} via={:?} cwd={:?} pipe={:?}",
                c.via,
                c.cwd.as_ref().map(|w| &w.text),
                c.piped_from
            );
            for e in &c.effects {
                eprintln!(
                    "      {:?} {:?} r={} f={}",
                    e.kind,
                    e.target.as_ref().map(|w| &w.text),
                    e.recursive,
                    e.forced
                );
            }
        }
        for o in &script.opaque {
            eprintln!("  OPAQUE {o:?}");
        }
    }
}
