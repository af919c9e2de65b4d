//! A network as text, and in a file.

use std::fmt::{self, Write};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sumito_rules::ParseError;

use super::encoding::Encoding;
use super::network::Network;

const FORMAT: &str = "cornell-td";
/// The version of a file that names its inputs; the one before has those of [`Encoding::SCALED`].
const VERSION: usize = 2;
const SCALED_VERSION: usize = 1;
/// What `inputs` says: how they are counted, then which others there are.
const RAW: &str = "raw";
const SCALED: &str = "scaled";
const PUSHES: &str = "pushes";
const SIDES: &str = "sides";
const END: &str = "end";
/// More bytes than any network takes: what is longer is another kind of file.
const MAX_BYTES: u64 = 1 << 20;
/// Characters of a wrong word that an error shows.
const SHOWN: usize = 24;

/// Why a network could not be loaded or saved.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read or written.
    #[error("{}: {why}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// The file holds something else than a network.
    #[error("{}: {why}", path.display())]
    Format {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and where.
        why: ParseError,
    },
    /// A parameter is infinite or not a number, and cannot be saved.
    #[error("parameter {index} of the network is {value}, not a finite number")]
    NotFinite {
        /// Its place among the parameters, from 0.
        index: usize,
        /// What it is.
        value: f64,
    },
}

impl Network {
    /// Reads a network from a file, in the format of its `Display`.
    pub fn load(path: impl AsRef<Path>) -> Result<Network, NetworkError> {
        let path = path.as_ref();
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text))
            .map_err(|why| NetworkError::File { path: path.to_path_buf(), why })?;
        text.parse().map_err(|why| NetworkError::Format { path: path.to_path_buf(), why })
    }

    /// Writes the network to a file, unless training has driven a parameter out of the finite numbers.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), NetworkError> {
        let broken = self.parameters().iter().enumerate().find(|(_, value)| !value.is_finite());
        if let Some((index, &value)) = broken {
            return Err(NetworkError::NotFinite { index, value });
        }
        let path = path.as_ref();
        fs::write(path, self.to_string()).map_err(|why| NetworkError::File { path: path.to_path_buf(), why })
    }
}

/// The text format of a network, version 2:
///
/// ```text
/// cornell-td 2
/// inputs raw
/// hidden 16
/// -0.06 0.24 ...
/// end
/// ```
///
/// `inputs` is `raw` or `scaled`, and after it, each with a comma, `pushes` and `sides` if these are inputs as well
/// ([`Encoding`]). A text of version 1 says `inputs 14` there: they are scaled, and a network that has these is written so.
///
/// After the header, the parameters in the order of [`Network::parameters`]: a line for each hidden
/// node, and one for the output. Blanks and line ends are the same to the reader, which accepts exactly as
/// many finite numbers as the header announces; the last word tells a whole text from one cut off within a
/// number. What is written reads back to the very same values.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (version, inputs) = header(self.encoding());
        writeln!(f, "{FORMAT} {version}\ninputs {inputs}\nhidden {}", self.hidden())?;
        let (rows, output) = self.parameters().split_at(self.hidden() * self.row());
        for row in rows.chunks_exact(self.row()).chain([output]) {
            for (i, value) in row.iter().enumerate() {
                write!(f, "{}{value:?}", if i > 0 { " " } else { "" })?;
            }
            f.write_char('\n')?;
        }
        writeln!(f, "{END}")
    }
}

/// The version of a text with these inputs, and how it says them.
fn header(encoding: Encoding) -> (usize, String) {
    if encoding == Encoding::SCALED {
        return (SCALED_VERSION, encoding.inputs().to_string());
    }
    let mut words = vec![if encoding.scaled { SCALED } else { RAW }];
    words.extend(encoding.pushes.then_some(PUSHES));
    words.extend(encoding.sides.then_some(SIDES));
    (VERSION, words.join(","))
}

/// The inputs that a text of version 2 names so.
fn named(inputs: &str) -> Option<Encoding> {
    let mut words = inputs.split(',').peekable();
    let scaled = match words.next() {
        Some(RAW) => false,
        Some(SCALED) => true,
        _ => return None,
    };
    let pushes = words.next_if_eq(&PUSHES).is_some();
    let sides = words.next_if_eq(&SIDES).is_some();
    words.next().is_none().then_some(Encoding { scaled, pushes, sides })
}

/// Reads what `Display` writes.
impl FromStr for Network {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Network, ParseError> {
        let mut words = Words { rest: text, line: 1, column: 1 };
        words.expect(FORMAT)?;
        let version =
            words.parse("version 1 or 2", |version: &usize| (SCALED_VERSION..=VERSION).contains(version))?;
        words.expect("inputs")?;
        let encoding = if version == SCALED_VERSION {
            let (_, inputs) = header(Encoding::SCALED);
            words.parse(&format!("{inputs} inputs"), |found: &String| *found == inputs)?;
            Encoding::SCALED
        } else {
            let found: String = words
                .parse("inputs raw or scaled, pushes, sides", |found: &String| named(found).is_some())?;
            named(&found).expect("just checked")
        };
        words.expect("hidden")?;
        let most = Network::MAX_HIDDEN;
        let hidden = words.parse(&format!("1 to {most} hidden nodes"), |n| (1..=most).contains(n))?;
        let size = Network::size(encoding, hidden);
        let parameters = (1..=size)
            .map(|i| {
                words.parse(&format!("parameter {i} of {size}, a finite number"), |x: &f64| x.is_finite())
            })
            .collect::<Result<_, _>>()?;
        words.expect(END)?;
        words.expect("")?;
        Ok(Network::from_parameters(encoding, hidden, parameters))
    }
}

/// The words of a text, with the place of the next one.
struct Words<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Words<'a> {
    /// Reads the word given, or the end of the text if it is empty.
    fn expect(&mut self, word: &str) -> Result<(), ParseError> {
        let expected = if word.is_empty() { "the end of the text" } else { word };
        self.parse(expected, |found: &String| found == word).map(|_| ())
    }

    /// Reads a word as a value that is as expected.
    fn parse<T: FromStr>(&mut self, expected: &str, fits: impl Fn(&T) -> bool) -> Result<T, ParseError> {
        let (word, place) = self.next();
        word.parse().ok().filter(fits).ok_or_else(|| {
            let mut found: String = word.chars().take(SHOWN).collect();
            if found.is_empty() {
                found.push_str("the end of the text");
            }
            ParseError::new(expected, found, place)
        })
    }

    /// The next word and its place; empty at the end.
    fn next(&mut self) -> (&'a str, (usize, usize)) {
        let start = self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len());
        self.skip(start);
        let place = (self.line, self.column);
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        (self.skip(end), place)
    }

    /// Goes on by so many bytes, which it returns.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (skipped, rest) = self.rest.split_at(bytes);
        for c in skipped.chars() {
            (self.line, self.column) =
                if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.rest = rest;
        skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_engine::Rng;

    fn network(hidden: usize, seed: u64) -> Network {
        Network::new(Encoding::default(), hidden, seed)
    }

    fn error(text: &str) -> String {
        text.parse::<Network>().expect_err("not a network").to_string()
    }

    /// A path of its own for a test.
    fn temporary(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("sumito-{}-{name}", std::process::id()))
    }

    #[test]
    fn a_network_reads_back_as_written() {
        for hidden in [1, 16, 64] {
            let network = network(hidden, 3);
            assert_eq!(network.to_string().parse(), Ok(network));
        }
    }

    #[test]
    fn a_network_reads_back_with_its_inputs() {
        for (text, scaled, pushes, sides) in [
            ("cornell-td 1\ninputs 14\n", true, false, false),
            ("cornell-td 2\ninputs raw\n", false, false, false),
            ("cornell-td 2\ninputs raw,pushes\n", false, true, false),
            ("cornell-td 2\ninputs scaled,sides\n", true, false, true),
            ("cornell-td 2\ninputs raw,pushes,sides\n", false, true, true),
        ] {
            let network = Network::new(Encoding { scaled, pushes, sides }, 2, 1);
            assert!(network.to_string().starts_with(text), "{network}");
            assert_eq!(network.to_string().parse(), Ok(network));
        }
    }

    #[test]
    fn scaled_inputs_are_also_read_by_their_name() {
        let network = Network::new(Encoding::SCALED, 2, 1);
        let text = network.to_string().replace("1\ninputs 14", "2\ninputs scaled");
        assert_eq!(text.parse(), Ok(network));
    }

    #[test]
    fn extreme_parameters_read_back_as_written() {
        let mut network = network(1, 1);
        let extremes = [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -0.0, 1.0 / 3.0];
        network.parameters_mut()[..extremes.len()].copy_from_slice(&extremes);
        assert_eq!(network.to_string().parse(), Ok(network));
    }

    #[test]
    fn a_saved_network_is_loaded_unchanged() {
        let (path, network) = (temporary("saved"), network(16, 5));
        network.save(&path).expect("a writable folder");
        let loaded = Network::load(&path);
        fs::remove_file(&path).expect("the file just written");
        assert_eq!(loaded.expect("the network just saved"), network);
    }

    #[test]
    fn errors_say_what_was_expected_and_where() {
        let cases = [
            ("", "line 1, column 1: expected cornell-td, found the end of the text"),
            ("PNG\n", "line 1, column 1: expected cornell-td, found PNG"),
            ("cornell-td 3", "line 1, column 12: expected version 1 or 2, found 3"),
            ("cornell-td 1\ninputs 16", "line 2, column 8: expected 14 inputs, found 16"),
            (
                "cornell-td 2\ninputs raw,sides,pushes",
                "line 2, column 8: expected inputs raw or scaled, pushes, sides, found raw,sides,pushes",
            ),
            (
                "cornell-td 2 inputs 14",
                "line 1, column 21: expected inputs raw or scaled, pushes, sides, found 14",
            ),
            (
                "cornell-td 1 inputs 14\nhidden 0",
                "line 2, column 8: expected 1 to 1024 hidden nodes, found 0",
            ),
            (
                "cornell-td 1 inputs 14\nhidden 99999999999999999999",
                "line 2, column 8: expected 1 to 1024 hidden nodes, found 99999999999999999999",
            ),
            (
                "cornell-td 1 inputs 14 hidden 1\n0.5 1e999",
                "line 2, column 5: expected parameter 2 of 17, a finite number, found 1e999",
            ),
            (
                "cornell-td 1 inputs 14 hidden 1\nNaN",
                "line 2, column 1: expected parameter 1 of 17, a finite number, found NaN",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(error(text), expected);
        }
    }

    #[test]
    fn words_after_the_end_are_refused() {
        let text = network(1, 1).to_string() + "0.5";
        assert_eq!(error(&text), "line 7, column 1: expected the end of the text, found 0.5");
    }

    #[test]
    fn one_parameter_too_many_is_refused() {
        let text = network(1, 1).to_string().replace("end", "0.5 end");
        assert_eq!(error(&text), "line 6, column 1: expected end, found 0.5");
    }

    #[test]
    fn a_text_cut_off_anywhere_is_refused() {
        let text = network(2, 1).to_string();
        for length in 0..text.trim_end().len() {
            assert!(text[..length].parse::<Network>().is_err(), "cut off after {length} characters");
        }
    }

    #[test]
    fn damaged_texts_are_errors_or_finite_networks() {
        let good = network(2, 1).to_string().into_bytes();
        let mut rng = Rng::new(9);
        let mut refused = 0;
        for _ in 0..20_000 {
            let mut bytes = good.clone();
            for _ in 0..=rng.below(3) {
                let at = rng.below(bytes.len());
                match rng.below(3) {
                    0 => bytes[at] = rng.next_u64() as u8,
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, b" \n-.e0iN"[rng.below(8)]),
                }
            }
            match String::from_utf8_lossy(&bytes).parse::<Network>() {
                Ok(network) => assert!(network.parameters().iter().all(|x| x.is_finite())),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 5_000, "only {refused} of 20000 were refused");
    }

    #[test]
    fn random_bytes_are_refused() {
        let mut rng = Rng::new(10);
        for _ in 0..2_000 {
            let bytes: Vec<u8> = (0..rng.below(200)).map(|_| rng.next_u64() as u8).collect();
            error(&String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn a_missing_file_is_an_error_that_names_it() {
        let path = temporary("missing");
        let error = Network::load(&path).expect_err("there is no such file");
        assert!(matches!(error, NetworkError::File { .. }));
        assert!(error.to_string().contains("missing"));
    }

    #[test]
    fn a_file_that_is_no_text_is_an_error() {
        let path = temporary("binary");
        fs::write(&path, [0xff, 0xfe, 0x00]).expect("a writable folder");
        let loaded = Network::load(&path);
        fs::remove_file(&path).expect("the file just written");
        assert!(matches!(loaded, Err(NetworkError::File { .. })));
    }

    #[test]
    fn a_parameter_that_is_no_number_is_not_saved() {
        let (path, mut network) = (temporary("broken"), network(16, 5));
        network.parameters_mut()[3] = f64::NAN;
        assert!(matches!(network.save(&path), Err(NetworkError::NotFinite { index: 3, .. })));
        assert!(!path.exists());
    }
}
