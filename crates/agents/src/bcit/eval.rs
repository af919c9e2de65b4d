//! The five heuristics (sections 3.1 and 6), each as the document gives it and as its author's program had it.

use sumito_rules::{Bitboard, Cell, Color, Direction, Layout, Position};

use super::maps::{self, Around, Map};

/// How many units of a value are one point of the document: Jason's factor 1.2 makes fractions.
pub(super) const UNIT: i32 = 100;

/// Who wrote a heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Author {
    Jason,
    Rongyi,
    David,
    Sam,
    Jeff,
}

/// Which heuristic, in which version. What is absent is as the version has it.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) author: Author,
    /// As the author's program had it, where that differs from the document.
    pub(super) program: bool,
    /// Jason's, as it played in the competition.
    pub(super) magic: bool,
    /// Points for a six-star and for a spy.
    pub(super) bonus: Option<i32>,
    /// Weight of the position map.
    pub(super) map: Option<i32>,
    /// What an own marble is worth more than an enemy's.
    pub(super) extra: Option<i32>,
    /// What multiplies the enemy's points.
    pub(super) factor: Option<f64>,
    /// Whether a spy counts.
    pub(super) spy: bool,
    /// Sam's 100 and 50 multiply the map and the allies.
    pub(super) factors: bool,
    /// Weight of Jeff's cohesion.
    pub(super) cohesion: Option<i32>,
}

impl Version {
    /// As the document has it.
    pub(super) const fn document(author: Author) -> Version {
        Version {
            author,
            program: false,
            magic: false,
            bonus: None,
            map: None,
            extra: None,
            factor: None,
            spy: true,
            factors: false,
            cohesion: None,
        }
    }

    /// The heuristic for a game from this start, for this player.
    pub(super) fn heuristic(&self, start: &Position, player: Color) -> Heuristic {
        let program = self.program;
        let weight = |own| self.map.unwrap_or(own);
        match self.author {
            Author::Jason => Heuristic::Jason(self.jason(start, player)),
            Author::Rongyi => Heuristic::Rongyi { weight: weight(1) },
            Author::David => Heuristic::David { weight: weight(if program { 10 } else { 1 }), program },
            Author::Sam if program => Heuristic::SamAsRun { weight: weight(1) },
            Author::Sam => Heuristic::Sam(self.sam()),
            Author::Jeff if program => Heuristic::JeffAsRun { weight: weight(1) },
            Author::Jeff => Heuristic::Jeff { weight: weight(1), cohesion: self.cohesion.unwrap_or(1) },
        }
    }

    fn sam(&self) -> Sam {
        let (map, allies, marble) = if self.factors { (100, 50, 0) } else { (1, 1, 150) };
        Sam { map: self.map.unwrap_or(map), allies, marble }
    }

    fn jason(&self, start: &Position, player: Color) -> Jason {
        let (map, weight, bonus, factor) = match (self.magic, self.program) {
            (true, _) => {
                let (map, factor) = magic(start, player);
                (map, 2, 1, factor)
            }
            (false, true) => (&maps::CENTRE, 5, 1, 1.2),
            (false, false) => (&maps::CENTRE, 1, 5, 1.2),
        };
        let bonus = self.bonus.unwrap_or(bonus);
        let factor = self.factor.unwrap_or(factor);
        Jason {
            map,
            weight: self.map.unwrap_or(weight),
            star: bonus,
            spy: if self.spy && !self.magic { bonus } else { 0 },
            extra: self.extra.unwrap_or(10),
            factor,
            enemy_unit: (f64::from(UNIT) * factor).round() as i32,
            truncates: self.program || self.magic,
        }
    }
}

/// The competition program's map and factor, by the layout and the player who searches. It knew three layouts;
/// any other is taken as the Standard.
fn magic(start: &Position, player: Color) -> (&'static Map, f64) {
    let is = |name| {
        let layout = Layout::named(name).expect("a known layout").position();
        Color::ALL.into_iter().all(|color| layout.marbles(color) == start.marbles(color))
    };
    match (player, is("german-daisy"), is("belgian-daisy")) {
        (Color::Black, false, false) => (&maps::MAGIC_BLACK, 1.2),
        (Color::Black, true, _) => (&maps::MAGIC_BLACK, 1.3),
        (Color::Black, _, true) => (&maps::MAGIC_BELGIAN, 0.9),
        (Color::White, true, _) => (&maps::CENTRE, 1.5),
        (Color::White, false, _) => (&maps::CENTRE, 1.4),
    }
}

/// A heuristic, ready to compute.
#[derive(Debug)]
pub(super) enum Heuristic {
    Jason(Jason),
    Rongyi { weight: i32 },
    David { weight: i32, program: bool },
    Sam(Sam),
    SamAsRun { weight: i32 },
    Jeff { weight: i32, cohesion: i32 },
    JeffAsRun { weight: i32 },
}

/// What David gives for the end of the game.
const DAVID_WIN: i32 = 32767;

impl Heuristic {
    /// The value for the player who searches, in units. The document's totals are Black's minus White's; for White
    /// this is the same with the sign changed.
    #[inline]
    pub(super) fn value(&self, position: &Position, player: Color) -> i32 {
        let (own, enemy) = (position.marbles(player), position.marbles(!player));
        match *self {
            Heuristic::Jason(ref jason) => jason.value(own, enemy),
            Heuristic::Rongyi { weight } => UNIT * (rongyi(own, weight) - rongyi(enemy, weight)),
            Heuristic::David { weight, program: false } => UNIT * (david(own, weight) - david(enemy, weight)),
            Heuristic::David { weight, program: true } => {
                UNIT * (david_as_run(own, weight) - david_as_run(enemy, weight))
            }
            Heuristic::Sam(ref sam) => UNIT * sam.value(own, enemy),
            Heuristic::SamAsRun { weight } => {
                let sign = if player == Color::Black { UNIT } else { -UNIT };
                sign * sam_as_run(position, weight)
            }
            Heuristic::Jeff { weight, cohesion } => {
                UNIT * (jeff(own, weight, cohesion) - jeff(enemy, weight, cohesion))
            }
            Heuristic::JeffAsRun { weight } => UNIT * (jeff_as_run(own, weight) - jeff_as_run(enemy, weight)),
        }
    }

    /// The value at the end of the game. Only David's knows of it; for the others a win is one more marble.
    pub(super) fn final_value(&self, position: &Position, player: Color) -> i32 {
        match self {
            Heuristic::David { .. } => {
                let ahead = i32::from(position.score(player)) - i32::from(position.score(!player));
                UNIT * DAVID_WIN * ahead.signum()
            }
            _ => self.value(position, player),
        }
    }
}

/// Jason's heuristic (section 3.1), the winner of table 5.
#[derive(Debug)]
pub(super) struct Jason {
    map: &'static Map,
    weight: i32,
    star: i32,
    spy: i32,
    extra: i32,
    factor: f64,
    /// The unit of the enemy's position: section 3.1.2 has the factor at the map alone.
    enemy_unit: i32,
    /// The program multiplies all points of each enemy marble, neighbours and bonuses too, by the factor and drops
    /// the fraction.
    truncates: bool,
}

/// What every marble is worth.
const JASON_MARBLE: i32 = 100;

impl Jason {
    #[inline]
    fn value(&self, own: Bitboard, enemy: Bitboard) -> i32 {
        let (near_own, near_enemy) = (Around::new(own), Around::new(enemy));
        let ours = self.weight * self.map.sum(own) + self.structure(own, &near_own, &near_enemy);
        let theirs = if self.truncates {
            UNIT * self.truncated_points(enemy, &near_enemy, &near_own)
        } else {
            let position = self.enemy_unit * self.weight * self.map.sum(enemy);
            position + UNIT * self.structure(enemy, &near_enemy, &near_own)
        };
        let marbles = (JASON_MARBLE + self.extra) * own.len() as i32 - JASON_MARBLE * enemy.len() as i32;
        UNIT * (marbles + ours) - theirs
    }

    /// Neighbours, six-stars and spies of one side.
    #[inline]
    fn structure(&self, set: Bitboard, near_set: &Around, near_other: &Around) -> i32 {
        near_set.total(set)
            + self.star * (set & near_set.all_six()).len() as i32
            + self.spy * (set & near_other.all_six()).len() as i32
    }

    fn truncated_points(&self, set: Bitboard, near_set: &Around, near_other: &Around) -> i32 {
        let (stars, spies) = (near_set.all_six(), near_other.all_six());
        set.iter()
            .map(|cell| {
                let bonus = if stars.contains(cell) { self.star } else { 0 }
                    + if spies.contains(cell) { self.spy } else { 0 };
                let points = self.weight * self.map.at(cell) + near_set.of(cell) + bonus;
                (f64::from(points) * self.factor) as i32
            })
            .sum()
    }
}

/// Section 6.1: the map and 50 for each marble.
#[inline]
fn rongyi(set: Bitboard, weight: i32) -> i32 {
    weight * maps::CENTRE.sum(set) + 50 * set.len() as i32
}

/// Section 6.2: the map, 3 for six own neighbours, 1 for each three in a row, and 50 for each marble.
#[inline]
fn david(set: Bitboard, weight: i32) -> i32 {
    let near = Around::new(set);
    weight * maps::DAVID.sum(set)
        + 3 * (set & near.all_six()).len() as i32
        + near.between(set)
        + 50 * set.len() as i32
}

/// David's program: 100 for each marble, and a test of neighbours that looks at the first six cells of the board,
/// I5 to I9 and H4, instead of the marble's own six neighbours, wherever there is a neighbour at all.
fn david_as_run(set: Bitboard, weight: i32) -> i32 {
    let has = |(row, number): (u8, u8)| Cell::new(row, number).is_some_and(|cell| set.contains(cell));
    let seen = |direction: Direction, read| {
        if has(read) { set & Bitboard::ALL.before(direction) } else { Bitboard::EMPTY }
    };
    let west = seen(Direction::West, (9, 5));
    let north_west = seen(Direction::NorthWest, (9, 6));
    let north_east = seen(Direction::NorthEast, (9, 7));
    let east = seen(Direction::East, (9, 8));
    let south_east = seen(Direction::SouthEast, (9, 9));
    let south_west = seen(Direction::SouthWest, (8, 4));
    let axes = [west & east, north_west & south_east, north_east & south_west];
    let rows: usize = axes.iter().map(|axis| axis.len()).sum();
    let clusters = (axes[0] & axes[1] & axes[2]).len();
    weight * maps::DAVID.sum(set) + (3 * clusters + rows + 100 * set.len()) as i32
}

/// Section 6.3: 1000 for each marble of advantage, ten times the push map under enemy marbles, and the map and the
/// allies of one's own marbles minus the enemy's.
#[derive(Debug)]
pub(super) struct Sam {
    /// Weight of the map.
    map: i32,
    /// Weight of an ally.
    allies: i32,
    /// What is added for each marble.
    marble: i32,
}

impl Sam {
    #[inline]
    fn value(&self, own: Bitboard, enemy: Bitboard) -> i32 {
        let points = |set: Bitboard| {
            let places = self.map * maps::SAM.sum(set) + self.allies * Around::new(set).total(set);
            places + self.marble * set.len() as i32
        };
        let advantage = own.len() as i32 - enemy.len() as i32;
        1000 * advantage + 10 * maps::SAM_PUSH.sum(enemy) + points(own) - points(enemy)
    }
}

/// Sam's program, for Black: the advantage (times 10,000) takes empty cells for White's marbles, no ally is ever
/// found, a marble's constants are 50 and 50, and the push map is that of the side not to move at the leaf.
fn sam_as_run(position: &Position, weight: i32) -> i32 {
    let (black, white) = (position.marbles(Color::Black), position.marbles(Color::White));
    let advantage = 2 * black.len() as i32 - Cell::COUNT as i32;
    let push = match position.turn() {
        Color::Black => maps::SAM_PUSH.sum(white),
        Color::White => -maps::SAM_PUSH.sum(black),
    };
    let points = |set: Bitboard| 100 * set.len() as i32 + weight * maps::SAM.sum(set);
    10_000 * advantage + 10 * push + points(black) - points(white)
}

/// Section 6.4: the map, 1.5 x the own neighbours without the fraction + 3, and 50 for each marble.
#[inline]
fn jeff(set: Bitboard, weight: i32, cohesion: i32) -> i32 {
    let (near, marbles) = (Around::new(set), set.len() as i32);
    let cohesive = near.total(set) + near.halves(set) + 3 * marbles;
    weight * maps::JEFF.sum(set) + cohesion * cohesive + 50 * marbles
}

/// Jeff's program: every neighbour on the board counts 1, whatever is on it.
fn jeff_as_run(set: Bitboard, weight: i32) -> i32 {
    weight * maps::JEFF.sum(set) + maps::DEGREE.sum(set) + 50 * set.len() as i32
}
