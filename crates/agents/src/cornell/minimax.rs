//! The minimax agent: options, limits, and what it remembers during a game.

use sumito_rules::{Game, Move, Rules};

use super::SOURCE;
use super::presort::Weights;
use super::pruning::{Cutoffs, Percentiles, Pruning, View};
use super::search::{Best, Search};
use crate::agent::{Agent, AgentError, Info, Limits, Listener, Score};
use crate::entry::Entry;
use crate::options::{OptionSpec, Options, choice, flag, float, int};
use crate::watch::Watch;

pub(crate) static ENTRY: Entry = Entry {
    name: "cornell",
    summary: "presorted alpha-beta on the difference of scores, pruned at learned percentiles",
    source: SOURCE,
    options: OPTIONS,
    build: |name, options| Ok(Box::new(Minimax::new(name, options))),
};

/// Past the weights of the document's grid, +-0.001, +-1 and +-100.
const WEIGHT: (f64, f64) = (-1000.0, 1000.0);
const PERCENT: (f64, f64) = (0.0, 100.0);

static OPTIONS: &[OptionSpec] = &[
    int("depth", 3, (1, 8), "plies to search; the document speaks of 2 and of 3"),
    float("centre", Weights::DEFAULT.centre, WEIGHT, "presorting: weight of the distances to the centre"),
    float("border", Weights::DEFAULT.border, WEIGHT, "presorting: weight of the marbles on the border"),
    float("push", Weights::DEFAULT.push, WEIGHT, "presorting: weight of a push, counted as 1 or -1"),
    flag("pruning", true, "prune at percentiles of the presorting values of the first four moves"),
    float("floor", Percentiles::DEFAULT.floor, PERCENT, "percentile below which ply 1 is pruned"),
    float("ceiling", Percentiles::DEFAULT.ceiling, PERCENT, "percentile above which ply 2 is pruned"),
    float("step", Percentiles::DEFAULT.step, PERCENT, "by how much both narrow with the next ply"),
    float(
        "power",
        Percentiles::DEFAULT.power,
        (0.0, 10.0),
        "after n plies they have narrowed by step times n to this power",
    ),
    int(
        "refresh",
        0,
        (0, 1000),
        "after so many moves the percentiles are taken anew, of the moves since; 0 for never",
    ),
    choice(
        "view",
        &["marbles", "mover", "root"],
        "whose view the pruning takes: the searching side's marbles, the mover's view, or the searching side's, the enemy's moves negative",
    ),
];

/// The document's minimax player, and with pruning its heuristic minimax player.
///
/// It searches to its fixed depth at once. If time or nodes are limited, it searches to depth 1, 2, ... up
/// to that depth instead and plays the best move of the last depth that it finished; what it learns about
/// pruning then includes the shallower searches. The cutoffs belong to a game: [`Agent::new_game`] makes it
/// learn them anew.
struct Minimax {
    name: String,
    depth: u32,
    view: View,
    prunes: bool,
    cutoffs: Cutoffs,
    pruning: Pruning,
}

impl Minimax {
    fn new(name: &str, options: &Options) -> Minimax {
        let [centre, border, push] = ["centre", "border", "push"].map(|name| options.float(name));
        let [floor, ceiling, step, power] =
            ["floor", "ceiling", "step", "power"].map(|name| options.float(name));
        let (depth, prunes) = (options.int("depth") as u32, options.flag("pruning"));
        Minimax {
            name: name.to_string(),
            depth,
            view: match options.text("view") {
                "mover" => View::Mover,
                "root" => View::Root,
                _ => View::Marbles,
            },
            prunes,
            cutoffs: Cutoffs {
                weights: Weights { centre, border, push },
                percentiles: Percentiles { floor, ceiling, step, power },
                refresh: options.int("refresh") as u32,
                depth,
            },
            pruning: Pruning::new(prunes),
        }
    }
}

impl Agent for Minimax {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules, _: Option<u64>) {
        self.pruning = Pruning::new(self.prunes);
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        if game.outcome().is_some() {
            return Err(AgentError::NoMove);
        }
        let watch = Watch::new(limits, None, game.turn());
        let depth = limits.depth.map_or(self.depth, |depth| depth.clamp(1, self.depth));
        let first = if watch.is_timed() { 1 } else { depth };
        let mut search = Search::new(
            (self.cutoffs.weights, self.view),
            game.rules().marbles_to_win,
            &mut self.pruning,
            watch,
        );
        let mut answer = None;
        for plies in first..=depth {
            let best = search.best(game.position(), plies).ok_or(AgentError::NoMove)?;
            if !best.complete {
                answer = answer.or(Some(best.m));
                break;
            }
            answer = Some(best.m);
            report(&info(&best, plies, search.watch()));
        }
        self.pruning.end_move(&self.cutoffs);
        answer.ok_or(AgentError::NoMove)
    }
}

fn info(best: &Best, depth: u32, watch: &Watch) -> Info {
    Info {
        depth,
        nodes: watch.nodes(),
        time: watch.elapsed(),
        score: Some(Score::Value(f64::from(best.value))),
        line: vec![best.m],
        ..Info::default()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sumito_rules::{Color, Layout, Position};

    use super::*;
    use crate::spec::{build, resolve};
    use crate::testing;
    use sumito_engine::Rng;

    fn agent(spec: &str) -> Minimax {
        Minimax::new(spec, &resolve(spec).expect("a spec").1)
    }

    fn game(position: Position) -> Game {
        Game::new(Rules::CORNELL, position)
    }

    fn daisy() -> Position {
        Layout::named("german-daisy").expect("a layout").position()
    }

    /// The move and the reports of one choice.
    fn choose(agent: &mut dyn Agent, game: &Game, limits: &Limits) -> (Move, Vec<Info>) {
        let mut infos = Vec::new();
        let m = agent.choose(game, limits, &mut |info| infos.push(info.clone())).expect("a move");
        (m, infos)
    }

    /// Plays so many moves of the agent against the first legal move.
    fn play(agent: &mut dyn Agent, game: &mut Game, moves: usize) {
        for _ in 0..moves {
            let (m, _) = choose(agent, game, &Limits::default());
            game.play(m).expect("a legal move");
            game.play(game.legal_moves()[0]).expect("a legal move");
        }
    }

    #[test]
    fn options_set_depth_weights_and_percentiles() {
        let agent = agent(
            "cornell:depth=2,centre=-0.001,border=1,push=0.001,floor=5,ceiling=95,step=1,power=2,refresh=3,view=root",
        );
        assert_eq!((agent.depth, agent.view), (2, View::Root));
        let weights = Weights { centre: -0.001, border: 1.0, push: 0.001 };
        let percentiles = Percentiles { floor: 5.0, ceiling: 95.0, step: 1.0, power: 2.0 };
        assert_eq!(agent.cutoffs, Cutoffs { weights, percentiles, refresh: 3, depth: 2 });
    }

    #[test]
    fn defaults_are_those_of_the_document() {
        let agent = agent("cornell");
        let expected =
            Cutoffs { weights: Weights::DEFAULT, percentiles: Percentiles::DEFAULT, refresh: 0, depth: 3 };
        assert_eq!((agent.depth, agent.prunes, agent.cutoffs), (3, true, expected));
        assert_eq!(agent.view, View::Marbles);
    }

    #[test]
    fn a_depth_out_of_range_is_refused() {
        assert!(build("cornell:depth=0").is_err());
    }

    #[test]
    fn cutoffs_are_set_by_the_fourth_move_and_not_before() {
        let (mut agent, mut game) = (agent("cornell:depth=2"), game(daisy()));
        play(&mut agent, &mut game, 3);
        assert!(matches!(&agent.pruning, Pruning::Learning(notes) if notes.moves == 3));
        play(&mut agent, &mut game, 1);
        assert!(matches!(agent.pruning, Pruning::On { next: None, .. }));
    }

    #[test]
    fn a_new_game_forgets_the_cutoffs() {
        let mut agent = agent("cornell:depth=2");
        play(&mut agent, &mut game(daisy()), 4);
        agent.new_game(&Rules::CORNELL, None);
        assert!(matches!(&agent.pruning, Pruning::Learning(notes) if notes.moves == 0));
    }

    #[test]
    fn pruning_off_stays_off() {
        let mut agent = agent("cornell:depth=2,pruning=off");
        play(&mut agent, &mut game(daisy()), 5);
        assert!(matches!(agent.pruning, Pruning::Off));
    }

    #[test]
    fn pruning_visits_fewer_nodes() {
        let nodes = |spec| {
            let (mut agent, mut game) = (agent(spec), game(daisy()));
            play(&mut agent, &mut game, 4);
            let visited = |position| choose(&mut agent, &self::game(position), &Limits::default()).1[0].nodes;
            testing::positions().into_iter().map(visited).sum::<u64>()
        };
        let (plain, pruned) = (nodes("cornell:pruning=off"), nodes("cornell"));
        assert!(pruned < plain, "{pruned} nodes with pruning, {plain} without");
    }

    #[test]
    fn it_beats_a_random_player_with_and_without_pruning() {
        // As in section 3.2: every game won, few marbles lost.
        for (spec, seed) in [("cornell", 1), ("cornell", 2), ("cornell:pruning=off", 3)] {
            let (mut agent, mut rng, mut game) = (agent(spec), Rng::new(seed), game(daisy()));
            while game.outcome().is_none() {
                let m = match game.turn() {
                    Color::Black => choose(&mut agent, &game, &Limits::default()).0,
                    Color::White => rng.pick(&game.legal_moves()).expect("the game is not over"),
                };
                game.play(m).expect("a legal move");
            }
            assert_eq!(game.outcome().and_then(|outcome| outcome.winner), Some(Color::Black));
        }
    }

    #[test]
    fn one_millisecond_is_enough_for_a_legal_move() {
        let limits = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
        for position in testing::positions() {
            let (m, _) = choose(&mut agent("cornell:depth=8"), &game(position), &limits);
            assert!(position.is_legal(m));
        }
    }

    #[test]
    fn one_node_is_enough_for_a_legal_move() {
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        for position in testing::positions() {
            let (m, infos) = choose(&mut agent("cornell"), &game(position), &limits);
            assert!(position.is_legal(m) && infos.is_empty());
        }
    }

    #[test]
    fn a_node_limit_is_kept_and_the_last_complete_depth_answers() {
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        for position in testing::positions() {
            let (m, infos) = choose(&mut agent("cornell:depth=8"), &game(position), &limits);
            let last = infos.last().expect("depth 1 has fewer nodes than the limit");
            assert!(last.nodes < 2_000 && last.line == [m]);
        }
    }

    #[test]
    fn without_limits_only_the_full_depth_is_reported() {
        let (m, infos) = choose(&mut agent("cornell"), &game(daisy()), &Limits::default());
        assert_eq!((infos.len(), infos[0].depth, &infos[0].line), (1, 3, &vec![m]));
    }

    #[test]
    fn a_limit_on_the_depth_is_kept() {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let (_, infos) = choose(&mut agent("cornell"), &game(daisy()), &limits);
        assert_eq!(infos[0].depth, 1);
    }

    #[test]
    fn a_request_to_stop_is_answered_with_a_legal_move() {
        let limits = Limits { infinite: true, ..Limits::default() };
        limits.stop.request();
        let (m, infos) = choose(&mut agent("cornell:depth=8"), &game(daisy()), &limits);
        assert!(daisy().is_legal(m) && infos.is_empty());
    }
}
