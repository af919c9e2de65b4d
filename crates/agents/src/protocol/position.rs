//! The `position` line: where a game began and what was played since.

use sumito_rules::{Game, Layout, Move, MoveError, Notation, PlayError, Position, Repetition, Rules, fen};

/// Where games begin unless told otherwise: the Belgian Daisy.
pub(crate) fn startpos() -> Position {
    Layout::named("belgian-daisy").expect("a known layout").position()
}

/// Reads what follows `position` as a game under these rules.
pub(crate) fn parse(tokens: &[&str], rules: &Rules) -> Result<Game, String> {
    let cut = tokens.iter().position(|token| *token == "moves").unwrap_or(tokens.len());
    let (setup, moves) = tokens.split_at(cut);
    let start = match setup {
        ["startpos"] => startpos(),
        ["fen", fields @ ..] => fen::parse(&fields.join(" ")).map_err(|why| format!("fen: {why}"))?,
        ["layout", name @ ..] => Layout::find(&name.join(" ")).map_err(|why| why.to_string())?.position(),
        _ => return Err("position: expected startpos, fen or layout, then perhaps moves".into()),
    };
    let moves = parse_moves(start, moves.get(1..).unwrap_or_default())?;
    replay(rules, start, &moves).map_err(|why| format!("position: {why}"))
}

fn parse_moves(mut position: Position, texts: &[&str]) -> Result<Vec<Move>, String> {
    let mut moves = Vec::with_capacity(texts.len());
    for (i, text) in texts.iter().enumerate() {
        let m = Notation::AbaPro.parse(&position, text).map_err(|why| {
            let why = match why {
                MoveError::Syntax(why) => format!("expected {}, found {}", why.expected, why.found),
                MoveError::Illegal { why, .. } => why.to_string(),
            };
            format!("move {} of {}, '{text}': {why}", i + 1, texts.len())
        })?;
        position = position.play_unchecked(m);
        moves.push(m);
    }
    Ok(moves)
}

/// Plays the moves again. Draws and caps are lifted if the moves go on beyond them.
pub(crate) fn replay(rules: &Rules, start: Position, moves: &[Move]) -> Result<Game, PlayError> {
    play_all(rules, start, moves).or_else(|_| play_all(&without_caps(rules), start, moves))
}

fn play_all(rules: &Rules, start: Position, moves: &[Move]) -> Result<Game, PlayError> {
    let mut game = Game::new(*rules, start);
    moves.iter().try_for_each(|&m| game.play(m))?;
    Ok(game)
}

/// The game to think about: the same, but not over if only a draw or a cap has ended it.
pub(crate) fn to_play_on(game: &Game) -> Game {
    if game.outcome().is_none() {
        return game.clone();
    }
    let open = play_all(&without_caps(game.rules()), *game.start(), game.moves());
    open.unwrap_or_else(|_| game.clone())
}

fn without_caps(rules: &Rules) -> Rules {
    Rules { repetition: Repetition::Off, ply_cap: None, quiet_cap: None, ..*rules }
}

/// Writes the line for a game.
pub(crate) fn write(game: &Game) -> String {
    let start = game.start();
    let mut line = if *start == startpos() {
        "position startpos".to_string()
    } else {
        format!("position fen {}", fen::write(start))
    };
    if !game.moves().is_empty() {
        line.push_str(" moves");
    }
    for (position, &m) in game.positions().iter().zip(game.moves()) {
        line.push(' ');
        line.push_str(&Notation::AbaPro.write(position, m));
    }
    line
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Color, Reason};

    use super::*;

    fn read(line: &str, rules: Rules) -> Result<Game, String> {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        parse(&tokens, &rules)
    }

    #[test]
    fn what_is_written_reads_back() {
        for line in [
            "startpos",
            "startpos moves a1b2 i5h5",
            "fen s4/6/7/8/9/8/7/6/4S 1 0 w 3 7 moves i5i6 a5a4 i6i5",
            "fen s4/6/7/8/9/8/7/6/4S 1 0 b 0 1",
        ] {
            let game = read(line, Rules::OFFICIAL).expect("a game");
            assert_eq!(write(&game), format!("position {line}"));
        }
    }

    #[test]
    fn every_position_reads_back_from_its_line() {
        for position in crate::testing::positions() {
            let line = write(&Game::new(Rules::OFFICIAL, position));
            let game = read(line.trim_start_matches("position "), Rules::OFFICIAL).expect("a game");
            assert_eq!(*game.position(), position, "{line}");
        }
    }

    #[test]
    fn a_layout_is_found_by_its_name() {
        let game = read("layout german-daisy moves", Rules::OFFICIAL).expect("a game");
        assert_eq!(*game.start(), Layout::named("german-daisy").expect("a layout").position());
    }

    #[test]
    fn errors_name_the_move_that_is_wrong() {
        let error = read("startpos moves a1b2 a1b2", Rules::OFFICIAL).expect_err("White has no marble there");
        assert!(error.starts_with("move 2 of 2, 'a1b2': "), "{error}");
        let error = read("startpos moves ?", Rules::OFFICIAL).expect_err("no move");
        assert!(error.starts_with("move 1 of 1, '?': expected "), "{error}");
    }

    const SHUFFLED: &str = "fen s4/6/7/8/9/8/7/6/4S 1 0 b 0 1 moves \
        a5a4 i5i6 a4a5 i6i5 a5a4 i5i6 a4a5 i6i5";

    #[test]
    fn a_draw_stays_one_and_can_be_played_on() {
        let game = read(SHUFFLED, Rules::OFFICIAL).expect("a game");
        assert_eq!(game.outcome().map(|outcome| outcome.reason), Some(Reason::Repetition));
        let open = to_play_on(&game);
        assert_eq!((open.outcome(), open.turn()), (None, Color::Black));
    }

    #[test]
    fn moves_beyond_a_draw_are_accepted() {
        let game = read(&format!("{SHUFFLED} a5a4"), Rules::OFFICIAL).expect("a game");
        assert_eq!((game.moves().len(), game.outcome()), (9, None));
    }

    #[test]
    fn moves_beyond_a_win_are_refused() {
        let won = "fen 5/6/7/8/9/8/7/6/2SSs 5 3 b 0 1 moves a3a4";
        assert!(read(won, Rules::OFFICIAL).is_ok());
        let beyond = "fen s4/6/7/8/9/8/7/6/2SSs 5 3 b 0 1 moves a3a4 i5i6";
        assert!(read(beyond, Rules::OFFICIAL).expect_err("over").contains("the game is over"));
    }
}
