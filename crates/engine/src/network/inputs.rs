//! The inputs of the network: which there are, how they are numbered, and which are on in a scene.
//!
//! Every input is on or off and belongs to one player's view, in which "own" is that player's. The first 122 are the
//! cells: 0 to 60 with an own marble, 61 to 121 with an enemy one. Further groups are optional and follow in this
//! order: the lines of 3, of 4 and of 5 cells, the scores, the clock. The last group, `turned`, has no inputs of its own:
//! with it each player sees the board turned and reflected, see [`orientation`].

use std::fmt;
use std::str::FromStr;

use sumito_rules::{Bitboard, Cell, Color, Symmetry};

use super::lines::{LINES, Lines};
use super::orientation::{TURNED, orientation};
use super::scene::Scene;

/// The groups of inputs that a network has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs(u8);

/// Inputs for a marble on each cell.
const CELLS: usize = 2 * Cell::COUNT;
/// Inputs for one to six marbles pushed off, by each player.
const SCORES: usize = 2 * Scene::MAX_SCORE as usize;
/// Inputs for the steps in which a cap comes nearer.
const CLOCKS: usize = Scene::CLOCKS as usize;

/// The places of the groups behind the lines.
const SCORE_GROUP: usize = 3;
const CLOCK_GROUP: usize = 4;
const TURNED_GROUP: usize = 5;

impl Inputs {
    /// The cells alone.
    pub const CELLS: Inputs = Inputs(0);
    /// The optional groups by name; their place is their bit in the file.
    const GROUPS: [(&'static str, usize); 6] = [
        ("lines3", LINES[0].inputs()),
        ("lines4", LINES[1].inputs()),
        ("lines5", LINES[2].inputs()),
        ("scores", SCORES),
        ("clock", CLOCKS),
        ("turned", 0),
    ];

    /// How many optional groups there are.
    pub(super) const GROUP_COUNT: usize = Inputs::GROUPS.len();

    /// The groups with these bits, if there are no others.
    pub(super) fn from_bits(bits: u32) -> Option<Inputs> {
        (bits < 1 << Inputs::GROUPS.len()).then_some(Inputs(bits as u8))
    }

    pub(super) fn bits(self) -> u32 {
        self.0.into()
    }

    fn has(self, group: usize) -> bool {
        self.0 >> group & 1 != 0
    }

    /// Whether there are inputs besides the cells.
    #[inline]
    fn has_more(self) -> bool {
        !self.are_numbered_as(Inputs::CELLS)
    }

    /// Whether both have the same inputs, of a board that is turned or not.
    pub fn are_numbered_as(self, other: Inputs) -> bool {
        (self.0 ^ other.0) & !(1 << TURNED_GROUP) == 0
    }

    /// The form in which a player with these marbles sees the board.
    #[inline]
    pub(super) fn orientation(self, own: Bitboard) -> Symmetry {
        if self.has(TURNED_GROUP) { orientation(own) } else { Symmetry::IDENTITY }
    }

    fn lines(self) -> impl Iterator<Item = &'static Lines> {
        LINES.iter().enumerate().filter(move |&(group, _)| self.has(group)).map(|(_, lines)| lines)
    }

    /// How many inputs there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(self) -> usize {
        let groups = (0..Inputs::GROUPS.len()).filter(|&group| self.has(group));
        CELLS + groups.map(|group| Inputs::GROUPS[group].1).sum::<usize>()
    }

    /// How many lines there are, of each of which one input can be on.
    pub fn line_count(self) -> usize {
        self.lines().map(Lines::count).sum()
    }

    /// The inputs that are on in one player's view, at most one of each of these ranges: what a bound on sums needs.
    /// The cells are not among them; see [`Inputs::len`] for the first 122.
    pub(super) fn exclusive(self) -> Vec<std::ops::Range<usize>> {
        let mut ranges = Vec::new();
        let mut start = CELLS;
        let mut add = |count: usize, size: usize| {
            for _ in 0..count {
                ranges.push(start..start + size);
                start += size;
            }
        };
        for lines in self.lines() {
            add(lines.count(), lines.inputs() / lines.count());
        }
        if self.has(SCORE_GROUP) {
            add(2, Scene::MAX_SCORE.into());
        }
        if self.has(CLOCK_GROUP) {
            add(1, CLOCKS);
        }
        ranges
    }

    /// Lists the inputs that are on in one player's view.
    pub fn active(self, scene: &Scene, view: Color, active: &mut Vec<u16>) {
        active.clear();
        let turn = self.orientation(scene.marbles[view]);
        let input = |cell: Cell| u16::from(TURNED[turn.index()][cell.index()]);
        active.extend(scene.marbles[view].iter().map(input));
        active.extend(scene.marbles[!view].iter().map(|cell| Cell::COUNT as u16 + input(cell)));
        if !self.has_more() {
            return;
        }
        let (own, enemy) = seen(scene, view, turn);
        let mut start = CELLS;
        for lines in self.lines() {
            let on = (0..lines.count()).filter_map(|line| lines.input(line, own, enemy));
            active.extend(on.map(|input| (start + input) as u16));
            start += lines.inputs();
        }
        if self.has(SCORE_GROUP) {
            active.extend(score_inputs(scene, view).map(|input| (start + input) as u16));
            start += SCORES;
        }
        if self.has(CLOCK_GROUP) {
            active.extend(clock_input(scene).map(|input| (start + input) as u16));
        }
    }

    /// Lists the inputs that differ between two scenes in the view of a player who sees both in this form.
    #[inline]
    pub(super) fn changes(
        self,
        from: &Scene,
        to: &Scene,
        (view, turn): (Color, Symmetry),
        changes: &mut Changes,
    ) {
        let (old, new) = (from.marbles[view], to.marbles[view]);
        let (old_enemy, new_enemy) = (from.marbles[!view], to.marbles[!view]);
        changes.added.set(new - old, new_enemy - old_enemy, turn);
        changes.removed.set(old - new, old_enemy - new_enemy, turn);
        if self.has_more() {
            self.further_changes(from, to, (view, turn), changes);
        }
    }

    fn further_changes(
        self,
        from: &Scene,
        to: &Scene,
        (view, turn): (Color, Symmetry),
        changes: &mut Changes,
    ) {
        let Changes { added, removed } = changes;
        let mut start = CELLS;
        let (own, enemy) = seen(to, view, turn);
        let (old_own, old_enemy) = seen(from, view, turn);
        let changed = (own ^ old_own) | (enemy ^ old_enemy);
        for lines in self.lines() {
            lines.through(changed, |line| {
                removed.extend(lines.input(line, old_own, old_enemy).map(|input| start + input));
                added.extend(lines.input(line, own, enemy).map(|input| start + input));
            });
            start += lines.inputs();
        }
        if self.has(SCORE_GROUP) {
            if from.score != to.score {
                removed.extend(score_inputs(from, view).map(|input| start + input));
                added.extend(score_inputs(to, view).map(|input| start + input));
            }
            start += SCORES;
        }
        if self.has(CLOCK_GROUP) && from.clock != to.clock {
            removed.extend(clock_input(from).map(|input| start + input));
            added.extend(clock_input(to).map(|input| start + input));
        }
    }
}

/// Own and enemy marbles in a player's view.
fn seen(scene: &Scene, view: Color, turn: Symmetry) -> (Bitboard, Bitboard) {
    (turn.bitboard(scene.marbles[view]), turn.bitboard(scene.marbles[!view]))
}

/// Nothing pushed off is no input; one marble is the first.
fn score_inputs(scene: &Scene, view: Color) -> impl Iterator<Item = usize> {
    let of = |color, base| usize::from(scene.score[color]).checked_sub(1).map(|score| base + score);
    of(view, 0).into_iter().chain(of(!view, Scene::MAX_SCORE.into()))
}

fn clock_input(scene: &Scene) -> Option<usize> {
    usize::from(scene.clock).checked_sub(1)
}

/// The inputs that go on and off from one scene to another.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    pub(super) added: List,
    pub(super) removed: List,
}

/// A list of inputs in a fixed place.
#[derive(Clone, Debug)]
pub(super) struct List {
    inputs: [u16; List::ROOM],
    length: usize,
}

impl List {
    /// More inputs than can be on at once: 28 cells, 306 lines, two scores and a clock.
    const ROOM: usize = 512;

    /// Holds the inputs of own and enemy marbles on these cells and no others.
    #[inline]
    fn set(&mut self, own: Bitboard, enemy: Bitboard, turn: Symmetry) {
        self.length = 0;
        self.extend_cells(own, 0, turn);
        self.extend_cells(enemy, Cell::COUNT as u16, turn);
    }

    /// Three are written at a time, whether there are so many or not: a move changes no more of one colour, and a
    /// loop's end that is hard to guess costs more.
    #[inline]
    fn extend_cells(&mut self, cells: Bitboard, first: u16, turn: Symmetry) {
        let turned = &TURNED[turn.index()];
        let (mut bits, mut at) = (cells.bits(), self.length);
        self.length += cells.len();
        loop {
            for place in &mut self.inputs[at..][..3] {
                *place = first + u16::from(turned[bits.trailing_zeros() as usize % 64]);
                bits &= bits.wrapping_sub(1);
            }
            at += 3;
            if bits == 0 {
                break;
            }
        }
    }

    fn extend(&mut self, inputs: impl IntoIterator<Item = usize>) {
        for input in inputs {
            self.inputs[self.length] = input as u16;
            self.length += 1;
        }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u16] {
        &self.inputs[..self.length]
    }
}

impl Default for List {
    fn default() -> List {
        List { inputs: [0; List::ROOM], length: 0 }
    }
}

impl fmt::Display for Inputs {
    /// The groups' names joined by `+`, as [`Inputs::from_str`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cells")?;
        (0..Inputs::GROUPS.len())
            .filter(|&group| self.has(group))
            .try_for_each(|group| write!(f, "+{}", Inputs::GROUPS[group].0))
    }
}

impl FromStr for Inputs {
    type Err = String;

    fn from_str(text: &str) -> Result<Inputs, String> {
        let mut bits = 0;
        for name in text.split('+').filter(|&name| name != "cells") {
            let group = Inputs::GROUPS.iter().position(|&(known, _)| known == name).ok_or_else(|| {
                let names = Inputs::GROUPS.map(|(name, _)| name).join(", ");
                format!("expected cells, perhaps with some of {names} joined by +, found '{name}'")
            })?;
            bits |= 1 << group;
        }
        Ok(Inputs(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::{Layout, Symmetry};

    #[test]
    fn the_groups_are_named_and_counted() {
        assert_eq!(Inputs::CELLS.len(), 122);
        assert_eq!("turned".parse::<Inputs>().unwrap().len(), 122);
        let all: Inputs = "cells+lines3+lines4+lines5+scores+clock+turned".parse().unwrap();
        assert_eq!(all.len(), 122 + 129 * 26 + 102 * 80 + 75 * 242 + 12 + 7);
        assert_eq!(all.to_string().parse(), Ok(all));
        assert_eq!("scores".parse::<Inputs>().unwrap().to_string(), "cells+scores");
        assert!("cells+liens3".parse::<Inputs>().unwrap_err().contains("found 'liens3'"));
        assert_eq!((Inputs::from_bits(63), Inputs::from_bits(64)), (Some(all), None));
    }

    #[test]
    fn active_inputs_are_distinct_and_in_range() {
        let all = Inputs::from_bits(63).unwrap();
        for layout in Layout::all() {
            let scene = Scene { clock: 3, ..Scene::new(&layout.position(), None) };
            for view in Color::ALL {
                let mut active = Vec::new();
                all.active(&scene, view, &mut active);
                let marbles = scene.marbles.black.len() + scene.marbles.white.len();
                assert!(active.len() > marbles && active.iter().all(|&input| usize::from(input) < all.len()));
                active.sort_unstable();
                assert!(active.windows(2).all(|pair| pair[0] != pair[1]));
            }
        }
    }

    #[test]
    fn at_most_one_input_of_an_exclusive_range_is_on() {
        let all = Inputs::from_bits(31).unwrap();
        let ranges = all.exclusive();
        assert_eq!((ranges[0].start, ranges.last().unwrap().end), (122, all.len()));
        let position = Layout::all()[2].position();
        let mut active = Vec::new();
        for symmetry in Symmetry::ALL {
            let scene = Scene::new(&symmetry.position(&position), Some(20));
            all.active(&scene, Color::White, &mut active);
            for range in &ranges {
                assert!(active.iter().filter(|&&input| range.contains(&input.into())).count() <= 1);
            }
        }
    }

    #[test]
    fn a_view_is_the_other_one_with_colours_swapped() {
        let all = Inputs::from_bits(63).unwrap();
        let position = Layout::all()[4].position();
        let (mut black, mut white) = (Vec::new(), Vec::new());
        all.active(&Scene::new(&position, Some(9)), Color::Black, &mut black);
        all.active(&Scene::new(&position.swapped(), Some(9)), Color::White, &mut white);
        assert_eq!(black, white);
    }
}
