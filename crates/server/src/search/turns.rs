//! Whose turn it is: a fair part of the search threads' time for every client (start-time fair queueing, Goyal, Vin and
//! Cheng 1996). Each client has a virtual time, which grows with the time that its searches take. Who is least far goes
//! first. A client that comes starts no earlier than those who are there, so that nobody saves up time by asking for
//! nothing; and what was taken while nobody else wanted it is not held against anyone.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// So many clients that have nothing to do are kept in mind at most.
const KEPT: usize = 4096;

/// Every client's virtual time.
pub(crate) struct Turns<C> {
    of: HashMap<C, Share>,
    /// No client that comes starts before this.
    base: Duration,
}

#[derive(Clone, Copy)]
struct Share {
    time: Duration,
    /// Searches that wait or run.
    jobs: usize,
}

impl<C: Copy + Eq + Hash> Turns<C> {
    pub(crate) fn new() -> Turns<C> {
        Turns { of: HashMap::new(), base: Duration::ZERO }
    }

    /// A client's virtual time.
    pub(crate) fn time(&self, client: C) -> Duration {
        self.of.get(&client).map_or(self.base, |share| share.time)
    }

    /// A client has one more search.
    pub(crate) fn enter(&mut self, client: C) {
        let busy = self.of.values().filter(|share| share.jobs > 0).map(|share| share.time).min();
        self.base = self.base.max(busy.unwrap_or(self.base));
        let share = self.of.entry(client).or_insert(Share { time: self.base, jobs: 0 });
        if share.jobs == 0 {
            share.time = share.time.max(self.base);
        }
        share.jobs += 1;
    }

    /// A search of a client took so long.
    pub(crate) fn charge(&mut self, client: C, time: Duration) {
        if let Some(share) = self.of.get_mut(&client) {
            share.time += time;
        }
    }

    /// A search of a client has ended. What it took too much is remembered as long as others are busy.
    pub(crate) fn leave(&mut self, client: C) {
        if let Some(share) = self.of.get_mut(&client) {
            share.jobs = share.jobs.saturating_sub(1);
        }
        if self.of.values().all(|share| share.jobs == 0) {
            let last = self.of.values().map(|share| share.time).max();
            self.base = self.base.max(last.unwrap_or(self.base));
        }
        let (base, many) = (self.base, self.of.len() > KEPT);
        self.of.retain(|_, share| share.jobs > 0 || share.time > base && !many);
    }

    /// How many clients are kept in mind.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.of.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn a_client_that_comes_starts_level_with_those_who_are_there() {
        let mut turns = Turns::new();
        turns.enter('a');
        turns.charge('a', seconds(100));
        turns.enter('b');
        assert_eq!((turns.time('a'), turns.time('b')), (seconds(100), seconds(100)));
        turns.charge('b', seconds(3));
        turns.enter('c');
        assert_eq!(turns.time('c'), seconds(100), "level with the one who is least far");
    }

    #[test]
    fn who_leaves_and_comes_back_gains_nothing() {
        let mut turns = Turns::new();
        for client in ['a', 'b'] {
            turns.enter(client);
        }
        turns.charge('a', seconds(9));
        turns.leave('a');
        turns.charge('b', seconds(2));
        turns.enter('a');
        assert_eq!((turns.time('a'), turns.time('b')), (seconds(9), seconds(2)));
    }

    #[test]
    fn when_nobody_is_there_all_is_forgotten() {
        let mut turns = Turns::new();
        for client in 0..10_000 {
            turns.enter(client);
            turns.charge(client, seconds(1));
        }
        for client in 0..10_000 {
            turns.leave(client);
        }
        assert_eq!(turns.len(), 0);
        turns.enter(1);
        turns.enter(20_000);
        assert_eq!(turns.time(1), turns.time(20_000));
    }

    #[test]
    fn clients_without_searches_are_forgotten_when_they_become_too_many() {
        let mut turns = Turns::new();
        turns.enter(0);
        for client in 1..2 * KEPT {
            turns.enter(client);
            turns.charge(client, seconds(1));
            turns.leave(client);
        }
        assert!(turns.len() <= KEPT + 1, "{}", turns.len());
    }
}
