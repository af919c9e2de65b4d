//! The experiments that come with the program, and a small one from end to end.

use std::fs;
use std::path::Path;

use sumito_agents::Stop;

use super::*;
use crate::work::Threads;

#[test]
fn every_experiment_is_read_and_names_agents_that_exist() {
    let library = library().expect("good definitions");
    assert!(library.len() > 20, "{}", library.len());
    for definition in &library {
        assert_eq!(definition.check(), Ok(()));
        assert!(definition.paper().is_some(), "{}: its folder is that of a paper", definition.name);
        if definition.can_run() {
            assert!(definition.time.is_some(), "{}: how long it takes", definition.name);
            assert!(!definition.discussion.trim().is_empty(), "{}: why", definition.name);
        }
    }
}

#[test]
fn an_unknown_experiment_is_answered_with_the_near_misses() {
    let found = find("aba-pro/table1").expect_err("refused").to_string();
    assert!(found.contains("did you mean aba-pro/table-1"), "{found}");
}

/// Runs a definition, and tells what it wrote.
fn run(text: &str, dir: &Path, size: Size) -> Result<Published, LabError> {
    let definition = Definition::parse("mine/small", text).expect("a definition");
    let executor = &Threads::new(2);
    Lab { definition: &definition, size, out: dir, executor, stop: &Stop::default() }.run(&mut |_, _, _| ())
}

/// The text of a definition with what it measures.
fn definition(title: &str, about: &str, measures: &str) -> String {
    format!("title = {title:?}\nwhere = \"section 1\"\nabout = {about:?}\n{measures}")
}

const SMALL: &str = r#"
title = "Small"
where = "section 1"
about = "A small experiment."
discussion = "Greedy scores {match.score:0} %, nodes {plain.opening.nodes:0}."

[[claim]]
says = "Greedy beats random"
paper = "always"
ours = "{match.score:0} %"
check = [{ value = "match.score", above = 50 }]

[[claim]]
says = "People enjoy it"
cannot = "it needs people"

[games]
layouts = "belgian-daisy"
max-plies = 200

[[games.part]]
id = "match"
label = "greedy against random"
players = ["greedy", "random"]
names = ["greedy", "random"]
games = { quick = 10, full = 12 }

[[games.part]]
id = "three"
label = "three"
players = ["greedy", "random", "maastricht-rules"]
names = ["g", "r", "m"]
games = 2

[[games.part]]
id = "depth"
label = "depth {x}"
each = [1, 2]
players = ["aba-pro:depth={x}", "random"]
games = 2

[[games.plot]]
file = "depths"
title = "Score by depth"
show = "curve"
part = "depth"
x = "plies"
y = "score, %"

[[games.plot]]
file = "progress"
title = "Lead"
show = "progress"
part = "match"
x = "turn"
y = "marbles"

[[games.plot]]
file = "ratings"
title = "Ratings"
show = "ratings"
part = "three"
y = "Elo"

[count]

[[count.set]]
id = "opening"
random-plies = 2
count = 2

[[count.variant]]
id = "plain"
agent = "aba-pro:search=alphabeta"
depths = [1, 2]

[[count.variant]]
id = "sorted"
agent = "aba-pro:search=presorted"
depths = [1, 2]

[[count.table]]
title = "Nodes"
measures = ["nodes", "moves"]
paper = { plain = ["7", "8"] }

[[count.plot]]
file = "nodes"
title = "Nodes"
over = "depth"
measure = "nodes"
x = "plies"
y = "nodes"
"#;

#[test]
fn an_experiment_writes_report_data_pictures_and_values() {
    let dir = tempfile::tempdir().expect("a folder");
    let published = run(SMALL, dir.path(), Size::Quick).expect("a result");
    let read = |name: &str| fs::read_to_string(dir.path().join("mine/small").join(name)).expect(name);
    let report = read("report.md");
    for text in [
        "# Small",
        "**A quick run**",
        "| claim | paper | threshold | ours | verdict |",
        "| Greedy beats random | always | match.score above 50 | ",
        "**confirmed**",
        "**cannot be checked**",
        "![depths](depths.svg)",
        "sumito lab run mine/small --quick",
        "Nothing in it depends on time",
        "| plain | 2 | 7 | ",
    ] {
        assert!(report.contains(text), "{text} in {report}");
    }
    assert!(!report.contains('–'), "every value is there: {report}");
    let made_by = published.provenance.as_ref().expect("what made it");
    let named = format!("(commit {}, bench {}, network {})", made_by.commit, made_by.bench, made_by.network);
    let machine = made_by.machine.as_ref().expect("a machine").to_string();
    for text in [&named, &machine, published.date.as_ref().expect("a day")] {
        assert!(report.contains(text), "{text} in {report}");
    }
    // Ten, six and four games with a heading; four searches of two positions each.
    assert_eq!(read("data.csv").lines().count(), 1 + 10 + 6 + 4);
    assert_eq!(read("counts.csv").lines().count(), 1 + 2 * 2 * 2);
    for name in ["depths", "progress", "ratings", "nodes"] {
        assert!(read(&format!("{name}.svg")).starts_with("<svg"), "{name}");
    }
    let known = Published::read(dir.path(), "mine/small").expect("readable").expect("a result");
    assert_eq!(known, published);
}

#[test]
fn three_kinds_of_work_have_a_file_of_rows_each() {
    let text = definition(
        "Three kinds",
        "Games, searches and records.",
        r#"
        [games]
        max-plies = 40
        [[games.part]]
        id = "match"
        players = ["greedy", "random"]
        games = 2
        [count]
        [[count.set]]
        id = "opening"
        count = 1
        [[count.variant]]
        id = "plain"
        agent = "aba-pro"
        depths = [1]
        [curiosities]
        climbs = 1
        games = 1
        player = "random"
        nodes = 10
    "#,
    );
    let dir = tempfile::tempdir().expect("a folder");
    run(&text, dir.path(), Size::Quick).expect("a result");
    let head = |name: &str| {
        let text = fs::read_to_string(dir.path().join("mine/small").join(name)).expect(name);
        text.split(',').next().unwrap_or_default().to_string()
    };
    assert_eq!(["data.csv", "counts.csv", "curiosities.csv"].map(head), ["part", "variant", "game"]);
}

#[test]
fn the_same_seed_gives_the_same_values_and_a_second_run_goes_on() {
    let (one, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let first = run(SMALL, one.path(), Size::Quick).expect("a result").values;
    let is_timeless = |key: &str| !["ms", "seconds", "speed"].iter().any(|unit| key.contains(unit));
    let timeless = |values: &values::Values| -> Vec<(String, values::MeasuredValue)> {
        values
            .iter()
            .filter(|(key, _)| is_timeless(key))
            .map(|(key, value)| (key.to_string(), value))
            .collect()
    };
    let second = run(SMALL, other.path(), Size::Quick).expect("a result").values;
    assert_eq!(timeless(&first), timeless(&second));
    // Everything is on disk: even the times stay.
    assert_eq!(run(SMALL, one.path(), Size::Quick).expect("a result").values, first);
}

#[test]
fn a_game_that_players_alike_play_twice_counts_once_for_its_colours() {
    let text = definition(
        "Alike",
        "One player against itself.",
        r#"
        [games]
        random-plies = 2
        max-plies = 60
        [[games.part]]
        id = "alike"
        players = ["aba-pro:depth=1", "aba-pro:depth=1"]
        names = ["one", "other"]
        games = 8
    "#,
    );
    let dir = tempfile::tempdir().expect("a folder");
    let values = run(&text, dir.path(), Size::Quick).expect("a result").values;
    let value = |key: &str| values.get(&format!("alike.{key}")).expect("a value");
    assert_eq!((value("games").value, value("different").value, value("score").value), (8.0, 4.0, 50.0));
    // Four games, not eight: the interval of their draws is that of a share of four.
    let drawn = value("drawn");
    let of_four = super::values::MeasuredValue::share(drawn.value * 4.0 / 100.0, 4.0);
    assert!((drawn.error() - of_four.error()).abs() < 1e-6, "{drawn:?}");
}

#[test]
fn parts_share_players_and_those_of_the_other_size_leave_no_picture() {
    let text = definition(
        "Shared",
        "Greedy as Black beats what moves at random, and as White too.",
        r#"
        [games]
        max-plies = 200
        layouts = "belgian-daisy"
        players = ["greedy", "random"]
        [[games.summary]]
        id = "all"
        parts = ["colour-"]
        [[games.part]]
        id = "colour-own"
        players = ["random", "greedy"]
        games = 12
        [[games.part]]
        id = "colour-shared"
        games = 12
        [[games.part]]
        id = "large"
        games = 100
        only = "full"
        [[games.plot]]
        file = "sorted"
        title = "By score"
        show = "rows"
        part = "colour-"
        sorted = true
        y = "score, %"
        [[games.plot]]
        file = "large"
        title = "Of a full run"
        show = "rows"
        part = "large"
        y = "score, %"
    "#,
    );
    let dir = tempfile::tempdir().expect("a folder");
    let values = run(&text, dir.path(), Size::Quick).expect("a result").values;
    let value = |key: &str| values.get(key).expect("a value").value;
    assert!(value("colour-shared.score") > 50.0 && value("colour-own.score") < 50.0);
    // Whoever has Black: each wins with both colours, or loses with both.
    assert_eq!((value("all.parts"), value("all.for-black"), value("all.for-white")), (2.0, 0.0, 0.0));
    assert!((value("all.black") - 50.0).abs() < 15.0, "{}", value("all.black"));
    let folder = dir.path().join("mine/small");
    let sorted = fs::read_to_string(folder.join("sorted.svg")).expect("a picture");
    assert!(sorted.find("colour-shared") < sorted.find("colour-own"), "the larger score is above");
    assert!(!folder.join("large.svg").exists());
    assert!(!fs::read_to_string(folder.join("report.md")).expect("a report").contains("large"));
}

#[test]
fn a_quick_run_does_not_replace_a_full_result() {
    let dir = tempfile::tempdir().expect("a folder");
    assert_eq!(run(SMALL, dir.path(), Size::Full).expect("a result").size, Size::Full);
    let refused = run(SMALL, dir.path(), Size::Quick).expect_err("refused").to_string();
    assert!(refused.contains("is the full result"), "{refused}");
}

#[test]
fn a_stopped_run_writes_no_report() {
    let dir = tempfile::tempdir().expect("a folder");
    let definition = Definition::parse("mine/small", SMALL).expect("a definition");
    let stop = Stop::default();
    let executor = &Threads::new(1);
    let lab = Lab { definition: &definition, size: Size::Quick, out: dir.path(), executor, stop: &stop };
    let stopped = lab.run(&mut |_, done, _| {
        if done == 3 {
            stop.request();
        }
    });
    assert!(matches!(stopped, Err(LabError::Stopped)));
    assert!(!dir.path().join("mine/small/report.md").exists());
    assert!(fs::read_to_string(dir.path().join("mine/small/work/quick/games/match/games.jsonl")).is_ok());
    // The games that were played are there when it goes on.
    let mut seen = Vec::new();
    stop.clear();
    lab.run(&mut |what, done, _| seen.push((what.to_string(), done))).expect("a result");
    assert_eq!(seen.first(), Some(&("games".to_string(), 1)));
}

#[test]
fn published_results_have_every_value_that_their_definitions_name() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/results");
    let mut missing = Vec::new();
    for definition in library().expect("good definitions") {
        let published = Published::read(&results, &definition.name).expect("readable");
        let absent = published.map_or(Vec::new(), |published| published.missing(&definition));
        if !absent.is_empty() {
            missing.push(format!("{}: no value for {}", definition.name, absent.join(", ")));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn published_reports_say_what_their_definitions_say() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/results");
    for definition in library().expect("good definitions") {
        if let Some(published) = Published::read(&results, &definition.name).expect("readable") {
            let (path, fresh) = published.report(&definition, &results).expect("a report");
            let kept = fs::read_to_string(&path).expect("a report");
            assert!(kept == fresh, "{}: expected what `sumito lab report` writes", path.display());
        }
    }
}

#[test]
fn a_report_can_be_written_anew_when_its_claims_change() {
    let dir = tempfile::tempdir().expect("a folder");
    let published = run(SMALL, dir.path(), Size::Quick).expect("a result");
    let definition = Definition::parse("mine/small", SMALL).expect("a definition");
    let (path, same) = published.report(&definition, dir.path()).expect("a report");
    assert_eq!(fs::read_to_string(&path).expect("a report"), same);
    let other = Definition { title: "Renamed".to_string(), discussion: "Because.".to_string(), ..definition };
    let (_, changed) = published.report(&other, dir.path()).expect("a report");
    assert!(changed.starts_with("# Renamed\n") && changed.contains("## Why\n\nBecause.\n"), "{changed}");
    let numbers =
        |report: &str| report.split("\n## ").find(|part| part.starts_with("Numbers")).map(str::to_string);
    assert_eq!(numbers(&same), numbers(&changed));
    fs::write(&path, "mine").expect("a file");
    let wrong = published.report(&other, dir.path()).expect_err("no report");
    assert!(wrong.contains("expected a report"), "{wrong}");
}

#[test]
fn the_overview_is_that_of_the_published_results() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let library = library().expect("good definitions");
    let fresh = overview::write(&library, &experiments.join("results"), "results").expect("an overview");
    let kept = fs::read_to_string(experiments.join("README.md")).expect("the overview");
    assert!(kept == fresh, "expected experiments/README.md as `sumito lab overview` prints it");
}

/// The text of every definition that comes with the program, by name.
fn texts() -> impl Iterator<Item = (String, String)> {
    sumito_experiments::names()
        .into_iter()
        .filter_map(|name| Some((name.clone(), sumito_experiments::text(&name)?)))
}

#[test]
fn every_quoted_number_is_used_by_some_definition() {
    let texts: Vec<String> = texts().map(|(_, text)| text).collect();
    let used: std::collections::BTreeSet<&str> =
        texts.iter().flat_map(|text| quoted::names(text)).map(|(_, name)| name).collect();
    let keys = quoted::quoted().keys().map(|key| format!("{}{key}", quoted::PREFIX));
    let unused: Vec<String> = keys.filter(|name| !used.contains(name.as_str())).collect();
    assert!(unused.is_empty(), "no definition uses {}", unused.join(", "));
}

/// What comes out of `0.8 x quoted.a / quoted.b + 1`.
fn computed(text: &str) -> f64 {
    let (mut sum, mut product, mut sign, mut divides) = (0.0, 1.0, 1.0, false);
    for word in text.split_whitespace() {
        match word {
            "x" => divides = false,
            "/" => divides = true,
            "+" | "-" => {
                sum += sign * product;
                (product, divides, sign) = (1.0, false, if word == "+" { 1.0 } else { -1.0 });
            }
            _ => {
                let quoted = || quoted::named(word).and_then(|number| number.value);
                let number: f64 =
                    word.parse().ok().or_else(quoted).unwrap_or_else(|| panic!("{text}: {word}"));
                product *= if divides { 1.0 / number } else { number };
            }
        }
    }
    sum + sign * product
}

#[test]
fn numbers_that_follow_from_quoted_ones_are_computed_right() {
    let mut found = 0;
    for (name, text) in texts() {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate() {
            let Some((number, sum)) = line.strip_prefix("# ").and_then(|line| line.split_once(" = ")) else {
                continue;
            };
            let digits = number.split_once('.').map_or(0, |(_, fraction)| fraction.len() as i32);
            let (written, exact) = (number.parse::<f64>().expect(number), computed(sum));
            let off = (written - exact).abs();
            assert!(off <= 0.5001 * 10f64.powi(-digits), "{name}, line {}: {number} is {exact}", at + 1);
            // It stands in the check below it.
            let is_there =
                |line: &&str| ["near", "times"].iter().any(|key| line.contains(&format!("{key} = {number}")));
            assert!(lines.iter().skip(at + 1).take(3).any(is_there), "{name}, line {}", at + 1);
            found += 1;
        }
    }
    assert!(found > 30, "{found}");
}

#[test]
fn quoted_numbers_stand_in_texts_checks_tables_and_pictures() {
    let text = definition(
        "Quoted",
        "Minimax has {quoted.aba-pro-minimax-opening} moves.",
        r#"
        [[claim]]
        says = "As many as {quoted.aba-pro-minimax-opening}"
        paper = "{quoted.aba-pro-minimax-opening}"
        ours = "{minimax.opening.moves:0}"
        check = [{ value = "minimax.opening.moves", near = "quoted.aba-pro-minimax-opening", within = 30 }]
        [count]
        [[count.set]]
        id = "opening"
        count = 1
        [[count.variant]]
        id = "minimax"
        agent = "aba-pro:search=minimax"
        depths = [1]
        [[count.table]]
        title = "Moves"
        measures = ["moves"]
        paper = { minimax = ["{quoted.aba-pro-minimax-opening}"] }
        [[count.plot]]
        file = "moves"
        title = "Moves"
        over = "depth"
        measure = "moves"
        x = "plies"
        y = "moves"
        paper = { "table 1" = [[1, "quoted.aba-pro-minimax-opening"], [2, 60]] }
    "#,
    );
    let dir = tempfile::tempdir().expect("a folder");
    run(&text, dir.path(), Size::Quick).expect("a result");
    let read = |name: &str| fs::read_to_string(dir.path().join("mine/small").join(name)).expect(name);
    let report = read("report.md");
    for text in [
        "Minimax has 60 moves.",
        "| As many as 60 | 60 | minimax.opening.moves within 30 of 60 | 44 |",
        "| minimax | 1 | 60 | 44.0 |",
    ] {
        assert!(report.contains(text), "{text} in {report}");
    }
    assert!(read("moves.svg").contains("table 1 (paper)"));
}
