//! The server: the page and its socket on this machine's own address, for this page only.
//!
//! It listens on 127.0.0.1. A request must name that address as its host, so that a foreign name pointed at it (DNS rebinding)
//! gets nothing; the socket must be opened by a page that came from here, so that no other site can play. All assets are
//! inside the program. If it is told to, it listens on all addresses of this machine; lan.rs lets other devices in.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc, watch};

use crate::assets::asset;
use crate::builders::Builders;
use crate::catalogue::Catalogue;
use crate::connection::{self, Shared};
use crate::gallery::Gallery;
use crate::lan::{self, Local, Token};
use crate::{door, questions, socket};

/// Time that connections have to end when the program is stopped.
const FAREWELL: Duration = Duration::from_secs(2);

/// Most pages at once that are being told why they cannot play. Beyond, they are turned away without a word.
const MOST_LEAVING: usize = 64;

/// Most questions that wait for an answer, of all pages together. They are answered one by one. Each page waits for one answer before it asks again.
const MOST_ASKING: usize = 8;

/// The port of addresses that name none.
const PLAIN_PORT: u16 = 80;

/// How to serve.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Port; 0 for any that is free.
    pub port: u16,
    /// Largest number of pages that can play at once.
    pub connections: usize,
    /// Whether other devices of the network may play too, with a token.
    pub lan: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { port: 0, connections: 8, lan: false }
    }
}

/// A server that has its address but does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    connections: usize,
    token: Option<Arc<Token>>,
}

/// What answers a request.
#[derive(Clone)]
pub struct Reception {
    port: u16,
    token: Option<Arc<Token>>,
    /// What all pages share.
    pub shared: Arc<Shared>,
    places: Arc<Semaphore>,
    stop: watch::Receiver<bool>,
    /// Held by every socket until it has ended.
    open: mpsc::WeakSender<Infallible>,
}

impl Server {
    /// Takes the port, and starts the threads that pages share.
    ///
    /// # Errors
    /// When the port is taken already, or the system gives no threads.
    pub async fn bind(options: Options, gallery: Gallery) -> io::Result<Self> {
        let token = options.lan.then(Token::new).transpose()?.map(Arc::new);
        let host = if options.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        let listener = TcpListener::bind((host, options.port)).await?;
        let address = listener.local_addr()?;
        let gallery = Arc::new(gallery);
        let shared = Shared {
            catalogue: Catalogue::start(gallery.clone())?,
            builders: Builders::start(&gallery)?,
            leaving: Arc::new(Semaphore::new(MOST_LEAVING)),
            asking: Arc::new(Semaphore::new(MOST_ASKING)),
            answering: Arc::new(Semaphore::new(1)),
        };
        Ok(Self { listener, address, shared: Arc::new(shared), connections: options.connections, token })
    }

    /// Where it answers this machine.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.address.port()))
    }

    /// The token that other devices need, if they are let in at all.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref().map(Token::text)
    }

    /// What other devices of the network open, token and all; none if they are not let in, or if this machine is in no network.
    pub fn lan_address(&self) -> Option<String> {
        let token = self.token()?;
        let ip = lan::address()?;
        Some(format!("http://{ip}:{}/?token={token}", self.address.port()))
    }

    /// Answers until `stop` is ready; then every page is told, and every performer ends.
    ///
    /// # Errors
    /// When the system takes the port away.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let (stopping, stopped) = watch::channel(false);
        let (open, mut sockets) = mpsc::channel(1);
        let places = Arc::new(Semaphore::new(self.connections));
        let reception = Reception {
            port: self.address.port(),
            token: self.token,
            shared: self.shared,
            places: places.clone(),
            stop: stopped,
            open: open.downgrade(),
        };
        let app = Router::new()
            .route("/socket", get(open_socket))
            .route("/ask", post(questions::answer))
            .fallback(get(send_asset))
            .layer(middleware::from_fn_with_state(reception.clone(), check_host))
            .with_state(reception);
        tokio::select! {
            never = door::keep(self.listener, app) => match never {},
            () = stop => {}
        }
        // Nobody listening is fine too.
        let _ = stopping.send(true);
        drop(open);
        let _ = tokio::time::timeout(FAREWELL, sockets.recv()).await;
        // Each performer gives its permit back when its thread has ended.
        let _ = tokio::time::timeout(FAREWELL, places.acquire_many(self.connections as u32)).await;
        Ok(())
    }
}

/// Serves until the program is told to stop (Ctrl-C, or a termination signal). `ready` is called with the server once it has its address.
///
/// # Errors
/// When the port is taken or the system gives no runtime.
pub fn serve(options: Options, gallery: Gallery, ready: impl FnOnce(&Server)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::bind(options, gallery).await?;
        ready(&server);
        server.run(told_to_stop()).await
    })
}

async fn told_to_stop() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Whether a host or the host of an origin is this server under one of its own names.
fn is_here(host: &str, port: u16) -> bool {
    // Browsers leave out the port that addresses without one mean.
    let (name, number) = match host.rsplit_once(':') {
        Some((name, number)) => (name, number.parse().ok()),
        None => (host, Some(PLAIN_PORT)),
    };
    number == Some(port) && ["127.0.0.1", "localhost"].iter().any(|own| name.eq_ignore_ascii_case(own))
}

/// Whether a host is an address of this machine, in figures.
fn is_at(host: &str, local: SocketAddr) -> bool {
    let plain = local.port() == PLAIN_PORT && host == local.ip().to_string();
    plain || host == local.to_string()
}

async fn check_host(State(reception): State<Reception>, request: Request, next: Next) -> Response {
    let named = |headers: &HeaderMap, name: header::HeaderName| -> Option<String> {
        let mut values = headers.get_all(name).iter();
        let value = values.next()?.to_str().ok()?.to_owned();
        values.next().is_none().then_some(value)
    };
    let headers = request.headers();
    let Some(Local(local)) =
        request.extensions().get::<Local>().copied().filter(|local| local.is_own() || reception.token.is_some())
    else {
        return StatusCode::FORBIDDEN.into_response();
    };
    let is_own = Local(local).is_own();
    let is_here = |host: &str, port: u16| if is_own { is_here(host, port) } else { is_at(host, local) };
    let host = named(headers, header::HOST).is_some_and(|host| is_here(&host, reception.port));
    // Pages and sockets opened by scripts carry the origin they come from; a plain visit carries none.
    let origin = !headers.contains_key(header::ORIGIN)
        || named(headers, header::ORIGIN)
            .and_then(|origin| origin.strip_prefix("http://").map(|host| is_here(host, reception.port)))
            .unwrap_or(false);
    if !host || !origin {
        return (StatusCode::FORBIDDEN, "only the program's own page may use this address\n").into_response();
    }
    if !is_own
        && let Some(answer) =
            reception.token.as_ref().and_then(|token| token.ask(request.uri(), headers, reception.port))
    {
        return answer;
    }
    next.run(request).await
}

async fn open_socket(State(reception): State<Reception>, request: Request) -> Response {
    // Every browser says where a socket's page comes from. check_host has seen that it is from here.
    if !request.headers().contains_key(header::ORIGIN) {
        return (StatusCode::FORBIDDEN, "only the program's own page may use this socket\n").into_response();
    }
    let Reception { shared, places, stop, open, .. } = reception;
    let permit = places.try_acquire_owned().ok();
    let Some(open) = open.upgrade().filter(|_| permit.is_some() || shared.leaving.available_permits() > 0) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "the largest number of pages is already open\n").into_response();
    };
    socket::open(request, async move |socket| {
        connection::serve(socket, shared, permit, stop).await;
        drop(open);
    })
}

async fn send_asset(request: Request) -> Response {
    match asset(request.uri().path()) {
        Some((kind, body)) => {
            let headers = [
                (header::CONTENT_TYPE, kind),
                (header::CACHE_CONTROL, "no-cache"),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::REFERRER_POLICY, "no-referrer"),
                (header::X_FRAME_OPTIONS, "DENY"),
                (header::CONTENT_SECURITY_POLICY, "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'"),
            ];
            (headers, body).into_response()
        }
        None => (StatusCode::NOT_FOUND, "not found\n").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_names_and_port_are_here() {
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080"] {
            assert!(is_here(host, 8080), "{host}");
        }
        for host in [
            "127.0.0.1",
            "localhost",
            "127.0.0.1:80",
            "127.0.0.1:",
            "127.0.0.1:8080:8080",
            "example.org:8080",
            "127.0.0.1.example.org:8080",
            "",
            ":8080",
            "[::1]:8080",
        ] {
            assert!(!is_here(host, 8080), "{host}");
        }
    }

    #[test]
    fn on_the_port_that_browsers_leave_out_it_may_be_left_out() {
        for host in ["127.0.0.1", "localhost", "127.0.0.1:80", "localhost:80"] {
            assert!(is_here(host, 80), "{host}");
        }
        for host in ["", "example.org", "127.0.0.1:8080", "[::1]"] {
            assert!(!is_here(host, 80), "{host}");
        }
    }
}
