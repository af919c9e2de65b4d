//! What is kept: games, what is known of their moves, reviews. [`GameStore`] is all that the rest of the server knows of it;
//! behind it is SQLite in a file, and another database would take its place there.

pub(crate) mod bots;
pub(crate) mod peace;
pub(crate) mod people;
pub(crate) mod query;
pub(crate) mod record;
pub(crate) mod seeks;
mod sqlite;
pub(crate) mod tournaments;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sumito_rules::Color;
use tokio::task::JoinHandle;

use crate::domain::canonical::Place;
use crate::domain::challenge::Challenge;
use crate::domain::chat::{ChatLine, ChatRoom};
use crate::domain::class::Class;
use crate::domain::client::Owner;
use crate::domain::error::AppError;
use crate::domain::game::ClockSetting;
use crate::domain::kept::{GameState, KeptGame, KeptReview, PlyNote};
use crate::domain::keys::{GameKeys, Holder};
use crate::domain::ladder::Standing;
use crate::domain::person::{Person, PersonId};
use crate::domain::tournament::Tournament;
use crate::metrics::Metrics;
use bots::{Bot, BotWrite, ChallengeWrite, KeptToken};
use peace::{AuditLine, KeptReport, PeaceWrite};
use people::{KeptSession, PersonWrite, Session};
pub(crate) use query::ListedGame;
use query::{Filter, Page, PageQuery, Tried};
use record::{Against, FavouriteOpening};
use seeks::{KeptSeek, SeekWrite};
use sqlite::Sqlite;
pub(crate) use sqlite::StoreHealth;
pub(crate) use sqlite::maintain;
use tournaments::{ListedTournament, TournamentList, TournamentWrite};

/// Something to write.
#[derive(Debug)]
pub(crate) enum Write {
    /// A new game, with what is known about its moves, and its places.
    Create(Box<KeptGame>, Vec<Place>),
    /// A change, with a move if there is one and the places that it alters.
    Change {
        game: i64,
        change: Box<GameState>,
        ply: Option<PlyNote>,
        /// New places, or ones that have got a move.
        places: Vec<Place>,
        /// Places that are taken back.
        gone: Vec<Place>,
    },
    /// The game after one, and the change that names it there.
    Next { game: Box<KeptGame>, places: Vec<Place>, last: Box<Write> },
    /// A person takes the seat that was free.
    Join { game: i64, color: Color, name: String, holder: Holder, updated: i64 },
    /// Games of a file.
    Import(Vec<(KeptGame, Vec<Place>)>),
    /// A review.
    Review { game: i64, review: KeptReview, created: i64 },
    /// A game goes, with all that is known of it. Without its places, which follow from its moves, all are looked
    /// through for them.
    Delete { game: i64, places: Option<Vec<Place>> },
    /// A change of an account.
    Person(Box<PersonWrite>),
    /// A new tournament, or a change of one.
    Tournament(Box<TournamentWrite>),
    /// A change of a program's account.
    Bot(Box<BotWrite>),
    /// A change of a challenge.
    Challenge(Box<ChallengeWrite>),
    /// Somebody has said something in the game with this number and id: refused if it is no more, full if its room is.
    Chat { game: i64, id: String, line: Box<ChatLine> },
    /// What somebody does for the peace of the place.
    Peace(Box<PeaceWrite>),
    /// A change of the searches that wait without whoever searches.
    Seek(Box<SeekWrite>),
    /// Whether the database can be written, at this moment.
    Probe(i64),
}

impl Write {
    /// When a change was made.
    pub(crate) fn moment(&self) -> i64 {
        match self {
            Write::Change { change, .. } => change.updated,
            Write::Create(game, _) => game.state.updated,
            Write::Next { last, .. } => last.moment(),
            Write::Review { created, .. } => *created,
            Write::Join { updated, .. } => *updated,
            Write::Import(_)
            | Write::Delete { .. }
            | Write::Person(_)
            | Write::Tournament(_)
            | Write::Bot(_)
            | Write::Challenge(_)
            | Write::Chat { .. }
            | Write::Peace(_)
            | Write::Seek(_) => 0,
            Write::Probe(at) => *at,
        }
    }
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// It is written.
    Done,
    /// The number of the new game.
    Created(i64),
    /// How many games were new, and how many moves they have.
    Imported { games: usize, plies: usize },
    /// The number of the new person.
    Person(PersonId),
    /// Nothing is written: what the change depends on is no longer so.
    Refused,
    /// Nothing is written: whoever asked has as many as one may have.
    Full,
}

/// A game with all that is known of it.
pub(crate) struct Kept {
    pub(crate) game: KeptGame,
    /// What is known about its moves.
    pub(crate) plies: Vec<PlyNote>,
    /// How many moves it had when it was reviewed.
    pub(crate) reviewed: Option<i64>,
}

/// A game that somebody plays.
#[derive(Clone, Debug)]
pub(crate) struct PlayingGame {
    pub(crate) game: ListedGame,
    /// Their side.
    pub(crate) color: Color,
    pub(crate) clock: Option<ClockSetting>,
    /// When the time of the side to move is up, in a game by correspondence.
    pub(crate) due: Option<i64>,
}

/// A database that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be opened, or is of a later version of the program.
    #[error("the database {} cannot be used: {why}", .file.display())]
    Open {
        /// The file.
        file: PathBuf,
        /// What went wrong.
        why: String,
    },
    /// Another server has it.
    #[error(
        "the database {} is in use by {by}; one server at a time, so stop that one or name another file with --database",
        .file.display()
    )]
    InUse {
        /// The file.
        file: PathBuf,
        /// Who has it.
        by: String,
    },
    /// The file is damaged.
    #[error(
        "the database {} is damaged ({what}); `sumito database check` tells more, `sumito database export` saves the \
         games that can be read, `sumito database restore` puts a backup in its place",
        .file.display()
    )]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The first thing that is wrong.
        what: String,
    },
}

/// Settings of the database for the one who writes, besides its own.
pub(crate) type Pragmas = &'static [(&'static str, &'static str)];

/// All that is kept.
pub(crate) struct GameStore(Sqlite);

impl GameStore {
    /// Opens the database, makes or renews its tables, and starts the writer. The task ends when all writes are done
    /// after the store was closed.
    pub(crate) async fn open(
        file: &Path,
        pragmas: Pragmas,
        metrics: Arc<Metrics>,
    ) -> Result<(GameStore, JoinHandle<()>), StoreError> {
        let (sqlite, writer) = Sqlite::open(file, pragmas, metrics).await?;
        Ok((GameStore(sqlite), writer))
    }

    /// Writes, and comes back when it is committed.
    pub(crate) async fn write(&self, write: Write) -> Result<Reply, AppError> {
        self.0.write(write).await
    }

    /// A game with all that is known of it.
    pub(crate) async fn game(&self, id: &str) -> Result<Option<Kept>, AppError> {
        self.0.game(id).await
    }

    /// A game's number and what is kept of its keys.
    pub(crate) async fn keys(&self, id: &str) -> Result<Option<(i64, GameKeys)>, AppError> {
        self.0.keys(id).await
    }

    /// How many games of an owner wait for a second person.
    pub(crate) async fn waiting(&self, owner: Owner) -> Result<u64, AppError> {
        self.0.waiting(owner).await
    }

    /// Some of the games that have waited for a second person since before a moment: ids and numbers.
    pub(crate) async fn waiting_since(&self, before: i64) -> Result<Vec<(String, i64)>, AppError> {
        self.0.waiting_since(before).await
    }

    /// A game's review.
    pub(crate) async fn review(&self, game: i64) -> Result<Option<KeptReview>, AppError> {
        self.0.review(game).await
    }

    /// A page of games.
    pub(crate) async fn list(&self, page: &PageQuery) -> Result<Page, AppError> {
        self.0.list(page).await
    }

    /// How many games have a position and a move from it, and the moves, the most played first.
    pub(crate) async fn explore(&self, hash: i64, filter: &Filter) -> Result<(u32, Vec<Tried>), AppError> {
        self.0.explore(hash, filter).await
    }

    /// The games that agents have still to play on, the latest first.
    pub(crate) async fn unfinished(&self, most: u32) -> Result<Vec<String>, AppError> {
        self.0.unfinished(most).await
    }

    /// Some of the games that were played here and have not changed since a moment: ids and numbers.
    pub(crate) async fn unchanged_since(&self, before: i64) -> Result<Vec<(String, i64)>, AppError> {
        self.0.unchanged_since(before).await
    }

    /// Whose token this is the hash of.
    pub(crate) async fn session(&self, hash: &[u8]) -> Result<Option<Session>, AppError> {
        self.0.session(hash).await
    }

    /// Where a person is logged in, the latest first.
    pub(crate) async fn sessions(&self, person: PersonId) -> Result<Vec<KeptSession>, AppError> {
        self.0.sessions(person).await
    }

    /// The person with a name, and what is kept of the password.
    pub(crate) async fn person(&self, name: &str) -> Result<Option<(Person, Option<String>)>, AppError> {
        self.0.person(name).await
    }

    /// How many codes a person has left with which a lost password is replaced.
    pub(crate) async fn recovery_codes(&self, person: PersonId) -> Result<u64, AppError> {
        self.0.recovery_codes(person).await
    }

    /// A person's ratings by class.
    pub(crate) async fn standings(&self, person: PersonId) -> Result<Vec<(Class, Standing)>, AppError> {
        self.0.standings(person).await
    }

    /// What a person's rating in a class was after each of the last games: when, and how much.
    pub(crate) async fn curve(&self, person: PersonId, class: Class) -> Result<Vec<(i64, f64)>, AppError> {
        self.0.curve(person, class).await
    }

    /// A tournament, as it was at one moment.
    pub(crate) async fn tournament(&self, id: &str) -> Result<Option<Tournament>, AppError> {
        self.0.tournament(id).await
    }

    /// Tournaments in a list, so many at most.
    pub(crate) async fn tournaments(
        &self,
        list: TournamentList,
        most: u32,
    ) -> Result<Vec<ListedTournament>, AppError> {
        self.0.tournaments(list, most).await
    }

    /// The program with this number, or nobody.
    pub(crate) async fn bot(&self, person: PersonId) -> Result<Option<Bot>, AppError> {
        self.0.bot(person).await
    }

    /// A person's programs, by name; without a person those of the house.
    pub(crate) async fn bots_of(&self, owner: Option<PersonId>) -> Result<Vec<Bot>, AppError> {
        self.0.bots_of(owner).await
    }

    /// Whose token this is the hash of, and what is kept of it.
    pub(crate) async fn token(&self, hash: &[u8]) -> Result<Option<(Person, KeptToken)>, AppError> {
        self.0.token(hash).await
    }

    /// A program's tokens, the oldest first.
    pub(crate) async fn tokens(&self, person: PersonId) -> Result<Vec<KeptToken>, AppError> {
        self.0.tokens(person).await
    }

    /// The person with a number.
    pub(crate) async fn person_by_id(&self, person: PersonId) -> Result<Option<Person>, AppError> {
        self.0.person_by_id(person).await
    }

    /// The games that somebody plays now, the oldest first.
    pub(crate) async fn running(&self, person: PersonId) -> Result<Vec<String>, AppError> {
        self.0.running(person).await
    }

    /// When a program began its games with other programs since a moment, the first first.
    pub(crate) async fn bot_games(&self, bot: PersonId, since: i64) -> Result<Vec<i64>, AppError> {
        self.0.bot_games(bot, since).await
    }

    /// A challenge.
    pub(crate) async fn challenge(&self, id: &str) -> Result<Option<Challenge>, AppError> {
        self.0.challenge(id).await
    }

    /// The challenges that somebody has sent and received, the oldest first, with those that were answered.
    pub(crate) async fn challenges(&self, person: PersonId) -> Result<Vec<Challenge>, AppError> {
        self.0.challenges(person).await
    }

    /// Open challenges that were made before a moment.
    pub(crate) async fn stale_challenges(&self, before: i64) -> Result<Vec<Challenge>, AppError> {
        self.0.stale_challenges(before).await
    }

    /// Whether there are challenges that were answered before a moment.
    pub(crate) async fn has_old_challenges(&self, before: i64) -> Result<bool, AppError> {
        self.0.has_old_challenges(before).await
    }

    /// All searches that wait without whoever searches, the oldest first.
    pub(crate) async fn seeks(&self) -> Result<Vec<(KeptSeek, Person)>, AppError> {
        self.0.seeks().await
    }

    /// Games by correspondence in which somebody's time is up by then, some after a number: their numbers and ids.
    pub(crate) async fn overdue(&self, by: i64, after: i64) -> Result<Vec<(i64, String)>, AppError> {
        self.0.overdue(by, after).await
    }

    /// Games that somebody plays now against others, those that wait for longest first.
    pub(crate) async fn playing(&self, person: PersonId) -> Result<Vec<PlayingGame>, AppError> {
        self.0.playing(person).await
    }

    /// Games between two in which somebody has moved since then, those between the strongest first.
    pub(crate) async fn played_now(&self, since: i64, most: u32) -> Result<Vec<ListedGame>, AppError> {
        self.0.played_now(since, most).await
    }

    /// How somebody has done against each person and each agent.
    pub(crate) async fn against(&self, person: PersonId) -> Result<Vec<Against>, AppError> {
        self.0.against(person).await
    }

    /// The openings that somebody has played most.
    pub(crate) async fn favourites(&self, person: PersonId) -> Result<Vec<FavouriteOpening>, AppError> {
        self.0.favourites(person).await
    }

    /// Whom somebody does not meet: those they have blocked, and those who have blocked them.
    pub(crate) async fn strangers(&self, person: PersonId) -> Result<Vec<PersonId>, AppError> {
        self.0.strangers(person).await
    }

    /// The names of those whom somebody has blocked.
    pub(crate) async fn blocked(&self, person: PersonId) -> Result<Vec<String>, AppError> {
        self.0.blocked(person).await
    }

    /// Whether somebody may not say anything at a moment.
    pub(crate) async fn is_mute(&self, person: PersonId, at: i64) -> Result<bool, AppError> {
        self.0.is_mute(person, at).await
    }

    /// The reports that wait for this moderator, the oldest first: none about themselves or their programs.
    pub(crate) async fn reports(&self, by: PersonId) -> Result<Vec<KeptReport>, AppError> {
        self.0.reports(by).await
    }

    /// What moderators have done, the latest first.
    pub(crate) async fn audit(&self) -> Result<Vec<AuditLine>, AppError> {
        self.0.audit().await
    }

    /// What somebody has said anywhere, the oldest first, each with the id of its game.
    pub(crate) async fn said_by(&self, person: PersonId) -> Result<Vec<(String, ChatLine)>, AppError> {
        self.0.said_by(person).await
    }

    /// What was said in a room of a game, the oldest first.
    pub(crate) async fn chat(&self, game: i64, room: ChatRoom) -> Result<Vec<ChatLine>, AppError> {
        self.0.chat(game, room).await
    }

    /// The bytes that are in use.
    pub(crate) async fn size(&self) -> Result<u64, AppError> {
        self.0.size().await
    }

    /// Of what owners' numbers are made.
    pub(crate) fn secret(&self) -> &[u8] {
        self.0.secret()
    }

    /// Whether the database takes writes.
    pub(crate) fn health(&self) -> &StoreHealth {
        self.0.health()
    }

    /// Tells others who has the database.
    pub(crate) fn say(&self, who: &str) {
        self.0.say(who);
    }

    /// Ends the writer after all writes that came before.
    pub(crate) async fn close(&self) {
        self.0.close().await;
    }

    /// Gives the database free for others, after the writer has ended.
    pub(crate) fn release(&self) {
        self.0.release();
    }
}
