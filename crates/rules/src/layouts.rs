//! All starting layouts, and finding one by its name. They are data: cells row by row from I5 to A1-A5, as most sources
//! give them.

use std::fmt;

use crate::layout::Layout;

impl Layout {
    /// All layouts, the best known first.
    pub fn all() -> &'static [Layout] {
        &LAYOUTS
    }

    /// The layout with this name or alias; case, blanks and underscores do not matter.
    pub fn named(name: &str) -> Option<&'static Layout> {
        let wanted = normal(name);
        Layout::all().iter().find(|layout| layout.names().any(|name| name == wanted))
    }

    /// Like [`Layout::named`], with an error that names the nearest layouts.
    pub fn find(name: &str) -> Result<&'static Layout, UnknownLayout> {
        Layout::named(name).ok_or_else(|| UnknownLayout { name: name.to_string() })
    }
}

/// Lower case, with one `-` between words.
fn normal(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || c == '_' || c == '-');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-").to_lowercase()
}

/// A name that no layout has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLayout {
    /// The name.
    pub name: String,
}

impl UnknownLayout {
    /// The known names that are spelt most like it, at most three.
    pub fn near_misses(&self) -> Vec<&'static str> {
        near_misses(&normal(&self.name), Layout::all().iter().flat_map(Layout::names))
    }
}

impl fmt::Display for UnknownLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected the name of a layout, found '{}'", self.name)?;
        match self.near_misses().as_slice() {
            [] => Ok(()),
            near => write!(f, " (did you mean {}?)", near.join(" or ")),
        }
    }
}

impl std::error::Error for UnknownLayout {}

/// The at most three candidates spelt most like a word: at most a quarter of its letters and one off, or beginning
/// with it.
fn near_misses<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|name| (if !word.is_empty() && name.starts_with(word) { 0 } else { edits(word, name) }, name))
        .filter(|(edits, _)| *edits <= 1 + word.chars().count() / 4)
        .collect();
    near.sort();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// The Levenshtein distance.
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let cost = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[b.chars().count()]
}

const fn layout(
    name: &'static str,
    title: &'static str,
    aliases: &'static [&'static str],
    cells: &'static str,
    (agree, sources): (u8, u8),
    dispute: &'static str,
) -> Layout {
    Layout { name, title, aliases, cells, agree, sources, dispute }
}

#[rustfmt::skip]
static LAYOUTS: [Layout; 73] = [
    layout("belgian-daisy", "Belgian Daisy", &["belgian", "marguerite-belge"],
        "ww.bbwwwbbb.ww.bb...........................bb.ww.bbbwwwbb.ww", (2, 3), ""),
    layout("standard", "Standard", &["classical"],
        "wwwwwwwwwww..www.............................bbb..bbbbbbbbbbb", (3, 3), ""),
    layout("german-daisy", "German Daisy", &["german", "marguerite-allemande"],
        ".....ww..bbwww.bbb.ww..bb...........bb..ww.bbb.wwwbb..ww.....", (3, 3), ""),
    layout("austrian-daisy", "Austrian Daisy", &["marguerite-autrichienne"],
        ".....ww..bbbbb.www.ww..bb...........bb..ww.www.bbbbb..ww.....", (1, 1), ""),
    layout("korean-daisy", "Korean Daisy", &["marguerite-coreenne"],
        "ww.bbwwwbbb.wb.wb...........................bw.bw.bbbwwwbb.ww", (1, 1), ""),
    layout("scottish-daisy", "Scottish Daisy", &["marguerite-ecossaise"],
        "wb.wbbwwbbw.wb.wb...........................bw.bw.wbbwwbbw.bw", (3, 3), ""),
    layout("french-daisy", "French Daisy", &["marguerite-francaise"],
        ".......bb....bbb...wwbbww..www.www..wwbbww...bbb....bb.......", (3, 3), ""),
    layout("dutch-daisy", "Dutch Daisy", &["dutch", "marguerite-hollandaise"],
        "ww.bbwbwbwb.ww.bb...........................bb.ww.bwbwbwbb.ww", (3, 3), ""),
    layout("irish-daisy", "Irish Daisy", &["marguerite-irlandaise"],
        ".......ww....wbw...bbwwbb..bwb.bwb..bbwwbb...wbw....ww.......", (3, 3), ""),
    layout("swiss-daisy", "Swiss Daisy", &["swiss", "marguerite-suisse"],
        ".....ww..bbwbw.bwb.ww..bb...........bb..ww.bwb.wbwbb..ww.....", (3, 3), ""),
    layout("6-9", "6 9", &[],
        ".....wwwwwwwbw...w.ww..ww...........bb..bb.b...bwbbbbbbb.....", (3, 3), ""),
    layout("alliances", "Alliances", &["aliances", "wedding-rings"],
        "......wwbb..w.wbb..w.bw.b..w.b.w.b..w.bw.b..wwb.b..wwbb......", (3, 3), ""),
    layout("alien-attack", "Alien Attack", &["alien"],
        "b.b.b.bwwb..bwbwb....bb...............ww....wbwbw..wbbw.w.w.w", (3, 3), ""),
    layout("aliening", "Aliening", &["alienage"],
        "..w...bbbb..b.w.b.bwb..bwb.........wbw..wbw.w.b.w..wwww...b..", (3, 3), ""),
    layout("alitration", "Alitration", &[],
        ".wbw...bb..w.bwb.w.wb..bw...........bw..wb.b.wbw.b..ww...bwb.", (3, 3), ""),
    layout("anglattack", "Anglattack", &[],
        "ww.bbwb..wb..b.w..........wbbw.bwwb..........b.w..wb..wbww.bb", (3, 3), ""),
    layout("spider", "Spider", &["araignee"],
        "w...w.w..w...w.w....wwww..bbbb.wwww..bbbb....b.b...b..b.b...b", (3, 3), ""),
    layout("atomouche", "Atomouche", &["atomouche-12"],
        "bw...w..bwb..b....b.w....ww..b.w..bb....b.w....w..wbw..b...bw", (3, 3), ""),
    layout("buttonhole", "Buttonhole", &["boutonniere"],
        "......wwbb........bb.wb.wwbwbw.bwbwbb.wb.ww........wwbb......", (3, 3), ""),
    layout("coffee-or-milk", "Coffee or Milk", &["cafe-ou-lait"],
        ".....wbbbww.wbbw....www...............bbb..b.bwwb.bbwwwb.....", (1, 1), ""),
    layout("wrestlers", "Wrestlers", &["catcheurs"],
        "..www.bbb.w...bbbw.....bb..w.....b..ww.....bwww...b.www.bbb..", (1, 1), ""),
    layout("centrifuge", "Centrifuge", &["centrifugeuse"],
        ".www.b....bbb.w.bbbb....bb.........ww....wwww.b.www....w.bbb.", (3, 3), ""),
    layout("deckchairs", "Deckchairs", &["chaises-longues"],
        "..w...b.wwww.b...w.w.bbb.w..w...b..b.www.b.b...w.bbbb.w...b..", (1, 1), ""),
    layout("cobras", "Cobras", &[],
        "wwww.w...ww.www..w...ww.w...........b.bb...b..bbb.bb...b.bbbb", (1, 1), ""),
    layout("crossed-hearts", "Crossed Hearts", &["coeurs-croises"],
        "bb.bbb.bb.b.b...b...b.wb.....b.w.....wb.w...w...w.w.ww.www.ww", (3, 3), ""),
    layout("corners", "Corners", &["coins"],
        "bb.wwbw..bw.......w..b...bwb.....wbw...w..b.......bw..bwbb.ww", (3, 3), ""),
    layout("crown", "Crown", &["couronne"],
        "..b..b.bb.b.bbwbb...bbbb.............wwww...wwbww.w.ww.w..w..", (3, 3), ""),
    layout("cross", "Cross", &["croix"],
        "bb.wwb.bw.w.b...w...b.ww.....b.w.....bb.w...b...w.b.bw.wbb.ww", (3, 3), ""),
    layout("checkerboard", "Checkerboard", &["damier"],
        ".....bwbwbw.......wbwbwbwb.........bwbwbwbw.......wbwbwb.....", (3, 3), ""),
    layout("defence-or-attack", "Defence or Attack", &["defense-or-attack", "defense-ou-attac", "def-or-atak"],
        ".....bwb..wbbbb.wb..b..www.w.......www..b..bw..bb.ww.bwb.....", (3, 3), ""),
    layout("domination", "Domination", &[],
        ".....w....bww...bbwwww.bbb...b.b...bbb.wwwwbb...wwb....w.....", (3, 3), ""),
    layout("domination-vs-daisy", "Domination vs Daisy", &["domination-vs-marguerite"],
        ".....ww...bwww..bb.ww..bbb...b.b...bbb..ww.bb..wwwb...ww.....", (3, 3), ""),
    layout("duel", "Duel", &[],
        ".w.b.wwwbbb..w.b..b......wbb.....wwb......w..w.b..wwwbbb.w.b.", (3, 3), ""),
    layout("star", "Star", &["etoile"],
        "b...w.w....w.b.w.b...wb...wbwb.wbwb...wb...w.b.w.b.w..b.b...w", (1, 3), "H8 is empty here, black in two sources"),
    layout("face-to-face", "Face to Face", &["face-a-face", "face-2-face"],
        "...........ww...bbwww..bbbwwww.bbbbwww..bbbww...bb...........", (3, 3), ""),
    layout("horseshoes", "Horseshoes", &["fers-a-cheval"],
        "bbwwwb.b..wb.bwww...b...................b...wwwb.bw..b.bwwwbb", (3, 3), ""),
    layout("snowflakes", "Snowflakes", &["flocons-de-neige", "snowflake"],
        ".b.w.bw..bw..w.b..w..bw..b.wb...wb.w..wb..b..w.b..bb..ww.b.w.", (3, 3), ""),
    layout("forcing", "Forcing", &["forcage"],
        ".............w.b..bwwwbbbwbbbw.bwwwbwwwbbbw..w.b.............", (3, 3), ""),
    layout("fracture", "Fracture", &[],
        "..b....w.....w.bbb..w.bwww.bww.bbw.bbbw.b..www.b.....b....w..", (3, 3), ""),
    layout("fujiyama", "Fujiyama", &["fujiyama1"],
        "wwwww.wbbw...wbw.....ww...............bb.....bwb...bwwb.bbbbb", (3, 3), ""),
    layout("french-king-cake", "French King Cake", &["galette", "french-king-cake1"],
        "w.bbbw.b...w....ww.ww..w.wb.......wb.b..bb.bb....b...w.bwww.b", (3, 3), ""),
    layout("tinsels", "Tinsels", &["guirlandes"],
        ".bwbw.w......bwbwb.......w.wbw.bwb.b.......wbwbw......b.bwbw.", (3, 3), ""),
    layout("infiltralien", "Infiltralien", &[],
        "wbwbw.wwww...bbb.....ww...............bb.....www...bbbb.bwbwb", (3, 3), ""),
    layout("infiltration", "Infiltration", &[],
        ".bwb..bbbb..bwbwb..b....b...........w....w..wbwbw..wwww..wbw.", (3, 3), ""),
    layout("intimidation", "Intimidation", &[],
        ".www.b.ww..bbwww..bbb...................www..bbbww..bb.w.bbb.", (3, 3), ""),
    layout("i-am-a-robot", "I Am a Robot", &["i-m-a-robot", "je-suis-un-robot"],
        "bbbbbw.bb.w.w.w.w...wbbw......b.....bbwwbb....w.....ww...w.w.", (3, 3), ""),
    layout("true-daisy", "True Daisy", &["la-vraie-margueritte"],
        "ww...www.ww.ww.www...b.ww.....bb.......b...b..b...b.b..bbbbbb", (3, 3), ""),
    layout("labyrinth", "Labyrinth", &["labyrinthe"],
        "..bwb.w...b.wbw..b.w..w..w.w.b.w.b.b..b..b.w..bwb.w...b.wbw..", (3, 3), ""),
    layout("the-wall", "The Wall", &["wall", "le-mur"],
        "..w.........wwwww.wwwwwwww.........bbbbbbbb.bbbbb.........b..", (3, 3), ""),
    layout("mosaic", "Mosaic", &["mosaique"],
        "wwwww.bbbb...www.....bb...............ww.....bbb...wwww.bbbbb", (3, 3), ""),
    layout("windmill", "Windmill", &["moulin"],
        "w..bbww.bb..w.........b.wwbb.w.w.wwbb.b.........b..ww.bbww..b", (3, 3), ""),
    layout("food-mill", "Food Mill", &["moulinette"],
        "w..bbwb.ww..b.........b.bwbw.w.w.bwbw.b.........w..bb.wbww..b", (3, 3), ""),
    layout("mquorric-1", "Mquorric 1", &["mquorric"],
        "bbb..bwwb..bwwwb...bwwb.....bbb........wbw....bww...www......", (1, 3), "two sources differ in 27 cells"),
    layout("neko", "Neko", &[],
        "..www..wb.w..wwwbw.....ww...b...w...bb.....bwbbb..b.wb..bbb..", (3, 3), ""),
    layout("octopus", "Octopus", &["pieuvre"],
        "wbw..b.w...wwbwww...w...b...w...b...w...b...bbbwbb...b.w..bwb", (3, 3), ""),
    layout("april-fish", "April Fish", &["poissons-d-avril"],
        "w.www.wwwbw.w.www.....w...............b.....bbb.b.bwbbb.bbb.b", (3, 3), ""),
    layout("pyramid", "Pyramid", &["pyramide"],
        "w....ww....www....wwww....wwww.bbbb....bbbb....bbb....bb....b", (3, 3), ""),
    layout("wheel", "Wheel", &["roue"],
        "w...w.w..w...w.w....wbwb..bbwb.wbww..wbwb....b.b...b..b.b...b", (3, 3), ""),
    layout("oath", "Oath", &["serment"],
        "w...b.wwbb..w...b..b....w.bb.....ww.b....w..w...b..wwbb.w...b", (1, 3), "D4, D5, F5, F6 are empty here, filled in two sources"),
    layout("snakes", "Snakes", &["serpents"],
        "bbbbbb.....b......b..bbww..b.b.w.w..bbww..w......w.....wwwwww", (3, 3), ""),
    layout("snakes-variant", "Snakes Variant", &["serpents-variante", "snakes-variation"],
        "bbbbbb.....b......b.wwwww..b.....w..bbbbb.w......w.....wwwwww", (2, 3), "D6 is black here, empty in one source"),
    layout("slaloms", "Slaloms", &[],
        ".wwww.w......wwwww.......w.bbb.www.b.......bbbbb......b.bbbb.", (3, 3), ""),
    layout("trench", "Trench", &["tranchee"],
        ".....wwwwww.bbbbb...www...............bbb...wwwww.bbbbbb.....", (3, 3), ""),
    layout("xmas-star", "Xmas Star", &[],
        "..w....ww..bbw.bbb.bb..bb...b...w...ww..ww.www.bww..bb....b..", (3, 3), ""),
    layout("fault-1", "Fault 1", &["faille-1", "ap10-faille-01"],
        "wwwwwwbbbb..bbb.....b...................w.....www..wwwwbbbbbb", (1, 1), ""),
    layout("fault-2", "Fault 2", &["faille-2", "ap10-faille-02"],
        "wwwww.bbbbw..bbbb............................wwww..wwwwbbbbbb", (1, 1), ""),
    layout("fault-3", "Fault 3", &["faille-3", "ap10-faille-03"],
        "wwwwwwbbbb..bb.bb...........................ww.ww..wwwwbbbbbb", (1, 1), ""),
    layout("fault-4", "Fault 4", &["faille-4", "ap10-faille-04"],
        "wwww.wwbbb..bbb....bb...............ww......www...bbwww.bbbb.", (1, 1), ""),
    layout("fault-5", "Fault 5", &["faille-5", "ap10-faille-05"],
        "..www..bbbw...bbbw.....bbw..........ww.....bwww...bwww..bbbb.", (1, 1), ""),
    layout("fault-6", "Fault 6", &["faille-6", "ap10-faille-06"],
        "www..wwbb..wbbb....b.b.....b...........www.....wwb.wwwbb..bbb", (1, 1), ""),
    layout("fault-7", "Fault 7", &["faille-7", "ap10-faille-07"],
        "wwwww.bbwb...bbb.....b.......b.w.......w.....www...wbww.bbbbb", (1, 1), ""),
    layout("sibe", "Sibe", &[],
        "ww.bbw....bw.....bw..bw..bw..b.w..bw..bw..bw.....bw....bww.bb", (1, 2), "the two sources differ in A3 and I7"),
    layout("the-arrow", "The Arrow", &["arrow"],
        "bbww.bb....w.bww..w.wbb.....wbww......wb.......bw....wbb...bb", (2, 2), ""),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;
    use crate::symmetry::Symmetry;

    #[test]
    fn every_name_and_alias_is_kebab_case_and_unique() {
        let mut names: Vec<_> = Layout::all().iter().flat_map(Layout::names).collect();
        assert!(names.iter().all(|name| normal(name) == *name && name.is_ascii()));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(Layout::all().len(), 73);
    }

    #[test]
    fn disputed_layouts_are_those_without_full_agreement() {
        for layout in Layout::all() {
            // One source has the Belgian Daisy with colours exchanged: its own mirror image, so the same game.
            let start = layout.position();
            let exchanged = start.swapped().with_turn(Color::Black);
            let same_game = Symmetry::ALL.iter().any(|s| s.position(&start).same_board(&exchanged));
            let agreed = layout.agree == layout.sources || layout.name == "belgian-daisy" && same_game;
            assert_eq!(layout.is_disputed(), !agreed, "{}", layout.name);
        }
    }

    #[test]
    fn an_unknown_name_shows_its_near_misses() {
        let error = Layout::find("belgian-dasy").expect_err("misspelt");
        assert_eq!(error.near_misses()[0], "belgian-daisy");
        assert_eq!(Layout::find("zzzzzz").expect_err("nothing like it").near_misses(), [""; 0]);
    }
}
