//! What a search found out about one position.

use std::time::Duration;

use sumito_rules::{Game, Move, Outcome, Position};

use crate::engine::Engine;
use crate::info::Info;
use crate::limits::Limits;
use crate::score::Score;
use crate::wdl::{Wdl, WdlModel};

/// What was found out about a position, or is known about it because the game is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The position.
    pub position: Position,
    /// How the game ended, if this is its end. There are no lines then.
    pub outcome: Option<Outcome>,
    /// The best lines, the best one first.
    pub lines: Vec<Line>,
    /// The best line's value after each depth.
    pub depths: Vec<(u32, Score)>,
    /// The longest line looked at.
    pub seldepth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
}

/// A line that the search expects.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Plies searched completely; none if it is but the static value.
    pub depth: u32,
    /// The value for the side to move.
    pub score: Score,
    /// The chances of the side to move in a game between people.
    pub wdl: Wdl,
    /// The expected moves, at least one.
    pub moves: Vec<Move>,
}

impl Line {
    fn new(depth: u32, score: Score, moves: Vec<Move>, position: &Position) -> Line {
        Line { depth, score, wdl: WdlModel::PEOPLE.worth(score, WdlModel::gone(position)), moves }
    }
}

impl Findings {
    fn new(game: &Game) -> Findings {
        Findings {
            position: *game.position(),
            outcome: game.outcome(),
            lines: Vec::new(),
            depths: Vec::new(),
            seldepth: 0,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
        }
    }

    /// The best move; none if the game is over.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// Plies searched completely.
    pub fn depth(&self) -> u32 {
        self.lines.first().map_or(0, |line| line.depth)
    }

    /// The chances of the side to move.
    pub fn wdl(&self) -> Wdl {
        match (self.outcome, self.lines.first()) {
            (Some(Outcome { winner: None, .. }), _) | (None, None) => Wdl { win: 0.0, draw: 1.0, loss: 0.0 },
            (Some(Outcome { winner: Some(winner), .. }), _) if winner == self.position.turn() => {
                Wdl { win: 1.0, draw: 0.0, loss: 0.0 }
            }
            (Some(_), _) => Wdl { win: 0.0, draw: 0.0, loss: 1.0 },
            (None, Some(line)) => line.wdl,
        }
    }

    /// Takes in a report. Lines of the depth before stay until the same rank is reported again, or another rank
    /// takes over their first move.
    fn hear(&mut self, info: &Info) {
        let (Some(first), Some(score)) = (info.line.first(), info.score) else { return };
        (self.seldepth, self.nodes, self.time) = (self.seldepth.max(info.seldepth), info.nodes, info.time);
        self.hashfull = info.hashfull.unwrap_or_default();
        if info.rank == 0 {
            self.depths.retain(|(depth, _)| *depth < info.depth);
            self.depths.push((info.depth, score));
        }
        let place = info.rank;
        let line = Line::new(info.depth, score, info.line.clone(), &self.position);
        match self.lines.iter().position(|old| old.moves.first() == Some(first)) {
            // It moves up: its old place is taken by what it pushes down, until that is reported itself.
            Some(old) if place < self.lines.len() => {
                self.lines.remove(old);
                self.lines.insert(place.min(self.lines.len()), line);
            }
            Some(old) => self.lines[old] = line,
            None if place < self.lines.len() => self.lines[place] = line,
            None => self.lines.push(line),
        }
    }
}

impl Engine {
    /// Searches the current position of a game and keeps what it finds; the report hears every change. If the game
    /// is over by the rules, there is nothing to search.
    pub fn analyse(&mut self, game: &Game, limits: &Limits, report: &mut dyn FnMut(&Findings)) -> Findings {
        let mut findings = Findings::new(game);
        let best = self.go(game, limits, &mut |info| {
            findings.hear(info);
            report(&findings);
        });
        if let (Some(best), true) = (best, findings.lines.is_empty()) {
            // Stopped before anything was found: the static value is all there is.
            let score = Score::Marbles(self.eval(&findings.position));
            findings.lines.push(Line::new(0, score, vec![best], &findings.position));
        }
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::EngineOptions;
    use sumito_rules::{Layout, Rules, fen};

    fn engine() -> Engine {
        Engine::new(EngineOptions { hash: 1, ..EngineOptions::default() })
    }

    fn start() -> Game {
        Game::new(Rules::OFFICIAL, Layout::all()[0].position())
    }

    /// A report on the line of this rank, from 1.
    fn info(rank: usize, depth: u32, value: i32, m: Move) -> Info {
        Info {
            depth,
            seldepth: depth,
            rank: rank - 1,
            score: Some(Score::Marbles(value)),
            nodes: u64::from(depth) * 100,
            time: Duration::from_millis(depth.into()),
            line: vec![m],
            ..Info::default()
        }
    }

    #[test]
    fn a_search_leaves_its_line_and_the_value_of_every_depth() {
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let mut reports = 0;
        let findings = engine().analyse(&start(), &limits, &mut |_| reports += 1);
        assert_eq!((findings.depth(), findings.outcome), (4, None));
        assert!(reports >= 4 && findings.nodes > 0);
        assert_eq!(findings.depths.iter().map(|(depth, _)| *depth).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(findings.depths[3].1, findings.lines[0].score);
        let end = findings.lines[0].moves.iter().try_fold(findings.position, |at, &m| at.play(m));
        assert!(end.is_ok(), "every move of the line is legal");
    }

    #[test]
    fn a_search_that_was_stopped_before_it_began_still_has_a_move_with_a_value() {
        let limits = Limits::default();
        limits.stop.request();
        let findings = engine().analyse(&start(), &limits, &mut |_| ());
        assert!(findings.position.is_legal(findings.best().expect("a move")));
        assert_eq!(findings.wdl(), findings.lines[0].wdl);
    }

    #[test]
    fn several_lines_begin_with_different_moves_and_fall_in_value() {
        let limits = Limits { depth: Some(4), lines: 3, ..Limits::default() };
        let findings = engine().analyse(&start(), &limits, &mut |_| ());
        let [first, second, third] = &findings.lines[..] else { panic!("{:?}", findings.lines) };
        assert!(first.moves[0] != second.moves[0] && second.moves[0] != third.moves[0]);
        assert!(
            first.wdl.expected() >= second.wdl.expected() && second.wdl.expected() >= third.wdl.expected()
        );
        assert_eq!([first, second, third].map(|line| line.depth), [4; 3]);
    }

    #[test]
    fn only_the_moves_that_were_asked_for_are_looked_at() {
        let game = start();
        let moves = vec![game.legal_moves()[7]];
        let limits = Limits { depth: Some(3), moves: moves.clone(), ..Limits::default() };
        assert_eq!(engine().analyse(&game, &limits, &mut |_| ()).best(), Some(moves[0]));
    }

    #[test]
    fn a_game_that_is_over_has_no_lines_but_sure_chances() {
        let over = Game::new(Rules::OFFICIAL, fen::parse("5/6/7/8/4S4/8/7/6/4s 6 0 w 0 40").expect("a FEN"));
        let findings = engine().analyse(&over, &Limits::default(), &mut |_| ());
        assert_eq!((findings.best(), findings.lines.len()), (None, 0));
        assert_eq!(findings.wdl().expected(), 0.0);
    }

    #[test]
    fn lines_take_the_place_of_their_rank() {
        let game = start();
        let moves = game.legal_moves();
        let mut findings = Findings::new(&game);
        let firsts = |findings: &Findings| -> Vec<(Move, u32)> {
            findings.lines.iter().map(|line| (line.moves[0], line.depth)).collect()
        };
        for (rank, m) in [(1, moves[0]), (2, moves[1]), (3, moves[2])] {
            findings.hear(&info(rank, 1, 10, m));
        }
        assert_eq!(firsts(&findings), [(moves[0], 1), (moves[1], 1), (moves[2], 1)]);
        findings.hear(&info(1, 2, 20, moves[2]));
        assert_eq!(firsts(&findings), [(moves[2], 2), (moves[0], 1), (moves[1], 1)], "the third moves up");
        findings.hear(&info(2, 2, 15, moves[3]));
        assert_eq!(firsts(&findings), [(moves[2], 2), (moves[3], 2), (moves[1], 1)], "a new one");
        findings.hear(&info(3, 2, 5, moves[0]));
        assert_eq!(firsts(&findings), [(moves[2], 2), (moves[3], 2), (moves[0], 2)]);
        assert_eq!(findings.depths, [(1, Score::Marbles(10)), (2, Score::Marbles(20))]);
    }
}
