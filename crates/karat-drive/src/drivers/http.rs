//! A pipeline behind a URL: each request is a POST of JSON.

use std::error::Error;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::header::{
    ACCEPT, CONTENT_TYPE, DATE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER, USER_AGENT,
};
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use super::{Limits, spoken};
use crate::plan::Ask;
use crate::reply::{Contract, excerpt};
use crate::retry::{Attempt, Reply, Retry, wait};
use crate::secrets::{Environment, Secrets};

/// A URL and how it is posted to.
pub struct Http {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    uri: Uri,
    headers: HeaderMap,
    pub(super) limits: Limits,
}

/// Reads a URL that can be posted to.
pub fn url(text: &str) -> Result<Uri, String> {
    let example = "expected one such as http://localhost:8000/ask";
    if text.is_empty() {
        return Err(format!("the URL is empty; {example}"));
    }
    if !text.contains("://") {
        return Err(format!("the URL has no scheme; {example}"));
    }
    let uri: Uri = text.parse().map_err(|e| format!("this is no URL: {e}; {example}"))?;
    match uri.scheme_str() {
        Some("http" | "https") => {}
        Some(other) => return Err(format!("`{other}` is neither http nor https; {example}")),
        None => return Err(format!("the URL has no scheme; {example}")),
    }
    let Some(authority) = uri.authority().filter(|authority| !authority.host().is_empty()) else {
        return Err(format!("the URL has no host; {example}"));
    };
    if authority.as_str().contains('@') {
        return Err(
            "the URL holds a name or password; put it into --header 'Authorization=Basic $NAME'".into()
        );
    }
    // Where the port is not a number, it would silently be the scheme's own.
    let port = authority.as_str().rsplit_once(':').map(|(_, port)| port).filter(|port| !port.ends_with(']'));
    match port.filter(|_| uri.port_u16().is_none_or(|port| port == 0)) {
        Some(port) => Err(format!("`{port}` is no port; expected a number from 1 to 65535")),
        None => Ok(uri),
    }
}

/// Reads `NAME=VALUE` texts; values may name environment variables. Errors name what is wrong, and show no value.
pub fn headers(
    texts: &[String],
    environment: Environment<'_>,
    secrets: &mut Secrets,
) -> Result<HeaderMap, Vec<String>> {
    let (mut headers, mut wrong) = (HeaderMap::new(), Vec::new());
    for text in texts {
        match header(text, environment, secrets) {
            Ok((name, value)) => _ = headers.append(name, value),
            Err(message) => wrong.push(message),
        }
    }
    if wrong.is_empty() { Ok(headers) } else { Err(wrong) }
}

fn header(
    text: &str,
    environment: Environment<'_>,
    secrets: &mut Secrets,
) -> Result<(HeaderName, HeaderValue), String> {
    let Some((name, value)) = text.split_once('=') else {
        // It may be a secret in the wrong place: only a plain name is shown.
        let shown = HeaderName::from_bytes(text.as_bytes()).ok().filter(|_| text.len() <= 40);
        let named = shown.map_or(String::new(), |name| format!("`{name}`: "));
        return Err(format!("{named}a header without a value; expected NAME=VALUE"));
    };
    let name = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| {
        "the name of a header is one word of letters, digits and `-`; expected NAME=VALUE".to_owned()
    })?;
    if value.trim().is_empty() {
        return Err(format!("`{name}`: a header without a value; expected NAME=VALUE"));
    }
    const OURS: [&str; 6] = ["content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer"];
    if OURS.contains(&name.as_str()) {
        return Err(format!("`{name}`: says how a request is sent, which karat itself does; leave it out"));
    }
    let expanded =
        secrets.expand(value.trim(), environment).map_err(|message| format!("`{name}`: {message}"))?;
    const CREDENTIALS: [&str; 5] = ["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key"];
    if CREDENTIALS.contains(&name.as_str()) {
        let credential = expanded.split_once(' ').map_or(expanded.as_str(), |(_, rest)| rest.trim());
        secrets.add(format!("[{name}]"), credential);
    }
    let mut value = HeaderValue::from_str(&expanded).map_err(|_| {
        format!("`{name}`: the value holds a line end or another sign that no header can carry")
    })?;
    value.set_sensitive(true);
    Ok((name, value))
}

impl Http {
    /// A driver of `uri`.
    pub fn new(uri: Uri, mut headers: HeaderMap, limits: Limits) -> Result<Self, String> {
        let provider = rustls::crypto::ring::default_provider();
        let builder = HttpsConnectorBuilder::new();
        let builder = if uri.scheme_str() == Some("https") {
            builder
                .with_provider_and_native_roots(provider)
                .map_err(|e| format!("this machine's list of certificate authorities cannot be read: {e}"))?
        } else {
            // Nothing will be encrypted, and reading the machine's certificates takes time.
            let config = rustls::ClientConfig::builder_with_provider(provider.into())
                .with_safe_default_protocol_versions()
                .map_err(|e| e.to_string())?
                .with_root_certificates(rustls::RootCertStore::empty())
                .with_no_client_auth();
            builder.with_tls_config(config)
        };
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_nodelay(true);
        let connector = builder.https_or_http().enable_http1().wrap_connector(connector);
        let client = Client::builder(TokioExecutor::new())
            .pool_max_idle_per_host(limits.concurrency)
            .pool_timer(TokioTimer::new())
            .build(connector);
        let own = [
            (CONTENT_TYPE, "application/json"),
            (ACCEPT, "application/json"),
            (USER_AGENT, concat!("karat/", env!("CARGO_PKG_VERSION"))),
        ];
        for (name, value) in own {
            headers.entry(name).or_insert(HeaderValue::from_static(value));
        }
        Ok(Http { client, uri, headers, limits })
    }

    pub(super) async fn reach(&self, retries: u32) -> Result<(), String> {
        let host = self.uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let port =
            self.uri.port_u16().unwrap_or(if self.uri.scheme_str() == Some("https") { 443 } else { 80 });
        let mut number = 1;
        loop {
            let connect = tokio::net::TcpStream::connect((host, port));
            let message = match tokio::time::timeout(self.limits.timeout, connect).await {
                Ok(Ok(_)) => return Ok(()),
                Ok(Err(e)) => e.to_string(),
                Err(_) => format!("no connection within {}", spoken(self.limits.timeout)),
            };
            let Some(pause) = wait(number, retries, Retry::Yes, self.limits.timeout) else {
                return Err(format!("{host}:{port} cannot be reached: {message}"));
            };
            tokio::time::sleep(pause).await;
            number += 1;
        }
    }

    pub(super) async fn call(&self, ask: &Ask, contract: &Contract) -> Attempt {
        let mut request = Request::new(Full::new(Bytes::copy_from_slice(ask.body.as_bytes())));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = self.headers.clone();
        let start = Instant::now();
        let exchanged = tokio::time::timeout(self.limits.timeout, self.exchange(request)).await;
        let at = Instant::now();
        match exchanged {
            // A long reply that is always ready leaves the timer no turn: the clock decides.
            Ok(exchanged) if at.duration_since(start) <= self.limits.timeout => match exchanged {
                Ok(reply) => {
                    Attempt::Reply(Box::new(Reply { said: contract.read(&reply, ask), at, by: None }))
                }
                Err(failed) => failed,
            },
            _ => {
                let detail = format!("no whole reply within {}", spoken(self.limits.timeout));
                Attempt::failed("timeout", detail, Retry::Yes)
            }
        }
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Vec<u8>, Attempt> {
        let response = self.client.request(request).await.map_err(|e| {
            let kind = if e.is_connect() { "connect" } else { "connection" };
            Attempt::failed(kind, chain(&e), Retry::Yes)
        })?;
        if !response.status().is_success() {
            return Err(refused(response).await);
        }
        let limit = self.limits.reply;
        let mut body = response.into_body();
        if body.size_hint().lower() > limit as u64 {
            return Err(self.limits.too_long());
        }
        let mut reply = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|e| Attempt::failed("connection", chain(&e), Retry::Yes))?;
            if let Some(data) = frame.data_ref() {
                if reply.len() + data.len() > limit {
                    return Err(self.limits.too_long());
                }
                reply.extend_from_slice(data);
            }
        }
        Ok(reply)
    }
}

/// The failure that a status other than success means, and whether another attempt may help.
async fn refused(response: Response<Incoming>) -> Attempt {
    const SHOWN: usize = 600;
    let status = response.status();
    let moved = response.headers().get(LOCATION).is_some() && status.is_redirection();
    let again = match (status.as_u16(), after(response.headers(), SystemTime::now())) {
        (408 | 425 | 429 | 500 | 502..=504, Some(wait)) => Retry::After(wait),
        (408 | 425 | 429 | 500 | 502..=504, None) => Retry::Yes,
        _ => Retry::No,
    };
    let (mut said, mut body) = (Vec::new(), response.into_body());
    while said.len() < SHOWN
        && let Some(Ok(frame)) = body.frame().await
    {
        said.extend(frame.data_ref().into_iter().flat_map(|data| data.iter().take(SHOWN)));
    }
    let mut detail = format!("{}, and {}", status.canonical_reason().unwrap_or("refused"), excerpt(&said));
    if moved {
        detail.push_str("; redirections are not followed: give the URL that it leads to");
    }
    if status == StatusCode::TOO_MANY_REQUESTS && again == Retry::Yes {
        detail.push_str("; a lower --rps or --concurrency may help");
    }
    Attempt::failed(format!("http {}", status.as_u16()), detail, again)
}

/// How long the pipeline asks to wait: `Retry-After` in seconds, or until a date, which is measured by the
/// pipeline's own clock if it sends one.
fn after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    let asked = text(RETRY_AFTER)?;
    if let Ok(seconds) = asked.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(asked).ok()?;
    let now = text(DATE).and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or(now);
    // A date that is over: at once.
    Some(until.duration_since(now).unwrap_or_default())
}

/// What an error says, with its causes.
fn chain(error: &dyn Error) -> String {
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_checked() {
        for good in ["http://localhost:8000/ask", "https://example.org", "http://[::1]:9/a?b=c"] {
            assert!(url(good).is_ok(), "{good}");
        }
        for (bad, said) in [
            ("", "empty"),
            ("localhost:8000", "no scheme"),
            ("ftp://a/b", "`ftp` is neither"),
            ("http://", "no URL"),
            ("http:///x", "no URL"),
            ("not a url", "no scheme"),
            ("http://a b/", "no URL"),
            ("http://me:pw@host/", "name or password"),
            ("http://host:99999/", "`99999` is no port"),
            ("http://[::1]:70000/", "`70000` is no port"),
            ("http://host:/", "`` is no port"),
        ] {
            assert!(url(bad).unwrap_err().contains(said), "{bad}: {}", url(bad).unwrap_err());
        }
        assert!(!url("http://me:hunter2@host/").unwrap_err().contains("hunter2"));
    }

    #[test]
    fn a_pipeline_says_in_seconds_or_by_date_when_to_come_again() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777); // Sun, 06 Nov 1994 08:49:37 GMT
        let wait = |asked: &str, date: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, asked.parse().unwrap());
            if let Some(date) = date {
                headers.insert(DATE, date.parse().unwrap());
            }
            after(&headers, now).map(|wait| wait.as_secs())
        };
        assert_eq!(wait("7", None), Some(7));
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:57 GMT", None), Some(20));
        assert_eq!(wait("Sunday, 06-Nov-94 08:49:57 GMT", None), Some(20));
        assert_eq!(wait("Sun Nov  6 08:49:57 1994", None), Some(20));
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:00 GMT", None), Some(0), "it is over");
        let theirs = Some("Sun, 06 Nov 1994 08:49:52 GMT");
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:57 GMT", theirs), Some(5), "their clock, not ours");
        for odd in ["soon", "-3", "1.5", "99999999999999999999999", "Sun, 99 Nov 1994 08:49:57 GMT", ""] {
            assert_eq!(wait(odd, None), None, "{odd}");
        }
        assert_eq!(after(&HeaderMap::new(), now), None);
    }

    #[test]
    fn headers_name_what_is_wrong_and_show_no_value() {
        let environment = |name: &str| (name == "TOKEN").then(|| "s3cret-token".to_owned());
        let read = |text: &str| {
            let mut secrets = Secrets::default();
            let headers = headers(&[text.to_owned()], &environment, &mut secrets);
            headers.map_err(|wrong| wrong.join(";")).map(|headers| {
                let (name, value) = headers.iter().next().unwrap();
                let redacted = secrets.redact(value.to_str().unwrap()).into_owned();
                assert!(!format!("{headers:?}").contains("s3cret"));
                format!("{name}: {} / {redacted}", value.to_str().unwrap())
            })
        };
        for (text, said) in [
            ("Authorization=Bearer $TOKEN", "authorization: Bearer s3cret-token / Bearer [$TOKEN]"),
            ("x-api-key=typed-in", "x-api-key: typed-in / [x-api-key]"),
            ("X-Trace=a=b", "x-trace: a=b / a=b"),
        ] {
            assert_eq!(read(text).unwrap(), said);
        }
        for (text, said) in [
            ("X-Tenant", "`x-tenant`: a header without a value; expected NAME=VALUE"),
            ("X-Tenant= ", "`x-tenant`: a header without a value; expected NAME=VALUE"),
            ("Content-Length=5", "leave it out"),
            ("two words=x", "one word"),
            ("A=x\ny", "line end"),
            ("A=$NOPE", "no variable `NOPE`"),
        ] {
            assert!(read(text).unwrap_err().contains(said), "{text}");
        }
    }
}
