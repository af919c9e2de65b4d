//! What the network costs: a value along a line of play, from the ply before and from nothing.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sumito_engine::network::{Accumulators, Inputs, Network, SCORES, Weights};
use sumito_rules::{Layout, Position};

/// A network of weights without meaning; the time does not depend on them.
fn network(inputs: &str, width: usize) -> Network {
    let inputs: Inputs = inputs.parse().expect("known inputs");
    let draw = |count: usize, most: usize| (0..count).map(|i| (i * 7919 % most) as i16).collect();
    let weights = Weights {
        inputs,
        width,
        scale: 400,
        buckets: [[0; SCORES]; SCORES],
        input: draw(inputs.len() * width, 60),
        input_bias: draw(width, 50),
        output: draw(2 * width, 100),
        output_bias: vec![0],
    };
    Network::new(&weights).expect("weights that fit")
}

/// A line of play with moves of all kinds.
fn line(step: usize) -> Vec<Position> {
    let mut positions = vec![Layout::named("belgian-daisy").expect("a layout").position()];
    for i in 0..63usize {
        let position = positions[i];
        let moves = position.legal_moves();
        positions.push(position.play_unchecked(moves[(i + 1) * step % moves.len()]));
    }
    positions
}

fn evaluate(c: &mut Criterion) {
    // By turns, as the stack would notice that it has seen a position at its ply before.
    let lines = [line(7919), line(104_729)];
    let mut group = c.benchmark_group("evaluate");
    let plies = lines[0].len();
    group.throughput(Throughput::Elements(2 * plies as u64));
    for (inputs, width) in [
        ("cells", 64),
        ("cells", 128),
        ("cells", 256),
        ("cells", 512),
        ("cells+scores+clock", 128),
        ("cells+lines3", 64),
        ("cells+lines3", 128),
        ("cells+lines4", 64),
    ] {
        let network = network(inputs, width);
        let mut stack = Accumulators::new(&network, plies);
        group.bench_function(format!("{inputs} {width}, incremental"), |b| {
            b.iter(|| {
                lines.iter().flat_map(|line| line.iter().enumerate()).fold(0, |sum, (ply, position)| {
                    sum + stack.evaluate(&network, ply, black_box(position), None)
                })
            });
        });
        group.bench_function(format!("{inputs} {width}, fresh"), |b| {
            b.iter(|| {
                lines
                    .iter()
                    .flatten()
                    .fold(0, |sum, position| sum + network.evaluate(black_box(position), None))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, evaluate);
criterion_main!(benches);
