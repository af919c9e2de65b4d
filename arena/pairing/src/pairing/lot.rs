//! Drawing lots: the same seed draws the same.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Lot(u64);

impl Lot {
    /// A generator.
    #[must_use]
    pub fn new(seed: u64) -> Lot {
        Lot(seed)
    }

    /// The lot of one player, whoever else there is.
    #[must_use]
    pub fn of(seed: u64, player: u32) -> u64 {
        let first = Lot(seed).draw();
        Lot(first ^ u64::from(player)).draw()
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is small.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound
    }
}
