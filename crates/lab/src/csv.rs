//! The report of a match as a table for other programs: a row for each pairing and one for each player.

use crate::stats::{Estimate, Pentanomial, WdlCount};
use crate::tally::{MatchReport, PairingReport, PlayerReport};

const HEADER: &str = "kind,player,opponent,games,wins,draws,losses,points,score,elo,elo_error,nelo,nelo_error,los,\
    draw_ratio,ll,ld,wl_dd,wd,ww,average_plies,depth,nodes_per_second,ms_per_move,worst_overstep_ms,\
    time_losses,illegal_losses,crash_losses,stall_losses";

/// Writes the report. What a row does not have is empty.
pub fn write(report: &MatchReport) -> String {
    let rows = report.pairings.iter().map(pairing_row).chain(report.players.iter().map(player_row));
    let mut text = format!("{HEADER}\n");
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn pairing_row(pairing: &PairingReport) -> Vec<String> {
    let mut row = vec!["pairing".to_string(), pairing.player.clone(), pairing.opponent.clone()];
    row.extend(common(pairing.games, &pairing.estimate, pairing.pentanomial));
    row.push(maybe(pairing.average_plies));
    row.extend(vec![String::new(); 8]);
    row
}

fn player_row(player: &PlayerReport) -> Vec<String> {
    let mut row = vec!["player".to_string(), player.name.clone(), String::new()];
    row.extend(common(player.games, &player.estimate, player.pentanomial));
    row.push(String::new());
    row.extend([player.depth, player.nodes_per_second, player.ms_per_move].map(maybe));
    row.push(number(player.worst_overstep_ms));
    let faults = player.faults;
    row.extend([faults.time, faults.illegal, faults.crash, faults.stall].map(|n| n.to_string()));
    row
}

fn common(games: WdlCount, estimate: &Estimate, pairs: Pentanomial) -> Vec<String> {
    let counts = [games.games(), games.wins, games.draws, games.losses].map(|n| n.to_string());
    let Estimate { score, elo, elo_error, nelo, nelo_error, los } = *estimate;
    let values =
        [games.points(), score, elo, elo_error, nelo, nelo_error, los, games.draw_ratio()].map(number);
    counts.into_iter().chain(values).chain(pairs.0.map(|n| n.to_string())).collect()
}

fn maybe(value: Option<f64>) -> String {
    value.map_or(String::new(), number)
}

/// Four digits after the point at most; `inf` and `-inf` are what they are.
fn number(value: f64) -> String {
    if value.is_finite() { ((value * 1e4).round() / 1e4).to_string() } else { value.to_string() }
}

pub(crate) fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_and_quotes_stay_one_cell() {
        assert_eq!(quoted("a:x=1,y=2"), "\"a:x=1,y=2\"");
        assert_eq!(quoted("say \"hi\""), "\"say \"\"hi\"\"\"");
        assert_eq!(quoted("plain"), "plain");
    }

    #[test]
    fn numbers_are_rounded_and_infinite_ones_are_named() {
        assert_eq!([number(0.123456), number(-2.0), number(f64::INFINITY)], ["0.1235", "-2", "inf"]);
        assert_eq!(maybe(None), "");
    }
}
