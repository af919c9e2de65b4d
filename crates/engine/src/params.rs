//! Every tunable number of the search, declared once: name, value, range. The table also makes the hidden options
//! and the tuner's input.

/// A tunable number: what it is called, its value, and the range in which a tuner may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in options.
    pub name: &'static str,
    /// The value that plays.
    pub default: i32,
    /// The least.
    pub min: i32,
    /// The most.
    pub max: i32,
    /// How far a tuner's games look to either side at its end; at its beginning a few times as far.
    pub step: i32,
}

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal, $min:literal..$max:literal, $step:literal;)*) => {
        /// The values of all tunable numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[doc = $doc])+ pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// The table.
            pub const ALL: &[Param] = &[
                $(Param { name: stringify!($name), default: $default, min: $min, max: $max, step: $step },)*
            ];

            /// The place of a number, by its name.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

params! {
    /// Half the width of the first aspiration window.
    window = 24, 5..100, 6;
    /// Reverse futility: margin for each ply.
    rfp_margin = 60, 10..200, 10;
    /// Reverse futility: the deepest it looks.
    rfp_depth = 6, 0..12, 1;
    /// Null move: plies left out at least.
    null_base = 3, 1..6, 1;
    /// Null move: so much above beta leaves out one more ply.
    null_slope = 120, 30..400, 20;
    /// Late moves: how many are looked at in any case.
    lmp_base = 4, 1..20, 1;
    /// Late moves: how many are looked at in any case on the principal variation.
    lmp_pv = 10, 1..100, 2;
    /// Late moves: the last iteration that leaves any out on the principal variation.
    lmp_pv_until = 10, 0..100, 1;
    /// Null move: verified from this depth on.
    null_verify = 12, 4..40, 1;
    /// Null move: verified with so few own marbles.
    null_thin = 9, 0..14, 1;
    /// Razoring: margin for each ply.
    razor_margin = 150, 50..500, 25;
    /// Razoring: the deepest it looks.
    razor_depth = 3, 0..8, 1;
    /// Depth from which a node without a table move is looked at less deeply.
    iir_depth = 5, 2..20, 1;
    /// How much better than its history a push is ranked.
    push_bonus = 8000, 0..40000, 1000;
    /// Corrections of the static value, in hundredths.
    correction = 100, 0..200, 10;
    /// Singular moves: the least depth.
    sing_depth = 7, 4..40, 1;
    /// Singular moves: margin in tenths for each ply.
    sing_margin = 20, 2..100, 4;
    /// Singular moves: so much worse than the margin makes two plies.
    sing_double = 60, 5..400, 10;
    /// Quiescence: plies at which pushes to the rim are looked at.
    qs_push = 0, 0..3, 1;
    /// Late moves: how the number grows with the square of the depth, in hundredths.
    lmp_slope = 200, 20..600, 20;
    /// Bad history: the deepest at which moves are left out for it.
    hist_depth = 3, 0..8, 1;
    /// Bad history: what is bad, for each ply.
    hist_margin = 6000, 500..30000, 500;
    /// Late moves: the deepest at which they are left out.
    lmp_depth = 5, 0..12, 1;
    /// Futility: the margin without depth.
    fut_base = 60, 0..300, 15;
    /// Futility: margin for each ply.
    fut_slope = 70, 10..200, 10;
    /// Futility: the deepest it looks.
    fut_depth = 3, 0..10, 1;
    /// Reductions: hundredths of a ply added to all.
    lmr_base = 30, -100..200, 15;
    /// Reductions: hundredths by which the product of logarithms is divided.
    lmr_divisor = 190, 80..400, 15;
    /// Reductions: more if things are not getting better.
    lmr_worse = 100, 0..300, 15;
    /// Reductions: more if a refutation is expected.
    lmr_cut = 100, 0..300, 15;
    /// Reductions: less for a push.
    lmr_push = 100, 0..300, 15;
    /// Reductions: less for a move that refuted before.
    lmr_favourite = 100, 0..300, 15;
    /// History: hundredths of a cutoff's bonus for a move all of whose answers fail.
    last_bonus = 100, 0..400, 20;
    /// History: tenths of what the static value has gained by a move.
    gain_bonus = 25, 0..100, 3;
    /// Reductions: history that makes a ply.
    lmr_history = 6000, 1000..30000, 800;
}
