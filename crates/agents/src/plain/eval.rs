//! The static evaluations to choose from: those of the documents, and the flagship's two.

use sumito_engine::network::Network;

use crate::agent::Evaluation;
use crate::greedy::evaluations;
use crate::maastricht;

/// A unit of an evaluation as the search counts it.
pub(super) const UNIT: i32 = 256;

/// Their names; the first is the default.
pub(super) const NAMES: &[&str] = &[
    "aba-pro",
    "verloop",
    "maastricht-neutral",
    "maastricht-offensive",
    "maastricht-defensive",
    "maastricht-evolved",
    "bcit-jason",
    "bcit-rongyi",
    "bcit-david",
    "bcit-sam",
    "bcit-jeff",
    "cornell",
    "cornell-td",
    "hand",
    "network",
];

/// One set of weights for all states of the board, found by the genetic algorithm of Detry et al. 2023:
/// `experiments/logs/evolve`.
const EVOLVED: maastricht::Set = [7.3812, 2.8281, 9.612, 3.8629, 235.43, 849.2];

/// The evaluation with one of the names, for a player, whoever is to move.
pub(super) fn evaluation(name: &str) -> Evaluation {
    match name {
        "maastricht-evolved" => maastricht::constant(EVOLVED),
        "hand" => {
            Box::new(|position, color| f64::from(sumito_engine::eval::evaluate(&position.with_turn(color))))
        }
        "network" => {
            let network = Network::shipped();
            Box::new(move |position, color| f64::from(network.evaluate(&position.with_turn(color), None)))
        }
        _ => {
            let (_, make) = evaluations().find(|(known, _)| *known == name).expect("a name of the list");
            make()
        }
    }
}
