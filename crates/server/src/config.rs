//! What can be set: defaults, over them a file, over it the environment. The command's flags come last.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

/// How the server runs. Every field can be set in a file (TOML) and, in capitals after `SUMITO_`, in the environment.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The address to listen on. Anything but the own machine is a deliberate choice.
    pub listen: IpAddr,
    /// The port; if it is taken, the next free one. 0 for any.
    pub port: u16,
    /// The database's file.
    pub database: PathBuf,
    /// A folder to serve the pages from instead of those in the program.
    pub web_dir: Option<PathBuf>,
    /// Threads that search; 0 for one for each core.
    pub search_threads: usize,
    /// Searches of one client that may wait or run at a time.
    pub searches: usize,
    /// Searches of all clients together that may wait or run at a time.
    pub queue: usize,
    /// The table of each search thread's engine, in megabytes.
    pub hash_mb: usize,
    /// Requests a second from one client, in the long run.
    pub rate: u32,
    /// Requests at once from one client.
    pub burst: u32,
    /// Connections at a time.
    pub connections: usize,
    /// WebSockets of one client at a time.
    pub sockets: usize,
    /// The longest body of a request.
    pub body_bytes: usize,
    /// The longest text of games to import.
    pub import_bytes: usize,
    /// Seconds for a request's headers, and for the whole of it.
    pub timeout_s: u64,
    /// Seconds that a shutdown waits for requests under way.
    pub shutdown_s: u64,
    /// Whether a proxy in front tells the client's address in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// How logs are written: `text` or `json`.
    pub log_format: LogFormat,
    /// What is logged: `error`, `warn`, `info`, `debug`, or by module.
    pub log: String,
}

/// How logs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 7161,
            database: PathBuf::from("sumito.db"),
            web_dir: None,
            search_threads: 0,
            searches: 4,
            queue: 256,
            hash_mb: 32,
            rate: 100,
            burst: 400,
            connections: 2048,
            sockets: 64,
            body_bytes: 1 << 20,
            import_bytes: 32 << 20,
            timeout_s: 30,
            shutdown_s: 10,
            behind_proxy: false,
            log_format: LogFormat::Text,
            log: "info".to_string(),
        }
    }
}

/// Settings that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file.
    #[error("the configuration {}: {why}", .file.display())]
    File {
        /// Its name.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A variable of the environment.
    #[error("the variable {name}: {why}")]
    Variable {
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// A value that makes no sense.
    #[error("{field}: expected {expected}, found {found}")]
    Value {
        /// The setting.
        field: &'static str,
        /// What fits.
        expected: &'static str,
        /// What was given.
        found: String,
    },
}

/// More connections than any machine holds.
const MOST_CONNECTIONS: usize = 1_000_000;
/// What variables of the environment begin with.
const PREFIX: &str = "SUMITO_";

impl Config {
    /// Defaults, over them a file if one is given, over it the environment.
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Config, ConfigError> {
        let mut table = match file {
            Some(file) => read(file)?,
            None => toml::Table::new(),
        };
        for (name, value) in environment {
            let Some(field) = name.strip_prefix(PREFIX).map(str::to_lowercase) else { continue };
            // Numbers and flags as TOML writes them; anything else is a text.
            let value = toml::from_str::<toml::Table>(&format!("x = {value}"))
                .ok()
                .and_then(|mut table| table.remove("x"))
                .filter(|value| value.is_integer() || value.is_bool())
                .unwrap_or(toml::Value::String(value));
            let one = toml::Table::from_iter([(field.clone(), value.clone())]);
            one.try_into::<Config>()
                .map_err(|error| ConfigError::Variable { name, why: error.message().to_string() })?;
            table.insert(field, value);
        }
        let config: Config = table.try_into().map_err(|error| ConfigError::File {
            file: file.map(Path::to_path_buf).unwrap_or_default(),
            why: error.message().to_string(),
        })?;
        config.checked()
    }

    /// Says which value makes no sense, if one does.
    pub fn checked(self) -> Result<Config, ConfigError> {
        let least = |field, value: usize| {
            let error =
                ConfigError::Value { field, expected: "a whole number from 1", found: value.to_string() };
            if value == 0 { Err(error) } else { Ok(()) }
        };
        least("searches", self.searches)?;
        least("queue", self.queue)?;
        least("hash_mb", self.hash_mb)?;
        least("rate", self.rate as usize)?;
        least("burst", self.burst as usize)?;
        least("connections", self.connections)?;
        if self.connections > MOST_CONNECTIONS {
            let found = self.connections.to_string();
            return Err(ConfigError::Value { field: "connections", expected: "at most a million", found });
        }
        least("sockets", self.sockets)?;
        least("body_bytes", self.body_bytes)?;
        least("import_bytes", self.import_bytes)?;
        least("timeout_s", self.timeout_s as usize)?;
        Ok(self)
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        match self.search_threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads,
        }
    }

    /// The address to try first.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::new(self.listen, self.port)
    }

    /// The time that a request may take.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_s)
    }
}

fn read(file: &Path) -> Result<toml::Table, ConfigError> {
    let wrong = |why: String| ConfigError::File { file: file.to_path_buf(), why };
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    // The whole file first: its errors tell line and column.
    toml::from_str::<Config>(&text).map_err(|error| wrong(error.to_string()))?;
    toml::from_str(&text).map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &[(&str, &str)]) -> std::vec::IntoIter<(String, String)> {
        pairs
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .collect::<Vec<_>>()
            .into_iter()
    }

    #[test]
    fn the_environment_goes_over_the_file_and_the_file_over_the_defaults() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("sumito.toml");
        std::fs::write(&file, "port = 9000\nrate = 7\n").expect("written");
        let variables = [("SUMITO_RATE", "9"), ("SUMITO_DATABASE", "x y.db"), ("HOME", "/")];
        let config = Config::load(Some(&file), env(&variables)).expect("readable");
        assert_eq!((config.port, config.rate, config.burst), (9000, 9, Config::default().burst));
        assert_eq!(config.database, PathBuf::from("x y.db"));
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("sumito.toml");
        std::fs::write(&file, "port = 9000\nrte = 7\n").expect("written");
        let told = |error: ConfigError| error.to_string();
        let text = told(Config::load(Some(&file), env(&[])).expect_err("a misspelt name"));
        assert!(text.contains("sumito.toml") && text.contains("line 2"), "{text}");
        let text = told(Config::load(None, env(&[("SUMITO_RATE", "fast")])).expect_err("no number"));
        assert!(text.starts_with("the variable SUMITO_RATE: "), "{text}");
        let text = told(Config::load(None, env(&[("SUMITO_RATE", "0")])).expect_err("zero"));
        assert_eq!(text, "rate: expected a whole number from 1, found 0");
    }
}
