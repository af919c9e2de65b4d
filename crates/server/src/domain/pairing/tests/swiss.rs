//! 200 Swiss tournaments with everything that happens in them; each round is checked against what the tests know by themselves.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use sumito_rules::Color;

use super::ledger::{Ledger, broken};
use super::proof::{cheapest, has_complete_matching};
use crate::domain::pairing::lot::Lot;
use crate::domain::pairing::swiss::Swiss;
use crate::domain::pairing::{Entrant, PairingResult, PlayerId, Points, Presence, Rest, Round};

/// A tournament with its surprises.
struct Event {
    lot: Lot,
    seed: u64,
    entrants: Vec<Entrant>,
    rounds: Vec<Round>,
    ledger: Ledger,
    /// Away until this round.
    away: HashMap<PlayerId, usize>,
    to_join: u32,
}

/// What was seen in all tournaments.
#[derive(Debug, Default)]
struct Seen {
    rounds: usize,
    games: usize,
    rounds_with_rematch: usize,
    rematches: usize,
    byes: usize,
    second_byes: usize,
    broken_colors: usize,
    widest_balance: i32,
    rounds_tried_fully: usize,
    joined_late: usize,
    withdrawn: usize,
    half_point_byes: usize,
    forfeits: usize,
    repeated_floats: usize,
}

impl Event {
    fn new(seed: u64, players: u32) -> Event {
        let mut event = Event {
            lot: Lot::new(seed),
            seed,
            entrants: Vec::new(),
            rounds: Vec::new(),
            ledger: Ledger::default(),
            away: HashMap::new(),
            to_join: players / 8,
        };
        (0..players - players / 8).for_each(|_| event.enter());
        event
    }

    fn enter(&mut self) {
        let id = PlayerId(self.entrants.len() as u32);
        let head_start = Points(i32::from(!self.rounds.is_empty()));
        self.entrants.push(Entrant { id, rating: 1200 + self.lot.below(80) as i32 * 10, head_start });
        self.ledger.enter(id, head_start.0);
    }

    /// Who is there for the next round.
    fn presences(&mut self, seen: &mut Seen) -> HashMap<PlayerId, Presence> {
        let round = self.rounds.len();
        if round > 0 && self.to_join > 0 {
            let joining = self.lot.below(u64::from(self.to_join) + 1) as u32;
            (0..joining).for_each(|_| self.enter());
            self.to_join -= joining;
            seen.joined_late += joining as usize;
        }
        let mut presences = HashMap::new();
        for entrant in self.entrants.clone() {
            let chance = self.lot.below(100);
            let presence = match self.away.get(&entrant.id) {
                Some(until) if round < *until => Presence::Away,
                _ if chance < 2 && round > 0 => {
                    self.away.insert(entrant.id, usize::MAX);
                    seen.withdrawn += 1;
                    Presence::Away
                }
                _ if chance < 4 => {
                    self.away.insert(entrant.id, round + 2);
                    Presence::Away
                }
                _ if chance < 6 => {
                    seen.half_point_byes += 1;
                    Presence::HalfPointBye
                }
                _ => Presence::Plays,
            };
            presences.insert(entrant.id, presence);
        }
        presences
    }

    fn pair(&self, presences: &HashMap<PlayerId, Presence>) -> Round {
        let swiss = Swiss { entrants: &self.entrants, rounds: &self.rounds, seed: self.seed };
        swiss.pair(|player| presences[&player]).expect("it can be paired")
    }

    fn play(&mut self, mut round: Round, seen: &mut Seen) {
        let ratings: HashMap<PlayerId, i32> = self.entrants.iter().map(|it| (it.id, it.rating)).collect();
        for it in &mut round.pairings {
            let favour = 50 + (ratings[&it.black] - ratings[&it.white]).clamp(-400, 400) / 10;
            let chance = self.lot.below(1000);
            it.result = Some(match self.lot.below(100) as i32 {
                _ if chance < 15 => PairingResult::Forfeited(Color::Black),
                _ if chance < 30 => PairingResult::Forfeited(Color::White),
                _ if chance < 33 => PairingResult::Unplayed,
                _ if chance < 120 => PairingResult::Drawn,
                luck if luck < favour => PairingResult::Won(Color::Black),
                _ => PairingResult::Won(Color::White),
            });
            seen.forfeits += usize::from(chance < 33);
        }
        self.ledger.add(&round);
        self.rounds.push(round);
    }

    /// Those who play, in the order of the standings as far as points go.
    fn playing(&self, presences: &HashMap<PlayerId, Presence>) -> Vec<PlayerId> {
        self.entrants.iter().map(|it| it.id).filter(|it| presences[it] == Presence::Plays).collect()
    }
}

/// Everybody is there once, and where they should be.
fn check_complete(round: &Round, presences: &HashMap<PlayerId, Presence>) {
    let mut found = HashMap::new();
    for it in &round.pairings {
        for player in [it.black, it.white] {
            assert!(found.insert(player, Presence::Plays).is_none(), "{player} twice");
        }
    }
    for it in &round.resting {
        let presence = match it.rest {
            Rest::Bye => Presence::Plays,
            Rest::HalfPointBye => Presence::HalfPointBye,
            Rest::Away => Presence::Away,
            Rest::Free => panic!("nobody is free in a Swiss tournament"),
        };
        assert!(found.insert(it.player, presence).is_none(), "{} twice", it.player);
    }
    assert_eq!(&found, presences);
    let byes = round.resting.iter().filter(|it| it.rest == Rest::Bye).count();
    assert_eq!(byes, presences.values().filter(|it| **it == Presence::Plays).count() % 2);
}

/// The rules that a round must keep while they can be kept, with a proof by Tutte's matrix that where it does not, it cannot.
fn check_rules(event: &Event, players: &[PlayerId], round: &Round, seen: &mut Seen) {
    let ledger = &event.ledger;
    let vertices = players.len().next_multiple_of(2);
    let met = |a: PlayerId, b: PlayerId| ledger.record(a).met.contains(&b);
    let fresh = |a: usize, b: usize| b >= players.len() || !met(players[a], players[b]);
    let rematches = round.pairings.iter().filter(|it| met(it.black, it.white)).count();
    seen.rematches += rematches;
    seen.rounds_with_rematch += usize::from(rematches > 0);
    let possible = has_complete_matching(vertices, fresh, event.seed);
    assert_eq!(rematches > 0, !possible, "a rematch although there is a round without one");
    if rematches > 0 {
        return;
    }
    let bye = round.resting.iter().find(|it| it.rest == Rest::Bye).map(|it| it.player);
    let byes = |player: PlayerId| ledger.record(player).byes;
    let first_bye = |a: usize, b: usize| b < players.len() || byes(players[a]) == 0;
    let had = bye.map_or(0, byes);
    if bye.is_some() {
        seen.byes += 1;
        seen.second_byes += usize::from(had > 0);
        let possible = has_complete_matching(vertices, |a, b| fresh(a, b) && first_bye(a, b), event.seed);
        assert_eq!(had > 0, !possible, "a second bye although there is a round without one");
    }
    let entry = |it: &crate::domain::pairing::Pairing| {
        ledger.record(it.black).broken(Color::Black) + ledger.record(it.white).broken(Color::White)
    };
    let broken_rules: i64 = round.pairings.iter().map(entry).sum();
    seen.broken_colors += broken_rules as usize;
    let clean = |a: usize, b: usize| {
        b >= players.len() || broken(ledger.record(players[a]), ledger.record(players[b])) == 0
    };
    let as_few_byes = |a: usize, b: usize| b < players.len() || byes(players[a]) <= had;
    let allowed = |a: usize, b: usize| fresh(a, b) && as_few_byes(a, b) && clean(a, b);
    let possible = has_complete_matching(vertices, allowed, event.seed);
    assert_eq!(broken_rules > 0, !possible, "a rule of colours is broken although it can be kept");
    if let Some(bye) = bye.filter(|_| broken_rules == 0) {
        check_bye(event, players, bye, &allowed);
    }
}

/// Nobody with fewer points could have had the bye instead.
fn check_bye(event: &Event, players: &[PlayerId], bye: PlayerId, allowed: &dyn Fn(usize, usize) -> bool) {
    let points = |player: PlayerId| event.ledger.record(player).points;
    for (lower, _) in players.iter().enumerate().filter(|(_, it)| points(**it) < points(bye)) {
        if !allowed(lower, players.len()) {
            continue;
        }
        let others: Vec<usize> = (0..players.len()).filter(|it| *it != lower).collect();
        let possible = has_complete_matching(others.len(), |a, b| allowed(others[a], others[b]), event.seed);
        assert!(!possible, "{} has the bye, but {} is lower", bye, players[lower]);
    }
}

/// Small rounds: no other one is better, by trying them all. Rematches, second byes, broken colours, the place of the bye, score
/// differences, their squares, repeated floats.
fn check_all(event: &Event, players: &[PlayerId], round: &Round) {
    let ledger = &event.ledger;
    let swiss = Swiss { entrants: &event.entrants, rounds: &event.rounds, seed: event.seed };
    let there: HashSet<PlayerId> = players.iter().copied().collect();
    let presence = |it: PlayerId| if there.contains(&it) { Presence::Plays } else { Presence::Away };
    let (order, _) = swiss.worths(presence);
    let game = |a: PlayerId, b: PlayerId| {
        let (a, b, met) =
            (ledger.record(a), ledger.record(b), ledger.record(a).met.iter().filter(|it| **it == b).count());
        let gap = i64::from((a.points - b.points).abs());
        let repeats = |x: &super::ledger::Record, y: &super::ledger::Record| {
            i64::from(x.points != y.points && x.float == (x.points - y.points).signum())
        };
        [met as i64, 0, broken(a, b), 0, gap, gap * gap, repeats(a, b) + repeats(b, a)]
    };
    let rest = |player: PlayerId| {
        let below = order.len() - 1 - order.iter().position(|it| *it == player).expect("there");
        [0, ledger.record(player).byes, 0, below as i64, 0, 0, 0]
    };
    let best = cheapest(players.len().next_multiple_of(2), |a, b| match players.get(b) {
        Some(other) => game(players[a], *other),
        None => rest(players[a]),
    });
    let byes = round.resting.iter().filter(|it| it.rest == Rest::Bye).map(|it| rest(it.player));
    let ours = round.pairings.iter().map(|it| game(it.black, it.white)).chain(byes);
    let sum = ours.fold([0; 7], |sum, it| std::array::from_fn(|k| sum[k] + it[k]));
    assert_eq!(Some(sum), best);
}

/// The same tournament with everything listed in another order.
fn check_order(event: &Event, presences: &HashMap<PlayerId, Presence>, round: &Round) {
    let (mut entrants, mut rounds) = (event.entrants.clone(), event.rounds.clone());
    entrants.reverse();
    rounds.iter_mut().for_each(|it| it.pairings.reverse());
    let swiss = Swiss { entrants: &entrants, rounds: &rounds, seed: event.seed };
    assert_eq!(swiss.pair(|player| presences[&player]).as_ref(), Ok(round));
}

fn count_floats(event: &Event, round: &Round) -> usize {
    let record = |player: PlayerId| event.ledger.record(player);
    let repeats = |a: PlayerId, b: PlayerId| {
        let way = (record(a).points - record(b).points).signum();
        usize::from(way != 0 && record(a).float == way)
    };
    round.pairings.iter().map(|it| repeats(it.black, it.white) + repeats(it.white, it.black)).sum()
}

/// The round's players, its pairings, and who has met before, for networkx.
fn describe(event: &Event, players: &[PlayerId], round: &Round) -> String {
    let mut text = format!("{}", players.len());
    let place: HashMap<PlayerId, usize> = players.iter().enumerate().map(|(i, it)| (*it, i)).collect();
    for it in &round.pairings {
        write!(text, " {},{}", place[&it.black], place[&it.white]).expect("a string takes all");
    }
    text.push_str(" met");
    for (i, player) in players.iter().enumerate() {
        for other in
            event.ledger.record(*player).met.iter().filter_map(|it| place.get(it)).filter(|it| i < **it)
        {
            write!(text, " {i},{other}").expect("a string takes all");
        }
    }
    text.push('\n');
    text
}

/// All criteria of all pairings, and what our round makes of them.
fn describe_worths(event: &Event, presences: &HashMap<PlayerId, Presence>, round: &Round) -> String {
    let swiss = Swiss { entrants: &event.entrants, rounds: &event.rounds, seed: event.seed };
    let (order, worths) = swiss.worths(|player| presences[&player]);
    let place = |player: PlayerId| order.iter().position(|it| *it == player).expect("there");
    let mut ours: HashSet<(usize, usize)> = HashSet::new();
    for it in &round.pairings {
        let (a, b) = (place(it.black), place(it.white));
        ours.insert((a.min(b), a.max(b)));
    }
    ours.extend(
        round.resting.iter().filter(|it| it.rest == Rest::Bye).map(|it| (place(it.player), order.len())),
    );
    let mut text = String::new();
    for (a, b, worth) in worths {
        let parts: Vec<String> = worth.0.iter().map(ToString::to_string).collect();
        write!(text, "{a},{b},{},{} ", u8::from(ours.contains(&(a, b))), parts.join(","))
            .expect("a string takes all");
    }
    text.push('\n');
    text
}

/// What networkx is to look at.
#[derive(Default)]
pub(super) struct Checks {
    pub(super) rounds: String,
    pub(super) worths: String,
}

/// Plays 200 tournaments and checks each round.
pub(super) fn tournaments() -> Checks {
    let (mut seen, mut checks) = (Seen::default(), Checks::default());
    for seed in 0..200 {
        let mut lot = Lot::new(seed);
        // Half of them small, where rematches become unavoidable.
        let players = if seed % 2 == 0 { 8 + lot.below(12) } else { 8 + lot.below(94) } as u32;
        let rounds = if players < 20 { 5 + lot.below(u64::from(players) - 1) } else { 5 + lot.below(9) };
        let mut event = Event::new(seed, players);
        for _ in 0..rounds {
            let presences = event.presences(&mut seen);
            let playing = event.playing(&presences);
            if playing.len() < 4 {
                break;
            }
            let round = event.pair(&presences);
            check_complete(&round, &presences);
            check_rules(&event, &playing, &round, &mut seen);
            check_order(&event, &presences, &round);
            if playing.len() <= 12 {
                check_all(&event, &playing, &round);
                seen.rounds_tried_fully += 1;
            }
            checks.rounds += &describe(&event, &playing, &round);
            if playing.len() <= 40 && seen.rounds % 10 == 0 {
                checks.worths += &describe_worths(&event, &presences, &round);
            }
            seen.rounds += 1;
            seen.games += round.pairings.len();
            seen.repeated_floats += count_floats(&event, &round);
            event.play(round, &mut seen);
            let widest = event.ledger.0.values().map(|it| it.balance().abs()).max();
            seen.widest_balance = seen.widest_balance.max(widest.unwrap_or(0));
        }
    }
    println!("{seen:#?}");
    checks
}

#[test]
fn two_hundred_tournaments_keep_the_rules() {
    tournaments();
}
