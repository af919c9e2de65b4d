//! The terms of the evaluation, declared once: what each counts, and what it is worth at the start and at the end of
//! a game. The table makes the slots that the count fills, the names of the trace and the tuner's input.

/// What a term is worth with all marbles on the board and with ten of them pushed off, in sixteenths of a hundredth of a marble.
pub type Weight = [i16; 2];

macro_rules! terms {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, [$early:literal, $late:literal];)*) => {
        /// The place of a term among the counts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub(super) enum Slot {
            $($(#[doc = $doc])+ $name,)*
        }

        /// What the terms are called.
        pub const NAMES: [&str; TERMS] = [$($text),*];

        /// What the terms are worth.
        pub const WEIGHTS: [Weight; TERMS] = [$([$early, $late]),*];

        /// How many terms there are.
        pub const TERMS: usize = [$($text),*].len();
    };
}

/// What a side has for the marbles that it has pushed off, by their number, in hundredths of a marble.
pub const MATERIAL: [i16; 7] = [0, 298, 592, 908, 1237, 1630, 2140];

terms! {
    /// The right to move.
    Tempo = "tempo", [260, 277];
    /// Marbles on the board.
    Marbles = "marbles", [1991, 3117];
    /// Distance of all marbles from the reference point, in sixteenths of a step.
    Distance = "distance", [-36, -53];
    /// Squared distance of all marbles from their own centre of mass, in quarters.
    Spread = "spread", [-10, 3];
    /// Squared distance of all marbles from the enemy's centre of mass, in quarters.
    Reach = "reach", [0, 0];
    /// Distance of the own centre of mass from the board's centre, in sixteenths of a step.
    Offset = "offset", [-43, -7];
    /// Marbles on the centre and the six cells around it.
    Heart = "heart", [-339, 68];
    /// Marbles two steps from the centre.
    Ring2 = "ring 2", [-128, -38];
    /// Marbles three steps from the centre.
    Ring3 = "ring 3", [-128, 52];
    /// Marbles on the six corners.
    Corner = "corner", [-159, -168];
    /// Marbles without an own neighbour.
    Alone = "no friend", [-93, 93];
    /// Marbles with one own neighbour.
    Friend1 = "1 friend", [-36, 58];
    /// Marbles with two own neighbours.
    Friend2 = "2 friends", [-33, -141];
    /// Marbles with four own neighbours.
    Friend4 = "4 friends", [51, 198];
    /// Marbles with five own neighbours.
    Friend5 = "5 friends", [16, 607];
    /// Marbles with six own neighbours.
    Friend6 = "6 friends", [-64, 1054];
    /// Marbles without an enemy neighbour.
    Foe0 = "no foe", [-515, -428];
    /// Marbles with one enemy neighbour.
    Foe1 = "1 foe", [-151, -44];
    /// Marbles with three enemy neighbours.
    Foe3 = "3 foes", [36, 325];
    /// Marbles with four or more enemy neighbours.
    Foe4 = "4 foes", [85, 435];
    /// Marbles with at most one own neighbour and at least three enemy ones.
    Lost = "lost", [-50, -307];
    /// Three in a row.
    Triple = "triples", [54, -101];
    /// Four in a row.
    Quad = "quads", [-151, -68];
    /// An enemy marble between two own ones.
    Split = "splits", [-5, -139];
    /// Two enemy marbles between two own ones.
    Split2 = "wide splits", [-194, -467];
    /// An empty cell between two own marbles.
    Gap = "gaps", [49, 219];
    /// Rim marbles beside one enemy marble.
    RimFoe1 = "rim, 1 foe", [-500, -167];
    /// Rim marbles beside two enemy marbles.
    RimFoe2 = "rim, 2 foes", [-821, 255];
    /// Rim marbles beside three or four enemy marbles.
    RimFoe3 = "rim, 3 foes", [-1046, 6];
    /// Rim marbles with four own neighbours: all they can have, but for corners.
    RimFirm = "rim, firm", [47, 667];
    /// Marbles one step from the rim beside an enemy marble.
    Ring3Foe = "ring 3, foe", [-299, 80];
    /// Marbles two steps from the rim beside an enemy marble.
    Ring2Foe = "ring 2, foe", [-184, 159];
    /// Pushes of one by two, for the side to move.
    Push21 = "2-1, to move", [151, 112];
    /// The same for the other side.
    Push21Wait = "2-1, waiting", [57, 43];
    /// Pushes of one by three, for the side to move.
    Push31 = "3-1, to move", [194, 36];
    /// The same for the other side.
    Push31Wait = "3-1, waiting", [258, 86];
    /// Pushes of two by three, for the side to move.
    Push32 = "3-2, to move", [307, 215];
    /// The same for the other side.
    Push32Wait = "3-2, waiting", [419, 127];
    /// Enemy marbles that some push moves, for the side to move.
    Pushed = "pushed, to move", [25, 170];
    /// The same for the other side.
    PushedWait = "pushed, waiting", [-34, 191];
    /// Enemy marbles that some push moves on to the rim, for the side to move.
    ToRim = "to rim, to move", [-50, 390];
    /// The same for the other side.
    ToRimWait = "to rim, waiting", [-82, 186];
    /// Pushes that an own marble beyond the enemy's blocks.
    Blocked = "blocked", [-104, -166];
    /// Pushes that eject, for the side to move.
    Eject = "ejections, to move", [-4, -116];
    /// The same for the other side.
    EjectWait = "ejections, waiting", [225, 808];
    /// Whether any marble can be ejected, for the side to move.
    Victim = "victim, to move", [501, 1739];
    /// The same for the other side.
    VictimWait = "victim, waiting", [4, 203];
    /// Whether two or more marbles can be ejected, for the side to move.
    Victims = "two victims, to move", [396, 1921];
    /// The same for the other side.
    VictimsWait = "two victims, waiting", [179, 829];
    /// Enemy rim marbles with an own marble just behind them on a way off the board.
    Aimed = "aimed at", [-79, 39];
    /// Ways off the board of an enemy rim marble on which one own marble stands behind it and no second.
    Half = "half threats", [95, 152];
    /// Ways off the board of an enemy rim marble on which two own marbles stand one step away.
    Far = "far threats", [13, 893];
}
