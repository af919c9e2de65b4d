//! Game records: APGN, a PGN for Abalone.
//!
//! Tags `[Name "value"]`, then moves with numbers, comments in braces or after a semicolon, variations in
//! parentheses, glyphs (`!`, `??`, `$5`), and the result: `1-0` if Black wins, `0-1`, `1/2-1/2`, or `*`.
//! A [`Reader`] takes any number of games from a stream and holds one at a time. It knows the syntax only;
//! [`Record::replay`] finds out whether the moves are legal.

mod date;
mod limits;
mod reader;
mod writer;

use std::fmt;

pub use date::Date;
pub use limits::{Limit, RecordLimits};
pub use reader::{MAX_NESTING, ReadError, Reader};

use crate::color::Color;
use crate::error::ParseError;
use crate::fen;
use crate::format::PositionFormat;
use crate::game::{Game, Outcome, PlayError, Reason};
use crate::layout::Layout;
use crate::layouts::UnknownLayout;
use crate::notation::{MoveError, Notation};
use crate::position::Position;
use crate::rules::Rules;

/// A game as it is written down.
///
/// ```
/// use sumito_rules::record::{Reader, Record};
/// use sumito_rules::{Game, Layout, Notation, Rules};
/// let mut game = Game::new(Rules::OFFICIAL, Layout::named("standard").expect("a layout").position());
/// game.play(game.legal_moves()[0]).expect("a legal move");
/// let mut record = Record::from_game(&game, Notation::AbaPro);
/// record.set_tag("Black", "Ada");
/// let read = Reader::new(record.to_string().as_bytes()).next().expect("a game").expect("well written");
/// assert_eq!(read.tag("Black"), Some("Ada"));
/// assert_eq!(read.replay().expect("legal moves").position(), game.position());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Record {
    /// The tags, in their order.
    pub tags: Vec<Tag>,
    /// The moves that were played, with everything said about them.
    pub line: Line,
    /// The result after the moves.
    pub result: GameResult,
    /// The line of the file on which the record begins, from 1; 0 if it comes from no file.
    pub at_line: usize,
}

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tag {
    /// Its name, such as `Black`.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The line of the file, from 1; 0 if it comes from no file.
    pub at_line: usize,
}

/// A sequence of moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move as it is written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ply {
    /// The move in the record's notation.
    pub text: String,
    /// Line and column of the file, from 1.
    pub place: (usize, usize),
    /// Numeric annotation glyphs: 1 for `!`, 2 for `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub glyphs: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// What could have been played instead of this move.
    pub variations: Vec<Line>,
}

/// The result at the end of a record.
///
/// ```
/// use sumito_rules::record::GameResult;
/// assert_eq!(GameResult::parse("0-1"), Some(GameResult::White));
/// assert_eq!(GameResult::default().to_string(), "*");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GameResult {
    /// `1-0`.
    Black,
    /// `0-1`.
    White,
    /// `1/2-1/2`.
    Draw,
    /// `*`: unfinished or unknown.
    #[default]
    Unknown,
}

impl GameResult {
    const ALL: [(GameResult, &'static str); 4] = [
        (GameResult::Black, "1-0"),
        (GameResult::White, "0-1"),
        (GameResult::Draw, "1/2-1/2"),
        (GameResult::Unknown, "*"),
    ];

    /// Reads `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn parse(text: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|(_, written)| *written == text).map(|(result, _)| result)
    }

    /// The result of a game that ended like this.
    pub fn of(outcome: Option<Outcome>) -> GameResult {
        match outcome.map(|outcome| outcome.winner) {
            Some(Some(Color::Black)) => GameResult::Black,
            Some(Some(Color::White)) => GameResult::White,
            Some(None) => GameResult::Draw,
            None => GameResult::Unknown,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(GameResult::ALL[*self as usize].1)
    }
}

impl Record {
    /// A record of a game's moves, with the tags that can be told from it. More can be set.
    pub fn from_game(game: &Game, notation: Notation) -> Record {
        let mut record = Record { result: GameResult::of(game.outcome()), ..Record::default() };
        for (&m, position) in game.moves().iter().zip(game.positions()) {
            record.line.plies.push(Ply { text: notation.write(position, m), ..Ply::default() });
        }
        record.set_start(game.start());
        record.set_tag("Result", record.result.to_string());
        record.set_tag("Notation", notation.tag());
        if let Some(outcome) = game.outcome() {
            record.set_tag("Termination", outcome.reason.to_string());
        }
        record
    }

    /// A tag's value.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.find(name).map(|tag| tag.value.as_str())
    }

    fn find(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// Sets a tag, in its place if it is there already.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|tag| tag.name == name) {
            Some(tag) => tag.value = value,
            None => self.tags.push(Tag { name: name.to_string(), value, at_line: 0 }),
        }
    }

    /// Says where the game starts: by the name of a layout, or else by the whole position.
    pub fn set_start(&mut self, start: &Position) {
        let same = |layout: &&Layout| layout.position() == *start;
        match Layout::all().iter().find(same) {
            Some(layout) => self.set_tag("Variant", layout.name),
            None => {
                self.set_tag("SetUp", "1");
                self.set_tag("Position", fen::write(start));
            }
        }
    }

    /// The notation of the moves: that of the `Notation` tag, or else the first in which all moves of the main line are legal, or
    /// else Aba-Pro.
    pub fn notation(&self) -> Result<Notation, RecordError> {
        Ok(self.tagged_notation()?.unwrap_or_else(|| self.fitting().0))
    }

    fn tagged_notation(&self) -> Result<Option<Notation>, RecordError> {
        let parse = |tag: &Tag| {
            tag.value.parse().map_err(|error: ParseError| RecordError::Tag {
                name: tag.name.clone(),
                error: ParseError { line: tag.at_line.max(1), ..error },
            })
        };
        self.find("Notation").map(parse).transpose()
    }

    /// The first position: the `Position` or `FEN` tag in any format, or else the layout that `Variant` names,
    /// or else the Belgian Daisy.
    pub fn start(&self) -> Result<Position, RecordError> {
        if let Some(tag) = self.find("Position").or_else(|| self.find("FEN")) {
            return PositionFormat::detect(&tag.value).parse(&tag.value).map_err(|error| RecordError::Tag {
                name: tag.name.clone(),
                error: ParseError { line: tag.at_line.max(1), ..error },
            });
        }
        match self.find("Variant") {
            None => Ok(Layout::all()[0].position()),
            Some(tag) => Layout::find(&tag.value)
                .map(Layout::position)
                .map_err(|error| RecordError::Layout { line: tag.at_line.max(1), error }),
        }
    }

    /// Plays the main line. Repetitions and caps do not end it, only the marbles do.
    pub fn replay(&self) -> Result<Game, RecordError> {
        match self.tagged_notation()? {
            Some(notation) => self.replay_in(notation),
            None => self.fitting().1,
        }
    }

    /// The first notation in which all moves are legal, or else the first of all, and the main line played in it: a move does not tell its
    /// notation.
    fn fitting(&self) -> (Notation, Result<Game, RecordError>) {
        let mut tried = Notation::ALL.into_iter().map(|notation| (notation, self.replay_in(notation)));
        let first = tried.next().expect("there are notations");
        if first.1.is_ok() { first } else { tried.find(|(_, game)| game.is_ok()).unwrap_or(first) }
    }

    fn replay_in(&self, notation: Notation) -> Result<Game, RecordError> {
        let rules = Rules { repetition: crate::rules::Repetition::Off, ..Rules::OFFICIAL };
        let mut game = Game::new(rules, self.start()?);
        for (ply, written) in self.line.plies.iter().enumerate() {
            let m = notation
                .parse_at(game.position(), &written.text, written.place)
                .map_err(|error| RecordError::Move { ply, error })?;
            game.play(m).map_err(|error| match error {
                PlayError::Over(Outcome { reason, .. }) => {
                    RecordError::Over { ply, reason, place: written.place }
                }
                PlayError::Illegal(_) => unreachable!("the notation gives legal moves"),
            })?;
        }
        Ok(game)
    }

    /// The same record with all moves, those of variations too, in another notation. Fails if one of them is
    /// not legal.
    pub fn rewritten(&self, to: Notation) -> Result<Record, RecordError> {
        let mut record = self.clone();
        let (from, start) = (self.notation()?, self.start()?);
        rewrite(&mut record.line, start, from, to)?;
        record.set_tag("Notation", to.tag());
        Ok(record)
    }
}

/// Rewrites a line and its variations. A record's nesting is bounded, and so is the recursion.
fn rewrite(line: &mut Line, start: Position, from: Notation, to: Notation) -> Result<(), RecordError> {
    let mut position = start;
    for (ply, written) in line.plies.iter_mut().enumerate() {
        for variation in &mut written.variations {
            rewrite(variation, position, from, to)?;
        }
        let parsed = from.parse_at(&position, &written.text, written.place);
        let m = parsed.map_err(|error| RecordError::Move { ply, error })?;
        written.text = to.write(&position, m);
        position = position.play_unchecked(m);
    }
    Ok(())
}

/// Why a record cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// A tag's value means nothing.
    Tag {
        /// The tag.
        name: String,
        /// What is wrong with it; the column counts from the start of the value.
        error: ParseError,
    },
    /// The `Variant` tag names no layout.
    Layout {
        /// The line of the file.
        line: usize,
        /// The name, and those like it.
        error: UnknownLayout,
    },
    /// A move is not one, or is not legal.
    Move {
        /// How many moves were played before it.
        ply: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A move after the end of the game.
    Over {
        /// How many moves were played before it.
        ply: usize,
        /// Why the game was over.
        reason: Reason,
        /// Its line and column.
        place: (usize, usize),
    },
}

impl RecordError {
    /// The line of the file, from 1.
    pub fn line(&self) -> usize {
        match self {
            RecordError::Tag { error, .. } | RecordError::Move { error: MoveError::Syntax(error), .. } => {
                error.line
            }
            RecordError::Layout { line, .. }
            | RecordError::Move { error: MoveError::Illegal { line, .. }, .. } => *line,
            RecordError::Over { place: (line, _), .. } => *line,
        }
    }

    /// Whether the record is well formed, and only a move in it is not legal.
    pub fn is_illegal_move(&self) -> bool {
        matches!(self, RecordError::Move { error: MoveError::Illegal { .. }, .. } | RecordError::Over { .. })
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Tag { name, error } => {
                let ParseError { expected, found, line, column } = error;
                write!(
                    f,
                    "line {line}, tag {name}, character {column} of its value: expected {expected}, found {found}"
                )
            }
            RecordError::Layout { line, error } => write!(f, "line {line}, tag Variant: {error}"),
            RecordError::Move { ply, error } => write!(f, "ply {}: {error}", ply + 1),
            RecordError::Over { ply, reason, place: (line, column) } => {
                write!(
                    f,
                    "ply {}: line {line}, column {column}: expected the end of the moves ({reason}), found another move",
                    ply + 1
                )
            }
        }
    }
}

impl std::error::Error for RecordError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<Record, ReadError>> {
        Reader::new(text.as_bytes()).collect()
    }

    fn one(text: &str) -> Record {
        let mut records = read(text);
        assert_eq!(records.len(), 1, "{records:?}");
        records.remove(0).expect("a record")
    }

    fn error(text: &str) -> String {
        read(text).into_iter().find_map(Result::err).expect("an error").to_string()
    }

    const ANNOTATED: &str = r#"[Event "A \"quoted\" name"]
[Variant "belgian-daisy"]
[Result "1-0"]
[Notation "Aba-Pro"]

{before} 1. a1b2! {good; really} i5h5?! (1... i6h6 $13 (1... a5b5 {nested}) 2. a2b3) 2. a2b3 {two
lines} i6h6 1-0
"#;

    #[test]
    fn a_control_character_in_a_tag_is_a_blank_before_and_after_writing() {
        let record = one("[Notation \"Aba\rPro\"]\n[Event \"a\\\rb\u{85}c\"]\n\n1. a1b2 *");
        assert_eq!((record.tag("Notation"), record.tag("Event")), (Some("Aba Pro"), Some("a b c")));
        let again = one(&record.to_string());
        assert_eq!(again.tag("Notation"), record.tag("Notation"));
        assert_eq!(again.replay().is_ok(), record.replay().is_ok());
    }

    #[test]
    fn tags_comments_variations_and_glyphs_are_kept() {
        let record = one(ANNOTATED);
        assert_eq!(record.tag("Event"), Some("A \"quoted\" name"));
        assert_eq!(record.line.comments, ["before"]);
        let plies = &record.line.plies;
        assert_eq!((plies[0].glyphs.as_slice(), plies[1].glyphs.as_slice()), (&[1][..], &[6][..]));
        assert_eq!(
            (plies[0].comments[0].as_str(), plies[2].comments[0].as_str()),
            ("good; really", "two lines")
        );
        let variation = &plies[1].variations[0];
        assert_eq!(variation.plies[0].glyphs, [13]);
        assert_eq!(variation.plies[0].variations[0].plies[0].comments, ["nested"]);
        assert_eq!((plies.len(), variation.plies.len(), record.result), (4, 2, GameResult::Black));
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let text = one(ANNOTATED).to_string();
        assert_eq!(one(&text).to_string(), text);
        assert!(text.contains("1... i5h5?! (1... i6h6 $13 (1... a5b5 {nested})\n2. a2b3) 2. a2b3"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn two_glyphs_on_one_move_read_back_as_two() {
        let record = one("1. a1b2! $5 $1 *");
        assert_eq!(one(&record.to_string()).line.plies[0].glyphs, [1, 5, 1]);
    }

    #[test]
    fn several_games_come_one_by_one_even_without_blank_lines_or_results() {
        let text = "[Black \"x\"]\n1. a1b2 *\n[Black \"y\"]\n1. i9h8 i5h5\n2. a1b2\n[Black \"z\"]\n\n*\n1. a1b2 0-1 1. i9h8";
        let records: Vec<Record> =
            read(text).into_iter().map(|record| record.expect("well formed")).collect();
        let lengths: Vec<usize> = records.iter().map(|record| record.line.plies.len()).collect();
        assert_eq!(lengths, [1, 3, 0, 1, 1]);
        assert_eq!(records[1].tag("Black"), Some("y"));
    }

    #[test]
    fn line_ends_are_blanks_to_tags_and_moves() {
        for text in [
            "[White \"A\"][Black \"B\"] 1. a1b2 i5h5 2. a2b3 *",
            "  [White \"A\"]\n\t[Black \"B\"] 1. a1b2\ni5h5 2. a2b3 * [Event \"next\"] *",
            "[White \"A\"] ; who begins\n[Black \"B\"] {and who\ndoes not} 1. a1b2 i5h5 2. a2b3",
        ] {
            let record = read(text).remove(0).expect("well formed");
            assert_eq!((record.tag("White"), record.tag("Black")), (Some("A"), Some("B")), "{text}");
            let moves: Vec<&str> = record.line.plies.iter().map(|ply| ply.text.as_str()).collect();
            assert_eq!(moves, ["a1b2", "i5h5", "a2b3"], "{text}");
        }
        let games = read("[Event \"x\"] 1. a1b2 * [Event \"y\"] 1. a1b2 i5h5 [Event \"z\"]\n1. a1b2");
        let told = |record: &Record| (record.tag("Event").map(str::to_string), record.line.plies.len());
        let told: Vec<_> = games.iter().map(|game| told(game.as_ref().expect("well formed"))).collect();
        assert_eq!(told, [("x", 1), ("y", 2), ("z", 1)].map(|(event, n)| (Some(event.to_string()), n)));
    }

    #[test]
    fn what_stands_after_a_tag_is_read_or_told() {
        assert_eq!(
            error("[Event \"x\"] hello\n\n1. a1b2 *"),
            "line 1, column 13: expected a move, a comment, a variation or a result, found 'hello'"
        );
        let text = "[A \"x\"] [B \"y] 1. a1b2 *\n[A \"z\"] 1. a1b2 } *\n[A \"whole\"] 1. a1b2 *";
        let records = read(text);
        assert!(records[0].is_err() && records[1].is_err());
        assert_eq!(records[2].as_ref().expect("whole").tag("A"), Some("whole"));
    }

    #[test]
    fn variations_are_rewritten_with_the_main_line() {
        let broken = one(&ANNOTATED.replace("a5b5", "a1b2"));
        assert!(broken.rewritten(Notation::Nacre).is_err(), "a1 is empty in the variation");
        let nacre = one(ANNOTATED).rewritten(Notation::Nacre).expect("legal");
        assert_eq!(nacre.line.plies[0].text, "a1d4");
        let back = nacre.rewritten(Notation::AbaPro).expect("legal");
        assert_eq!(back.line.plies[1].variations[0].plies[0].text, "i6h6");
    }

    #[test]
    fn the_first_game_is_there_before_the_stream_is_read() {
        struct Endless(usize);
        impl std::io::Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let game = b"[Event \"x\"]\n\n1. a1b2 i5h5 *\n\n";
                buffer.iter_mut().for_each(|byte| {
                    *byte = game[self.0 % game.len()];
                    self.0 += 1;
                });
                Ok(buffer.len())
            }
        }
        let mut reader = Reader::new(std::io::BufReader::new(Endless(0)));
        assert!(
            (0..1000).all(|_| reader.next().expect("endless").expect("well formed").line.plies.len() == 2)
        );
    }

    #[test]
    fn an_illegal_move_is_named_with_its_ply_and_place() {
        let record = one("[Variant \"standard\"]\n\n1. a1b2 i5h5\n2. e5e6 *\n");
        let error = record.replay().expect_err("no marble on e5");
        assert!(error.is_illegal_move());
        assert_eq!(
            error.to_string(),
            "ply 3: line 4, column 4: expected a legal move, found 'e5e6': Black is to move and has no marble on e5"
        );
    }

    #[test]
    fn moves_without_a_tag_are_read_in_the_notation_in_which_all_are_legal() {
        let read = |text: &str| Reader::new(text.as_bytes()).next().expect("a record").expect("a game");
        let nacre = read("1. a1d4 i5f5 2. a2c4 *");
        assert_eq!(nacre.notation(), Ok(Notation::Nacre));
        let game = nacre.replay().expect("legal");
        assert_eq!(Record::from_game(&game, Notation::AbaPro).line.plies[0].text, "a1b2");
        assert_eq!(read("1. i-A1-1 *").notation(), Ok(Notation::Bcit));
        // What is legal in none is told as the moves that we write ourselves.
        let broken = read("1. a1b2\na1d4 *");
        assert_eq!(broken.notation(), Ok(Notation::AbaPro));
        let error = broken.replay().expect_err("illegal");
        assert!(matches!(error, RecordError::Move { ply: 1, .. }) && error.line() == 2, "{error}");
    }

    #[test]
    fn unknown_notations_and_layouts_are_errors_that_say_so() {
        let record = one("[Notation \"Klingon\"]\n\n*\n");
        assert_eq!(
            record.replay().expect_err("unknown").to_string(),
            "line 1, tag Notation, character 1 of its value: expected a notation (aba-pro, nacre, playstrategy, bcit, verloop), found 'Klingon'"
        );
        let record = one("[Event \"?\"]\n[Variant \"belgan\"]\n\n*\n");
        assert!(record.replay().expect_err("unknown").to_string().contains("did you mean belgian"));
    }

    #[test]
    fn syntax_errors_have_a_place() {
        assert_eq!(
            error("[Event \"x]\n"),
            "line 1, column 11: expected '\"' at the end of the tag's value, found the end of the line"
        );
        assert_eq!(
            error("1. a1b2 {never closed\n"),
            "line 1, column 9: expected '}' to close the comment, found the end of the file"
        );
        assert_eq!(
            error("1. a1b2 (1. i9h8\n\n"),
            "line 1, column 9: expected ')' to close the variation, found the end of the file"
        );
        assert_eq!(
            error("1. a1b2 )\n"),
            "line 1, column 9: expected a move, a comment, a variation or a result, found ')'"
        );
        assert_eq!(error("(1. a1b2) *"), "line 1, column 1: expected a move before the variation, found '('");
        assert_eq!(
            error("hello *"),
            "line 1, column 1: expected a move, a comment, a variation or a result, found 'hello'"
        );
    }

    #[test]
    fn endless_nesting_is_refused() {
        let text = format!("1. a1b2 {}", "(1. a1b2 ".repeat(100_000));
        assert!(error(&text).contains("at most"), "{}", error(&text));
    }

    #[test]
    fn binary_input_is_an_error_not_a_panic() {
        let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
        let records: Vec<_> = Reader::new(&bytes[..]).collect();
        assert!(records.iter().any(Result::is_err));
    }

    #[test]
    fn after_a_broken_game_the_next_one_is_read() {
        let text = "[Event \"broken\"]\n[Date \"?\"]\n\n1. a1b2 } 2. x *\n\n[Event \"whole\"]\n\n1. a1b2 *\n";
        let records = read(text);
        assert!(records[0].is_err());
        assert_eq!(records[1].as_ref().expect("whole").tag("Event"), Some("whole"));
        assert_eq!(records.len(), 2);
    }

    #[test]
    fn a_game_from_a_custom_position_keeps_it() {
        let start = fen::parse("5/6/7/8/4SSs2/8/7/6/5 2 1 b 3 20").expect("a FEN");
        let mut game = Game::new(Rules::OFFICIAL, start);
        game.play(game.legal_moves()[0]).expect("legal");
        let record = one(&Record::from_game(&game, Notation::Bcit).to_string());
        assert_eq!(record.replay().expect("legal").positions(), game.positions());
    }
}
