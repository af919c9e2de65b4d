//! UGI, the Universal Game Interface: the text protocol between a player and whoever runs the game. [`serve`] offers any
//! agent of the registry to the world.
//!
//! | line | answer |
//! | --- | --- |
//! | `ugi` | `id ...`, one `option ...` for each option, `ugiok` |
//! | `isready` | `readyok`, also during a search |
//! | `setoption name N value V` | none; the agent is built anew if it must be |
//! | `uginewgame` | none |
//! | `position startpos`, `position fen F`, each with `moves M ...` | none |
//! | `go` with `movetime`, `p1time p2time p1inc p2inc`, `nodes`, `depth`, `mate`, `infinite`, `ponder`, `searchmoves M ...` | `info ...`, then `bestmove M` |
//! | `stop` | the `bestmove` of the search |
//! | `ponderhit` | none; the time of the search begins |
//! | `query gameover`, `p1turn`, `result`, `fen` | `response X` |
//! | `quit`, or the end of the input | none |
//!
//! Moves are written in Aba-Pro notation, positions as PlayStrategy FEN, times in milliseconds. Player 1 is
//! Black, and `startpos` the Belgian Daisy. `uci`, `ucinewgame`, `btime`, `wtime`, `binc` and `winc` are
//! synonyms. `score cp` is in hundredths of the agent's own unit, `score mate` in moves of the winner,
//! `wdl` the chances of a win, a draw and a loss in thousandths. The move to ponder on is the second of the `pv`.
//!
//! Ours are `ugi all`, which shows the options for tuners too, `position layout NAME`, and the option `Rules`, one of the names of [`Rules::PRESETS`]. Whoever
//! asks for a move is the referee: in a game that is drawn or full under the server's rules an agent still
//! plays on, because the other side may go by other rules. Where there is no move at all the answer is
//! `bestmove none`. Whatever cannot be understood, or is a line of more than 256 KiB, is answered by
//! `info string error: ...` and changes nothing.
//!
//! [`Rules::PRESETS`]: sumito_rules::Rules::PRESETS

mod seat;
mod server;

pub use server::{ServeError, serve, serve_entry};
