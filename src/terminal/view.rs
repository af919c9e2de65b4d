//! Draws a session: the board, the players with their clocks and trays, the moves, and which keys there are.

use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color as Paint, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Paragraph};
use sumito_agents::{Info, Score};
use sumito_rules::{Bitboard, Color, Direction, Move};

use super::board::{Board, Marks};
use super::select;
use super::session::{Mode, PAD, Question, Session, Status};
use super::table::score_text;

/// The least that everything fits into.
const LEAST: (u16, u16) = (80, 24);
/// Columns of the panel beside the board.
const PANEL: u16 = 35;

/// Draws everything. `title` says what is played.
pub(super) fn draw(frame: &mut Frame<'_>, session: &Session, title: &str, now: Duration) {
    let area = frame.area();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let (columns, lines) = LEAST;
        let text = format!(
            "The screen is too small: {}x{}, at least {columns}x{lines} needed. Ctrl-C quits.",
            area.width, area.height
        );
        return frame.render_widget(Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true }), area);
    }
    let parts = [Constraint::Length(1), Constraint::Min(18), Constraint::Length(2), Constraint::Length(2)];
    let [top, body, status, keys] = Layout::vertical(parts).areas(area);
    let [board, panel] = Layout::horizontal([Constraint::Min(43), Constraint::Length(PANEL)]).areas(body);
    frame.render_widget(Paragraph::new(format!(" Sumito: {title}")).reversed(), top);
    let (position, is_flipped) = (session.table.position(), session.is_flipped);
    frame.render_widget(Board { position, marks: marks(session), is_flipped }, board);
    draw_panel(frame, session, panel, now);
    let first = prompt(session).unwrap_or_else(|| situation(session, now));
    frame.render_widget(Paragraph::new(vec![first, message(session)]), status);
    frame.render_widget(Paragraph::new(keys_text(session)).dim(), keys);
}

fn marks(session: &Session) -> Marks {
    let position = session.table.position();
    let awaits = session.table.awaits_person();
    let mut marks = Marks { selected: session.selection, ..Marks::default() };
    marks.cursor = session.table.has_people().then_some(session.cursor);
    if let Some((before, m)) = session.table.last_move() {
        marks.last = select::targets(before, m);
        marks.left = m.cells() - marks.last;
    }
    if let Some(hint) = session.hint {
        marks.hint = hint.cells();
        marks.targets = select::targets(position, hint) - hint.cells();
    } else if awaits {
        let targets = select::moves(position, session.selection).map(|m| select::targets(position, m));
        marks.targets = targets.collect::<Bitboard>() - session.selection;
    }
    marks
}

fn draw_panel(frame: &mut Frame<'_>, session: &Session, area: Rect, now: Duration) {
    let with_pad = session.table.has_people();
    let pad_height = if with_pad { 4 } else { 0 };
    let parts = [Constraint::Length(5), Constraint::Min(4), Constraint::Length(pad_height)];
    let [players, moves, pad] = Layout::vertical(parts).areas(area);
    let upper = if session.is_flipped { Color::Black } else { Color::White };
    let mut lines = vec![player(session, upper, now), tray(session, upper)];
    lines.extend([player(session, !upper, now), tray(session, !upper)]);
    frame.render_widget(Paragraph::new(lines), players);
    let block = Block::new().borders(Borders::TOP).title(" Moves ");
    let list = move_list(session, usize::from(moves.height.saturating_sub(1)));
    frame.render_widget(Paragraph::new(list).block(block), moves);
    if with_pad {
        draw_pad(frame, session, pad);
    }
}

fn sign(color: Color) -> char {
    match color {
        Color::Black => '●',
        Color::White => '○',
    }
}

/// A player's name and clock; the one to move has an arrow.
fn player(session: &Session, color: Color, now: Duration) -> Line<'static> {
    let table = &session.table;
    let is_next = !table.is_over() && table.game().turn() == color;
    let clock = table.left(color, now).map_or(String::new(), clock_text);
    let room = usize::from(PANEL) - 6 - clock.len();
    let arrow = if is_next { '>' } else { ' ' };
    let name = shortened(&table.seats[color].name, room);
    let is_short = table.left(color, now).is_some_and(|left| left < Duration::from_secs(10));
    let clock = if is_short && is_next { Span::from(clock).red().bold() } else { Span::from(clock).bold() };
    let style = if is_next { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
    Line::from(vec![Span::styled(format!("{arrow}{} {name:room$} ", sign(color)), style), clock])
}

/// The marbles that a player has pushed off.
fn tray(session: &Session, color: Color) -> Line<'static> {
    let score = usize::from(session.table.position().score(color));
    let to_win = usize::from(session.table.game().rules().marbles_to_win);
    let pushed = sign(!color).to_string().repeat(score);
    let missing = "·".repeat(to_win.saturating_sub(score));
    Line::from(format!("   pushed off {pushed}{missing} {score}"))
}

fn clock_text(left: Duration) -> String {
    // What is left is rounded up, so that a clock that shows zero has run out.
    let tenths = left.as_millis().div_ceil(100);
    let seconds = left.as_millis().div_ceil(1000);
    match seconds {
        0..10 => format!("{}.{}", tenths / 10, tenths % 10),
        10..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

fn shortened(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_string();
    }
    text.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}

/// The last moves that there is room for, two in a line.
fn move_list(session: &Session, lines: usize) -> Vec<Line<'static>> {
    let (table, notation) = (&session.table, session.notation);
    let first = usize::from(table.game().start().ply());
    let mut list: Vec<String> = Vec::new();
    for ply in 0..table.turns().len() {
        let text = notation.write(&table.game().positions()[ply], table.game().moves()[ply]);
        let number = (first + ply) / 2 + 1;
        match list.last_mut() {
            Some(line) if (first + ply) % 2 == 1 => line.push_str(&text),
            _ if (first + ply) % 2 == 1 => list.push(format!("{number:>4}. {:<13}{text}", "...")),
            _ => list.push(format!("{number:>4}. {text:<13}")),
        }
    }
    let hidden = list.len().saturating_sub(lines);
    let last = list.len().saturating_sub(1);
    let line = |(i, text)| if i == last { Line::from(text).bold() } else { Line::from(text) };
    list.into_iter().enumerate().skip(hidden).map(line).collect()
}

/// The direction keys as they lie on the keyboard. With marbles selected, only those that can be used are shown.
fn draw_pad(frame: &mut Frame<'_>, session: &Session, area: Rect) {
    let position = session.table.position();
    let is_moving = session.table.awaits_person() && !session.selection.is_empty();
    let legal: Vec<Direction> = if is_moving {
        select::moves(position, session.selection).map(Move::direction).collect()
    } else {
        Vec::new()
    };
    let key = |index: usize| {
        let (letter, direction) = PAD[index];
        match is_moving {
            true if legal.contains(&session.seen(direction)) => Span::from(letter.to_string()).green().bold(),
            true => Span::from("·").dim(),
            false => Span::from(letter.to_string()),
        }
    };
    let count = session.selection.len();
    let (first, second) = match is_moving {
        true => (format!("{count} selected: the directions"), "that they can go"),
        false => ("move the cursor, or the".to_string(), "selected marbles"),
    };
    let gap = |text: &'static str| Span::from(text);
    let lines = vec![
        Line::from(vec![gap("   "), key(0), gap(" "), key(1), gap("   "), Span::from(first)]),
        Line::from(vec![gap("  "), key(2), gap("   "), key(3), gap("  "), gap(second)]),
        Line::from(vec![gap("   "), key(4), gap(" "), key(5)]),
    ];
    let block = Block::new().borders(Borders::TOP).title(" Directions ");
    frame.render_widget(Paragraph::new(lines).block(block).alignment(Alignment::Left), area);
}

/// Whose turn it is and what they think, or how the game ended.
fn situation(session: &Session, now: Duration) -> Line<'static> {
    let table = &session.table;
    if table.is_over() {
        return Line::from(format!(" The game is over: {}", table.result())).bold().fg(Paint::Green);
    }
    let color = table.game().turn();
    let name = &table.seats[color].name;
    let thought = session.heard.as_ref().map_or(String::new(), |info| thought(session, info));
    let text = if table.seats[color].is_person {
        let ask = if session.is_hinting { "thinking about a hint" } else { "your move" };
        format!(" {color}: {ask} {thought}")
    } else if session.is_asked {
        format!(" {name} thinks, {:.1} s {thought}", table.used(now).as_secs_f64())
    } else if session.is_paused {
        format!(" Paused, {color} to move")
    } else {
        format!(" {color} to move")
    };
    Line::from(text)
}

/// Depth, score, nodes and the line that an agent expects.
fn thought(session: &Session, info: &Info) -> String {
    let score = score_text(info.score.and_then(Score::value), info.score.and_then(Score::win));
    let score = score.unwrap_or_default();
    let mut text = format!(" depth {}  {score}  {} nodes ", info.depth, info.nodes);
    let mut position = *session.table.position();
    for &m in &info.line {
        let Ok(next) = position.play(m) else { break };
        text.push(' ');
        text.push_str(&session.notation.write(&position, m));
        position = next;
    }
    text
}

/// The move that is being typed.
fn prompt(session: &Session) -> Option<Line<'static>> {
    let Mode::Prompt(text) = &session.mode else { return None };
    Some(Line::from(format!(" Move ({}): {text}_", session.notation.name())).bold())
}

/// A question, or what there is to say.
fn message(session: &Session) -> Line<'static> {
    match (&session.mode, &session.status) {
        (Mode::Confirm(question), _) => {
            let text = match question {
                Question::Resign => "Resign the game? y/n",
                Question::NewGame => "Give this game up and begin another? y/n",
                Question::Quit => "Quit without finishing the game? y/n",
            };
            Line::from(format!(" {text}")).bold().yellow()
        }
        (_, Status::Error(why)) => Line::from(format!(" {why}")).red(),
        (_, Status::Note(note)) => Line::from(format!(" {note}")).cyan(),
        (_, Status::Quiet) if session.table.failure().is_some() => {
            Line::from(format!(" {}", session.table.failure().unwrap_or_default())).red()
        }
        (_, Status::Quiet) if !session.table.has_people() => last_thought(session),
        (_, Status::Quiet) => Line::default(),
    }
}

/// What was said about the last move.
fn last_thought(session: &Session) -> Line<'static> {
    let table = &session.table;
    let Some(ply) = table.turns().len().checked_sub(1) else { return Line::default() };
    let (m, color) = (table.record(ply, session.notation), table.game().positions()[ply].turn());
    let score = score_text(m.score, m.win).map_or(String::new(), |score| format!("  {score}"));
    let depth = m.depth.map_or(String::new(), |depth| format!("  depth {depth}"));
    let nodes = m.nodes.map_or(String::new(), |nodes| format!("  {nodes} nodes"));
    Line::from(format!(" {color} played {}{score}{depth}{nodes}  {:.3} s", m.text, m.time_us as f64 / 1e6))
        .dim()
}

fn keys_text(session: &Session) -> Vec<Line<'static>> {
    let lines = if !session.table.has_people() {
        [" space pause   right or . one move   f flip   n new game   q quit", ""]
    } else if matches!(session.mode, Mode::Prompt(_)) {
        [" Enter play   Esc back to the board", ""]
    } else {
        [
            " arrows, Home End PgUp PgDn cursor   space select   w e a d z x go   Esc none",
            " m type a move   u undo   h hint   f flip   r resign   n new game   q quit",
        ]
    };
    lines.map(Line::from).to_vec()
}
