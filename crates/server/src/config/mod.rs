//! What can be set: defaults, over them a file, over it the environment. The command's flags come last.

mod network;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

pub use network::{Network, NetworkError};

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
    /// Connections at a time. The system's limit on open files can make it less.
    pub connections: usize,
    /// Connections of one address at a time; of a proxy's clients, requests under way.
    pub address_connections: usize,
    /// WebSockets of one client at a time.
    pub sockets: usize,
    /// The longest body of a request.
    pub body_bytes: usize,
    /// The longest text of games to import.
    pub import_bytes: usize,
    /// Megabytes by which one client may make the database grow in a day. Not for the owner of the machine.
    pub growth_mb: u64,
    /// Megabytes of the database from which on it takes no new games. Not for the owner of the machine.
    pub database_mb: u64,
    /// Days after which games that were played here are deleted, counted from their last change; 0 for never.
    pub keep_days: u32,
    /// Games in one text to import.
    pub import_games: usize,
    /// Seconds for a request's headers, and for the whole of it. A connection without a request ends after as many.
    pub timeout_s: u64,
    /// Seconds after which a connection ends whose other end takes nothing of what is sent.
    pub write_timeout_s: u64,
    /// Seconds that a shutdown waits for requests under way.
    pub shutdown_s: u64,
    /// Whether a proxy on this machine tells the client's address in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// Other proxies that are believed: addresses or networks.
    pub proxies: Vec<Network>,
    /// Names under which the server is reached. It answers to addresses and `localhost` besides.
    pub hosts: Vec<String>,
    /// Whether there are accounts, so that people meet here.
    pub arena: bool,
    /// Whether agents of known strength play there, as accounts of the house. Without accounts nobody could meet them.
    pub house: bool,
    /// Games that two programs may begin with each other in a day.
    pub bot_games: usize,
    /// Requests a second with the token of one program, in the long run.
    pub token_rate: u32,
    /// Streams of one account at a time.
    pub streams: usize,
    /// Milliseconds after which a stream that has nothing to say sends an empty line.
    pub keep_alive_ms: u64,
    /// What links to this server begin with, such as `https://sumito.example`; its name counts as one of `hosts`.
    pub public_url: Option<String>,
    /// A port for the server's numbers alone; they are not on the main port then.
    pub metrics_port: Option<u16>,
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
            address_connections: 256,
            sockets: 64,
            body_bytes: 1 << 20,
            import_bytes: 32 << 20,
            growth_mb: 64,
            database_mb: 16 << 10,
            keep_days: 0,
            import_games: 100_000,
            timeout_s: 30,
            write_timeout_s: 20,
            shutdown_s: 10,
            behind_proxy: false,
            proxies: Vec::new(),
            hosts: Vec::new(),
            arena: false,
            house: true,
            bot_games: 100,
            token_rate: 20,
            streams: 80,
            keep_alive_ms: 7000,
            public_url: None,
            metrics_port: None,
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
            let value = variable(&field, value);
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
    pub fn checked(mut self) -> Result<Config, ConfigError> {
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
        least("address_connections", self.address_connections)?;
        least("sockets", self.sockets)?;
        least("body_bytes", self.body_bytes)?;
        least("import_bytes", self.import_bytes)?;
        least("growth_mb", self.growth_mb as usize)?;
        least("token_rate", self.token_rate as usize)?;
        least("streams", self.streams)?;
        least("keep_alive_ms", self.keep_alive_ms as usize)?;
        least("database_mb", self.database_mb as usize)?;
        least("import_games", self.import_games)?;
        least("timeout_s", self.timeout_s as usize)?;
        least("write_timeout_s", self.write_timeout_s as usize)?;
        if let Some(name) = self.hosts.iter().find(|name| !is_host(name)) {
            let (expected, found) = ("names without scheme, port and path", format!("'{name}'"));
            return Err(ConfigError::Value { field: "hosts", expected, found });
        }
        if let Some(url) = self.public_url.take() {
            self.public_url = Some(origin(&url)?);
        }
        Ok(self)
    }

    /// Whether there is a proxy in front.
    pub fn has_proxy(&self) -> bool {
        self.behind_proxy || !self.proxies.is_empty()
    }

    /// Whether this address is that of a proxy that is believed.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.behind_proxy && address.is_loopback()
            || self.proxies.iter().any(|network| network.contains(address))
    }

    /// Whether only this machine can reach the server.
    pub fn is_private(&self) -> bool {
        self.listen.is_loopback() && !self.has_proxy()
    }

    /// Whether everybody comes over HTTPS.
    pub fn is_secure(&self) -> bool {
        self.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
    }

    /// The host of the public URL, with its port if it has one.
    pub fn public_host(&self) -> Option<&str> {
        self.public_url.as_deref()?.split_once("://").map(|(_, host)| host)
    }

    /// Whether the server answers to a name, given without its port.
    ///
    /// A page of another site can make its own name point to this server, but not an address or `localhost`.
    pub fn answers_to(&self, name: &str) -> bool {
        if let Ok(address) = name.parse::<IpAddr>() {
            return address.is_loopback() || !self.is_private();
        }
        let name = name.trim_end_matches('.');
        let public = self.public_host().map(bare);
        let mut known = self.hosts.iter().map(String::as_str).chain(public).chain(["localhost"]);
        known.any(|known| known.eq_ignore_ascii_case(name))
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

/// Settings that are lists; a variable has their parts with commas.
const LISTS: [&str; 2] = ["hosts", "proxies"];

/// A variable's value: numbers and flags as TOML writes them; anything else is a text.
fn variable(field: &str, value: String) -> toml::Value {
    if LISTS.contains(&field) {
        let parts = value.split(',').map(str::trim).filter(|part| !part.is_empty());
        return toml::Value::Array(parts.map(|part| toml::Value::String(part.to_string())).collect());
    }
    toml::from_str::<toml::Table>(&format!("x = {value}"))
        .ok()
        .and_then(|mut table| table.remove("x"))
        .filter(|value| value.is_integer() || value.is_bool())
        .unwrap_or(toml::Value::String(value))
}

/// A host without its port.
pub(crate) fn bare(host: &str) -> &str {
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.split(':').next().unwrap_or(host),
    }
}

fn is_host(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.';
    !name.is_empty() && name.chars().all(fits)
}

/// The beginning of a URL up to the host's port.
fn origin(url: &str) -> Result<String, ConfigError> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.map(|rest| rest.strip_suffix('/').unwrap_or(rest));
    let is_port = |host: &str| host.rsplit_once(':').is_none_or(|(_, port)| port.parse::<u16>().is_ok());
    let is_address = |host: &str| bare(host).parse::<IpAddr>().is_ok();
    match host {
        Some(host) if (is_host(bare(host)) && is_port(host)) || is_address(host) => {
            Ok(url.strip_suffix('/').unwrap_or(url).to_ascii_lowercase())
        }
        _ => {
            let expected = "a URL without a path, such as https://sumito.example";
            Err(ConfigError::Value { field: "public_url", expected, found: format!("'{url}'") })
        }
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
        for (name, value, expected) in [
            ("SUMITO_PROXIES", "10.0.0.1,proxy", "found 'proxy'"),
            ("SUMITO_HOSTS", "http://sumito.example", "names without scheme"),
            ("SUMITO_PUBLIC_URL", "sumito.example", "a URL without a path"),
            ("SUMITO_PUBLIC_URL", "https://sumito.example/play", "a URL without a path"),
            ("SUMITO_METRICS_PORT", "70000", "SUMITO_METRICS_PORT"),
        ] {
            let text = told(Config::load(None, env(&[(name, value)])).expect_err(value));
            assert!(text.contains(expected), "{value}: {text}");
        }
    }

    #[test]
    fn names_are_answered_to_when_they_are_listed_and_addresses_when_others_can_reach_the_server() {
        let config = |pairs: &[(&str, &str)]| Config::load(None, env(pairs)).expect("settings");
        let private = config(&[]);
        let open = config(&[("SUMITO_LISTEN", "0.0.0.0")]);
        let named = config(&[
            ("SUMITO_BEHIND_PROXY", "true"),
            ("SUMITO_HOSTS", "play.example, www.play.example"),
            ("SUMITO_PUBLIC_URL", "https://Sumito.example:8443/"),
        ]);
        assert_eq!(named.public_url.as_deref(), Some("https://sumito.example:8443"));
        for (name, expected) in [
            ("localhost", [true, true, true]),
            ("127.0.0.1", [true, true, true]),
            ("192.168.1.5", [false, true, true]),
            ("PLAY.example", [false, false, true]),
            ("www.play.example.", [false, false, true]),
            ("sumito.example", [false, false, true]),
            ("evil.example", [false, false, false]),
            ("", [false, false, false]),
        ] {
            assert_eq!([&private, &open, &named].map(|config| config.answers_to(name)), expected, "{name}");
        }
    }

    #[test]
    fn only_listed_proxies_are_believed() {
        let config = |pairs: &[(&str, &str)]| Config::load(None, env(pairs)).expect("settings");
        let trusts = |config: &Config| {
            ["127.0.0.1", "::1", "10.1.2.3", "9.9.9.9"].map(|a| config.trusts(a.parse().expect("an address")))
        };
        assert_eq!(trusts(&config(&[])), [false; 4]);
        assert_eq!(trusts(&config(&[("SUMITO_BEHIND_PROXY", "true")])), [true, true, false, false]);
        assert_eq!(trusts(&config(&[("SUMITO_PROXIES", "10.0.0.0/8")])), [false, false, true, false]);
    }
}
