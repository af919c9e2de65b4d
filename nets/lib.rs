//! The networks that come with the program, as bytes: whoever uses them reads them.

/// The engine's evaluation, a file as `docs/network.md` describes it.
pub static SUMITO: &[u8] = include_bytes!("sumito.net");

/// Lee and Noh's networks as text, each with the layout on which it learned. The German Daisy's comes first: it beat the
/// other four on layouts that none of them knew.
pub static CORNELL_TD: [(&str, &str); 5] = [
    ("german-daisy", include_str!("cornell-td/german-daisy.txt")),
    ("standard", include_str!("cornell-td/standard.txt")),
    ("the-wall", include_str!("cornell-td/the-wall.txt")),
    ("snakes", include_str!("cornell-td/snakes.txt")),
    ("alien-attack", include_str!("cornell-td/alien-attack.txt")),
];
