//! What games say about the strength of a player against another: score and Elo with their intervals.

use super::values::MeasuredValue;
use crate::stats::{Pentanomial, WdlCount, Z95, elo_of};

/// With fewer pairs their spread is not known.
const LEAST_PAIRS: u64 = 10;
/// So near to all or nothing, in percent, the spread of pairs says too little about those that were not played.
const EDGE: f64 = 5.0;

/// The part of the points, in percent. From pairs of games on one opening with colours changed it has the interval of the pentanomial,
/// which is smaller where openings favour a colour and where many games are drawn; from single games, few pairs, pairs that all ended
/// alike, or near all or nothing Wilson's.
pub(super) fn score(games: WdlCount, pairs: Option<Pentanomial>) -> MeasuredValue {
    let single = MeasuredValue::score(games);
    let is_inside = (EDGE..=100.0 - EDGE).contains(&single.value);
    let Some(pairs) = pairs.filter(|pairs| pairs.pairs() >= LEAST_PAIRS && is_inside) else { return single };
    let half = 100.0 * Z95 * pairs.error();
    if half == 0.0 {
        return single;
    }
    MeasuredValue {
        value: single.value,
        low: (single.value - half).max(0.0),
        high: (single.value + half).min(100.0),
    }
}

/// The Elo difference of a score and of the ends of its interval; none where every game ended alike.
pub(super) fn elo(score: MeasuredValue) -> Option<MeasuredValue> {
    let [value, low, high] = [score.value, score.low, score.high].map(|percent| elo_of(percent / 100.0));
    value.is_finite().then_some(MeasuredValue { value, low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_share_their_points_say_more_than_single_games() {
        // Nearly every opening is won by the same colour.
        let (games, pairs) = (WdlCount::new(20, 0, 20), Pentanomial([1, 0, 18, 0, 1]));
        let even = score(games, Some(pairs));
        assert!(even.value == 50.0 && even.error() < 0.5 * MeasuredValue::score(games).error(), "{even:?}");
        // Pairs that are won or lost together say less: as much as half as many games.
        let swept = score(WdlCount::new(20, 0, 20), Some(Pentanomial([10, 0, 0, 0, 10])));
        assert!((swept.error() - 100.0 * Z95 * 0.5 / 20f64.sqrt()).abs() < 1e-9, "{swept:?}");
    }

    #[test]
    fn few_pairs_single_games_and_clean_sweeps_have_wilsons_interval() {
        let (games, sweep) = (WdlCount::new(5, 2, 3), WdlCount::new(40, 0, 0));
        assert_eq!(score(games, Some(Pentanomial([0, 1, 2, 1, 1]))), MeasuredValue::score(games));
        assert_eq!(score(games, None), MeasuredValue::score(games));
        assert_eq!(score(sweep, Some(Pentanomial([0, 0, 0, 0, 20]))), MeasuredValue::score(sweep));
    }

    #[test]
    fn pairs_that_all_ended_alike_are_not_known_without_error() {
        for (games, pairs) in
            [(WdlCount::new(10, 0, 10), [0, 0, 10, 0, 0]), (WdlCount::new(10, 10, 0), [0, 0, 0, 10, 0])]
        {
            assert_eq!(score(games, Some(Pentanomial(pairs))), MeasuredValue::score(games));
        }
    }

    #[test]
    fn elo_has_the_ends_of_the_scores_interval() {
        let found = elo(MeasuredValue { value: 60.0, low: 50.0, high: 70.0 }).expect("finite");
        assert!(
            (found.value - 70.437).abs() < 0.001 && found.low == 0.0 && (found.high - 147.19).abs() < 0.01
        );
        assert_eq!(elo(MeasuredValue::score(WdlCount::new(9, 0, 0))), None);
    }
}
