//! Runs a program to its end, or to the end of our patience.

use crate::sys::interrupt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// What a program did.
#[derive(Debug)]
pub struct Output {
    /// How it ended; `None` if it had to be stopped.
    pub status: Option<ExitStatus>,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
}

/// Runs with `stdin`, at most for `patience`. Output goes through files, so that a child
/// left behind with an open stream can't hold us up.
///
/// # Errors
/// It doesn't start.
pub fn bounded(mut command: Command, stdin: &[u8], patience: Duration) -> io::Result<Output> {
    let (mut out, mut err) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut input = tempfile::tempfile()?;
    input.write_all(stdin)?;
    input.seek(SeekFrom::Start(0))?;
    let mut child =
        command.stdin(input).stdout(out.try_clone()?).stderr(err.try_clone()?).spawn()?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > patience || interrupt::came() {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let read = |file: &mut std::fs::File| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.take(1 << 20).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    Ok(Output { status, stdout: read(&mut out)?, stderr: read(&mut err)? })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_and_output_is_kept() {
        let mut sh = Command::new("/bin/sh");
        sh.args(["-c", "cat; echo err >&2; sleep 5 & exit 3"]);
        let ran = bounded(sh, b"in", Duration::from_secs(10)).unwrap();
        assert_eq!(ran.status.and_then(|s| s.code()), Some(3));
        assert_eq!((ran.stdout.as_slice(), ran.stderr.as_slice()), (&b"in"[..], &b"err\n"[..]));
        let mut sleep = Command::new("/bin/sh");
        sleep.args(["-c", "exec sleep 30"]);
        assert!(bounded(sleep, b"", Duration::from_millis(50)).unwrap().status.is_none());
    }
}
