//! The four searches of table 1: minimax, alpha-beta, presorted alpha-beta, and the funnel on top of it.

use sumito_rules::{Move, MoveList, Position};

use super::Settings;
use super::score::{Geometry, UNIT};
use crate::agent::Score;
use crate::watch::Watch;

/// The value of a game won at once; one less for each ply until then. Past every score: at 100 for a lost
/// marble and a funnel of [`super::MAX_WIDTH`], scores stay below it and within 32 bits.
const WIN: i32 = 2_000_000_000;
/// Past every value.
const INFINITY: i32 = WIN + 1;
/// The most plies that can be searched.
pub(super) const MAX_DEPTH: u32 = 12;

/// How the tree is searched. All but the first find the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Presorted alpha-beta that skips what lies outside the funnel.
    Heuristic,
    /// Alpha-beta with the moves in the order of their score.
    Presorted,
    /// Alpha-beta with the moves in the order in which they are generated.
    AlphaBeta,
    /// Every move of every position.
    Minimax,
}

/// What a search looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Positions whose moves were searched.
    pub interior: u64,
    /// Moves searched in all of them: not those skipped, nor those scored only to be sorted.
    pub moves: u64,
    /// Positions at the end of the tree: at full depth, or won.
    pub leaves: u64,
}

impl SearchStats {
    /// The branching of an even tree with as many leaves. Table 1's 9 moves for optimal alpha-beta is this
    /// figure for the tree sizes that the document states with B = 60 or 65 and d = 6; moves per interior
    /// position would be below 3.
    pub fn branching(&self, depth: u32) -> f64 {
        (self.leaves as f64).powf(1.0 / f64::from(depth.max(1)))
    }
}

/// A value for the side to move as others understand it: in cells, or moves until the win.
pub(super) fn to_score(value: i32) -> Score {
    let plies = WIN - value.abs();
    match plies {
        0..=64 if value > 0 => Score::Win((plies + 1) / 2),
        0..=64 => Score::Win(-(plies + 1) / 2),
        _ => Score::Value(f64::from(value) / f64::from(UNIT)),
    }
}

/// One search from one position.
pub(super) struct Searcher<'a> {
    geometry: &'a Geometry,
    search: Search,
    /// How far the score may still move with so many plies left.
    widths: [i32; MAX_DEPTH as usize],
    both_sides: bool,
    marbles_to_win: u8,
    watch: &'a mut Watch,
    pub(super) stats: SearchStats,
    /// The best root move that was searched completely, and its value.
    pub(super) choice: Option<(Move, i32)>,
}

/// A position whose moves are searched, and the window for its value.
struct Node<'a> {
    position: &'a Position,
    moves: &'a MoveList,
    /// Plies that are left.
    depth: u32,
    /// Plies from the root.
    ply: i32,
    alpha: i32,
    beta: i32,
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        position: &Position,
        settings: &Settings,
        geometry: &'a Geometry,
        watch: &'a mut Watch,
    ) -> Searcher<'a> {
        let endgame = position.score(position.turn()).max(position.score(!position.turn()));
        let search = match settings.search {
            Search::Heuristic if endgame >= settings.endgame => Search::Presorted,
            search => search,
        };
        // Whole cells, as Lee and Noh report of the original (document 004, section 3.3).
        let widths = std::array::from_fn(|rest| (settings.width * rest as f64).round() as i32 * UNIT);
        let (stats, choice) = (SearchStats::default(), None);
        Searcher {
            geometry,
            search,
            widths,
            both_sides: settings.both_sides,
            marbles_to_win: settings.marbles_to_win,
            watch,
            stats,
            choice,
        }
    }

    /// Searches so many plies, at least one. `None` if time ran out; `choice` may have an answer even so.
    pub(super) fn run(&mut self, position: &Position, depth: u32) -> Option<(Move, i32)> {
        self.choice = None;
        self.node(position, depth.clamp(1, MAX_DEPTH), 0, -INFINITY, INFINITY)?;
        self.choice
    }

    /// The value of a position for the side to move, within the window.
    fn node(&mut self, position: &Position, depth: u32, ply: i32, alpha: i32, beta: i32) -> Option<i32> {
        let moves = position.legal_moves();
        if moves.is_empty() {
            self.stats.leaves += 1;
            return Some((ply - WIN).clamp(alpha, beta));
        }
        self.stats.interior += 1;
        let node = Node { position, moves: &moves, depth, ply, alpha, beta };
        match self.search {
            Search::Minimax | Search::AlphaBeta => self.plain(node),
            // At the root the move is wanted too.
            _ if depth == 1 && ply > 0 => self.frontier(node),
            _ => self.sorted(node),
        }
    }

    /// All moves as they come.
    fn plain(&mut self, mut node: Node<'_>) -> Option<i32> {
        for m in node.moves {
            let window =
                if self.search == Search::Minimax { (-INFINITY, INFINITY) } else { (node.alpha, node.beta) };
            if self.try_move(&mut node, m, window)? {
                return Some(node.beta);
            }
        }
        Some(node.alpha)
    }

    /// The moves with the best score first; in the heuristic search, only those inside the funnel.
    fn sorted(&mut self, mut node: Node<'_>) -> Option<i32> {
        let mut order = [0; MoveList::CAPACITY];
        let order = self.sort(&node, &mut order);
        let width = self.widths[node.depth as usize - 1];
        let funnel = self.search == Search::Heuristic && node.depth > 1;
        for &key in order {
            let (score, place) = unpack(key);
            // A value as good as alpha was reached at full depth, and is out of reach from here, all the more so
            // from the moves that follow.
            if funnel && score.saturating_add(width) <= node.alpha {
                break;
            }
            // The mirror image: the enemy, who can hold the value to beta elsewhere, will not let it come here.
            let is_refuted = funnel && self.both_sides && score - width >= node.beta;
            let (m, window) = (node.moves[place], (node.alpha, node.beta));
            if is_refuted || self.try_move(&mut node, m, window)? {
                return Some(node.beta);
            }
        }
        Some(node.alpha)
    }

    /// One ply before the leaves. In the order of score the first move is the best and decides alone whether
    /// there is a cutoff, so nothing need be sorted: the first move that cuts stands for it.
    fn frontier(&mut self, node: Node<'_>) -> Option<i32> {
        let Node { position, moves, ply, mut alpha, beta, .. } = node;
        for m in moves {
            if self.watch.tick() {
                return None;
            }
            alpha = alpha.max(self.score(&position.play_unchecked(m), ply + 1));
            if alpha >= beta {
                self.stats.moves += 1;
                self.stats.leaves += 1;
                return Some(beta);
            }
        }
        self.stats.moves += moves.len() as u64;
        self.stats.leaves += moves.len() as u64;
        Some(alpha)
    }

    /// Searches a move of a node, raises its alpha, and says whether that is a cutoff.
    #[inline]
    fn try_move(&mut self, node: &mut Node<'_>, m: Move, window: (i32, i32)) -> Option<bool> {
        let child = node.position.play_unchecked(m);
        let value = self.child(&child, node.depth - 1, node.ply + 1, window)?;
        node.alpha = self.improve(m, value, node.alpha, node.ply);
        Some(node.alpha >= node.beta)
    }

    /// The value of a position for the player who moved into it, within that player's window.
    fn child(&mut self, child: &Position, depth: u32, ply: i32, (alpha, beta): (i32, i32)) -> Option<i32> {
        if self.watch.tick() {
            return None;
        }
        self.stats.moves += 1;
        if depth == 0 || self.is_won(child) {
            self.stats.leaves += 1;
            return Some(self.score(child, ply));
        }
        self.node(child, depth, ply, -beta, -alpha).map(|value| -value)
    }

    /// The new alpha. At the root a better move becomes the choice.
    #[inline]
    fn improve(&mut self, m: Move, value: i32, alpha: i32, ply: i32) -> i32 {
        if value > alpha && ply == 0 {
            self.choice = Some((m, value));
        }
        alpha.max(value)
    }

    /// The moves with their scores, the best first.
    fn sort<'b>(&self, node: &Node<'_>, order: &'b mut [i64; MoveList::CAPACITY]) -> &'b [i64] {
        let Node { position, moves, ply, .. } = *node;
        let order = &mut order[..moves.len()];
        for (place, (key, m)) in order.iter_mut().zip(moves).enumerate() {
            *key = pack(self.score(&position.play_unchecked(m), ply + 1), place);
        }
        order.sort_unstable_by(|a, b| b.cmp(a));
        order
    }

    /// Whether the player who moved into a position has thereby won.
    #[inline]
    fn is_won(&self, child: &Position) -> bool {
        child.score(!child.turn()) >= self.marbles_to_win
    }

    /// The static score for the player who moved into a position.
    #[inline]
    fn score(&self, child: &Position, ply: i32) -> i32 {
        if self.is_won(child) { WIN - ply } else { self.geometry.evaluate(child, !child.turn()) }
    }
}

/// A score and a move's place in the list, in one word that sorts by score, then the earlier place higher.
fn pack(score: i32, place: usize) -> i64 {
    i64::from(score) << 16 | i64::from(!(place as u16))
}

fn unpack(key: i64) -> (i32, usize) {
    ((key >> 16) as i32, usize::from(!(key as u16)))
}
