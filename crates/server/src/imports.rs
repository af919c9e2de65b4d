//! Imports: files of games, read in the background and written some games at a time.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufReader, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::body::Bytes;
use serde::Serialize;
use sha2::{Digest, Sha256};
use sumito_rules::record::{GameResult, Line, ReadError, Reader, Record, RecordError};
use sumito_rules::{ByColor, Game, Notation};
use tokio::sync::mpsc;
use utoipa::ToSchema;

use crate::domain::canonical::{Place, places};
use crate::domain::client::{Client, Owner};
use crate::domain::date::now;
use crate::domain::error::{self, AppError, Cause, Fault};
use crate::domain::game::{GameEnding, Source, UNKNOWN, layout_of};
use crate::domain::kept::{GameState, KeptGame};
use crate::domain::keys::{GameKeys, Holder};
use crate::domain::seat::Seat;
use crate::domain::{ids, limits};
use crate::door::growth::game_bytes;
use crate::door::quota::{Held, Quota};
use crate::live::Hall;
use crate::store::{Reply, Write};

/// Where an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// Games are being read.
    Running,
    /// All are there.
    Done,
    /// The database failed, or there were too many games; what was imported before stays.
    Failed,
}

/// How far an import is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ImportState {
    pub(crate) id: String,
    pub(crate) state: Stage,
    /// Bytes read.
    pub(crate) done: u64,
    /// Bytes in all.
    pub(crate) whole: u64,
    /// Games that were imported.
    pub(crate) imported: usize,
    /// Their moves.
    pub(crate) plies: usize,
    /// Games that were there already.
    pub(crate) duplicates: usize,
    /// Games that could not be read: the first hundred.
    pub(crate) refused: Vec<Refused>,
    pub(crate) refused_count: usize,
    /// Why it failed.
    pub(crate) error: Option<Fault>,
}

/// A game that could not be read.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Refused {
    /// Its place in the file, from 1.
    pub(crate) game: usize,
    /// Its line.
    pub(crate) line: usize,
    /// Why; the field is the move at fault, if it is one.
    pub(crate) error: Fault,
}

/// Refused games that are told one by one.
const TOLD: usize = 100;
/// The longest reason that is told.
const LONGEST_REASON: usize = 300;
/// Imports that are remembered.
const KEPT: usize = 100;
/// Games in one transaction: few enough that moves of games do not wait for long.
const TOGETHER: usize = 16;
/// Bytes of records in one transaction: more than this, and fewer games go together.
const TOGETHER_BYTES: usize = 1 << 20;
/// Imports of one client, and of all clients, that may run at a time. Each has its text in memory.
const EACH: usize = 2;
const ALL: usize = 4;

/// The recent imports.
pub(crate) struct Imports {
    of: Mutex<VecDeque<Arc<Import>>>,
    places: Arc<Quota<Client>>,
}

impl Default for Imports {
    fn default() -> Imports {
        Imports { of: Mutex::default(), places: Quota::new("imports", EACH, ALL) }
    }
}

/// The place of an import among those that run.
pub(crate) type ImportPlace = Held<Client>;

/// Whose games an import reads, and how many.
pub(crate) struct Importer {
    client: Client,
    owner: Owner,
    /// Whoever can delete its games.
    holder: Holder,
    most: usize,
}

impl Importer {
    /// A client with a key. Whoever has the server to itself may import as many games as fit into a text.
    pub(crate) fn new(hall: &Hall, client: Client, key: &str, most: usize) -> Importer {
        let most = if client.is_local() { usize::MAX } else { most };
        Importer { client, owner: hall.owner(client), holder: Holder::new(key, None), most }
    }
}

/// An import.
pub(crate) struct Import {
    state: Mutex<ImportState>,
    read: Arc<AtomicU64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Import {
    pub(crate) fn state(&self) -> ImportState {
        let state = lock(&self.state).clone();
        let done = if state.state == Stage::Done { state.whole } else { self.read.load(Ordering::Relaxed) };
        ImportState { done, ..state }
    }

    fn change(&self, change: impl FnOnce(&mut ImportState)) {
        change(&mut lock(&self.state));
    }
}

impl Imports {
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Import>> {
        lock(&self.of).iter().find(|import| lock(&import.state).id == id).cloned()
    }

    /// A place for one more import; to be taken before its text is read.
    pub(crate) fn place(&self, client: Client) -> Result<ImportPlace, AppError> {
        self.places.take(client, 1)
    }

    /// How many are under way.
    #[cfg(test)]
    pub(crate) fn running(&self) -> usize {
        self.places.in_use()
    }

    /// Begins an import. It has its place until it ends.
    pub(crate) fn start(
        &self,
        hall: &Hall,
        text: Bytes,
        importer: Importer,
        place: ImportPlace,
    ) -> Arc<Import> {
        let state = ImportState {
            id: ids::id(),
            state: Stage::Running,
            done: 0,
            whole: text.len() as u64,
            imported: 0,
            plies: 0,
            duplicates: 0,
            refused: Vec::new(),
            refused_count: 0,
            error: None,
        };
        let import = Arc::new(Import { state: Mutex::new(state), read: Arc::default() });
        let mut all = lock(&self.of);
        all.push_back(Arc::clone(&import));
        if all.len() > KEPT {
            all.pop_front();
        }
        drop(all);
        let ((send, receive), client) = (mpsc::channel(1), importer.client);
        let (reader, writer) = (Arc::clone(&import), Arc::clone(&import));
        // Reading is work for a thread of its own, not for one that answers requests.
        let reading = tokio::task::spawn_blocking(move || read(&reader, &text, &importer, &send));
        let hall = hall.clone();
        tokio::spawn(async move {
            write(&hall, client, &writer, receive).await;
            // The text is in memory until the reader ends, which it does when nobody writes any more.
            let end = reading.await;
            writer.change(|state| finish(state, end.is_ok()));
            drop(place);
        });
        import
    }
}

type Games = Vec<(KeptGame, Vec<Place>)>;
/// A game, or the line and the reason why it is none.
type Row = Result<(KeptGame, Vec<Place>), (usize, AppError)>;

/// Writes what is read.
async fn write(hall: &Hall, client: Client, import: &Import, mut receive: mpsc::Receiver<Games>) {
    while let Some(games) = receive.recv().await {
        let count = games.len();
        let written = match hall.grow(client, games.iter().map(|(game, _)| size(game)).sum()).await {
            Ok(()) => hall.store.write(Write::Import(games)).await,
            Err(error) => Err(error),
        };
        match written {
            Ok(Reply::Imported { games, plies }) => import.change(|state| {
                state.imported += games;
                state.plies += plies;
                state.duplicates += count - games;
            }),
            Ok(_) => {}
            Err(error) => {
                return import.change(|state| state.error = Some(error.fault()));
            }
        }
    }
}

/// About what a game takes in the database.
fn size(game: &KeptGame) -> u64 {
    let tags: usize = game.tags.iter().map(|(name, value)| name.len() + value.len()).sum();
    game_bytes(game.state.moves.len(), tags + game.record.as_ref().map_or(0, String::len))
}

/// The last word on an import: all is written, or something has failed.
fn finish(state: &mut ImportState, is_read: bool) {
    if !is_read {
        state.error = Some(AppError::internal().fault());
    }
    state.state = if state.error.is_some() { Stage::Failed } else { Stage::Done };
}

/// A text that counts how much of it was read.
struct Counted<'a>(&'a [u8], &'a AtomicU64);

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read(buffer)?;
        self.1.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Reads games and hands them over some at a time.
fn read(import: &Import, text: &Bytes, importer: &Importer, send: &mpsc::Sender<Games>) {
    let (mut games, mut size) = (Games::new(), 0);
    let records = Reader::new(BufReader::new(Counted(text, &import.read))).with_limits(limits::RECORD);
    let import_id = import.state().id;
    for (number, record) in (1..).zip(records) {
        if number > importer.most {
            let error = AppError::from(Cause::GamesTooMany { most: importer.most });
            import.change(|state| state.error = Some(error.fault()));
            break;
        }
        match row(record, importer, game_id(&import_id, number)) {
            Ok(game) => {
                size += game.0.record.as_ref().map_or(0, String::len) + size_of::<Place>() * game.1.len();
                games.push(game);
            }
            Err((line, error)) => {
                import.change(|state| refuse(state, Refused { game: number, line, error: error.fault() }));
            }
        }
        if games.len() == TOGETHER || size > TOGETHER_BYTES {
            size = 0;
            if send.blocking_send(std::mem::take(&mut games)).is_err() {
                return;
            }
        }
    }
    if !games.is_empty() {
        // If the writer is gone, it has said why.
        let _ = send.blocking_send(games);
    }
}

fn refuse(state: &mut ImportState, mut refused: Refused) {
    state.refused_count += 1;
    if state.refused.len() < TOLD {
        let message = &mut refused.error.message;
        if let Some((end, _)) = message.char_indices().nth(LONGEST_REASON) {
            message.truncate(end);
            message.push('…');
        }
        state.refused.push(refused);
    }
}

/// The id of a game of an import. It begins with the import's, so that whoever keeps the import's key knows what it opens.
fn game_id(import: &str, number: usize) -> String {
    format!("{import}{number}")
}

/// A record as a row, or the line and the reason why not.
fn row(record: Result<Record, ReadError>, importer: &Importer, id: String) -> Row {
    let record = record.map_err(|error| (error.line().unwrap_or(0), error::unreadable(&error)))?;
    limits::check(&record).map_err(|error| (record.at_line, error))?;
    let refuse = |error: &RecordError| (error.line(), error::record(&record, error));
    let game = record.replay().map_err(|error| refuse(&error))?;
    let text = if is_annotated(&record.line) {
        // The game itself was played just now: what fails here is a variation, whose moves have other numbers.
        let whole = record.rewritten(Notation::AbaPro).map_err(|error| refuse(&error));
        Some(whole.map_err(|(line, error)| (line, error.at("variations")))?.to_string())
    } else {
        None
    };
    let tags: BTreeMap<String, String> =
        record.tags.iter().map(|tag| (tag.name.clone(), tag.value.clone())).collect();
    let player = |name: &str| Seat::Human { name: record.tag(name).unwrap_or_default().to_string() };
    let (result, reason) = ending(&record, &game);
    let at = now();
    let row = KeptGame {
        num: 0,
        id,
        keys: GameKeys::One(importer.holder.clone()),
        digest: Some(digest(&tags, &game, text.as_deref())),
        source: Source::Import,
        layout: layout_of(game.start()),
        start: game.start().to_string(),
        rules: *game.rules(),
        black: player("Black"),
        white: player("White"),
        clock: None,
        created: record.tag("Date").and_then(crate::domain::date::moment).unwrap_or(at),
        tags,
        record: text,
        owner: importer.owner,
        rated: false,
        tournament: None,
        state: GameState {
            updated: at,
            moves: game.moves().to_vec(),
            fen: game.position().to_string(),
            result,
            reason,
            think_ms: ByColor::new(1000, 1000),
            ..GameState::default()
        },
    };
    let places = places(&game, 0);
    Ok((row, places))
}

fn is_annotated(line: &Line) -> bool {
    let noted = |ply: &sumito_rules::record::Ply| {
        !ply.comments.is_empty() || !ply.glyphs.is_empty() || !ply.variations.is_empty()
    };
    !line.comments.is_empty() || line.plies.iter().any(noted)
}

/// The result that the board shows, or else the one that the record tells.
fn ending(record: &Record, game: &Game) -> (Option<String>, Option<String>) {
    if let Some(outcome) = game.outcome() {
        let name = match GameResult::of(Some(outcome)) {
            GameResult::Black => "black",
            GameResult::White => "white",
            GameResult::Draw | GameResult::Unknown => "draw",
        };
        return (Some(name.to_string()), Some(GameEnding::from(outcome).reason));
    }
    let name = match record.result {
        GameResult::Black => "black",
        GameResult::White => "white",
        GameResult::Draw => "draw",
        GameResult::Unknown => return (None, None),
    };
    (Some(name.to_string()), Some(UNKNOWN.to_string()))
}

/// What makes a record the same as another.
fn digest(tags: &BTreeMap<String, String>, game: &Game, text: Option<&str>) -> Vec<u8> {
    let mut hash = Sha256::new();
    // The moves are compared, and not how they are written.
    for (name, value) in tags.iter().filter(|(name, _)| *name != "Notation") {
        hash.update(format!("{name}={value}\n"));
    }
    hash.update(game.start().to_string());
    game.moves().iter().for_each(|m| hash.update(m.bits().to_le_bytes()));
    hash.update(text.unwrap_or_default());
    hash.finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Row> {
        let importer = Importer {
            client: Client::new([127, 0, 0, 1].into()),
            owner: Owner(7),
            holder: Holder { key: vec![1, 2], person: None },
            most: 9,
        };
        Reader::new(text.as_bytes())
            .with_limits(limits::RECORD)
            .enumerate()
            .map(|(number, record)| row(record, &importer, game_id("i", number)))
            .collect()
    }

    #[test]
    fn a_record_becomes_a_row_with_a_place_for_each_position() {
        let text = "[Date \"2016.09.19\"]\n[Black \"Aglaé\"]\n[White \"aze\"]\n[Variant \"belgian\"]\n[Result \"0-1\"]\n\n1. a1b2 i5h5 0-1\n";
        let (row, places) = rows(text).remove(0).expect("a game");
        assert_eq!(
            (row.black.name(), row.layout.as_deref(), row.record),
            ("Aglaé", Some("belgian-daisy"), None)
        );
        assert_eq!(
            (row.state.result.as_deref(), row.state.reason.as_deref()),
            (Some("white"), Some("unknown"))
        );
        assert_eq!((places.len(), row.created), (3, 1_474_243_200_000));
        assert_eq!(
            (row.owner, row.keys),
            (Owner(7), GameKeys::One(Holder { key: vec![1, 2], person: None })),
            "it belongs to whoever imports it"
        );
    }

    #[test]
    fn an_annotated_record_is_kept_as_it_is_and_a_bad_one_is_refused_with_its_line() {
        let all = rows("1. a1b2 {good} i5h5 *\n\n[Black \"x\"]\n\n1. a1i9 *\n\n[Black \"y\"]\n\n1. a1b2 *\n");
        let kept = all[0].as_ref().expect("a game").0.record.as_deref().expect("annotated");
        assert!(kept.contains("a1b2 {good}"), "{kept}");
        let (line, error) = all[1].as_ref().expect_err("an illegal move");
        assert!(*line == 5 && error.to_string().contains("a1i9"), "{line}: {error}");
        assert_eq!(error.fault().field.as_deref(), Some("moves[0]"));
        assert!(all[2].is_ok());
    }

    #[test]
    fn only_the_same_record_is_the_same() {
        let digest = |text: &str| rows(text).remove(0).expect("a game").0.digest;
        assert_eq!(digest("[Black \"x\"]\n\n1. a1b2 *"), digest("[Black \"x\"]\n\n1. a1b2\n*"));
        let nacre = "[Black \"x\"]\n[Notation \"Nacre\"]\n\n1. a1d4 *";
        assert_eq!(digest("[Black \"x\"]\n\n1. a1b2 *"), digest(nacre), "another notation");
        assert_eq!(
            digest("[Black \"x\"]\n\n1. a1b2 *"),
            digest("[Black \"x\"]\n\n1. a1d4 *"),
            "without its name"
        );
        assert_ne!(digest("[Black \"x\"]\n\n1. a1b2 *"), digest("[Black \"z\"]\n\n1. a1b2 *"));
        assert_ne!(digest("[Black \"x\"]\n\n1. a1b2 *"), digest("[Black \"x\"]\n\n1. a2b3 *"));
    }
}
