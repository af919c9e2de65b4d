//! The texts of the document that do not depend on one experiment: methods, statistics, limits.

use sumito_rules::{Repetition, Rules};

use super::html::{escape, inline, table};

pub(super) const TITLE: &str = "The experiments of five documents on Abalone, run again";

pub(super) const STATISTICS: &str = "\
Scores count a draw as half a win. Scores of ten pairs of games or more have the 95 % interval of the pentanomial, the spread of what the two games of a pair bring together;
within 5 % of all or nothing, with fewer pairs, and for shares and scores of one colour it is Wilson's, which does not collapse when every game is won. Results of version 0.1.0 have
Wilson's throughout, which is somewhat too wide where most games are drawn. Means over games, positions or sets of parameters have the normal 95 % interval; the mean of a single
number has none that is known, and so decides nothing. Ratings are Bradley-Terry maximum-likelihood Elo with 95 % intervals. Counts at a fixed depth or
number of nodes are exact for the positions searched and have no interval. Times are those of the processor unless they are called wall; of repeated searches the
shortest counts, and its error is the difference to the second shortest, at least 1 %; a time taken once is exact to a tenth.

Every match is played in pairs of games with colours changed. Where both players are deterministic, random plies at the start make the games
differ; whatever does not depend on who plays counts a game that was played twice once. Every experiment has a seed, from which all that is drawn by lot follows.";

pub(super) const VERDICTS: &str = "\
A claim is written down as one or more checks: a value that is measured must be above or below a threshold, or within a band around
a number that the document states. The column *threshold* names the value and that number. All checks must hold with the whole 95 % interval for
the claim to be **confirmed**; if one fails with the whole interval it is **not confirmed**; otherwise it is **undecided**. Of two
measured values it is the interval of their difference, whose error is the root of the sum of both errors' squares (Newcombe's way). For an undecided check of
a value from *n* games whose interval reaches *h* to the side of the nearest threshold, at a distance *d*, about *n* (*h*/*d*)² games would decide it: this is the number of
games given beside the verdict, or of networks or matches where the value is a mean over these. A claim that no program can check says why. Numbers of the documents are kept in one table with their places, and a test compares
them with the documents' texts.";

pub(super) const LIMITS: &str = "\
- The agents are rebuilt from the documents. Where a document leaves a detail open, we chose the reading that its own results support best, and made others
  selectable; a result that is not confirmed may be owed to such a choice. The text below each experiment names those that matter.
- A verdict is about our rebuilding under the stated conditions: layouts, limits and rules of games. It says neither that a document's measurement was wrong
  nor that its idea is of no use elsewhere.
- 95 % intervals are too narrow one time in twenty, and there are many claims here: a few verdicts will be wrong by chance alone. No correction for their number is made.
- Games of one match share openings and players, and are not wholly independent. Results hold for the openings that were drawn.
- Times depend on the machine and on how fast an evaluation is made here; where a document compares times, nodes are given as well.
- Thresholds of claims without a number, such as \"much better\", are ours, and so is the width of each band; some were set or changed after
  a result was known. They are printed so that a reader can set others.
- Claims about people cannot be checked by programs, and are listed as such.";

/// How games end, by the names that the definitions use.
pub(super) fn rules() -> String {
    let row = |(name, rules): &(&str, Rules)| {
        let repetition = match rules.repetition {
            Repetition::Off => "never",
            Repetition::Threefold => "the third time that a position comes up",
            Repetition::MakeAndUndo => "both players make, undo, make and undo a move",
        };
        let plies = |cap: Option<u32>| cap.map_or("-".to_string(), |cap| cap.to_string());
        let cells = [name.to_string(), rules.marbles_to_win.to_string(), repetition.to_string()];
        let caps = [plies(rules.ply_cap), plies(rules.quiet_cap)];
        cells.iter().chain(&caps).map(|cell| escape(cell)).collect::<Vec<_>>()
    };
    let is_used = |(name, _): &&(&str, Rules)| *name != "mso";
    let rows: Vec<Vec<String>> = Rules::PRESETS.iter().filter(is_used).map(row).collect();
    let head =
        ["rules", "marbles to win", "draw by repetition", "most plies", "most plies without an ejection"];
    let text = inline(
        "Moves are those of the game everywhere: one to three marbles in line or to the side, and pushes by a larger row. Rules differ in how \
         a game ends. When the number of plies is exhausted, who has pushed off more marbles wins, and equal numbers are a draw. An experiment may set \
         another number of plies, which its description names.",
    );
    format!("<p>{text}</p>\n{}", table("plain", &head, &rows))
}
