//! A server that answers as a test wants it to, a thread for each connection.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use serde_json::Value;

/// A server that hands each request (its head, its body) to `answer`, a thread for each connection.
pub(crate) fn serve(answer: impl Fn(&str, &Value, &mut TcpStream) -> bool + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = answer.clone();
            std::thread::spawn(move || {
                let _ = stream.set_nodelay(true);
                let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
                let mut stream = stream;
                while let Some((head, body)) = request(&mut reader) {
                    if !answer(&head, &body, &mut stream) {
                        return;
                    }
                }
            });
        }
    });
    format!("http://{address}/ask")
}

pub(crate) fn request(reader: &mut impl BufRead) -> Option<(String, Value)> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line == "\r\n" {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, serde_json::from_slice(&body).ok()?))
}

/// Answers with a status and a body; the connection stays.
pub(crate) fn say(stream: &mut TcpStream, status: &str, body: &str) -> bool {
    let reply = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(reply.as_bytes()).is_ok()
}
