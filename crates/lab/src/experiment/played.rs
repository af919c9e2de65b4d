//! What an experiment keeps of a game: the result, and what replaying it tells.

use sumito_agents::Evaluation;
use sumito_rules::{ByColor, Color, Notation};

use super::score;
use super::values::{MeasuredValue, Values};
use crate::referee::GameRecord;
use crate::stats::{Ending, Pentanomial, WdlCount};

/// A game that was played.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) index: usize,
    pub(super) players: ByColor<String>,
    pub(super) opening: String,
    pub(super) winner: Option<Color>,
    pub(super) reason: String,
    /// Marbles pushed off by each player.
    pub(super) score: ByColor<u8>,
    pub(super) plies: usize,
    /// Black's lead in marbles after each ply.
    pub(super) lead: Vec<i8>,
    /// The ply from which the winner is ahead in marbles for good.
    pub(super) decided: Option<usize>,
    /// The mean number of legal moves.
    pub(super) choices: f64,
    /// What each player did, move by move.
    pub(super) moves: ByColor<Vec<MoveStats>>,
    /// How much a judge's value after the player's moves is above that at the start, on average.
    pub(super) gain: ByColor<Option<f64>>,
    /// The moves as one text, to tell games apart.
    pub(super) text: String,
}

/// A move of a player.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveStats {
    pub(super) time_us: u64,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
}

impl Played {
    /// Replays a game.
    pub(super) fn new(game: &GameRecord, judge: Option<&Evaluation>) -> Played {
        let mut position = game.opening.end();
        let start = position;
        let (mut lead, mut choices) = (Vec::new(), 0);
        let mut gains: ByColor<Vec<f64>> = ByColor::default();
        for m in &game.moves {
            choices += position.legal_moves().len();
            let turn = position.turn();
            let m = Notation::AbaPro.parse(&position, &m.text).expect("the referee played it");
            position = position.play_unchecked(m);
            lead.push(position.score(Color::Black) as i8 - position.score(Color::White) as i8);
            if let Some(judge) = judge {
                gains[turn].push(judge(&position, turn) - judge(&start, turn));
            }
        }
        let steps = |color| {
            let step = |m: &crate::referee::MoveRecord| MoveStats {
                time_us: m.time_us,
                nodes: m.nodes,
                depth: m.depth,
            };
            game.moves_of(color).map(step).collect()
        };
        let texts: Vec<&str> = game.moves.iter().map(|m| m.text.as_str()).collect();
        Played {
            index: game.index,
            players: game.players.clone(),
            opening: game.opening.name.clone(),
            winner: game.outcome.winner,
            reason: game.reason.clone(),
            score: game.score,
            plies: game.plies(),
            decided: game
                .outcome
                .winner
                .and_then(|winner| decided(&lead, winner))
                .map(|ply| game.opening.moves.len() + ply),
            lead,
            choices: choices as f64 / game.moves.len().max(1) as f64,
            moves: ByColor::new(steps(Color::Black), steps(Color::White)),
            gain: gains.map(|gains| MeasuredValue::mean(&gains).map(|mean| mean.value)),
            text: format!("{} {}", game.opening.name, texts.join(" ")),
        }
    }

    /// The colour of a player, who is one of the two.
    pub(super) fn color_of(&self, name: &str) -> Color {
        if self.players.black == name { Color::Black } else { Color::White }
    }

    /// How it ended for a colour.
    pub(super) fn ending(&self, color: Color) -> Ending {
        match self.winner {
            None => Ending::Draw,
            Some(winner) if winner == color => Ending::Win,
            Some(_) => Ending::Loss,
        }
    }
}

/// The ply, the first being 1, from which a winner is ahead in marbles for good, given Black's lead after each ply. A
/// game that was not won by marbles has none.
fn decided(lead: &[i8], winner: Color) -> Option<usize> {
    let is_ahead = |lead: &i8| if winner == Color::Black { *lead > 0 } else { *lead < 0 };
    let behind = lead.iter().rposition(|lead| !is_ahead(lead)).map_or(0, |ply| ply + 1);
    (behind < lead.len()).then_some(behind + 1)
}

/// How games ended for someone.
pub(super) fn record<'a>(games: impl Iterator<Item = (&'a Played, Color)>) -> WdlCount {
    let mut wdl = WdlCount::default();
    games.for_each(|(game, color)| wdl.add(game.ending(color)));
    wdl
}

/// One game of those that end on the same ply with the same result, which section 6.2 of document 000 takes for nearly the
/// same game.
pub(super) fn distinct<'a>(games: &[&'a Played]) -> Vec<&'a Played> {
    let mut seen = std::collections::HashSet::new();
    games.iter().copied().filter(|game| seen.insert((game.plies, game.winner))).collect()
}

/// Games that differ from the one before: players who are alike play the same game twice, with colours changed.
fn different<'a>(games: &[&'a Played]) -> Vec<&'a Played> {
    let mut games = games.to_vec();
    games.dedup_by_key(|game| game.text.as_str());
    games
}

/// The games as pairs on one opening with colours changed, if they all are: what they brought a player.
fn pairs(games: &[&Played], name: &str) -> Option<Pentanomial> {
    let mut counts = Pentanomial::default();
    for pair in games.chunks(2) {
        let [one, other] = pair else { return None };
        let is_turned =
            (&one.players.black, &one.players.white) == (&other.players.white, &other.players.black);
        if !is_turned || one.opening != other.opening {
            return None;
        }
        let colors = [one, other].map(|game| game.color_of(name));
        counts.add(one.ending(colors[0]), other.ending(colors[1]));
    }
    Some(counts)
}

/// The score of a player in games against one other.
pub(super) fn score(games: &[&Played], name: &str) -> MeasuredValue {
    score::score(record(games.iter().map(|game| (*game, game.color_of(name)))), pairs(games, name))
}

/// The score of the player who is named with each match, in the games of all together.
pub(super) fn score_of_matches(matches: &[(Vec<&Played>, String)]) -> MeasuredValue {
    let mut pairs_of_all = Some(Pentanomial::default());
    let mut games_of_all = WdlCount::default();
    for (games, name) in matches {
        games_of_all += record(games.iter().map(|game| (*game, game.color_of(name))));
        pairs_of_all = pairs_of_all.zip(pairs(games, name)).map(|(all, own)| all.with(own));
    }
    score::score(games_of_all, pairs_of_all)
}

/// Everything that the games of two players say, the first of whom is named, under `prefix.`. What does not depend on
/// who plays counts a game that was played twice once.
pub(super) fn sum_up(prefix: &str, games: &[&Played], name: &str, values: &mut Values) {
    let mut set = |key: &str, value: Option<MeasuredValue>| {
        if let Some(value) = value {
            values.set(format!("{prefix}.{key}"), value);
        }
    };
    let colored = || games.iter().map(|game| (*game, game.color_of(name)));
    let of_color = |color| colored().filter(move |(_, own)| *own == color);
    let all = record(colored());
    let score = score(games, name);
    set("score", Some(score));
    set("elo", score::elo(score));
    set("score-black", Some(MeasuredValue::score(record(of_color(Color::Black)))));
    set("score-white", Some(MeasuredValue::score(record(of_color(Color::White)))));
    set("won", Some(MeasuredValue::share(all.wins as f64, all.games() as f64)));
    set("games", Some(MeasuredValue::exact(games.len() as f64)));
    let different = different(games);
    let black = |games: &[&Played]| record(games.iter().map(|game| (*game, Color::Black)));
    let blacks = black(&different);
    set("different", Some(MeasuredValue::exact(different.len() as f64)));
    set("black", Some(MeasuredValue::score(blacks)));
    set("drawn", Some(MeasuredValue::share(blacks.draws as f64, blacks.games() as f64)));
    let sixth = different.iter().filter(|game| game.score.black.max(game.score.white) >= 6).count();
    set("by-six", Some(MeasuredValue::share(sixth as f64, different.len() as f64)));
    let of_game = |f: &dyn Fn(&Played) -> f64| {
        MeasuredValue::mean(&different.iter().map(|game| f(game)).collect::<Vec<_>>())
    };
    set("plies", of_game(&|game| game.plies as f64));
    set("choices", of_game(&|game| game.choices));
    let decided: Vec<f64> = different.iter().filter_map(|game| Some(game.decided? as f64)).collect();
    set("decided", MeasuredValue::mean(&decided));
    set("marbles-black", of_game(&|game| f64::from(game.score.black)));
    set("marbles-white", of_game(&|game| f64::from(game.score.white)));
    let distinct = distinct(games);
    set("distinct", Some(MeasuredValue::exact(distinct.len() as f64)));
    set("distinct-black", Some(MeasuredValue::score(black(&distinct))));
    let mean = |f: &dyn Fn(&Played, Color) -> Option<f64>| {
        MeasuredValue::mean(&colored().filter_map(|(game, color)| f(game, color)).collect::<Vec<_>>())
    };
    let as_color = |wanted: Color, own: bool| {
        move |game: &Played, color: Color| {
            (color == wanted).then(|| f64::from(game.score[if own { color } else { !color }]))
        }
    };
    for (key, own) in [("a", true), ("b", false)] {
        let side = move |color: Color| if own { color } else { !color };
        set(&format!("marbles-{key}"), mean(&move |game, color| Some(f64::from(game.score[side(color)]))));
        set(&format!("marbles-{key}-as-black"), mean(&as_color(Color::Black, own)));
        set(&format!("marbles-{key}-as-white"), mean(&as_color(Color::White, own)));
        set(&format!("gain-{key}"), mean(&move |game, color| game.gain[side(color)]));
        let steps = || colored().flat_map(move |(game, color)| game.moves[side(color)].iter().copied());
        let of_steps = |f: &dyn Fn(MoveStats) -> Option<f64>| {
            MeasuredValue::mean(&steps().filter_map(f).collect::<Vec<_>>())
                .map(|mean| MeasuredValue::exact(mean.value))
        };
        set(&format!("nodes-{key}"), of_steps(&|step| step.nodes.map(|nodes| nodes as f64)));
        set(&format!("depth-{key}"), of_steps(&|step| step.depth.map(f64::from)));
        set(&format!("ms-{key}"), of_steps(&|step| Some(step.time_us as f64 / 1e3)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_decided_when_the_winner_goes_ahead_for_the_last_time() {
        // Black is ahead, level again, behind, and from the sixth ply on ahead.
        let lead = [0, 1, 0, -1, 0, 1, 1, 2];
        assert_eq!(decided(&lead, Color::Black), Some(6));
        let mirrored = lead.map(|lead: i8| -lead);
        assert_eq!(decided(&mirrored, Color::White), Some(6));
    }

    #[test]
    fn a_game_that_the_winner_leads_throughout_is_decided_with_the_first_ply() {
        assert_eq!(decided(&[1, 1, 2], Color::Black), Some(1));
    }

    #[test]
    fn a_game_that_is_not_won_by_marbles_has_no_ply_that_decides() {
        assert_eq!(decided(&[0, 1, 0], Color::Black), None);
        assert_eq!(decided(&[], Color::White), None);
    }
}
