//! What the attacker is after, and what can be said of a position at sight.
//!
//! The attacker wins with the last marble that the rules ask for, or by leaving the other side without a move. A
//! draw, a loss and a cap, even with a lead, are no win.
//!
//! Repetition needs no history inside the search. A side that wins at all also wins along moves that each bring
//! the end nearer, and on such a way no position comes twice. So repetition can only harm through what was played
//! before the search: the positions that the game's own past makes drawn are drawn wherever they turn up, and the
//! worth of a position is the same on every way to it.

use sumito_rules::{Color, Game, Position, Repetition};

/// The most moves that a win can be asked for.
pub(super) const MOST_MOVES: u8 = 120;

/// What the attacker is after.
pub(super) struct Goal {
    pub(super) attacker: Color,
    marbles_to_win: u8,
    /// The most moves in which the attacker may win.
    pub(super) most: u8,
    /// Positions that the game's past makes drawn.
    drawn: Vec<Position>,
    /// Whether a position may be taken for drawn that is not: no disproof is then certain.
    pub(super) is_strict: bool,
    /// So many plies without an ejection end the game, and it may come to that.
    quiet_cap: Option<u32>,
}

/// What is seen at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// The attacker wins in so many moves.
    Won(u8),
    /// The attacker does not win in the moves that are left.
    Lost,
    /// Neither is seen.
    Open,
}

impl Goal {
    /// The goal of winning a game in at most so many moves.
    pub(super) fn new(game: &Game, attacker: Color, most: Option<u32>) -> Goal {
        let rules = game.rules();
        let begins = u32::from(game.turn() == attacker);
        let to_cap = |cap: u32| (cap.saturating_sub(game.moves().len() as u32) + begins) / 2;
        let most = [most, rules.ply_cap.map(to_cap)].into_iter().flatten().min();
        let most = most.map_or(MOST_MOVES, |most| most.min(MOST_MOVES.into()) as u8);
        let longest_quiet = u32::from(game.position().quiet()) + 2 * u32::from(most);
        let (drawn, is_strict) = drawn_by_the_past(game);
        Goal {
            attacker,
            marbles_to_win: rules.marbles_to_win,
            most,
            drawn,
            is_strict,
            quiet_cap: rules.quiet_cap.filter(|&cap| longest_quiet >= cap),
        }
    }

    /// Marbles that a side has yet to push off.
    pub(super) fn needs(&self, position: &Position, color: Color) -> u8 {
        self.marbles_to_win.saturating_sub(position.score(color))
    }

    /// Whether the attacker has won, the other side being to move.
    pub(super) fn is_reached(&self, position: &Position) -> bool {
        let blocked = position.turn() != self.attacker && !position.can_move();
        self.needs(position, self.attacker) == 0 || blocked
    }

    /// The plies without an ejection, if they can decide the game: they are then part of the position.
    pub(super) fn quiet(&self, position: &Position) -> u16 {
        if self.quiet_cap.is_some() { position.quiet() } else { 0 }
    }

    /// What is seen of a position just reached, with so many moves left to the attacker.
    #[inline]
    pub(super) fn sight(&self, position: &Position, left: u8) -> Sight {
        if position.turn() == self.attacker {
            self.attacker_sight(position, left)
        } else {
            self.defender_sight(position, left)
        }
    }

    #[inline]
    fn defender_sight(&self, position: &Position, left: u8) -> Sight {
        let (needs, defender) = (self.needs(position, self.attacker), !self.attacker);
        if needs == 0 {
            return Sight::Won(0);
        }
        let room = room(position, defender);
        if room == 0 && !position.can_move() {
            return Sight::Won(0);
        }
        let hopeless = left == 0 || needs > left && room > SHUT_BY_BOTH * u32::from(left);
        let loses = || self.needs(position, defender) == 1 && position.count_ejections(defender) > 0;
        if hopeless || self.is_drawn(position) || loses() { Sight::Lost } else { Sight::Open }
    }

    #[inline]
    fn attacker_sight(&self, position: &Position, left: u8) -> Sight {
        let lost = self.needs(position, !self.attacker) == 0;
        if lost || left == 0 || self.is_drawn(position) {
            return Sight::Lost;
        }
        if self.needs(position, self.attacker) == 1 && position.count_ejections(self.attacker) > 0 {
            return Sight::Won(1);
        }
        let needs = self.needs(position, self.attacker);
        if (needs > left || left == 1) && self.is_roomy(position, left) {
            return Sight::Lost;
        }
        if left > 1 {
            return Sight::Open;
        }
        if self.can_block(position) { Sight::Won(1) } else { Sight::Lost }
    }

    /// Whether only ejections can win, with the attacker to move and so many moves left.
    pub(super) fn must_eject(&self, position: &Position, left: u8) -> bool {
        self.needs(position, self.attacker) >= left && self.is_roomy(position, left)
    }

    /// Whether the defender is sure to have a move until the attacker, who is to move, has made so many.
    #[inline]
    fn is_roomy(&self, position: &Position, left: u8) -> bool {
        room(position, !self.attacker) > SHUT_BY_ATTACKER + SHUT_BY_BOTH * (u32::from(left) - 1)
    }

    /// Whether a move leaves the defender without one.
    #[cold]
    fn can_block(&self, position: &Position) -> bool {
        position.legal_moves().into_iter().any(|m| {
            let next = position.play_unchecked(m);
            !next.can_move()
        })
    }

    /// Whether the game ends here without a win, though both sides can move.
    #[inline]
    fn is_drawn(&self, position: &Position) -> bool {
        self.quiet_cap.is_some_and(|cap| u32::from(position.quiet()) >= cap)
            || self.drawn.iter().any(|drawn| drawn.same_board(position))
    }
}

/// Empty cells beside the marbles of a side. As long as there is one, the side has a move.
#[inline]
fn room(position: &Position, color: Color) -> u32 {
    (position.marbles(color).neighbours() & position.empty()).len() as u32
}

/// The most by which a move of the attacker lessens the defender's room. A marble that is pushed on leaves at most
/// two empty neighbours behind, and fills one; one that is pushed off leaves at most three; a line that moves
/// sideways fills at most three.
const SHUT_BY_ATTACKER: u32 = 3;
/// And a move of each. As long as there is room, the defender can move a single marble: it leaves at most three
/// empty neighbours behind and fills one, and the cell that it comes from is a new one.
const SHUT_BY_BOTH: u32 = SHUT_BY_ATTACKER + 3;

/// The positions that are drawn because of what was played, and whether they are more than the rules say.
fn drawn_by_the_past(game: &Game) -> (Vec<Position>, bool) {
    let positions = game.positions();
    match game.rules().repetition {
        Repetition::Off => (Vec::new(), false),
        Repetition::Threefold => {
            let times = |position: &Position| positions.iter().filter(|p| p.same_board(position)).count();
            (positions.iter().copied().filter(|position| times(position) >= 2).collect(), false)
        }
        Repetition::MakeAndUndo => {
            // Drawn on one way only, namely if the next moves complete the second of two equal rallies; here
            // drawn on any way, which is a win less at worst.
            let drawn: Vec<Position> = (1..=3).filter_map(|more| rally_ends(game, more)).collect();
            let is_strict = !drawn.is_empty();
            (drawn, is_strict)
        }
    }
}

/// Where the second of two equal rallies of four plies would end, if it lacks so many moves.
fn rally_ends(game: &Game, more: usize) -> Option<Position> {
    let (positions, moves) = (game.positions(), game.moves());
    let first = (moves.len() + more).checked_sub(8)?;
    let (rally, again) = moves[first..].split_at(4);
    let between = positions[first + 4];
    (rally.starts_with(again) && positions[first].same_board(&between)).then_some(between)
}
