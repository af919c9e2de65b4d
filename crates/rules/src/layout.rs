//! Starting layouts by name.

use std::fmt;

use crate::color::Color;
use crate::format;
use crate::layouts::LAYOUTS;
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
    /// All layouts, the best known first.
    pub fn all() -> &'static [Layout] {
        &LAYOUTS
    }

    /// The layout with this name or alias; case, blanks and underscores do not matter.
    pub fn named(name: &str) -> Option<&'static Layout> {
        let wanted = normal(name);
        Layout::all().iter().find(|layout| layout.names().any(|name| name == wanted))
    }

    /// Like [`Layout::named`], with an error that names the nearest layouts.
    pub fn find(name: &str) -> Result<&'static Layout, UnknownLayout> {
        Layout::named(name).ok_or_else(|| UnknownLayout { name: name.to_string() })
    }

    /// The starting position.
    pub fn position(&self) -> Position {
        format::parse_cells(self.cells, Color::Black).expect("a layout's cells are valid")
    }

    /// Whether the sources disagree about the cells.
    pub fn is_disputed(&self) -> bool {
        !self.dispute.is_empty()
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

/// Lower case, with one `-` between words.
fn normal(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || c == '_' || c == '-');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-").to_lowercase()
}

/// A name that no layout has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLayout {
    /// The name.
    pub name: String,
}

impl UnknownLayout {
    /// The known names that are spelt most like it, at most three.
    pub fn near_misses(&self) -> Vec<&'static str> {
        near_misses(&normal(&self.name), Layout::all().iter().flat_map(Layout::names))
    }
}

impl fmt::Display for UnknownLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected the name of a layout, found '{}'", self.name)?;
        match self.near_misses().as_slice() {
            [] => Ok(()),
            near => write!(f, " (did you mean {}?)", near.join(" or ")),
        }
    }
}

impl std::error::Error for UnknownLayout {}

/// The at most three candidates spelt most like a word: at most a quarter of its letters and one off, or beginning
/// with it.
pub fn near_misses<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|name| (if !word.is_empty() && name.starts_with(word) { 0 } else { edits(word, name) }, name))
        .filter(|(edits, _)| *edits <= 1 + word.chars().count() / 4)
        .collect();
    near.sort();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// What to say about a word that is none of the candidates: those it may be meant for, or else all of them.
pub fn suggestion(word: &str, candidates: &[&str]) -> String {
    match near_misses(word, candidates.iter().copied()).as_slice() {
        [] => format!("expected one of {}", candidates.join(", ")),
        near => format!("did you mean {}", near.join(", ")),
    }
}

/// The Levenshtein distance.
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let cost = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[b.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetry::Symmetry;

    #[test]
    fn every_name_and_alias_is_kebab_case_and_unique() {
        let mut names: Vec<_> = Layout::all().iter().flat_map(Layout::names).collect();
        assert!(names.iter().all(|name| normal(name) == *name && name.is_ascii()));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(Layout::all().len(), 73);
    }

    #[test]
    fn disputed_layouts_are_those_without_full_agreement() {
        for layout in Layout::all() {
            // One source has the Belgian Daisy with colours exchanged: its own mirror image, so the same game.
            let start = layout.position();
            let exchanged = start.swapped().with_turn(Color::Black);
            let same_game = Symmetry::ALL.iter().any(|s| s.position(&start).same_board(&exchanged));
            let agreed = layout.agree == layout.sources || layout.name == "belgian-daisy" && same_game;
            assert_eq!(layout.is_disputed(), !agreed, "{}", layout.name);
        }
    }

    #[test]
    fn an_unknown_name_shows_its_near_misses() {
        let error = Layout::find("belgian-dasy").expect_err("misspelt");
        assert_eq!(error.near_misses()[0], "belgian-daisy");
        assert_eq!(Layout::find("zzzzzz").expect_err("nothing like it").near_misses(), [""; 0]);
    }
}
