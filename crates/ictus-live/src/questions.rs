//! Questions of pages that need no conversation (docs/protocol.md): one request, one answer, worked out by one of the threads that build scenes.

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ictus_page::protocol::MOST_WITH_TEXT;
use ictus_page::questions::{Answer, Question};

use crate::lan::Local;
use crate::server::Reception;

/// Answers a question.
///
/// The server has made sure that the host is its own, and the origin too where one is named. Here it must be: every browser names it, so that
/// another site, which may send requests but not read answers, cannot have a file written. The media type makes a browser ask before it sends.
pub async fn answer(State(reception): State<Reception>, request: Request) -> Response {
    let headers = request.headers();
    let is_json = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if !headers.contains_key(header::ORIGIN) || !is_json {
        return (StatusCode::FORBIDDEN, "only the program's own page may ask\n").into_response();
    }
    let is_own = request.extensions().get::<Local>().is_some_and(|local| local.is_own());
    let refused = |message: String| Answer::Refused { message }.text();
    let Ok(_turn) = reception.shared.asking.clone().try_acquire_owned() else {
        return told(refused("too many questions at once".to_owned()));
    };
    let Ok(question) = to_bytes(request.into_body(), MOST_WITH_TEXT).await else {
        return told(refused(format!("a question has at most {} kB", MOST_WITH_TEXT >> 10)));
    };
    let Ok(question) = String::from_utf8(question.into()) else {
        return told(refused("a question is text in UTF-8".to_owned()));
    };
    // Devices of the network play; they write nothing here.
    if !is_own && matches!(serde_json::from_str(&question), Ok(Question::Save { .. })) {
        return told(refused("pages of other devices cannot write files of this machine".to_owned()));
    }
    let failed = || refused("the question could not be answered".to_owned());
    // One after the other, whoever asks: a thread is always left to build scenes.
    let Ok(turn) = reception.shared.answering.clone().acquire_owned().await else { return told(failed()) };
    let answer = reception.shared.builders.ask(question, turn).await;
    told(answer.unwrap_or_else(|_| failed()))
}

fn told(answer: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, answer).into_response()
}
