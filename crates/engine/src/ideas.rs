//! The ideas of the search, by the names that engine authors know. Each can be switched off, so that a match tells what it is worth.

macro_rules! ideas {
    ($($(#[doc = $doc:literal])+ $idea:ident = $name:literal;)*) => {
        /// An idea of the search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Idea {
            $($(#[doc = $doc])+ $idea,)*
        }

        impl Idea {
            /// All of them.
            pub const ALL: &[Idea] = &[$(Idea::$idea,)*];

            /// Its name in options.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Idea::$idea => $name,)*
                }
            }
        }
    };
}

ideas! {
    /// The transposition table: its cutoffs, and its moves, which come first.
    Table = "table";
    /// Aspiration windows around the last iteration's value.
    Aspiration = "aspiration";
    /// Zero-window search of all moves but the first (PVS).
    ZeroWindow = "zero-window";
    /// Mate-distance pruning.
    MateDistance = "mate-distance";
    /// The history of moves, of answers to moves and of two moves in a row: ordering, and what reductions and pruning read of it.
    History = "history";
    /// Killer moves.
    Killers = "killers";
    /// Counter-moves.
    CounterMove = "counter-move";
    /// Pushes before quiet moves.
    PushesFirst = "pushes-first";
    /// Corrections of the static value (correction history).
    Correction = "correction-history";
    /// Quiescence search below the last ply.
    Quiescence = "quiescence";
    /// Reverse futility pruning (RFP).
    ReverseFutility = "reverse-futility";
    /// Razoring.
    Razoring = "razoring";
    /// Null-move pruning.
    NullMove = "null-move";
    /// Internal iterative reduction (IIR).
    InternalReduction = "internal-reduction";
    /// Late-move pruning (LMP).
    LatePruning = "late-move-pruning";
    /// Futility pruning.
    Futility = "futility";
    /// History pruning.
    HistoryPruning = "history-pruning";
    /// Singular extensions, multi-cut and negative extensions.
    Singular = "singular";
    /// Late-move reductions (LMR).
    LateReductions = "late-move-reductions";
    /// The proof of a forced win before the search, near the end of the game.
    Proof = "proof";
}

/// The ideas that a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ideas(u32);

impl Ideas {
    /// Every one.
    pub const ALL: Ideas = Ideas((1 << Idea::ALL.len()) - 1);
    /// None: iterative deepening with alpha-beta, ejections first.
    pub const NONE: Ideas = Ideas(0);

    /// Whether an idea is used.
    #[inline(always)]
    pub const fn has(self, idea: Idea) -> bool {
        self.0 >> idea as u32 & 1 == 1
    }

    /// The same with an idea switched on or off.
    #[must_use]
    pub const fn with(self, idea: Idea, on: bool) -> Ideas {
        let bit = 1 << idea as u32;
        Ideas(if on { self.0 | bit } else { self.0 & !bit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::limits::Limits;
    use crate::network::Network;
    use crate::options::EngineOptions;
    use sumito_rules::{Game, Rules, fen};

    /// Positions in which every idea has something to do: an opening, the middle of a game, and its last moves.
    const POSITIONS: [&str; 3] = [
        "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1",
        "5/6/3SSs1/2SSSSS1/2Sss1S2/2ss1sS1/3ssSs/1S2s1/4S 4 1 b 0 1",
        "S4/ss4/3S3/S1ss4/S8/S2S4/2s4/6/5 4 5 w 0 1",
    ];

    fn nodes(ideas: Ideas, limits: &Limits) -> Vec<u64> {
        let count = |text: &str| {
            let game = Game::new(Rules::OFFICIAL, fen::parse(text).expect("a FEN"));
            let options = EngineOptions {
                hash: 4,
                ideas,
                network: Some(Network::shipped()),
                ..EngineOptions::default()
            };
            let mut found = Vec::new();
            Engine::new(options).go(&game, limits, &mut |info| found.push(info.nodes)).expect("a move");
            found
        };
        POSITIONS.iter().flat_map(|text| count(text)).collect()
    }

    #[test]
    fn every_idea_can_be_switched_off_and_makes_another_search() {
        let deep = Limits { depth: Some(9), ..Limits::default() };
        // Only a search that is not limited in depth is preceded by a proof.
        let wide = Limits { nodes: Some(60_000), ..Limits::default() };
        let all = [nodes(Ideas::ALL, &deep), nodes(Ideas::ALL, &wide)].concat();
        for &idea in Idea::ALL {
            let without = Ideas::ALL.with(idea, false);
            assert!(!without.has(idea) && without.with(idea, true) == Ideas::ALL, "{idea:?}");
            let less = [nodes(without, &deep), nodes(without, &wide)].concat();
            assert_ne!(less, all, "{idea:?} makes no difference");
        }
    }

    #[test]
    fn without_any_idea_it_is_plain_alpha_beta_which_finds_the_value_of_minimax() {
        let game = Game::new(Rules::OFFICIAL, fen::parse(POSITIONS[0]).expect("a FEN"));
        let options =
            EngineOptions { hash: 1, ideas: Ideas::NONE, network: None, ..EngineOptions::default() };
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let mut score = None;
        Engine::new(options).go(&game, &limits, &mut |info| score = info.score);
        let worst = |after: &sumito_rules::Position| {
            let answers = after.legal_moves();
            answers.iter().map(|&m| crate::eval::evaluate(&after.play_unchecked(m))).min().expect("an answer")
        };
        let moves = game.legal_moves();
        let best = moves.iter().map(|&m| worst(&game.position().play_unchecked(m))).max();
        assert_eq!(score, best.map(crate::score::Score::new));
    }
}
