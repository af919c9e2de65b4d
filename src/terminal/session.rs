//! What happens on the screen, without the screen: keys, answers and time go in, actions for the loop come out.

use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sumito_agents::{AgentError, Info};
use sumito_rules::{Bitboard, Cell, Color, Direction, Move, MoveError, Notation, ParseError};

use super::select;
use super::table::TerminalTable;

/// What the loop must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    None,
    /// Ask the agent to move.
    Ask,
    /// Ask for a hint.
    AskHint,
    /// Stop whoever thinks; the position is no longer the one they were asked about.
    Cancel,
    /// Begin another game: `Session::restart`.
    NewGame,
    /// Leave.
    Quit,
}

/// What keys mean at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// They choose marbles and directions.
    Board,
    /// They are letters of a move.
    Prompt(String),
    /// They answer a question.
    Confirm(Question),
}

/// What is asked before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Resign,
    NewGame,
    Quit,
}

/// A line for the person at the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Quiet,
    Note(String),
    Error(String),
}

/// The state of the screen.
pub(super) struct Session {
    pub(super) table: TerminalTable,
    pub(super) notation: Notation,
    pub(super) cursor: Cell,
    /// The column in which the cursor stays when it goes up and down, in half cells from the middle.
    column: i8,
    pub(super) selection: Bitboard,
    pub(super) mode: Mode,
    pub(super) status: Status,
    /// Whether Black's side is on top.
    pub(super) is_flipped: bool,
    pub(super) hint: Option<Move>,
    /// The last that the agent at work said.
    pub(super) heard: Option<Info>,
    /// Whether the side to move is an agent that was asked.
    pub(super) is_asked: bool,
    pub(super) is_hinting: bool,
    /// Whether a game of two agents waits.
    pub(super) is_paused: bool,
    /// Time between the moves of two agents.
    delay: Duration,
    /// When the next agent may be asked.
    due: Duration,
}

impl Session {
    pub(super) fn new(table: TerminalTable, notation: Notation, delay: Duration) -> Session {
        let mut session = Session {
            is_flipped: table.seats.white.is_person && !table.seats.black.is_person,
            table,
            notation,
            cursor: Cell::CENTRE,
            column: 0,
            selection: Bitboard::EMPTY,
            mode: Mode::Board,
            status: Status::Quiet,
            hint: None,
            heard: None,
            is_asked: false,
            is_hinting: false,
            is_paused: false,
            delay,
            due: Duration::ZERO,
        };
        session.reset_cursor();
        session
    }

    /// The same players once more.
    pub(super) fn restart(&mut self) {
        self.table = self.table.restarted();
        self.position_changed();
        self.status = Status::Note("A new game".to_string());
        self.due = Duration::ZERO;
        self.reset_cursor();
    }

    /// Puts the cursor on a marble of a person: the one in front, in the middle.
    fn reset_cursor(&mut self) {
        let color = if self.table.seats.black.is_person { Color::Black } else { Color::White };
        let marbles = self.table.position().marbles(color);
        let place = |cell: &Cell| (cell.ring(), self.x(*cell).abs());
        self.cursor = marbles.sorted().min_by_key(place).unwrap_or(Cell::CENTRE);
        self.column = self.x(self.cursor);
    }

    /// What belongs to one position only.
    fn position_changed(&mut self) {
        self.selection = Bitboard::EMPTY;
        (self.hint, self.is_hinting) = (None, false);
        (self.heard, self.is_asked) = (None, false);
        (self.mode, self.status) = (Mode::Board, Status::Quiet);
    }

    /// Time passes.
    pub(super) fn tick(&mut self, now: Duration) -> Action {
        if self.table.is_over() {
            return Action::None;
        }
        if self.table.check_clock(now) {
            self.position_changed();
            return Action::Cancel;
        }
        if self.table.awaits_person() {
            self.table.start_clock(now);
        } else if !self.is_asked && !self.is_paused && now >= self.due {
            self.is_asked = true;
            self.table.start_clock(now);
            return Action::Ask;
        }
        Action::None
    }

    /// An agent says how far it is.
    pub(super) fn hear(&mut self, info: Info) {
        self.heard = Some(info);
    }

    /// The agent to move has answered.
    pub(super) fn answer(
        &mut self,
        result: Result<Move, AgentError>,
        info: Option<Info>,
        time: Duration,
        now: Duration,
    ) {
        self.table.answer(result, info, time);
        // A person who is typing or deciding is not interrupted.
        let mode = std::mem::replace(&mut self.mode, Mode::Board);
        self.position_changed();
        if !self.table.is_over() {
            self.mode = mode;
        }
        self.due = now + self.delay;
    }

    /// The adviser has answered.
    pub(super) fn advise(&mut self, result: Result<Move, AgentError>) {
        (self.is_hinting, self.heard) = (false, None);
        match result {
            Ok(m) if self.table.position().is_legal(m) => {
                let text = self.notation.write(self.table.position(), m);
                self.status = Status::Note(format!("Hint: {text}"));
                self.hint = Some(m);
            }
            Ok(m) => self.status = Status::Error(format!("No hint: {m:?} is not legal")),
            Err(error) => self.status = Status::Error(format!("No hint: {error}")),
        }
    }

    /// There is nobody to ask for a hint.
    pub(super) fn refuse_hint(&mut self, why: &str) {
        self.is_hinting = false;
        self.status = Status::Error(format!("No hint: {why}"));
    }

    /// A key was pressed.
    pub(super) fn handle(&mut self, key: KeyEvent, now: Duration) -> Action {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if key.code == KeyCode::Char('c') { Action::Quit } else { Action::None };
        }
        match self.mode.clone() {
            Mode::Prompt(text) => self.prompt_key(key.code, text, now),
            Mode::Confirm(question) => self.confirm_key(key.code, question),
            Mode::Board if self.table.has_people() => self.board_key(key.code, now),
            Mode::Board => self.watch_key(key.code, now),
        }
    }

    /// A key while two agents play.
    fn watch_key(&mut self, code: KeyCode, now: Duration) -> Action {
        match code {
            KeyCode::Char(' ' | 'p') => self.is_paused = !self.is_paused,
            KeyCode::Right | KeyCode::Char('.') => return self.step(now),
            KeyCode::Char('f') => self.is_flipped = !self.is_flipped,
            KeyCode::Char('n') => return Action::NewGame,
            KeyCode::Char('q') | KeyCode::Esc => return Action::Quit,
            _ => {}
        }
        Action::None
    }

    /// One move, and then a pause.
    fn step(&mut self, now: Duration) -> Action {
        self.is_paused = true;
        if self.is_asked || self.table.is_over() {
            return Action::None;
        }
        self.is_asked = true;
        self.table.start_clock(now);
        Action::Ask
    }

    fn board_key(&mut self, code: KeyCode, now: Duration) -> Action {
        self.status = Status::Quiet;
        if let Some(direction) = pad_direction(code) {
            return self.direct(self.seen(direction), now);
        }
        match code {
            KeyCode::Left => self.go(Some(Direction::West)),
            KeyCode::Right => self.go(Some(Direction::East)),
            KeyCode::Home => self.go(Some(Direction::NorthWest)),
            KeyCode::PageUp => self.go(Some(Direction::NorthEast)),
            KeyCode::End => self.go(Some(Direction::SouthWest)),
            KeyCode::PageDown => self.go(Some(Direction::SouthEast)),
            KeyCode::Up => self.climb([Direction::NorthEast, Direction::NorthWest]),
            KeyCode::Down => self.climb([Direction::SouthEast, Direction::SouthWest]),
            KeyCode::Char(' ') | KeyCode::Enter => self.choose(),
            KeyCode::Esc => (self.selection, self.hint) = (Bitboard::EMPTY, None),
            KeyCode::Char(letter) => return self.command(letter),
            _ => {}
        }
        Action::None
    }

    fn command(&mut self, letter: char) -> Action {
        match letter {
            'm' | ':' if self.table.awaits_person() => self.mode = Mode::Prompt(String::new()),
            'm' | ':' => self.refuse_turn(),
            'u' => return self.take_back(),
            'h' | '?' if self.table.awaits_person() => {
                self.is_hinting = true;
                return Action::AskHint;
            }
            'h' | '?' => self.refuse_turn(),
            'f' => {
                self.is_flipped = !self.is_flipped;
                self.column = self.x(self.cursor);
            }
            'r' if self.table.is_over() => self.refuse_turn(),
            'r' => self.mode = Mode::Confirm(Question::Resign),
            'n' if self.is_under_way() => self.mode = Mode::Confirm(Question::NewGame),
            'n' => return Action::NewGame,
            'q' if self.is_under_way() => self.mode = Mode::Confirm(Question::Quit),
            'q' => return Action::Quit,
            _ => {}
        }
        Action::None
    }

    /// Whether something would be lost by leaving.
    fn is_under_way(&self) -> bool {
        !self.table.is_over() && self.table.turns().len() > 1
    }

    fn refuse_turn(&mut self) {
        let why = if self.table.is_over() { "The game is over" } else { "It is not your turn" };
        self.status = Status::Error(why.to_string());
    }

    fn take_back(&mut self) -> Action {
        if !self.table.take_back() {
            self.status = Status::Error("There is no move of yours to take back".to_string());
            return Action::None;
        }
        self.position_changed();
        self.status = Status::Note("Taken back".to_string());
        Action::Cancel
    }

    fn prompt_key(&mut self, code: KeyCode, mut text: String, now: Duration) -> Action {
        match code {
            KeyCode::Esc => self.mode = Mode::Board,
            KeyCode::Enter if text.trim().is_empty() => self.mode = Mode::Board,
            KeyCode::Enter => match self.notation.parse(self.table.position(), text.trim()) {
                Ok(m) => return self.play(m, now),
                Err(error) => self.status = Status::Error(refusal(&error)),
            },
            KeyCode::Backspace => {
                text.pop();
                self.mode = Mode::Prompt(text);
            }
            KeyCode::Char(letter) if text.len() < 20 => {
                text.push(letter);
                (self.mode, self.status) = (Mode::Prompt(text), Status::Quiet);
            }
            _ => {}
        }
        Action::None
    }

    fn confirm_key(&mut self, code: KeyCode, question: Question) -> Action {
        self.mode = Mode::Board;
        match (question, code) {
            (Question::Quit, KeyCode::Char('y' | 'q') | KeyCode::Enter) => Action::Quit,
            (Question::NewGame, KeyCode::Char('y' | 'n') | KeyCode::Enter) => Action::NewGame,
            (Question::Resign, KeyCode::Char('y' | 'r') | KeyCode::Enter) => {
                self.table.resign(self.person());
                self.position_changed();
                Action::Cancel
            }
            _ => Action::None,
        }
    }

    /// The person at the keys: the one to move if both are.
    fn person(&self) -> Color {
        let turn = self.table.game().turn();
        if self.table.seats[turn].is_person { turn } else { !turn }
    }

    /// A direction key: it moves the selected marbles, or the cursor if there are none.
    fn direct(&mut self, direction: Direction, now: Duration) -> Action {
        if !self.table.awaits_person() || self.selection.is_empty() {
            self.move_cursor(self.cursor.step(direction));
            return Action::None;
        }
        match select::in_direction(self.table.position(), self.selection, direction) {
            Some(Ok(m)) => return self.play(m, now),
            Some(Err(why)) => self.status = Status::Error(format!("Not possible: {why}")),
            None => {}
        }
        Action::None
    }

    /// Plays a person's move.
    fn play(&mut self, m: Move, now: Duration) -> Action {
        let time = self.table.used(now);
        let played = self.table.play(m, None, time);
        self.position_changed();
        match played {
            Ok(()) => self.move_cursor(m.head().step(m.direction())),
            Err(error) => self.status = Status::Error(error.to_string()),
        }
        self.due = now;
        Action::Cancel
    }

    fn choose(&mut self) {
        if !self.table.awaits_person() {
            return self.refuse_turn();
        }
        let position = self.table.position();
        if !position.own().contains(self.cursor) {
            let whose = position.turn();
            self.status = Status::Error(format!("{whose} has no marble on {}", self.cursor));
            return;
        }
        self.selection = select::toggled(position, self.selection, self.cursor);
        self.hint = None;
    }

    /// How far right of the middle a cell is on the screen, in half cells.
    pub(super) fn x(&self, cell: Cell) -> i8 {
        let x = 2 * (cell.number() as i8 - 5) - (cell.row() as i8 - 5);
        if self.is_flipped { -x } else { x }
    }

    /// The direction on the board that a direction on the screen is.
    pub(super) fn seen(&self, direction: Direction) -> Direction {
        if self.is_flipped { direction.opposite() } else { direction }
    }

    fn go(&mut self, direction: Option<Direction>) {
        self.move_cursor(direction.and_then(|direction| self.cursor.step(self.seen(direction))));
    }

    fn move_cursor(&mut self, to: Option<Cell>) {
        self.cursor = to.unwrap_or(self.cursor);
        self.column = self.x(self.cursor);
    }

    /// Straight up or down is between two cells: the one nearer to the cursor's column, the first if both are.
    fn climb(&mut self, ways: [Direction; 2]) {
        let cells = ways.into_iter().filter_map(|way| self.cursor.step(self.seen(way)));
        let nearest = cells.min_by_key(|&cell| (self.x(cell) - self.column).abs());
        self.cursor = nearest.unwrap_or(self.cursor);
    }
}

/// Why a typed move is none. That it was found in the first line helps nobody here.
pub(super) fn refusal(error: &MoveError) -> String {
    match error {
        MoveError::Syntax(ParseError { expected, found, .. }) => {
            format!("expected {expected}, found {found}")
        }
        MoveError::Illegal { text, why, .. } => format!("{text}: {why}"),
    }
}

/// The direction keys, laid out like the directions: w e, a d, z x.
pub(super) const PAD: [(char, Direction); 6] = [
    ('w', Direction::NorthWest),
    ('e', Direction::NorthEast),
    ('a', Direction::West),
    ('d', Direction::East),
    ('z', Direction::SouthWest),
    ('x', Direction::SouthEast),
];

/// The direction on the screen that a key means. German keyboards have y where others have z.
fn pad_direction(code: KeyCode) -> Option<Direction> {
    let KeyCode::Char(letter) = code else { return None };
    let letter = if letter == 'y' { 'z' } else { letter };
    PAD.into_iter().find(|(key, _)| *key == letter).map(|(_, direction)| direction)
}
