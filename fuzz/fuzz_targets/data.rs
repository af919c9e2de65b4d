//! Training data. Either any bytes as a file, or chunks of altered records with checksums that fit. What is read is
//! summed up and written again, and a file that can be read can be gone on with.
#![no_main]

use std::io::Read;
use std::path::Path;

use flate2::read::DeflateEncoder;
use flate2::{Compression, Crc};
use sumito_fuzz::{Choices, folder, fuzz_target};
use sumito_lab::data::{DataRecord, DataSettings, DataWriter, Reader, Summary, read_all};
use sumito_lab::stats::Ending;
use sumito_rules::Layout;

/// The records of a short game, some of their bytes changed.
fn records(choices: &mut Choices<'_>) -> Vec<u8> {
    let mut position = choices.pick(Layout::all()).position();
    let mut bytes = Vec::new();
    for _ in 0..1 + choices.below(6) {
        let best = *choices.pick(&position.legal_moves());
        let (score, depth) = (choices.short() as i16, choices.byte());
        bytes.extend(DataRecord { position, game: 0, score, best, ending: Ending::Draw, depth }.to_bytes());
        position = position.play_unchecked(best);
    }
    for _ in 0..choices.below(4) {
        let place = choices.below(bytes.len());
        bytes[place] = choices.byte();
    }
    bytes
}

/// A chunk with a checksum that fits, though its length or its number of records may not.
fn chunk(choices: &mut Choices<'_>) -> Vec<u8> {
    let records = records(choices);
    let mut packed = Vec::new();
    DeflateEncoder::new(&records[..], Compression::fast()).read_to_end(&mut packed).expect("memory");
    if choices.byte() % 8 == 0 {
        let place = choices.below(packed.len());
        packed[place] ^= choices.byte();
    }
    let mut words = [(records.len() / DataRecord::SIZE) as u32, packed.len() as u32];
    if choices.byte() % 8 == 0 {
        words[choices.below(2)] = choices.word();
    }
    let mut crc = Crc::new();
    crc.update(&packed);
    let words = [words[0], words[1], crc.sum()].map(u32::to_le_bytes);
    [b"CHNK", words.as_flattened(), &packed].concat()
}

/// A file of the settings that are usual, with some chunks.
fn file(choices: &mut Choices<'_>, path: &Path) {
    std::fs::write(path, []).expect("written");
    drop(DataWriter::open(path, &DataSettings::default(), |_| ()).expect("a new file"));
    let mut bytes = std::fs::read(path).expect("there");
    if choices.byte() % 8 == 0 {
        let place = choices.below(bytes.len());
        bytes[place] = choices.byte();
    }
    for _ in 0..choices.below(4) {
        bytes.extend(chunk(choices));
    }
    bytes.truncate(bytes.len() - choices.below(3));
    std::fs::write(path, bytes).expect("written");
}

fuzz_target!(|bytes: &[u8]| {
    let path = folder().join("data");
    let mut choices = Choices(bytes);
    match choices.byte() % 4 {
        0 => std::fs::write(&path, choices.0).expect("written"),
        _ => file(&mut choices, &path),
    }
    let all = read_all(&path);
    if let Ok(all) = &all {
        all.iter().for_each(|record| assert_eq!(DataRecord::from_bytes(&record.to_bytes()), Ok(*record)));
        let mut summary = Summary::default();
        summary.add(all);
        assert_eq!(summary.positions, all.len() as u64);
    }
    let Ok(settings) = Reader::open(&path).map(|reader| reader.settings().clone()) else { return };
    let mut found = Vec::new();
    let Ok(mut writer) = DataWriter::open(&path, &settings, |part| found.extend_from_slice(part)) else {
        return;
    };
    assert!(all.is_err() || all.is_ok_and(|all| all == found));
    writer.append(&found).and_then(|()| writer.flush()).expect("a file that can be written");
    assert_eq!(read_all(&path).expect("whole"), [&found[..], &found[..]].concat());
});
