//! How fast moves are counted, listed and played.
//!
//! Notes. `perft 5` of the Belgian Daisy (483,942,012 leaves) on one core of an AMD EPYC (Zen 3), x86-64-v3:
//! see CONTRIBUTING.md for how to count instructions per leaf with callgrind, and the figures.

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
