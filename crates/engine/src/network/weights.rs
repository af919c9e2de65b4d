//! The numbers of a network, and the file they lie in.
//!
//! The file's description is in `docs/network.md`. Whatever the bytes, reading gives weights that are safe to
//! compute with, or an error that says what was expected.

use std::fmt;

use super::inputs::Inputs;
use super::scene::Scene;
use super::simd::{LANES, MAX_OUTPUT_WEIGHT, ONE};

/// The widest accumulator; see `Path::activate` in `simd.rs` for why there is a limit.
pub const MAX_WIDTH: usize = 1024;
/// Scores from none to six, by each player: the size of [`Weights::buckets`].
pub const SCORES: usize = Scene::MAX_SCORE as usize + 1;
/// 1.0 of a first-layer weight or a value in an accumulator.
pub const INPUT_ONE: i32 = ONE as i32;
/// 1.0 of an output weight.
pub const OUTPUT_ONE: i32 = 64;

const MAGIC: [u8; 8] = *b"sumitonn";
const VERSION: u32 = 1;
/// Magic, version, inputs, width, buckets, scale, checksum, table of buckets.
const HEADER: usize = 8 + 5 * 4 + 8 + SCORES * SCORES;

/// The numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// What it sees.
    pub inputs: Inputs,
    /// How many values each player's half of the accumulator has.
    pub width: usize,
    /// What an output of 1.0 is worth, in hundredths of a marble.
    pub scale: u32,
    /// Which output is used, by the marbles that the side to move and the other side have pushed off.
    pub buckets: [[u8; SCORES]; SCORES],
    /// For each input, its weight in each value; 1.0 is [`INPUT_ONE`].
    pub input: Vec<i16>,
    /// The start of each value; 1.0 is [`INPUT_ONE`].
    pub input_bias: Vec<i16>,
    /// For each bucket, the weights of the mover's values and then of the other side's; 1.0 is [`OUTPUT_ONE`].
    pub output: Vec<i16>,
    /// For each bucket, the start of its sum; 1.0 is [`INPUT_ONE`] times [`OUTPUT_ONE`].
    pub output_bias: Vec<i32>,
}

impl Weights {
    /// A number that tells networks apart, as text.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", checksum(&[&self.to_bytes()]))
    }

    /// How many buckets the table names.
    pub fn bucket_count(&self) -> usize {
        usize::from(self.buckets.into_iter().flatten().max().unwrap_or(0)) + 1
    }

    /// Whether the parts fit together and no sum can overflow.
    pub fn check(&self) -> Result<(), NetworkError> {
        check_width(self.width)?;
        check_scale(self.scale)?;
        let parts = [
            (self.input.len(), self.inputs.len() * self.width, "first-layer weights"),
            (self.input_bias.len(), self.width, "first-layer biases"),
            (self.output.len(), self.bucket_count() * 2 * self.width, "output weights"),
            (self.output_bias.len(), self.bucket_count(), "output biases"),
        ];
        for (found, expected, what) in parts {
            if found != expected {
                return Err(NetworkError::Count { what, expected, found });
            }
        }
        if let Some(&found) =
            self.output.iter().find(|weight| weight.unsigned_abs() > MAX_OUTPUT_WEIGHT as u16)
        {
            return Err(NetworkError::OutputWeight(found));
        }
        (0..self.width).try_for_each(|value| self.check_sums(value))
    }

    /// No scene can push a value of the accumulator out of 16 bits: not with 14 marbles of each colour on the
    /// worst cells, and the worst content of every line.
    fn check_sums(&self, value: usize) -> Result<(), NetworkError> {
        for sign in [1, -1] {
            let weight = |input: usize| sign * i32::from(self.input[input * self.width + value]);
            let mut sum = sign * i32::from(self.input_bias[value]);
            for cells in [0..61, 61..122] {
                let mut weights: Vec<i32> = cells.map(weight).collect();
                weights.sort_unstable_by(|a, b| b.cmp(a));
                sum +=
                    weights.iter().take(sumito_rules::MAX_MARBLES).filter(|&&weight| weight > 0).sum::<i32>();
            }
            for range in self.inputs.exclusive() {
                sum += range.map(weight).max().unwrap_or(0).max(0);
            }
            if sum > i16::MAX.into() {
                return Err(NetworkError::Overflow { value, sum });
            }
        }
        Ok(())
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::from(MAGIC);
        let numbers =
            [VERSION, self.inputs.bits(), self.width as u32, self.bucket_count() as u32, self.scale];
        bytes.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        let mut body = self.buckets.concat();
        for part in [&self.input, &self.input_bias, &self.output] {
            body.extend(part.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        body.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(checksum(&[&bytes, &body]).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, NetworkError> {
        let mut rest = bytes;
        let found = rest.get(..8).unwrap_or(rest);
        if found != MAGIC {
            return Err(NetworkError::Magic(found.to_vec()));
        }
        let truncated = |expected| NetworkError::Length { expected, found: bytes.len() };
        rest = &rest[8..];
        let mut next = || {
            let (head, tail) = rest.split_first_chunk::<4>().ok_or(truncated(HEADER))?;
            rest = tail;
            Ok(u32::from_le_bytes(*head))
        };
        let version = next()?;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let (inputs, width, buckets, scale) = (next()?, next()? as usize, next()? as usize, next()?);
        let inputs = Inputs::from_bits(inputs).ok_or(NetworkError::Inputs(inputs))?;
        check_width(width)?;
        check_scale(scale)?;
        if !(1..=SCORES * SCORES).contains(&buckets) {
            return Err(NetworkError::Buckets(buckets));
        }
        let counts = [inputs.len() * width, width, buckets * 2 * width];
        let expected = HEADER + 2 * counts.iter().sum::<usize>() + 4 * buckets;
        if bytes.len() != expected {
            return Err(truncated(expected));
        }
        let (head, body) = (&bytes[..28], &bytes[36..]);
        if checksum(&[head, body]).to_le_bytes() != bytes[28..36] {
            return Err(NetworkError::Checksum);
        }
        let (table, mut numbers) = body.split_at(SCORES * SCORES);
        let [input, input_bias, output] = counts.map(|count| {
            let (part, rest) = numbers.split_at(2 * count);
            numbers = rest;
            part.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
        });
        let four = |four: &[u8]| i32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        let weights = Weights {
            inputs,
            width,
            scale,
            buckets: std::array::from_fn(|own| std::array::from_fn(|enemy| table[own * SCORES + enemy])),
            input,
            input_bias,
            output,
            output_bias: numbers.chunks_exact(4).map(four).collect(),
        };
        weights.check()?;
        Ok(weights)
    }
}

fn check_width(width: usize) -> Result<(), NetworkError> {
    let fits = width > 0 && width <= MAX_WIDTH && width.is_multiple_of(LANES);
    if fits { Ok(()) } else { Err(NetworkError::Width(width)) }
}

fn check_scale(scale: u32) -> Result<(), NetworkError> {
    if (1..=10_000).contains(&scale) { Ok(()) } else { Err(NetworkError::Scale(scale)) }
}

/// FNV-1a over all parts.
fn checksum(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().copied().flatten();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Why some bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// Something else than a network's file.
    Magic(Vec<u8>),
    /// A version that this program does not know.
    Version(u32),
    /// Groups of inputs that this program does not know.
    Inputs(u32),
    /// A width that cannot be computed with.
    Width(usize),
    /// Too many buckets, or none.
    Buckets(usize),
    /// A scale that would make all values alike or overflow.
    Scale(u32),
    /// Too short or too long.
    Length {
        /// What the header asks for, in bytes.
        expected: usize,
        /// The bytes there are.
        found: usize,
    },
    /// Some byte is not as it was written.
    Checksum,
    /// Parts that do not fit together.
    Count {
        /// Which numbers.
        what: &'static str,
        /// How many the shape asks for.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// An output weight that is too large.
    OutputWeight(i16),
    /// Some position would overflow the accumulator.
    Overflow {
        /// Which value of it.
        value: usize,
        /// How large it could get, without its sign.
        sum: i32,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a usable network: expected ")?;
        match self {
            NetworkError::Magic(found) => {
                let magic = MAGIC.escape_ascii();
                write!(f, "a file that begins with '{magic}', found '{}'", found.escape_ascii())
            }
            NetworkError::Version(found) => write!(f, "version {VERSION} of the format, found {found}"),
            NetworkError::Inputs(found) => {
                write!(f, "groups of inputs below {:#b}, found {found:#b}", 1 << Inputs::GROUP_COUNT)
            }
            NetworkError::Width(found) => {
                write!(f, "a width that is a multiple of {LANES} up to {MAX_WIDTH}, found {found}")
            }
            NetworkError::Buckets(found) => write!(f, "1 to {} buckets, found {found}", SCORES * SCORES),
            NetworkError::Scale(found) => write!(f, "a scale from 1 to 10000, found {found}"),
            NetworkError::Length { expected, found } => write!(f, "{expected} bytes, found {found}"),
            NetworkError::Checksum => f.write_str("another checksum: the file is damaged"),
            NetworkError::Count { what, expected, found } => write!(f, "{expected} {what}, found {found}"),
            NetworkError::OutputWeight(found) => {
                write!(f, "output weights of at most {MAX_OUTPUT_WEIGHT}, found {found}")
            }
            NetworkError::Overflow { value, sum } => {
                write!(f, "sums that fit into 16 bits, found that value {value} can reach {sum}")
            }
        }
    }
}

impl std::error::Error for NetworkError {}
