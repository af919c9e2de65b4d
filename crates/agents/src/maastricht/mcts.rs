//! The agent `maastricht-mcts`: Monte-Carlo tree search (section 5.2).

use std::ops::Range;
use std::time::Duration;

use sumito_engine::Rng;
use sumito_rules::{ByColor, Color, Game, Move, Position, Rules};

use super::eval::{DEFENCE, ENDS, EVAL, EndValue, Evaluator, TENTH, W6, WEIGHTS, WIN};
use super::features::scores;
use super::tree::{Id, Tree};
use crate::agent::{Agent, AgentError, Info, Limits, Listener, Score};
use crate::entry::Entry;
use crate::options::{Options, choice, float, int, memory, time};
use crate::seed::{GameRng, SEED};
use crate::watch::Watch;

pub(crate) static ENTRY: Entry = Entry {
    name: "maastricht-mcts",
    summary: "Monte-Carlo tree search with short random games and the neutral evaluation",
    source: super::SOURCE,
    options: &[
        time("time", "time for a move; 2s if nothing else limits the search"),
        float("c", 2.0, (0.0, 1000.0), "exploration parameter of the UCT score"),
        int("plays", 10, (1, 1000), "random plies in a simulated game"),
        int("samples", 0, (0, 1000), "simulated games for a node; 0: one for each second of the time"),
        choice("scale", &["document", "program"], "weighting function: sqrt(x / 5), or sqrt(x) / 5"),
        choice("opponent", &["max", "min"], "the enemy's moves: selected as one's own, or for its side"),
        choice("expand", &["always", "own"], "simulate at every expansion, or only at the own turn"),
        ENDS,
        EVAL,
        TENTH,
        W6,
        DEFENCE,
        WEIGHTS,
        memory("memory", 64, (1, 4096), 32, "MiB for the tree; when full it is no longer expanded"),
        SEED,
    ],
    build: |name, options| Ok(Box::new(Mcts::new(name, options)?)),
};

/// The shortest of the program's levels.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

#[derive(Clone, Copy)]
struct Settings {
    evaluator: Evaluator,
    ends: EndValue,
    marbles_to_win: u8,
    time: Option<Duration>,
    c: f64,
    plays: u32,
    samples: u32,
    root_of_fifth: bool,
    minimising_opponent: bool,
    always_simulate: bool,
}

struct Mcts {
    name: String,
    settings: Settings,
    tree: Tree,
    rng: GameRng,
}

impl Mcts {
    fn new(name: &str, options: &Options) -> Result<Mcts, String> {
        let settings = Settings {
            evaluator: Evaluator::from_options(options)?,
            ends: EndValue::from_options(options),
            marbles_to_win: 6,
            time: options.time("time"),
            c: options.float("c"),
            plays: options.int("plays") as u32,
            samples: options.int("samples") as u32,
            root_of_fifth: options.text("scale") == "document",
            minimising_opponent: options.text("opponent") == "min",
            always_simulate: options.text("expand") == "always",
        };
        let tree = Tree::new(options.int("memory") as usize);
        Ok(Mcts { name: name.to_string(), settings, tree, rng: GameRng::new(options.seed()) })
    }
}

impl Settings {
    /// The time that the agent sets itself, if any.
    fn own_time(&self, limits: &Limits) -> Option<Duration> {
        let limited = limits.move_time.is_some() || limits.clock.is_some() || limits.nodes.is_some();
        self.time.or((!limited && !limits.infinite).then_some(DEFAULT_TIME))
    }

    /// Simulated games for a node: as asked for, or the time for the move in seconds, rounded up.
    fn samples(&self, time: Option<Duration>) -> u32 {
        match self.samples {
            0 => time.unwrap_or(DEFAULT_TIME).as_secs_f64().ceil().max(1.0) as u32,
            samples => samples,
        }
    }

    fn is_end(&self, position: &Position) -> bool {
        self.ends != EndValue::Ignore && position.score(!position.turn()) >= self.marbles_to_win
    }

    /// What a simulated game came to, for a player.
    fn outcome(&self, end: &Position, player: Color, before: ByColor<u8>) -> f64 {
        if self.ends != EndValue::Win || !self.is_end(end) {
            return self.evaluator.value(end, player, before);
        }
        if end.turn() == player { -WIN } else { WIN }
    }

    /// Section 5.2's weighting of a simulated score against the current one.
    fn weight(&self, simulated: f64, current: f64) -> f64 {
        let difference = simulated - current;
        let weight =
            if self.root_of_fifth { (difference.abs() / 5.0).sqrt() } else { difference.abs().sqrt() / 5.0 };
        if difference < 0.0 { -weight } else { weight }
    }
}

impl Agent for Mcts {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules, seed: Option<u64>) {
        self.rng.begin(seed);
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        let fallback = game.legal_moves().first().copied().ok_or(AgentError::NoMove)?;
        self.settings.marbles_to_win = game.rules().marbles_to_win;
        let watch = Watch::new(limits, self.settings.own_time(limits), game.turn());
        let mut search = Search::new(self, game.position(), watch, limits.depth);
        let mut next_report = 1024;
        loop {
            search.iterate();
            // An iteration takes as long as hundreds of nodes of another search: look at the clock each time.
            if search.watch.tick() || search.watch.look() {
                break;
            }
            if search.watch.nodes() == next_report {
                report(&search.info());
                next_report *= 2;
            }
        }
        let info = search.info();
        report(&info);
        Ok(info.line.first().copied().unwrap_or(fallback))
    }
}

/// A search under way.
struct Search<'a> {
    settings: Settings,
    tree: &'a mut Tree,
    rng: &'a mut Rng,
    root: Position,
    player: Color,
    /// The scores at the root, from which losses count.
    before: ByColor<u8>,
    /// The static value of the root, the "current score".
    current: f64,
    samples: u32,
    watch: Watch,
    /// Nodes so far down are not expanded.
    max_depth: usize,
    /// The nodes from the root to where the iteration is; kept to save its memory.
    path: Vec<Id>,
    deepest: usize,
}

impl<'a> Search<'a> {
    fn new(mcts: &'a mut Mcts, root: &Position, watch: Watch, max_depth: Option<u32>) -> Search<'a> {
        let before = scores(root);
        mcts.tree.clear();
        Search {
            settings: mcts.settings,
            tree: &mut mcts.tree,
            rng: &mut mcts.rng,
            root: *root,
            player: root.turn(),
            before,
            current: mcts.settings.evaluator.value(root, root.turn(), before),
            samples: mcts.settings.samples(watch.left()),
            watch,
            max_depth: max_depth.map_or(usize::MAX, |depth| depth.max(1) as usize),
            path: Vec::new(),
            deepest: 0,
        }
    }

    /// Selection, expansion, simulation and back-propagation.
    fn iterate(&mut self) {
        let mut position = self.root;
        let mut node = Tree::ROOT;
        self.path.clear();
        self.path.push(node);
        while let Some(child) = self.select(node, position.turn() == self.player) {
            node = self.descend(&mut position, child);
        }
        let own_turn = position.turn() == self.player;
        if let Some(children) = self.expand(node, &position) {
            if !own_turn && !self.settings.always_simulate {
                return;
            }
            let chosen = children.start + self.rng.below(children.len()) as Id;
            self.descend(&mut position, chosen);
        }
        self.deepest = self.deepest.max(self.path.len() - 1);
        if let Some(score) = self.simulate(&position) {
            self.tree.back_propagate(&self.path, score);
        }
    }

    fn expand(&mut self, node: Id, position: &Position) -> Option<Range<Id>> {
        if self.path.len() > self.max_depth || self.settings.is_end(position) {
            return None;
        }
        self.tree.expand(node, position)
    }

    fn descend(&mut self, position: &mut Position, child: Id) -> Id {
        let m = self.tree.node(child).m.expect("only the root has no move");
        *position = position.play_unchecked(m);
        self.path.push(child);
        child
    }

    /// The child with the highest UCT score, the first of several; an unvisited one is above all. `None` at
    /// a leaf.
    fn select(&self, parent: Id, own_turn: bool) -> Option<Id> {
        let sign = if !own_turn && self.settings.minimising_opponent { -1.0 } else { 1.0 };
        let log = f64::from(self.tree.node(parent).visits).ln();
        let mut best = None;
        let mut highest = f64::NEG_INFINITY;
        for (id, node) in self.tree.children(parent) {
            if node.visits == 0 {
                return Some(id);
            }
            let uct = sign * node.mean() + self.settings.c * (log / f64::from(node.visits)).sqrt();
            if best.is_none() || uct > highest {
                (best, highest) = (Some(id), uct);
            }
        }
        best
    }

    /// The sum of the weighted scores of the simulated games from a position. `None` if time runs out
    /// before the last of them.
    fn simulate(&mut self, position: &Position) -> Option<f64> {
        let mut sum = 0.0;
        for sample in 0..self.samples {
            if sample > 0 && self.watch.look() {
                return None;
            }
            let end = self.play_out(*position);
            let simulated = self.settings.outcome(&end, self.player, self.before);
            sum += self.settings.weight(simulated, self.current);
        }
        Some(sum)
    }

    /// Random plies, until the end of the game if the search knows of it.
    fn play_out(&mut self, mut position: Position) -> Position {
        for _ in 0..self.settings.plays {
            if self.settings.is_end(&position) {
                break;
            }
            let Some(m) = self.rng.pick(&position.legal_moves()) else { break };
            position = position.play_unchecked(m);
        }
        position
    }

    fn info(&self) -> Info {
        let best = self.tree.most_visited(Tree::ROOT).filter(|(_, node)| node.visits > 0);
        Info {
            depth: self.deepest as u32,
            nodes: self.watch.nodes(),
            time: self.watch.elapsed(),
            score: best.map(|(_, node)| Score::Value(node.mean())),
            line: self.tree.line(),
            ..Info::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Layout, fen};

    use super::super::tree::Node;
    use super::*;
    use crate::spec;

    fn mcts(options: &[(&str, &str)]) -> Mcts {
        let mut values = Options::defaults(ENTRY.options);
        for (name, value) in options {
            values.set(name, value).expect("a valid option");
        }
        Mcts::new("test", &values).expect("valid options")
    }

    fn start() -> Position {
        Layout::named("belgian-daisy").expect("a layout").position()
    }

    fn unlimited() -> Watch {
        Watch::new(&Limits::default(), None, Color::Black)
    }

    fn after(mcts: &mut Mcts, iterations: usize, depth: Option<u32>) -> Search<'_> {
        let mut search = Search::new(mcts, &start(), unlimited(), depth);
        (0..iterations).for_each(|_| search.iterate());
        search
    }

    #[test]
    fn the_weighting_functions_by_hand() {
        // sqrt(20 / 5) = 2 in the document; sqrt(25) / 5 = 1 in the program; the sign says who gained.
        let document = mcts(&[]).settings;
        assert_eq!([document.weight(23.0, 3.0), document.weight(3.0, 23.0)], [2.0, -2.0]);
        let program = mcts(&[("scale", "program")]).settings;
        assert_eq!([program.weight(28.0, 3.0), program.weight(3.0, 28.0)], [1.0, -1.0]);
    }

    #[test]
    fn there_is_a_sample_for_each_second_rounded_up() {
        let settings = mcts(&[]).settings;
        let seconds = |time: f64| settings.samples(Some(Duration::from_secs_f64(time)));
        assert_eq!([seconds(0.001), seconds(1.997), seconds(9.997)], [1, 2, 10]);
        assert_eq!(settings.samples(None), 2);
        assert_eq!(mcts(&[("samples", "7")]).settings.samples(Some(Duration::from_secs(3))), 7);
    }

    #[test]
    fn the_default_time_applies_only_without_another_limit() {
        let settings = mcts(&[]).settings;
        assert_eq!(settings.own_time(&Limits::default()), Some(DEFAULT_TIME));
        assert_eq!(settings.own_time(&Limits { depth: Some(2), ..Limits::default() }), Some(DEFAULT_TIME));
        assert_eq!(settings.own_time(&Limits { nodes: Some(9), ..Limits::default() }), None);
    }

    #[test]
    fn every_move_of_the_root_is_visited_before_one_is_visited_often() {
        let mut mcts = mcts(&[]);
        // The first iteration expands the root; the 52 after it visit the rest, one perhaps twice.
        let search = after(&mut mcts, 53, None);
        assert!(search.tree.children(Tree::ROOT).all(|(_, node)| (1..=2).contains(&node.visits)));
    }

    #[test]
    fn a_node_has_the_visits_and_scores_of_its_children_and_its_own() {
        let mut mcts = mcts(&[]);
        let search = after(&mut mcts, 500, None);
        let children: Vec<_> = search.tree.children(Tree::ROOT).map(|(_, node)| node).collect();
        assert_eq!(children.iter().map(|node| node.visits).sum::<u32>(), 500);
        let sum: f64 = children.iter().map(|node| node.score).sum();
        assert!((sum - search.tree.node(Tree::ROOT).score).abs() < 1e-6);
    }

    #[test]
    fn at_the_opponents_turn_the_programs_expansion_is_not_simulated() {
        let mut mcts = mcts(&[("expand", "own")]);
        let mut search = after(&mut mcts, 1, None);
        assert_eq!(search.tree.node(Tree::ROOT).visits, 1);
        // The second iteration expands a reply's parent and stops there; the third goes on below it.
        search.iterate();
        assert_eq!(search.tree.node(Tree::ROOT).visits, 1);
        search.iterate();
        assert_eq!((search.tree.node(Tree::ROOT).visits, search.deepest), (2, 3));
    }

    #[test]
    fn a_depth_limit_bounds_the_tree() {
        let mut mcts = mcts(&[]);
        let search = after(&mut mcts, 300, Some(1));
        assert_eq!((search.deepest, search.tree.len()), (1, 53));
    }

    #[test]
    fn a_full_tree_is_searched_on() {
        let mut mcts = mcts(&[]);
        mcts.tree = Tree::new(0);
        let search = after(&mut mcts, 2000, None);
        assert_eq!(search.tree.node(Tree::ROOT).visits, 2000);
        assert!(search.tree.len() <= sumito_rules::MoveList::CAPACITY + 1);
    }

    #[test]
    fn a_minimising_opponent_selects_the_lowest_mean() {
        for (opponent, expected) in [("max", 2), ("min", 1)] {
            let mut mcts = mcts(&[("opponent", opponent), ("c", "0")]);
            let search = Search::new(&mut mcts, &start(), unlimited(), None);
            let children = search.tree.expand(Tree::ROOT, &start()).expect("room");
            for child in children {
                let score = [0.0, -3.0, 4.0].get(child as usize).copied().unwrap_or_default();
                search.tree.back_propagate(&[Tree::ROOT, child], score);
            }
            assert_eq!(search.select(Tree::ROOT, false), Some(expected), "{opponent}");
            assert_eq!(search.select(Tree::ROOT, true), Some(2), "{opponent}");
        }
    }

    #[test]
    fn an_ejection_on_offer_is_found() {
        // Black can push E9 off with E7 and E8, which the offensive evaluation prizes.
        let fen = "sss2/ss4/7/8/6SSs/2SSS3/2SSS2/1SSSS1/sssss 0 0 b 0 1";
        let game = Game::new(Rules::OFFICIAL, fen::parse(fen).expect("a FEN"));
        let mut agent = spec::build("maastricht-mcts:eval=offensive").expect("a valid spec");
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        let m = agent.choose(&game, &limits, &mut |_| ()).expect("a move");
        assert!(game.position().ejects(m), "{m:?}");
    }
    /// Black, behind in the centre, can push the sixth marble off; there are 53 moves.
    fn won() -> Position {
        fen::parse("S3S/6/2sss2/3ss3/4s1SSs/3ss3/7/6/S3S 5 0 b 0 1").expect("a FEN")
    }

    #[test]
    fn a_win_on_offer_is_taken() {
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        let game = Game::new(Rules::OFFICIAL, won());
        let m = mcts(&[]).choose(&game, &limits, &mut |_| ()).expect("a move");
        assert!(won().ejects(m), "{m:?}");
    }

    #[test]
    fn the_end_of_the_game_is_a_leaf_worth_a_win_unless_it_is_ignored() {
        for (ends, grows) in [("win", false), ("leaf", false), ("ignore", true)] {
            let mut mcts = mcts(&[("ends", ends), ("samples", "1")]);
            let mut search = Search::new(&mut mcts, &won(), unlimited(), None);
            (0..3000).for_each(|_| search.iterate());
            let ejects = |node: &Node| node.m.is_some_and(|m| won().ejects(m));
            let (id, node) = search.tree.children(Tree::ROOT).find(|(_, node)| ejects(node)).expect("a win");
            assert_eq!(search.tree.children(id).next().is_some(), grows, "{ends}");
            let win = search.settings.weight(WIN, search.current);
            assert_eq!((node.mean() - win).abs() < 1e-6, ends == "win", "{ends}");
        }
    }
}
