//! The games of an experiment as a file.

use sumito_rules::Color;

use super::super::table::ReportTable;
use super::Ended;

/// Every game in a row; times last, since they change from run to run.
pub(super) fn rows(ended: &[Ended]) -> ReportTable {
    let head = [
        "part",
        "game",
        "black",
        "white",
        "opening",
        "winner",
        "marbles_black",
        "marbles_white",
        "plies",
        "reason",
        "ms_per_move_black",
        "ms_per_move_white",
    ];
    let mut table = ReportTable::new("", &head, 5);
    for one in ended {
        for game in &one.games {
            let winner = match game.winner {
                None => "draw",
                Some(Color::Black) => "black",
                Some(Color::White) => "white",
            };
            let ms = |color: Color| {
                let steps = &game.moves[color];
                let sum: u64 = steps.iter().map(|step| step.time_us).sum();
                format!("{:.3}", sum as f64 / 1e3 / steps.len().max(1) as f64)
            };
            table.rows.push(vec![
                one.meeting.id.clone(),
                (game.index + 1).to_string(),
                game.players.black.clone(),
                game.players.white.clone(),
                game.opening.clone(),
                winner.to_string(),
                game.score.black.to_string(),
                game.score.white.to_string(),
                game.plies.to_string(),
                game.reason.clone(),
                ms(Color::Black),
                ms(Color::White),
            ]);
        }
    }
    table
}
