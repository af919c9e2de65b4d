//! Random names: ids of games and imports, and the keys to games.

use sha2::{Digest, Sha256};

/// Letters and digits that nobody takes for each other.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Letters of an id: fifty bits, so that none is met by chance.
const ID: usize = 10;
/// Letters of a key: 160 bits, so that none is guessed.
const KEY: usize = 32;

fn random(letters: usize) -> String {
    let mut bytes = vec![0; letters];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.into_iter().map(letter).collect()
}

fn letter(byte: u8) -> char {
    ALPHABET[usize::from(byte) % ALPHABET.len()] as char
}

/// Either of two, with equal chance.
pub(crate) fn coin() -> bool {
    let mut byte = [0];
    getrandom::fill(&mut byte).expect("the system has random numbers");
    byte[0] & 1 == 1
}

/// A new id.
pub(crate) fn id() -> String {
    random(ID)
}

/// A new key.
pub(crate) fn key() -> String {
    random(KEY)
}

/// The id of a game that follows from where it is played, so that what was begun before a restart is not begun twice.
pub(crate) fn of_board(tournament: &str, round: u32, board: u32) -> String {
    let digest = Sha256::digest(format!("{tournament}/{round}/{board}"));
    digest.iter().take(ID).map(|byte| letter(*byte)).collect()
}

/// What is kept of a key.
pub(crate) fn hashed(key: &str) -> Vec<u8> {
    Sha256::digest(key.as_bytes()).to_vec()
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_keys_do_not_repeat() {
        let ids: std::collections::HashSet<String> = (0..1000).map(|_| id()).collect();
        assert_eq!((ids.len(), ids.iter().all(|id| id.len() == ID)), (1000, true));
        assert_ne!(hashed(&key()), hashed(&key()));
    }
}
