//! How long one waits for a player whose line is lost.

use std::time::Duration;

use super::class::Class;
use super::game::ClockSetting;

/// How long whoever is to move may be gone before the other side may end the game; none where a move may take days. Guessed: a line that comes
/// back does so within seconds, and nobody sits before a board for longer than a good part of their own time.
pub(crate) fn patience(clock: Option<ClockSetting>) -> Option<Duration> {
    let seconds = match Class::of(clock) {
        Some(Class::Bullet) => 20,
        Some(Class::Blitz) => 60,
        Some(Class::Rapid) => 120,
        Some(Class::Correspondence) => return None,
        None => 300,
    };
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_waits_longer_in_longer_games_and_the_clock_alone_decides_where_a_move_takes_days() {
        let game = |minutes: u64| Some(ClockSetting::Game { base_ms: minutes * 60_000, increment_ms: 0 });
        let seconds = |clock| patience(clock).map(|time| time.as_secs());
        assert_eq!([seconds(game(1)), seconds(game(5)), seconds(game(15))], [Some(20), Some(60), Some(120)]);
        assert_eq!((seconds(None), seconds(Some(ClockSetting::Move { ms: 86_400_000 }))), (Some(300), None));
    }
}
