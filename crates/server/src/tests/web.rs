//! Pages, headers, limits and other sites.

use super::*;

async fn head(site: &Site, request: Request<Body>) -> (u16, HeaderMap) {
    let (status, headers, _) = site.send(request).await;
    (status.as_u16(), headers)
}

#[tokio::test]
async fn every_answer_is_strict_about_what_a_page_may_do() {
    let site = Site::new().await;
    for path in ["/robots.txt", "/api/v1/meta", "/api/v1/nothing", "/nothing.txt"] {
        let (_, headers) = head(&site, Request::get(path).body(Body::empty()).expect("a request")).await;
        let policy = headers["content-security-policy"].to_str().expect("a text");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert!(!headers.contains_key(header::SET_COOKIE));
    }
}

#[tokio::test]
async fn paths_and_methods_that_do_not_exist_are_refused_in_json() {
    let site = Site::new().await;
    let (status, answer) = site.get("/nothing").await;
    assert_eq!((status.as_u16(), refusal(&answer)), (404, ("not_found", "path")));
    let (status, answer) = site.post("/meta", "", &json!({})).await;
    assert_eq!((status.as_u16(), refusal(&answer)), (405, ("method", "method")));
    let (status, _) =
        head(&site, Request::delete("/robots.txt").body(Body::empty()).expect("a request")).await;
    assert_eq!(status, 405);
}

#[tokio::test]
async fn other_sites_can_neither_change_anything_nor_stand_in_for_this_machine() {
    let site = Site::new().await;
    let request = |origin: &str, host: &str| {
        Request::post("/api/v1/games")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::HOST, host)
            .header(header::ORIGIN, origin)
            .body(Body::from("{}"))
            .expect("a request")
    };
    assert_eq!(head(&site, request("http://localhost:7161", "localhost:7161")).await.0, 201);
    assert_eq!(head(&site, request("http://[::1]:7161", "[::1]:7161")).await.0, 201);
    assert_eq!(head(&site, request("http://evil.example", "localhost:7161")).await.0, 403);
    assert_eq!(head(&site, request("http://evil.example", "evil.example")).await.0, 403);
    let public = Site::with(|config| {
        config.listen = std::net::Ipv4Addr::UNSPECIFIED.into();
        config.hosts = vec!["play.example".to_string()];
    })
    .await;
    assert_eq!(head(&public, request("https://play.example", "play.example")).await.0, 201);
    assert_eq!(head(&public, request("http://192.0.2.7:7161", "192.0.2.7:7161")).await.0, 201);
    assert_eq!(head(&public, request("http://evil.example", "evil.example")).await.0, 403);
}

#[tokio::test]
async fn a_page_of_another_site_starts_no_search() {
    let site = Site::new().await;
    let request = |site: &str| {
        Request::get("/api/v1/opinion?agent=random&fen=5/6/7/8/4S4/8/7/6/5&time_ms=10")
            .header(header::HOST, "localhost")
            .header("sec-fetch-site", site)
            .body(Body::empty())
            .expect("a request")
    };
    assert_eq!(head(&site, request("cross-site")).await.0, 403);
    assert!(site.app.metrics.text().contains("sumito_searches_total 0\n"));
    assert_eq!(head(&site, request("same-origin")).await.0, 200);
    assert!(site.app.metrics.text().contains("sumito_searches_total 1\n"));
}

#[tokio::test]
async fn the_numbers_are_on_their_own_port_alone_if_they_have_one() {
    let site = Site::with(|config| config.metrics_port = Some(0)).await;
    for path in ["/metrics", "/api/v1/metrics"] {
        let (status, ..) = site.send(Request::get(path).body(Body::empty()).expect("a request")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
    }
    let numbers = crate::app::numbers(site.app.clone());
    let request = Request::get("/metrics").body(Body::empty()).expect("a request");
    assert_eq!(numbers.clone().oneshot(request).await.expect("never fails").status(), StatusCode::OK);
    let request = Request::get("/api/v1/games").body(Body::empty()).expect("a request");
    assert_eq!(numbers.oneshot(request).await.expect("never fails").status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_client_that_asks_too_often_is_told_to_wait() {
    let site = Site::with(|config| (config.rate, config.burst) = (1, 5)).await;
    let mut answered = 0;
    // A slow machine gets back a part of the share meanwhile.
    loop {
        let (status, headers) =
            head(&site, Request::get("/api/v1/meta").body(Body::empty()).expect("a request")).await;
        assert_eq!(status == 429, headers.contains_key(header::RETRY_AFTER));
        if status == 429 {
            break;
        }
        assert_eq!(status, 200);
        answered += 1;
        assert!(answered < 10_000, "nobody was told to wait");
    }
    assert!(answered >= 5, "{answered} were answered at once");
    let (status, _) = head(&site, Request::get("/healthz").body(Body::empty()).expect("a request")).await;
    assert_eq!(status, 200, "whether the server is well is always told");
}

#[tokio::test]
async fn the_numbers_count_what_happens() {
    let site = Site::new().await;
    let (id, key) = site.begin(json!({})).await;
    site.play((&id, &key), 0, "a1b2").await;
    let (_, _, body) = site.send(Request::get("/metrics").body(Body::empty()).expect("a request")).await;
    let text = String::from_utf8(body).expect("a text");
    for line in ["sumito_move_seconds_count 1\n", "sumito_commits_total 2\n", "sumito_games 1\n"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[tokio::test]
async fn pages_come_from_a_folder_while_someone_works_on_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let web = folder.path().join("web");
    std::fs::create_dir(&web).expect("a folder");
    std::fs::write(web.join("index.html"), "<p>start</p>").expect("a file");
    let site = Site::open(folder, |config| config.web_dir = Some(web.clone()), &[]).await;
    for path in ["/", "/analyse", "/learn/3"] {
        let (status, _, body) = site.send(Request::get(path).body(Body::empty()).expect("a request")).await;
        assert_eq!((status.as_u16(), body.as_slice()), (200, b"<p>start</p>".as_slice()), "{path}");
    }
    let (status, ..) = site.send(Request::get("/missing.js").body(Body::empty()).expect("a request")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn pages_that_do_not_exist_are_not_found_and_show_the_way_home() {
    let site = Site::new().await;
    for path in [
        "/nowhere",
        "/gamesx",
        "/Games",
        "/nowhere/games",
        "/review",
        "/games/x",
        "/about/x/y",
        "/about/x",
        "/openings/x",
        "/reference/x",
        "/game/x/y",
        "/learn/x",
        "/learn/1/2",
    ] {
        let (status, headers, body) =
            site.send(Request::get(path).body(Body::empty()).expect("a request")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(headers[header::CONTENT_TYPE], "text/html; charset=utf-8", "{path}");
        assert!(String::from_utf8_lossy(&body).contains("<main id=\"page\""), "{path}");
    }
}

#[tokio::test]
async fn every_page_that_the_pages_know_is_found() {
    let site = Site::new().await;
    let app = sumito_web::files().find(|(path, _)| path == "app.js").expect("the shell").1;
    let app = String::from_utf8_lossy(&app).into_owned();
    let named = app.lines().filter_map(|line| line.trim().split_once(": () => import(\"./pages/"));
    let names: Vec<&str> = named.map(|(name, _)| name).chain(["", "game"]).collect();
    assert_eq!(names.len(), crate::http::assets::PAGES.len() + 1, "one is the start page: {names:?}");
    let needs = |name: &str| {
        use crate::http::assets::{PAGES, Rest};
        PAGES.contains(&(name, Rest::OnlyGame)) || PAGES.contains(&(name, Rest::Name))
    };
    for name in names.into_iter().filter(|name| !needs(name)) {
        let request = Request::get(format!("/{name}")).body(Body::empty()).expect("a request");
        assert_eq!(site.send(request).await.0, StatusCode::OK, "/{name}");
    }
}
