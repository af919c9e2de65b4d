//! What is played now, for pages and for other programs.

use futures_util::StreamExt;

use super::accounts::arena;
use super::*;

/// The lines of a stream, as they come.
struct Lines {
    body: axum::body::BodyDataStream,
    rest: String,
}

impl Lines {
    /// The next line that says something.
    async fn next(&mut self) -> Value {
        loop {
            if let Some((line, rest)) = self.rest.clone().split_once('\n') {
                self.rest = rest.to_string();
                if line.is_empty() {
                    continue;
                }
                return serde_json::from_str(line).expect("JSON");
            }
            let next = tokio::time::timeout(std::time::Duration::from_secs(120), self.body.next());
            let bytes = next.await.expect("in time").expect("an open stream").expect("bytes");
            self.rest += std::str::from_utf8(&bytes).expect("UTF-8");
        }
    }
}

#[tokio::test]
async fn a_program_that_follows_all_games_hears_how_they_begin_go_on_and_end() {
    let site = arena().await;
    let request = Request::get("/api/v1/games/stream").body(Body::empty()).expect("a request");
    let response = site.router.clone().oneshot(request).await.expect("never fails");
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/x-ndjson");
    let mut lines = Lines { body: response.into_body().into_data_stream(), rest: String::new() };
    let (id, black) = site.begin(json!({ "friend": { "color": "black", "name": "Anna" } })).await;
    assert_eq!(site.get("/games/now").await.1["games"], json!([]), "nobody has come yet");
    let (_, answer) = site.post(&format!("/games/{id}/join"), "", &json!({ "name": "Ben" })).await;
    let white = answer["key"].as_str().expect("a key");
    // Games against agents are not for all to hear.
    site.begin(json!({ "white": { "kind": "agent", "spec": "random" } })).await;
    site.play((&id, &black), 0, "a1b2").await;
    for key in [&black, white] {
        let (status, answer) = site.post(&format!("/games/{id}/takeback"), key, &json!({})).await;
        assert!(status.is_success(), "{answer}");
    }
    site.play((&id, &black), 0, "a1b2").await;
    site.post(&format!("/games/{id}/resign"), white, &json!({})).await;
    let begun = lines.next().await;
    assert_eq!(
        (&begun["type"], &begun["game"], &begun["white"]["name"]),
        (&json!("begun"), &json!(id), &json!("Ben"))
    );
    let moved = lines.next().await;
    assert_eq!((&moved["type"], &moved["ply"], &moved["move"]), (&json!("move"), &json!(1), &json!("a1b2")));
    let back = lines.next().await;
    assert_eq!((&back["type"], &back["ply"], &back["fen"]), (&json!("takeback"), &json!(0), &begun["fen"]));
    assert_eq!(lines.next().await["type"], "move");
    let over = lines.next().await;
    assert_eq!(over, json!({ "type": "ended", "game": id, "result": "black", "reason": "resignation" }));
    let (id, black) = site.begin(json!({ "friend": { "color": "black" } })).await;
    site.post(&format!("/games/{id}/join"), "", &json!({})).await;
    site.post(&format!("/games/{id}/abort"), &black, &json!({})).await;
    assert_eq!(lines.next().await["type"], "begun");
    assert_eq!(lines.next().await, json!({ "type": "aborted", "game": id }));
    site.app.close().await;
    let end = tokio::time::timeout(std::time::Duration::from_secs(60), async {
        while lines.body.next().await.is_some() {}
    });
    end.await.expect("the stream ends with the server");
}

#[tokio::test]
async fn what_is_played_now_is_told_with_the_strongest_first() {
    let site = arena().await;
    let (id, _) = site.begin(json!({ "friend": { "color": "black" } })).await;
    site.post(&format!("/games/{id}/join"), "", &json!({})).await;
    let (_, now) = site.get("/games/now").await;
    let ids: Vec<_> = now["games"].as_array().expect("games").iter().map(|game| &game["id"]).collect();
    assert_eq!(ids, [&json!(id)]);
}
