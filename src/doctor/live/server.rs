//! [`Server`]: a model that says what a script tells it to, on loopback, for one client.

use super::http::{self, Incoming, Outgoing};
use super::script::{Say, Turn};
use super::{answer, nonce};
use serde_json::{Value, json};
use std::io::{self, BufReader, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Connections at once.
const MAX_CONNECTIONS: usize = 64;
/// Requests kept, at most: a client in a loop must not fill the memory.
const MAX_REQUESTS: usize = 512;
/// How often a waiting thread looks whether it should stop.
const TICK: Duration = Duration::from_millis(100);
/// What a model without anything left to say says.
const OUT_OF_TURNS: &str = "live: out of turns";

/// What a request was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The conversation: answered from the script.
    Main,
    /// A request without tools (titles, summaries, topics): answered `ok`.
    Side,
    /// Anything else: token counts, probes of the address.
    Other,
}

/// A request the client made.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// What it was for.
    pub kind: Kind,
    /// `POST`, `HEAD` …
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The body; null where there was none or it was no JSON.
    pub body: Value,
}

struct Shared {
    turns: Vec<Turn>,
    next: AtomicUsize,
    requests: Mutex<Vec<Request>>,
    key: String,
    stop: AtomicBool,
    until: Instant,
    connections: AtomicUsize,
}

/// A model server on loopback. It stops when dropped, and by itself when its time is over.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server that plays `turns` for at most `life`.
    ///
    /// # Errors
    /// No port on loopback can be had.
    pub fn start(turns: Vec<Turn>, life: Duration) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let shared = Arc::new(Shared {
            turns,
            next: AtomicUsize::new(0),
            requests: Mutex::default(),
            key: nonce::hex(),
            stop: AtomicBool::new(false),
            until: Instant::now() + life,
            connections: AtomicUsize::new(0),
        });
        let theirs = Arc::clone(&shared);
        let accepting = thread::Builder::new()
            .name("live-accept".into())
            .spawn(move || accept(&listener, &theirs))?;
        Ok(Self { address, shared, accepting: Some(accepting) })
    }

    /// What the client takes for the API's address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The key the client must show, so that nobody else on the machine plays along.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.shared.key
    }

    /// Every request so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        if let Some(accepting) = self.accepting.take() {
            // A panic of the accepting thread is an end like any other here.
            let _ = accepting.join();
        }
    }
}

impl Shared {
    fn requests(&self) -> MutexGuard<'_, Vec<Request>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn over(&self) -> bool {
        self.stop.load(Ordering::SeqCst) || Instant::now() >= self.until
    }

    fn record(&self, kind: Kind, incoming: &Incoming, body: Value) {
        let mut requests = self.requests();
        if requests.len() < MAX_REQUESTS {
            let (method, path) = (incoming.method.clone(), incoming.path.clone());
            requests.push(Request { kind, method, path, body });
        }
    }

    /// The answer to one request.
    fn answer(&self, incoming: &Incoming) -> Outgoing {
        if incoming.method == "POST" && incoming.key != self.key {
            let error = json!({ "type": "authentication_error", "message": "not this run's key" });
            let body = json!({ "type": "error", "error": error });
            return Outgoing::json("401 Unauthorized", body.to_string());
        }
        let body = serde_json::from_slice(&incoming.body).unwrap_or(Value::Null);
        let path = incoming.path.split('?').next().unwrap_or_default();
        match (incoming.method.as_str(), path) {
            ("POST", "/v1/messages") => self.say(incoming, body),
            (_, path) => {
                self.record(Kind::Other, incoming, body);
                let counted = path.ends_with("/count_tokens");
                let text = if counted { json!({ "input_tokens": 10 }) } else { json!({}) };
                Outgoing::json("200 OK", text.to_string())
            }
        }
    }

    fn say(&self, incoming: &Incoming, body: Value) -> Outgoing {
        let tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
        let kind = if tools { Kind::Main } else { Kind::Side };
        let model = body["model"].as_str().unwrap_or("model").to_owned();
        let streamed = body["stream"] == true;
        self.record(kind, incoming, body);
        let (turn, say) = match kind {
            Kind::Main => self.take_turn(),
            Kind::Side | Kind::Other => (0, Say::Text("ok".into())),
        };
        let message = answer::message(&say, turn, &model);
        if streamed {
            let body = answer::stream(&message);
            return Outgoing { status: "200 OK", kind: "text/event-stream", body };
        }
        Outgoing::json("200 OK", message.to_string())
    }

    fn take_turn(&self) -> (usize, Say) {
        let turn = self.next.fetch_add(1, Ordering::SeqCst);
        let Some(scripted) = self.turns.get(turn) else {
            return (turn, Say::Text(OUT_OF_TURNS.into()));
        };
        if let Some(before) = &scripted.before {
            before();
        }
        let ready = Instant::now() + scripted.delay;
        while Instant::now() < ready && !self.over() {
            thread::sleep(TICK.min(ready.saturating_duration_since(Instant::now())));
        }
        (turn, scripted.say.clone())
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    while !shared.over() {
        match listener.accept() {
            Ok((stream, _)) => converse_apart(stream, shared),
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn converse_apart(stream: TcpStream, shared: &Arc<Shared>) {
    if shared.connections.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
        shared.connections.fetch_sub(1, Ordering::SeqCst);
        return;
    }
    let theirs = Arc::clone(shared);
    let spawned = thread::Builder::new().name("live-answer".into()).spawn(move || {
        // A broken connection is the client's to notice; what it asked is recorded.
        let _ = converse(stream, &theirs);
        theirs.connections.fetch_sub(1, Ordering::SeqCst);
    });
    if spawned.is_err() {
        shared.connections.fetch_sub(1, Ordering::SeqCst);
    }
}

fn converse(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(TICK))?;
    stream.set_write_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(Patient { stream: stream.try_clone()?, shared });
    while let Some(incoming) = http::read(&mut reader)? {
        let answer = shared.answer(&incoming);
        http::write(&mut stream, &answer, &incoming.method)?;
        if !incoming.keep {
            break;
        }
    }
    Ok(())
}

/// A reader that waits for more until the server is over.
struct Patient<'a> {
    stream: TcpStream,
    shared: &'a Shared,
}

impl Read for Patient<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(to) {
                Err(e) if waited(&e) && !self.shared.over() => {}
                Err(e) if waited(&e) => return Ok(0),
                done => return done,
            }
        }
    }
}

fn waited(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
    )
}

#[cfg(test)]
mod tests {
    use super::super::script::{Call, Turn};
    use super::{Kind, Server};
    use serde_json::{Value, json};
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    fn server(turns: Vec<Turn>) -> Server {
        Server::start(turns, Duration::from_secs(20)).unwrap()
    }

    fn ask(server: &Server, key: &str, path: &str, body: &Value) -> String {
        let body = body.to_string();
        let mut stream = TcpStream::connect(server.address).unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nx-api-key: {key}\r\nconnection: close\r\n");
        write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn turns_go_to_the_conversation_and_side_requests_get_none() {
        let server = server(vec![Turn::call(Call::bash("ls")), Turn::text("bye")]);
        let main = json!({ "model": "m", "tools": [{}], "messages": [] });
        let key = server.key().to_owned();
        assert!(ask(&server, &key, "/v1/messages", &json!({ "messages": [] })).contains("\"ok\""));
        assert!(ask(&server, &key, "/v1/messages?beta=true", &main).contains("tool_use"));
        assert!(ask(&server, &key, "/v1/messages", &main).contains("bye"));
        assert!(ask(&server, &key, "/v1/messages", &main).contains("out of turns"));
        let counted = ask(&server, &key, "/v1/messages/count_tokens", &main);
        assert!(counted.contains("input_tokens"), "{counted}");
        let kinds = server.requests().into_iter().map(|r| r.kind).collect::<Vec<_>>();
        assert_eq!(kinds, [Kind::Side, Kind::Main, Kind::Main, Kind::Main, Kind::Other]);
    }

    #[test]
    fn a_stranger_takes_no_turn_and_is_not_recorded() {
        let server = server(vec![Turn::text("bye")]);
        let main = json!({ "tools": [{}] });
        assert!(ask(&server, "guess", "/v1/messages", &main).starts_with("HTTP/1.1 401 "));
        assert!(server.requests().is_empty());
        let key = server.key().to_owned();
        assert!(ask(&server, &key, "/v1/messages", &main).contains("bye"));
    }

    #[test]
    fn what_a_turn_does_is_done_before_it_answers() {
        let done = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&done);
        let turn = Turn::text("bye").doing(move || theirs.store(true, Ordering::SeqCst));
        let server = server(vec![turn.after(Duration::from_millis(150))]);
        let (key, began) = (server.key().to_owned(), Instant::now());
        ask(&server, &key, "/v1/messages", &json!({ "tools": [{}] }));
        assert!(done.load(Ordering::SeqCst) && began.elapsed() >= Duration::from_millis(150));
    }

    #[test]
    fn it_stops_by_itself_even_with_a_connection_open() {
        let server = Server::start(Vec::new(), Duration::from_millis(200)).unwrap();
        let mut open = TcpStream::connect(server.address).unwrap();
        open.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        assert_eq!(open.read(&mut [0; 1]).unwrap(), 0, "closed from the other side");
        std::thread::sleep(Duration::from_millis(100));
        assert!(TcpStream::connect(server.address).is_err());
    }
}
