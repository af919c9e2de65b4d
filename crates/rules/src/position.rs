//! A position: where the marbles are, whose turn it is, and what has been pushed off.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::cell::{Cell, Direction};
use crate::color::{ByColor, Color};
use crate::error::ParseError;
use crate::hash;
use crate::moves::Move;

/// Everything that the rules of moving need to know, in 32 bytes: copy it instead of undoing a move.
///
/// ```
/// use sumito_rules::{Color, Layout};
/// let start = Layout::named("belgian-daisy").expect("a known layout").position();
/// assert_eq!(start.legal_moves().len(), 52);
/// let m = start.legal_moves()[0];
/// let next = start.play(m).expect("a legal move");
/// assert_eq!(next.turn(), Color::White);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    marbles: ByColor<Bitboard>,
    hash: u64,
    score: ByColor<u8>,
    turn: Color,
    quiet: u16,
    ply: u16,
}

/// The most marbles that one player can have.
pub const MAX_MARBLES: usize = 14;
/// The largest number of a move, and so the largest that a FEN may have: all moves after it have it as well.
pub const MAX_MOVE_NUMBER: u16 = u16::MAX / 2 + 1;

impl Position {
    /// A position from its marbles, nobody having pushed anything off yet.
    pub fn new(marbles: ByColor<Bitboard>, turn: Color) -> Result<Position, PositionError> {
        Position::with_score(marbles, ByColor::default(), turn)
    }

    /// A position from its marbles and how many marbles each player has pushed off.
    pub fn with_score(
        marbles: ByColor<Bitboard>,
        score: ByColor<u8>,
        turn: Color,
    ) -> Result<Position, PositionError> {
        let position = Position::unvalidated(marbles, score, turn);
        position.validate()?;
        Ok(position)
    }

    /// A position that need not pass [`Position::validate`], for counting moves on boards that no game can
    /// reach. [`Position::legal_moves`] has room for the moves of 14 marbles; with more of them on the board
    /// use [`Position::for_each_move`].
    pub fn unvalidated(marbles: ByColor<Bitboard>, score: ByColor<u8>, turn: Color) -> Position {
        let mut position = Position { marbles, score, turn, quiet: 0, ply: turn.index() as u16, hash: 0 };
        position.hash = position.fresh_hash();
        position
    }

    /// The same position with other counters: plies since the last ejection, and plies in all.
    #[must_use]
    pub fn with_counters(self, quiet: u16, ply: u16) -> Position {
        Position { quiet, ply, ..self }
    }

    /// Whether this can be a position of the game: no cell with two marbles, nobody with more than 14
    /// marbles, on the board and off it together.
    pub fn validate(&self) -> Result<(), PositionError> {
        if let Some(cell) = (self.marbles.black & self.marbles.white).iter().next() {
            return Err(PositionError::Overlap(cell));
        }
        for color in Color::ALL {
            let on_board = self.marbles[color].len();
            let lost = self.score[!color];
            if on_board > MAX_MARBLES {
                return Err(PositionError::TooManyMarbles { color, on_board });
            }
            if on_board + lost as usize > MAX_MARBLES {
                return Err(PositionError::TooManyLost { color, on_board, lost });
            }
        }
        Ok(())
    }

    /// The marbles of a player.
    #[inline]
    pub fn marbles(&self, color: Color) -> Bitboard {
        self.marbles[color]
    }

    /// The marbles of the side to move.
    #[inline]
    pub fn own(&self) -> Bitboard {
        self.marbles[self.turn]
    }

    /// The marbles of the other side.
    #[inline]
    pub fn enemy(&self) -> Bitboard {
        self.marbles[!self.turn]
    }

    /// The cells without a marble.
    #[inline]
    pub fn empty(&self) -> Bitboard {
        !(self.marbles.black | self.marbles.white)
    }

    /// Whose marble is on a cell.
    pub fn at(&self, cell: Cell) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.marbles[color].contains(cell))
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// How many marbles a player has pushed off.
    #[inline]
    pub fn score(&self, color: Color) -> u8 {
        self.score[color]
    }

    /// Plies since the last ejection; no more than fit into 16 bits.
    #[inline]
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// Plies since the start of the game; even with Black to move. It stays at the last two values of 16 bits.
    #[inline]
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// The number of the move that is due, as games are numbered: one for both players' first.
    pub fn move_number(&self) -> u16 {
        self.ply / 2 + 1
    }

    /// A hash of marbles, scores and side to move, kept up to date by every move.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash computed anew.
    pub fn fresh_hash(&self) -> u64 {
        let mut hash = if self.turn == Color::White { hash::white_to_move() } else { 0 };
        for color in Color::ALL {
            hash ^= hash::score(color, self.score[color]);
            hash ^= self.marbles[color].iter().fold(0, |hash, cell| hash ^ hash::marble(color, cell));
        }
        hash
    }

    /// Whether two positions have the same marbles, scores and side to move, whatever their counters.
    pub fn same_board(&self, other: &Position) -> bool {
        self.marbles == other.marbles && self.score == other.score && self.turn == other.turn
    }

    /// The same board with the other side to move. (No rule allows passing; analysis needs it.)
    #[must_use]
    pub fn with_turn(self, turn: Color) -> Position {
        let flipped = if turn == self.turn { 0 } else { hash::white_to_move() };
        Position { turn, hash: self.hash ^ flipped, ..self }
    }

    /// The position with the players exchanged: colours, scores and turn.
    #[must_use]
    pub fn swapped(self) -> Position {
        let (marbles, score) = (self.marbles.swapped(), self.score.swapped());
        self.rebuilt(marbles, score, !self.turn)
    }

    /// The position with its cells carried elsewhere by a one-to-one map of the board.
    pub(crate) fn mapped(self, map: impl Fn(Bitboard) -> Bitboard) -> Position {
        self.rebuilt(self.marbles.map(map), self.score, self.turn)
    }

    fn rebuilt(self, marbles: ByColor<Bitboard>, score: ByColor<u8>, turn: Color) -> Position {
        let mut position = Position { marbles, score, turn, ..self };
        position.hash = position.fresh_hash();
        position
    }

    /// Plays a move, or says why it is not legal.
    pub fn play(self, m: Move) -> Result<Position, IllegalMove> {
        self.check(m)?;
        Ok(self.play_unchecked(m))
    }

    /// Plays a move that is known to be legal. With any other move the result is some position or other,
    /// not necessarily a valid one.
    #[inline(always)]
    #[must_use]
    pub fn play_unchecked(mut self, m: Move) -> Position {
        let mover = self.turn;
        self.turn = !mover;
        self.hash ^= hash::white_to_move();
        self.quiet = self.quiet.saturating_add(1);
        // Beyond the last move number the parity still says whose turn it is, as a FEN does.
        self.ply = if self.ply == u16::MAX { u16::MAX - 1 } else { self.ply + 1 };
        if m.is_broadside() {
            let cells = m.cells();
            for cell in cells ^ cells.shift(m.direction()) {
                self.toggle(mover, cell);
            }
            return self;
        }
        let (tail, direction) = (m.tail(), m.direction());
        let Some(target) = tail.steps(direction, m.count()) else { return self };
        self.toggle(mover, tail);
        self.toggle(mover, target);
        if self.marbles[!mover].contains(target) {
            self.push_from(target, direction);
        }
        self
    }

    /// Moves the enemy's marbles, one or two from this cell on, one step further, perhaps off the board.
    /// (The turn has passed: the marbles pushed belong to the side to move.)
    #[inline(always)]
    fn push_from(&mut self, first: Cell, direction: Direction) {
        let pushed = self.turn;
        self.toggle(pushed, first);
        let mut landing = first.step(direction);
        if landing.is_some_and(|cell| self.marbles[pushed].contains(cell)) {
            landing = landing.and_then(|cell| cell.step(direction));
        }
        match landing {
            Some(cell) => self.toggle(pushed, cell),
            None => self.eject(pushed),
        }
    }

    #[inline(always)]
    fn eject(&mut self, pushed: Color) {
        let score = &mut self.score[!pushed];
        self.hash ^= hash::score(!pushed, *score) ^ hash::score(!pushed, *score + 1);
        *score += 1;
        self.quiet = 0;
    }

    #[inline(always)]
    fn toggle(&mut self, color: Color, cell: Cell) {
        self.marbles[color] ^= Bitboard::from(cell);
        self.hash ^= hash::marble(color, cell);
    }
}

/// Why a set of marbles is no position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// A cell with a marble of each colour.
    Overlap(Cell),
    /// More than 14 marbles of one colour.
    TooManyMarbles {
        /// Whose marbles.
        color: Color,
        /// How many of them are on the board.
        on_board: usize,
    },
    /// More than 14 marbles of one colour, counting those pushed off.
    TooManyLost {
        /// Whose marbles.
        color: Color,
        /// How many of them are on the board.
        on_board: usize,
        /// How many of them the other side has pushed off.
        lost: u8,
    },
}

impl PositionError {
    /// The same as an error of the text that begins at this line and column.
    pub(crate) fn at(&self, place: (usize, usize)) -> ParseError {
        let (expected, found) = self.expected_and_found();
        ParseError::new(expected, found, place)
    }

    /// What a position must have, and what this one has.
    fn expected_and_found(&self) -> (String, String) {
        match self {
            PositionError::Overlap(cell) => {
                (format!("one marble on {cell}"), "one of each colour".to_string())
            }
            PositionError::TooManyMarbles { color, on_board } => {
                (format!("at most {MAX_MARBLES} marbles of {color}"), on_board.to_string())
            }
            PositionError::TooManyLost { color, on_board, lost } => (
                format!("at most {MAX_MARBLES} marbles of {color}"),
                format!("{on_board} on the board and {lost} pushed off"),
            ),
        }
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expected, found) = self.expected_and_found();
        write!(f, "expected {expected}, found {found}")
    }
}

impl std::error::Error for PositionError {}

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// A marble that should move is not there.
    NoMarble {
        /// The cell without an own marble.
        cell: Cell,
        /// The side to move.
        turn: Color,
    },
    /// More than three own marbles in the line.
    LineTooLong(Cell),
    /// An own marble stands in the way.
    OwnInTheWay(Cell),
    /// A broadside move needs this cell to be empty.
    NotEmpty(Cell),
    /// The enemy's marbles ahead are at least as many as the own ones that push.
    TooWeak {
        /// How many own marbles push.
        own: usize,
        /// The first enemy marble.
        enemy: Cell,
    },
    /// A marble stands behind the enemy's marbles.
    PushBlocked(Cell),
    /// An own marble would leave the board.
    LeavesBoard(Cell),
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::NoMarble { cell, turn } => {
                write!(f, "{turn} is to move and has no marble on {cell}")
            }
            IllegalMove::LineTooLong(cell) => {
                write!(f, "the line that begins at {cell} is longer than three marbles")
            }
            IllegalMove::OwnInTheWay(cell) => write!(f, "the mover's own marble on {cell} is in the way"),
            IllegalMove::NotEmpty(cell) => write!(f, "{cell} is not empty, and a broadside move cannot push"),
            IllegalMove::TooWeak { own, enemy } => {
                let marbles =
                    if *own == 1 { "one marble cannot" } else { "the line is not strong enough to" };
                write!(f, "{marbles} push what begins at {enemy}")
            }
            IllegalMove::PushBlocked(cell) => write!(f, "the push is blocked by the marble on {cell}"),
            IllegalMove::LeavesBoard(cell) => {
                write!(f, "the mover's own marble on {cell} would leave the board")
            }
        }
    }
}

impl std::error::Error for IllegalMove {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_fits_into_32_bytes() {
        assert!(size_of::<Position>() <= 32);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn positions_cells_and_moves_read_back_from_json() {
        let position = crate::Layout::named("snakes").expect("a layout").position();
        let all: Vec<(Position, Cell, Move)> =
            position.legal_moves().iter().map(|&m| (position.play_unchecked(m), m.tail(), m)).collect();
        let text = serde_json::to_string(&all).expect("plain data");
        assert_eq!(serde_json::from_str::<Vec<(Position, Cell, Move)>>(&text).expect("our own text"), all);
        assert!(serde_json::from_str::<Move>("65535").is_err());
        assert!(serde_json::from_str::<Position>("\"5/6\"").is_err());
    }
}
