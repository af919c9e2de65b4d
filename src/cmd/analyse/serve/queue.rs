//! Requests that wait: the highest priority first, and among equals the one that came first.

use serde_json::Value;

/// A queue of jobs with their ids.
pub(super) struct RequestQueue<T> {
    /// In the order in which they came.
    waiting: Vec<Waiting<T>>,
}

struct Waiting<T> {
    id: Value,
    priority: i32,
    job: T,
}

impl<T> Default for RequestQueue<T> {
    fn default() -> RequestQueue<T> {
        RequestQueue { waiting: Vec::new() }
    }
}

impl<T> RequestQueue<T> {
    pub(super) fn push(&mut self, id: Value, priority: i32, job: T) {
        self.waiting.push(Waiting { id, priority, job });
    }

    pub(super) fn contains(&self, id: &Value) -> bool {
        self.waiting.iter().any(|waiting| waiting.id == *id)
    }

    /// The next job. There are never so many that looking at all of them matters beside a search.
    pub(super) fn pop(&mut self) -> Option<(Value, T)> {
        let highest = self.waiting.iter().map(|waiting| waiting.priority).max()?;
        let first = self.waiting.iter().position(|waiting| waiting.priority == highest)?;
        let Waiting { id, job, .. } = self.waiting.remove(first);
        Some((id, job))
    }

    /// Takes a job out before its turn.
    pub(super) fn remove(&mut self, id: &Value) -> Option<T> {
        let at = self.waiting.iter().position(|waiting| waiting.id == *id)?;
        Some(self.waiting.remove(at).job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_priorities_come_first_and_equals_in_their_order() {
        let mut queue = RequestQueue::default();
        for (job, priority) in [("a", 0), ("b", 5), ("c", 0), ("d", 5), ("e", -1)] {
            queue.push(job.into(), priority, job);
        }
        assert_eq!(queue.remove(&"c".into()), Some("c"));
        assert!(!queue.contains(&"c".into()) && queue.contains(&"a".into()));
        let order: Vec<&str> = std::iter::from_fn(|| queue.pop()).map(|(_, job)| job).collect();
        assert_eq!(order, ["b", "d", "a", "e"]);
    }
}
