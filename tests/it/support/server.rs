//! A release server on loopback: files of a folder, as a host of releases serves them, and
//! the ways in which that goes wrong.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What happens to a request whose path ends in a name.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The connection ends after so many bytes of the file.
    Cut(usize),
    /// This status instead.
    Status(u16),
    /// Sent on to this address.
    Redirect(String),
    /// Other bytes.
    Body(Vec<u8>),
}

#[derive(Debug, Default)]
struct Shared {
    faults: Mutex<Vec<(String, Fault)>>,
    asked: Mutex<Vec<String>>,
}

/// The server; it ends with the test's process.
#[derive(Debug)]
pub(crate) struct Server {
    port: u16,
    shared: Arc<Shared>,
}

impl Server {
    /// Serves `root`: `/download/vV/FILE` is `root/vV/FILE`, and `/latest/download/FILE` leads
    /// to it for the version that the file `root/latest` names.
    pub(crate) fn of(root: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
        let port = listener.local_addr().expect("bound").port();
        let shared = Arc::new(Shared::default());
        let (root, state) = (root.to_path_buf(), Arc::clone(&shared));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (root, state) = (root.clone(), Arc::clone(&state));
                std::thread::spawn(move || answer(stream, &root, &state));
            }
        });
        Self { port, shared }
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// From now on requests whose path ends in `name` go wrong.
    pub(crate) fn fault(&self, name: &str, fault: Fault) {
        let mut faults = self.shared.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.retain(|(n, _)| n != name);
        faults.push((name.to_owned(), fault));
    }

    /// From now on all is well.
    pub(crate) fn heal(&self) {
        self.shared.faults.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The paths that were asked for.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn answer(mut stream: TcpStream, root: &Path, shared: &Shared) {
    let mut reader = BufReader::new(stream.try_clone().expect("a socket of ours"));
    let mut first = String::new();
    if reader.read_line(&mut first).is_err() {
        return;
    }
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
        line.clear();
    }
    let path = first.split_whitespace().nth(1).unwrap_or_default().to_owned();
    shared.asked.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
    let faults = shared.faults.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let fault = faults.into_iter().find(|(name, _)| path.ends_with(name.as_str())).map(|(_, f)| f);
    let _ = respond(&mut stream, root, &path, fault);
    let _ = stream.shutdown(Shutdown::Write);
}

fn respond(
    stream: &mut TcpStream,
    root: &Path,
    path: &str,
    fault: Option<Fault>,
) -> std::io::Result<()> {
    let moved = |to: &str| format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n");
    let end = "Connection: close\r\n\r\n";
    match &fault {
        Some(Fault::Status(code)) => {
            return write!(stream, "HTTP/1.1 {code} No\r\nContent-Length: 0\r\n{end}");
        }
        Some(Fault::Redirect(to)) => return write!(stream, "{}{end}", moved(to)),
        _ => {}
    }
    if let Some(name) = path.strip_prefix("/latest/download/") {
        let version = std::fs::read_to_string(root.join("latest")).unwrap_or_default();
        return write!(stream, "{}{end}", moved(&format!("/download/v{}/{name}", version.trim())));
    }
    let file: PathBuf = root.join(path.strip_prefix("/download/").unwrap_or("none"));
    let Ok(bytes) = std::fs::read(file) else {
        return write!(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n{end}");
    };
    let bytes = if let Some(Fault::Body(other)) = &fault { other.clone() } else { bytes };
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{end}", bytes.len())?;
    let most = if let Some(Fault::Cut(at)) = fault { at.min(bytes.len()) } else { bytes.len() };
    stream.write_all(bytes.get(..most).unwrap_or_default())
}
