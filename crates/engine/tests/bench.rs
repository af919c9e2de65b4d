//! The engine behaves as `data/bench.txt` says: the node counts of the bench, on any machine and in any build.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use sumito_engine::bench;
use sumito_engine::network::Network;

/// The deepest that a build with debug assertions looks, to be done within seconds.
const DEBUG_DEPTH: u32 = 7;

/// Set to write down what was found instead of comparing it.
const UPDATE: &str = "BENCH_UPDATE";

const ADVICE: &str = "\
If the engine is not meant to play differently, this is a mistake: find it. If it is, run
    BENCH_UPDATE=1 cargo test --release -p sumito-engine --test bench
which writes data/bench.txt anew, commit that file with the change, and end the commit's message with 'Bench: N', N
being the number that `sumito bench` prints. If only some builds differ, then something depends on the build: a CPU
feature, an overflow.";

/// The lines of the file: a comment as it stands, or a depth and its nodes.
fn lines(text: &str) -> impl Iterator<Item = Result<(u32, u64), &str>> {
    text.lines().map(|line| {
        let numbers =
            line.split_once(' ').and_then(|(depth, nodes)| Some((depth.parse().ok()?, nodes.parse().ok()?)));
        numbers.ok_or(line)
    })
}

#[test]
fn the_bench_looks_at_as_many_nodes_as_written_down() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/bench.txt");
    let text = fs::read_to_string(&path).expect("data/bench.txt");
    let network = Network::shipped();
    let update = std::env::var_os(UPDATE).is_some();
    let (mut new, mut compared, mut wrong) = (String::new(), 0, String::new());
    for line in lines(&text) {
        match line {
            Ok((depth, nodes)) if update || !cfg!(debug_assertions) || depth <= DEBUG_DEPTH => {
                let found = bench(depth, Some(&network)).nodes;
                compared += 1;
                if found != nodes {
                    writeln!(wrong, "bench {depth}: {nodes} nodes in data/bench.txt, {found} found")
                        .expect("a string");
                }
                writeln!(new, "{depth} {found}").expect("a string");
            }
            Ok((depth, nodes)) => writeln!(new, "{depth} {nodes}").expect("a string"),
            Err(comment) => writeln!(new, "{comment}").expect("a string"),
        }
    }
    if update {
        fs::write(&path, new).expect("data/bench.txt can be written");
        return;
    }
    assert!(compared > 0, "data/bench.txt: expected lines with a depth and a number of nodes");
    assert!(wrong.is_empty(), "\n{wrong}{ADVICE}");
}
