//! Levels of play below full strength. A weaker player looks at fewer positions, does not notice every move, and is
//! less sure which of the good ones is best; it never plays just anything. Nothing depends on the speed of the machine
//! or on chance: the same game and seed give the same move.

use sumito_rules::{Game, Move};

use crate::engine::Engine;
use crate::info::Info;
use crate::limits::Limits;
use crate::options::EngineOptions;
use crate::rng::Rng;
use crate::score::Score;

/// A level, from 1 for a beginner to 12, nearly full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// How a level thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Manner {
    /// In plain words.
    name: &'static str,
    /// Rating on the list of `experiments/logs/levels`.
    elo: i32,
    /// Positions it looks at.
    nodes: u64,
    /// Plies it looks ahead, if they are few.
    depth: Option<u32>,
    /// Moves it weighs against each other.
    lines: usize,
    /// How far it misjudges each of them, in hundredths of a marble.
    spread: i32,
    /// How much worse than the best its choice can be, by its own judgement, in hundredths of a marble.
    slack: i32,
    /// How many of a hundred moves it does not notice.
    unseen: u64,
}

const fn manner(
    (name, elo): (&'static str, i32),
    (nodes, depth, lines): (u64, Option<u32>, usize),
    (spread, slack, unseen): (i32, i32, u64),
) -> Manner {
    Manner { name, elo, nodes, depth, lines, spread, slack, unseen }
}

const MANNERS: [Manner; Level::MOST as usize] = [
    manner(("newcomer", 540), (2_000, Some(1), 12), (100, 200, 50)),
    manner(("beginner", 710), (2_000, Some(1), 11), (84, 180, 43)),
    manner(("learner", 860), (2_000, Some(1), 10), (66, 155, 37)),
    manner(("casual player", 1_060), (2_000, Some(1), 9), (48, 125, 28)),
    manner(("keen player", 1_270), (2_000, Some(1), 8), (33, 95, 17)),
    manner(("club player", 1_500), (2_000, Some(1), 7), (15, 55, 5)),
    manner(("strong club player", 1_740), (2_000, Some(2), 6), (26, 85, 9)),
    manner(("tournament player", 1_870), (2_000, Some(2), 5), (12, 52, 3)),
    manner(("expert", 2_050), (2_000, Some(4), 4), (10, 45, 2)),
    manner(("master", 2_360), (4_000, Some(6), 3), (8, 35, 1)),
    manner(("grandmaster", 2_660), (14_000, None, 2), (4, 20, 0)),
    manner(("champion", 2_890), (250_000, None, 1), (0, 0, 0)),
];

/// Moves that push a marble off catch the eye: they are overlooked so many times less often.
const STRIKING: u64 = 4;

impl Level {
    /// The highest.
    pub const MOST: u8 = 12;

    /// A level by its number, from 1.
    pub fn new(number: u8) -> Option<Level> {
        (1..=Level::MOST).contains(&number).then_some(Level(number))
    }

    /// All of them, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=Level::MOST).map(Level)
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// In plain words, such as `club player`.
    pub fn name(self) -> &'static str {
        self.manner().name
    }

    /// Its rating among the levels, as measured.
    pub fn elo(self) -> i32 {
        self.manner().elo
    }

    fn manner(self) -> Manner {
        MANNERS[usize::from(self.0) - 1]
    }

    /// The engine to play with: small and with one thread, whatever the machine has.
    pub fn engine(options: EngineOptions) -> Engine {
        Engine::new(EngineOptions { hash: 4, threads: 1, ..options })
    }

    /// Chooses a move as this level does. The limits can only make it look at less.
    pub fn choose(
        self,
        engine: &mut Engine,
        (game, seed): (&Game, u64),
        limits: &Limits,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Move> {
        let manner = self.manner();
        // What it knows from earlier moves depends on how it got here.
        engine.new_game();
        let dice = Dice::new(game, seed);
        let limits = Limits {
            nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(manner.nodes)),
            depth: limits.depth.into_iter().chain(manner.depth).min(),
            lines: manner.lines,
            moves: manner.noticed(game, &limits.moves, dice),
            mate: None,
            ..limits.clone()
        };
        let mut lines: Vec<Info> = Vec::new();
        let best = engine.go(game, &limits, &mut |info| {
            if info.rank == 0 {
                lines.clear();
            }
            lines.push(info.clone());
        })?;
        let Some(chosen) = manner.pick(&lines, dice) else { return Some(best) };
        report(&Info { rank: 0, ..chosen.clone() });
        // The search may have found something better in the iteration that it did not finish.
        if manner.lines == 1 { Some(best) } else { chosen.line.first().copied().or(Some(best)) }
    }
}

impl Manner {
    /// The moves that catch its eye, at least one of those allowed; all of them if there are none.
    fn noticed(&self, game: &Game, allowed: &[Move], dice: Dice) -> Vec<Move> {
        if self.unseen == 0 {
            return allowed.to_vec();
        }
        let is_allowed = |m: &Move| allowed.is_empty() || allowed.contains(m);
        let all: Vec<Move> = game.legal_moves().iter().copied().filter(is_allowed).collect();
        let is_noticed = |m: &Move| {
            let rarer = if game.position().ejects(*m) { STRIKING } else { 1 };
            dice.roll(*m, 0) % (100 * rarer) >= self.unseen
        };
        let noticed: Vec<Move> = all.iter().copied().filter(is_noticed).collect();
        if noticed.is_empty() { all } else { noticed }
    }

    /// The line that seems best to it.
    fn pick<'a>(&self, lines: &'a [Info], dice: Dice) -> Option<&'a Info> {
        let best = worth(lines.first()?.score);
        let near = lines.iter().filter(|line| worth(line.score) >= best - self.slack);
        near.max_by_key(|line| {
            let m = line.line.first().copied();
            worth(line.score) + m.map_or(0, |m| dice.error(m, self.spread))
        })
    }
}

/// A score in hundredths of a marble, wins far beyond all others.
fn worth(score: Option<Score>) -> i32 {
    match score {
        Some(Score::Marbles(value)) => value,
        Some(Score::Value(value)) => (100.0 * value) as i32,
        Some(Score::Win(moves)) if moves > 0 => 100_000 - moves,
        Some(Score::Win(moves)) => -100_000 - moves,
        None => 0,
    }
}

/// Numbers that look random but follow from the game, the seed and the move.
#[derive(Clone, Copy)]
struct Dice(u64);

impl Dice {
    fn new(game: &Game, seed: u64) -> Dice {
        Dice(mix(mix(seed) ^ game.position().hash()) ^ mix(game.moves().len() as u64))
    }

    fn roll(self, m: Move, purpose: u64) -> u64 {
        mix(mix(self.0 ^ purpose) ^ u64::from(m.bits()))
    }

    /// An error with this standard deviation: nearly normal, as the sum of four even ones, and at most 3.5 times as
    /// large.
    fn error(self, m: Move, spread: i32) -> i32 {
        let bits = self.roll(m, 1);
        let sum: i64 = (0..4).map(|i| (bits >> (16 * i) & 0xffff) as i64).sum();
        // Four numbers below 2^16 have the mean 2^17 and the deviation 2^16 / sqrt(3).
        (i64::from(spread) * (sum - (1 << 17)) / 37_837) as i32
    }
}

/// A number that follows from another without looking so.
fn mix(x: u64) -> u64 {
    Rng::new(x).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::{Layout, Rules, fen};

    fn game(layout: &str) -> Game {
        Game::new(Rules::OFFICIAL, Layout::named(layout).expect("a layout").position())
    }

    fn level(number: u8) -> Level {
        Level::new(number).expect("a level")
    }

    fn line(score: i32, m: Move) -> Info {
        Info { depth: 1, score: Some(Score::Marbles(score)), line: vec![m], ..Info::default() }
    }

    #[test]
    fn there_are_twelve_levels_with_names_of_their_own() {
        let mut names: Vec<&str> = Level::all().map(Level::name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), Level::new(0), Level::new(13)), (12, None, None));
    }

    #[test]
    fn a_higher_level_is_stronger_and_sees_more_and_errs_less_unless_it_looks_deeper() {
        let depth = |manner: Manner| manner.depth.unwrap_or(u32::MAX);
        for (low, high) in Level::all().zip(Level::all().skip(1)) {
            let (low, high) = (low.manner(), high.manner());
            assert!(low.nodes <= high.nodes && depth(low) <= depth(high) && low.elo < high.elo, "{high:?}");
            let errs_less = low.spread >= high.spread && low.slack >= high.slack && low.unseen >= high.unseen;
            assert!(errs_less || depth(low) < depth(high), "{high:?}");
        }
    }

    #[test]
    fn the_same_game_and_seed_give_the_same_move_whatever_was_searched_before() {
        let (mut used, limits) = (Level::engine(EngineOptions::default()), Limits::default());
        for number in [1, 5, 9] {
            for layout in ["belgian-daisy", "standard"] {
                let game = game(layout);
                let choose =
                    |engine: &mut Engine| level(number).choose(engine, (&game, 3), &limits, &mut |_| ());
                let fresh = choose(&mut Level::engine(EngineOptions::default()));
                assert_eq!((choose(&mut used), choose(&mut used)), (fresh, fresh), "{number} {layout}");
            }
        }
    }

    #[test]
    fn other_seeds_give_other_moves() {
        let (game, mut engine) = (game("belgian-daisy"), Level::engine(EngineOptions::default()));
        let mut choose = |seed| level(2).choose(&mut engine, (&game, seed), &Limits::default(), &mut |_| ());
        let first = choose(0);
        assert!((1..20).any(|seed| choose(seed) != first));
    }

    #[test]
    fn a_choice_is_one_of_the_moves_allowed() {
        let (game, mut engine) = (game("german-daisy"), Level::engine(EngineOptions::default()));
        let limits = Limits { moves: game.legal_moves()[3..5].to_vec(), ..Limits::default() };
        for seed in 0..20 {
            let chosen = level(1).choose(&mut engine, (&game, seed), &limits, &mut |_| ()).expect("a move");
            assert!(limits.moves.contains(&chosen));
        }
    }

    #[test]
    fn a_level_that_is_stopped_at_once_has_a_legal_move() {
        let (game, mut engine) = (game("standard"), Level::engine(EngineOptions::default()));
        let limits = Limits::default();
        limits.stop.request();
        for level in Level::all() {
            let chosen = level.choose(&mut engine, (&game, 0), &limits, &mut |_| ()).expect("a move");
            assert!(game.position().is_legal(chosen), "{level:?}");
        }
    }

    #[test]
    fn one_line_is_told_and_it_is_the_one_that_is_played() {
        let (game, mut engine) = (game("belgian-daisy"), Level::engine(EngineOptions::default()));
        for seed in 0..10 {
            let mut told = Vec::new();
            let chosen = level(3).choose(&mut engine, (&game, seed), &Limits::default(), &mut |info| {
                told.push((info.rank, info.line.first().copied()));
            });
            assert_eq!(told, [(0, chosen)]);
        }
    }

    #[test]
    fn even_the_lowest_level_takes_a_win_that_it_notices() {
        let win = Game::new(Rules::OFFICIAL, fen::parse("5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1").expect("a FEN"));
        let mut engine = Level::engine(EngineOptions::default());
        let mut wins = 0;
        for seed in 0..40 {
            let noticed = level(1).manner().noticed(&win, &[], Dice::new(&win, seed));
            let chosen =
                level(1).choose(&mut engine, (&win, seed), &Limits::default(), &mut |_| ()).expect("a move");
            let sees_it = noticed.iter().any(|&m| win.position().ejects(m));
            assert_eq!(win.position().ejects(chosen), sees_it, "{seed}");
            wins += u32::from(sees_it);
        }
        assert!(wins > 20, "{wins} of 40");
    }

    #[test]
    fn no_choice_is_worse_than_the_slack_allows() {
        let game = game("belgian-daisy");
        let scores = (0..).map(|i| 50 - 20 * i);
        let lines: Vec<Info> =
            scores.zip(game.legal_moves().iter().take(12)).map(|(s, &m)| line(s, m)).collect();
        let manner = Manner { spread: 1000, slack: 100, ..level(1).manner() };
        let picks = (0..500).filter_map(|seed| manner.pick(&lines, Dice::new(&game, seed)));
        let mut losses: Vec<i32> = picks.map(|info| 50 - worth(info.score)).collect();
        losses.sort_unstable();
        losses.dedup();
        assert_eq!(losses, [0, 20, 40, 60, 80, 100], "all that are near, and no other");
    }

    #[test]
    fn errors_have_the_size_asked_for() {
        let (game, n) = (game("belgian-daisy"), 4000);
        let m = game.legal_moves()[0];
        let errors: Vec<f64> = (0..n).map(|seed| f64::from(Dice::new(&game, seed).error(m, 1000))).collect();
        let mean = errors.iter().sum::<f64>() / n as f64;
        let deviation = (errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / n as f64).sqrt();
        assert!(mean.abs() < 60.0 && (deviation - 1000.0).abs() < 60.0, "{mean} {deviation}");
        assert!(errors.iter().all(|e| e.abs() <= 3500.0));
    }

    #[test]
    fn everything_unseen_is_the_same_as_everything_seen() {
        let game = game("belgian-daisy");
        let manner = Manner { unseen: 100 * STRIKING, ..level(1).manner() };
        assert_eq!(manner.noticed(&game, &[], Dice::new(&game, 0)), game.legal_moves().to_vec());
    }
}
