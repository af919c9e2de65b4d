//! What the evaluation counts, each metric for one side: marbles are sets, so a metric is a few shifts and
//! population counts. The distances are in [`super::distance`].

use sumito_rules::{Bitboard, Color, Direction, Position};

/// `f` summed over the three axes, each a constant where `f` is inlined.
#[inline(always)]
fn over_axes(f: impl Fn(Direction) -> usize) -> i32 {
    (f(Direction::East) + f(Direction::NorthEast) + f(Direction::NorthWest)) as i32
}

/// `f` united over the six directions, each a constant where `f` is inlined.
#[inline(always)]
fn any_direction(f: impl Fn(Direction) -> Bitboard) -> Bitboard {
    f(Direction::East)
        | f(Direction::NorthEast)
        | f(Direction::NorthWest)
        | f(Direction::West)
        | f(Direction::SouthWest)
        | f(Direction::SouthEast)
}

/// Coherence as the thesis ran it (5.3): the own marbles in the star around each marble, an outer one only if
/// the marble between is own as well. Every pair and every row of three counts from both its ends.
#[inline(always)]
pub(super) fn star(own: Bitboard) -> i32 {
    2 * over_axes(|axis| {
        let pairs = own & own.before(axis);
        pairs.len() + (pairs & pairs.before(axis)).len()
    })
}

/// Coherence in the source paper's words (5.3): each marble's own neighbours, and a point for each three in
/// line.
pub(super) fn neighbours(own: Bitboard) -> i32 {
    over_axes(|axis| {
        let pairs = own & own.before(axis);
        2 * pairs.len() + (pairs & pairs.before(axis)).len()
    })
}

/// Coherence as the thesis proposes it (5.3): for each marble and axis 2 in a line of two, 3 in a longer one.
pub(super) fn lines(own: Bitboard) -> i32 {
    over_axes(|axis| {
        let (ahead, behind) = (own & own.before(axis), own & own.shift(axis));
        let ends = (ahead & ahead.before(axis)) | (behind & behind.shift(axis));
        2 * (ahead | behind).len() + ((ahead & behind) | ends).len()
    })
}

/// Own marbles with enemies on both ends of an axis.
#[inline(always)]
fn split(own: Bitboard, enemy: Bitboard, axis: Direction) -> Bitboard {
    own & enemy.shift(axis) & enemy.before(axis)
}

/// Formation break (4.2): own marbles between two enemies on at least one axis.
#[inline(always)]
pub(super) fn formation_break(own: Bitboard, enemy: Bitboard) -> i32 {
    let [a, b, c] = Direction::AXES.map(|axis| split(own, enemy, axis));
    (a | b | c).len() as i32
}

/// Formation break by axes (5.1): a marble counts for each axis on which it stands between two enemies.
pub(super) fn formation_break_axes(own: Bitboard, enemy: Bitboard) -> i32 {
    over_axes(|axis| split(own, enemy, axis).len())
}

/// Single and double capturing danger (4.3): the enemies next to each own marble on the rim, and the same for
/// those marbles with an own neighbour on the rim.
#[inline(always)]
pub(super) fn danger(own: Bitboard, enemy: Bitboard) -> (i32, i32) {
    let rim = own & Bitboard::RIM;
    let touched = rim & any_direction(|d| enemy.shift(d));
    if touched.is_empty() {
        return (0, 0);
    }
    let paired = touched & any_direction(|d| rim.shift(d));
    let count = |set: Bitboard| {
        Direction::ALL.into_iter().map(|d| (set & enemy.shift(d)).len()).sum::<usize>() as i32
    };
    (count(touched), if paired.is_empty() { 0 } else { count(paired) })
}

/// The own marbles that the enemy could push off in one move (5.2).
pub(super) fn in_immediate_danger(own: Bitboard, enemy: Bitboard) -> Bitboard {
    any_direction(|d| pushable(own, enemy, d) - Bitboard::ALL.before(d))
}

/// The same as the program counts it: rim marbles at the end of such a line, wherever the push would lead.
pub(super) fn in_immediate_danger_anyhow(own: Bitboard, enemy: Bitboard) -> Bitboard {
    any_direction(|d| pushable(own, enemy, d) & Bitboard::RIM)
}

/// The own marbles that have behind them, against the direction, two enemies, or an own and three enemies.
#[inline(always)]
fn pushable(own: Bitboard, enemy: Bitboard, d: Direction) -> Bitboard {
    let two = (enemy & enemy.shift(d)).shift(d);
    let three = (enemy.shift(d) & enemy & enemy.shift(d).shift(d)).shift(d);
    own & (two | (own & three).shift(d))
}

/// How many own marbles can be pushed off at once and, were their owner to move, after any move of theirs.
pub(super) fn trapped(position: &Position, color: Color) -> i32 {
    let mut trapped = in_immediate_danger(position.marbles(color), position.marbles(!color));
    if trapped.is_empty() {
        return 0;
    }
    let position = position.with_turn(color);
    position.for_each_move(|m| {
        let next = position.play_unchecked(m);
        let danger = in_immediate_danger(next.marbles(color), next.marbles(!color));
        let moved = trapped & m.cells();
        let fled = (moved.shift(m.direction()) - danger).before(m.direction());
        trapped -= fled | ((trapped - moved) - danger);
    });
    trapped.len() as i32
}

/// Triangulation (5.1): triangles of own marbles with one cell between each two corners, of which the enemy wants at
/// least one.
pub(super) fn triangulation(own: Bitboard, wanted: Bitboard) -> i32 {
    let two = |set: Bitboard, d: Direction| set.before(d).before(d);
    let of = |third: Direction| {
        let corners = own & two(own, Direction::East) & two(own, third);
        (corners & (wanted | two(wanted, Direction::East) | two(wanted, third))).len()
    };
    (of(Direction::NorthEast) + of(Direction::SouthEast)) as i32
}

/// Desired positions (5.1): the cells that an enemy marble wants to take. The thesis asks when an opponent is likely to
/// want a position, and defines no more; in 6.2 and 6.3 it says that both sides want the middle. So a cell is wanted if
/// an enemy marble stands next to it, further from the middle than it is.
pub(super) fn desired(enemy: Bitboard) -> Bitboard {
    let inward = |ring: u8, beyond: Bitboard| Bitboard::ring(ring) & (enemy & beyond).neighbours();
    let [one, two, three, four] = super::distance::BEYOND;
    inward(0, one) | inward(1, two) | inward(2, three) | inward(3, four)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::Cell;

    fn set(cells: &str) -> Bitboard {
        cells.split_whitespace().map(|cell| cell.parse::<Cell>().expect("a cell")).collect()
    }

    fn triangles(own: Bitboard) -> i32 {
        triangulation(own, Bitboard::ALL)
    }

    #[test]
    fn the_enemy_wants_the_cells_beside_it_that_are_nearer_to_the_middle() {
        // From the corner E9 only E8 is nearer; from E6 the middle; from the middle nothing.
        assert_eq!(desired(set("e9")), set("e8"));
        assert_eq!(desired(set("e6")), set("e5"));
        assert_eq!(desired(set("e5")), Bitboard::EMPTY);
        // G8 stands three away, between two lines to the middle: F7 and G7 are two away.
        assert_eq!(desired(set("g8")), set("f7 g7"));
    }

    #[test]
    fn a_triangle_counts_if_one_of_its_corners_is_wanted() {
        let own = set("e3 e5 g5");
        for corner in ["e3", "e5", "g5"] {
            assert_eq!(triangulation(own, set(corner)), 1, "{corner}");
        }
        assert_eq!(triangulation(own, set("e4 f5")), 0);
    }

    #[test]
    fn a_row_of_three_scores_as_each_coherence_says() {
        // Star: the ends see two marbles each, the middle two: 6. Source: neighbours 1 + 2 + 1, one bonus.
        // Proposed: three marbles in a line of three, 3 each.
        let row = set("e4 e5 e6");
        assert_eq!((star(row), neighbours(row), lines(row)), (6, 5, 9));
    }

    #[test]
    fn the_fourth_marble_of_a_row_adds_less_than_the_third_in_the_proposed_coherence() {
        // Star: pairs 3, triples 2, both from two ends: 10. Source: 6 neighbours, two triples. Proposed:
        // 4 x 3.
        let row = set("e4 e5 e6 e7");
        assert_eq!((star(row), neighbours(row), lines(row)), (10, 8, 12));
        assert!(lines(row) - lines(set("e4 e5 e6")) < lines(set("e4 e5 e6")) - lines(set("e4 e5")));
    }

    #[test]
    fn the_middle_of_a_full_star_sees_twelve_marbles() {
        // The star of figure 5.3a, minus the same board without its middle: 12 for the middle itself and,
        // from each of the 6 inner marbles, the middle and the marble behind it; from each of the 6 outer,
        // the middle.
        let around = set("e4 e6 f5 f6 d4 d5 e3 e7 g5 g7 c3 c5");
        assert_eq!(star(around | set("e5")) - star(around), 12 + 6 * 2 + 6);
    }

    #[test]
    fn a_marble_between_two_enemies_breaks_the_formation_once_and_for_each_axis() {
        let one = set("e4 e6");
        let three = set("e4 e6 f5 d5 f6 d4");
        assert_eq!((formation_break(set("e5"), one), formation_break_axes(set("e5"), one)), (1, 1));
        assert_eq!((formation_break(set("e5"), three), formation_break_axes(set("e5"), three)), (1, 3));
        assert_eq!(formation_break(set("e5"), set("e4 f5")), 0);
    }

    #[test]
    fn danger_counts_enemies_beside_rim_marbles_and_twice_for_a_pair() {
        // A3 touches B3 and B4; alone it is in single danger only.
        assert_eq!(danger(set("a3"), set("b3 b4")), (2, 0));
        // A4 touches B4 too: 3 in all, and both are partners on the rim.
        assert_eq!(danger(set("a3 a4"), set("b3 b4")), (3, 3));
        // A marble off the rim is in no danger.
        assert_eq!(danger(set("b3"), set("c3 c4")), (0, 0));
    }

    #[test]
    fn immediate_danger_needs_a_push_over_the_rim() {
        assert_eq!(in_immediate_danger(set("a3"), set("b3 c3")), set("a3"));
        // Three push two, two do not.
        assert_eq!(in_immediate_danger(set("a3 b3"), set("c3 d3 e3")), set("a3"));
        assert_eq!(in_immediate_danger(set("a3 b3"), set("c3 d3")), Bitboard::EMPTY);
        // Along the rim the marble would stay on the board; the program counts it nevertheless.
        assert_eq!(in_immediate_danger(set("a3"), set("a1 a2")), Bitboard::EMPTY);
        assert_eq!(in_immediate_danger_anyhow(set("a3"), set("a1 a2")), set("a3"));
    }

    #[test]
    fn a_marble_is_trapped_when_no_move_of_its_owner_saves_it() {
        let position = |white: &str, black: &str| {
            let marbles = sumito_rules::ByColor::new(set(black), set(white));
            Position::new(marbles, Color::Black).expect("a position")
        };
        // A3 steps aside.
        assert_eq!(trapped(&position("a3", "b3 c3"), Color::White), 0);
        // In the corner A1 with both neighbours on the rim taken, it cannot.
        assert_eq!(trapped(&position("a1", "b2 c3 a2 b1"), Color::White), 1);
        // A marble in no danger is not trapped.
        assert_eq!(trapped(&position("a1", "a2 b1 b2"), Color::White), 0);
    }

    #[test]
    fn a_perfect_triangulation_is_one_of_three_sets_of_14_cells_none_of_which_can_be_pushed() {
        let parity = |row: u8, number: u8| -> Bitboard {
            let alike = |cell: &Cell| (cell.row() % 2, cell.number() % 2) == (row, number);
            Cell::ALL.into_iter().filter(alike).collect()
        };
        for own in [parity(1, 0), parity(0, 1), parity(0, 0)] {
            assert_eq!(own.len(), 14);
            assert_eq!(any_direction(|d| pushable(own, !own, d)), Bitboard::EMPTY);
            assert!(triangles(own) > 14, "{}", triangles(own));
        }
    }

    #[test]
    fn triangles_are_counted_once_in_both_orientations() {
        assert_eq!(triangles(set("e3 e5 g5")), 1);
        assert_eq!(triangles(set("e3 e5 c3")), 1);
        assert_eq!(triangles(set("e3 e5 g5 c3")), 2);
        assert_eq!(triangles(set("e4 e5 f5")), 0);
    }
}
