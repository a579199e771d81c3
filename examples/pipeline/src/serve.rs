//! How is it asked over HTTP? POST a request to `/ask`; the body that comes back is the reply.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::pipeline::Pipeline;
use crate::request::{LONGEST, Request};

/// How long requests in flight may take once the server was told to stop.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Serves until Ctrl-C or a polite kill, then lets what is in flight finish.
pub(crate) async fn serve(pipeline: Pipeline, host: IpAddr, port: u16) -> io::Result<()> {
    // Listened for before the address is told: whoever knows it may stop us.
    let wanted_gone = stop_signal()?;
    let listener = TcpListener::bind(SocketAddr::new(host, port)).await?;
    let address = listener.local_addr()?;
    let mut output = io::stdout();
    writeln!(output, "listening on http://{address}/ask")?;
    output.flush()?;

    let (stop, mut stopped) = tokio::sync::watch::channel(false);
    let server = axum::serve(listener, router(Arc::new(pipeline))).with_graceful_shutdown(async move {
        wanted_gone.await;
        let _ = stop.send(true);
    });
    tokio::select! {
        outcome = server.into_future() => outcome,
        () = async {
            let _ = stopped.changed().await;
            tokio::time::sleep(LAST_WORDS).await;
        } => Ok(()),
    }
}

fn router(pipeline: Arc<Pipeline>) -> Router {
    Router::new()
        .route("/ask", post(ask))
        .method_not_allowed_fallback(elsewhere)
        .fallback(elsewhere)
        .layer(DefaultBodyLimit::max(LONGEST))
        .with_state(pipeline)
}

async fn ask(
    State(pipeline): State<Arc<Pipeline>>,
    body: Result<Bytes, BytesRejection>,
) -> (StatusCode, Json<Value>) {
    let body = match body {
        Ok(body) => body,
        Err(e) if e.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            return refuse(e.status(), &[format!("the request is longer than {LONGEST} bytes")]);
        }
        Err(e) => return refuse(e.status(), &[e.body_text()]),
    };
    let request = match Request::read(&body, &pipeline.defaults) {
        Ok(request) => request,
        Err(wrong) => return refuse(StatusCode::BAD_REQUEST, &wrong),
    };
    // Work for the processor belongs on the threads that may be kept busy; there are as many as main allows.
    match tokio::task::spawn_blocking(move || pipeline.ask(&request)).await {
        Ok(reply) => (StatusCode::OK, Json(reply)),
        Err(e) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &[e.to_string()]),
    }
}

async fn elsewhere() -> (StatusCode, Json<Value>) {
    refuse(StatusCode::NOT_FOUND, &["there is only POST /ask".to_owned()])
}

fn refuse(status: StatusCode, wrong: &[String]) -> (StatusCode, Json<Value>) {
    let example = json!({ "q": "How long does a refund take?", "seed": 0, "knobs": { "k": 5 } });
    (status, Json(json!({ "ok": false, "reason": wrong.join("; "), "example": example })))
}

/// Resolves when somebody wants the server gone.
#[cfg(unix)]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
    })
}

/// Resolves when somebody wants the server gone.
#[cfg(not(unix))]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
