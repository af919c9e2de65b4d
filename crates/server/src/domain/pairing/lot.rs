//! Drawing lots: the same seed draws the same.

use sumito_engine::Rng;

/// A generator.
#[derive(Clone, Debug)]
pub(crate) struct Lot(Rng);

impl Lot {
    #[must_use]
    pub(crate) fn new(seed: u64) -> Lot {
        Lot(Rng::new(seed))
    }

    /// The lot of one player, whoever else there is.
    #[must_use]
    pub(crate) fn of(seed: u64, player: u32) -> u64 {
        let first = Lot::new(seed).draw();
        Lot::new(first ^ u64::from(player)).draw()
    }

    /// The next number.
    pub(crate) fn draw(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, which is small.
    #[cfg(test)]
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound
    }
}
