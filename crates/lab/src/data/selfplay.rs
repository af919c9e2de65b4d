//! One game of the engine against itself, and the positions of it that are worth keeping.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sumito_agents::Stop;
use sumito_engine::Rng;
use sumito_engine::network::Network;
use sumito_engine::{Engine, EngineOptions, Info, Limits, Score};
use sumito_rules::{Color, Game, Move, Position};

use super::record::DataRecord;
use super::settings::{DataSettings, Keep};
use super::starts::Starts;
use crate::opening::OpeningError;
use crate::stats::Ending;

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfPlayGame {
    /// Its number.
    pub game: u32,
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// How many plies were played, the opening included.
    pub plies: usize,
    /// The positions kept, in the order of the game.
    #[serde(with = "hex")]
    pub records: Vec<DataRecord>,
}

/// An engine that plays itself. A game depends on the settings and its number alone.
pub struct SelfPlay {
    settings: DataSettings,
    starts: Starts,
    engine: Engine,
}

impl SelfPlay {
    /// A player for these settings, with the network that they name.
    pub fn new(settings: &DataSettings, network: Option<&Arc<Network>>) -> Result<SelfPlay, OpeningError> {
        let network = network.map(Arc::clone);
        let engine = Engine::new(EngineOptions { hash: settings.hash, network, ..EngineOptions::default() });
        Ok(SelfPlay { settings: settings.clone(), starts: Starts::new(settings)?, engine })
    }

    /// How it plays.
    pub fn settings(&self) -> &DataSettings {
        &self.settings
    }

    /// Plays the game with this number; `None` if it was stopped.
    pub fn play(&mut self, number: u32, stop: &Stop) -> Option<SelfPlayGame> {
        let mut seeds = Rng::new(self.settings.seed);
        let mut rng = Rng::new(seeds.next_u64() ^ Rng::new(u64::from(number)).next_u64());
        let mut game = self.starts.draw(&mut rng);
        self.engine.new_game();
        let settings = self.settings.clone();
        let mut course = Course::new(&settings, number);
        while course.winner.is_none() && game.outcome().is_none() && !self.is_too_long(&game) {
            if stop.is_requested() {
                return None;
            }
            let (best, last) = self.search(&game, &mut rng);
            let best = best?;
            course.see(game.position(), best, last.as_ref());
            game.play(best).expect("the engine plays legal moves");
        }
        let winner = course.winner.or_else(|| game.outcome()?.winner);
        Some(course.end(winner, game.moves().len()))
    }

    fn is_too_long(&self, game: &Game) -> bool {
        let quiet = game.position().quiet();
        game.moves().len() >= self.settings.max_plies
            || self.settings.max_quiet.is_some_and(|most| quiet >= most)
    }

    fn search(&mut self, game: &Game, rng: &mut Rng) -> (Option<Move>, Option<Info>) {
        let DataSettings { nodes, nodes_jitter, .. } = self.settings;
        let factor = 1.0 + nodes_jitter * (2.0 * rng.unit() - 1.0);
        let nodes = ((nodes as f64 * factor).round() as u64).max(1);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut last = None;
        let best = self.engine.go(game, &limits, &mut |info| last = Some(info.clone()));
        (best, last)
    }
}

/// A game as it goes on: what is kept of it, and whether it is decided.
struct Course<'a> {
    settings: &'a DataSettings,
    number: u32,
    records: Vec<DataRecord>,
    winner: Option<Color>,
    /// Who has been winning, and for how many plies.
    leader: Option<Color>,
    led: usize,
}

impl<'a> Course<'a> {
    fn new(settings: &'a DataSettings, number: u32) -> Course<'a> {
        Course { settings, number, records: Vec::new(), winner: None, leader: None, led: 0 }
    }

    /// Takes in what the search said about a position.
    fn see(&mut self, position: &Position, best: Move, info: Option<&Info>) {
        let Some((info, value)) = info.and_then(|info| Some((info, info.score?))) else { return };
        self.judge(position.turn(), value);
        let Score::Marbles(score) = value else { return };
        let (Ok(small), true) = (i16::try_from(score), score.abs() < self.settings.max_score) else { return };
        let keeps = match self.settings.keep {
            Keep::All => true,
            Keep::Quiet => !position.ejects(best),
            Keep::Calm => position.count_ejections(position.turn()) == 0,
        };
        if keeps {
            let depth = info.depth.min(255) as u8;
            // How it ended is filled in at the end.
            let ending = Ending::Draw;
            self.records.push(DataRecord {
                position: *position,
                game: self.number,
                score: small,
                best,
                ending,
                depth,
            });
        }
    }

    /// A forced win is a win; so is a lead that lasts, if the settings say so.
    fn judge(&mut self, turn: Color, score: Score) {
        let leading = match score {
            Score::Win(moves) => {
                self.winner = Some(if moves > 0 { turn } else { !turn });
                return;
            }
            Score::Marbles(score) => {
                let enough = self.settings.decided.is_some_and(|rule| score.abs() >= rule.score);
                enough.then_some(if score > 0 { turn } else { !turn })
            }
            // The engine has no other unit.
            Score::Value(_) => None,
        };
        self.led = if leading == self.leader { self.led + 1 } else { 1 };
        self.leader = leading;
        if self.settings.decided.is_some_and(|rule| self.led >= rule.plies) {
            self.winner = leading;
        }
    }

    fn end(mut self, winner: Option<Color>, plies: usize) -> SelfPlayGame {
        for record in &mut self.records {
            record.ending = match winner {
                None => Ending::Draw,
                Some(winner) if winner == record.position.turn() => Ending::Win,
                Some(_) => Ending::Loss,
            };
        }
        SelfPlayGame { game: self.number, winner, plies, records: self.records }
    }
}

/// Records as text: two digits for each of their bytes.
mod hex {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::DataRecord;

    pub(super) fn serialize<S: Serializer>(records: &[DataRecord], serializer: S) -> Result<S::Ok, S::Error> {
        let digits = records.iter().flat_map(DataRecord::to_bytes).map(|byte| format!("{byte:02x}"));
        serializer.serialize_str(&digits.collect::<String>())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<DataRecord>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let bytes: Option<Vec<u8>> = pairs.iter().map(|&[a, b]| Some(digit(a)? << 4 | digit(b)?)).collect();
        let bytes = bytes.filter(|_| rest.is_empty()).unwrap_or_default();
        let (records, rest) = bytes.as_chunks::<{ DataRecord::SIZE }>();
        if !rest.is_empty() || 2 * bytes.len() != text.len() {
            return Err(D::Error::custom("expected records of 32 bytes, two digits for each"));
        }
        records.iter().map(|bytes| DataRecord::from_bytes(bytes).map_err(D::Error::custom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::Decided;
    use super::*;

    fn settings() -> DataSettings {
        DataSettings { nodes: 60, hash: 1, max_plies: 60, ..DataSettings::default() }
    }

    fn play(settings: &DataSettings, numbers: std::ops::Range<u32>) -> Vec<SelfPlayGame> {
        let mut player = SelfPlay::new(settings, None).expect("settings");
        numbers.map(|number| player.play(number, &Stop::default()).expect("not stopped")).collect()
    }

    #[test]
    fn a_game_depends_on_the_settings_and_its_number_alone() {
        let settings = settings();
        let games = play(&settings, 0..6);
        assert_eq!(play(&settings, 4..6), games[4..]);
        let other = DataSettings { seed: 2, ..settings };
        assert_ne!(play(&other, 0..6), games);
    }

    #[test]
    fn a_game_is_sent_as_text_and_comes_back_the_same() {
        let games = play(&settings(), 0..2);
        let text = serde_json::to_string(&games).expect("plain data");
        assert_eq!(serde_json::from_str::<Vec<SelfPlayGame>>(&text).expect("games"), games);
        for (from, to) in [("\"records\":\"", "\"records\":\"0"), ("\"records\":\"", "\"records\":\"xy")] {
            assert!(serde_json::from_str::<Vec<SelfPlayGame>>(&text.replacen(from, to, 1)).is_err());
        }
    }

    #[test]
    fn what_is_kept_is_undecided_and_quiet() {
        let settings = DataSettings { max_score: 800, ..settings() };
        let mut kept = 0;
        for played in play(&settings, 0..6) {
            for record in &played.records {
                let DataRecord { position, score, best, game, .. } = record;
                assert!(score.abs() < 800 && !position.ejects(*best) && *game == played.game);
                kept += 1;
            }
        }
        assert!(kept > 50, "{kept}");
    }

    #[test]
    fn no_position_of_the_random_opening_is_kept() {
        let settings = DataSettings { scattered: 0.0, random_plies: [9, 9], ..settings() };
        let records: Vec<DataRecord> =
            play(&settings, 0..3).into_iter().flat_map(|played| played.records).collect();
        assert!(!records.is_empty() && records.iter().all(|record| record.position.ply() >= 9));
    }

    #[test]
    fn a_game_that_goes_flat_is_drawn() {
        let settings = DataSettings { max_quiet: Some(12), ..settings() };
        let games = play(&settings, 0..6);
        let quiet = |played: &SelfPlayGame| played.records.iter().map(|record| record.position.quiet()).max();
        assert!(games.iter().all(|played| quiet(played) < Some(12)));
        let flat = games.iter().find(|played| quiet(played) == Some(11)).expect("one goes flat");
        assert_eq!(flat.winner, None);
    }

    #[test]
    fn each_way_of_keeping_keeps_less() {
        let count = |keep| {
            let settings = DataSettings { keep, ..settings() };
            let records: Vec<DataRecord> =
                play(&settings, 0..6).into_iter().flat_map(|played| played.records).collect();
            if keep == Keep::Calm {
                assert!(!records.iter().any(DataRecord::is_pending));
            }
            records.len()
        };
        let counts = [Keep::All, Keep::Quiet, Keep::Calm].map(count);
        assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
    }

    #[test]
    fn the_result_is_told_for_the_side_to_move() {
        let settings = DataSettings { decided: Some(Decided { score: 500, plies: 2 }), ..settings() };
        let games = play(&settings, 0..8);
        assert!(games.iter().any(|played| played.winner.is_some()));
        for played in games {
            for record in played.records {
                let expected = match played.winner {
                    None => Ending::Draw,
                    Some(winner) if winner == record.position.turn() => Ending::Win,
                    Some(_) => Ending::Loss,
                };
                assert_eq!(record.ending, expected);
            }
        }
    }

    #[test]
    fn a_lead_must_last_for_both_sides_to_decide_a_game() {
        let settings =
            DataSettings { decided: Some(Decided { score: 500, plies: 3 }), ..DataSettings::default() };
        let mut course = Course::new(&settings, 0);
        let both = [Color::Black, Color::White];
        for (turn, score) in
            both.into_iter().zip([600, -600]).chain([(Color::Black, 400), (Color::White, -600)])
        {
            course.judge(turn, Score::Marbles(score));
        }
        assert_eq!((course.winner, course.led), (None, 1));
        course.judge(Color::Black, Score::Marbles(600));
        course.judge(Color::White, Score::Marbles(-500));
        assert_eq!(course.winner, Some(Color::Black));
    }
}
