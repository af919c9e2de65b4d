//! What a starting layout is. All of them are in `layouts`.

use crate::color::Color;
use crate::format;
use crate::position::Position;

/// A starting layout, Black to move.
///
/// ```
/// use sumito_rules::Layout;
/// let wall = Layout::named("Le Mur").expect("an alias");
/// assert_eq!((wall.name, wall.agree, wall.is_disputed()), ("the-wall", 3, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Layout {
    /// The name by which programs know it, such as `belgian-daisy`. It never changes.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// Other names under which [`Layout::named`] finds it.
    pub aliases: &'static [&'static str],
    /// The 61 cells, row I first, of `b`, `w` and `.`.
    pub cells: &'static str,
    /// How many independent sources have exactly these cells.
    pub agree: u8,
    /// How many sources have a layout of this name.
    pub sources: u8,
    /// What the sources disagree about; empty if they don't.
    pub dispute: &'static str,
}

impl Layout {
    /// The starting position.
    pub fn position(&self) -> Position {
        format::parse_cells(self.cells, Color::Black).expect("a layout's cells are valid")
    }

    /// Whether the sources disagree about the cells.
    pub fn is_disputed(&self) -> bool {
        !self.dispute.is_empty()
    }

    /// Its name and its aliases.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}
