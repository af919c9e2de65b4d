//! What waits for a thread. Clients take turns by the time that their searches have taken (see [`Turns`]); what is more
//! urgent by its kind has a head start, and no more than that: a client with a hundred moves to find does not hold up the
//! review of one who asks for nothing else.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::time::Duration;

use super::turns::Turns;
pub(crate) use crate::domain::work::WorkKind;

/// Who comes next: the least goes first.
pub(crate) type Key = Duration;

/// An item that waits.
struct Waiting<T> {
    /// Grows with every new item: of two clients level in time the one who has waited longer goes first.
    number: u64,
    item: T,
}

/// The queue.
pub(crate) struct Queue<C, T> {
    lanes: [HashMap<C, VecDeque<Waiting<T>>>; 5],
    turns: Turns<C>,
    pushed: u64,
}

impl<C: Copy + Eq + Hash, T> Queue<C, T> {
    pub(crate) fn new() -> Queue<C, T> {
        Queue { lanes: std::array::from_fn(|_| HashMap::new()), turns: Turns::new(), pushed: 0 }
    }

    /// Takes in a new item of a client. [`Queue::done`] must follow some day.
    pub(crate) fn push(&mut self, kind: WorkKind, client: C, item: T) {
        self.turns.enter(client);
        self.put(kind, client, item, false);
    }

    /// Takes an item in again that was interrupted.
    pub(crate) fn push_again(&mut self, kind: WorkKind, client: C, item: T) {
        self.put(kind, client, item, !kind.alternates());
    }

    fn put(&mut self, kind: WorkKind, client: C, item: T, first: bool) {
        self.pushed += 1;
        let (number, items) = (self.pushed, self.lanes[kind as usize].entry(client).or_default());
        let waiting = Waiting { number, item };
        if first { items.push_front(waiting) } else { items.push_back(waiting) }
    }

    /// Where work of a kind and a client stands now, whether it waits or runs.
    pub(crate) fn key(&self, kind: WorkKind, client: C) -> Key {
        self.turns.time(client) + kind.delay()
    }

    /// The kind and the client that are next among those that may be taken.
    pub(crate) fn peek(&self, may: impl Fn(WorkKind, C) -> bool) -> Option<(WorkKind, C)> {
        let lanes = WorkKind::ALL.into_iter().zip(&self.lanes);
        let all = lanes.flat_map(|(kind, lane)| lane.iter().map(move |items| (kind, items)));
        let next =
            all.filter(|(kind, (client, _))| may(*kind, **client)).min_by_key(|(kind, (client, items))| {
                (self.key(*kind, **client), *kind, items.front().map(|waiting| waiting.number))
            });
        next.map(|(kind, (client, _))| (kind, *client))
    }

    /// Takes out the next item among those that may be taken.
    pub(crate) fn pop(&mut self, may: impl Fn(WorkKind, C) -> bool) -> Option<(WorkKind, C, T)> {
        let (kind, client) = self.peek(may)?;
        let lane = &mut self.lanes[kind as usize];
        let items = lane.get_mut(&client)?;
        let waiting = items.pop_front()?;
        if items.is_empty() {
            lane.remove(&client);
        }
        Some((kind, client, waiting.item))
    }

    /// A search of a client took so long.
    pub(crate) fn charge(&mut self, client: C, time: Duration) {
        self.turns.charge(client, time);
    }

    /// An item of a client that was taken out will not come again.
    pub(crate) fn done(&mut self, client: C) {
        self.turns.leave(client);
    }

    /// Takes out what is no longer wanted.
    pub(crate) fn weed(&mut self, unwanted: impl Fn(&T) -> bool) -> Vec<(C, T)> {
        let mut weeds = Vec::new();
        for lane in &mut self.lanes {
            for (&client, items) in lane.iter_mut() {
                let (gone, kept): (VecDeque<_>, VecDeque<_>) =
                    std::mem::take(items).into_iter().partition(|waiting| unwanted(&waiting.item));
                *items = kept;
                weeds.extend(gone.into_iter().map(|waiting| (client, waiting.item)));
            }
            lane.retain(|_, items| !items.is_empty());
        }
        for (client, _) in &weeds {
            self.turns.leave(*client);
        }
        weeds
    }

    pub(crate) fn len(&self) -> usize {
        self.lanes.iter().flat_map(HashMap::values).map(VecDeque::len).sum()
    }

    /// Takes everything out.
    pub(crate) fn clear(&mut self) {
        *self = Queue::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::work::HEAD_START;

    fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    /// Takes out all, each item being so many milliseconds of work.
    fn all(queue: &mut Queue<char, u64>, may: impl Fn(WorkKind) -> bool) -> Vec<(char, u64)> {
        let next = || {
            let (_, client, work) = queue.pop(|kind, _| may(kind))?;
            queue.charge(client, ms(work));
            Some((client, work))
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn clients_take_turns() {
        let mut queue = Queue::new();
        for (client, item) in [('a', 10), ('a', 11), ('a', 12), ('b', 20), ('c', 30), ('b', 21)] {
            queue.push(WorkKind::Study, client, item);
        }
        assert_eq!(queue.len(), 6);
        assert_eq!(
            all(&mut queue, |_| true),
            [('a', 10), ('b', 20), ('c', 30), ('a', 11), ('b', 21), ('a', 12)]
        );
    }

    #[test]
    fn who_takes_long_comes_as_much_more_seldom() {
        let mut queue = Queue::new();
        for _ in 0..3 {
            queue.push(WorkKind::Move, 'a', 60_000);
        }
        for _ in 0..200 {
            queue.push(WorkKind::Move, 'b', 1000);
        }
        let order = all(&mut queue, |_| true);
        // Between two moves of a minute there are sixty of a second.
        let long: Vec<usize> = (0..order.len()).filter(|&place| order[place].0 == 'a').collect();
        assert_eq!(long, [0, 61, 122]);
    }

    #[test]
    fn urgent_kinds_go_first_among_clients_who_are_level() {
        let mut queue = Queue::new();
        let kinds = [WorkKind::Review, WorkKind::Study, WorkKind::Move, WorkKind::Short, WorkKind::Quick];
        for (client, (kind, item)) in ('a'..).zip(kinds.into_iter().zip(1..)) {
            queue.push(kind, client, item);
        }
        let order = all(&mut queue, |kind| kind != WorkKind::Review);
        assert_eq!(order, [('e', 5), ('d', 4), ('c', 3), ('b', 2)]);
        assert_eq!(all(&mut queue, |_| true), [('a', 1)]);
    }

    #[test]
    fn moves_of_one_client_without_end_do_not_starve_the_review_of_another() {
        let mut queue = Queue::new();
        queue.push(WorkKind::Review, 'b', 1);
        let mut before = Duration::ZERO;
        for _ in 0..1000 {
            queue.push(WorkKind::Move, 'a', 100);
            let (_, client, work) = queue.pop(|_, _| true).expect("something waits");
            if client == 'b' {
                break;
            }
            before += ms(work);
            queue.charge(client, ms(work));
        }
        let expected = HEAD_START * 2;
        assert!(before >= expected && before <= expected + ms(100), "{before:?}");
    }

    #[test]
    fn a_move_that_was_interrupted_goes_on_before_its_client_begins_another() {
        let mut queue = Queue::new();
        for item in [1, 2, 3] {
            queue.push(WorkKind::Move, 'a', item);
            queue.push(WorkKind::Study, 'b', item);
        }
        let first =
            |queue: &mut Queue<char, u64>, wanted| queue.pop(|kind, _| kind == wanted).expect("waits").2;
        for (kind, client, next) in [(WorkKind::Move, 'a', 1), (WorkKind::Study, 'b', 2)] {
            assert_eq!(first(&mut queue, kind), 1);
            queue.push_again(kind, client, 1);
            assert_eq!(first(&mut queue, kind), next, "{kind:?}");
        }
    }

    #[test]
    fn work_that_is_not_wanted_any_more_is_taken_out() {
        let mut queue = Queue::new();
        for (client, item) in [('a', 1), ('a', 2), ('b', 3), ('b', 4), ('c', 5)] {
            queue.push(WorkKind::Move, client, item);
        }
        let mut weeds = queue.weed(|item| item % 2 == 1);
        weeds.sort_unstable();
        assert_eq!(weeds, [('a', 1), ('b', 3), ('c', 5)]);
        assert_eq!((queue.len(), all(&mut queue, |_| true)), (2, vec![('a', 2), ('b', 4)]));
    }
}
