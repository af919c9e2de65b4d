//! An agent that thinks in a thread of its own, so that it can be held in the middle of its search and go on later, with
//! nothing lost and no time of its own gone by. It runs only while a search thread waits for it: a guest is no thread
//! more.

use std::any::Any;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use sumito_agents::{AgentError, Info, Limits, Pause, Stop};
use sumito_rules::{Game, Move};

use super::bench::BenchPlayer;

/// How often a guest is asked whether it waits, and its host whether its turn is over.
const LOOK: Duration = Duration::from_millis(5);

/// An agent under way.
pub(super) struct Guest {
    news: Receiver<News>,
    stop: Stop,
    pause: Pause,
}

/// What a guest has to say.
enum News {
    Info(Info),
    Done(GuestAnswer),
}

/// What became of a guest.
pub(super) enum GuestAnswer {
    /// It chose a move, or has none.
    Chosen(Result<Move, AgentError>, BenchPlayer),
    /// It panicked, and is gone.
    Broken(String),
}

impl Guest {
    /// An agent begins to think when it is first let go.
    pub(super) fn new(player: BenchPlayer, game: Game, limits: &Limits) -> Guest {
        let (stop, pause) = (Stop::default(), Pause::default());
        pause.hold();
        let limits = Limits { stop: stop.clone(), pause: pause.clone(), ..limits.clone() };
        let (send, news) = channel();
        let thread = thread::Builder::new().name("search-guest".to_string());
        let spawned = thread.spawn(move || think(player, &game, &limits, &send));
        // Without a thread there is no news, which its host takes for a guest that broke.
        if let Err(error) = spawned {
            tracing::error!(%error, "no thread for an agent");
        }
        Guest { news, stop, pause }
    }

    /// Lets it think until it is done, or until `end` says that the turn is over; then it waits, and has no answer yet.
    pub(super) fn go_on(&mut self, end: &Stop, hear: &mut dyn FnMut(&Info)) -> Option<GuestAnswer> {
        self.pause.release();
        while !end.is_requested() {
            if let Some(answer) = self.next(hear) {
                return Some(answer);
            }
        }
        self.pause.hold();
        while !self.pause.is_held() {
            if let Some(answer) = self.next(hear) {
                return Some(answer);
            }
        }
        None
    }

    /// Has it answer with what it has found so far.
    pub(super) fn finish(&mut self, hear: &mut dyn FnMut(&Info)) -> GuestAnswer {
        self.stop.request();
        self.pause.release();
        loop {
            if let Some(answer) = self.next(hear) {
                return answer;
            }
        }
    }

    /// Listens for a moment.
    fn next(&self, hear: &mut dyn FnMut(&Info)) -> Option<GuestAnswer> {
        match self.news.recv_timeout(LOOK) {
            Ok(News::Info(info)) => {
                hear(&info);
                None
            }
            Ok(News::Done(answer)) => Some(answer),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(GuestAnswer::Broken("it left no answer".to_string())),
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        // It ends within milliseconds, and nobody needs to wait for that.
        self.stop.request();
        self.pause.release();
    }
}

/// What a guest does.
fn think(mut player: BenchPlayer, game: &Game, limits: &Limits, send: &Sender<News>) {
    limits.pause.wait();
    // If it is to stop already, it has a move all the same, at once.
    let choose = || {
        // Nobody listens any more when it is no longer wanted.
        let chosen = player.agent.choose(game, limits, &mut |info| drop(send.send(News::Info(info.clone()))));
        (chosen, player)
    };
    let answer = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(choose)) {
        Ok((chosen, player)) => GuestAnswer::Chosen(chosen, player),
        Err(why) => GuestAnswer::Broken(told(&*why)),
    };
    let _ = send.send(News::Done(answer));
}

/// What a panic said.
pub(super) fn told(why: &(dyn Any + Send)) -> String {
    let text =
        why.downcast_ref::<String>().map(String::as_str).or_else(|| why.downcast_ref::<&str>().copied());
    text.unwrap_or("without a word").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::seat::Spec;
    use crate::search::bench::{Bench, broken};
    use sumito_agents::registry;
    use sumito_rules::{Layout, Rules};

    fn game() -> Game {
        Game::new(Rules::OFFICIAL, Layout::all()[0].position())
    }

    fn player(spec: &str) -> BenchPlayer {
        let spec = Spec::new(spec).expect("a spec");
        Bench::new(1).take(&spec, (None, None), &Rules::OFFICIAL).expect("an agent")
    }

    /// A turn that is over at once: the guest waits.
    fn held(guest: &mut Guest) {
        let over = Stop::default();
        over.request();
        assert!(guest.go_on(&over, &mut |_| ()).is_none() && guest.pause.is_held());
    }

    /// The agents that think long, but for one that looks a single ply ahead.
    fn thinkers() -> impl Iterator<Item = &'static str> {
        let names = registry::entries().iter().map(|entry| entry.name);
        names
            .filter(|name| *name != "cornell-td" && Spec::new(name).is_ok_and(|spec| spec.kind().gives_way()))
    }

    #[test]
    fn every_agent_that_thinks_long_can_be_held_in_its_search_and_chooses_as_if_it_had_not_been() {
        for name in thinkers() {
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let expected = player(name).agent.choose(&game(), &limits, &mut |_| ());
            let pause = limits.pause.clone();
            pause.hold();
            let search = thread::spawn(move || player(name).agent.choose(&game(), &limits, &mut |_| ()));
            while !pause.is_held() {
                assert!(!search.is_finished(), "{name} was not held");
                thread::sleep(Duration::from_millis(1));
            }
            pause.release();
            assert_eq!(search.join().expect("no panic"), expected, "{name}");
        }
        assert!(thinkers().count() >= 6);
    }

    #[test]
    fn a_guest_goes_on_where_it_was_held() {
        // Far more than it comes to between two holds, however busy the machine is.
        let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
        let expected = player("verloop").agent.choose(&game(), &limits, &mut |_| ());
        let mut guest = Guest::new(player("verloop"), game(), &limits);
        for _ in 0..3 {
            held(&mut guest);
        }
        match guest.go_on(&Stop::default(), &mut |_| ()) {
            Some(GuestAnswer::Chosen(chosen, _)) => assert_eq!(chosen, expected),
            Some(GuestAnswer::Broken(why)) => panic!("{why}"),
            None => panic!("the turn was not over"),
        }
    }

    #[test]
    fn a_guest_that_is_held_answers_at_once_when_it_must() {
        let hour = Limits { move_time: Some(Duration::from_secs(3600)), ..Limits::default() };
        let mut guest = Guest::new(player("sumito"), game(), &hour);
        held(&mut guest);
        let GuestAnswer::Chosen(Ok(m), _) = guest.finish(&mut |_| ()) else { panic!("it has a move") };
        assert!(game().position().is_legal(m));
    }

    #[test]
    fn a_guest_that_panics_says_so() {
        let mut guest = Guest::new(player(broken::ALWAYS[1]), game(), &Limits::default());
        let Some(GuestAnswer::Broken(why)) = guest.go_on(&Stop::default(), &mut |_| ()) else {
            panic!("it had to break")
        };
        assert!(why.contains("on purpose"), "{why}");
    }
}
