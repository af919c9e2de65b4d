//! How much of something clients hold: each by itself, and all together. What is held is given back when it is dropped.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::domain::error::{AppError, Cause};

/// What can be held at a time.
pub(crate) struct Quota<K> {
    /// What it is, in plural, as an error says it.
    what: &'static str,
    each: usize,
    all: usize,
    held: Mutex<Sums<K>>,
}

struct Sums<K> {
    all: usize,
    of: HashMap<K, usize>,
}

/// Why there is no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// The client has what one may have.
    Own,
    /// All together have what there is.
    All,
}

impl<K: Copy + Eq + Hash> Quota<K> {
    pub(crate) fn new(what: &'static str, each: usize, all: usize) -> Arc<Quota<K>> {
        let held = Mutex::new(Sums { all: 0, of: HashMap::new() });
        Arc::new(Quota { what, each, all, held })
    }

    fn lock(&self) -> MutexGuard<'_, Sums<K>> {
        self.held.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Takes an amount, if there is so much; of nobody in particular if no client is given.
    pub(crate) fn try_take(self: &Arc<Self>, client: Option<K>, amount: usize) -> Result<Held<K>, Full> {
        let mut held = self.lock();
        let own = client.map_or(0, |client| held.of.get(&client).copied().unwrap_or(0));
        if client.is_some() && own + amount > self.each {
            return Err(Full::Own);
        }
        if held.all + amount > self.all {
            return Err(Full::All);
        }
        held.all += amount;
        if let Some(client) = client {
            held.of.insert(client, own + amount);
        }
        Ok(Held { quota: Arc::clone(self), client, amount })
    }

    /// Takes an amount for a client, or says why not.
    pub(crate) fn take(self: &Arc<Self>, client: K, amount: usize) -> Result<Held<K>, AppError> {
        let Quota { what, each, all, .. } = **self;
        let cause = |full| match full {
            Full::Own => Cause::RateHeld { what, most: each },
            Full::All => Cause::ServerFull { what, most: all },
        };
        self.try_take(Some(client), amount).map_err(|full| cause(full).into())
    }

    /// What all clients hold together.
    #[cfg(test)]
    pub(crate) fn in_use(&self) -> usize {
        self.lock().all
    }
}

/// What a client holds.
pub(crate) struct Held<K: Copy + Eq + Hash> {
    quota: Arc<Quota<K>>,
    client: Option<K>,
    amount: usize,
}

impl<K: Copy + Eq + Hash> Drop for Held<K> {
    fn drop(&mut self) {
        let mut held = self.quota.lock();
        held.all -= self.amount;
        let Some(client) = self.client else { return };
        if let Some(own) = held.of.get_mut(&client) {
            *own -= self.amount;
            if *own == 0 {
                held.of.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::error::Kind;

    #[test]
    fn each_client_has_its_part_and_all_together_theirs() {
        let quota = Quota::new("things", 2, 3);
        let held = [quota.take(1, 1), quota.take(1, 1), quota.take(2, 1)].map(|held| held.map(|_| ()));
        assert_eq!(held, [const { Ok(()) }; 3], "what is dropped at once is free again");
        let own = quota.take(1, 2).expect("its part");
        let error = quota.take(1, 1).err().expect("more than its part");
        assert_eq!(error.kind(), Kind::TooMany);
        assert!(error.to_string().contains("at most 2 things"), "{error}");
        let other = quota.take(2, 1).expect("the other's part");
        assert_eq!(quota.take(3, 1).err().expect("nothing is left").kind(), Kind::Busy);
        assert_eq!(quota.try_take(None, 1).err(), Some(Full::All));
        drop((own, other));
        assert_eq!((quota.in_use(), quota.lock().of.len()), (0, 0));
    }
}
