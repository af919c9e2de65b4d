//! Every cause for which something is not done: a code and values for programs, a sentence for people. Declared once;
//! `docs/api.md` has the same table, and a test compares them.

use serde::Serialize;
use utoipa::ToSchema;

/// What kind of trouble a cause is. It decides the status of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A request that cannot be read.
    BadRequest,
    /// Something that needs a key, and none was given.
    Unauthorized,
    /// Something that this client may not do.
    Forbidden,
    /// Something that does not exist.
    NotFound,
    /// A method that a path does not have.
    Method,
    /// A request that took too long.
    Timeout,
    /// A request that does not fit the state that its subject is in.
    Conflict,
    /// A change to a game that is over.
    Over,
    /// A game whose row in the database cannot be read.
    Damaged,
    /// A body that is too long.
    TooLarge,
    /// A body of another type.
    MediaType,
    /// A move that the rules refuse.
    IllegalMove,
    /// A field of the right type with a value that does not fit.
    Invalid,
    /// More than one client may ask for.
    TooMany,
    /// A fault of ours.
    Internal,
    /// The server has no room, or is about to end.
    Busy,
    /// The database is as large as it may be.
    Quota,
    /// The database cannot be written or read; nothing was changed.
    Storage,
}

impl Kind {
    /// The status of an answer.
    pub const fn status(self) -> u16 {
        match self {
            Kind::BadRequest => 400,
            Kind::Unauthorized => 401,
            Kind::Forbidden => 403,
            Kind::NotFound => 404,
            Kind::Method => 405,
            Kind::Timeout => 408,
            Kind::Conflict | Kind::Over | Kind::Damaged => 409,
            Kind::TooLarge => 413,
            Kind::MediaType => 415,
            Kind::IllegalMove | Kind::Invalid => 422,
            Kind::TooMany => 429,
            Kind::Internal => 500,
            Kind::Busy => 503,
            Kind::Quota | Kind::Storage => 507,
        }
    }
}

/// Words to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = Vec<String>)]
pub struct Words(
    /// In order.
    pub Vec<&'static str>,
);

impl std::fmt::Display for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

macro_rules! causes {
    // `tt` and not `literal`: utoipa does not look into what a macro has wrapped.
    ($($code:tt $kind:ident $name:ident { $($field:ident: $type:ty),* } $message:tt;)*) => {
        /// Why something is not done.
        #[derive(Clone, Debug, PartialEq, Serialize, ToSchema, thiserror::Error)]
        #[serde(tag = "code", content = "values")]
        #[allow(missing_docs, reason = "each says it in its message")]
        pub enum Cause {
            $(
                #[doc = $message]
                #[serde(rename = $code)]
                #[error($message)]
                $name { $($field: $type),* },
            )*
        }

        impl Cause {
            /// What kind of trouble it is.
            pub const fn kind(&self) -> Kind {
                match self { $(Cause::$name { .. } => Kind::$kind,)* }
            }

            /// Its code.
            pub const fn code(&self) -> &'static str {
                match self { $(Cause::$name { .. } => $code,)* }
            }
        }

        /// All causes: code, kind, names of the values, and the sentence.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, Kind, &[&str], &str)] =
            &[$(($code, Kind::$kind, &[$(stringify!($field)),*], $message)),*];
    };
}

causes! {
    "field.missing" BadRequest FieldMissing { name: String } "missing field `{name}`";
    "field.unknown" BadRequest FieldUnknown { name: String } "unknown field `{name}`";
    "field.twice" BadRequest FieldTwice { name: String } "duplicate field `{name}`";
    "field.type" BadRequest FieldType { expected: String } "expected {expected}";
    "body.empty" Invalid BodyEmpty {} "expected a text of games, found nothing";
    "body.cut" BadRequest BodyCut {} "the body ended too early";
    "socket.upgrade" BadRequest SocketUpgrade {} "expected a request to open a WebSocket";
    "socket.text" BadRequest SocketText {} "expected a message of text";
    "socket.type" BadRequest SocketType { expected: Words, found: String } "expected {expected}, found '{found}'";

    "key.missing" Unauthorized KeyMissing {} "expected the key of the game as Authorization: Bearer KEY";
    "key.wrong" Forbidden KeyWrong {} "expected the key of this game, found another one";
    "account.missing" Unauthorized AccountMissing {} "expected somebody with an account who is logged in";
    "login.wrong" Forbidden LoginWrong {} "no account has this name and this password";
    "recovery.wrong" Forbidden RecoveryWrong {} "no account has this name and this unused code";
    "password.wrong" Forbidden PasswordWrong {} "expected the account's password, found another one";
    "token.missing" Unauthorized TokenMissing {} "expected a token as Authorization: Bearer TOKEN, or somebody who is logged in";
    "token.wrong" Unauthorized TokenWrong {} "expected a token of this server that has neither expired nor been revoked, found another one";
    "token.scope" Forbidden TokenScope { expected: Words } "expected a token for one of {expected}";
    "chat.mute" Forbidden ChatMute {} "expected somebody whom no moderator has silenced";
    "person.other" Forbidden PersonOther {} "expected somebody else, and no moderator";
    "role.forbidden" Forbidden RoleForbidden { role: &'static str } "this is not for a {role} to do";
    "review.key" Unauthorized ReviewKey { nodes: u64, ms: u64 } "expected at most {nodes} nodes or {ms} ms a position, or the key of the game as Authorization: Bearer KEY";
    "review.other" Forbidden ReviewOther {} "expected the client who asked for the review, or the key of the game as Authorization: Bearer KEY";
    "seat.other" Forbidden SeatOther { color: String } "expected the key of {color}'s seat, found that of the other one";
    "help.none" Forbidden HelpNone {} "expected a game that is over: while two people play, the engine helps nobody";
    "game.other" Forbidden GameOther {} "expected a game in which this account plays";
    "game.imported" Forbidden GameImported {} "expected a game that is played here, found an imported one";
    "game.tournament" Forbidden GameTournament {} "a game of a tournament stays, without takebacks and without another one after it";
    "tournament.other" Forbidden TournamentOther {} "expected whoever made the tournament, or a moderator";
    "tournament.welcome" Forbidden TournamentWelcome { who: &'static str } "this tournament is for {who}";
    "host.unknown" Forbidden HostUnknown {} "expected localhost, an address, or a name that the setting hosts lists";
    "origin.foreign" Forbidden OriginForeign {} "expected a request of this site's own pages";

    "game.unknown" NotFound GameUnknown { id: String } "expected the id of a game, found '{id}'";
    "game.gone" NotFound GameGone {} "expected a game that is still there";
    "arena.off" NotFound ArenaOff {} "this server has no accounts: it runs without --arena";
    "person.unknown" NotFound PersonUnknown {} "expected the name of somebody with an account";
    "tournament.unknown" NotFound TournamentUnknown {} "expected the id of a tournament";
    "report.unknown" NotFound ReportUnknown {} "expected the id of a report that waits";
    "session.unknown" NotFound SessionUnknown {} "expected the id of one of the account's sessions";
    "bot.unknown" NotFound BotUnknown {} "expected the name of one of the account's own bots";
    "token.unknown" NotFound TokenUnknown {} "expected the id of one of the bot's tokens";
    "challenge.gone" NotFound ChallengeGone {} "expected a challenge that is open";
    "import.unknown" NotFound ImportUnknown {} "expected the id of one of the last imports since the server started; games that an earlier one has read are kept, and the same file again adds only those that are missing";
    "path.unknown" NotFound PathUnknown {} "expected a path of /api/v1/openapi.json";
    "page.unknown" NotFound PageUnknown {} "expected the path of a page or a file";
    "metrics.elsewhere" NotFound MetricsElsewhere {} "the numbers have a port of their own, with the path /metrics";
    "method.unknown" Method MethodUnknown {} "expected a method of /api/v1/openapi.json for this path";
    "timeout" Timeout Timeout {} "the request took too long";

    "ply.stale" Conflict PlyStale { expected: usize, found: usize } "expected {expected}, the moves played so far, found {found}";
    "move.agents_turn" Conflict AgentsTurn { turn: String } "expected a move after that of the agent with {turn}";
    "game.full" Conflict GameFull { most: usize } "expected a game of at most {most} moves; a draw, a resignation or a takeback is left";
    "game.over" Over GameOver { reason: String } "the game is over ({reason})";
    "game.running" Conflict GameRunning {} "expected a game that is over";
    "game.damaged" Damaged GameDamaged { what: String } "the game is damaged in the database: {what}";
    "game.no_moves" Conflict GameNoMoves {} "expected a game with at least one move";
    "color.agent" Conflict ColorAgent { color: String } "expected the colour of a person, found {color}, an agent's";
    "step.no_agent" Conflict StepNoAgent {} "expected a game in which an agent is to move";
    "game.begun" Conflict GameBegun { most: usize } "expected a game of at most {most} move; a resignation or a draw is left";
    "game.two" Conflict GameTwo {} "expected a game that one person controls, found one of two persons with a key each";
    "seat.taken" Conflict SeatTaken {} "expected a game with a free seat";
    "seat.own" Conflict SeatOwn {} "expected another person than the one with this key, who has a seat already";
    "seat.free" Conflict SeatFree {} "expected a game in which both seats are taken";
    "offer.none" Conflict OfferNone {} "expected an offer that stands";
    "offer.declined" Conflict OfferDeclined {} "expected another move first: the other side has declined";
    "rematch.exists" Conflict RematchExists { id: String } "the rematch is there already: {id}";
    "chat.none" Conflict ChatNone {} "expected a game between two people with a key each";
    "chat.full" Conflict ChatFull { most: usize } "expected at most {most} lines in a game";
    "claim.none" Conflict ClaimNone {} "expected a game in which the other side is to move and has gone";
    "claim.early" Conflict ClaimEarly { seconds: u64 } "expected the other side to be gone for {seconds} seconds more";
    "plan.none" Conflict PlanNone {} "expected a game between two people in which a move may take days";
    "plan.turn" Conflict PlanTurn {} "expected a game in which the other side is to move";
    "seek.gone" Conflict SeekGone {} "whoever looked for this game has left or found one";
    "tournament.over" Conflict TournamentOver {} "the tournament is over";
    "tournament.begun" Conflict TournamentBegun {} "the tournament has begun, and takes nobody any more";
    "tournament.joined" Conflict TournamentJoined {} "expected somebody who has not joined yet";
    "tournament.not_joined" Conflict TournamentNotJoined {} "expected somebody who takes part";
    "tournament.full" Conflict TournamentFull { most: usize } "the tournament has the {most} players that it may have";
    "tournament.too_few" Conflict TournamentTooFew {} "expected a tournament with at least two players";
    "tournament.no_bye" Conflict TournamentNoBye {} "expected the first wish of a player of a Swiss tournament, before the last round";
    "tournament.no_cross" Conflict TournamentNoCross {} "expected a tournament in rounds: an arena has no cross table";
    "tournament.stage" Conflict TournamentStage { expected: Words, found: &'static str } "expected a tournament that is {expected}, found one that is {found}";
    "seek.own" Conflict SeekOwn {} "expected a search of somebody else";
    "challenge.own" Conflict ChallengeOwn {} "expected somebody else to play with";
    "challenge.unfit" Conflict ChallengeUnfit { what: &'static str } "the bot does not accept such a game: {what}";
    "challenge.other" Forbidden ChallengeOther {} "expected a challenge to this account to accept or decline it, or one of its own to cancel it";
    "bots.full" Conflict BotsFull { most: usize } "expected at most {most} bots of an account";
    "tokens.full" Conflict TokensFull { most: usize } "expected at most {most} tokens of a bot";
    "seek.range" Forbidden SeekRange { least: i32, most: i32, found: i32 } "expected a rating from {least} to {most}, found {found}";
    "game.rated" Forbidden GameRated {} "a rated game stays";
    "game.unrated" Conflict GameUnrated {} "expected a game that has changed ratings, and of which that was not taken back";
    "review.none" Conflict ReviewNone {} "expected a game with a review";
    "review.running" Conflict ReviewRunning {} "the review of this game is being made already";
    "review.not_running" Conflict ReviewNotRunning {} "expected a review that is being made";

    "body.too_large" TooLarge BodyTooLarge { most: usize } "expected a body of at most {most} bytes, found a longer one";
    "body.type" MediaType BodyType { expected: &'static str } "expected a body of type {expected}";

    "move.syntax" IllegalMove MoveSyntax { line: usize, column: usize, expected: String, found: String } "line {line}, column {column}: expected {expected}, found {found}";
    "move.no_marble" IllegalMove MoveNoMarble { cell: String, turn: String } "{turn} is to move and has no marble on {cell}";
    "move.line_too_long" IllegalMove MoveLineTooLong { cell: String } "the line that begins at {cell} is longer than three marbles";
    "move.own_in_the_way" IllegalMove MoveOwnInTheWay { cell: String } "the mover's own marble on {cell} is in the way";
    "move.not_empty" IllegalMove MoveNotEmpty { cell: String } "{cell} is not empty, and a broadside move cannot push";
    "move.too_weak" IllegalMove MoveTooWeak { own: usize, cell: String } "{own} in line cannot push what begins at {cell}";
    "move.push_blocked" IllegalMove MovePushBlocked { cell: String } "the push is blocked by the marble on {cell}";
    "move.leaves_board" IllegalMove MoveLeavesBoard { cell: String } "the mover's own marble on {cell} would leave the board";
    "move.no_line" IllegalMove MoveNoLine { from: String, to: String } "no line of marbles moves from {from} to {to}";
    "move.after_end" IllegalMove MoveAfterEnd { reason: String } "the game is over ({reason})";

    "name.taken" Conflict NameTaken {} "the name is taken";
    "name.form" Invalid NameForm { least: usize, most: usize } "expected a letter, and letters, digits, - or _ after it, {least} to {most} in all";
    "password.length" Invalid PasswordLength { least: usize, most: usize } "expected {least} to {most} letters";
    "password.weak" Invalid PasswordWeak {} "expected a password that is not among the first that anybody would try";
    "number.range" Invalid NumberRange { least: u64, most: u64, found: u64 } "expected a whole number from {least} to {most}, found {found}";
    "plan.odd" Invalid PlanOdd {} "expected a line that ends with a move of one's own";
    "plan.twice" Invalid PlanTwice {} "expected one answer to the same moves, found another line with these";
    "chat.empty" Invalid ChatEmpty {} "expected something to say";
    "text.too_long" Invalid TextTooLong { most: usize } "expected at most {most} letters in one line";
    "word.unknown" Invalid WordUnknown { known: Words, found: String } "expected one of {known}, found '{found}'";
    "moves.too_many" Invalid MovesTooMany { most: usize, found: usize } "expected at most {most} moves, found {found}";
    "start.both" Invalid StartBoth {} "expected a layout or a fen, found both";
    "friend.seats" Invalid FriendSeats {} "expected either a friend or black and white, found both";
    "tournament.starts" Invalid TournamentStarts { days: u64 } "expected a start within the next {days} days";
    "start.over" Invalid StartOver {} "expected a position in which the game is not over";
    "layout.unknown" Invalid LayoutUnknown { found: String, near: Words } "expected the name of a layout, found '{found}'";
    "fen.rows" Invalid FenRows { expected: usize, found: usize } "expected {expected} rows, found {found}";
    "fen.row" Invalid FenRow { row: char, expected: usize, cells: usize } "row {row}: expected {expected} cells, found {cells}";
    "fen.letter" Invalid FenLetter { row: char, found: char } "row {row}: expected S, s or a number of empty cells, found '{found}'";
    "fen.marbles" Invalid FenMarbles { color: String, most: usize, found: usize } "expected at most {most} marbles of {color}, those that are pushed off included, found {found}";
    "fen.field" Invalid FenField { part: &'static str, line: usize, column: usize, expected: String, found: String } "line {line}, column {column}: expected {expected}, found {found}";
    "position.unreadable" Invalid PositionUnreadable { format: &'static str, line: usize, column: usize, expected: String, found: String } "line {line}, column {column}: expected {expected}, found {found}";
    "text.unreadable" Invalid TextUnreadable {} "expected a position or a game";
    "record.syntax" Invalid RecordSyntax { line: usize, column: usize, expected: String, found: String } "line {line}, column {column}: expected {expected}, found {found}";
    "record.too_large" Invalid RecordTooLarge { part: &'static str, most: usize, found: usize } "expected at most {most} {part}, found {found}";
    "record.limit" Invalid RecordLimit { part: &'static str, most: usize } "expected at most {most} {part}, found more";
    "notation.unknown" Invalid NotationUnknown { known: Words, found: String } "expected one of {known}, found '{found}'";
    "games.too_many" Invalid GamesTooMany { most: usize } "expected at most {most} games in a text; those after are not read";
    "cursor.unknown" Invalid CursorUnknown {} "expected the value of next of another page";
    "id.form" Invalid IdForm {} "expected a short text or a number";
    "agent.unknown" Invalid AgentUnknown { name: String } "unknown agent '{name}'";
    "agent.option" Invalid AgentOption { agent: String, option: String } "agent {agent}: unknown option '{option}'";
    "agent.range" Invalid AgentRange { agent: String, option: String, least: f64, most: f64, found: String } "agent {agent}: option '{option}': expected a number from {least} to {most}, found '{found}'";
    "agent.word" Invalid AgentWord { agent: String, option: String, known: Words, found: String } "agent {agent}: option '{option}': expected one of {known}, found '{found}'";
    "agent.value" Invalid AgentValue { agent: String, option: String, expected: String, found: String } "agent {agent}: option '{option}': expected {expected}, found '{found}'";
    "agent.closed" Invalid AgentClosed { agent: String, option: String } "agent {agent}: option '{option}' is not for pages to set";
    "agent.failed" Invalid AgentFailed { why: String } "the agent cannot play: {why}";

    "rate.requests" TooMany RateRequests { most: u64 } "expected at most {most} requests a second";
    "rate.held" TooMany RateHeld { what: &'static str, most: usize } "expected at most {most} {what} of one client at a time";
    "rate.growth" TooMany RateGrowth { mb: u64 } "expected at most {mb} MB of games a day from one address";
    "rate.invitations" TooMany RateInvitations { most: u64 } "expected at most {most} games of one address that wait for a second person";
    "rate.tournaments" TooMany RateTournaments { most: u64 } "expected at most {most} tournaments of one account that are not over";
    "rate.logins" TooMany RateLogins { most: u32, minutes: u32 } "expected at most {most} tries to log in within {minutes} minutes";
    "rate.accounts" TooMany RateAccounts { most: u32 } "expected at most {most} new accounts a day from one address";
    "rate.token" TooMany RateToken { most: u32 } "expected at most {most} requests a second with the tokens of one account";
    "rate.challenges" TooMany RateChallenges { most: u32 } "expected at most {most} challenges of one account in an hour";
    "rate.challenges_open" TooMany RateChallengesOpen { most: usize } "expected at most {most} open challenges of one account";
    "rate.challenges_waiting" TooMany RateChallengesWaiting { most: usize } "expected at most {most} open challenges to one account";
    "rate.bot_games" TooMany RateBotGames { name: String, most: usize } "expected at most {most} games of {name} with other bots in a day";
    "rate.messages" TooMany RateMessages { most: u32, seconds: u32 } "expected at most {most} messages within {seconds} seconds";
    "rate.reports" TooMany RateReports { most: u32 } "expected at most {most} reports a day";
    "rate.chat" TooMany RateChat { most: u32, seconds: u32 } "expected at most {most} lines in {seconds} seconds";
    "server.full" Busy ServerFull { what: &'static str, most: usize } "all {most} {what} that there are at a time are in use";
    "server.ending" Busy ServerEnding {} "the server is about to end";
    "server.unready" Busy ServerUnready { why: String } "{why}";
    "database.crowded" Busy DatabaseCrowded {} "too many wait for the database";
    "database.slow" Busy DatabaseSlow {} "the query took too long; ask for less, or later";
    "database.full" Quota DatabaseFull { mb: u64 } "the database has the {mb} MB that it may have; nothing was changed";
    "database.failed" Storage DatabaseFailed { what: &'static str } "{what}; nothing was changed";
    "internal" Internal Internal {} "the server made a mistake; its log tells more";
}
