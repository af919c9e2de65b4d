//! The agents of a game, each thinking in a thread of its own, so that a screen never waits for them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use sumito_agents::{Agent, AgentError, Info, Limits, SpecError, Stop, build, guarded};
use sumito_rules::{ByColor, Color, Game, Move, Rules};

use super::seat::Agents;
use super::table::TerminalTable;

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A player.
    Player(Color),
    /// Who gives hints.
    Adviser,
}

/// What an agent says while it thinks, and at the end.
pub(super) enum Message {
    Report(Info),
    Answer { result: Result<Move, AgentError>, info: Option<Info>, time: Duration },
}

/// A message, and the request that it belongs to.
struct Letter {
    from: Role,
    ticket: u64,
    message: Message,
}

/// How long a hint may take if its agent has no time for a move.
const HINT_TIME: Duration = Duration::from_secs(1);
/// How long leaving waits for a thread that was told to stop.
const PATIENCE: Duration = Duration::from_millis(200);

/// Gives hints.
pub(super) const ADVISER: &str = "sumito";

/// All agents of a game.
pub(super) struct Staff {
    players: ByColor<Option<Thinker>>,
    adviser: Option<Thinker>,
    rules: Rules,
    outbox: Sender<Letter>,
    inbox: Receiver<Letter>,
    /// Only letters with this number still matter.
    ticket: u64,
}

impl Staff {
    pub(super) fn new(agents: Agents, table: &TerminalTable) -> Staff {
        let (outbox, inbox) = channel();
        let ByColor { black, white } = agents;
        let thinker = |agent: Option<Box<dyn Agent>>, color| {
            agent.map(|agent| Thinker::new(agent, Role::Player(color), outbox.clone()))
        };
        let players = ByColor::new(thinker(black, Color::Black), thinker(white, Color::White));
        let rules = *table.game().rules();
        let mut staff = Staff { players, adviser: None, rules, outbox, inbox, ticket: 0 };
        staff.new_game();
        staff
    }

    /// Tells everybody that a new game begins.
    pub(super) fn new_game(&mut self) {
        self.cancel();
        for thinker in self.thinkers() {
            thinker.order(Order::NewGame(self.rules));
        }
    }

    fn thinkers(&self) -> impl Iterator<Item = &Thinker> {
        [&self.players.black, &self.players.white, &self.adviser].into_iter().flatten()
    }

    /// Asks the side to move for its move.
    pub(super) fn ask(&mut self, table: &TerminalTable) {
        self.cancel();
        if let Some(player) = &mut self.players[table.game().turn()] {
            player.ask(table.game(), table.limits(), self.ticket);
        }
    }

    /// Asks for a hint, from the strongest player there is. It is made when it is first needed.
    pub(super) fn ask_hint(&mut self, table: &TerminalTable) -> Result<(), SpecError> {
        self.cancel();
        let adviser = match &mut self.adviser {
            Some(adviser) => adviser,
            none => {
                let adviser = Thinker::new(build(ADVISER)?, Role::Adviser, self.outbox.clone());
                adviser.order(Order::NewGame(self.rules));
                none.insert(adviser)
            }
        };
        let limit = table.seats[!table.game().turn()].limit;
        let move_time = Some(limit.move_time.unwrap_or(HINT_TIME));
        let limits = Limits { move_time, nodes: limit.nodes, depth: limit.depth, ..Limits::default() };
        adviser.ask(table.game(), limits, self.ticket);
        Ok(())
    }

    /// Stops whoever is thinking. What they still say is not wanted.
    pub(super) fn cancel(&mut self) {
        self.ticket += 1;
        self.thinkers().for_each(|thinker| thinker.stop.request());
    }

    /// The next message, if one comes within this time.
    pub(super) fn receive(&self, patience: Duration) -> Option<(Role, Message)> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let letter = self.inbox.recv_timeout(left).ok()?;
            if letter.ticket == self.ticket {
                return Some((letter.from, letter.message));
            }
        }
    }

    /// Waits for an answer, however long it takes.
    pub(super) fn answer(&self) -> (Result<Move, AgentError>, Option<Info>, Duration) {
        loop {
            if let Some((_, Message::Answer { result, info, time })) = self.receive(HINT_TIME) {
                return (result, info, time);
            }
        }
    }
}

enum Order {
    NewGame(Rules),
    Choose { game: Game, limits: Box<Limits>, ticket: u64 },
}

/// An agent in its thread.
struct Thinker {
    orders: Option<Sender<Order>>,
    stop: Stop,
    thread: JoinHandle<()>,
}

impl Thinker {
    fn new(agent: Box<dyn Agent>, role: Role, outbox: Sender<Letter>) -> Thinker {
        let (orders, inbox) = channel();
        let thread = thread::spawn(move || work(agent, role, &inbox, &outbox));
        Thinker { orders: Some(orders), stop: Stop::default(), thread }
    }

    /// A thread ends only when its orders end, so there is always somebody to take one.
    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            orders.send(order).expect("the agent's thread takes orders");
        }
    }

    fn ask(&mut self, game: &Game, limits: Limits, ticket: u64) {
        self.stop = limits.stop.clone();
        self.order(Order::Choose { game: game.clone(), limits: Box::new(limits), ticket });
    }
}

impl Drop for Thinker {
    /// Lets the thread end in good order, but not for long: an agent that does not listen must not keep the
    /// program from ending.
    fn drop(&mut self) {
        self.stop.request();
        self.orders = None;
        let deadline = Instant::now() + PATIENCE;
        while !self.thread.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// What an agent's thread does: it takes orders until there are no more.
fn work(mut agent: Box<dyn Agent>, role: Role, orders: &Receiver<Order>, outbox: &Sender<Letter>) {
    let mut broken = None;
    for order in orders {
        match order {
            Order::NewGame(rules) => {
                broken = guarded(|| agent.new_game(&rules, None)).err().map(AgentError::Crashed);
            }
            Order::Choose { game, limits, ticket } => {
                // Whoever listened may be gone: then nobody misses the letter.
                let send = |message| drop(outbox.send(Letter { from: role, ticket, message }));
                let (start, mut last) = (Instant::now(), None);
                let mut report = |info: &Info| {
                    // A game shows the best line only.
                    if info.rank > 0 {
                        return;
                    }
                    last = Some(info.clone());
                    send(Message::Report(info.clone()));
                };
                let result = match broken.clone() {
                    Some(error) => Err(error),
                    None => guarded(|| agent.choose(&game, &limits, &mut report))
                        .unwrap_or_else(|panic| Err(AgentError::Crashed(panic))),
                };
                send(Message::Answer { result, info: last, time: start.elapsed() });
            }
        }
    }
}
