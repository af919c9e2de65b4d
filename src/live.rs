//! The progress of games over hours: a bar on a terminal, else a line now and then.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Games that are counted, and where the work is in a line.
pub(crate) struct Live {
    /// The bar, for those who play the games.
    pub(crate) bar: ProgressBar,
    is_terminal: bool,
    start: Instant,
    /// Games in all.
    games: u64,
    /// Games of earlier runs.
    resumed: u64,
    told: Instant,
}

/// How often a line is written where there is no terminal.
const LINE: Duration = Duration::from_secs(60);

impl Live {
    /// So many games in all, of which some are done.
    pub(crate) fn new(games: u64, done: u64, state: String) -> Live {
        let is_terminal = std::io::stderr().is_terminal();
        let bar = if is_terminal { ProgressBar::new(games) } else { ProgressBar::hidden() };
        let style =
            ProgressStyle::with_template("{msg}\n{bar:40} {pos}/{len} games, {elapsed} (still {eta})");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(done);
        bar.reset_eta();
        bar.set_message(state);
        let now = Instant::now();
        Live { bar, is_terminal, start: now, games, resumed: done, told: now }
    }

    /// After a step that is kept: so many games are done.
    pub(crate) fn update(&mut self, done: u64, state: String) {
        if self.is_terminal {
            self.bar.set_position(done);
            self.bar.set_message(state);
        } else if self.told.elapsed() >= LINE {
            self.told = Instant::now();
            let (played, left) = (done - self.resumed, self.games.saturating_sub(done));
            let time = self.start.elapsed().mul_f64(left as f64 / played.max(1) as f64);
            tell!("{state}; still {}", HumanDuration(time));
        }
    }
}
