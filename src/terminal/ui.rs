//! The screen: a terminal that is always given back as it was, and the loop that joins keys, agents and drawing.

use std::time::{Duration, Instant};

use anyhow::Context;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use sumito_agents::Stop;
use sumito_rules::Layout;

use super::save::Archive;
use super::session::{Action, Session};
use super::staff::{Message, Role, Staff};
use super::table::TerminalTable;
use super::{SCREEN_DELAY, SessionSetup, view};
use crate::files;

/// How long the loop waits for a key before it looks at agents and clocks again.
const BEAT: Duration = Duration::from_millis(30);

pub(super) fn run(setup: SessionSetup) -> anyhow::Result<()> {
    let SessionSetup { table, agents, rules, notation, delay, archive } = setup;
    let title = title(&table, &rules);
    let staff = Staff::new(agents, &table);
    let session = Session::new(table, notation, delay.unwrap_or(SCREEN_DELAY));
    let interrupt = Stop::default();
    let flag = interrupt.clone();
    ctrlc::set_handler(move || flag.request()).context("cannot listen for Ctrl-C")?;
    let mut screen =
        Screen { session, staff, archive, title, start: Instant::now(), interrupt, failure: None };
    let done = {
        let mut terminal = Guard::new()?;
        screen.run(&mut terminal.0)
    };
    done?;
    if let Some(failure) = screen.failure {
        return Err(failure);
    }
    let saved = screen.archive.summary().map_or(String::new(), |text| format!("{text}\n"));
    files::print(&format!("The game: {}\n{saved}", screen.session.table.ending()))
}

fn title(table: &TerminalTable, rules: &str) -> String {
    let start = table.game().start();
    let layout = Layout::all().iter().find(|layout| layout.position() == *start);
    format!("{}, {rules} rules", layout.map_or("a position of your own", |layout| layout.title))
}

/// A terminal in the state of a screen, given back when this is dropped, be it by an error or a panic.
struct Guard(DefaultTerminal);

impl Guard {
    fn new() -> anyhow::Result<Guard> {
        let hook = std::panic::take_hook();
        let terminal =
            ratatui::try_init().inspect_err(|_| ratatui::restore()).context("cannot use the terminal")?;
        // The panic of an agent's thread is caught and told on the screen, so it must not take the screen away.
        let screen_thread = std::thread::current().id();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().id() == screen_thread {
                ratatui::restore();
                hook(panic);
            }
        }));
        Ok(Guard(terminal))
    }
}

impl Drop for Guard {
    /// After a panic the hook has done it already; doing it twice would put the cursor into the panic's message.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ratatui::restore();
            drop(std::panic::take_hook());
        }
    }
}

struct Screen {
    session: Session,
    staff: Staff,
    archive: Archive,
    title: String,
    start: Instant,
    /// Set when the program is interrupted from outside.
    interrupt: Stop,
    /// A game that could not be saved.
    failure: Option<anyhow::Error>,
}

impl Screen {
    fn run(&mut self, terminal: &mut DefaultTerminal) -> anyhow::Result<()> {
        while !self.interrupt.is_requested() {
            self.listen();
            let action = self.session.tick(self.start.elapsed());
            self.perform(action);
            self.save();
            let now = self.start.elapsed();
            terminal.draw(|frame| view::draw(frame, &self.session, &self.title, now))?;
            if self.keys()? == Action::Quit {
                break;
            }
        }
        self.staff.cancel();
        Ok(())
    }

    /// Takes in what the agents have said.
    fn listen(&mut self) {
        while let Some((from, message)) = self.staff.receive(Duration::ZERO) {
            match (from, message) {
                (_, Message::Report(info)) => self.session.hear(info),
                (Role::Player(_), Message::Answer { result, info, time }) => {
                    self.session.answer(result, info, time, self.start.elapsed());
                }
                (Role::Adviser, Message::Answer { result, .. }) => self.session.advise(result),
            }
        }
    }

    /// Waits for a key for one beat, and handles all that have come.
    fn keys(&mut self) -> anyhow::Result<Action> {
        let mut patience = BEAT;
        while event::poll(patience)? {
            patience = Duration::ZERO;
            let Event::Key(key) = event::read()? else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            let action = self.session.handle(key, self.start.elapsed());
            self.perform(action);
            if action == Action::Quit {
                return Ok(action);
            }
        }
        Ok(Action::None)
    }

    fn perform(&mut self, action: Action) {
        match action {
            Action::None | Action::Quit => {}
            Action::Ask => self.staff.ask(&self.session.table),
            Action::AskHint => {
                if let Err(error) = self.staff.ask_hint(&self.session.table) {
                    self.session.refuse_hint(&error.to_string());
                }
            }
            Action::Cancel => self.staff.cancel(),
            Action::NewGame => {
                self.archive.next_game();
                self.staff.new_game();
                self.session.restart();
            }
        }
    }

    /// Keeps a finished game. If that fails, the person is told now and the program fails at the end.
    fn save(&mut self) {
        if self.failure.is_none()
            && let Err(error) = self.archive.update(&self.session.table)
        {
            self.session.status = super::session::Status::Error(format!("{error:#}"));
            self.failure = Some(error);
        }
    }
}
