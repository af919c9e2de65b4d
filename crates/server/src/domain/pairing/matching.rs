//! Maximum-weight matching in any graph: Edmonds' blossom algorithm in its primal-dual form (Galil 1986, "Efficient algorithms for finding
//! maximum matching in graphs"), for dense graphs in O(n³).
//!
//! A *node* is a vertex or a blossom (an odd circle of nodes, treated as one). Every vertex and blossom has a price (the dual variable); an edge
//! is tight if its two prices just pay for it. From all unmatched vertices trees grow along tight edges, whose nodes are in turn *outer* and
//! *inner*. Two outer nodes that meet form a blossom, or a path that makes the matching larger by one edge; if nothing is tight, prices change.
//! Because all outer vertices share one parity in each criterion, halving is exact and everything stays in whole numbers.

mod blossom;

use super::weight::Weight;

/// An undirected graph with at most one edge between two vertices.
#[derive(Clone, Debug)]
pub(crate) struct Graph<const K: usize> {
    vertices: usize,
    /// Row by row; twice the weight, because that is what prices are compared with.
    doubled: Vec<Option<Weight<K>>>,
}

impl<const K: usize> Graph<K> {
    /// A graph whose edges `weigh` tells, for every pair of vertices `a < b`. An edge that weighs nothing or less is never worth having.
    #[must_use]
    pub(crate) fn new(vertices: usize, mut weigh: impl FnMut(usize, usize) -> Option<Weight<K>>) -> Graph<K> {
        let mut doubled = vec![None; vertices * vertices];
        for a in 0..vertices {
            for b in a + 1..vertices {
                let twice = weigh(a, b).filter(|weight| *weight > Weight::ZERO).map(Weight::doubled);
                doubled[a * vertices + b] = twice;
                doubled[b * vertices + a] = twice;
            }
        }
        Graph { vertices, doubled }
    }

    /// For every vertex its partner in a matching of the greatest weight.
    #[must_use]
    pub(crate) fn heaviest_matching(&self) -> Vec<Option<usize>> {
        let mut search = Search::new(self);
        while search.improve() {}
        search.mate
    }
}

/// What a node is to the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Free,
    Outer,
    Inner,
}

/// An edge as seen from one side: `from` is the vertex nearer to the root, or outside of the node that is spoken about.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: usize,
    to: usize,
}

/// The tight-most edge from an outer vertex to a node, and what it lacks.
#[derive(Clone, Copy, Debug)]
struct Nearest<const K: usize> {
    edge: Edge,
    slack: Weight<K>,
}

/// A blossom.
#[derive(Clone, Debug, Default)]
struct Blossom {
    /// The circle, beginning with the node that holds the base.
    children: Vec<usize>,
    /// `links[i]` goes from `children[i]` to the next one.
    links: Vec<Edge>,
    /// All its vertices.
    members: Vec<usize>,
    /// For each vertex outside the member with the tightest edge to it. Members change their prices together, so this stays right.
    near: Vec<Option<usize>>,
}

/// The state of the algorithm. Nodes from `vertices` on are blossoms.
struct Search<'a, const K: usize> {
    graph: &'a Graph<K>,
    mate: Vec<Option<usize>>,
    price: Vec<Weight<K>>,
    label: Vec<Label>,
    /// The edge by which a node came into its tree; roots have none.
    entry: Vec<Option<Edge>>,
    nearest: Vec<Option<Nearest<K>>>,
    /// The vertex that is, or will be, matched with the outside.
    base: Vec<usize>,
    parent: Vec<Option<usize>>,
    /// For each vertex the outermost node around it.
    top: Vec<usize>,
    blossoms: Vec<Blossom>,
    /// Blossoms that are not in use.
    spare: Vec<usize>,
    /// Outer vertices whose edges have not been looked at.
    queue: Vec<usize>,
}

/// What stops the prices from changing further.
enum Stop {
    /// Unmatched vertices cost nothing: the matching cannot be improved.
    Done,
    /// An edge is tight.
    Edge(Edge),
    /// An inner blossom costs nothing.
    Expand(usize),
}

impl<'a, const K: usize> Search<'a, K> {
    fn new(graph: &'a Graph<K>) -> Search<'a, K> {
        let vertices = graph.vertices;
        // Blossoms are nested or apart, each with three children or more.
        let nodes = vertices + vertices / 2 + 1;
        // Twice the half of the greatest weight.
        let greatest = graph.doubled.iter().flatten().max().copied().unwrap_or(Weight::ZERO).halved();
        let mut price = vec![greatest; vertices];
        price.resize(nodes, Weight::ZERO);
        Search {
            graph,
            mate: vec![None; vertices],
            price,
            label: vec![Label::Free; nodes],
            entry: vec![None; nodes],
            nearest: vec![None; nodes],
            base: (0..nodes).collect(),
            parent: vec![None; nodes],
            top: (0..vertices).collect(),
            blossoms: vec![Blossom::default(); nodes - vertices],
            spare: (vertices..nodes).rev().collect(),
            queue: Vec::new(),
        }
    }

    fn vertices(&self) -> usize {
        self.graph.vertices
    }

    /// What the edge between two vertices lacks to be tight.
    fn slack(&self, a: usize, b: usize) -> Option<Weight<K>> {
        let doubled = self.graph.doubled[a * self.vertices() + b]?;
        Some(self.price[a].plus_minus(self.price[b], doubled))
    }

    /// The blossom behind a node that is one.
    fn blossom(&self, node: usize) -> Option<&Blossom> {
        self.blossoms.get(node.checked_sub(self.vertices())?)
    }

    /// The vertices of a node.
    fn members(&self, node: usize) -> Vec<usize> {
        self.blossom(node).map_or_else(|| vec![node], |blossom| blossom.members.clone())
    }

    /// The outermost nodes.
    fn tops(&self) -> Vec<usize> {
        let in_use = |node: &usize| self.blossom(*node).is_none_or(|blossom| !blossom.children.is_empty());
        (0..self.parent.len()).filter(|node| self.parent[*node].is_none()).filter(in_use).collect()
    }

    /// Makes the matching larger by one edge, if that makes it heavier.
    fn improve(&mut self) -> bool {
        self.label.fill(Label::Free);
        self.entry.fill(None);
        self.nearest.fill(None);
        self.queue.clear();
        for node in self.tops() {
            if self.mate[self.base[node]].is_none() {
                self.make_outer(node, None);
            }
        }
        loop {
            if self.scan() {
                return true;
            }
            match self.change_prices() {
                Stop::Done => return false,
                Stop::Edge(edge) => {
                    if self.follow(edge) {
                        return true;
                    }
                }
                Stop::Expand(node) => self.expand(node),
            }
        }
    }

    fn make_outer(&mut self, node: usize, entry: Option<Edge>) {
        self.label[node] = Label::Outer;
        self.entry[node] = entry;
        self.nearest[node] = None;
        let members = self.members(node);
        self.queue.extend(members);
    }

    /// Makes a node inner, and the one that it is matched with outer.
    fn make_inner(&mut self, node: usize, entry: Edge) {
        self.label[node] = Label::Inner;
        self.entry[node] = Some(entry);
        self.nearest[node] = None;
        let from = self.base[node];
        let to = self.mate[from].expect("a node that is not outer is matched");
        self.make_outer(self.top[to], Some(Edge { from, to }));
    }

    /// Looks at the edges of the waiting outer vertices. Whether the matching grew.
    fn scan(&mut self) -> bool {
        while let Some(from) = self.queue.pop() {
            for to in 0..self.vertices() {
                let node = self.top[to];
                if self.top[from] == node || self.label[node] == Label::Inner {
                    continue;
                }
                let Some(slack) = self.slack(from, to) else { continue };
                if slack == Weight::ZERO {
                    if self.follow(Edge { from, to }) {
                        return true;
                    }
                } else {
                    self.note(node, Nearest { edge: Edge { from, to }, slack });
                }
            }
        }
        false
    }

    fn note(&mut self, node: usize, found: Nearest<K>) {
        if self.nearest[node].is_none_or(|known| found.slack < known.slack) {
            self.nearest[node] = Some(found);
        }
    }

    /// Finds the nearest edge of a node anew.
    fn renew_nearest(&mut self, node: usize) {
        self.nearest[node] = None;
        for from in 0..self.vertices() {
            if self.top[from] == node || self.label[self.top[from]] != Label::Outer {
                continue;
            }
            let near = self.blossom(node).map_or(Some(node), |blossom| blossom.near[from]);
            if let Some((to, slack)) = near.and_then(|to| Some((to, self.slack(from, to)?))) {
                self.note(node, Nearest { edge: Edge { from, to }, slack });
            }
        }
    }

    /// Uses a tight edge from an outer vertex. Whether the matching grew.
    fn follow(&mut self, edge: Edge) -> bool {
        let node = self.top[edge.to];
        match self.label[node] {
            Label::Free => self.make_inner(node, edge),
            Label::Inner => {}
            Label::Outer => match self.meeting(edge) {
                Some(root) => self.shrink(root, edge),
                None => {
                    self.augment(edge);
                    self.augment(Edge { from: edge.to, to: edge.from });
                    return true;
                }
            },
        }
        false
    }

    /// The node from which an outer node grew, two steps nearer to the root.
    fn grandparent(&self, node: usize) -> Option<usize> {
        let inner = self.top[self.entry[node]?.from];
        let entry = self.entry[inner].expect("inner nodes were entered by an edge");
        Some(self.top[entry.from])
    }

    /// The outer node where the ways of both ends to their roots meet; none if the roots differ.
    fn meeting(&self, edge: Edge) -> Option<usize> {
        let way =
            |vertex: usize| std::iter::successors(Some(self.top[vertex]), |node| self.grandparent(*node));
        let mut passed = vec![false; self.parent.len()];
        way(edge.from).for_each(|node| passed[node] = true);
        way(edge.to).find(|node| passed[*node])
    }

    /// Changes all prices by as much as is possible, and tells what stopped it.
    fn change_prices(&mut self) -> Stop {
        let mut stop = Stop::Done;
        let outer = (0..self.vertices()).filter(|vertex| self.label[self.top[*vertex]] == Label::Outer);
        let mut least = outer.map(|vertex| self.price[vertex]).min().unwrap_or(Weight::ZERO);
        let tops = self.tops();
        for &node in &tops {
            let (amount, reason) = match (self.label[node], self.nearest[node]) {
                (Label::Free, Some(nearest)) => (nearest.slack, Stop::Edge(nearest.edge)),
                (Label::Outer, Some(nearest)) => (nearest.slack.halved(), Stop::Edge(nearest.edge)),
                (Label::Inner, _) if node >= self.vertices() => (self.price[node], Stop::Expand(node)),
                _ => continue,
            };
            if amount < least {
                (least, stop) = (amount, reason);
            }
        }
        for vertex in 0..self.vertices() {
            match self.label[self.top[vertex]] {
                Label::Outer => self.price[vertex] -= least,
                Label::Inner => self.price[vertex] += least,
                Label::Free => {}
            }
        }
        for node in tops {
            let is_blossom = node >= self.vertices();
            let nearest = self.nearest[node].as_mut().map(|nearest| &mut nearest.slack);
            match self.label[node] {
                Label::Outer => {
                    if let Some(slack) = nearest {
                        *slack -= least.doubled();
                    }
                    if is_blossom {
                        self.price[node] += least;
                    }
                }
                Label::Inner if is_blossom => self.price[node] -= least,
                Label::Free => {
                    if let Some(slack) = nearest {
                        *slack -= least;
                    }
                }
                Label::Inner => {}
            }
        }
        stop
    }
}
