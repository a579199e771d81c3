//! HTTPS: who is trusted, and what is said of who is not.

use std::fs;
use std::io::{BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;

use crate::server::request;
use crate::{GOOD, common, folder, traces};

#[test]
fn a_certificate_must_be_of_somebody_who_is_trusted() {
    let folder = folder("https", &["one", "two"]);
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    fs::write(folder.join("ca.pem"), made.cert.pem()).expect("a file");
    let key = rustls::pki_types::PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
    let config = rustls::ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .expect("a server");
    let (config, listener) = (Arc::new(config), TcpListener::bind("127.0.0.1:0").expect("a port"));
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let session = rustls::ServerConnection::new(config.clone()).expect("a session");
            std::thread::spawn(move || {
                let mut stream = BufReader::new(rustls::StreamOwned::new(session, stream));
                while request(&mut stream).is_some() {
                    let reply = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{GOOD}", GOOD.len());
                    let said = stream.get_mut().write_all(reply.as_bytes());
                    if said.and_then(|()| stream.get_mut().flush()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    let url = format!("https://localhost:{port}/ask");
    let run = |file: &str, trusted: &str| {
        let mut karat = common::karat(&folder);
        karat.env("SSL_CERT_FILE", trusted).env_remove("SSL_CERT_DIR");
        karat.args(["run", "--gold", "gold.jsonl", "--http", &url, "--out", file, "--retries", "0"]);
        common::text(karat.output().expect("karat runs"))
    };
    let (out, err, status) = run("t.jsonl", "ca.pem");
    assert_eq!((status, traces(&folder.join("t.jsonl")).len()), (0, 2), "{out}{err}");
    let other = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    fs::write(folder.join("other.pem"), other.cert.pem()).expect("a file");
    let (out, err, status) = run("u.jsonl", "other.pem");
    assert_eq!(status, 1, "{out}{err}");
    for trace in traces(&folder.join("u.jsonl")).values() {
        let reason = trace["reason"].as_str().expect("a reason");
        assert!(reason.starts_with("connect: ") && reason.contains("certificate"), "{reason}");
    }
}
