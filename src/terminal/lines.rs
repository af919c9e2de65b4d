//! A game with a person but without a screen: moves are read one a line, and the board is printed after each.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use sumito_rules::{Notation, diagram};

use super::SessionSetup;
use super::save::Archive;
use super::session::refusal;
use super::staff::{ADVISER, Staff};
use super::table::TerminalTable;
use super::watch;

const HELP: &str = "A move, or one of: undo, hint, moves, board, resign, quit, help";

/// The lines of a person, as they come.
pub(super) type TypedLines = Receiver<io::Result<String>>;

/// The lines of standard input. They are read in another thread, so that a clock can run out meanwhile.
pub(super) fn standard_input() -> TypedLines {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

pub(super) fn run(setup: SessionSetup, lines: TypedLines, out: &mut impl Write) -> anyhow::Result<()> {
    let SessionSetup { table, agents, notation, archive, .. } = setup;
    let staff = Staff::new(agents, &table);
    let mut desk = Desk { table, staff, notation, archive, lines, out, start: Instant::now() };
    desk.board()?;
    while desk.turn()? {}
    desk.end()
}

/// What was asked for in a line.
enum Wish {
    /// The game goes on: a move was made, or taken back.
    GoOn,
    /// Another line is needed.
    Again,
    Leave,
}

struct Desk<'a, W> {
    table: TerminalTable,
    staff: Staff,
    notation: Notation,
    archive: Archive,
    lines: TypedLines,
    out: &'a mut W,
    start: Instant,
}

impl<W: Write> Desk<'_, W> {
    /// One turn. False if there is no further one.
    fn turn(&mut self) -> anyhow::Result<bool> {
        if self.table.is_over() {
            return Ok(false);
        }
        if self.table.awaits_person() {
            return self.person();
        }
        if watch::turn(&mut self.table, &mut self.staff) {
            writeln!(self.out, "{}", watch::line(&self.table, self.notation))?;
            self.board()?;
        }
        Ok(true)
    }

    fn board(&mut self) -> io::Result<()> {
        let text = diagram::text(self.table.position(), None);
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    /// Reads lines until one makes the game go on.
    fn person(&mut self) -> anyhow::Result<bool> {
        self.table.start_clock(self.start.elapsed());
        loop {
            let color = self.table.game().turn();
            let left = self.table.left(color, self.start.elapsed());
            let clock = left.map_or(String::new(), |left| format!(" ({:.0} s left)", left.as_secs_f64()));
            write!(self.out, "{color}{clock}> ")?;
            self.out.flush()?;
            let line = self.line(left)?;
            if self.table.check_clock(self.start.elapsed()) {
                writeln!(self.out, "\nThe time is up.")?;
                return Ok(true);
            }
            let Some(line) = line else {
                writeln!(self.out)?;
                return Ok(false);
            };
            match self.obey(line.trim())? {
                Wish::GoOn => return Ok(true),
                Wish::Leave => return Ok(false),
                Wish::Again => {}
            }
        }
    }

    /// The next line; none at the end of the input, or when the time is up.
    fn line(&self, left: Option<Duration>) -> io::Result<Option<String>> {
        match left {
            None => self.lines.recv().ok().transpose(),
            // A little more than what is left, so that it is certain to be too much.
            Some(left) => match self.lines.recv_timeout(left + Duration::from_millis(1)) {
                Ok(line) => line.map(Some),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(None),
            },
        }
    }

    fn obey(&mut self, line: &str) -> anyhow::Result<Wish> {
        match line {
            "" => {}
            "quit" => return Ok(Wish::Leave),
            "resign" => {
                self.table.resign(self.table.game().turn());
                return Ok(Wish::GoOn);
            }
            "undo" => {
                if self.table.take_back() {
                    self.board()?;
                    return Ok(Wish::GoOn);
                }
                writeln!(self.out, "There is no move of yours to take back.")?;
            }
            "hint" => self.hint()?,
            "moves" => self.moves()?,
            "board" => self.board()?,
            "help" => writeln!(self.out, "{HELP}")?,
            text => return self.play(text),
        }
        Ok(Wish::Again)
    }

    fn play(&mut self, text: &str) -> anyhow::Result<Wish> {
        match self.notation.parse(self.table.position(), text) {
            Ok(m) => {
                let time = self.table.used(self.start.elapsed());
                self.table.play(m, None, time)?;
                self.board()?;
                Ok(Wish::GoOn)
            }
            Err(error) => {
                writeln!(self.out, "Not possible: {}\n{HELP}", refusal(&error))?;
                Ok(Wish::Again)
            }
        }
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        if let Err(error) = self.staff.ask_hint(&self.table) {
            writeln!(self.out, "No hint: {error}")?;
            return Ok(());
        }
        let said = match self.staff.answer().0 {
            Ok(m) => format!("Hint of {ADVISER}: {}", self.notation.write(self.table.position(), m)),
            Err(error) => format!("No hint: {error}"),
        };
        writeln!(self.out, "{said}")?;
        Ok(())
    }

    fn moves(&mut self) -> io::Result<()> {
        let position = self.table.position();
        let moves = position.legal_moves();
        let mut moves: Vec<String> = moves.iter().map(|&m| self.notation.write(position, m)).collect();
        moves.sort();
        for row in moves.chunks(10) {
            writeln!(self.out, "{}", row.join(" "))?;
        }
        Ok(())
    }

    fn end(mut self) -> anyhow::Result<()> {
        self.archive.update(&self.table)?;
        writeln!(self.out, "The game: {}", self.table.ending())?;
        if let Some(summary) = self.archive.summary() {
            writeln!(self.out, "{summary}")?;
        }
        Ok(())
    }
}
