//! What a search thread has at hand: an engine for studies, and the agents that it used last. All of them stay
//! between searches, since making one takes memory and time. Who uses one takes it and gives it back; what a search
//! that panicked had taken does not come back.

use sumito_agents::{Agent, AgentSpec};
use sumito_engine::{Engine, EngineOptions};
use sumito_rules::Rules;

use crate::domain::seat::Spec;

/// Agents that are kept.
const KEPT: usize = 3;
/// Levels that are kept beside them, which are small.
const KEPT_LEVELS: usize = 8;

/// A thread's engine and agents.
pub(crate) struct Bench {
    hash: usize,
    engine: Option<Engine>,
    /// The last used at the end.
    agents: Vec<BenchPlayer>,
    /// So many searches panic from now on.
    #[cfg(test)]
    pub(super) breaks: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

/// An agent in a game.
pub(crate) struct BenchPlayer {
    /// The spec that made it.
    spec: AgentSpec,
    is_level: bool,
    /// The game that it played in, by any number.
    game: Option<u64>,
    pub(crate) agent: Box<dyn Agent>,
}

impl Bench {
    pub(crate) fn new(hash: usize) -> Bench {
        Bench {
            hash,
            engine: None,
            agents: Vec::new(),
            #[cfg(test)]
            breaks: std::sync::Arc::default(),
        }
    }

    /// Panics if a test has asked for it.
    #[cfg(test)]
    fn break_if_asked(&self) {
        use std::sync::atomic::Ordering::SeqCst;
        if self.breaks.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_ok() {
            panic!("on purpose");
        }
    }

    /// The engine for studies, to be given back. What it knows of other positions does no harm.
    pub(crate) fn take_engine(&mut self) -> Engine {
        #[cfg(test)]
        self.break_if_asked();
        let hash = self.hash;
        self.engine
            .take()
            .unwrap_or_else(|| Engine::new(EngineOptions { hash, threads: 1, ..EngineOptions::default() }))
    }

    pub(crate) fn give_back(&mut self, engine: Engine) {
        self.engine = Some(engine);
    }

    /// An agent that plays in this game, which is known by any number; without one it forgets all others. The number is
    /// also the seed of its random choices, unless there is no game: no two games need agents of their own. To be kept
    /// afterwards.
    pub(crate) fn take(
        &mut self,
        spec: &Spec,
        (game, seed): (Option<u64>, Option<u64>),
        rules: &Rules,
    ) -> Result<BenchPlayer, String> {
        #[cfg(test)]
        self.break_if_asked();
        let thrifty = spec.thrifty();
        let place = |wanted: &dyn Fn(&BenchPlayer) -> bool| {
            self.agents.iter().rposition(|player| player.spec == thrifty && wanted(player))
        };
        let found = place(&|player| player.game == game).or_else(|| place(&|_| true));
        let mut player = match found {
            Some(at) => self.agents.remove(at),
            None => {
                let agent = build(&thrifty)?;
                BenchPlayer { spec: thrifty, is_level: spec.level.is_some(), game: None, agent }
            }
        };
        if game.is_none() || player.game != game {
            player.agent.new_game(rules, game.or(seed));
            player.game = game;
        }
        Ok(player)
    }

    /// Keeps an agent for the next time.
    pub(crate) fn keep(&mut self, player: BenchPlayer) {
        let most = if player.is_level { KEPT_LEVELS } else { KEPT };
        let is_same = |other: &BenchPlayer| other.is_level == player.is_level;
        if self.agents.iter().filter(|other| is_same(other)).count() >= most
            && let Some(oldest) = self.agents.iter().position(is_same)
        {
            self.agents.remove(oldest);
        }
        self.agents.push(player);
    }
}

fn build(spec: &AgentSpec) -> Result<Box<dyn Agent>, String> {
    #[cfg(test)]
    if let Some(agent) = broken::build(spec.as_str()) {
        return Ok(agent);
    }
    spec.build().map_err(|error| error.to_string())
}

/// Agents for tests, which really panic.
#[cfg(test)]
pub(crate) mod broken {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use sumito_agents::{AgentError, Info, Limits};
    use sumito_rules::{Game, Move};

    use super::*;

    /// Always panics, as a quick agent and as one that thinks long.
    pub(crate) const ALWAYS: [&str; 2] = ["random:seed=66601", "maastricht-mcts:seed=66601"];
    /// Panics once and plays well when it is made again.
    pub(crate) const ONCE: [&str; 2] = ["random:seed=66602", "maastricht-mcts:seed=66602"];

    struct Broken(String);

    impl Agent for Broken {
        fn name(&self) -> &str {
            &self.0
        }

        fn choose(&mut self, _: &Game, _: &Limits, _: &mut dyn FnMut(&Info)) -> Result<Move, AgentError> {
            panic!("{} on purpose", self.0)
        }
    }

    pub(super) fn build(text: &str) -> Option<Box<dyn Agent>> {
        static MADE: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
        let is = |spec: &&str| text.starts_with(*spec);
        let first = ONCE.iter().position(is).is_some_and(|at| MADE[at].fetch_add(1, Ordering::SeqCst) == 0);
        (first || ALWAYS.iter().any(is)).then(|| Box::new(Broken(text.to_string())) as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(bench: &mut Bench, spec: &str, game: Option<u64>) -> BenchPlayer {
        let spec = Spec::new(spec).expect("a spec");
        bench.take(&spec, (game, None), &Rules::OFFICIAL).expect("an agent")
    }

    #[test]
    fn an_agent_comes_back_to_its_game_and_only_so_many_are_kept() {
        let mut bench = Bench::new(1);
        for game in 1..=2 {
            let player = BenchPlayer { game: Some(game), ..take(&mut Bench::new(1), "aba-pro", None) };
            bench.keep(player);
        }
        let player = take(&mut bench, "aba-pro", Some(1));
        assert_eq!((player.game, bench.agents.len()), (Some(1), 1));
        bench.keep(player);
        for seed in 1..=20 {
            for spec in [format!("sumito:level=1,seed={seed}"), format!("random:seed={seed}")] {
                let player = take(&mut bench, &spec, None);
                bench.keep(player);
            }
        }
        let levels = bench.agents.iter().filter(|player| player.is_level).count();
        assert_eq!((levels, bench.agents.len()), (KEPT_LEVELS, KEPT_LEVELS + KEPT));
    }

    #[test]
    fn an_agent_that_panicked_does_not_come_back() {
        let mut bench = Bench::new(1);
        let player = take(&mut bench, "aba-pro", Some(1));
        bench.keep(player);
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _player = take(&mut bench, "aba-pro", Some(1));
            panic!("on purpose");
        }));
        assert!(broken.is_err() && bench.agents.is_empty());
    }
}
