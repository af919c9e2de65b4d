//! How somebody has done, as clients see it.

use serde::Serialize;
use sumito_rules::{Color, Game, Notation, Rules, fen};
use utoipa::ToSchema;

use super::words::ColorWord;
use crate::store::record::{Against, FavouriteOpening, Score};

/// Games that were won, drawn and lost.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct ScoreCountView {
    won: u64,
    drawn: u64,
    lost: u64,
}

/// How somebody has done against one opponent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AgainstView {
    /// Somebody with an account; null for an agent, and for all who have no account together.
    name: Option<String>,
    /// An agent's spec.
    agent: Option<String>,
    score: ScoreCountView,
}

/// How somebody has done with an opening.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FavouriteView {
    /// Their side.
    #[schema(value_type = ColorWord)]
    color: Color,
    layout: String,
    /// The first moves, as they were played first; symmetric ones and other orders are counted with them.
    moves: Vec<String>,
    /// The position after them.
    fen: String,
    score: ScoreCountView,
}

/// How somebody has done.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RecordView {
    /// At most 50, those first who were met most often.
    pub(crate) opponents: Vec<AgainstView>,
    /// At most 50, those first that were played most often.
    pub(crate) openings: Vec<FavouriteView>,
}

impl From<Score> for ScoreCountView {
    fn from(Score { won, drawn, lost }: Score) -> ScoreCountView {
        ScoreCountView { won, drawn, lost }
    }
}

impl From<Against> for AgainstView {
    fn from(Against { name, agent, score }: Against) -> AgainstView {
        AgainstView { name, agent, score: score.into() }
    }
}

impl FavouriteView {
    /// Nothing if the moves cannot be played, as in a game that is damaged.
    pub(crate) fn new(favourite: FavouriteOpening) -> Option<FavouriteView> {
        let FavouriteOpening { color, layout, start, moves, score } = favourite;
        let mut game = Game::new(Rules::PLAYSTRATEGY, fen::parse(&start).ok()?);
        let mut texts = Vec::with_capacity(moves.len());
        for m in moves {
            let position = *game.position();
            game.play(m).ok()?;
            texts.push(Notation::AbaPro.write(&position, m));
        }
        let fen = fen::write(game.position());
        Some(FavouriteView { color, layout, moves: texts, fen, score: score.into() })
    }
}
