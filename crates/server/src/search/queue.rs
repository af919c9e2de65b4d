//! What waits for a thread. Quick work goes before long moves, moves before studies, studies before reviews; within a kind clients take
//! turns, so that a client with a hundred wishes does not hold up one who has a single one.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// The kinds of work, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What takes less than a second: a move of a level, a hint.
    Quick,
    /// Another agent's move, an opinion: someone waits for it.
    Move,
    /// An analysis without an end.
    Study,
    /// A review of a game.
    Review,
}

impl Kind {
    pub(crate) const ALL: [Kind; 4] = [Kind::Quick, Kind::Move, Kind::Study, Kind::Review];
}

/// What waits of one kind.
struct Lane<C, T> {
    /// Clients that have something here, the next one first.
    turns: VecDeque<C>,
    of: HashMap<C, VecDeque<T>>,
}

impl<C: Copy + Eq + Hash, T> Lane<C, T> {
    fn push(&mut self, client: C, item: T) {
        let items = self.of.entry(client).or_default();
        if items.is_empty() {
            self.turns.push_back(client);
        }
        items.push_back(item);
    }

    fn pop(&mut self) -> Option<(C, T)> {
        let client = self.turns.pop_front()?;
        let items = self.of.get_mut(&client)?;
        let item = items.pop_front()?;
        if items.is_empty() {
            self.of.remove(&client);
        } else {
            self.turns.push_back(client);
        }
        Some((client, item))
    }
}

/// The queue.
pub(crate) struct Queue<C, T> {
    lanes: [Lane<C, T>; 4],
}

impl<C: Copy + Eq + Hash, T> Queue<C, T> {
    pub(crate) fn new() -> Queue<C, T> {
        Queue { lanes: std::array::from_fn(|_| Lane { turns: VecDeque::new(), of: HashMap::new() }) }
    }

    pub(crate) fn push(&mut self, kind: Kind, client: C, item: T) {
        self.lanes[kind as usize].push(client, item);
    }

    /// The next item among the kinds that may be taken.
    pub(crate) fn pop(&mut self, may: impl Fn(Kind) -> bool) -> Option<(Kind, C, T)> {
        Kind::ALL.into_iter().filter(|&kind| may(kind)).find_map(|kind| {
            let (client, item) = self.lanes[kind as usize].pop()?;
            Some((kind, client, item))
        })
    }

    pub(crate) fn waits(&self, kind: Kind) -> bool {
        !self.lanes[kind as usize].turns.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.lanes.iter().flat_map(|lane| lane.of.values()).map(VecDeque::len).sum()
    }

    /// Takes everything out.
    pub(crate) fn clear(&mut self) {
        *self = Queue::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(queue: &mut Queue<char, u32>, may: impl Fn(Kind) -> bool) -> Vec<(char, u32)> {
        std::iter::from_fn(|| queue.pop(&may)).map(|(_, client, item)| (client, item)).collect()
    }

    #[test]
    fn clients_take_turns() {
        let mut queue = Queue::new();
        for (client, item) in [('a', 1), ('a', 2), ('a', 3), ('b', 4), ('c', 5), ('b', 6)] {
            queue.push(Kind::Study, client, item);
        }
        assert_eq!(queue.len(), 6);
        assert_eq!(all(&mut queue, |_| true), [('a', 1), ('b', 4), ('c', 5), ('a', 2), ('b', 6), ('a', 3)]);
    }

    #[test]
    fn moves_go_before_studies_and_studies_before_reviews() {
        let mut queue = Queue::new();
        for (kind, item) in
            [(Kind::Review, 1), (Kind::Study, 2), (Kind::Move, 3), (Kind::Study, 4), (Kind::Quick, 5)]
        {
            queue.push(kind, 'a', item);
        }
        assert!(queue.waits(Kind::Review));
        assert_eq!(all(&mut queue, |kind| kind != Kind::Review), [('a', 5), ('a', 3), ('a', 2), ('a', 4)]);
        assert_eq!(all(&mut queue, |_| true), [('a', 1)]);
        assert!(!queue.waits(Kind::Review));
    }
}
