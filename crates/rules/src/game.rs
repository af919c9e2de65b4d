//! A game: positions and moves so far, and how it ended.

use std::fmt;

use crate::color::Color;
use crate::moves::{Move, MoveList};
use crate::position::{IllegalMove, Position};
use crate::rules::{AtCap, Repetition, Rules};

/// A game in progress or over.
///
/// ```
/// use sumito_rules::{Color, Game, Layout, Notation, Reason, Rules};
/// let start = Layout::named("belgian-daisy").expect("a layout").position();
/// let mut game = Game::new(Rules::PLAYSTRATEGY, start);
/// let m = Notation::AbaPro.parse(game.position(), "a1b2").expect("a legal move");
/// game.play(m).expect("a legal move");
/// game.resign(Color::White);
/// let outcome = game.outcome().expect("resigned");
/// assert_eq!((outcome.winner, outcome.reason), (Some(Color::Black), Reason::Resignation));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    rules: Rules,
    /// One more than the moves: the start first, the current one last.
    positions: Vec<Position>,
    moves: Vec<Move>,
    outcome: Option<Outcome>,
    draw_offer: Option<Color>,
}

/// How a game ended.
///
/// ```
/// use sumito_rules::{Color, Game, Layout, Reason, Rules};
/// let mut game = Game::new(Rules::OFFICIAL, Layout::named("standard").expect("a layout").position());
/// assert_eq!(game.outcome(), None);
/// game.lose_on_time(Color::Black);
/// let outcome = game.outcome().expect("the time is up");
/// assert_eq!((outcome.winner, outcome.reason), (Some(Color::White), Reason::Time));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Reason {
    /// Enough marbles were pushed off.
    Ejections,
    /// The side to move has no legal move and loses.
    NoMoves,
    /// The rules' draw by repetition.
    Repetition,
    /// The most plies that the rules allow were played.
    PlyCap,
    /// The most plies without an ejection that the rules allow were played.
    QuietCap,
    /// The loser resigned.
    Resignation,
    /// Both players agreed to a draw.
    Agreement,
    /// The loser's time ran out.
    Time,
    /// The loser broke the rules or stopped playing.
    Forfeit,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 9] = [
        Reason::Ejections,
        Reason::NoMoves,
        Reason::Repetition,
        Reason::PlyCap,
        Reason::QuietCap,
        Reason::Resignation,
        Reason::Agreement,
        Reason::Time,
        Reason::Forfeit,
    ];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Reason::Ejections => "marbles pushed off",
            Reason::NoMoves => "no legal move",
            Reason::Repetition => "repetition",
            Reason::PlyCap => "ply limit",
            Reason::QuietCap => "no ejection for too long",
            Reason::Resignation => "resignation",
            Reason::Agreement => "agreement",
            Reason::Time => "time",
            Reason::Forfeit => "forfeit",
        })
    }
}

/// Why a move was not played.
///
/// ```
/// use sumito_rules::{Color, Game, Layout, PlayError, Rules};
/// let mut game = Game::new(Rules::OFFICIAL, Layout::named("standard").expect("a layout").position());
/// let m = game.legal_moves()[0];
/// game.play(m).expect("a legal move");
/// assert!(matches!(game.play(m), Err(PlayError::Illegal(_))), "it is White's turn");
/// game.resign(Color::White);
/// assert!(matches!(game.play(m), Err(PlayError::Over(_))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The game is over.
    Over(Outcome),
    /// The move is not legal.
    Illegal(IllegalMove),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Over(outcome) => write!(f, "the game is over ({})", outcome.reason),
            PlayError::Illegal(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

impl Game {
    /// A new game. It may be over at once, if the position says so.
    pub fn new(rules: Rules, start: Position) -> Game {
        let mut game =
            Game { rules, positions: vec![start], moves: Vec::new(), outcome: None, draw_offer: None };
        game.outcome = game.judge();
        game
    }

    /// The endings in force.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a game has a start")
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// All positions, the start first, the current one last.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    /// The legal moves; none once the game is over.
    pub fn legal_moves(&self) -> MoveList {
        if self.outcome.is_some() { MoveList::new() } else { self.position().legal_moves() }
    }

    /// Plays a move. An offer of a draw by the other side is thereby declined.
    pub fn play(&mut self, m: Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome {
            return Err(PlayError::Over(outcome));
        }
        let mover = self.turn();
        let next = self.position().play(m).map_err(PlayError::Illegal)?;
        self.positions.push(next);
        self.moves.push(m);
        if self.draw_offer == Some(!mover) {
            self.draw_offer = None;
        }
        self.outcome = self.judge();
        Ok(())
    }

    /// Takes the last move back, and whatever ended the game with it or after it.
    pub fn take_back(&mut self) -> Option<Move> {
        let m = self.moves.pop()?;
        self.positions.pop();
        self.draw_offer = None;
        self.outcome = None;
        Some(m)
    }

    /// A player gives up. Nothing happens if the game is over.
    pub fn resign(&mut self, loser: Color) {
        self.end(Some(!loser), Reason::Resignation);
    }

    /// A player's time is up. Nothing happens if the game is over.
    pub fn lose_on_time(&mut self, loser: Color) {
        self.end(Some(!loser), Reason::Time);
    }

    /// A player broke the rules or stopped playing. Nothing happens if the game is over.
    pub fn forfeit(&mut self, loser: Color) {
        self.end(Some(!loser), Reason::Forfeit);
    }

    /// A player offers a draw, or accepts the other's offer. The offer stands until the other side moves.
    pub fn offer_draw(&mut self, by: Color) {
        if self.draw_offer == Some(!by) {
            self.end(None, Reason::Agreement);
        } else if self.outcome.is_none() {
            self.draw_offer = Some(by);
        }
    }

    /// The offer of a draw is declined or withdrawn.
    pub fn drop_draw_offer(&mut self) {
        self.draw_offer = None;
    }

    /// Who has offered a draw.
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    fn end(&mut self, winner: Option<Color>, reason: Reason) {
        if self.outcome.is_none() {
            self.outcome = Some(Outcome { winner, reason });
            self.draw_offer = None;
        }
    }

    /// What the rules say about the current position.
    fn judge(&self) -> Option<Outcome> {
        let position = self.position();
        let won = |winner: Color| position.score(winner) >= self.rules.marbles_to_win;
        let over = |winner, reason| Some(Outcome { winner, reason });
        // The mover of the last move first: it is the one who can just have won.
        if let Some(winner) = [!position.turn(), position.turn()].into_iter().find(|&color| won(color)) {
            return over(Some(winner), Reason::Ejections);
        }
        if !position.can_move() {
            return over(Some(!position.turn()), Reason::NoMoves);
        }
        if self.is_repetition() {
            return over(None, Reason::Repetition);
        }
        if self.rules.ply_cap.is_some_and(|cap| self.moves.len() as u32 >= cap) {
            return over(self.leader(), Reason::PlyCap);
        }
        if self.rules.quiet_cap.is_some_and(|cap| u32::from(position.quiet()) >= cap) {
            return over(self.leader(), Reason::QuietCap);
        }
        None
    }

    /// Who wins at a cap.
    fn leader(&self) -> Option<Color> {
        let score = |color| self.position().score(color);
        match self.rules.at_cap {
            AtCap::Ejections => Color::ALL.into_iter().find(|&color| score(color) > score(!color)),
            AtCap::Draw => None,
        }
    }

    fn is_repetition(&self) -> bool {
        match self.rules.repetition {
            Repetition::Off => false,
            Repetition::Threefold => self.repetitions() >= 3,
            Repetition::MakeAndUndo => self.is_made_and_undone_twice(),
        }
    }

    /// How often the current position has come up, this time included. An ejection makes all earlier
    /// positions unreachable, so only those since then are looked at.
    pub fn repetitions(&self) -> usize {
        let now = self.position();
        let since = self.positions.len().saturating_sub(usize::from(now.quiet()) + 1);
        self.positions[since..]
            .iter()
            .filter(|earlier| earlier.hash() == now.hash() && earlier.same_board(now))
            .count()
    }

    fn is_made_and_undone_twice(&self) -> bool {
        let Some(first) = self.moves.len().checked_sub(8) else { return false };
        let (rally, again) = self.moves[first..].split_at(4);
        let (before, between) = (&self.positions[first], &self.positions[first + 4]);
        rally == again && before.same_board(between) && between.same_board(self.position())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;
    use crate::notation::Notation;

    fn game(rules: Rules, fen: &str, moves: &str) -> Game {
        let mut game = Game::new(rules, fen::parse(fen).expect("a FEN"));
        for text in moves.split_whitespace() {
            let m = Notation::AbaPro.parse(game.position(), text).expect("a legal move");
            game.play(m).expect("the game goes on");
        }
        game
    }

    const QUIET: &str = "s4/6/7/8/9/8/7/6/4S 1 0 b 0 1";
    const SHUFFLE: &str = "a5a4 i5i6 a4a5 i6i5";

    fn outcome(winner: Option<Color>, reason: Reason) -> Option<Outcome> {
        Some(Outcome { winner, reason })
    }

    #[test]
    fn the_sixth_ejection_wins() {
        let game = game(Rules::OFFICIAL, "5/6/7/8/9/8/7/6/SSs1s 5 3 b 0 1", "a1a2");
        assert_eq!(game.outcome(), None);
        let game = self::game(Rules::OFFICIAL, "5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1", "a3a4");
        assert_eq!(game.outcome(), outcome(Some(Color::Black), Reason::Ejections));
        assert!(game.legal_moves().is_empty());
    }

    #[test]
    fn a_side_without_a_move_loses() {
        let cells = "wwwwwwwbbbbwbb....wb.b....wb.......bb........b..........b...b w";
        let stuck = crate::format::PositionFormat::Cells.parse(cells).expect("a position");
        assert_eq!(Game::new(Rules::OFFICIAL, stuck).outcome(), outcome(Some(Color::Black), Reason::NoMoves));
    }

    #[test]
    fn threefold_is_a_draw_at_the_third_time_and_not_before() {
        let twice = game(Rules::PLAYSTRATEGY, QUIET, &format!("{SHUFFLE} a5a4 i5i6 a4a5"));
        assert_eq!(twice.outcome(), None);
        let thrice = game(Rules::PLAYSTRATEGY, QUIET, &format!("{SHUFFLE} {SHUFFLE}"));
        assert_eq!(thrice.outcome(), outcome(None, Reason::Repetition));
    }

    #[test]
    fn making_and_undoing_twice_is_a_draw_under_the_authors_ruling() {
        let drawn = game(Rules::OFFICIAL, QUIET, &format!("{SHUFFLE} {SHUFFLE}"));
        assert_eq!(drawn.outcome(), outcome(None, Reason::Repetition));
        let varied = game(Rules::OFFICIAL, QUIET, &format!("{SHUFFLE} a5b5 i5i6 b5a5 i6i5"));
        assert_eq!(varied.outcome(), None);
    }

    #[test]
    fn the_ply_cap_gives_the_game_to_the_leader() {
        let rules = Rules { ply_cap: Some(4), ..Rules::TOURNAMENT };
        assert_eq!(game(rules, QUIET, SHUFFLE).outcome(), outcome(Some(Color::Black), Reason::PlyCap));
        let rules = Rules { at_cap: AtCap::Draw, ..rules };
        assert_eq!(game(rules, QUIET, SHUFFLE).outcome(), outcome(None, Reason::PlyCap));
    }

    #[test]
    fn the_quiet_cap_counts_from_the_last_ejection() {
        let rules = Rules { quiet_cap: Some(3), ..Rules::CORNELL };
        let even = "s4/6/7/8/9/8/7/6/4S 0 0 b 0 1";
        assert_eq!(game(rules, even, "a5a4 i5i6 a4a5").outcome(), outcome(None, Reason::QuietCap));
    }

    #[test]
    fn a_move_after_the_end_is_refused_and_taking_back_reopens_the_game() {
        let mut game = game(Rules::OFFICIAL, QUIET, "a5a4");
        game.lose_on_time(Color::White);
        let m = Notation::AbaPro.parse(game.position(), "i5i6").expect("a legal move");
        assert!(matches!(game.play(m), Err(PlayError::Over(_))));
        assert!(game.take_back().is_some());
        assert_eq!((game.outcome(), game.moves().len(), game.turn()), (None, 0, Color::Black));
        assert_eq!(game.take_back(), None);
    }

    #[test]
    fn a_draw_needs_both_players() {
        let mut game = game(Rules::OFFICIAL, QUIET, "a5a4");
        game.offer_draw(Color::Black);
        game.offer_draw(Color::Black);
        assert_eq!((game.outcome(), game.draw_offer()), (None, Some(Color::Black)));
        let m = game.legal_moves()[0];
        game.play(m).expect("a legal move");
        assert_eq!(game.draw_offer(), None);
        game.offer_draw(Color::White);
        game.offer_draw(Color::Black);
        assert_eq!(game.outcome(), outcome(None, Reason::Agreement));
    }
}
