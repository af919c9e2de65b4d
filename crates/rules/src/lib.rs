//! The rules of Abalone, and nothing else: no evaluation, no search, no input or output.
//!
//! Start with [`Position`] for the board and its moves, [`Game`] for a game and its end, [`Notation`] and
//! [`PositionFormat`] for text, [`record`] for files of games.
//!
//! ```
//! use sumito_rules::{Layout, Notation, perft};
//! let start = Layout::named("belgian-daisy").expect("a layout").position();
//! assert_eq!(perft::count(&start, 2), 2692);
//! let m = Notation::AbaPro.parse(&start, "a1b2").expect("a legal move");
//! let next = start.play(m).expect("a legal move");
//! assert!(next.is_legal(next.legal_moves()[0]) && !next.is_legal(m));
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod bitboard;
mod cell;
mod color;
mod cursor;
pub mod diagram;
mod error;
pub mod fen;
mod format;
mod game;
mod hash;
mod layout;
mod layouts;
mod movegen;
mod moves;
mod notation;
pub mod perft;
mod position;
pub mod record;
mod rules;
mod symmetry;

pub use bitboard::{Bitboard, Iter};
pub use cell::{Cell, Direction};
pub use color::{ByColor, Color};
pub use error::ParseError;
pub use format::{PositionFormat, write_marbles};
pub use game::{Game, Outcome, PlayError, Reason};
pub use layout::Layout;
pub use layouts::UnknownLayout;
pub use moves::{Move, MoveList};
pub use notation::{MoveError, Notation, Refusal};
pub use position::{IllegalMove, MAX_MARBLES, MAX_MOVE_NUMBER, Position, PositionError};
pub use rules::{AtCap, Repetition, Rules, TimeRule};
pub use symmetry::Symmetry;
