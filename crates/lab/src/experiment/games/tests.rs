//! Games of trained networks: several of each set of parameters, and tables of the extremes.

use std::fs;

use sumito_agents::Stop;
use tempfile::TempDir;

use super::super::definition::{Definition, Size};
use super::super::lab::Lab;
use super::super::result::Published;
use crate::work::Threads;

/// Twelve sets of two networks each.
const TWELVE: &str = r#"
title = "Twelve"
where = "section 1"
about = "Twelve sets of parameters."

[[given]]
key = "people.plies"
value = 101.2
low = 99.3
high = 103.2
source = "games of people"

[[claim]]
says = "People play about a hundred plies"
ours = "{people.plies:1}"
check = [{ value = "people.plies", near = 100, within = 10 }]

[[learn]]
id = "set"
games = 1
seeds = [1, 2]
set = { hidden = 2, ply_cap = 10 }
[learn.pairs]
lambda = [0.1, 0.2, 0.3, 0.4]
gamma = [0.1, 0.2, 0.3]

[games]
max-plies = 30

[[games.summary]]
id = "all"
parts = ["set-"]

[[games.part]]
id = "set"
label = "{x}"
each-network = "set"
over = "lambda"
rows = "extremes"
paper = { "gamma=0.2-lambda=0.3" = "best of all" }
players = ["cornell-td:epsilon=0.5,weights={network}", "greedy"]
names = ["TD", "greedy"]
games = 2

[[games.plot]]
file = "dots"
title = "Dots"
show = "dots"
measure = "marbles-b"
y = "marbles"
"#;

fn run(text: &str) -> (TempDir, Published) {
    let folder = tempfile::tempdir().expect("a folder");
    let definition = Definition::parse("mine/twelve", text).expect("a definition");
    definition.check().expect("a definition that can be run");
    let (executor, stop) = (&Threads::new(1), &Stop::default());
    let lab = Lab { definition: &definition, size: Size::Full, out: folder.path(), executor, stop };
    let published = lab.run(&mut |_, _, _| ()).expect("a result");
    (folder, published)
}

/// The rows of the table of games.
fn rows(folder: &TempDir) -> Vec<String> {
    let report = fs::read_to_string(folder.path().join("mine/twelve/report.md")).expect("a report");
    report.lines().filter(|line| line.contains("| TD | greedy |")).map(str::to_string).collect()
}

#[test]
fn networks_that_differ_in_their_seeds_count_together() {
    let (folder, published) = run(TWELVE);
    let value = |key: &str| published.values.get(key).map(|v| v.value);
    let one = "set-gamma=0.2-lambda=0.3";
    assert_eq!((value(&format!("{one}.games")), value(&format!("{one}.networks"))), (Some(4.0), Some(2.0)));
    assert!(value(&format!("{one}.least")) <= value(&format!("{one}.most")));
    assert_eq!((value("all.parts"), value("all.networks")), (Some(12.0), Some(24.0)));
    assert!(!published.values.iter().any(|(key, _)| key.contains("-network-")), "each network by itself");
    let data = fs::read_to_string(folder.path().join("mine/twelve/data.csv")).expect("data");
    assert_eq!(data.lines().filter(|line| line.starts_with(&format!("{one}-network-2,"))).count(), 2);
}

#[test]
fn a_table_of_extremes_has_five_from_either_end_and_what_the_paper_tells() {
    let (few, all) = (rows(&run(TWELVE).0), rows(&run(&TWELVE.replace("rows = \"extremes\"\n", "")).0));
    let named =
        |row: &&String| row.contains("gamma=0.2-lambda=0.3, 2 networks") && row.contains("best of all");
    assert!((10..=11).contains(&few.len()) && few.iter().filter(named).count() == 1, "{few:?}");
    assert_eq!(all.len(), 12);
}

#[test]
fn a_given_number_is_a_value_like_any_other() {
    let (folder, published) = run(TWELVE);
    let value = published.values.get("people.plies").expect("a value");
    assert_eq!((value.value, value.low, value.high), (101.2, 99.3, 103.2));
    let report = fs::read_to_string(folder.path().join("mine/twelve/report.md")).expect("a report");
    assert!(report.contains("101.2 ± 2.0 | **confirmed**"), "{report}");
}

#[test]
fn the_dots_of_sets_have_the_parameter_as_their_place() {
    let (folder, _) = run(TWELVE);
    let svg = fs::read_to_string(folder.path().join("mine/twelve/dots.svg")).expect("a picture");
    assert_eq!(svg.matches("<circle").count(), 12);
}

#[test]
fn how_much_stronger_one_is_than_another_is_told_of_every_two_players() {
    let text = "title = 'Three'\nwhere = 'here'\nabout = 'Three players.'\n[games]\nmax-plies = 60\n[[games.part]]\nid = 'all'\n\
                players = ['greedy', 'random', 'maastricht-rules']\nnames = ['g', 'r', 'm']\ngames = 4";
    let (_, published) = run(text);
    let value = |key: &str| published.values.get(&format!("all.{key}"));
    let (one, other) = (value("r over m.elo").expect("a lead"), value("m over r.elo").expect("a lead"));
    assert!(
        (one.value + other.value).abs() < 1e-6 && (one.high + other.low).abs() < 1e-6,
        "{one:?} {other:?}"
    );
    assert_eq!(value("r over m.games").map(|games| games.value), Some(12.0));
    let first = value("g over r.elo").expect("a lead");
    assert!((value("g over r.half-width").expect("its error").value - first.error()).abs() < 1e-6);
    assert_eq!(value("r over g.half-width"), None);
}
