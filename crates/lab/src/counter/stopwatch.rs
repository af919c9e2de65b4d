//! How long a search takes: by the clock, and in time of processors, which other work on the machine cannot stretch.

use std::time::{Duration, Instant};

/// Started before a search, read after it.
pub(super) struct Stopwatch {
    start: Instant,
    busy: Duration,
}

impl Stopwatch {
    pub(super) fn start() -> Stopwatch {
        Stopwatch { busy: busy(), start: Instant::now() }
    }

    /// Microseconds by the clock.
    pub(super) fn wall(&self) -> u64 {
        self.start.elapsed().as_micros() as u64
    }

    /// Microseconds that all threads of this program were at work; by the clock where that is not known. It is that of a
    /// search only if nothing else runs here.
    pub(super) fn cpu(&self) -> u64 {
        if cfg!(unix) { busy().saturating_sub(self.busy).as_micros() as u64 } else { self.wall() }
    }
}

/// The processor time of this program so far.
#[cfg(unix)]
fn busy() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

#[cfg(not(unix))]
fn busy() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time() {
        let watch = Stopwatch::start();
        let sum = (0..3_000_000u64).fold(0, |sum: u64, n| std::hint::black_box(sum.wrapping_mul(31) ^ n));
        assert!(watch.cpu() > 0 && watch.wall() > 0, "{sum}");
    }
}
