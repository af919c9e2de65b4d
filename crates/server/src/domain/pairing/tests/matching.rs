//! The matching against every possibility tried, and against networkx.

use std::fmt::Write as _;

use crate::domain::pairing::lot::Lot;
use crate::domain::pairing::matching::Graph;
use crate::domain::pairing::weight::Weight;

type Edges = Vec<Vec<Option<i64>>>;

/// A random graph: how dense, and how many different weights, is drawn, too. Few weights make many ties and many blossoms.
fn random(lot: &mut Lot, vertices: usize) -> Edges {
    let (density, weights) = (1 + lot.below(100), [1, 3, 10, 1000][lot.below(4) as usize]);
    let mut edges = vec![vec![None; vertices]; vertices];
    for a in 0..vertices {
        for b in a + 1..vertices {
            if lot.below(100) < density {
                let weight = 1 + lot.below(weights) as i64;
                edges[a][b] = Some(weight);
                edges[b][a] = Some(weight);
            }
        }
    }
    edges
}

/// The weight of our matching, after a check that it is one.
fn ours(edges: &Edges, maximal: bool) -> (usize, i64) {
    let n = edges.len();
    let graph = Graph::new(n, |a, b| edges[a][b].map(|weight| Weight([i64::from(maximal), weight])));
    let mate = graph.heaviest_matching();
    let (mut pairs, mut weight) = (0, 0);
    for (a, b) in mate.iter().enumerate().filter_map(|(a, b)| b.map(|b| (a, b))) {
        assert_eq!(mate[b], Some(a), "partners know each other");
        if a < b {
            (pairs, weight) = (pairs + 1, weight + edges[a][b].expect("matched along an edge"));
        }
    }
    (pairs, weight)
}

/// Every matching tried: (most pairs, then weight) or the weight alone.
fn brute(edges: &Edges, free: u32, maximal: bool) -> (usize, i64) {
    if free == 0 {
        return (0, 0);
    }
    let a = free.trailing_zeros() as usize;
    let rest = free & !(1 << a);
    let key = |it: &(usize, i64)| if maximal { (it.0, it.1) } else { (0, it.1) };
    let mut best = brute(edges, rest, maximal);
    for b in (a + 1..edges.len()).filter(|b| rest & 1 << b != 0) {
        if let Some(weight) = edges[a][b] {
            let (pairs, sum) = brute(edges, rest & !(1 << b), maximal);
            best = std::cmp::max_by_key(best, (pairs + 1, sum + weight), key);
        }
    }
    best
}

#[test]
fn equals_every_possibility_tried() {
    let mut lot = Lot::new(1);
    for round in 0..6000 {
        let vertices = 1 + lot.below(10) as usize;
        let edges = random(&mut lot, vertices);
        let all = (1 << vertices) - 1;
        assert_eq!(ours(&edges, false).1, brute(&edges, all, false).1, "graph {round}: {edges:?}");
        assert_eq!(ours(&edges, true), brute(&edges, all, true), "graph {round}: {edges:?}");
    }
}

/// 100 graphs of 50 vertices and what we make of them, for networkx.
pub(super) fn graphs() -> String {
    let mut lot = Lot::new(3);
    let mut text = String::new();
    for _ in 0..100 {
        let edges = random(&mut lot, 50);
        let (_, weight) = ours(&edges, false);
        let (pairs, most) = ours(&edges, true);
        write!(text, "{weight} {pairs} {most}").expect("a string takes all");
        for (a, row) in edges.iter().enumerate() {
            for (b, weight) in row.iter().enumerate().skip(a + 1) {
                if let Some(weight) = weight {
                    write!(text, " {a},{b},{weight}").expect("a string takes all");
                }
            }
        }
        text.push('\n');
    }
    text
}
