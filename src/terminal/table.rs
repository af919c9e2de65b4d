//! A table at the terminal: a game and its clocks, with the names of the two players and what they said about their
//! moves.

use std::time::Duration;

use sumito_agents::{AgentError, Info, Limits, Table, TimeControl, TurnError};
use sumito_lab::referee::MoveRecord;
use sumito_rules::{ByColor, Color, Game, Move, Notation, PlayError, Position};

use super::seat::TerminalSeat;

/// What an agent may take beyond its time: timers are not exact, and other programs want the processor too.
const GRACE: Duration = Duration::from_millis(100);

/// A table, who sits there, and what is known about their moves.
pub(crate) struct TerminalTable {
    table: Table,
    pub(super) seats: ByColor<TerminalSeat>,
    turns: Vec<PlayedTurn>,
    /// Why a player lost otherwise than on the board.
    failure: Option<String>,
}

/// What is known about a move that was played.
pub(super) struct PlayedTurn {
    /// The last that its player said.
    info: Option<Info>,
    time: Duration,
    /// The time of both players before the move.
    before: ByColor<TimeControl>,
}

impl TerminalTable {
    pub(crate) fn new(game: Game, seats: ByColor<TerminalSeat>) -> TerminalTable {
        let time = |seat: &TerminalSeat| {
            seat.limit.time_control(if seat.is_person { Duration::ZERO } else { GRACE })
        };
        let table = Table::new(game, ByColor::new(time(&seats.black), time(&seats.white)));
        TerminalTable { table, seats, turns: Vec::new(), failure: None }
    }

    /// The same players once more from the same start.
    pub(super) fn restarted(&self) -> TerminalTable {
        let game = Game::new(*self.game().rules(), *self.game().start());
        TerminalTable::new(game, self.seats.clone())
    }

    pub(super) fn game(&self) -> &Game {
        self.table.game()
    }

    pub(super) fn position(&self) -> &Position {
        self.game().position()
    }

    pub(super) fn is_over(&self) -> bool {
        self.table.outcome().is_some()
    }

    /// The moves so far, with what is known about them.
    pub(super) fn turns(&self) -> &[PlayedTurn] {
        &self.turns
    }

    pub(crate) fn has_people(&self) -> bool {
        Color::ALL.into_iter().any(|color| self.seats[color].is_person)
    }

    /// Whether a person is to move in a game that goes on.
    pub(super) fn awaits_person(&self) -> bool {
        !self.is_over() && self.seats[self.game().turn()].is_person
    }

    /// Starts the clock of the side to move, if it does not run yet.
    pub(super) fn start_clock(&mut self, now: Duration) {
        self.table.start_clock(now);
    }

    /// How long the side to move has been thinking.
    pub(super) fn used(&self, now: Duration) -> Duration {
        self.table.used(now)
    }

    /// What a player may still use for the move at hand, or the next one.
    pub(super) fn left(&self, color: Color, now: Duration) -> Option<Duration> {
        self.table.left(color, now)
    }

    /// Ends the game if the time of the side to move is up, and says whether it did.
    pub(super) fn check_clock(&mut self, now: Duration) -> bool {
        self.table.flag(now)
    }

    /// The limits within which the agent to move thinks.
    pub(super) fn limits(&self) -> Limits {
        let limit = self.seats[self.game().turn()].limit;
        Limits { nodes: limit.nodes, depth: limit.depth, ..self.table.limits() }
    }

    /// Plays a move that took so long. If that was too long, the game is lost instead.
    pub(super) fn play(&mut self, m: Move, info: Option<Info>, time: Duration) -> Result<(), PlayError> {
        let before = *self.table.time();
        match self.table.play(m, time) {
            Ok(()) => self.turns.push(PlayedTurn { info, time, before }),
            Err(TurnError::Late { .. }) => {}
            Err(TurnError::Play(error)) => return Err(error),
        }
        Ok(())
    }

    /// Plays what the agent to move has answered. An agent without a legal move loses.
    pub(super) fn answer(&mut self, result: Result<Move, AgentError>, info: Option<Info>, time: Duration) {
        let loser = self.game().turn();
        let illegal = |m, why| AgentError::Illegal(format!("{m:?}: {why}"));
        let played = result.and_then(|m| self.play(m, info, time).map_err(|why| illegal(m, why)));
        if let Err(error) = played {
            self.table.fail(loser, &error);
            self.failure = Some(format!("{loser}: {error}"));
        }
    }

    /// Takes moves back until it is the turn of the person who moved last, with the clocks as they were then.
    /// Says whether there was such a move.
    pub(super) fn take_back(&mut self) -> bool {
        let mover = |ply: usize| self.game().positions()[ply].turn();
        let Some(ply) = (0..self.turns.len()).rev().find(|&ply| self.seats[mover(ply)].is_person) else {
            return false;
        };
        for turn in self.turns.drain(ply..).rev() {
            self.table.take_back();
            self.table.set_time(turn.before);
        }
        self.failure = None;
        true
    }

    pub(super) fn resign(&mut self, loser: Color) {
        self.table.resign(loser);
    }

    /// Why a player lost otherwise than on the board.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// How the game stands, or how it ended, with all that there is to say about it.
    pub(super) fn ending(&self) -> String {
        let result = self.result();
        self.failure.as_ref().map_or(result.clone(), |failure| format!("{result}; {failure}"))
    }

    /// How the game stands, or how it ended.
    pub(super) fn result(&self) -> String {
        let Some(outcome) = self.table.outcome() else {
            return format!("unfinished, {} to move", self.game().turn());
        };
        let who = match outcome.winner {
            Some(winner) => format!("{winner} ({}) wins", self.seats[winner].name),
            None => "a draw".to_string(),
        };
        format!("{who}: {}", outcome.reason)
    }

    /// The last move, with the position before it.
    pub(super) fn last_move(&self) -> Option<(&Position, Move)> {
        let ply = self.turns.len().checked_sub(1)?;
        Some((&self.game().positions()[ply], self.game().moves()[ply]))
    }

    /// A move as it is kept, by the number of plies before it.
    pub(super) fn record(&self, ply: usize, notation: Notation) -> MoveRecord {
        let (turn, game) = (&self.turns[ply], self.game());
        let text = notation.write(&game.positions()[ply], game.moves()[ply]);
        MoveRecord::new(text, turn.info.as_ref(), turn.time)
    }
}

/// A score as people read it: `+1.50`, or `+W3` for a win in three moves.
pub(super) fn score_text(score: Option<f64>, win: Option<i32>) -> Option<String> {
    match (win, score) {
        (Some(moves), _) => Some(format!("{}W{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs())),
        (None, score) => score.map(|value| format!("{value:+.2}")),
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Layout, Reason, Rules};

    use super::*;

    fn second(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn table(black: &str, white: &str) -> TerminalTable {
        let seat = |text: &str| {
            let (name, limit) = text.split_once('@').unwrap_or((text, "none"));
            TerminalSeat { name: name.to_string(), is_person: name == "human", limit: limit.parse().unwrap() }
        };
        let game = Game::new(Rules::OFFICIAL, Layout::named("standard").unwrap().position());
        TerminalTable::new(game, ByColor::new(seat(black), seat(white)))
    }

    fn play(table: &mut TerminalTable, seconds: u64) {
        let m = table.game().legal_moves()[0];
        table.play(m, None, second(seconds)).unwrap();
    }

    #[test]
    fn a_clock_runs_down_on_its_own_turn_and_grows_with_each_move() {
        let mut table = table("human@clock=60s+5s", "human@clock=60s+5s");
        table.start_clock(second(100));
        assert_eq!(table.left(Color::Black, second(120)), Some(second(40)));
        assert_eq!(table.left(Color::White, second(120)), Some(second(60)));
        play(&mut table, 20);
        assert_eq!(table.left(Color::Black, second(500)), Some(second(45)));
    }

    #[test]
    fn a_person_loses_when_the_clock_runs_out() {
        let mut table = table("human@clock=60s", "random");
        table.start_clock(second(0));
        assert!(!table.check_clock(second(60)));
        assert!(table.check_clock(second(60) + Duration::from_millis(1)));
        let outcome = table.game().outcome().unwrap();
        assert_eq!((outcome.winner, outcome.reason), (Some(Color::White), Reason::Time));
    }

    #[test]
    fn a_move_that_took_too_long_loses_and_is_not_played() {
        let mut table = table("random@movetime=1s", "random");
        play(&mut table, 2);
        assert_eq!(table.game().outcome().map(|outcome| outcome.reason), Some(Reason::Time));
        assert_eq!(table.turns().len(), 0);
    }

    #[test]
    fn an_agent_is_a_little_late_and_plays_on() {
        let mut table = table("random@movetime=1s", "random");
        let m = table.game().legal_moves()[0];
        table.play(m, None, second(1) + GRACE).unwrap();
        assert!(!table.is_over());
    }

    #[test]
    fn taking_back_ends_at_the_persons_turn_with_the_clock_of_then() {
        let mut table = table("human@clock=60s", "random@clock=60s");
        assert!(!table.take_back());
        play(&mut table, 10);
        play(&mut table, 1);
        assert!(table.take_back());
        assert_eq!((table.turns().len(), table.left(Color::Black, second(0))), (0, Some(second(60))));
    }

    #[test]
    fn taking_back_while_the_agent_thinks_takes_one_move() {
        let mut table = table("random", "human");
        play(&mut table, 1);
        assert!(!table.take_back());
        play(&mut table, 1);
        assert!(table.take_back());
        assert_eq!((table.turns().len(), table.game().turn()), (1, Color::White));
    }

    #[test]
    fn an_agent_that_breaks_down_loses_and_the_ending_says_why() {
        let mut table = table("human", "random");
        play(&mut table, 1);
        table.answer(Err(AgentError::Crashed("gone".into())), None, second(0));
        assert_eq!(table.ending(), "Black (human) wins: forfeit; White: the engine ended: gone");
    }
}
