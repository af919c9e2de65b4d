//! Whether the database can be written, as the last writes have shown. When none has come for a while, the store writes a
//! row of its own to find out.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::writer::Command;
use crate::domain::date::now;
use crate::store::Write;

/// How often a row is written if nothing else is, and after a write that failed.
const PROBE: Duration = Duration::from_secs(15);
const AFTER_TROUBLE: Duration = Duration::from_secs(2);
/// A database that took no write for so many milliseconds is not ready: the writer hangs.
const STALE: i64 = 60_000;

/// What is known of the database.
#[derive(Debug)]
pub(crate) struct StoreHealth {
    /// When a write was last committed.
    written: AtomicI64,
    /// Why the last write was not.
    trouble: Mutex<Option<String>>,
    /// What the check of the whole file has found, if it was damaged.
    damage: Mutex<Option<String>>,
}

impl Default for StoreHealth {
    fn default() -> StoreHealth {
        StoreHealth { written: AtomicI64::new(now()), trouble: Mutex::default(), damage: Mutex::default() }
    }
}

fn set(of: &Mutex<Option<String>>, value: Option<String>) {
    *of.lock().unwrap_or_else(PoisonError::into_inner) = value;
}

fn get(of: &Mutex<Option<String>>) -> Option<String> {
    of.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

impl StoreHealth {
    pub(super) fn wrote(&self) {
        self.written.store(now(), Ordering::Relaxed);
        set(&self.trouble, None);
    }

    pub(super) fn failed(&self, why: &str) {
        set(&self.trouble, Some(why.to_string()));
    }

    pub(super) fn damaged(&self, what: String) {
        set(&self.damage, Some(what));
    }

    /// When a write was last committed.
    pub(crate) fn last_write(&self) -> i64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Why the database is not fit to take games; nothing if it is.
    pub(crate) fn trouble(&self, now: i64) -> Option<String> {
        let silent = now - self.last_write() > STALE;
        get(&self.damage)
            .or_else(|| get(&self.trouble))
            .or_else(|| silent.then(|| "the database takes no writes".to_string()))
    }
}

/// Writes now and then until the store is closed.
pub(super) async fn probe(health: Arc<StoreHealth>, writes: mpsc::WeakSender<Command>) {
    loop {
        let in_trouble = get(&health.trouble).is_some();
        tokio::time::sleep(if in_trouble { AFTER_TROUBLE } else { PROBE }).await;
        if !in_trouble && now() - health.last_write() < PROBE.as_millis() as i64 {
            continue;
        }
        let (done, reply) = oneshot::channel();
        let Some(writes) = writes.upgrade() else { return };
        if writes.send(Command::Write(Box::new((Write::Probe(now()), done)))).await.is_err() {
            return;
        }
        drop(writes);
        // The writer notes how it went.
        let _ = reply.await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_not_ready_while_writes_fail_or_hang_and_never_when_damaged() {
        let health = StoreHealth::default();
        let at = health.last_write();
        assert_eq!(health.trouble(at), None);
        assert_eq!(health.trouble(at + STALE + 1).as_deref(), Some("the database takes no writes"));
        health.failed("the disk is full");
        assert_eq!(health.trouble(at).as_deref(), Some("the disk is full"));
        health.wrote();
        assert_eq!(health.trouble(health.last_write()), None);
        health.damaged("page 3".to_string());
        health.wrote();
        assert_eq!(health.trouble(health.last_write()).as_deref(), Some("page 3"));
    }
}
