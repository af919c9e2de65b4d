//! The TD-learning agent at play: the move after which its network likes its own side best.

use sumito_rules::{Game, Move, Position, Rules};

use super::encoding::Encoding;
use super::network::{HIDDEN, Network};
use super::{SOURCE, shipped};
use crate::agent::{Agent, AgentError, Info, Limits, Listener, Score};
use crate::entry::Entry;
use crate::options::{OptionSpec, Options, file, float, int};
use crate::seed::{GameRng, Seed};
use crate::watch::Watch;

pub(crate) static ENTRY: Entry = Entry {
    name: "cornell-td",
    summary: "greedy one-ply player of a small network, which learned by self-play (TD-learning)",
    source: SOURCE,
    options: OPTIONS,
    build: |name, options| Ok(Box::new(Td::new(name, options)?)),
};

/// The seed when none is given.
const DEFAULT_SEED: u64 = 1;
/// What `weights` says for a network that has not learned anything.
const UNTRAINED: &str = "untrained";

static OPTIONS: &[OptionSpec] = &[
    file(
        "weights",
        &["german-daisy", "standard", "the-wall", "snakes", "alien-attack", UNTRAINED],
        "a layout that a network comes for (german-daisy, standard, the-wall, snakes, alien-attack), untrained, or a \
         file of `sumito learn`; by default the network of the game's layout, else the German Daisy's",
    ),
    int("hidden", HIDDEN as i64, (1, Network::MAX_HIDDEN as i64), "hidden nodes if weights=untrained"),
    float("epsilon", 0.0, (0.0, 1.0), "chance of a random move; the document trained with 0.1 to 0.01"),
    int("seed", DEFAULT_SEED as i64, (0, i64::MAX), "seed of an untrained network and of random moves"),
];

/// The document's TD-learning player after its training, by default with the network that learned on the layout of
/// the game. One ply is its whole search, so limits matter only when they are too tight even for that: then it plays
/// the best of the moves that it has looked at.
struct Td {
    name: String,
    /// None if each game has the one of its layout.
    network: Option<Network>,
    /// The seed of a network that has not learned anything.
    untrained: Option<Seed>,
    /// How the last game started, and the network that came for it: looking for it costs as much as a move.
    game: Option<(Position, &'static Network)>,
    epsilon: f64,
    rng: GameRng,
}

impl Td {
    fn new(name: &str, options: &Options) -> Result<Td, String> {
        let seed = options.seed();
        let network = match options.text("weights") {
            "" => None,
            UNTRAINED => Some(Network::new(Encoding::default(), options.int("hidden") as usize, seed.value)),
            text => Some(match shipped::named(text) {
                Some(network) => network.clone(),
                None => Network::load(text).map_err(|why| why.to_string())?,
            }),
        };
        Ok(Td {
            name: name.to_string(),
            network,
            untrained: (options.text("weights") == UNTRAINED).then_some(seed),
            game: None,
            epsilon: options.float("epsilon"),
            rng: GameRng::new(seed),
        })
    }

    /// The network for a game that started like this.
    fn network(&mut self, start: &Position) -> &Network {
        if let Some(network) = &self.network {
            return network;
        }
        let known = self.game.filter(|(known, _)| known == start);
        let (_, network) = *self.game.insert(known.unwrap_or_else(|| (*start, shipped::network_for(start))));
        network
    }
}

/// The first of the moves that a network likes best, and its value, among those looked at until a stop.
pub fn greedy(
    network: &Network,
    position: &Position,
    moves: &[Move],
    mut is_stopped: impl FnMut() -> bool,
) -> Option<(Move, f64)> {
    let mut best: Option<(Move, f64)> = None;
    for &m in moves {
        let value = network.judge(&position.play_unchecked(m), position.turn());
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((m, value));
        }
        if is_stopped() {
            break;
        }
    }
    best
}

impl Agent for Td {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules, seed: Option<u64>) {
        self.rng.begin(seed);
        if let (Some(network), Some(own), Some(seed)) = (&mut self.network, self.untrained, seed) {
            *network = Network::new(Encoding::default(), network.hidden(), own.in_game(seed));
        }
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        let mut watch = Watch::new(limits, None, game.turn());
        let moves = game.legal_moves();
        if self.epsilon > 0.0 && self.rng.unit() < self.epsilon {
            return self.rng.pick(&moves).ok_or(AgentError::NoMove);
        }
        let network = self.network(game.start());
        let best = greedy(network, game.position(), &moves, || watch.tick());
        let (m, value) = best.ok_or(AgentError::NoMove)?;
        if !watch.expired() {
            report(&Info {
                depth: 1,
                nodes: watch.nodes(),
                time: watch.elapsed(),
                score: Some(Score::Value(value)),
                line: vec![m],
                ..Info::default()
            });
        }
        Ok(m)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use sumito_rules::Layout;

    use super::*;
    use crate::spec::{build, resolve};
    use crate::testing;

    fn agent(spec: &str) -> Td {
        Td::new(spec, &resolve(spec).expect("a spec").1).expect("an agent")
    }

    fn choose(agent: &mut Td, position: Position, limits: &Limits) -> (Move, Vec<Info>) {
        let (game, mut infos) = (Game::new(Rules::CORNELL, position), Vec::new());
        let m = agent.choose(&game, limits, &mut |info| infos.push(info.clone())).expect("a move");
        (m, infos)
    }

    #[test]
    fn no_move_leads_to_a_higher_value_than_the_one_played() {
        let mut agent = agent("cornell-td");
        for position in testing::positions() {
            let (played, infos) = choose(&mut agent, position, &Limits::default());
            let network = agent.network(&position).clone();
            let value = |m| network.judge(&position.play_unchecked(m), position.turn());
            let moves = position.legal_moves();
            assert!(moves.into_iter().all(|m| value(m) <= value(played)));
            assert_eq!(infos[0].score, Some(Score::Value(value(played))));
        }
    }

    #[test]
    fn the_same_seed_plays_the_same_moves() {
        let [mut one, mut two] =
            [agent("cornell-td:epsilon=0.5,seed=4"), agent("cornell-td:epsilon=0.5,seed=4")];
        for position in testing::positions() {
            let limits = Limits::default();
            assert_eq!(choose(&mut one, position, &limits).0, choose(&mut two, position, &limits).0);
        }
    }

    #[test]
    fn epsilon_is_the_share_of_random_moves() {
        let mut agent = agent("cornell-td:epsilon=0.25,weights=untrained,hidden=1");
        let position = testing::positions()[0];
        let greedy = |_: &u32| !choose(&mut agent, position, &Limits::default()).1.is_empty();
        // 2,000 choices: 1,500 expected, standard deviation 19.
        let count = (0..2_000).filter(greedy).count();
        assert!((1_400..1_600).contains(&count), "{count} of 2000 moves were greedy");
    }

    #[test]
    fn hidden_sets_the_size_of_an_untrained_network() {
        let untrained = |options: &str| agent(&format!("cornell-td:weights=untrained{options}")).network;
        assert_eq!(untrained(",hidden=64"), Some(Network::new(Encoding::default(), 64, 1)));
        assert_eq!(untrained(",seed=3"), Some(Network::new(Encoding::default(), 16, 3)));
    }

    #[test]
    fn a_layout_names_its_network_in_any_game() {
        for name in shipped::names() {
            let mut agent = agent(&format!("cornell-td:weights={name}"));
            assert_eq!(Some(agent.network(&testing::positions()[0])), shipped::named(name), "{name}");
        }
    }

    #[test]
    fn the_network_is_that_of_the_games_start_and_not_of_the_position() {
        let mut agent = agent("cornell-td");
        for name in shipped::names() {
            let start = Layout::named(name).expect("a layout").position();
            let mut game = Game::new(Rules::CORNELL, start);
            game.play(game.legal_moves()[0]).expect("a legal move");
            let mut score = None;
            let m = agent.choose(&game, &Limits::default(), &mut |info| score = info.score).expect("a move");
            let after = game.position().play_unchecked(m);
            let value = shipped::named(name).expect("a network").judge(&after, game.turn());
            assert_eq!(score, Some(Score::Value(value)), "{name}");
        }
    }

    #[test]
    fn weights_are_read_from_a_file_that_brings_its_own_shape() {
        let path = std::env::temp_dir().join(format!("sumito-{}-weights", std::process::id()));
        let network = Network::new(Encoding::default(), 32, 11);
        network.save(&path).expect("a writable folder");
        let loaded = agent(&format!("cornell-td:weights={}", path.display())).network;
        fs::remove_file(&path).expect("the file just written");
        assert_eq!(loaded, Some(network));
    }

    #[test]
    fn a_missing_file_is_an_error_that_names_it() {
        let error = build("cornell-td:weights=/no/such/file").err().expect("no such file");
        assert!(error.to_string().contains("/no/such/file"), "{error}");
    }

    #[test]
    fn one_node_is_enough_for_a_legal_move() {
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        for position in testing::positions() {
            let (m, infos) = choose(&mut agent("cornell-td"), position, &limits);
            assert!(position.is_legal(m) && infos.is_empty());
        }
    }

    #[test]
    fn one_millisecond_is_enough_for_a_legal_move() {
        let limits = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
        for position in testing::positions() {
            assert!(position.is_legal(
                choose(&mut agent("cornell-td:weights=untrained,hidden=1024"), position, &limits).0
            ));
        }
    }
}
