//! Positions as pictures of pixels, for places that show no SVG: link previews (PNG) and a game that moves (GIF).

use std::collections::HashMap;

use sumito_rules::{Cell, Color, Position};

/// A colour.
type Rgb = [u8; 3];

const PAPER: Rgb = [0xf4, 0xef, 0xe6];
const EDGE: Rgb = [0x7d, 0x5a, 0x2e];
const WOOD: Rgb = [0xc9, 0xa2, 0x6b];
const HOLE: Rgb = [0xa9, 0x83, 0x50];
/// Where light falls on a marble, and where it does not.
const MARBLES: [[Rgb; 2]; 2] =
    [[[0x6a, 0x6d, 0x75], [0x10, 0x11, 0x14]], [[0xff, 0xff, 0xff], [0xc3, 0xc1, 0xb8]]];

/// The distance between neighbouring cells, that between rows, and other measures in the same unit.
const ROW: f32 = 0.866_025_4;
const MARBLE: f32 = 0.42;
const DENT: f32 = 0.31;
/// The board's hexagon: from the middle to its sides, edge included.
const BOARD: f32 = 4.25;
/// Where the trays of marbles pushed off are, and how large those are.
const TRAY: f32 = 6.4;
const CAUGHT: f32 = 0.32;
/// The picture's height.
const HEIGHT: f32 = 9.4;

/// A picture.
pub(crate) struct Raster {
    width: usize,
    height: usize,
    pixels: Vec<Rgb>,
}

impl Raster {
    /// A position, with what each side has pushed off beside the board.
    pub(crate) fn of(position: &Position, (width, height): (usize, usize), flip: bool) -> Raster {
        let mut raster = Raster { width, height, pixels: vec![PAPER; width * height] };
        raster.hexagon(BOARD + 0.1, EDGE);
        raster.hexagon(BOARD, WOOD);
        let turn = if flip { -1.0 } else { 1.0 };
        for cell in Cell::ALL {
            let (row, number) = (f32::from(cell.row()) - 5.0, f32::from(cell.number()) - 5.0);
            let at = (turn * (number - row / 2.0), -turn * row * ROW);
            raster.disc(at, DENT, |_, _| HOLE);
            if let Some(color) = position.at(cell) {
                raster.marble(at, MARBLE, color);
            }
        }
        for (side, x) in [(Color::White, -turn * TRAY), (Color::Black, turn * TRAY)] {
            for caught in 0..position.score(side).min(6) {
                raster.marble((x, 2.0 - 0.8 * f32::from(caught)), CAUGHT, !side);
            }
        }
        raster
    }

    fn marble(&mut self, at: (f32, f32), radius: f32, color: Color) {
        let [light, dark] = MARBLES[color as usize];
        self.disc(at, radius, |x, y| {
            let away = ((x + 0.3).powi(2) + (y + 0.4).powi(2)).sqrt() / 1.4;
            mixed(light, dark, away.clamp(0.0, 1.0))
        });
    }

    /// Pixels for one unit.
    fn scale(&self) -> f32 {
        self.height as f32 / HEIGHT
    }

    /// A disc whose colour depends on where in it one is, from -1 to 1.
    fn disc(&mut self, (x, y): (f32, f32), radius: f32, colour: impl Fn(f32, f32) -> Rgb) {
        let scale = self.scale();
        let (x, y) = (self.width as f32 / 2.0 + x * scale, self.height as f32 / 2.0 + y * scale);
        let size = radius * scale;
        self.each((x - size, y - size), (x + size, y + size), |px, py| {
            let (dx, dy) = (px - x, py - y);
            (size - (dx * dx + dy * dy).sqrt() + 0.5, colour(dx / size, dy / size))
        });
    }

    /// The board, its corners left and right.
    fn hexagon(&mut self, size: f32, colour: Rgb) {
        let scale = self.scale();
        let (x, y) = (self.width as f32 / 2.0, self.height as f32 / 2.0);
        let reach = 1.2 * size * scale;
        self.each((x - reach, y - reach), (x + reach, y + reach), |px, py| {
            let (dx, dy) = ((px - x).abs(), (py - y).abs());
            (size * scale - dy.max(dx * ROW + dy / 2.0) + 0.5, colour)
        });
    }

    /// Lays a colour over every pixel of a rectangle that it covers, in part at its rim.
    fn each(&mut self, from: (f32, f32), to: (f32, f32), cover: impl Fn(f32, f32) -> (f32, Rgb)) {
        let clip = |value: f32, most: usize| (value.max(0.0) as usize).min(most);
        for row in clip(from.1, self.height)..clip(to.1 + 2.0, self.height) {
            for column in clip(from.0, self.width)..clip(to.0 + 2.0, self.width) {
                let (part, colour) = cover(column as f32 + 0.5, row as f32 + 0.5);
                let pixel = &mut self.pixels[row * self.width + column];
                *pixel = mixed(*pixel, colour, part.clamp(0.0, 1.0));
            }
        }
    }

    /// As a PNG file.
    pub(crate) fn png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Balanced);
        let mut writer = encoder.write_header().expect("memory takes everything");
        writer.write_image_data(self.pixels.as_flattened()).expect("memory takes everything");
        writer.finish().expect("memory takes everything");
        file
    }
}

fn mixed(under: Rgb, over: Rgb, part: f32) -> Rgb {
    [0, 1, 2].map(|i| (f32::from(under[i]) + (f32::from(over[i]) - f32::from(under[i])) * part).round() as u8)
}

/// Positions one after the other as an animated GIF. Only what changes is sent with each.
pub(crate) fn film(positions: &[Position], size: (usize, usize), flip: bool) -> Vec<u8> {
    /// How long a position stands, and the last one, in hundredths of a second.
    const STANDS: u16 = 80;
    const RESTS: u16 = 300;
    let mut file = Vec::new();
    let mut palette = Palette::new(positions, size, flip);
    let (width, height) = (size.0 as u16, size.1 as u16);
    let mut encoder = gif::Encoder::new(&mut file, width, height, palette.colours.as_flattened())
        .expect("memory takes everything");
    encoder.set_repeat(gif::Repeat::Infinite).expect("memory takes everything");
    let mut shown: Option<Vec<u8>> = None;
    for (number, position) in positions.iter().enumerate() {
        let image = palette.indexed(&Raster::of(position, size, flip));
        let frame = gif::Frame {
            delay: if number + 1 == positions.len() { RESTS } else { STANDS },
            dispose: gif::DisposalMethod::Keep,
            ..changed(shown.as_deref(), &image, size)
        };
        encoder.write_frame(&frame).expect("memory takes everything");
        shown = Some(image);
    }
    drop(encoder);
    file
}

/// The least rectangle that holds all that differs; at least a pixel, as a frame has to have one.
fn changed(before: Option<&[u8]>, now: &[u8], (width, height): (usize, usize)) -> gif::Frame<'static> {
    let (mut left, mut top, mut right, mut bottom) = (width - 1, height - 1, 0, 0);
    for (at, pixel) in now.iter().enumerate() {
        if before.is_none_or(|before| before[at] != *pixel) {
            let (column, row) = (at % width, at / width);
            (left, right) = (left.min(column), right.max(column));
            (top, bottom) = (top.min(row), bottom.max(row));
        }
    }
    let (right, bottom) = (right.max(left), bottom.max(top));
    let rows = now.chunks_exact(width).take(bottom + 1).skip(top);
    gif::Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        buffer: rows.flat_map(|row| row[left..=right].to_vec()).collect(),
        ..gif::Frame::default()
    }
}

/// The colours of a GIF, at most 256.
struct Palette {
    colours: Vec<Rgb>,
    known: HashMap<Rgb, u8>,
}

impl Palette {
    /// The colours that the first and the last picture have most of, none of them almost alike.
    fn new(positions: &[Position], size: (usize, usize), flip: bool) -> Palette {
        let mut counts: HashMap<Rgb, (u32, Rgb)> = HashMap::new();
        for position in positions.first().into_iter().chain(positions.last()) {
            for pixel in Raster::of(position, size, flip).pixels {
                counts.entry(pixel.map(|part| part >> 3)).or_insert((0, pixel)).0 += 1;
            }
        }
        let mut counts: Vec<(u32, Rgb)> = counts.into_values().collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        Palette {
            colours: counts.into_iter().take(256).map(|(_, colour)| colour).collect(),
            known: HashMap::new(),
        }
    }

    fn indexed(&mut self, raster: &Raster) -> Vec<u8> {
        let Palette { colours, known } = self;
        let far = |a: &Rgb, b: &Rgb| (0..3).map(|i| i32::from(a[i].abs_diff(b[i])).pow(2)).sum::<i32>();
        let nearest = |pixel: &Rgb| {
            let best = (0..colours.len()).min_by_key(|&index| far(&colours[index], pixel));
            best.expect("a picture has colours") as u8
        };
        raster.pixels.iter().map(|pixel| *known.entry(*pixel).or_insert_with(|| nearest(pixel))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::{Game, Layout, Rules, fen};

    const SIZE: (usize, usize) = (300, 160);

    #[test]
    fn the_picture_has_a_marble_where_the_position_has_one() {
        let position = fen::parse("5/6/7/8/4S4/8/7/6/4s 6 0 w 0 40").expect("a FEN");
        for (flip, side) in [(false, 1.0), (true, -1.0)] {
            let raster = Raster::of(&position, SIZE, flip);
            let at = |x: f32, y: f32| {
                let scale = raster.scale();
                let (x, y) = (150.0 + x * scale, 80.0 + y * scale);
                raster.pixels[y as usize * 300 + x as usize]
            };
            let dark = |[r, g, b]: Rgb| u32::from(r) + u32::from(g) + u32::from(b) < 300;
            assert!(dark(at(0.0, 0.0)), "Black's marble on e5");
            assert_eq!(at(side, 0.0), HOLE, "nobody on e6");
            assert!(at(side * TRAY, 2.0)[0] > 180, "a white marble in Black's tray");
            assert_eq!(at(-side * TRAY, 2.0), PAPER, "White has none");
        }
    }

    #[test]
    fn files_can_be_read_back_and_frames_hold_what_changes() {
        let mut game = Game::new(Rules::OFFICIAL, Layout::all()[0].position());
        for _ in 0..3 {
            let m = game.legal_moves()[0];
            game.play(m).expect("legal");
        }
        let file = Raster::of(game.position(), SIZE, false).png();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG");
        assert_eq!((reader.info().width, reader.info().height), (300, 160));
        let mut pixels = vec![0; 300 * 160 * 3];
        reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!(pixels, Raster::of(game.position(), SIZE, false).pixels.as_flattened());
        let file = film(game.positions(), SIZE, false);
        let mut reader = gif::DecodeOptions::new().read_info(&file[..]).expect("a GIF");
        let mut sizes = Vec::new();
        while let Some(frame) = reader.read_next_frame().expect("a frame") {
            sizes.push(usize::from(frame.width) * usize::from(frame.height));
        }
        assert_eq!((sizes.len(), sizes[0]), (4, 300 * 160));
        assert!(sizes[1..].iter().all(|&size| size < sizes[0] / 2), "{sizes:?}");
    }
}
