//! A line typed on the process's terminal that nobody sees there: of a person, since what is
//! piped in isn't asked.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;

use super::interrupt;

/// The longest line that is taken, in bytes.
pub const LONGEST: usize = 1_024;

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A line, without its end.
    Line(Vec<u8>),
    /// The end of input, with nothing before it: no answer.
    End,
    /// An interrupt, or a signal to end.
    Interrupted,
}

/// Asks on the terminal that this process belongs to, wherever its standard streams lead.
/// The terminal is left as it was found, also by a signal.
///
/// # Errors
/// There is no terminal, or it has gone.
pub fn ask(question: &str) -> io::Result<Typed> {
    let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    let _noting = interrupt::Noting::begin();
    let quiet = Quiet::begin(&terminal)?;
    (&terminal).write_all(question.as_bytes())?;
    let typed = read(&terminal);
    drop(quiet);
    // The line end that was typed wasn't shown either.
    let _ = (&terminal).write_all(b"\n");
    typed
}

fn read(mut terminal: &File) -> io::Result<Typed> {
    let mut line = Line::default();
    let mut some = [0; 64];
    loop {
        if interrupt::came() {
            return Ok(Typed::Interrupted);
        }
        match terminal.read(&mut some) {
            // Nothing was typed for a while, or there is nobody any more who could.
            Ok(0) => drop(modes(terminal)?),
            Ok(read) => {
                let bytes = some.get(..read).unwrap_or_default();
                if let Some(typed) = bytes.iter().find_map(|byte| line.take(*byte)) {
                    return Ok(typed);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A line as its keys make it.
#[derive(Debug, Default)]
struct Line {
    bytes: Vec<u8>,
    /// More was typed than is taken: no beginning of it is what was meant.
    too_long: bool,
}

impl Line {
    /// What a key makes of it; something if it was the last.
    fn take(&mut self, byte: u8) -> Option<Typed> {
        match byte {
            b'\r' | b'\n' => {
                let bytes = std::mem::take(&mut self.bytes);
                return Some(if self.too_long { Typed::End } else { Typed::Line(bytes) });
            }
            0x03 | 0x1c => return Some(Typed::Interrupted),
            0x04 if self.bytes.is_empty() => return Some(Typed::End),
            0x04 | 0x00 => {}
            0x08 | 0x7f => {
                // A character of several bytes goes as one.
                while self.bytes.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {}
            }
            0x15 => {
                self.bytes.clear();
                self.too_long = false;
            }
            _ if self.bytes.len() < LONGEST => self.bytes.push(byte),
            _ => self.too_long = true,
        }
        None
    }
}

/// While it lives the terminal shows nothing of what is typed, and keys come one by one, an
/// interrupt among them.
struct Quiet<'t> {
    terminal: &'t File,
    before: libc::termios,
}

impl<'t> Quiet<'t> {
    fn begin(terminal: &'t File) -> io::Result<Self> {
        let before = modes(terminal)?;
        let mut quiet = before;
        quiet.c_lflag &= !(libc::ECHO | libc::ECHONL | libc::ICANON | libc::ISIG | libc::IEXTEN);
        // A read ends after a tenth of a second, with what there is.
        quiet.c_cc[libc::VMIN] = 0;
        quiet.c_cc[libc::VTIME] = 1;
        set(terminal, &quiet)?;
        Ok(Self { terminal, before })
    }
}

impl Drop for Quiet<'_> {
    fn drop(&mut self) {
        let _ = set(self.terminal, &self.before);
    }
}

fn modes(terminal: &File) -> io::Result<libc::termios> {
    let mut modes = MaybeUninit::uninit();
    // SAFETY: the system writes one `termios` there, or says that it didn't.
    unsafe {
        match libc::tcgetattr(terminal.as_raw_fd(), modes.as_mut_ptr()) {
            0 => Ok(modes.assume_init()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// What was typed before and not read is forgotten: it was shown, or not meant for this.
fn set(terminal: &File, modes: &libc::termios) -> io::Result<()> {
    // SAFETY: the system reads one live `termios`.
    match unsafe { libc::tcsetattr(terminal.as_raw_fd(), libc::TCSAFLUSH, modes) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Line, Typed};

    fn typed(keys: &[u8]) -> Option<Typed> {
        let mut line = Line::default();
        keys.iter().find_map(|key| line.take(*key))
    }

    #[test]
    fn keys_make_a_line_and_some_undo_it() {
        let line = |text: &str| Some(Typed::Line(text.as_bytes().to_vec()));
        assert_eq!(typed(b"a b\r"), line("a b"));
        assert_eq!(typed("läx\x7f\x7f\u{fc}\n".as_bytes()), line("lü"));
        assert_eq!(typed(b"\x7f\x08a\n"), line("a"));
        assert_eq!(typed(b"abc\x15de\x04\n"), line("de"));
        assert_eq!(typed(b"\n"), line(""));
        assert_eq!(typed(b"a"), None);
        assert_eq!(typed(b"\x04"), Some(Typed::End));
        assert_eq!(typed(b"a\x03"), Some(Typed::Interrupted));
        let longest = vec![b'x'; LONGEST];
        let with = |more: &[u8]| typed(&[&longest, more].concat());
        assert_eq!(with(b"\n"), Some(Typed::Line(longest.clone())));
        assert_eq!(with(b"x\n"), Some(Typed::End), "never a part of what was typed");
        assert_eq!(with(b"x\x15ab\n"), line("ab"));
    }
}
