//! The agent `maastricht`: alpha-beta tree search to a fixed depth.

use sumito_rules::{Game, Move, Rules};

use super::abts::{Search, Settings};
use super::eval::{DEFENCE, ENDS, EVAL, EndValue, Evaluator, TENTH, W6, WEIGHTS};
use super::order::{Ordering, prepare};
use super::table::Table;
use crate::agent::{Agent, AgentError, Info, Limits, Listener, Score};
use crate::entry::Entry;
use crate::options::{Options, choice, flag, int};
use crate::seed::{GameRng, SEED};
use crate::watch::Watch;

pub(crate) static ENTRY: Entry = Entry {
    name: "maastricht",
    summary: "alpha-beta tree search to depth 3 with the neutral evaluation",
    source: super::SOURCE,
    options: &[
        int("depth", 3, (1, 9), "plies to look ahead"),
        EVAL,
        TENTH,
        W6,
        DEFENCE,
        WEIGHTS,
        choice("search", &["abts", "minimax"], "with or without alpha-beta pruning (section 5.1)"),
        choice("ordering", &["full", "simple", "random"], "move ordering (section 5.1.3)"),
        flag("table", true, "keep static values in a transposition table (section 3.4)"),
        choice("choice", &["first", "last"], "which of equally good moves; the program plays the last"),
        ENDS,
        SEED,
    ],
    build: |name, options| Ok(Box::new(Player::new(name, options)?)),
};

struct Player {
    name: String,
    depth: u32,
    settings: Settings,
    table: Table,
    rng: GameRng,
}

impl Settings {
    /// What the options of the agent say; fails where its weights are not what its function takes.
    pub fn from_options(options: &Options) -> Result<Settings, String> {
        Ok(Settings {
            pruning: options.text("search") == "abts",
            ordering: match options.text("ordering") {
                "simple" => Ordering::Simple,
                "random" => Ordering::Random,
                _ => Ordering::Full,
            },
            table: options.flag("table"),
            last: options.text("choice") == "last",
            ends: EndValue::from_options(options),
            ..Settings::new(Evaluator::from_options(options)?)
        })
    }
}

impl Player {
    fn new(name: &str, options: &Options) -> Result<Player, String> {
        let settings = Settings::from_options(options)?;
        prepare();
        Ok(Player {
            name: name.to_string(),
            depth: options.int("depth") as u32,
            settings,
            table: Table::new(settings.table),
            rng: GameRng::new(options.seed()),
        })
    }
}

impl Agent for Player {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _: &Rules, seed: Option<u64>) {
        self.rng.begin(seed);
    }

    fn choose(&mut self, game: &Game, limits: &Limits, report: Listener<'_>) -> Result<Move, AgentError> {
        let position = game.position();
        let mut answer = game.legal_moves().first().copied().ok_or(AgentError::NoMove)?;
        let settings = Settings { marbles_to_win: game.rules().marbles_to_win, ..self.settings };
        let depth = limits.depth.map_or(self.depth, |depth| depth.clamp(1, self.depth));
        let mut watch = Watch::new(limits, None, game.turn());
        let first = if watch.is_timed() { 1 } else { depth };
        let mut search = Search::new(position, &settings, &mut watch, &mut self.table, &mut self.rng);
        for depth in first..=depth {
            let iteration = search.root(position, depth);
            // An iteration cut short has no say, unless there is nothing better.
            let Some((best, value)) = iteration.best.filter(|_| iteration.complete || depth == first) else {
                break;
            };
            answer = best;
            if !iteration.complete {
                break;
            }
            report(&Info {
                depth,
                nodes: search.nodes(),
                time: search.elapsed(),
                score: Some(Score::Value(value)),
                line: vec![best],
                ..Info::default()
            });
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Layout, Notation, fen};

    use super::*;
    use crate::spec;

    fn choose(spec: &str, position: sumito_rules::Position, limits: &Limits) -> (Move, Vec<u32>) {
        let mut depths = Vec::new();
        let mut agent = spec::build(spec).expect("a valid spec");
        let game = Game::new(Rules::OFFICIAL, position);
        let m = agent.choose(&game, limits, &mut |info| depths.push(info.depth)).expect("a move");
        (m, depths)
    }

    #[test]
    fn without_a_limit_the_search_goes_straight_to_its_depth() {
        let start = Layout::named("standard").expect("a layout").position();
        assert_eq!(choose("maastricht", start, &Limits::default()).1, [3]);
        let shallow = Limits { depth: Some(2), ..Limits::default() };
        assert_eq!(choose("maastricht", start, &shallow).1, [2]);
        let deep = Limits { depth: Some(8), ..Limits::default() };
        assert_eq!(choose("maastricht:depth=1", start, &deep).1, [1]);
    }

    #[test]
    fn with_nodes_to_spare_deepening_reaches_the_same_move() {
        let start = Layout::named("belgian-daisy").expect("a layout").position();
        let limits = Limits { nodes: Some(100_000_000), ..Limits::default() };
        let (m, depths) = choose("maastricht", start, &limits);
        assert_eq!(depths, [1, 2, 3]);
        assert_eq!(m, choose("maastricht", start, &Limits::default()).0);
    }

    /// Behind in the centre, with five marbles pushed off: figure 2's first set, in which an ejection weighs nothing.
    const WIN_ON_OFFER: &str = "S3S/6/2sss2/3ss3/4s1SSs/3ss3/7/6/S3S 5 0 b 0 1";

    #[test]
    fn a_win_on_offer_is_taken_and_to_the_letter_declined() {
        let position = fen::parse(WIN_ON_OFFER).expect("a FEN");
        let played = |spec| Notation::AbaPro.write(&position, choose(spec, position, &Limits::default()).0);
        assert_eq!(played("maastricht"), "e7e8");
        assert_eq!(played("maastricht:depth=1"), "e7e8");
        assert_eq!(played("maastricht:ends=leaf"), "a1b2");
    }

    #[test]
    fn with_the_tenth_set_the_sixth_ejection_is_played() {
        // E7 and E8 push E9 off for the sixth marble.
        let fen = "sss2/6/7/SSSSSS2/2SSSSSSs/8/7/6/sssss 5 0 b 0 1";
        let position = fen::parse(fen).expect("a FEN");
        let (m, _) = choose("maastricht:tenth=on,ends=leaf", position, &Limits::default());
        assert!(position.ejects(m));
    }
}
