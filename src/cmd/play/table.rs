//! A table: a game, the two players at it, and their clocks. The time is passed in, so that tests decide it.

use std::time::Duration;

use sumito_agents::{AgentError, Clock, Info, Limits, Score};
use sumito_lab::referee::MoveRecord;
use sumito_rules::{ByColor, Color, Game, Move, Notation, PlayError, Position};

use super::seat::Seat;

/// What an agent may take beyond its time: timers are not exact, and other programs want the processor too.
const GRACE: Duration = Duration::from_millis(100);

/// A game with its players and clocks.
pub(super) struct Table {
    game: Game,
    pub(super) seats: ByColor<Seat>,
    clocks: ByColor<Clock>,
    /// When the clock of the side to move was started, if it was.
    began: Option<Duration>,
    turns: Vec<Turn>,
    /// Why a player lost otherwise than on the board.
    failure: Option<String>,
}

/// What is known about a move that was played.
pub(super) struct Turn {
    /// The last that its player said.
    pub(super) info: Option<Info>,
    pub(super) time: Duration,
    /// The clocks before the move.
    clocks: ByColor<Clock>,
}

impl Table {
    pub(super) fn new(game: Game, seats: ByColor<Seat>) -> Table {
        let clock = |seat: &Seat| {
            let (left, increment) = seat.limit.clock.unwrap_or_default();
            Clock { left, increment }
        };
        let clocks = ByColor::new(clock(&seats.black), clock(&seats.white));
        Table { game, seats, clocks, began: None, turns: Vec::new(), failure: None }
    }

    /// The same players once more from the same start.
    pub(super) fn restarted(&self) -> Table {
        Table::new(Game::new(*self.game.rules(), *self.game.start()), self.seats.clone())
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(super) fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// The moves so far, with what is known about them.
    pub(super) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    pub(super) fn has_people(&self) -> bool {
        Color::ALL.into_iter().any(|color| self.seats[color].is_person)
    }

    /// Whether a person is to move in a game that goes on.
    pub(super) fn awaits_person(&self) -> bool {
        !self.is_over() && self.seats[self.game.turn()].is_person
    }

    /// Starts the clock of the side to move, if it does not run yet.
    pub(super) fn start_clock(&mut self, now: Duration) {
        self.began.get_or_insert(now);
    }

    /// How long the side to move has been thinking.
    pub(super) fn used(&self, now: Duration) -> Duration {
        self.began.map_or(Duration::ZERO, |began| now.saturating_sub(began))
    }

    /// What a player may still use for the move at hand, or the next one.
    pub(super) fn left(&self, color: Color, now: Duration) -> Option<Duration> {
        let is_thinking = color == self.game.turn() && !self.is_over();
        let used = if is_thinking { self.used(now) } else { Duration::ZERO };
        self.allowed(color).map(|allowed| allowed.saturating_sub(used))
    }

    fn allowed(&self, color: Color) -> Option<Duration> {
        let limit = self.seats[color].limit;
        limit.move_time.into_iter().chain(limit.clock.map(|_| self.clocks[color].left)).min()
    }

    fn is_too_late(&self, time: Duration) -> bool {
        let color = self.game.turn();
        let grace = if self.seats[color].is_person { Duration::ZERO } else { GRACE };
        self.allowed(color).is_some_and(|allowed| time > allowed + grace)
    }

    /// Ends the game if the time of the side to move is up, and says whether it did.
    pub(super) fn check_clock(&mut self, now: Duration) -> bool {
        let is_up = !self.is_over() && self.is_too_late(self.used(now));
        if is_up {
            self.lose_on_time();
        }
        is_up
    }

    fn lose_on_time(&mut self) {
        let loser = self.game.turn();
        self.game.lose_on_time(loser);
        self.clocks[loser].left = Duration::ZERO;
    }

    /// The limits within which an agent thinks about its next move.
    pub(super) fn limits(&self, color: Color) -> Limits {
        let limit = self.seats[color].limit;
        Limits {
            move_time: limit.move_time,
            clock: limit.clock.map(|_| self.clocks),
            nodes: limit.nodes,
            depth: limit.depth,
            ..Limits::default()
        }
    }

    /// Plays a move that took so long. If that was too long, the game is lost instead.
    pub(super) fn play(&mut self, m: Move, info: Option<Info>, time: Duration) -> Result<(), PlayError> {
        let color = self.game.turn();
        if !self.is_over() && self.is_too_late(time) {
            self.lose_on_time();
            return Ok(());
        }
        self.game.play(m)?;
        self.turns.push(Turn { info, time, clocks: self.clocks });
        let clock = &mut self.clocks[color];
        clock.left = clock.left.saturating_sub(time) + clock.increment;
        self.began = None;
        Ok(())
    }

    /// Takes moves back until it is the turn of the person who moved last, with the clocks as they were then.
    /// Says whether there was such a move.
    pub(super) fn take_back(&mut self) -> bool {
        let mover = |ply: usize| self.game.positions()[ply].turn();
        let Some(ply) = (0..self.turns.len()).rev().find(|&ply| self.seats[mover(ply)].is_person) else {
            return false;
        };
        while self.turns.len() > ply {
            self.game.take_back();
            self.clocks = self.turns.pop().map_or(self.clocks, |turn| turn.clocks);
        }
        (self.began, self.failure) = (None, None);
        true
    }

    pub(super) fn resign(&mut self, loser: Color) {
        self.game.resign(loser);
    }

    /// Ends the game for an agent that has no move to play.
    pub(super) fn fail(&mut self, loser: Color, error: &AgentError) {
        match error {
            AgentError::Resigned => self.game.resign(loser),
            _ => self.game.forfeit(loser),
        }
        self.failure = Some(format!("{loser}: {error}"));
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
        let Some(outcome) = self.game.outcome() else {
            return format!("unfinished, {} to move", self.game.turn());
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
        Some((&self.game.positions()[ply], self.game.moves()[ply]))
    }

    /// A move as it is kept, by the number of plies before it.
    pub(super) fn record(&self, ply: usize, notation: Notation) -> MoveRecord {
        let (turn, position) = (&self.turns[ply], &self.game.positions()[ply]);
        let info = turn.info.as_ref();
        let (score, win) = match info.and_then(|info| info.score) {
            Some(Score::Value(value)) => (Some(value).filter(|value| value.is_finite()), None),
            Some(Score::Win(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        MoveRecord {
            text: notation.write(position, self.game.moves()[ply]),
            score,
            win,
            depth: info.map(|info| info.depth),
            nodes: info.map(|info| info.nodes),
            time_us: turn.time.as_micros() as u64,
        }
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

    fn table(black: &str, white: &str) -> Table {
        let seat = |text: &str| {
            let (name, limit) = text.split_once('@').unwrap_or((text, "none"));
            Seat { name: name.to_string(), is_person: name == "human", limit: limit.parse().unwrap() }
        };
        let game = Game::new(Rules::OFFICIAL, Layout::named("standard").unwrap().position());
        Table::new(game, ByColor::new(seat(black), seat(white)))
    }

    fn play(table: &mut Table, seconds: u64) {
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
        table.fail(Color::White, &AgentError::Crashed("gone".into()));
        assert_eq!(table.ending(), "Black (human) wins: forfeit; White: the engine ended: gone");
    }
}
