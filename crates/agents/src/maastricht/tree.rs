//! The tree of the Monte-Carlo search: nodes in one vector of bounded size, children side by side.

use std::ops::Range;

use sumito_rules::{Move, MoveList, Position};

/// A node: the move that leads to it, and what its simulations came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The sum of the scores of its simulations, for the player at the root.
    pub(super) score: f64,
    /// How many iterations passed through it.
    pub(super) visits: u32,
    first: u32,
    count: u16,
    /// None at the root.
    pub(super) m: Option<Move>,
}

impl Node {
    const fn new(m: Option<Move>) -> Node {
        Node { score: 0.0, visits: 0, first: 0, count: 0, m }
    }

    /// The mean score.
    pub(super) fn mean(&self) -> f64 {
        self.score / f64::from(self.visits)
    }
}

/// The index of a node.
pub(super) type Id = u32;

/// The tree. Positions are not stored: whoever descends plays the moves.
pub(super) struct Tree {
    nodes: Vec<Node>,
    capacity: usize,
}

impl Tree {
    /// The root.
    pub(super) const ROOT: Id = 0;

    /// A tree that takes no more than this many MiB, and has room for the moves of the root in any case.
    pub(super) fn new(mebibytes: usize) -> Tree {
        let fitting = (mebibytes << 20) / size_of::<Node>();
        let capacity = fitting.clamp(MoveList::CAPACITY + 1, u32::MAX as usize);
        Tree { nodes: vec![Node::new(None)], capacity }
    }

    /// Keeps the root alone.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(None));
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// The children of a node; none if it is a leaf.
    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = (Id, &Node)> {
        let Node { first, count, .. } = *self.node(id);
        let range = first as usize..first as usize + usize::from(count);
        (first..).zip(&self.nodes[range])
    }

    /// Gives a leaf all its children at once. `None` if it has no moves, or if they would not fit.
    pub(super) fn expand(&mut self, id: Id, position: &Position) -> Option<Range<Id>> {
        let moves = position.legal_moves();
        if moves.is_empty() || self.nodes.len() + moves.len() > self.capacity {
            return None;
        }
        let first = self.nodes.len();
        self.reserve(moves.len());
        self.nodes.extend(moves.iter().map(|&m| Node::new(Some(m))));
        let node = &mut self.nodes[id as usize];
        (node.first, node.count) = (first as Id, moves.len() as u16);
        Some(node.first..self.nodes.len() as Id)
    }

    /// Makes room by doubling, but never for more nodes than may be.
    fn reserve(&mut self, more: usize) {
        let len = self.nodes.len();
        if self.nodes.capacity() < len + more {
            let wanted = (2 * self.nodes.capacity()).max(len + more).min(self.capacity);
            self.nodes.reserve_exact(wanted - len);
        }
    }

    /// Adds a simulation's score to every node of a path.
    pub(super) fn back_propagate(&mut self, path: &[Id], score: f64) {
        for &id in path {
            let node = &mut self.nodes[id as usize];
            node.score += score;
            node.visits += 1;
        }
    }

    /// The child with the most visits, the first of several.
    pub(super) fn most_visited(&self, id: Id) -> Option<(Id, &Node)> {
        self.children(id).min_by_key(|(_, node)| std::cmp::Reverse(node.visits))
    }

    /// The line of the most visited moves.
    pub(super) fn line(&self) -> Vec<Move> {
        let next = |&(id, _): &(Id, &Node)| self.most_visited(id).filter(|(_, node)| node.visits > 0);
        let visited = std::iter::successors(self.most_visited(Self::ROOT), next);
        visited.filter_map(|(_, node)| node.m).collect()
    }

    /// How many nodes there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::Layout;

    use super::*;

    #[test]
    fn a_full_tree_refuses_to_grow() {
        let start = Layout::named("standard").expect("a layout").position();
        let mut tree = Tree::new(0);
        let mut refused = 0;
        for id in 0..20 {
            refused += usize::from(tree.expand(id, &start).is_none());
        }
        // 44 moves each: the root and seven expansions are 309 nodes, an eighth would be 353 of 321.
        assert_eq!((tree.len(), refused), (309, 13));
        assert!(tree.nodes.capacity() <= tree.capacity);
    }

    #[test]
    fn scores_reach_every_node_of_the_path() {
        let start = Layout::named("standard").expect("a layout").position();
        let mut tree = Tree::new(1);
        assert_eq!(tree.expand(Tree::ROOT, &start), Some(1..45));
        tree.back_propagate(&[Tree::ROOT, 3], 2.5);
        tree.back_propagate(&[Tree::ROOT, 4], -1.0);
        assert_eq!((tree.node(Tree::ROOT).visits, tree.node(Tree::ROOT).score), (2, 1.5));
        assert_eq!((tree.node(3).visits, tree.node(3).mean()), (1, 2.5));
        assert_eq!(tree.most_visited(Tree::ROOT).map(|(id, _)| id), Some(3));
    }
}
