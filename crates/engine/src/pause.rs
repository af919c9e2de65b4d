//! Holds a search up for a while and lets it go on, from another thread. The search waits where it looks whether it must
//! stop, so that nothing of its work is lost, and the time that it waits does not count as time to think.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A handle on a search that can be held. Of several threads of a search the first one waits, which is all there are
/// unless more were asked for.
#[derive(Clone, Debug, Default)]
pub struct Pause(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// What is asked for; the search looks at it often.
    wanted: AtomicBool,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Since when the search waits.
    since: Option<Instant>,
    /// How long it has waited before.
    before: Duration,
}

impl Pause {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the search to wait.
    pub fn hold(&self) {
        self.0.wanted.store(true, Ordering::SeqCst);
    }

    /// Lets the search go on.
    pub fn release(&self) {
        let _state = self.state();
        self.0.wanted.store(false, Ordering::SeqCst);
        self.0.wake.notify_all();
    }

    /// Whether the search waits now.
    pub fn is_held(&self) -> bool {
        self.state().since.is_some()
    }

    /// How long the search has waited in all.
    pub fn held(&self) -> Duration {
        let state = self.state();
        state.before + state.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// For the search: waits as long as it is asked to, and says how long that was.
    #[inline]
    pub fn wait(&self) -> Duration {
        if self.0.wanted.load(Ordering::Relaxed) { self.wait_long() } else { Duration::ZERO }
    }

    #[cold]
    fn wait_long(&self) -> Duration {
        let mut state = self.state();
        let since = Instant::now();
        state.since = Some(since);
        while self.0.wanted.load(Ordering::SeqCst) {
            state = self.0.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let waited = since.elapsed();
        (state.since, state.before) = (None, state.before + waited);
        waited
    }
}

#[cfg(test)]
impl Pause {
    /// As after a search that waited so long.
    pub(crate) fn after(before: Duration) -> Pause {
        let pause = Pause::default();
        pause.state().before = before;
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::limits::Limits;
    use crate::options::EngineOptions;
    use crate::proof::{Proof, ProofLimits};
    use std::thread;
    use sumito_rules::{Game, Layout, Rules, fen};

    /// What a search finds that begins held, and goes on when it is seen to wait.
    fn held<T: Send + 'static>(pause: &Pause, search: impl FnOnce() -> T + Send + 'static) -> T {
        pause.hold();
        let search = thread::spawn(search);
        while !pause.is_held() {
            assert!(!search.is_finished(), "it was not held");
            thread::sleep(Duration::from_millis(1));
        }
        pause.release();
        search.join().expect("no panic")
    }

    #[test]
    fn a_search_that_was_held_finds_the_same_as_one_that_was_not() {
        let search = |pause: Pause| {
            let game = Game::new(Rules::OFFICIAL, Layout::all()[0].position());
            let limits = Limits { nodes: Some(30_000), pause, ..Limits::default() };
            let mut told = Vec::new();
            let mut engine = Engine::new(EngineOptions { hash: 4, ..EngineOptions::default() });
            let best =
                engine.go(&game, &limits, &mut |info| told.push((info.depth, info.nodes, info.line.clone())));
            (best, told)
        };
        let pause = Pause::default();
        let again = pause.clone();
        let expected = search(Pause::default());
        assert_eq!(held(&pause, move || search(again)), expected);
        assert!(!pause.held().is_zero() && !pause.is_held());
    }

    #[test]
    fn a_proof_that_was_held_finds_the_same_as_one_that_was_not() {
        let search = |pause: Pause| {
            let start = fen::parse("5/6/1SSS3/8/4ss3/8/7/4s1/5 5 3 b 0 1").expect("a FEN");
            let limits = ProofLimits { nodes: Some(3000), pause, ..ProofLimits::default() };
            let mut nodes = 0;
            let proof =
                Proof::search(&Game::new(Rules::OFFICIAL, start), &limits, &mut |info| nodes = info.nodes);
            (format!("{proof:?}"), nodes)
        };
        let pause = Pause::default();
        let again = pause.clone();
        let expected = search(Pause::default());
        assert!(expected.1 > 256, "long enough to be held: {expected:?}");
        assert_eq!(held(&pause, move || search(again)), expected);
    }
}
