//! The pool with real threads. Nothing here depends on how fast they are.

use super::*;
use crate::search::job::{HeldPlace, MOST_HELD};
use std::sync::mpsc::{Receiver, Sender, channel};

const ME: Owner = Owner(1);
const OTHER: Owner = Owner(2);

fn pool(threads: usize) -> Pool {
    let sizes = Sizes { threads, hash: 1, per_client: 2, in_all: 10 };
    Pool::new(sizes, Arc::new(Metrics::default()))
}

/// The next word, however busy the machine is.
fn next(heard: &Receiver<&'static str>) -> &'static str {
    heard.recv_timeout(Duration::from_secs(120)).expect("a job has its turn")
}

/// A job that says its name and is through.
fn says(name: &'static str, to: &Sender<&'static str>) -> SearchWork {
    let to = to.clone();
    Box::new(move |_| {
        to.send(name).expect("the test listens");
        Next::Done
    })
}

/// A job that says its name and goes on until it is stopped, again and again.
fn endless(name: &'static str, to: &Sender<&'static str>) -> SearchWork {
    let to = to.clone();
    Box::new(move |turn| {
        // The test may have heard enough.
        let _ = to.send(name);
        while !turn.stop.is_requested() {
            thread::sleep(Duration::from_millis(1));
        }
        Next::Again
    })
}

/// A job that says its name and never gives way until it may go.
fn stubborn(name: &'static str, to: &Sender<&'static str>, go: &Arc<AtomicBool>) -> SearchWork {
    let (to, go) = (to.clone(), Arc::clone(go));
    Box::new(move |_| {
        to.send(name).expect("the test listens");
        while !go.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(1));
        }
        Next::Done
    })
}

#[test]
fn a_study_gives_way_to_moves_and_to_other_studies_and_goes_on() {
    let (pool, (to, heard)) = (pool(1), channel());
    let _first = pool.submit(WorkKind::Study, ME, endless("study", &to)).expect("taken");
    assert_eq!(next(&heard), "study");
    let _move = pool.submit_move(WorkKind::Move, ME, says("move", &to));
    assert_eq!((next(&heard), next(&heard)), ("move", "study"));
    let _second = pool.submit(WorkKind::Study, OTHER, endless("other", &to)).expect("taken");
    assert_eq!((next(&heard), next(&heard)), ("other", "study"));
}

#[test]
fn studies_of_one_client_take_turns() {
    let (pool, (to, heard)) = (pool(1), channel());
    let _one = pool.submit(WorkKind::Study, ME, endless("one", &to)).expect("taken");
    let _two = pool.submit(WorkKind::Study, ME, endless("two", &to)).expect("taken");
    let order: Vec<&str> = (0..4).map(|_| next(&heard)).collect();
    assert_eq!(order, ["one", "two", "one", "two"]);
}

#[test]
fn long_moves_of_one_client_do_not_hold_up_the_move_of_another() {
    for threads in [1, 2] {
        let (pool, (to, heard)) = (pool(threads), channel());
        let long: Vec<Ticket> =
            (0..300).map(|_| pool.submit_move(WorkKind::Move, ME, endless("long", &to))).collect();
        for _ in 0..threads {
            assert_eq!(next(&heard), "long");
        }
        for kind in [WorkKind::Move, WorkKind::Study, WorkKind::Review] {
            let _short = pool.submit(kind, OTHER, says("other", &to)).expect("taken");
            let before = (0..100).take_while(|_| next(&heard) == "long").count();
            assert!(before < 100, "{kind:?} never had its turn");
        }
        drop(long);
    }
}

#[test]
fn only_so_many_interrupted_searches_are_kept() {
    let (pool, (to, heard)) = (pool(1), channel());
    let hold = |turn: &mut Turn<'_>| {
        let held: Vec<Option<HeldPlace>> = (0..MOST_HELD + 2).map(|_| turn.hold()).collect();
        held.iter().filter(|held| held.is_some()).count()
    };
    for _ in 0..2 {
        let to = to.clone();
        let work = Box::new(move |turn: &mut Turn<'_>| {
            to.send(if hold(turn) == MOST_HELD { "all" } else { "not all" }).expect("the test listens");
            Next::Done
        });
        let _job = pool.submit_move(WorkKind::Move, ME, work);
        assert_eq!(next(&heard), "all", "and all are given back");
    }
}

#[test]
fn quick_work_does_not_wait_for_long_moves() {
    let (pool, (to, heard)) = (pool(1), channel());
    let go = Arc::new(AtomicBool::new(false));
    let _long = pool.submit_move(WorkKind::Move, ME, stubborn("long", &to, &go));
    assert_eq!(next(&heard), "long");
    let _quick = pool.submit_move(WorkKind::Quick, ME, says("quick", &to));
    assert_eq!(next(&heard), "quick");
    go.store(true, Ordering::SeqCst);
}

#[test]
fn a_job_whose_ticket_is_dropped_ends_and_makes_room() {
    let (pool, (to, heard)) = (pool(1), channel());
    let first = pool.submit(WorkKind::Review, ME, endless("first", &to)).expect("taken");
    assert_eq!(next(&heard), "first");
    let second = pool.submit(WorkKind::Review, ME, says("second", &to)).expect("taken");
    let refused = pool.submit(WorkKind::Review, ME, says("third", &to)).err().expect("too many");
    assert_eq!(refused.fault().cause.code(), "rate.held");
    drop((first, second));
    let again = loop {
        match pool.submit(WorkKind::Review, ME, says("again", &to)) {
            Ok(ticket) => break ticket,
            Err(_) => thread::sleep(Duration::from_millis(1)),
        }
    };
    let next = heard.iter().find(|name| !["first", "second"].contains(name));
    assert_eq!(next, Some("again"));
    drop(again);
}

#[test]
fn a_job_that_is_cancelled_while_it_waits_makes_room_at_once() {
    let (pool, (to, heard)) = (pool(1), channel());
    let go = Arc::new(AtomicBool::new(false));
    let _long = pool.submit_move(WorkKind::Move, OTHER, stubborn("long", &to, &go));
    assert_eq!(next(&heard), "long");
    // The thread is taken, so that nothing of this runs.
    let waiting: Vec<Ticket> =
        (0..2).map(|_| pool.submit(WorkKind::Study, ME, says("never", &to)).expect("taken")).collect();
    drop(waiting);
    let limit = Instant::now() + Duration::from_secs(120);
    while pool.submit(WorkKind::Study, ME, says("never", &to)).is_err() {
        assert!(Instant::now() < limit, "what was cancelled counts still");
        thread::sleep(Duration::from_millis(1));
    }
    go.store(true, Ordering::SeqCst);
}

#[test]
fn moves_of_games_leave_room_for_other_searches() {
    let (pool, (to, heard)) = (pool(1), channel());
    let _games: Vec<Ticket> =
        (0..50).map(|_| pool.submit_move(WorkKind::Move, ME, endless("game", &to))).collect();
    let _other = pool.submit(WorkKind::Short, OTHER, says("other", &to)).expect("room for ten in all");
    assert!(heard.iter().any(|name| name == "other"));
}

#[test]
fn a_job_that_panics_does_not_take_its_thread_along() {
    let (pool, (to, heard)) = (pool(1), channel());
    let _bad = pool.submit_move(WorkKind::Move, ME, Box::new(|_| panic!("on purpose")));
    let _good = pool.submit_move(WorkKind::Move, ME, says("good", &to));
    assert_eq!(next(&heard), "good");
}

#[test]
fn quick_work_of_one_client_does_not_fill_all_threads_that_are_there_for_it() {
    let (pool, (to, heard)) = (pool(1), channel());
    let go = Arc::new(AtomicBool::new(false));
    let _mine: Vec<Ticket> =
        (0..10).map(|_| pool.submit_move(WorkKind::Quick, ME, stubborn("stubborn", &to, &go))).collect();
    assert_eq!(next(&heard), "stubborn");
    for owner in 2..5 {
        let _quick = pool.submit_move(WorkKind::Quick, Owner(owner), says("other", &to));
        assert_eq!(next(&heard), "other");
    }
    go.store(true, Ordering::SeqCst);
    for _ in 1..10 {
        assert_eq!(next(&heard), "stubborn", "one after the other");
    }
}
