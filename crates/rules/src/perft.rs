//! Counting the leaves of the game tree: the test of move generation, and its benchmark.

use std::ops::AddAssign;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::movegen::count_all;
use crate::moves::Move;
use crate::position::Position;

/// A line ends with the sixth ejection, as in every published count.
fn is_over(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.score(color) >= 6)
}

/// How many positions can be reached in exactly `depth` plies, each path counted.
///
/// The last ply is counted in bulk, without making its moves. Repetition and caps are ignored.
///
/// ```
/// use sumito_rules::{Layout, perft};
/// let start = Layout::named("standard").expect("a known layout").position();
/// assert_eq!(perft::count(&start, 3), 98912);
/// ```
pub fn count(position: &Position, depth: u32) -> u64 {
    let mut leaves =
        Leaves { own: [Bitboard::EMPTY; BATCH], enemy: [Bitboard::EMPTY; BATCH], len: 0, count: 0 };
    leaves.walk(position, depth);
    leaves.flush();
    leaves.count
}

const BATCH: usize = 128;

struct Leaves {
    own: [Bitboard; BATCH],
    enemy: [Bitboard; BATCH],
    len: usize,
    count: u64,
}

impl Leaves {
    fn walk(&mut self, position: &Position, depth: u32) {
        match depth {
            0 => self.count += 1,
            _ if is_over(position) => {}
            1 => self.add(position),
            2 => position.for_each_move(|m| {
                let child = position.play_unchecked(m);
                if !is_over(&child) {
                    self.add(&child);
                }
            }),
            _ => position.for_each_move(|m| self.walk(&position.play_unchecked(m), depth - 1)),
        }
    }

    #[inline(always)]
    fn add(&mut self, position: &Position) {
        if self.len == BATCH {
            self.flush();
        }
        self.own[self.len] = position.own();
        self.enemy[self.len] = position.enemy();
        self.len += 1;
    }

    #[inline(never)]
    fn flush(&mut self) {
        self.count += count_all(&self.own[..self.len], &self.enemy[..self.len]);
        self.len = 0;
    }
}

/// The count of each legal move's subtree, in the order of [`Position::legal_moves`], on several threads.
///
/// `progress` hears how many of how many parts are done; it is called from the worker threads.
pub fn divide(
    position: &Position,
    depth: u32,
    threads: usize,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Vec<(Move, u64)> {
    if depth == 0 || is_over(position) {
        return Vec::new();
    }
    let roots = position.legal_moves();
    let parts = parts(position, depth);
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut counts = vec![0; roots.len()];
        while let Some((root, part, depth)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            counts[*root] += count(part, *depth);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len());
        }
        counts
    };
    let mut total = vec![0; roots.len()];
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut add = |counts: Vec<u64>| total.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        add(work());
        for other in others {
            add(other.join().expect("counting does not panic"));
        }
    });
    roots.iter().copied().zip(total).collect()
}

/// The tree cut two plies below the root into independent parts: the root move's place in the list, the
/// position and the depth that is left. Thousands of small parts keep every thread busy to the end.
fn parts(position: &Position, depth: u32) -> Vec<(usize, Position, u32)> {
    let mut parts = Vec::new();
    for (root, m) in position.legal_moves().iter().enumerate() {
        let child = position.play_unchecked(*m);
        if depth < 4 || is_over(&child) {
            parts.push((root, child, depth - 1));
        } else {
            child.for_each_move(|reply| parts.push((root, child.play_unchecked(reply), depth - 2)));
        }
    }
    parts
}

/// The moves of the last ply by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Single marbles to an empty cell.
    pub single: u64,
    /// Two or three marbles in line to an empty cell.
    pub inline: u64,
    /// Two or three marbles sideways.
    pub broadside: u64,
    /// Pushes, with and without ejection.
    pub push: u64,
    /// Pushes that eject.
    pub eject: u64,
}

impl AddAssign for Split {
    fn add_assign(&mut self, other: Split) {
        self.single += other.single;
        self.inline += other.inline;
        self.broadside += other.broadside;
        self.push += other.push;
        self.eject += other.eject;
    }
}

impl Split {
    /// All moves.
    pub fn total(&self) -> u64 {
        self.single + self.inline + self.broadside + self.push
    }

    fn of_moves(position: &Position) -> Split {
        let mut split = Split::default();
        position.for_each_move(|m| {
            let kind = match (m.is_broadside(), position.pushed(m), m.count()) {
                (true, ..) => &mut split.broadside,
                (_, 0, 1) => &mut split.single,
                (_, 0, _) => &mut split.inline,
                _ => &mut split.push,
            };
            *kind += 1;
            split.eject += u64::from(position.ejects(m));
        });
        split
    }
}

/// Like [`count`] for a depth of at least one, with the last ply's moves by kind. Slower.
pub fn split(position: &Position, depth: u32) -> Split {
    let mut sum = Split::default();
    if depth == 0 || is_over(position) {
        return sum;
    }
    if depth == 1 {
        return Split::of_moves(position);
    }
    position.for_each_move(|m| sum += split(&position.play_unchecked(m), depth - 1));
    sum
}
