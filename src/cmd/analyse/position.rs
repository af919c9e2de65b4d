//! A position for people: lines that change as the search gets deeper, then a table.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use sumito_engine::Limits;
use sumito_engine::analysis::{Findings, report};
use sumito_rules::{Game, Notation, diagram};

use super::{Args, engine, text};
use crate::files::{print, print_json};

pub(super) fn run(args: &Args, game: &Game, limits: &Limits) -> Result<ExitCode> {
    let mut engine = engine(args)?;
    let mut live = Live::new(args.notation);
    let findings = engine.analyse(game, limits, &mut |findings| live.update(findings));
    live.bar.finish_and_clear();
    if args.json {
        print_json(&findings.report(args.notation))?;
    } else {
        print(&format!(
            "{}\n{}",
            diagram::text(&findings.position, findings.best()),
            table(&findings, args.notation)
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The lines on a terminal while the search goes on.
struct Live {
    bar: ProgressBar,
    notation: Notation,
    drawn: Option<Instant>,
}

/// How often the lines are drawn anew.
const REDRAW: Duration = Duration::from_millis(100);

impl Live {
    fn new(notation: Notation) -> Live {
        let bar =
            if std::io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        bar.set_style(ProgressStyle::with_template("{msg}").expect("a valid template"));
        Live { bar, notation, drawn: None }
    }

    fn update(&mut self, findings: &Findings) {
        if self.bar.is_hidden() || self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) {
            return;
        }
        self.drawn = Some(Instant::now());
        self.bar.set_message(table(findings, self.notation));
        self.bar.tick();
    }
}

/// The lines as a table, with what it took to find them above.
fn table(findings: &Findings, notation: Notation) -> String {
    if let Some(outcome) = findings.outcome {
        let winner = outcome.winner.map_or("drawn".to_string(), |winner| format!("{winner} has won"));
        return format!("The game is over: {winner} ({}).\n", outcome.reason);
    }
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["#", "lead", "win / draw / loss %", "depth", "line"]);
    for column in table.column_iter_mut().take(4) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for (rank, line) in (1..).zip(&findings.lines) {
        table.add_row([
            rank.to_string(),
            text::score(line.score),
            text::wdl(line.wdl),
            line.depth.to_string(),
            report::written(&findings.position, &line.moves, notation).join(" "),
        ]);
    }
    let seconds = findings.time.as_secs_f64();
    format!(
        "{} to move: depth {}/{}, {} nodes, {seconds:.2} s, {:.2} million nodes/s\n{table}\n",
        findings.position.turn(),
        findings.depth(),
        findings.seldepth,
        findings.nodes,
        findings.nodes as f64 / seconds.max(1e-6) / 1e6,
    )
}
