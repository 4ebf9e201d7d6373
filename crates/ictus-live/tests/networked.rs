//! Other devices of the network: let in with the token, under the address they came to, and not otherwise.
//!
//! 127.0.0.2 stands for an address of the network: it is this machine too, but not the address that needs no token.

use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::running::{Running, hello, reply};

const OTHER: &str = "127.0.0.2";

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

#[tokio::test]
async fn by_default_no_other_address_of_this_machine_answers() {
    let server = Running::start(2).await;
    assert!(tokio::net::TcpStream::connect((OTHER, server.port)).await.is_err());
    assert_eq!(server.token, None);
}

#[tokio::test]
async fn another_device_is_let_in_by_the_token_only() {
    let server = Running::in_network().await;
    let (port, token) = (server.port, server.token.clone().expect("there is a token"));
    let host = format!("{OTHER}:{port}");
    let cookie = |token: &str| format!("Cookie: ictus-{port}={token}\r\n");
    let wrong = token.chars().rev().collect::<String>();
    for (path, more) in [
        ("/".to_owned(), String::new()),
        ("/main.js".to_owned(), String::new()),
        ("/?token=".to_owned(), String::new()),
        (format!("/?token={wrong}"), String::new()),
        (format!("/?token={wrong}"), cookie(&token)),
        (format!("/?other={token}"), String::new()),
        ("/".to_owned(), cookie(&wrong)),
        ("/".to_owned(), cookie("")),
        ("/".to_owned(), format!("Cookie: other={token}\r\n")),
        ("/".to_owned(), format!("Authorization: Bearer {token}\r\n")),
    ] {
        assert_eq!(status(&server.get_at(OTHER, &path, &host, &more).await), "403", "{path} {more}");
    }
    let invited = server.get_at(OTHER, &format!("/?token={token}"), &host, "").await;
    assert_eq!(status(&invited), "303", "{invited}");
    let invited = invited.to_ascii_lowercase();
    assert!(invited.contains("location: /\r\n"), "the token leaves the address: {invited}");
    assert!(invited.contains("httponly") && invited.contains("samesite=lax"), "{invited}");
    for path in ["/", "/main.js"] {
        assert_eq!(status(&server.get_at(OTHER, path, &host, &cookie(&token)).await), "200", "{path}");
    }
}

#[tokio::test]
async fn the_token_opens_no_other_name_and_no_other_origin() {
    let server = Running::in_network().await;
    let (port, token) = (server.port, server.token.clone().expect("there is a token"));
    let cookie = format!("Cookie: ictus-{port}={token}\r\n");
    let own = format!("{OTHER}:{port}");
    // Under an address of the network, the names of this machine's own address are foreign too.
    for host in [
        "example.org",
        &format!("example.org:{port}"),
        &format!("localhost:{port}"),
        &format!("127.0.0.1:{port}"),
        OTHER,
        "",
    ] {
        for path in ["/", &format!("/?token={token}")] {
            assert_eq!(status(&server.get_at(OTHER, path, host, &cookie).await), "403", "{host} {path}");
        }
    }
    for origin in ["http://example.org", "null", &format!("http://localhost:{port}"), &format!("https://{own}")] {
        let more = format!("{cookie}Origin: {origin}\r\n");
        assert_eq!(status(&server.get_at(OTHER, "/", &own, &more).await), "403", "{origin}");
    }
    // And the own address stays what it was.
    let home = format!("127.0.0.1:{port}");
    assert_eq!(status(&server.get("/", &home, "").await), "200");
    assert_eq!(status(&server.get("/", &own, &cookie).await), "403", "a name of the network at the own address");
}

#[tokio::test]
async fn the_socket_of_another_device_needs_the_token_as_well() {
    let server = Running::in_network().await;
    let (port, token) = (server.port, server.token.clone().expect("there is a token"));
    let connect = async |cookie: Option<String>| {
        let mut request = format!("ws://{OTHER}:{port}/socket").into_client_request().expect("an address");
        request.headers_mut().insert("Origin", format!("http://{OTHER}:{port}").parse().expect("a header"));
        if let Some(cookie) = cookie {
            request.headers_mut().insert("Cookie", cookie.parse().expect("a header"));
        }
        connect_async(request).await.map(|(socket, _)| socket)
    };
    assert!(connect(None).await.is_err());
    assert!(connect(Some(format!("ictus-{port}={}", "0".repeat(32)))).await.is_err());
    let mut socket = connect(Some(format!("ictus-{port}={token}"))).await.expect("is let in");
    hello(&mut socket, "hammered-string").await;
    assert!(reply(&mut socket, "instrument").await.is_some());
}
