//! Records on disk: a header, then chunks that are compressed each by itself, so that an interruption costs at most
//! the last one. All numbers are little-endian.
//!
//! | header | chunk |
//! | --- | --- |
//! | the eight letters `SUMITODT` | the four letters `CHNK` |
//! | u32: version, 1 | u32: how many records |
//! | u32: length of a record, 32 | u32: how many compressed bytes |
//! | u32: length of the settings | u32: CRC-32 of the compressed bytes |
//! | the settings as JSON | the records, compressed as raw deflate |
//!
//! A game's records lie together, in the order of the game, and games in the order of their numbers.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::read::{DeflateDecoder, DeflateEncoder};
use flate2::{Compression, Crc};

use super::record::DataRecord;
use super::settings::DataSettings;
use crate::run::{RunError, at, difference, lock, sign};

const MAGIC: &[u8; 8] = b"SUMITODT";
const VERSION: u32 = 1;
const CHUNK: &[u8; 4] = b"CHNK";
/// The length of a chunk's own header.
const CHUNK_HEADER: usize = 16;
/// A chunk is written once it has so many records: 512 KB before compression.
const CHUNK_RECORDS: usize = 1 << 14;
/// More than this in a chunk or in the settings is a broken file, not a large one.
const MOST: usize = 1 << 26;

/// Why there is no data.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Reading or writing failed, or somebody else is writing there.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The file is not what it should be.
    #[error("{} at byte {offset}: {why}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Where the part begins that is wrong.
        offset: u64,
        /// What was expected there, and what was found.
        why: String,
    },
    /// The file was made in another way.
    #[error("{} was made with other settings (its {fields} differ): choose another file, or repeat its settings to go on with it", path.display())]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// What differs.
        fields: String,
    },
}

/// Reads a file chunk by chunk; an iterator over the records of each.
pub struct Reader {
    path: PathBuf,
    input: BufReader<File>,
    settings: DataSettings,
    /// Where the next chunk begins.
    offset: u64,
    /// How long the file is.
    length: u64,
    failed: bool,
}

impl Reader {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Reader, DataError> {
        Reader::new(path, File::open(path).map_err(at(path))?)
    }

    fn new(path: &Path, file: File) -> Result<Reader, DataError> {
        let data = file.metadata().map_err(at(path))?;
        if data.is_dir() {
            return Err(at(path)(io::Error::other("expected a file, found a folder")).into());
        }
        let mut reader = Reader {
            path: path.to_path_buf(),
            input: BufReader::with_capacity(1 << 16, file),
            settings: DataSettings::default(),
            offset: 0,
            length: data.len(),
            failed: false,
        };
        reader.header()?;
        Ok(reader)
    }

    fn header(&mut self) -> Result<(), DataError> {
        let start = self.bytes(20, "a header")?;
        if &start[..8] != MAGIC {
            return Err(self.broken("expected training data of sumito, which begins with SUMITODT"));
        }
        let (version, size) = (word(&start, 8), word(&start, 12));
        if (version, size) != (VERSION, DataRecord::SIZE as u32) {
            let why = format!(
                "expected version {VERSION} with records of {} bytes, found version {version} with {size}",
                DataRecord::SIZE
            );
            return Err(self.broken(why));
        }
        let text = self.bytes(word(&start, 16) as usize, "the settings")?;
        self.settings = serde_json::from_slice(&text)
            .map_err(|why| self.broken(format!("expected settings as JSON: {why}")))?;
        self.offset = 20 + text.len() as u64;
        Ok(())
    }

    /// How the data was made.
    pub fn settings(&self) -> &DataSettings {
        &self.settings
    }

    /// How long the file was when it was opened, and how much of it has been read.
    pub fn progress(&self) -> (u64, u64) {
        (self.offset, self.length)
    }

    fn broken(&self, why: impl Into<String>) -> DataError {
        DataError::Broken { path: self.path.clone(), offset: self.offset, why: why.into() }
    }

    fn bytes(&mut self, count: usize, what: &str) -> Result<Vec<u8>, DataError> {
        if count > MOST {
            return Err(self.broken(format!("expected at most {MOST} bytes for {what}, found {count}")));
        }
        let mut bytes = vec![0; count];
        self.input.read_exact(&mut bytes).map_err(|why| match why.kind() {
            io::ErrorKind::UnexpectedEof => {
                self.broken(format!("expected {what} of {count} bytes, found the end of the file"))
            }
            _ => at(&self.path)(why).into(),
        })?;
        Ok(bytes)
    }

    fn chunk(&mut self) -> Result<Vec<DataRecord>, DataError> {
        let start = self.bytes(CHUNK_HEADER, "a chunk's header")?;
        if &start[..4] != CHUNK {
            return Err(self.broken("expected a chunk, which begins with CHNK"));
        }
        let (records, length) = (word(&start, 4) as usize, word(&start, 8) as usize);
        if records * DataRecord::SIZE > MOST {
            return Err(self.broken(format!("expected a smaller chunk, found {records} records")));
        }
        let packed = self.bytes(length, "a chunk")?;
        if checksum(&packed) != word(&start, 12) {
            return Err(self.broken("the chunk's checksum is wrong"));
        }
        // The decoder may have more to give than was promised; one byte more is enough to see it.
        let mut bytes = Vec::with_capacity(records * DataRecord::SIZE);
        let most = records as u64 * DataRecord::SIZE as u64 + 1;
        let read = DeflateDecoder::new(&packed[..]).take(most).read_to_end(&mut bytes);
        read.map_err(|why| self.broken(format!("the chunk cannot be unpacked: {why}")))?;
        if bytes.len() != records * DataRecord::SIZE {
            return Err(self.broken(format!("expected {records} records in the chunk, found another number")));
        }
        let (parts, _) = bytes.as_chunks::<{ DataRecord::SIZE }>();
        let parsed = parts.iter().zip(0..).map(|(part, number)| {
            DataRecord::from_bytes(part)
                .map_err(|why| self.broken(format!("record {number} of the chunk: {why}")))
        });
        let parsed = parsed.collect::<Result<_, _>>()?;
        self.offset += (CHUNK_HEADER + length) as u64;
        Ok(parsed)
    }
}

impl Iterator for Reader {
    type Item = Result<Vec<DataRecord>, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.offset >= self.length {
            return None;
        }
        let chunk = self.chunk();
        self.failed = chunk.is_err();
        Some(chunk)
    }
}

/// All records of a file.
pub fn read_all(path: &Path) -> Result<Vec<DataRecord>, DataError> {
    let mut records = Vec::new();
    for chunk in Reader::open(path)? {
        records.extend(chunk?);
    }
    Ok(records)
}

/// Gives out the records of several files, chunk by chunk, with the seed that made them. Tells how many of all bytes
/// were read.
pub fn read_each(
    paths: &[PathBuf],
    progress: &mut dyn FnMut(u64, u64),
    mut take: impl FnMut(&[DataRecord], u64),
) -> Result<(), DataError> {
    let readers: Vec<Reader> = paths.iter().map(|path| Reader::open(path)).collect::<Result<_, _>>()?;
    let whole: u64 = readers.iter().map(|reader| reader.progress().1).sum();
    let mut before = 0;
    for mut reader in readers {
        let seed = reader.settings().seed;
        while let Some(chunk) = reader.next() {
            take(&chunk?, seed);
            progress(before + reader.progress().0, whole);
        }
        before += reader.progress().1;
    }
    Ok(())
}

/// Adds records to a file. As long as it is open nobody else can write there.
#[derive(Debug)]
pub struct DataWriter {
    path: PathBuf,
    file: File,
    waiting: Vec<DataRecord>,
}

impl DataWriter {
    /// Creates a file, or opens the one that is there to go on with it: hands over its records, and cuts off a last
    /// chunk that was interrupted. Other damage is an error.
    pub fn open(
        path: &Path,
        settings: &DataSettings,
        mut found: impl FnMut(&[DataRecord]),
    ) -> Result<DataWriter, DataError> {
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(at(path))?;
        lock(&file, path, path)?;
        if file.metadata().map_err(at(path))?.len() == 0 {
            file.write_all(&header(settings)).map_err(at(path))?;
            sign(&path.with_added_extension("provenance.json"))?;
            return Ok(DataWriter { path: path.to_path_buf(), file, waiting: Vec::new() });
        }
        let mut reader = Reader::new(path, file.try_clone().map_err(at(path))?)?;
        let fields = difference(&reader.settings, settings);
        if !fields.is_empty() {
            return Err(DataError::OtherSettings { path: path.to_path_buf(), fields: fields.join(", ") });
        }
        while reader.offset < reader.length && !reader.is_cut_off()? {
            found(&reader.chunk()?);
        }
        file.set_len(reader.offset).map_err(at(path))?;
        file.seek(SeekFrom::End(0)).map_err(at(path))?;
        sign(&path.with_added_extension("provenance.json"))?;
        Ok(DataWriter { path: path.to_path_buf(), file, waiting: Vec::new() })
    }

    /// Adds the records of a game.
    pub fn append(&mut self, records: &[DataRecord]) -> Result<(), DataError> {
        self.waiting.extend_from_slice(records);
        if self.waiting.len() >= CHUNK_RECORDS { self.flush() } else { Ok(()) }
    }

    /// Writes what is waiting as a chunk, in one write.
    pub fn flush(&mut self) -> Result<(), DataError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let bytes: Vec<u8> = self.waiting.iter().flat_map(DataRecord::to_bytes).collect();
        let mut chunk = vec![0; CHUNK_HEADER];
        let packed = DeflateEncoder::new(&bytes[..], Compression::default()).read_to_end(&mut chunk);
        packed.map_err(at(&self.path))?;
        let words = [self.waiting.len(), chunk.len() - CHUNK_HEADER].map(|n| (n as u32).to_le_bytes());
        chunk[0..4].copy_from_slice(CHUNK);
        chunk[4..12].copy_from_slice(words.as_flattened());
        let sum = checksum(&chunk[CHUNK_HEADER..]);
        chunk[12..16].copy_from_slice(&sum.to_le_bytes());
        self.file.write_all(&chunk).map_err(at(&self.path))?;
        self.waiting.clear();
        Ok(())
    }
}

impl Reader {
    /// Whether the file ends within the next chunk.
    fn is_cut_off(&mut self) -> Result<bool, DataError> {
        let left = self.length - self.offset;
        if left < CHUNK_HEADER as u64 {
            return Ok(true);
        }
        let start = self.bytes(CHUNK_HEADER, "a chunk's header")?;
        self.input.seek_relative(-(CHUNK_HEADER as i64)).map_err(at(&self.path))?;
        Ok(&start[..4] == CHUNK && left - (CHUNK_HEADER as u64) < u64::from(word(&start, 8)))
    }
}

fn header(settings: &DataSettings) -> Vec<u8> {
    let text = serde_json::to_string(settings).expect("settings are plain data");
    let mut header = MAGIC.to_vec();
    for number in [VERSION, DataRecord::SIZE as u32, text.len() as u32] {
        header.extend(number.to_le_bytes());
    }
    header.extend(text.as_bytes());
    header
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::record::tests::records;
    use super::*;

    fn write(path: &Path, records: &[DataRecord]) {
        let mut writer = DataWriter::open(path, &DataSettings::default(), |_| ()).expect("a new file");
        for part in records.chunk_by(|one, other| one.game == other.game) {
            writer.append(part).expect("written");
        }
        writer.flush().expect("written");
    }

    #[test]
    fn a_file_is_read_back_as_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        let all = records(40_000, 5);
        write(&path, &all);
        assert_eq!(read_all(&path).expect("whole"), all);
        assert!(fs::metadata(&path).expect("there").len() < 40_000 * 32);
        assert_eq!(Reader::open(&path).expect("whole").settings(), &DataSettings::default());
    }

    #[test]
    fn a_file_that_is_cut_off_is_an_error_and_loses_its_last_chunk_when_gone_on_with() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        let all = records(40_000, 6);
        write(&path, &all);
        let bytes = fs::read(&path).expect("there");
        fs::write(&path, &bytes[..bytes.len() - 1]).expect("written");
        let error = read_all(&path).expect_err("cut off").to_string();
        assert!(error.contains("data at byte ") && error.contains("the end of the file"), "{error}");

        let mut found = Vec::new();
        let mut writer =
            DataWriter::open(&path, &DataSettings::default(), |part| found.extend_from_slice(part))
                .expect("goes on");
        assert!(found.len() >= 2 * CHUNK_RECORDS && found.len() < all.len());
        assert_eq!(found, all[..found.len()]);
        writer.append(&all[found.len()..]).expect("written");
        writer.flush().expect("written");
        assert_eq!(read_all(&path).expect("whole"), all);
    }

    #[test]
    fn any_changed_byte_of_a_chunk_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        write(&path, &records(20, 7));
        let good = fs::read(&path).expect("there");
        let start = header(&DataSettings::default()).len();
        for place in (start..good.len()).chain([0, 8, 12]) {
            let mut bytes = good.clone();
            bytes[place] ^= 0x55;
            fs::write(&path, &bytes).expect("written");
            let error = read_all(&path).expect_err("broken").to_string();
            let offset = if place < start { 0 } else { start };
            assert!(error.contains(&format!("data at byte {offset}: ")), "{place}: {error}");
        }
    }

    #[test]
    fn a_file_of_other_settings_is_not_gone_on_with() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        write(&path, &records(20, 8));
        let other = DataSettings { nodes: 7, seed: 9, ..DataSettings::default() };
        let error = DataWriter::open(&path, &other, |_| ()).expect_err("other settings").to_string();
        assert!(error.contains("its seed, nodes differ"), "{error}");
    }

    #[test]
    fn two_cannot_write_one_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        let _first = DataWriter::open(&path, &DataSettings::default(), |_| ()).expect("a new file");
        let second = DataWriter::open(&path, &DataSettings::default(), |_| ());
        assert!(matches!(second, Err(DataError::Run(RunError::Locked(_)))));
    }
}
