//! Numbers about the running server, in the text that Prometheus reads.

use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// A number that only grows.
#[derive(Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number that goes up and down.
#[derive(Default)]
pub(crate) struct Gauge(AtomicI64);

impl Gauge {
    pub(crate) fn add(&self, more: i64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn set(&self, value: i64) {
        self.0.store(value, Ordering::Relaxed);
    }

    fn get(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The upper ends of the parts that times are sorted into, in milliseconds.
const ENDS: [u64; 12] = [1, 2, 5, 10, 20, 50, 100, 150, 300, 1000, 3000, 10_000];

/// Times, sorted by their length.
#[derive(Default)]
pub(crate) struct Times {
    parts: [AtomicU64; ENDS.len() + 1],
    micros: AtomicU64,
}

impl Times {
    pub(crate) fn add(&self, time: Duration) {
        let part = ENDS.iter().position(|&end| time <= Duration::from_millis(end)).unwrap_or(ENDS.len());
        self.parts[part].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(time.as_micros() as u64, Ordering::Relaxed);
    }

    fn write(&self, out: &mut String, name: &str) {
        let mut sum = 0;
        for (part, end) in self.parts.iter().zip(ENDS) {
            sum += part.load(Ordering::Relaxed);
            line(out, &format!("{name}_bucket{{le=\"{}\"}}", end as f64 / 1000.0), sum as f64);
        }
        sum += self.parts[ENDS.len()].load(Ordering::Relaxed);
        line(out, &format!("{name}_bucket{{le=\"+Inf\"}}"), sum as f64);
        line(out, &format!("{name}_sum"), self.micros.load(Ordering::Relaxed) as f64 / 1e6);
        line(out, &format!("{name}_count"), sum as f64);
    }
}

/// All numbers.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Answers by the hundreds of their status: 1xx to 5xx.
    pub(crate) answers: [Counter; 5],
    /// How long requests took.
    pub(crate) requests: Times,
    /// How long it took from a move to its acknowledgement.
    pub(crate) moves: Times,
    /// Transactions.
    pub(crate) commits: Counter,
    /// Writes that failed.
    pub(crate) failed_writes: Counter,
    /// Connections that are open.
    pub(crate) connections: Gauge,
    /// Connections that found no place.
    pub(crate) refused_connections: Counter,
    /// WebSockets that are open.
    pub(crate) sockets: Gauge,
    /// Games in memory.
    pub(crate) games: Gauge,
    /// Searches that run.
    pub(crate) running: Gauge,
    /// Searches that wait.
    pub(crate) waiting: Gauge,
    /// Searches begun.
    pub(crate) searches: Counter,
}

impl Metrics {
    pub(crate) fn answered(&self, status: u16, time: Duration) {
        if let Some(counter) = self.answers.get(usize::from(status / 100).wrapping_sub(1)) {
            counter.add(1);
        }
        self.requests.add(time);
    }

    /// The numbers as Prometheus reads them.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        head(&mut out, "sumito_http_responses_total", "counter", "Answers by status.");
        for (hundreds, counter) in (1..).zip(&self.answers) {
            let name = format!("sumito_http_responses_total{{status=\"{hundreds}xx\"}}");
            line(&mut out, &name, counter.get() as f64);
        }
        for (name, help, times) in [
            ("sumito_http_request_seconds", "Time from a request to its answer.", &self.requests),
            ("sumito_move_seconds", "Time from a move to its acknowledgement.", &self.moves),
        ] {
            head(&mut out, name, "histogram", help);
            times.write(&mut out, name);
        }
        for (name, help, counter) in [
            ("sumito_commits_total", "Transactions written.", &self.commits),
            ("sumito_failed_writes_total", "Writes that failed.", &self.failed_writes),
            ("sumito_searches_total", "Searches begun.", &self.searches),
            ("sumito_connections_refused_total", "Connections refused.", &self.refused_connections),
        ] {
            head(&mut out, name, "counter", help);
            line(&mut out, name, counter.get() as f64);
        }
        for (name, help, gauge) in [
            ("sumito_connections", "Open connections.", &self.connections),
            ("sumito_sockets", "Open WebSockets.", &self.sockets),
            ("sumito_games", "Games in memory.", &self.games),
            ("sumito_searches_running", "Searches that run.", &self.running),
            ("sumito_searches_waiting", "Searches that wait.", &self.waiting),
        ] {
            head(&mut out, name, "gauge", help);
            line(&mut out, name, gauge.get() as f64);
        }
        out
    }
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}").expect("writing to a string");
}

fn line(out: &mut String, name: &str, value: f64) {
    writeln!(out, "{name} {value}").expect("writing to a string");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_up_from_part_to_part() {
        let metrics = Metrics::default();
        for ms in [3, 30, 30_000] {
            metrics.moves.add(Duration::from_millis(ms));
        }
        let text = metrics.text();
        for expected in [
            "sumito_move_seconds_bucket{le=\"0.002\"} 0\n",
            "sumito_move_seconds_bucket{le=\"0.005\"} 1\n",
            "sumito_move_seconds_bucket{le=\"0.05\"} 2\n",
            "sumito_move_seconds_bucket{le=\"+Inf\"} 3\n",
            "sumito_move_seconds_count 3\n",
        ] {
            assert!(text.contains(expected), "{expected}");
        }
    }
}
