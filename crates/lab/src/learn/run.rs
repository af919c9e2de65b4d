//! A run: games of self-play one after the other, a test now and then, and everything kept on disk.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sumito_agents::Stop;
use sumito_agents::cornell::Network;
use sumito_rules::{Layout, Position};

use super::exam::Exam;
use super::lesson;
use super::settings::LearnSettings;
use super::store::{LearnError, LearnFolder};

/// All that a run needs.
pub struct Learner<'a> {
    /// What to do.
    pub settings: &'a LearnSettings,
    /// Where everything is kept, and where a run goes on that was stopped.
    pub dir: &'a Path,
    /// Ends the run in good order, after the game that is going on.
    pub stop: &'a Stop,
}

/// A test, and the games of self-play since the one before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Games of self-play so far.
    pub games: usize,
    /// The test against random moves.
    pub exam: Exam,
    /// The part of the games that somebody won; 0 without any.
    pub decided: f32,
    /// The mean length of a game in plies.
    pub plies: f32,
    /// The mean of the errors without their signs.
    pub error: f32,
}

/// What changes while a run goes on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LearnState {
    pub(super) network: Network,
    /// Games and moves so far.
    pub(super) games: usize,
    pub(super) moves: u64,
    pub(super) since: Since,
    pub(super) points: Vec<Point>,
}

/// The games since the last test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Since {
    games: u64,
    plies: u64,
    decided: u64,
    /// The bits of the sum of errors: as a decimal number it would not come back the same.
    errors: u64,
    steps: u64,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct LearnProgress<'a> {
    /// Games so far.
    pub games: usize,
    /// The chance of a random move now.
    pub epsilon: f64,
    /// The tests so far.
    pub points: &'a [Point],
    /// Whether an earlier run made what is there so far.
    pub resumed: bool,
}

/// What came out of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnReport {
    /// Whether all games are over.
    pub finished: bool,
    /// Games so far.
    pub games: usize,
    /// Moves of these games.
    pub moves: u64,
    /// The tests, the first before any game.
    pub points: Vec<Point>,
}

impl Learner<'_> {
    /// Learns, or goes on, until the last game is over or a stop is requested.
    pub fn run(&self, report: &mut dyn FnMut(&LearnProgress<'_>)) -> Result<LearnReport, LearnError> {
        let settings = self.settings;
        settings.check().map_err(LearnError::Settings)?;
        let start = Layout::find(&settings.layout).expect("checked").position();
        let (store, found) = LearnFolder::open(self.dir, settings)?;
        let resumed = found.is_some();
        let mut state = found.unwrap_or_else(|| LearnState::new(settings));
        if !resumed {
            state.test(settings, start);
            store.keep(settings, &state)?;
        }
        report(&state.progress(settings, resumed));
        while state.games < settings.games && !self.stop.is_requested() {
            state.learn(settings, start);
            state.check()?;
            if state.games.is_multiple_of(settings.test_every) || state.games == settings.games {
                state.test(settings, start);
                store.keep(settings, &state)?;
            }
            report(&state.progress(settings, false));
        }
        store.keep(settings, &state)?;
        let result = state.report(settings);
        store.keep_report(&result)?;
        Ok(result)
    }
}

impl LearnState {
    fn new(settings: &LearnSettings) -> LearnState {
        LearnState {
            network: Network::new(settings.encoding(), settings.hidden, settings.seed),
            games: 0,
            moves: 0,
            since: Since::default(),
            points: Vec::new(),
        }
    }

    fn learn(&mut self, settings: &LearnSettings, start: Position) {
        let lesson = lesson::play(settings, start, self.games, self.moves, &mut self.network);
        self.games += 1;
        self.moves += lesson.plies;
        let since = &mut self.since;
        since.games += 1;
        since.plies += lesson.plies;
        since.decided += u64::from(lesson.is_decided);
        since.errors = (f64::from_bits(since.errors) + lesson.errors).to_bits();
        since.steps += lesson.steps;
    }

    /// A network without sense is not kept.
    fn check(&self) -> Result<(), LearnError> {
        let is_finite = self.network.parameters().iter().all(|parameter| parameter.is_finite());
        if is_finite { Ok(()) } else { Err(LearnError::Diverged { games: self.games }) }
    }

    fn test(&mut self, settings: &LearnSettings, start: Position) {
        let Since { games, plies, decided, errors, steps } = std::mem::take(&mut self.since);
        let mean = |sum: f64, count: u64| (sum / count.max(1) as f64) as f32;
        self.points.push(Point {
            games: self.games,
            exam: Exam::sit(settings, start, &self.network),
            decided: mean(decided as f64, games),
            plies: mean(plies as f64, games),
            error: mean(f64::from_bits(errors), steps),
        });
    }

    fn progress(&self, settings: &LearnSettings, resumed: bool) -> LearnProgress<'_> {
        let epsilon = settings.epsilon_at(self.games, self.moves);
        LearnProgress { games: self.games, epsilon, points: &self.points, resumed }
    }

    fn report(&self, settings: &LearnSettings) -> LearnReport {
        LearnReport {
            finished: self.games >= settings.games,
            games: self.games,
            moves: self.moves,
            points: self.points.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_beyond_all_bounds_are_told() {
        let mut state = LearnState::new(&LearnSettings::default());
        assert!(state.check().is_ok());
        state.network.parameters_mut()[3] = f64::INFINITY;
        let error = state.check().expect_err("no network").to_string();
        assert!(error.contains("expected a smaller alpha"), "{error}");
    }
}
