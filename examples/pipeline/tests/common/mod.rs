//! What the tests share: the server as a process that does not outlive its test, and a client of a few lines.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// The example's program.
pub(crate) const PIPELINE: &str = env!("CARGO_BIN_EXE_pipeline-example");

/// The example's folder.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Rows of a JSONL file.
pub(crate) fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A server on a free port; dropped, it is gone.
pub(crate) struct Server {
    pub(crate) process: Child,
    /// `127.0.0.1:PORT`
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start() -> Self {
        let mut process = Command::new(PIPELINE)
            .args(["serve", "--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.trim().strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix("/ask"));
        let address = address.unwrap_or_else(|| panic!("the server said {line:?}")).to_owned();
        Self { process, address }
    }

    /// Sends bytes, closes nothing, and reads status and body of the one reply.
    pub(crate) fn send(&self, request: &[u8]) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        // A server may answer and hang up before it has read all of a body that is too long.
        let _ = stream.write_all(request);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        let reply = String::from_utf8(reply).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no reply: {reply:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap())
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> (u16, Value) {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.send(request.as_bytes())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
