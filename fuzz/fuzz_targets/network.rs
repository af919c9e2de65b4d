//! Network files. Either any bytes, or the fields of a network with a checksum that fits whatever they are. What is
//! read is written the same, and its values along a line of moves are those computed anew.
#![no_main]

use sumito_engine::network::{Accumulators, Inputs, MAX_VALUE, Network, SCORES, Weights};
use sumito_fuzz::{Choices, fnv, fuzz_target};
use sumito_rules::{Layout, Position};

/// A network whose numbers the bytes decide: small ones mostly, since others are refused as a whole.
fn weights(choices: &mut Choices<'_>) -> Weights {
    let kinds = ["cells", "cells+scores+clock", "cells+turned", "cells+lines3+turned"];
    let inputs: Inputs = choices.pick(&kinds).parse().expect("inputs");
    let width = [16, 32, 48, 64][choices.below(4)];
    let count = 1 + choices.below(3);
    let buckets = std::array::from_fn(|own| std::array::from_fn(|enemy| ((own + enemy) % count) as u8));
    let pattern: Vec<i16> = (0..32).map(|_| i16::from(choices.byte() as i8)).collect();
    let fill = |length: usize| pattern.iter().copied().cycle().take(length).collect::<Vec<i16>>();
    let mut weights = Weights {
        inputs,
        width,
        scale: 1 + u32::from(choices.short()) % 10_000,
        buckets,
        input: fill(inputs.len() * width),
        input_bias: fill(width),
        output: fill(count * 2 * width),
        output_bias: (0..count).map(|_| choices.word() as i32).collect(),
    };
    for _ in 0..choices.below(8) {
        let parts = [&mut weights.input, &mut weights.input_bias, &mut weights.output];
        let part = parts.into_iter().nth(choices.below(3)).expect("one of three");
        let place = choices.word() as usize % part.len();
        part[place] = choices.short() as i16;
    }
    weights
}

/// The bytes of a file with some of them changed; the checksum in bytes 28 to 35 is right in the end.
fn file(choices: &mut Choices<'_>) -> Vec<u8> {
    let mut bytes = weights(choices).to_bytes();
    for _ in 0..choices.below(4) {
        match choices.below(4) {
            0 => drop(bytes.pop()),
            1 => bytes.push(choices.byte()),
            2 => bytes[8 + choices.below(20)] = choices.byte(),
            _ => bytes[36 + choices.below(SCORES * SCORES)] = choices.byte(),
        }
    }
    let sum = fnv(&[&bytes[..28], &bytes[36..]]);
    bytes[28..36].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn walk(network: &Network, choices: &mut Choices<'_>) {
    let mut position: Position = Layout::all()[choices.below(Layout::all().len())].position();
    let mut accumulators = Accumulators::new(network, 8);
    for ply in 0..8 {
        let plies_left = Some(u32::from(choices.byte())).filter(|left| *left < 200);
        let fresh = network.evaluate(&position, plies_left);
        assert!(fresh.abs() <= MAX_VALUE);
        assert_eq!(accumulators.evaluate(network, ply, &position, plies_left), fresh, "{position}");
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        position = position.play_unchecked(*choices.pick(&moves));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let file = if choices.byte() % 8 == 0 { choices.0.to_vec() } else { file(&mut choices) };
    let Ok(weights) = Weights::from_bytes(&file) else { return };
    weights.check().expect("checked when read");
    assert_eq!(Weights::from_bytes(&weights.to_bytes()), Ok(weights.clone()));
    walk(&Network::new(&weights).expect("checked"), &mut choices);
});
