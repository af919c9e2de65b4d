//! Everybody meets everybody: Berger's tables (FIDE handbook C.05), once or twice.

use sumito_rules::Color;

use super::lot::Lot;
use super::record::{Pairing, PairingResult, PlayerId, Rest, Resting, Round};

/// How often everybody meets everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cycles {
    /// Once.
    One,
    /// Twice, with each colour.
    Two,
}

/// All rounds. The players' places in the table are drawn by lot; each rests once in a cycle if their number is odd.
#[must_use]
pub(crate) fn schedule(players: &[PlayerId], cycles: Cycles, seed: u64) -> Vec<Round> {
    let mut places = players.to_vec();
    places.sort_by_key(|player| (Lot::of(seed, player.0), *player));
    let mut rounds: Vec<Round> = match places.len() {
        0 | 1 => Vec::new(),
        many => (0..many.next_multiple_of(2) - 1).map(|round| berger(&places, round)).collect(),
    };
    if cycles == Cycles::Two {
        let second: Vec<Round> = rounds.iter().map(reversed).collect();
        // Or the colours at the seam could be the same three times in a row.
        if let [.., a, b] = rounds.as_mut_slice() {
            std::mem::swap(a, b);
        }
        rounds.extend(second);
    }
    rounds
}

/// One round: the last place of an even table stays, and meets the player at the pivot; the others meet at equal distances from it.
fn berger(places: &[PlayerId], round: usize) -> Round {
    let fixed = places.len().next_multiple_of(2) - 1;
    let half = fixed.div_ceil(2);
    let pivot = round * half % fixed;
    let mut found = Round::default();
    let mut meet = |first: usize, second: usize| match (places.get(first), places.get(second)) {
        (Some(&black), Some(&white)) => found.pairings.push(Pairing { black, white, result: None }),
        (Some(&player), None) | (None, Some(&player)) => {
            found.resting.push(Resting { player, rest: Rest::Free });
        }
        (None, None) => {}
    };
    if round.is_multiple_of(2) {
        meet(pivot, fixed);
    } else {
        meet(fixed, pivot);
    }
    for step in 1..half {
        meet((pivot + step) % fixed, (pivot + fixed - step) % fixed);
    }
    found
}

fn reversed(round: &Round) -> Round {
    let turn = |it: &Pairing| Pairing { black: it.white, white: it.black, result: None };
    Round { pairings: round.pairings.iter().map(turn).collect(), resting: round.resting.clone() }
}

/// The rounds as they count in the standings when players have withdrawn (FIDE's rule of the half, handbook C.05). Who had played at least half of all
/// games loses the rest by forfeit; who had played less is taken out, with all games. For ratings, what was played stays.
#[must_use]
pub(crate) fn after_withdrawals(rounds: &[Round], withdrawn: &[PlayerId]) -> Vec<Round> {
    let removed: Vec<PlayerId> =
        withdrawn.iter().copied().filter(|player| !played_half(rounds, *player)).collect();
    let mut counted = rounds.to_vec();
    for round in &mut counted {
        let (gone, kept) = round
            .pairings
            .drain(..)
            .partition(|it| removed.iter().any(|player| it.color_of(*player).is_some()));
        round.pairings = kept;
        let gone: Vec<Pairing> = gone;
        let rest = |player: PlayerId| Resting {
            player,
            rest: if removed.contains(&player) { Rest::Away } else { Rest::Free },
        };
        round.resting.extend(gone.iter().flat_map(|it| [rest(it.black), rest(it.white)]));
        for pairing in round.pairings.iter_mut().filter(|pairing| pairing.result.is_none()) {
            let gone = |side: Color| withdrawn.contains(&pairing.player(side));
            pairing.result = match (gone(Color::Black), gone(Color::White)) {
                (true, true) => Some(PairingResult::Unplayed),
                (true, false) => Some(PairingResult::Forfeited(Color::Black)),
                (false, true) => Some(PairingResult::Forfeited(Color::White)),
                (false, false) => None,
            };
        }
    }
    counted
}

fn played_half(rounds: &[Round], player: PlayerId) -> bool {
    let own = || rounds.iter().flat_map(|round| &round.pairings).filter(|it| it.color_of(player).is_some());
    let played = own().filter(|it| it.result.is_some_and(PairingResult::is_played)).count();
    2 * played >= own().count()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn table(count: u32) -> Vec<PlayerId> {
        (0..count).map(PlayerId).collect()
    }

    fn sides(rounds: &[Round], player: PlayerId) -> Vec<Color> {
        rounds.iter().flat_map(|round| round.pairings.iter().find_map(|it| it.color_of(player))).collect()
    }

    #[test]
    fn six_players_meet_as_fides_table_says() {
        let rounds: Vec<Vec<(u32, u32)>> = (0..5)
            .map(|round| {
                berger(&table(6), round).pairings.iter().map(|it| (it.black.0 + 1, it.white.0 + 1)).collect()
            })
            .collect();
        let fide = [
            [(1, 6), (2, 5), (3, 4)],
            [(6, 4), (5, 3), (1, 2)],
            [(2, 6), (3, 1), (4, 5)],
            [(6, 5), (1, 4), (2, 3)],
            [(3, 6), (4, 2), (5, 1)],
        ];
        assert_eq!(rounds, fide);
    }

    #[test]
    fn everybody_meets_everybody_with_balanced_colors() {
        for count in 2..=40 {
            let rounds = schedule(&table(count), Cycles::One, 7);
            let pairs: Vec<_> = rounds
                .iter()
                .flat_map(|round| &round.pairings)
                .map(|it| (it.black.min(it.white), it.black.max(it.white)))
                .collect();
            assert_eq!(pairs.len() as u32, count * (count - 1) / 2);
            assert_eq!(pairs.iter().collect::<HashSet<_>>().len(), pairs.len());
            for player in table(count) {
                let black =
                    sides(&rounds, player).iter().filter(|side| **side == Color::Black).count() as i64;
                assert!((2 * black - i64::from(count - 1)).abs() <= 1, "{player} of {count}: {black}");
                let rests =
                    rounds.iter().flat_map(|it| &it.resting).filter(|it| it.player == player).count() as u32;
                assert_eq!(rests, count % 2);
            }
        }
    }

    #[test]
    fn twice_is_once_with_each_color_and_never_three_of_one_in_a_row() {
        for count in 3..=40 {
            let rounds = schedule(&table(count), Cycles::Two, 7);
            let games: HashSet<_> =
                rounds.iter().flat_map(|round| &round.pairings).map(|it| (it.black, it.white)).collect();
            assert_eq!(games.len() as u32, count * (count - 1));
            for player in table(count) {
                let sides = sides(&rounds, player);
                assert!(
                    sides.windows(3).all(|it| it[0] != it[1] || it[1] != it[2]),
                    "{player} of {count}: {sides:?}"
                );
            }
        }
    }

    #[test]
    fn who_withdraws_before_the_half_is_taken_out_and_after_it_forfeits() {
        let mut rounds = schedule(&table(6), Cycles::One, 7);
        let finish = |round: &mut Round| {
            round.pairings.iter_mut().for_each(|it| it.result = Some(PairingResult::Drawn));
        };
        rounds[..2].iter_mut().for_each(finish);
        let early = after_withdrawals(&rounds, &[PlayerId(3)]);
        assert!(early.iter().flat_map(|it| &it.pairings).all(|it| it.color_of(PlayerId(3)).is_none()));
        finish(&mut rounds[2]);
        let late = after_withdrawals(&rounds, &[PlayerId(3)]);
        for pairing in late[3..].iter().flat_map(|it| &it.pairings) {
            assert_eq!(pairing.result, pairing.color_of(PlayerId(3)).map(PairingResult::Forfeited));
        }
    }
}
