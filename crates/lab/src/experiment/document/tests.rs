//! The document of the published results, and what is refused.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::library;
use super::*;

fn published() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/results")
}

fn document() -> String {
    write(&library().expect("good definitions"), &published()).expect("a document")
}

/// What stands between the quotes after each of these attributes.
fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    html.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn the_document_has_every_claim_with_its_threshold() {
    let html = document();
    for definition in library().expect("good definitions") {
        let published = Published::read(&published(), &definition.name).expect("readable");
        for finding in definition.findings(published.as_ref()) {
            assert!(html.contains(&inline(&finding.says)), "{}: {}", definition.name, finding.says);
            for check in &finding.checks {
                let text = escape(&format!("{} {}", check.value, check.threshold));
                assert!(html.contains(&text), "{}: {text}", definition.name);
            }
        }
    }
}

#[test]
fn the_document_has_every_picture_of_every_report() {
    let html = document();
    let mut pictures = 0;
    for definition in library().expect("good definitions") {
        let report = published().join(&definition.name).join("report.md");
        let Ok(report) = std::fs::read_to_string(report) else { continue };
        for name in report
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(".svg)").next().filter(|_| rest.contains(".svg)")))
        {
            if name.contains(['\n', ')']) {
                continue;
            }
            pictures += 1;
            let title = escape(definition.picture(name).unwrap_or(name));
            assert!(html.contains(&format!(": {title} ({})</figcaption>", definition.name)), "{name}");
        }
    }
    let folders = library().expect("good definitions").into_iter().map(|one| published().join(one.name));
    let files = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let drawn = files.filter(|file| file.path().extension().is_some_and(|ending| ending == "svg")).count();
    assert_eq!(pictures, drawn, "no report names a picture that is there, or none is there at all");
    assert_ne!(pictures, 0);
    assert_eq!(html.matches("<svg ").count(), pictures);
}

#[test]
fn the_document_needs_no_other_file_and_runs_nothing() {
    let html = document();
    for bad in ["http://", "https://", "src=", "<script", "<link", "@import", "url(", "<iframe", "<object"] {
        assert!(!html.contains(bad), "{bad}");
    }
}

#[test]
fn every_link_leads_to_a_place_in_the_document_and_ids_differ() {
    let html = document();
    let ids = attributes(&html, "id");
    let known: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), known.len(), "an id stands there twice");
    let links = attributes(&html, "href");
    assert!(links.len() > 30, "{}", links.len());
    for link in links {
        assert!(link.strip_prefix('#').is_some_and(|id| known.contains(id)), "{link}");
    }
}

#[test]
fn every_document_has_a_section_and_every_result_a_command() {
    let html = document();
    for paper in Paper::ALL {
        assert!(html.contains(&format!("id=\"document-{}\"", paper.key)), "{}", paper.key);
    }
    for part in ["abstract", "methods", "limits", "repeat", "references"] {
        assert!(html.contains(&format!("id=\"{part}\"")), "{part}");
    }
    for definition in library().expect("good definitions") {
        if let Some(published) = Published::read(&published(), &definition.name).expect("readable") {
            assert!(html.contains(&format!("<code>{}</code>", published.again())), "{}", definition.name);
        }
    }
}

#[test]
fn elements_are_closed_in_order() {
    let html = document();
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap_or_default();
        if tag.ends_with('/') || ["!DOCTYPE", "meta", "br", "hr"].contains(&name) {
            continue;
        }
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn a_folder_without_results_is_refused() {
    let library = library().expect("good definitions");
    let folder = tempfile::tempdir().expect("a folder");
    let refused = write(&library, folder.path()).expect_err("nothing there");
    assert!(refused.contains("expected results of experiments, found none"), "{refused}");
    let refused = write(&library, &folder.path().join("absent")).expect_err("no folder");
    assert!(refused.contains("expected a folder of results"), "{refused}");
}
