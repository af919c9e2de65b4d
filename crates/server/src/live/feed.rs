//! What happens in all games between two, for programs that follow the whole place.

use sumito_rules::{Notation, fen};
use tokio::sync::broadcast;

use super::table::LiveTable;
use crate::domain::game::{ClockSetting, GameEnding};
use crate::domain::seat::Seat;

/// Something that happens in a game between two.
#[derive(Clone, Debug)]
pub(crate) enum FeedEvent {
    /// It has begun: both seats are taken.
    Begun {
        id: String,
        black: Seat,
        white: Seat,
        layout: Option<String>,
        clock: Option<ClockSetting>,
        rated: bool,
        fen: String,
    },
    /// A move, the one that makes so many.
    Move { id: String, ply: usize, text: String, fen: String },
    /// Moves were taken back: so many are left.
    Takeback { id: String, ply: usize, fen: String },
    /// It is over.
    Ended { id: String, ending: GameEnding },
    /// It was called off before it was over, and is no more.
    Aborted { id: String },
}

/// Where all of it is told.
pub(crate) struct Feed(broadcast::Sender<FeedEvent>);

/// Events that wait for a slow listener before it misses some.
const BACKLOG: usize = 1024;

impl Default for Feed {
    fn default() -> Feed {
        Feed(broadcast::channel(BACKLOG).0)
    }
}

impl Feed {
    pub(crate) fn listen(&self) -> broadcast::Receiver<FeedEvent> {
        self.0.subscribe()
    }

    /// Tells of a game between two whose seats are both taken, if anybody listens.
    fn tell(&self, table: &LiveTable, event: impl FnOnce() -> Option<FeedEvent>) {
        if self.0.receiver_count() > 0 && table.keys.is_pair() && table.keys.free().is_none() {
            // The last one may just have left.
            let _ = event().map(|event| self.0.send(event));
        }
    }

    pub(super) fn begun(&self, table: &LiveTable) {
        self.tell(table, || {
            Some(FeedEvent::Begun {
                id: table.id.clone(),
                black: table.seats.black.clone(),
                white: table.seats.white.clone(),
                layout: table.layout.clone(),
                clock: table.clock,
                rated: table.rated,
                fen: fen::write(table.game().position()),
            })
        });
    }

    /// The last move.
    pub(super) fn moved(&self, table: &LiveTable) {
        self.tell(table, || {
            let game = table.game();
            let ply = game.moves().len();
            let text = Notation::AbaPro.write(&game.positions()[ply - 1], *game.moves().last()?);
            Some(FeedEvent::Move { id: table.id.clone(), ply, text, fen: fen::write(game.position()) })
        });
        self.ended(table);
    }

    /// Moves were taken back.
    pub(super) fn taken_back(&self, table: &LiveTable) {
        self.tell(table, || {
            let (ply, fen) = (table.game().moves().len(), fen::write(table.game().position()));
            Some(FeedEvent::Takeback { id: table.id.clone(), ply, fen })
        });
    }

    /// It was called off.
    pub(super) fn aborted(&self, table: &LiveTable) {
        self.tell(table, || Some(FeedEvent::Aborted { id: table.id.clone() }));
    }

    /// The end, if it has come.
    pub(super) fn ended(&self, table: &LiveTable) {
        self.tell(table, || Some(FeedEvent::Ended { id: table.id.clone(), ending: table.outcome()? }));
    }
}
