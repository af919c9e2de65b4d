//! What a player gets back of the time that moves spend on the line. What a line takes is measured by the server, but whoever wants to can
//! answer late: so a player has an allowance, and no more of it than this comes back with each move.

use std::time::Duration;

/// The most that can be given back for one move.
const MOST: Duration = Duration::from_millis(500);
/// What comes back with each move. A line that always takes this long or less costs nothing. Guessed: the way there and back within a continent.
const GAIN: Duration = Duration::from_millis(150);

/// What a player can be given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LagAllowance(Duration);

impl Default for LagAllowance {
    fn default() -> LagAllowance {
        LagAllowance(MOST)
    }
}

impl LagAllowance {
    /// What a move gets back that came over a line that takes so long.
    pub(crate) fn credit(self, lag: Duration) -> Duration {
        lag.min(self.0)
    }

    /// The allowance after a move that got so much back.
    #[must_use]
    pub(crate) fn after(self, credit: Duration) -> LagAllowance {
        LagAllowance((self.0.saturating_sub(credit) + GAIN).min(MOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_line_costs_nothing_and_a_slow_one_is_paid_for_in_part() {
        let ms = Duration::from_millis;
        let play = |lag: Duration, moves: usize| {
            let mut allowance = LagAllowance::default();
            let mut given = Vec::new();
            for _ in 0..moves {
                let credit = allowance.credit(lag);
                allowance = allowance.after(credit);
                given.push(credit);
            }
            given
        };
        assert_eq!(play(ms(120), 50), vec![ms(120); 50]);
        assert_eq!(
            play(ms(2000), 4),
            [ms(500), ms(150), ms(150), ms(150)],
            "who answers late on purpose gains little"
        );
        assert_eq!(play(ms(300), 4), [ms(300), ms(300), ms(200), ms(150)]);
    }
}
