//! What the targets share: a limit on memory, bytes as choices, a file to write, and a server without a socket.

mod memory;
#[cfg(feature = "all")]
mod site;

pub use libfuzzer_sys::fuzz_target;
#[cfg(feature = "all")]
pub use site::Site;

use std::path::PathBuf;

/// Bytes that decide something; zeroes when they are used up.
pub struct Choices<'a>(pub &'a [u8]);

impl<'a> Choices<'a> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number of 16 bits.
    pub fn short(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// A number of 32 bits.
    pub fn word(&mut self) -> u32 {
        u32::from(self.short()) | u32::from(self.short()) << 16
    }

    /// A number below this one.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.short()) % n.max(1)
    }

    /// One of these.
    pub fn pick<'b, T>(&mut self, items: &'b [T]) -> &'b T {
        &items[self.below(items.len())]
    }

    /// Whether there are bytes left.
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

/// A folder of this process alone, below the one that `FUZZ_FOLDER` names (`.ci/fuzz` removes that one at its end) or the
/// system's for temporary files.
pub fn folder() -> PathBuf {
    let base = std::env::var_os("FUZZ_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = base.join(format!("sumito-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for files");
    folder
}

/// FNV-1a, the checksum of networks and checkpoints: with it, altered files pass for whole ones.
pub fn fnv(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().copied().flatten();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
