//! The agent `maastricht-mcts`: Monte-Carlo tree search (section 5.2).

use std::ops::Range;
use std::time::Duration;

use sumito_rules::{ByColor, Color, Game, Move, Position, Rules};

use super::eval::{DEFENCE, EVAL, Evaluator, TENTH, W6, WEIGHTS};
use super::tree::{Id, Tree};
use crate::agent::{Agent, AgentError, Info, Limits, Score};
use crate::options::{Options, choice, float, int, time};
use crate::random::{Rng, SEED};
use crate::registry::Entry;
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
        EVAL,
        TENTH,
        W6,
        DEFENCE,
        WEIGHTS,
        int("memory", 64, (1, 4096), "MiB for the tree; when full it is no longer expanded"),
        SEED,
    ],
    build: |spec, options| Ok(Box::new(Mcts::new(spec, options)?)),
};

/// The shortest of the program's levels.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

#[derive(Clone, Copy)]
struct Settings {
    evaluator: Evaluator,
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
    rng: Rng,
}

impl Mcts {
    fn new(spec: &str, options: &Options) -> Result<Mcts, String> {
        let settings = Settings {
            evaluator: Evaluator::from_options(options)?,
            time: options.time("time"),
            c: options.float("c"),
            plays: options.int("plays") as u32,
            samples: options.int("samples") as u32,
            root_of_fifth: options.text("scale") == "document",
            minimising_opponent: options.text("opponent") == "min",
            always_simulate: options.text("expand") == "always",
        };
        let tree = Tree::new(options.int("memory") as usize);
        Ok(Mcts { name: spec.to_string(), settings, tree, rng: Rng::new(options.int("seed") as u64) })
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

    fn new_game(&mut self, _: &Rules) {}

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Move, AgentError> {
        let fallback = game.legal_moves().first().copied().ok_or(AgentError::NoMove)?;
        let mut watch = Watch::new(limits, self.settings.own_time(limits), game.turn());
        let samples = self.settings.samples(watch.left());
        let mut search = Search::new(self, game.position(), samples, limits.depth);
        let mut next_report = 1024;
        loop {
            search.iterate();
            // An iteration takes as long as hundreds of nodes of another search: look at the clock each time.
            if watch.tick() || watch.look() {
                break;
            }
            if watch.nodes() == next_report {
                report(&search.info(&watch));
                next_report *= 2;
            }
        }
        let info = search.info(&watch);
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
    /// Nodes so far down are not expanded.
    max_depth: usize,
    /// The nodes from the root to where the iteration is; kept to save its memory.
    path: Vec<Id>,
    deepest: usize,
}

impl<'a> Search<'a> {
    fn new(mcts: &'a mut Mcts, root: &Position, samples: u32, max_depth: Option<u32>) -> Search<'a> {
        let before = ByColor::new(root.score(Color::Black), root.score(Color::White));
        mcts.tree.clear();
        Search {
            settings: mcts.settings,
            tree: &mut mcts.tree,
            rng: &mut mcts.rng,
            root: *root,
            player: root.turn(),
            before,
            current: mcts.settings.evaluator.value(root, root.turn(), before),
            samples,
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
        let score = self.simulate(&position);
        self.tree.back_propagate(&self.path, score);
    }

    fn expand(&mut self, node: Id, position: &Position) -> Option<Range<Id>> {
        if self.path.len() > self.max_depth { None } else { self.tree.expand(node, position) }
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

    /// The sum of the weighted scores of the simulated games from a position.
    fn simulate(&mut self, position: &Position) -> f64 {
        (0..self.samples)
            .map(|_| {
                let end = self.play_out(*position);
                let simulated = self.settings.evaluator.value(&end, self.player, self.before);
                self.settings.weight(simulated, self.current)
            })
            .sum()
    }

    /// Random plies, not cut at the end of the game.
    fn play_out(&mut self, mut position: Position) -> Position {
        for _ in 0..self.settings.plays {
            let Some(m) = self.rng.pick(&position.legal_moves()) else { break };
            position = position.play_unchecked(m);
        }
        position
    }

    fn info(&self, watch: &Watch) -> Info {
        let best = self.tree.most_visited(Tree::ROOT).filter(|(_, node)| node.visits > 0);
        Info {
            depth: self.deepest as u32,
            nodes: watch.nodes(),
            time: watch.elapsed(),
            score: best.map(|(_, node)| Score::Value(node.mean())),
            line: self.tree.line(),
        }
    }
}
