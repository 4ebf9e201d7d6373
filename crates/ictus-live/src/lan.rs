//! Pages of other devices in the same network: they are let in by a token, under the address that they came to.
//!
//! A connection to 127.0.0.1 is this machine's own and needs no token. A connection to any other address of this machine must name that very
//! address as its host: a foreign name that points here (DNS rebinding) gets nothing. It must bring the token, in the address that is opened
//! first (`/?token=…`) or in the cookie which that address leaves behind. The socket must be opened by a page from here, as ever.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

/// An address of the block for documentation (RFC 5737): nothing is sent there.
const ELSEWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);

/// Bytes of randomness in a token.
const TOKEN_BYTES: usize = 16;

/// The address of this machine that a connection came to.
#[derive(Clone, Copy, Debug)]
pub struct Local(pub SocketAddr);

impl Local {
    /// Whether the connection comes from this machine by its own address.
    pub fn is_own(self) -> bool {
        self.0.ip() == IpAddr::V4(Ipv4Addr::LOCALHOST)
    }
}

/// What another device shows to be let in.
#[derive(Clone, Debug)]
pub struct Token(String);

impl Token {
    /// A new one, which nobody can guess.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn new() -> std::io::Result<Self> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// As it stands in an address.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether it is this one. Takes as long for a near miss as for a wild guess.
    fn is(&self, shown: &str) -> bool {
        let differs = self.0.bytes().zip(shown.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
        shown.len() == self.0.len() && differs == 0
    }

    fn is_in_cookie(&self, headers: &HeaderMap, port: u16) -> bool {
        let name = cookie(port);
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|value| value.split(';'))
            .any(|pair| pair.trim().split_once('=').is_some_and(|(key, value)| key == name && self.is(value)))
    }

    /// Answers whoever does not show it, and sends on who brings it in the address, with a cookie in its place; `None` for who may go on.
    pub fn ask(&self, uri: &Uri, headers: &HeaderMap, port: u16) -> Option<Response> {
        let mut shown = uri.query().unwrap_or("").split('&').filter_map(|pair| pair.strip_prefix("token="));
        if let Some(token) = shown.next() {
            if !self.is(token) {
                return Some(turned_away());
            }
            let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Lax", cookie(port), self.0);
            let cookie = HeaderValue::from_str(&cookie).ok()?;
            let away = [(header::LOCATION, HeaderValue::from_static("/")), (header::SET_COOKIE, cookie)];
            return Some((StatusCode::SEE_OTHER, away).into_response());
        }
        if self.is_in_cookie(headers, port) { None } else { Some(turned_away()) }
    }
}

/// Cookies are shared by all ports of an address.
fn cookie(port: u16) -> String {
    format!("ictus-{port}")
}

fn turned_away() -> Response {
    let told = "open the address that the program printed, with its token\n";
    (StatusCode::FORBIDDEN, told).into_response()
}

/// The address under which other devices of the network reach this machine, if it is in one.
pub fn address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ELSEWHERE).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(token: &Token, path: &str, cookie: &str) -> Option<StatusCode> {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookie.parse().expect("a header"));
        token.ask(&path.parse().expect("a path"), &headers, 80).map(|answer| answer.status())
    }

    #[test]
    fn only_the_token_lets_in() {
        let token = Token::new().expect("the system has random numbers");
        let text = token.text();
        assert_eq!(text.len(), 2 * TOKEN_BYTES);
        assert_ne!(text, Token::new().expect("again").text());
        assert_eq!(asked(&token, &format!("/?token={text}"), ""), Some(StatusCode::SEE_OTHER));
        assert_eq!(asked(&token, "/", &format!("other=1; ictus-80={text}")), None);
        for (path, cookie) in [
            ("/", String::new()),
            ("/?token=", format!("ictus-80={text}")),
            (&*format!("/?token={}", &text[1..]), String::new()),
            (&*format!("/?token={text}0"), String::new()),
            ("/", format!("ictus-81={text}")),
            ("/", format!("ictus-80={}", text.replace(&text[..1], "x"))),
            ("/", "ictus-80=".to_owned()),
        ] {
            assert_eq!(asked(&token, path, &cookie), Some(StatusCode::FORBIDDEN), "{path} {cookie}");
        }
    }
}
