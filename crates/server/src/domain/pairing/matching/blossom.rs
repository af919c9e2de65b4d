//! What happens to blossoms: they are made, taken apart, and the matching is moved around them.

use super::{Blossom, Edge, Label, Search};

impl<const K: usize> Search<'_, K> {
    /// Makes a blossom of the circle that a tight edge between two outer nodes closes. `root` is the node of it that is nearest to the root.
    pub(super) fn shrink(&mut self, root: usize, edge: Edge) {
        let blossom = self.circle(root, edge);
        let node = self.spare.pop().expect("there are fewer blossoms than half the vertices");
        for child in &blossom.children {
            self.parent[*child] = Some(node);
            if self.label[*child] == Label::Inner {
                self.queue.extend(self.members(*child));
            }
        }
        for vertex in &blossom.members {
            self.top[*vertex] = node;
        }
        self.label[node] = Label::Outer;
        self.entry[node] = self.entry[root];
        self.base[node] = self.base[root];
        self.price[node] = super::Weight::ZERO;
        self.parent[node] = None;
        let slot = node - self.vertices();
        self.blossoms[slot] = blossom;
        self.renew_nearest(node);
    }

    /// The circle: from the root down to one end of the edge, over it, and up again.
    fn circle(&self, root: usize, edge: Edge) -> Blossom {
        let (mut children, mut links) = (Vec::new(), Vec::new());
        let mut node = self.top[edge.from];
        while node != root {
            let entry = self.entry[node].expect("only the root has no entry");
            children.push(node);
            links.push(entry);
            node = self.top[entry.from];
        }
        children.push(root);
        children.reverse();
        links.reverse();
        links.push(edge);
        let mut node = self.top[edge.to];
        while node != root {
            let entry = self.entry[node].expect("only the root has no entry");
            children.push(node);
            links.push(Edge { from: entry.to, to: entry.from });
            node = self.top[entry.from];
        }
        let members = children.iter().flat_map(|child| self.members(*child)).collect();
        let near = (0..self.vertices()).map(|vertex| self.nearest_child(&children, vertex)).collect();
        Blossom { children, links, members, near }
    }

    /// Of some nodes' vertices the one with the tightest edge to a vertex outside.
    fn nearest_child(&self, nodes: &[usize], vertex: usize) -> Option<usize> {
        let near = |node: &usize| self.blossom(*node).map_or(Some(*node), |blossom| blossom.near[vertex]);
        let candidates = nodes.iter().filter_map(near).filter(|from| *from != vertex);
        candidates.filter_map(|from| Some((self.slack(from, vertex)?, from))).min().map(|(_, from)| from)
    }

    /// Takes an inner blossom apart that costs nothing. Of its children, those on the even way from where the tree entered to the base stay in
    /// the tree.
    pub(super) fn expand(&mut self, node: usize) {
        let slot = node - self.vertices();
        let Blossom { children, links, .. } = std::mem::take(&mut self.blossoms[slot]);
        let mut entry = self.entry[node].expect("inner nodes were entered by an edge");
        for &child in &children {
            self.parent[child] = None;
            self.label[child] = Label::Free;
            self.entry[child] = None;
            for vertex in self.members(child) {
                self.top[vertex] = child;
            }
        }
        let walk = Walk::new(&children, self.top[entry.to]);
        let mut at = walk.start;
        while at != 0 {
            self.make_inner(children[at], entry);
            at = walk.next(at);
            entry = walk.link(&links, at);
            at = walk.next(at);
        }
        // The base's partner is outer already.
        self.label[children[0]] = Label::Inner;
        self.entry[children[0]] = Some(entry);
        self.nearest[children[0]] = None;
        for &child in &children {
            if self.label[child] == Label::Free {
                self.renew_nearest(child);
            }
        }
        self.spare.push(node);
    }

    /// Matches `edge.from` with `edge.to`, and along the way from `edge.from` to its root every edge that was not matched instead of those
    /// that were.
    pub(super) fn augment(&mut self, edge: Edge) {
        let Edge { from: mut vertex, to: mut partner } = edge;
        loop {
            let outer = self.top[vertex];
            self.rebase(outer, vertex);
            self.mate[vertex] = Some(partner);
            let Some(entry) = self.entry[outer] else { return };
            let inner = self.top[entry.from];
            let onward = self.entry[inner].expect("inner nodes were entered by an edge");
            self.rebase(inner, onward.to);
            self.mate[onward.to] = Some(onward.from);
            (vertex, partner) = (onward.from, onward.to);
        }
    }

    /// Moves the matching around a node so that it is `vertex` that is left for the outside.
    fn rebase(&mut self, node: usize, vertex: usize) {
        let Some(slot) = node.checked_sub(self.vertices()) else { return };
        let mut child = vertex;
        while self.parent[child] != Some(node) {
            child = self.parent[child].expect("the vertex is in this node");
        }
        self.rebase(child, vertex);
        let Blossom { mut children, mut links, members, near } = std::mem::take(&mut self.blossoms[slot]);
        let walk = Walk::new(&children, child);
        let mut at = walk.start;
        while at != 0 {
            at = walk.next(at);
            let link = walk.link(&links, at);
            self.rebase(children[at], link.from);
            at = walk.next(at);
            self.rebase(children[at], link.to);
            self.mate[link.from] = Some(link.to);
            self.mate[link.to] = Some(link.from);
        }
        children.rotate_left(walk.start);
        links.rotate_left(walk.start);
        self.base[node] = vertex;
        self.blossoms[slot] = Blossom { children, links, members, near };
    }
}

/// The way around a blossom from one child to the base, beginning with the matched edge: an even number of steps.
struct Walk {
    start: usize,
    length: usize,
    forward: bool,
}

impl Walk {
    fn new(children: &[usize], child: usize) -> Walk {
        let start = children.iter().position(|it| *it == child).expect("it is a child of this blossom");
        // Children 1 and 2, 3 and 4 and so on are matched with each other.
        Walk { start, length: children.len(), forward: start % 2 == 1 }
    }

    fn next(&self, at: usize) -> usize {
        if self.forward { (at + 1) % self.length } else { at - 1 }
    }

    /// The edge from a child to the next one on the way.
    fn link(&self, links: &[Edge], at: usize) -> Edge {
        if self.forward { links[at] } else { Edge { from: links[at - 1].to, to: links[at - 1].from } }
    }
}
