//! The terms of the evaluation, declared once: what each counts, and what it is worth at the start and at the end of
//! a game. The table makes the slots that the count fills, the names of the trace and the tuner's input.

/// What a term is worth with all marbles on the board and with ten of them pushed off, in sixteenths of a hundredth
/// of a marble.
pub type Weight = [i16; 2];

/// A term: what it counts, and what that is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name in the table.
    pub slot: &'static str,
    /// Its name in the trace.
    pub name: &'static str,
    /// What it counts.
    pub about: &'static str,
    /// What it is worth.
    pub weight: Weight,
}

macro_rules! terms {
    ($(#[doc = $doc:literal] $slot:ident = $name:literal, [$early:literal, $late:literal];)*) => {
        /// The place of a term among the counts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub(super) enum Slot {
            $(#[doc = $doc] $slot,)*
        }

        /// All terms.
        pub const DECLARED: [Declared; TERMS] = [
            $(Declared { slot: stringify!($slot), name: $name, about: $doc, weight: [$early, $late] }),*
        ];

        /// How many terms there are.
        pub const TERMS: usize = [$($name),*].len();
    };
}

/// What a side has for the marbles that it has pushed off, by their number, in hundredths of a marble.
pub const MATERIAL: [i16; 7] = [0, 56, 122, 183, 260, 384, 546];

terms! {
    /// The right to move.
    Tempo = "tempo", [287, 140];
    /// Marbles on the board.
    Marbles = "marbles", [6877, 9764];
    /// Distance of all marbles from the reference point, in sixteenths of a step.
    Distance = "distance", [-54, -156];
    /// Squared distance of all marbles from their own centre of mass, in quarters.
    Spread = "spread", [2, 86];
    /// Distance of the own centre of mass from the board's centre, in sixteenths of a step.
    Offset = "offset", [-35, 9];
    /// Marbles on the centre and the six cells around it.
    Heart = "heart", [-442, -327];
    /// Marbles two steps from the centre.
    Ring2 = "ring 2", [20, 121];
    /// Marbles three steps from the centre.
    Ring3 = "ring 3", [35, 358];
    /// Marbles on the six corners.
    Corner = "corner", [-236, -1227];
    /// Marbles without an own neighbour.
    Alone = "no friend", [-51, -356];
    /// Marbles with one own neighbour.
    Friend1 = "1 friend", [-69, -203];
    /// Marbles with two own neighbours.
    Friend2 = "2 friends", [-45, -102];
    /// Marbles with four own neighbours.
    Friend4 = "4 friends", [56, 46];
    /// Marbles with five own neighbours.
    Friend5 = "5 friends", [111, -52];
    /// Marbles with six own neighbours.
    Friend6 = "6 friends", [86, -145];
    /// Marbles without an enemy neighbour.
    Foe0 = "no foe", [-1204, 423];
    /// Marbles with one enemy neighbour.
    Foe1 = "1 foe", [-269, 474];
    /// Marbles with three enemy neighbours.
    Foe3 = "3 foes", [205, -470];
    /// Marbles with four or more enemy neighbours.
    Foe4 = "4 foes", [279, -994];
    /// Marbles with at most one own neighbour and at least three enemy ones.
    Lost = "lost", [-128, -323];
    /// Three in a row.
    Triple = "triples", [16, -155];
    /// Four in a row.
    Quad = "quads", [-299, -681];
    /// An enemy marble between two own ones.
    Split = "splits", [-79, -288];
    /// Two enemy marbles between two own ones.
    Split2 = "wide splits", [-336, -297];
    /// An empty cell between two own marbles.
    Gap = "gaps", [56, 22];
    /// Rim marbles beside one enemy marble.
    RimFoe1 = "rim, 1 foe", [-831, -916];
    /// Rim marbles beside two enemy marbles.
    RimFoe2 = "rim, 2 foes", [-1201, -1325];
    /// Rim marbles beside three or four enemy marbles.
    RimFoe3 = "rim, 3 foes", [-1280, -1556];
    /// Rim marbles with four own neighbours: all they can have, but for corners.
    RimFirm = "rim, firm", [41, 424];
    /// Marbles one step from the rim beside an enemy marble.
    Ring3Foe = "ring 3, foe", [-758, -405];
    /// Marbles two steps from the rim beside an enemy marble.
    Ring2Foe = "ring 2, foe", [-560, -56];
    /// Pushes of one by two, for the side to move.
    Push21 = "2-1, to move", [32, 367];
    /// The same for the other side.
    Push21Wait = "2-1, waiting", [-19, 383];
    /// Pushes of one by three, for the side to move.
    Push31 = "3-1, to move", [143, 512];
    /// The same for the other side.
    Push31Wait = "3-1, waiting", [250, 660];
    /// Pushes of two by three, for the side to move.
    Push32 = "3-2, to move", [464, 671];
    /// The same for the other side.
    Push32Wait = "3-2, waiting", [514, 889];
    /// Enemy marbles that some push moves, for the side to move.
    Pushed = "pushed, to move", [169, 336];
    /// The same for the other side.
    PushedWait = "pushed, waiting", [69, 27];
    /// Enemy marbles that some push moves on to the rim, for the side to move.
    ToRim = "to rim, to move", [-53, -107];
    /// The same for the other side.
    ToRimWait = "to rim, waiting", [-31, -63];
    /// Pushes that an own marble beyond the enemy's blocks.
    Blocked = "blocked", [-187, -184];
    /// Pushes that eject, for the side to move.
    Eject = "ejections, to move", [-142, -10];
    /// The same for the other side.
    EjectWait = "ejections, waiting", [33, 238];
    /// Whether any marble can be ejected, for the side to move.
    Victim = "victim, to move", [258, -364];
    /// The same for the other side.
    VictimWait = "victim, waiting", [-242, -395];
    /// Whether two or more marbles can be ejected, for the side to move.
    Victims = "two victims, to move", [284, 67];
    /// The same for the other side.
    VictimsWait = "two victims, waiting", [-52, 493];
    /// Enemy rim marbles with an own marble just behind them on a way off the board.
    Aimed = "aimed at", [193, -88];
    /// Ways off the board of an enemy rim marble on which one own marble stands behind it and no second.
    Half = "half threats", [40, -85];
    /// Ways off the board of an enemy rim marble on which two own marbles stand one step away.
    Far = "far threats", [166, 146];
}
