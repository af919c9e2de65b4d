//! Proof numbers (Allis 1994): how many positions must at least be won, or not won, to settle a node.

/// A pair of numbers; one of them is zero in a settled node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// For a proof that the attacker wins.
    pub(super) proof: u32,
    /// For a proof that the attacker does not.
    pub(super) disproof: u32,
}

/// More than any number that is counted: no hope.
pub(super) const INFINITE: u32 = u32::MAX / 4;

impl Numbers {
    pub(super) const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };
    pub(super) const DISPROVED: Numbers = Numbers { proof: INFINITE, disproof: 0 };
    /// As a limit: search until the node is settled.
    pub(super) const LIMITLESS: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

    pub(super) fn is_proved(self) -> bool {
        self.proof == 0
    }

    pub(super) fn is_disproved(self) -> bool {
        self.disproof == 0
    }

    pub(super) fn is_settled(self) -> bool {
        self.is_proved() || self.is_disproved()
    }
}
