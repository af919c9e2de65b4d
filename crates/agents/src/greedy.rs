//! A player that looks one ply ahead with any static evaluation of this crate: the evaluation's strength alone.
//!
//! It plays a move into the position that the evaluation likes best, one of them at random if there are several.
//! A move that wins the game is played before any other, whatever the evaluation says.

use sumito_rules::{Game, Move, Rules};

use crate::agent::{Agent, AgentError, Evaluation, Info, Limits, Listener, Named, Score};
use crate::entry::Entry;
use crate::options::choice;
use crate::seed::{GameRng, SEED};
use crate::watch::Watch;

/// Every static evaluation of this crate; the first is the default.
pub fn evaluations() -> impl Iterator<Item = &'static Named> {
    [
        crate::aba_pro::EVALUATIONS,
        crate::verloop::EVALUATIONS,
        crate::maastricht::EVALUATIONS,
        crate::bcit::EVALUATIONS,
        crate::cornell::EVALUATIONS,
    ]
    .into_iter()
    .flatten()
}

pub(crate) static ENTRY: Entry = Entry {
    name: "greedy",
    summary: "one ply ahead with any static evaluation",
    source: "",
    options: &[choice("eval", NAMES, "name of the evaluation"), SEED],
    build: |name, options| {
        let evaluate = evaluation(options.text("eval"));
        let rng = GameRng::new(options.seed());
        Ok(Box::new(Greedy { name: name.to_string(), evaluate, rng }))
    },
};

/// The names of all evaluations.
const NAMES: &[&str] = &[
    "aba-pro",
    "verloop",
    "maastricht-neutral",
    "maastricht-offensive",
    "maastricht-defensive",
    "bcit-jason",
    "bcit-rongyi",
    "bcit-david",
    "bcit-sam",
    "bcit-jeff",
    "cornell",
    "cornell-td",
];

/// The evaluation with one of the names.
fn evaluation(name: &str) -> Evaluation {
    let (_, make) = evaluations().find(|(known, _)| *known == name).expect("a name of the list");
    make()
}

struct Greedy {
    name: String,
    evaluate: Evaluation,
    rng: GameRng,
}

impl Agent for Greedy {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules, seed: Option<u64>) {
        self.rng.begin(seed);
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        let (position, moves) = (game.position(), game.legal_moves());
        let mut best = *moves.first().ok_or(AgentError::NoMove)?;
        let (mut value, mut equal) = (f64::NEG_INFINITY, 0);
        let mut watch = Watch::new(limits, None, position.turn());
        for m in &moves {
            let next = position.play_unchecked(m);
            let wins = next.score(position.turn()) >= game.rules().marbles_to_win;
            let next = if wins { f64::INFINITY } else { (self.evaluate)(&next, position.turn()) };
            equal = if next > value { 1 } else { equal + usize::from(next == value) };
            // Each of the equal moves so far stays with the same chance.
            if next > value || (next == value && self.rng.below(equal) == 0) {
                (best, value) = (m, next);
            }
            if watch.tick() {
                return Ok(best);
            }
        }
        let score = if value.is_infinite() { Score::Win(1) } else { Score::Value(value) };
        let (nodes, time) = (watch.nodes(), watch.elapsed());
        report(&Info { depth: 1, nodes, time, score: Some(score), line: vec![best], ..Info::default() });
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Layout, Position, fen};

    use super::*;
    use crate::spec;
    use crate::testing::positions;

    fn choose(spec: &str, position: Position, limits: &Limits) -> Move {
        let mut agent = spec::build(spec).expect("a spec");
        agent.choose(&Game::new(Rules::OFFICIAL, position), limits, &mut |_| {}).expect("a move")
    }

    #[test]
    fn no_other_move_has_a_better_score() {
        let evaluate = evaluation("aba-pro");
        for position in positions() {
            let value = |m: Move| evaluate(&position.play_unchecked(m), position.turn());
            let best = position.legal_moves().iter().map(|&m| value(m)).fold(f64::NEG_INFINITY, f64::max);
            let chosen = choose("greedy:eval=aba-pro", position, &Limits::default());
            assert_eq!(value(chosen), best, "{position:?}");
        }
    }

    #[test]
    fn equal_moves_are_chosen_by_seed() {
        let start = Layout::named("standard").expect("a layout").position();
        let choose = |seed| choose(&format!("greedy:seed={seed}"), start, &Limits::default());
        assert_eq!(choose(7), choose(7));
        assert!((0..20).any(|seed| choose(seed) != choose(7)));
    }

    #[test]
    fn a_winning_move_is_played_before_any_other() {
        let position = fen::parse("5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1").expect("a FEN");
        assert!(position.ejects(choose("greedy", position, &Limits::default())));
    }

    #[test]
    fn one_node_is_enough_for_a_legal_move() {
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        for position in positions() {
            assert!(position.is_legal(choose("greedy", position, &limits)));
        }
    }

    #[test]
    fn a_misspelt_evaluation_is_answered_with_all_names() {
        let error = spec::build("greedy:eval=abapro").err().expect("no such evaluation").to_string();
        assert!(error.contains("expected aba-pro or verloop or ") && error.contains("'abapro'"), "{error}");
    }

    #[test]
    fn every_evaluation_has_a_name_of_its_own_in_the_list() {
        let mut names: Vec<&str> = evaluations().map(|(name, _)| *name).collect();
        assert_eq!(names, NAMES);
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
