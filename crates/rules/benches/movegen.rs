//! How fast moves are counted, listed and played.
//!
//! Notes, from one core of a shared AMD EPYC (Zen 3), `sumito perft --layout belgian-daisy 5` (483,942,012 leaves):
//!
//! * 5.0 instructions per leaf, built for x86-64-v3: callgrind collects 2,419,213,125 at depth 5 and 51,074,261 at
//!   depth 4 (8,270,666 leaves). How to count them is in CONTRIBUTING.md.
//! * 1.6 to 2.0 billion leaves/s with `target-cpu=native`, 1.0 to 1.2 billion with `target-cpu=generic`; 1.95 times
//!   as many with two threads (median of five).
//! * Counting each position by itself instead of in batches: 0.97 billion. A loop over the directions instead of
//!   constants: 0.12 billion. Lanes for the six directions of one position instead of several positions: 0.79.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sumito_rules::{Layout, Position, perft};

fn start(name: &str) -> Position {
    Layout::named(name).expect("a layout").position()
}

fn count_leaves(c: &mut Criterion) {
    let position = start("belgian-daisy");
    let mut group = c.benchmark_group("perft 4, Belgian Daisy");
    group.throughput(Throughput::Elements(perft::count(&position, 4)));
    group.bench_function("one thread", |b| b.iter(|| perft::count(black_box(&position), 4)));
    group.bench_function("two threads", |b| b.iter(|| perft::divide(black_box(&position), 4, 2, &|_, _| {})));
    group.finish();
}

fn single_position(c: &mut Criterion) {
    let position = start("german-daisy");
    let moves = position.legal_moves();
    c.bench_function("list the moves", |b| b.iter(|| black_box(&position).legal_moves().len()));
    c.bench_function("count the moves", |b| b.iter(|| black_box(&position).count_moves()));
    c.bench_function("play every move", |b| {
        b.iter(|| moves.iter().fold(0, |hash, &m| hash ^ black_box(&position).play_unchecked(m).hash()));
    });
    c.bench_function("test every move", |b| {
        b.iter(|| moves.iter().all(|&m| black_box(&position).is_legal(m)));
    });
}

criterion_group!(benches, count_leaves, single_position);
criterion_main!(benches);
