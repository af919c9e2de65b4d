//! The agents of Lee and Noh, *Abalone: Final Project Report* (Cornell University): `cornell`, a presorted
//! alpha-beta search with pruning by percentiles, and `cornell-td`, a network made for TD-learning.
//!
//! | section | where |
//! | --- | --- |
//! | 2.3 the heuristics of both agents | `heuristics` |
//! | 2.3 what the network sees, 1 and 5 what it might see | `encoding` |
//! | 2.3 presorting, 3.2 weights | `presort` |
//! | 3.2 heuristic alpha-beta: cutoffs by percentiles | `pruning` |
//! | 2.3 minimax on the difference of scores | `search`, `minimax` |
//! | 2.3, 3.1 the network and its one-ply player | `network`, `file`, `td` |
//! | 3.1.1 networks for five layouts | `shipped` |
//!
//! Learning is no part of an agent: [`Network::gradient`] and [`Network::parameters_mut`] are what TD(lambda)
//! needs, and `sumito learn cornell-td` does it.
//!
//! Where the report is open, these readings were chosen:
//! * Depth: section 2.3 says two plies, 3.2 three, with cutoffs for three. Three; `depth=2` gives the other.
//! * A leaf is worth the difference of ejected marbles, and nothing else. A line ends early where the game
//!   does, by enough ejections or for want of a legal move, and is worth the difference then.
//! * Presorting judges the pieces of the side that moves, on the board after its move. Moves of equal value
//!   stay as generated; at the root the first move with the best value is played, so that the heuristics
//!   decide where nothing is won or lost.
//! * The weights are not given, only the grid of values tried: centre -1 and border -1 (both count something
//!   bad) and push 100.
//! * Percentiles are by nearest rank, in one pool of every child that was generated for the agent's first
//!   four moves of a game, both sides' alike. There is no pruning before, and none at a node that would be
//!   left without a child. Beyond the third ply the cutoffs go on by the constant amount of section 3.3.
//! * The cutoffs judge every move, also the enemy's, by the marbles of the side that searches and by whether it pushes: of three views
//!   (`view`) this one comes nearest to "slightly worse" with considerably fewer nodes.
//! * "Nodes" are the positions that the search visits; a child cut off is not one.
//! * The network has 14 inputs, the seven heuristics for the player judged and then for the other; the counts of ejected marbles
//!   are not among them. The text gives the counts as they are; but at its learning rates networks learn nothing from these, so that
//!   inputs are scaled to about [0, 1] unless told otherwise ([`Encoding`]). The output is linear, because
//!   rewards of either sign, stretched by the risk parameter, need not fit into a sigmoid's range.
//! * The player of the network takes the move after which the network likes its own side best, the first of
//!   equals, whether or not the move ends the game.

mod encoding;
mod file;
mod heuristics;
mod minimax;
mod network;
mod presort;
mod pruning;
mod search;
mod shipped;
mod td;

pub use encoding::{Encoding, Features, MAX_INPUTS};
pub use file::NetworkError;
pub use network::Network;
pub use td::greedy;

pub(crate) use minimax::ENTRY as MINIMAX;
pub(crate) use td::ENTRY as TD;

use crate::agent::Named;

/// Both agents' static evaluations by name: the presorting heuristics with their default weights (without
/// push, which belongs to a move), and the network that learned on the German Daisy.
pub(crate) static EVALUATIONS: &[Named] = &[
    ("cornell", || Box::new(|position, color| presort::Weights::DEFAULT.of_marbles(position.marbles(color)))),
    ("cornell-td", || Box::new(|position, color| shipped::default().judge(position, color))),
];

const SOURCE: &str = "B. Lee and H. J. Noh, Abalone: Final Project Report, Cornell University";

#[cfg(test)]
mod tests {
    use sumito_rules::{Color, Layout};

    use super::*;

    #[test]
    fn the_evaluations_are_the_presorting_sum_and_the_default_network() {
        let start = Layout::named("standard").expect("a layout").position();
        let values: Vec<(&str, f64)> =
            EVALUATIONS.iter().map(|(name, make)| (*name, make()(&start, Color::White))).collect();
        // Distances 46 and seven marbles on the border, both counted as -1.
        let network = shipped::default().judge(&start, Color::White);
        assert_eq!(values, [("cornell", -53.0), ("cornell-td", network)]);
    }
}
