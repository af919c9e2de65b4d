//! The openings of a match: layouts by name, lines of a file, and random moves on top of either.

use serde::{Deserialize, Serialize};
use sumito_engine::Rng;
use sumito_rules::record::Reader;
use sumito_rules::{Game, Layout, Move, Notation, ParseError, Position, Rules, UnknownLayout, fen};

/// Where a game begins: a position, and moves that are played before the players are asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Text", into = "Text")]
pub struct Opening {
    /// What tables and records call it.
    pub name: String,
    /// The first position.
    pub start: Position,
    /// The moves already made.
    pub moves: Vec<Move>,
}

/// Why there are no such openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// No layout has this name.
    #[error("{0}")]
    Layout(UnknownLayout),
    /// A line of a file is no position.
    #[error("{0}")]
    Fen(ParseError),
    /// An opening cannot be read, or a move of it is not legal.
    #[error("opening {name}: {why}")]
    Move {
        /// The opening.
        name: String,
        /// What is wrong with the move.
        why: String,
    },
    /// The game is over before it begins.
    #[error("opening {name}: expected a position to play from, found a game that is over ({reason})")]
    Over {
        /// The opening.
        name: String,
        /// Why it is over.
        reason: sumito_rules::Reason,
    },
    /// No random moves without an ejection lead on from here.
    #[error("opening {name}: found no {plies} random moves without an ejection")]
    Stuck {
        /// The opening.
        name: String,
        /// How many moves were wanted.
        plies: usize,
    },
    /// A file or list without any.
    #[error("expected at least one opening, found none")]
    None,
}

/// How often random moves are drawn anew: after running into an ejection, or into a known position.
const TRIES: usize = 200;

impl Opening {
    /// A layout's first position.
    pub fn of_layout(layout: &Layout) -> Opening {
        Opening { name: layout.name.to_string(), start: layout.position(), moves: Vec::new() }
    }

    /// The game after the opening's moves, if it is not over by then.
    pub fn game(&self, rules: Rules) -> Result<Game, OpeningError> {
        let mut game = Game::new(rules, self.start);
        let over = |game: &Game| {
            let name = self.name.clone();
            game.outcome().map_or(Ok(()), |outcome| Err(OpeningError::Over { name, reason: outcome.reason }))
        };
        over(&game)?;
        for &m in &self.moves {
            game.play(m).map_err(|why| self.bad_move(&why))?;
            over(&game)?;
        }
        Ok(game)
    }

    fn bad_move(&self, why: &dyn std::fmt::Display) -> OpeningError {
        OpeningError::Move { name: self.name.clone(), why: why.to_string() }
    }

    /// The moves as text, in Aba-Pro notation.
    pub fn move_texts(&self) -> Vec<String> {
        let mut position = self.start;
        let mut texts = Vec::with_capacity(self.moves.len());
        for &m in &self.moves {
            texts.push(Notation::AbaPro.write(&position, m));
            position = position.play_unchecked(m);
        }
        texts
    }

    /// The position after the moves.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &m| position.play_unchecked(m))
    }

    /// The opening with random moves added, none of which ejects a marble.
    pub(crate) fn with_random_moves(&self, plies: usize, rng: &mut Rng) -> Option<Opening> {
        let (mut moves, mut position) = (self.moves.clone(), self.end());
        for _ in 0..plies {
            let list = position.legal_moves();
            let quiet: Vec<Move> = list.iter().copied().filter(|&m| !position.ejects(m)).collect();
            let m = rng.pick(&quiet)?;
            moves.push(m);
            position = position.play_unchecked(m);
        }
        position.can_move().then(|| Opening { moves, ..self.clone() })
    }
}

/// Refuses openings from which no game can be played.
pub fn check(openings: &[Opening], rules: Rules) -> Result<(), OpeningError> {
    if openings.is_empty() {
        return Err(OpeningError::None);
    }
    openings.iter().try_for_each(|opening| opening.game(rules).map(|_| ()))
}

/// The layouts of a list with commas, by name or as a FEN; `all` are all, `sound` those whose cells no source disputes.
pub fn layouts(names: &str) -> Result<Vec<Opening>, OpeningError> {
    let of = |wanted: fn(&Layout) -> bool| {
        Ok(Layout::all().iter().filter(|layout| wanted(layout)).map(Opening::of_layout).collect())
    };
    match names {
        "all" => of(|_| true),
        "sound" => of(|layout| !layout.is_disputed()),
        names => {
            let of_fen = |text: &str| {
                let start = fen::parse(text).map_err(OpeningError::Fen)?;
                Ok(Opening { name: text.trim().to_string(), start, moves: Vec::new() })
            };
            let named = |name| Layout::find(name).map(Opening::of_layout).map_err(OpeningError::Layout);
            names.split(',').map(|one| if one.contains('/') { of_fen(one) } else { named(one) }).collect()
        }
    }
}

/// The positions of a text, one FEN a line. Empty lines and those that begin with `#` do not count.
pub fn from_fens(text: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let start =
            fen::parse(line).map_err(|error| OpeningError::Fen(ParseError { line: number, ..error }))?;
        openings.push(Opening { name: format!("line {number}"), start, moves: Vec::new() });
    }
    if openings.is_empty() { Err(OpeningError::None) } else { Ok(openings) }
}

/// The openings of a file: the games of an APGN file, all their moves played, or the positions of a text.
pub fn from_text(text: &str) -> Result<Vec<Opening>, OpeningError> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if first.trim_start().starts_with(['[', '{', ';']) { from_apgn(text) } else { from_fens(text) }
}

fn from_apgn(text: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (number, record) in (1..).zip(Reader::new(text.as_bytes())) {
        let bad = |why: String| OpeningError::Move { name: format!("game {number}"), why };
        let record = record.map_err(|error| bad(error.to_string()))?;
        let game = record.replay().map_err(|error| bad(error.to_string()))?;
        let name = record.tag("Opening").or(record.tag("Event")).unwrap_or("game").to_string();
        openings.push(Opening {
            name: format!("{name} ({number})"),
            start: *game.start(),
            moves: game.moves().to_vec(),
        });
    }
    if openings.is_empty() { Err(OpeningError::None) } else { Ok(openings) }
}

/// As many openings as asked for, made of the given ones in turn by random moves without an ejection. All end
/// in different positions as far as there are enough of them.
pub fn randomised(
    bases: &[Opening],
    plies: usize,
    count: usize,
    seed: u64,
) -> Result<Vec<Opening>, OpeningError> {
    let mut rng = Rng::new(seed);
    let mut seen = std::collections::HashSet::new();
    let mut openings = Vec::with_capacity(count);
    for (number, base) in (1..=count).zip(bases.iter().cycle()) {
        let mut drawn = None;
        for _ in 0..TRIES {
            drawn = base.with_random_moves(plies, &mut rng).or(drawn);
            if drawn.as_ref().is_some_and(|opening| seen.insert(opening.end().hash())) {
                break;
            }
        }
        let mut opening = drawn.ok_or_else(|| OpeningError::Stuck { name: base.name.clone(), plies })?;
        opening.name = format!("{} random {number}", base.name);
        openings.push(opening);
    }
    if openings.is_empty() { Err(OpeningError::None) } else { Ok(openings) }
}

/// An opening in a file.
#[derive(Serialize, Deserialize)]
struct Text {
    name: String,
    fen: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<String>,
}

impl From<Opening> for Text {
    fn from(opening: Opening) -> Text {
        Text { fen: fen::write(&opening.start), moves: opening.move_texts(), name: opening.name }
    }
}

impl TryFrom<Text> for Opening {
    type Error = OpeningError;

    fn try_from(text: Text) -> Result<Opening, OpeningError> {
        let start = fen::parse(&text.fen).map_err(OpeningError::Fen)?;
        let mut opening = Opening { name: text.name, start, moves: Vec::with_capacity(text.moves.len()) };
        for token in &text.moves {
            let m = Notation::AbaPro.parse(&opening.end(), token).map_err(|why| opening.bad_move(&why))?;
            opening.moves.push(m);
        }
        Ok(opening)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_games_of_a_file_are_played_as_openings() {
        let text =
            "[Event \"Scorpio\"]\n[Variant \"belgian\"]\n\n1. a1b2 i5h5 *\n\n[Event \"x\"]\n\n1. i9h8 *\n";
        let openings = from_text(text).expect("two games");
        let read: Vec<(&str, usize)> = openings.iter().map(|o| (o.name.as_str(), o.moves.len())).collect();
        assert_eq!(read, [("Scorpio (1)", 2), ("x (2)", 1)]);
        let error = from_text("[Event \"x\"]\n\n1. e5e6 *\n").expect_err("illegal").to_string();
        assert!(error.contains("game 1") && error.contains("line 3, column 4"), "{error}");
    }

    #[test]
    fn layouts_come_by_name_all_or_undisputed() {
        let named = layouts("belgian-daisy,Standard").expect("two layouts");
        assert_eq!(
            named.iter().map(|opening| &opening.name[..]).collect::<Vec<_>>(),
            ["belgian-daisy", "standard"]
        );
        let (all, sound) = (layouts("all").expect("all"), layouts("sound").expect("sound"));
        assert_eq!(all.len(), Layout::all().len());
        let disputed = Layout::all().iter().filter(|layout| layout.is_disputed()).count();
        assert!(disputed > 0 && sound.len() == all.len() - disputed);
    }

    #[test]
    fn a_fen_may_stand_for_a_layout() {
        let fen = "5/6/7/8/4S4/8/7/6/4s 5 5 w 3 40";
        let found = layouts(&format!("standard,{fen}")).expect("two layouts");
        assert_eq!((found[1].name.as_str(), fen::write(&found[1].start)), (fen, fen.to_string()));
        let error = layouts("standard,5/6/7").expect_err("no board").to_string();
        assert!(error.contains("row"), "{error}");
    }

    #[test]
    fn an_unknown_layout_is_named_with_its_near_misses() {
        let error = layouts("standard,belgian-dasy").expect_err("misspelt").to_string();
        assert!(error.contains("'belgian-dasy'") && error.contains("belgian-daisy"), "{error}");
    }

    const FENS: &str = "# two positions\n\nss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1\n5/6/7/8/4S4/8/7/6/4s 5 5 w 3 40\n";

    #[test]
    fn a_file_gives_its_positions_named_by_line() {
        let openings = from_fens(FENS).expect("two positions");
        assert_eq!(openings.len(), 2);
        assert_eq!((&openings[1].name[..], openings[1].start.ply()), ("line 4", 79));
    }

    #[test]
    fn a_bad_line_is_named_by_its_number() {
        let error = from_fens(&format!("{FENS}ss1SS/x 0 0 b 0 1\n")).expect_err("no position").to_string();
        assert!(error.starts_with("line 5, column 7: expected"), "{error}");
        assert_eq!(from_fens("# nothing\n"), Err(OpeningError::None));
    }

    #[test]
    fn random_moves_are_legal_and_eject_nothing() {
        let bases = layouts("all").expect("layouts");
        for opening in randomised(&bases, 8, 200, 3).expect("openings") {
            let game = opening.game(Rules::OFFICIAL).expect("not over");
            assert_eq!((game.moves().len(), game.position().quiet()), (8, 8), "{}", opening.name);
        }
    }

    #[test]
    fn random_openings_differ_and_follow_the_seed() {
        let bases = layouts("standard").expect("a layout");
        let openings = randomised(&bases, 2, 100, 3).expect("openings");
        let ends: HashSet<u64> = openings.iter().map(|opening| opening.end().hash()).collect();
        assert_eq!(ends.len(), 100);
        assert_eq!(openings, randomised(&bases, 2, 100, 3).expect("openings"));
        assert_ne!(openings, randomised(&bases, 2, 100, 4).expect("openings"));
    }

    #[test]
    fn more_random_openings_than_there_are_moves_repeat_some() {
        let bases = layouts("standard").expect("a layout");
        let moves = bases[0].start.legal_moves().len();
        assert_eq!(randomised(&bases, 1, moves + 5, 1).expect("openings").len(), moves + 5);
    }

    #[test]
    fn an_opening_that_ends_the_game_is_refused() {
        let openings = from_fens("5/6/7/8/4S4/8/7/6/4s 6 0 w 0 40").expect("a position");
        assert!(matches!(openings[0].game(Rules::OFFICIAL), Err(OpeningError::Over { .. })));
    }

    #[test]
    fn an_opening_is_read_back_as_written() {
        let bases = layouts("german-daisy").expect("a layout");
        for opening in randomised(&bases, 4, 5, 9).expect("openings") {
            let json = serde_json::to_string(&opening).expect("serialised");
            assert_eq!(serde_json::from_str::<Opening>(&json).expect("read"), opening);
        }
        let illegal = r#"{"name":"x","fen":"5/6/7/8/4S4/8/7/6/4s 0 0 b 0 1","moves":["a1b2"]}"#;
        assert!(serde_json::from_str::<Opening>(illegal).is_err());
    }
}
