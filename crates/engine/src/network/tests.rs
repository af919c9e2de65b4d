//! The network as a whole: incremental equals fresh, all paths agree, and no file does harm.

use sumito_rules::{Layout, Position, Symmetry};

use super::*;

/// Numbers that look random; the same every time.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn within(&mut self, most: i16) -> i16 {
        self.below(2 * most as usize + 1) as i16 - most
    }
}

/// A network of random weights, with a bucket for each score of the mover's.
pub(super) fn random_weights(inputs: &str, width: usize, seed: u64) -> Weights {
    let mut numbers = Numbers(seed);
    let inputs: Inputs = inputs.parse().unwrap();
    let mut draw = |count: usize, most| (0..count).map(|_| numbers.within(most)).collect::<Vec<i16>>();
    Weights {
        inputs,
        width,
        scale: 400,
        buckets: std::array::from_fn(|own| [own.min(5) as u8; SCORES]),
        input: draw(inputs.len() * width, 80),
        input_bias: draw(width, 200),
        output: draw(6 * 2 * width, 127),
        output_bias: draw(6, 3000).into_iter().map(i32::from).collect(),
    }
}

/// The positions of a few random games that do push marbles off.
pub(super) fn random_game(numbers: &mut Numbers, plies: usize) -> Vec<Position> {
    let layouts = Layout::all();
    let mut positions = vec![layouts[numbers.below(layouts.len())].position()];
    for _ in 0..plies {
        let position = positions[positions.len() - 1];
        let moves = position.legal_moves();
        let scored = |position: &Position| position.score(Color::Black) + position.score(Color::White);
        let ejects = moves.iter().copied().find(|&m| scored(&position.play_unchecked(m)) > scored(&position));
        let over = Color::ALL.into_iter().any(|color| position.score(color) >= 6);
        if over || moves.is_empty() {
            break;
        }
        let m = ejects.unwrap_or_else(|| moves[numbers.below(moves.len())]);
        positions.push(position.play_unchecked(m));
    }
    positions
}

pub(super) const ALL_INPUTS: &str = "cells+lines3+lines4+lines5+scores+clock+turned";

#[test]
fn incremental_equals_fresh_along_random_games() {
    let mut numbers = Numbers(7);
    for inputs in ["cells", "cells+turned", "cells+lines4", ALL_INPUTS] {
        let network = Network::new(&random_weights(inputs, 32, 3)).unwrap();
        let mut stack = Accumulators::new(&network, 400);
        for _ in 0..8 {
            let game = random_game(&mut numbers, 350);
            for (ply, position) in game.iter().enumerate() {
                let left = Some(350 - ply as u32);
                let fresh = network.evaluate(position, left);
                assert_eq!(stack.evaluate(&network, ply, position, left), fresh, "{inputs}: {position}");
                // A ply that is evaluated again, and one whose predecessor holds something else.
                assert_eq!(stack.evaluate(&network, ply, position, left), fresh);
                let other = game[numbers.below(game.len())];
                let value = stack.evaluate(&network, ply, &other, None);
                assert_eq!(value, network.evaluate(&other, None));
                stack.evaluate(&network, ply, position, left);
            }
        }
    }
}

#[test]
fn all_paths_give_the_same_values_along_games() {
    let mut numbers = Numbers(5);
    for width in [16, 64, 80, 128, 512] {
        let networks: Vec<Network> = Path::available()
            .into_iter()
            .map(|path| Network {
                path,
                ..Network::new(&random_weights("cells+scores+turned", width, 9)).unwrap()
            })
            .collect();
        let mut stacks: Vec<Accumulators> = networks.iter().map(|n| Accumulators::new(n, 200)).collect();
        for (ply, position) in random_game(&mut numbers, 150).iter().enumerate() {
            let values: Vec<Value> = networks
                .iter()
                .zip(&mut stacks)
                .map(|(network, stack)| stack.evaluate(network, ply, position, None))
                .collect();
            assert!(values.iter().all(|&value| value == values[0]), "width {width}: {values:?}");
        }
    }
}

#[test]
fn the_value_is_that_of_the_formula() {
    let weights = random_weights("cells+scores", 16, 11);
    let network = Network::new(&weights).unwrap();
    for position in random_game(&mut Numbers(2), 200) {
        let mut output = 0;
        let own = usize::from(position.score(position.turn()));
        let bucket = own.min(5);
        for (half, view) in [position.turn(), !position.turn()].into_iter().enumerate() {
            let mut active = Vec::new();
            weights.inputs.active(&Scene::new(&position, None), view, &mut active);
            for value in 0..16 {
                let on =
                    active.iter().map(|&input| i64::from(weights.input[usize::from(input) * 16 + value]));
                let sum = i64::from(weights.input_bias[value]) + on.sum::<i64>();
                let weight = weights.output[(2 * bucket + half) * 16 + value];
                output += sum.clamp(0, 255).pow(2) * i64::from(weight);
            }
        }
        let value = (output / 255 + i64::from(weights.output_bias[bucket])) * 400 / (255 * 64);
        assert_eq!(i64::from(network.evaluate(&position, None)), value);
    }
}

#[test]
fn colours_can_be_swapped() {
    let network = Network::new(&random_weights("cells+lines3+scores", 32, 6)).unwrap();
    for position in random_game(&mut Numbers(8), 200) {
        let swapped = Symmetry::IDENTITY.position(&position).swapped();
        assert_eq!(network.evaluate(&swapped, None), network.evaluate(&position, None));
    }
}

#[test]
fn a_network_that_turns_the_board_gives_all_its_forms_the_same_value() {
    let network = Network::new(&random_weights("cells+scores+turned", 32, 6)).unwrap();
    let mut compared = 0;
    for position in random_game(&mut Numbers(8), 200) {
        // Where the sum of a player's marbles lies on a line between two forms, either may be seen.
        if Color::ALL.into_iter().any(|color| orientation::is_on_a_line(position.marbles(color))) {
            continue;
        }
        let value = network.evaluate(&position, None);
        for symmetry in Symmetry::ALL {
            assert_eq!(network.evaluate(&symmetry.position(&position), None), value, "{position}");
        }
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn a_file_reads_back_as_it_was_written() {
    for inputs in ["cells", ALL_INPUTS] {
        let weights = random_weights(inputs, 16, 1);
        assert_eq!(Weights::from_bytes(&weights.to_bytes()), Ok(weights));
    }
}

fn error(bytes: &[u8]) -> String {
    Network::from_bytes(bytes).expect_err("a broken file").to_string()
}

#[test]
fn a_file_cut_short_or_too_long_is_an_error() {
    let mut bytes = random_weights("cells", 16, 1).to_bytes();
    for length in 0..bytes.len() {
        assert!(Network::from_bytes(&bytes[..length]).is_err());
    }
    let whole = bytes.len();
    assert!(error(&bytes[..100]).ends_with(&format!("expected {whole} bytes, found 100")));
    bytes.push(0);
    assert!(error(&bytes).ends_with(&format!("expected {whole} bytes, found {}", whole + 1)));
}

#[test]
fn a_file_with_one_byte_changed_is_an_error() {
    let bytes = random_weights("cells", 16, 1).to_bytes();
    for at in 0..bytes.len() {
        let mut broken = bytes.clone();
        broken[at] ^= 1 << (at % 8);
        assert!(Network::from_bytes(&broken).is_err(), "byte {at}");
    }
}

#[test]
fn errors_say_what_was_expected() {
    let bytes = random_weights("cells", 16, 1).to_bytes();
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        error(&bytes)
    };
    assert!(error(b"PNG").contains("begins with 'sumitonn', found 'PNG'"));
    assert!(with(8, 2).contains("version 1 of the format, found 2"));
    assert!(with(12, 64).contains("groups of inputs below 0b1000000, found 0b1000000"));
    assert!(with(16, 17).contains("a multiple of 16 up to 1024, found 17"));
    assert!(with(20, 0).contains("1 to 49 buckets, found 0"));
    assert!(with(24, 0).contains("expected") && with(30, 0).contains("checksum"));
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let mut weights = random_weights("cells", 16, 1);
    weights.output[3] = -128;
    assert_eq!(weights.check(), Err(NetworkError::OutputWeight(-128)));
    assert_eq!(Weights::from_bytes(&weights.to_bytes()), Err(NetworkError::OutputWeight(-128)));
    let mut weights = random_weights("cells", 16, 1);
    (0..14).for_each(|cell| weights.input[cell * 16 + 2] = -2400);
    assert!(matches!(weights.check(), Err(NetworkError::Overflow { value: 2, .. })));
    weights.input.pop();
    assert!(
        weights.check().unwrap_err().to_string().contains("expected 1952 first-layer weights, found 1951")
    );
}
