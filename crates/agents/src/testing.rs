//! What the agents' tests share: positions from all phases of the game.

use sumito_engine::Rng;
use sumito_rules::{Color, Layout, Position};

/// Twenty positions after 0 to 76 random plies from four layouts, neither side at six.
pub(crate) fn positions() -> Vec<Position> {
    let mut rng = Rng::new(20);
    let layouts = ["belgian-daisy", "standard", "german-daisy", "domination"];
    (0..20)
        .map(|i| {
            let mut position = Layout::named(layouts[i % 4]).expect("a layout").position();
            for _ in 0..4 * i {
                let next = position.play_unchecked(rng.pick(&position.legal_moves()).expect("a move"));
                if Color::ALL.into_iter().any(|color| next.score(color) >= 6) {
                    break;
                }
                position = next;
            }
            position
        })
        .collect()
}
