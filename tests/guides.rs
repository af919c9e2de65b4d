//! The guide for researchers, as its readers follow it: its agent, its experiment and its layout. And the list of what
//! is fuzzed, beside what there is, and the citation.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use predicates::str::contains;
use sumito_rules::{Color, PositionFormat, Symmetry, fen};
use tempfile::TempDir;

const GUIDE: &str = include_str!("../docs/researchers.md");

/// The n-th block of the guide in this language.
fn block(language: &str, n: usize) -> &'static str {
    let start = format!("```{language}\n");
    GUIDE.split(&start).nth(n + 1).and_then(|rest| rest.split("```").next()).unwrap()
}

fn sumito(folder: &TempDir) -> Command {
    let mut command = Command::cargo_bin("sumito").unwrap();
    command.current_dir(folder.path());
    command
}

/// The guide's agent, built as the program was. `cargo test` has done that already; `cargo test --test guides` has not.
static CROWD: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_BIN_EXE_sumito")).parent().unwrap();
    let agent = folder.join("examples/crowd");
    let profile = folder.file_name().unwrap().to_str().unwrap().replace("debug", "dev");
    let mut build = Command::new(env!("CARGO"));
    build.current_dir(env!("CARGO_MANIFEST_DIR")).arg("build").args([
        "--example",
        "crowd",
        "--profile",
        &profile,
    ]);
    let built = build.arg("--target-dir").arg(folder.parent().unwrap()).output().unwrap();
    let said = String::from_utf8_lossy(&built.stderr);
    // A profile that was given on the command line is not known here: `cargo test --examples` must have built it then.
    let is_there = said.contains("is not defined") && agent.exists();
    assert!(built.status.success() || is_there, "{said}");
    agent
});

#[test]
fn the_guides_agent_is_an_engine_that_keeps_to_the_protocol_and_beats_random_moves() {
    assert_eq!(block("rust,ignore", 0), include_str!("../examples/crowd.rs"));
    let folder = tempfile::tempdir().unwrap();
    // As the guide has it, but for a patience that a busy machine does not use up.
    let check = ["check-engine", "--grace", "300000", "--patience", "300000"];
    sumito(&folder).args(check).arg(&*CROWD).assert().success();
    let players = [format!("ugi:{}", CROWD.display()), "random".to_string()];
    let args = "--games 10 --layouts standard --random-plies 4 --limit movetime=60s --grace 60s --json";
    let played = sumito(&folder).arg("match").args(players).args(args.split(' ')).assert().success();
    let result: serde_json::Value = serde_json::from_slice(&played.get_output().stdout).unwrap();
    let won = result["pairings"][0]["games"]["wins"].as_u64();
    assert!(won >= Some(9), "{result}");
}

#[test]
fn the_guides_experiment_confirms_its_claim() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("mine")).unwrap();
    let text = block("toml", 0).replace("target/release/examples/crowd", &CROWD.display().to_string());
    fs::write(folder.path().join("mine/crowd.toml"), text).unwrap();
    let run = sumito(&folder).args(["lab", "run", "mine/crowd.toml", "--quick"]).assert().success();
    run.stdout(contains("confirmed: Marbles off and the centre are enough against random moves"));
    let report = fs::read_to_string(folder.path().join("runs/lab/mine/crowd/report.md")).unwrap();
    assert!(report.contains("against one ply of ABA-PRO") && !report.contains('{'), "{report}");
}

#[test]
fn the_guides_layout_is_played_by_its_fen_and_is_the_same_as_its_line_of_cells() {
    let text = block("text", 0).trim();
    let line = block("text", 1);
    let position = fen::parse(text).unwrap();
    let cells = line.split('"').find(|part| part.len() == 61).unwrap();
    assert!(position.same_board(&PositionFormat::Cells.parse(cells).unwrap()));
    let exchanged = position.swapped().with_turn(Color::Black);
    let fair = Symmetry::ALL.iter().any(|s| s.position(&position).same_board(&exchanged));
    assert!(fair, "the same for both sides");
    assert_eq!(GUIDE.matches(text).count(), 3);
    let folder = tempfile::tempdir().unwrap();
    sumito(&folder).args(["show", "--fen", text, "-o", "trenches.svg"]).assert().success();
    assert!(fs::read_to_string(folder.path().join("trenches.svg")).unwrap().contains("</svg>"));
    let args = "match greedy random --games 4 --limit none --max-plies 100 --out out --layouts";
    sumito(&folder).args(args.split(' ')).arg(format!("standard,{text}")).assert().success();
    let games = fs::read_to_string(folder.path().join("out/games.apgn")).unwrap();
    assert!(games.contains(text.split(' ').next().unwrap()), "{games}");
}

/// The targets in the list of CONTRIBUTING.md, and the files beside them.
fn fuzzed() -> (BTreeSet<String>, BTreeSet<String>) {
    let rows = include_str!("../CONTRIBUTING.md").lines().filter(|line| line.starts_with("| `"));
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_string).collect::<Vec<_>>();
    let (mut targets, mut files) = (BTreeSet::new(), BTreeSet::new());
    for cells in rows.map(|row| row.split('|').collect::<Vec<_>>()) {
        targets.extend(quoted(cells[1]));
        files.extend(quoted(cells[3]));
    }
    (targets, files)
}

/// The files below a folder with a parser, their tests left aside.
fn parsers(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() && !entry.ends_with("tests") {
            parsers(&entry, found);
        } else if entry.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&entry).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            if ["impl FromStr for ", "fn parse(", "fn from_bytes("].iter().any(|sign| code.contains(sign)) {
                found.insert(entry.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/"));
            }
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_list_of_fuzz_targets_is_that_of_the_fuzzer_and_each_has_seeds() {
    let (listed, files) = fuzzed();
    let manifest = include_str!("../fuzz/Cargo.toml");
    let bins = manifest.split("[[bin]]").skip(1);
    let targets = bins.map(|bin| bin.split('"').nth(1).unwrap().to_string()).collect::<BTreeSet<_>>();
    assert_eq!(listed, targets);
    for target in &targets {
        let seeds = root().join("fuzz/seeds").join(target);
        assert!(fs::read_dir(&seeds).is_ok_and(|mut seeds| seeds.next().is_some()), "{}", seeds.display());
    }
    for file in files {
        assert!(root().join(&file).is_file(), "{file}");
    }
}

#[test]
fn every_file_with_a_parser_is_in_the_list_of_what_is_fuzzed() {
    let mut found = BTreeSet::new();
    parsers(&root().join("crates"), &mut found);
    parsers(&root().join("src"), &mut found);
    let (_, listed) = fuzzed();
    let missing: Vec<&String> = found.difference(&listed).collect();
    assert!(found.len() > 15 && missing.is_empty(), "expected in CONTRIBUTING.md: {missing:?}");
}

#[test]
fn the_readmes_example_is_the_one_that_is_tested_with_the_rules() {
    let example = |text: &str| {
        text.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap().to_string()
    };
    let (ours, tested) = (include_str!("../README.md"), include_str!("../crates/rules/README.md"));
    assert_eq!(example(ours), example(tested));
}

#[test]
fn the_citation_names_the_version_of_the_program() {
    let citation = include_str!("../CITATION.cff");
    let version = citation.lines().find_map(|line| line.strip_prefix("version: "));
    assert_eq!(version, Some(env!("CARGO_PKG_VERSION")));
    assert!(citation.starts_with("cff-version: 1.2.0\n"), "{citation}");
}

/// As its reader does it, but offline, with the versions that are locked here, and with paths to where this project is.
#[test]
fn the_crate_of_ones_own_is_built_wins_and_writes_its_page() {
    let guide = include_str!("../docs/own-crate.md");
    let (manifest, main) =
        (include_str!("../examples/own/Cargo.toml"), include_str!("../examples/own/src/main.rs"));
    assert!(guide.contains(manifest) && guide.contains(main), "the guide shows the files as they are");
    let folder = tempfile::tempdir().unwrap();
    let here = root().display().to_string().replace('\\', "/");
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("Cargo.toml"), manifest.replace("../sumito", &here)).unwrap();
    fs::write(folder.path().join("src/main.rs"), main).unwrap();
    fs::copy(root().join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_BIN_EXE_sumito")).parent().unwrap().join("own");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(folder.path()).args(["run", "--offline", "--target-dir"]).arg(target);
    cargo.assert().success().stdout(contains("of 10 games against random"));
    let page = fs::read_to_string(folder.path().join("board.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("<p>10 of 10 won.</p>"), "{page}");
}
