//! What the hand-written evaluation costs, along a line of play.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sumito_engine::eval;
use sumito_rules::{Layout, Position};

/// A line of play with moves of all kinds.
fn line() -> Vec<Position> {
    let mut positions = vec![Layout::named("belgian-daisy").expect("a layout").position()];
    for i in 0..63usize {
        let position = positions[i];
        let moves = position.legal_moves();
        positions.push(position.play_unchecked(moves[(i + 1) * 7919 % moves.len()]));
    }
    positions
}

fn evaluate(c: &mut Criterion) {
    let line = line();
    let mut group = c.benchmark_group("evaluate");
    group.throughput(Throughput::Elements(line.len() as u64));
    group.bench_function("hand-written", |b| {
        b.iter(|| line.iter().fold(0, |sum, position| sum + eval::evaluate(black_box(position))));
    });
    group.finish();
}

criterion_group!(benches, evaluate);
criterion_main!(benches);
