//! Moves as text, in the notations that are in use.
//!
//! A token does not tell which notation it is in, so a file must say so. Reading goes in two steps: first
//! the cells of the token ([`ParseError`] if it has none), then the move they mean in a position.

use std::fmt;
use std::str::FromStr;

use crate::cell::{Cell, Direction};
use crate::cursor::{Cursor, quoted};
use crate::error::ParseError;
use crate::moves::Move;
use crate::position::{IllegalMove, Position};

/// A way to write moves.
///
/// ```
/// use sumito_rules::{Layout, Notation};
/// let start = Layout::named("belgian-daisy").expect("a layout").position();
/// let m = Notation::AbaPro.parse(&start, "a1b2")?;
/// assert_eq!(Notation::Nacre.write(&start, m), "a1d4");
/// assert_eq!(Notation::Bcit.write(&start, m), "i-A1-1");
/// # Ok::<(), sumito_rules::MoveError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Notation {
    /// `a1b2`: the rearmost marble and the cell it moves to. Sideways `c6c7d6`: both ends, then the cell to
    /// which the first one goes; the lower end is written first, either is read.
    #[default]
    AbaPro,
    /// `a1d4`: the rearmost marble and the cell to which the foremost own marble goes. Sideways `e7f5`: an
    /// end and the cell to which the other end goes.
    Nacre,
    /// As Nacre, but in line the cell to which the foremost marble of all goes, own or pushed, or from which
    /// it is ejected.
    PlayStrategy,
    /// `i-A2-1`: the rearmost marble and the hour of the clock to which it goes. Sideways `s-C4-D5-11`.
    Bcit,
    /// As Aba-Pro, but sideways the third cell is where the leading end goes.
    Verloop,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 5] =
        [Notation::AbaPro, Notation::Nacre, Notation::PlayStrategy, Notation::Bcit, Notation::Verloop];

    /// The name by which programs know it.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::AbaPro => "aba-pro",
            Notation::Nacre => "nacre",
            Notation::PlayStrategy => "playstrategy",
            Notation::Bcit => "bcit",
            Notation::Verloop => "verloop",
        }
    }

    /// The name in the `Notation` tag of a game record.
    pub const fn tag(self) -> &'static str {
        match self {
            Notation::AbaPro => "Aba-Pro",
            Notation::Nacre => "Nacre",
            Notation::PlayStrategy => "PlayStrategy UCI",
            Notation::Bcit => "BCIT",
            Notation::Verloop => "Verloop",
        }
    }

    /// Reads a move in a position; it is legal there.
    pub fn parse(self, position: &Position, text: &str) -> Result<Move, MoveError> {
        self.parse_at(position, text, (1, 1))
    }

    /// Like [`Notation::parse`], for a token that begins at this line and column of a larger text.
    pub fn parse_at(self, position: &Position, text: &str, place: (usize, usize)) -> Result<Move, MoveError> {
        let written = Written::read(self, &mut Cursor::at(text, place)).map_err(MoveError::Syntax)?;
        let illegal =
            |why| MoveError::Illegal { text: text.to_string(), line: place.0, column: place.1, why };
        let m = self.resolve(position, written).map_err(illegal)?;
        position.check(m).map_err(|why| illegal(Refusal::Rule(why)))?;
        Ok(m)
    }

    /// Writes a move that is legal in the position.
    pub fn write(self, position: &Position, m: Move) -> String {
        let (tail, head, direction) = (m.tail(), m.head(), m.direction());
        let after = |cell: Cell| cell.step(direction).unwrap_or(cell);
        match self {
            Notation::Bcit if m.is_broadside() => format!("s-{tail:?}-{head:?}-{}", direction.hour()),
            Notation::Bcit => format!("i-{tail:?}-{}", direction.hour()),
            Notation::AbaPro | Notation::Verloop if !m.is_broadside() => format!("{tail}{}", after(tail)),
            Notation::AbaPro => format!("{tail}{head}{}", after(tail)),
            Notation::Verloop if head_leads(m) => format!("{tail}{head}{}", after(head)),
            Notation::Verloop => format!("{tail}{head}{}", after(tail)),
            Notation::Nacre | Notation::PlayStrategy if m.is_broadside() => {
                let (from, to) = if head_leads(m) { (tail, head) } else { (head, tail) };
                format!("{from}{}", after(to))
            }
            Notation::Nacre => format!("{tail}{}", after(head)),
            Notation::PlayStrategy => format!("{tail}{}", last_of_column(position, m)),
        }
    }

    /// The move that a token means. It need not be legal.
    fn resolve(self, position: &Position, written: Written) -> Result<Move, Refusal> {
        match written {
            Written::Inline(tail, direction) => in_line(position, tail, direction),
            Written::Broadside(a, b, direction) => sideways(a, b, direction),
            Written::Three(a, b, to) => {
                let leads = if self == Notation::Verloop && a.direction_to(to).is_none() { b } else { a };
                let direction = leads.direction_to(to).ok_or(Refusal::NotNeighbours(leads, to))?;
                sideways(a, b, direction)
            }
            Written::Two(from, to) if matches!(self, Notation::AbaPro | Notation::Verloop) => {
                let direction = from.direction_to(to).ok_or(Refusal::NotNeighbours(from, to))?;
                in_line(position, from, direction)
            }
            Written::Two(from, to) => match from.line_to(to) {
                None => knight(position, from, to),
                Some((direction, _)) => {
                    let m = in_line(position, from, direction)?;
                    let is_last = if self == Notation::Nacre {
                        m.head().step(direction) == Some(to)
                    } else {
                        last_of_column(position, m) == to
                    };
                    if is_last { Ok(m) } else { Err(Refusal::NoLine(from, to)) }
                }
            },
        }
    }
}

/// Whether the higher end of a broadside move is in front: the direction is then 60 degrees off the line
/// from the lower to the higher end, and otherwise 120.
fn head_leads(m: Move) -> bool {
    [m.line().turned(1), m.line().turned(5)].contains(&m.direction())
}

/// Where the foremost marble of a move in line ends up, or the rim cell from which it is ejected.
fn last_of_column(position: &Position, m: Move) -> Cell {
    let steps = m.count() + position.pushed(m);
    let landing = m.tail().steps(m.direction(), steps).or_else(|| m.tail().steps(m.direction(), steps - 1));
    landing.unwrap_or(m.tail())
}

/// The move in line of all own marbles from the tail on.
fn in_line(position: &Position, tail: Cell, direction: Direction) -> Result<Move, Refusal> {
    let own = position.own();
    if !own.contains(tail) {
        return Err(IllegalMove::NoMarble { cell: tail, turn: position.turn() }.into());
    }
    let mut head = tail;
    let mut count = 1;
    while let Some(next) = head.step(direction).filter(|&cell| own.contains(cell)) {
        head = next;
        count += 1;
    }
    if count > 3 {
        return Err(IllegalMove::LineTooLong(tail).into());
    }
    Move::inline(tail, direction, count).ok_or(IllegalMove::LeavesBoard(head).into())
}

fn sideways(a: Cell, b: Cell, direction: Direction) -> Result<Move, Refusal> {
    match Move::broadside(a, b, direction) {
        Some(m) => Ok(m),
        None => Err([a, b]
            .into_iter()
            .find(|cell| cell.step(direction).is_none())
            .map_or(Refusal::NotSideways(a, b, direction), |cell| IllegalMove::LeavesBoard(cell).into())),
    }
}

/// The broadside move given by one end and the landing cell of the other. A pair can be meant in two
/// ways, but at most one of them is legal, since each needs a cell empty on which the other has a marble.
fn knight(position: &Position, from: Cell, to: Cell) -> Result<Move, Refusal> {
    let mut refusal = Refusal::NoLine(from, to);
    for line in Direction::ALL {
        for direction in [line.turned(1), line.turned(5)] {
            for end in [1, 2].into_iter().filter_map(|steps| from.steps(line, steps)) {
                if end.step(direction) != Some(to) {
                    continue;
                }
                let Some(m) = Move::broadside(from, end, direction) else { continue };
                match position.check(m) {
                    Ok(()) => return Ok(m),
                    Err(why) => refusal = why.into(),
                }
            }
        }
    }
    Err(refusal)
}

/// What a token says, before anything is known about the position.
#[derive(Clone, Copy)]
enum Written {
    Two(Cell, Cell),
    Three(Cell, Cell, Cell),
    Inline(Cell, Direction),
    Broadside(Cell, Cell, Direction),
}

impl Written {
    fn read(notation: Notation, cursor: &mut Cursor<'_>) -> Result<Written, ParseError> {
        let written = match notation {
            Notation::Bcit => Written::read_bcit(cursor)?,
            _ => {
                let (first, second) = (Cell::read(cursor)?, Cell::read(cursor)?);
                let three = matches!(notation, Notation::AbaPro | Notation::Verloop) && !cursor.is_at_end();
                if three {
                    Written::Three(first, second, Cell::read(cursor)?)
                } else {
                    Written::Two(first, second)
                }
            }
        };
        cursor.end()?;
        Ok(written)
    }

    fn read_bcit(cursor: &mut Cursor<'_>) -> Result<Written, ParseError> {
        let kind = cursor.peek();
        if !matches!(kind, Some('i' | 'I' | 's' | 'S')) {
            return Err(cursor.error("i- (in line) or s- (sideways)"));
        }
        cursor.next();
        cursor.expect('-')?;
        let first = Cell::read(cursor)?;
        cursor.expect('-')?;
        if matches!(kind, Some('i' | 'I')) {
            return Ok(Written::Inline(first, Written::read_hour(cursor)?));
        }
        let second = Cell::read(cursor)?;
        cursor.expect('-')?;
        Ok(Written::Broadside(first, second, Written::read_hour(cursor)?))
    }

    fn read_hour(cursor: &mut Cursor<'_>) -> Result<Direction, ParseError> {
        let before = cursor.clone();
        let digits = cursor.take_while(|c| c.is_ascii_digit());
        let direction = digits.parse().ok().and_then(Direction::from_hour);
        direction.ok_or_else(|| match digits {
            "" => before.error("an hour (1, 3, 5, 7, 9 or 11)"),
            _ => before.error_at("an hour (1, 3, 5, 7, 9 or 11)", quoted(digits)),
        })
    }
}

/// Why a token is no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is a move, but against the rules.
    Rule(IllegalMove),
    /// The second cell must be next to the first.
    NotNeighbours(Cell, Cell),
    /// The cells are not the ends of a line of two or three that this direction moves sideways.
    NotSideways(Cell, Cell, Direction),
    /// No line of marbles moves like this.
    NoLine(Cell, Cell),
}

impl From<IllegalMove> for Refusal {
    fn from(why: IllegalMove) -> Refusal {
        Refusal::Rule(why)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Rule(why) => why.fmt(f),
            Refusal::NotNeighbours(a, b) => write!(f, "{a} and {b} are not neighbours"),
            Refusal::NotSideways(a, b, direction) => {
                write!(
                    f,
                    "{a} and {b} are not the ends of a line of two or three that can move sideways to the {direction}"
                )
            }
            Refusal::NoLine(from, to) => write!(f, "no line of marbles moves from {from} to {to}"),
        }
    }
}

/// Why a token could not be read as a legal move.
///
/// ```
/// use sumito_rules::{Layout, MoveError, Notation};
/// let start = Layout::named("standard").expect("a layout").position();
/// assert!(matches!(Notation::AbaPro.parse(&start, "hello"), Err(MoveError::Syntax(_))));
/// assert!(matches!(Notation::AbaPro.parse(&start, "i5h5"), Err(MoveError::Illegal { .. })), "White's marble");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The token is not written in the notation.
    Syntax(ParseError),
    /// The token is well written, but no legal move in the position.
    Illegal {
        /// The token.
        text: String,
        /// Its line, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// What is wrong with it.
        why: Refusal,
    },
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Syntax(error) => error.fmt(f),
            MoveError::Illegal { text, line, column, why } => {
                let text = quoted(text);
                write!(f, "line {line}, column {column}: expected a legal move, found {text}: {why}")
            }
        }
    }
}

impl std::error::Error for MoveError {}

impl FromStr for Notation {
    type Err = ParseError;

    /// Reads a notation's name as programs or game records write it. A comment in parentheses may follow.
    fn from_str(name: &str) -> Result<Notation, ParseError> {
        let bare = name.split('(').next().unwrap_or_default().trim().to_lowercase().replace([' ', '_'], "-");
        let bare = if bare == "playstrategy-uci" { "playstrategy" } else { &bare };
        Notation::ALL.into_iter().find(|notation| notation.name() == bare).ok_or_else(|| {
            let expected = "a notation (aba-pro, nacre, playstrategy, bcit, verloop)";
            ParseError::new(expected, quoted(name), (1, 1))
        })
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.tag())
    }
}
