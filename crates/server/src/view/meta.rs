//! What there is: agents, levels, layouts, rules, notations, limits.

use serde::Serialize;
use serde_json::Value;
use sumito_agents::options::{Access, Kind, OptionSpec};
use sumito_agents::registry::{self, Entry};
use sumito_engine::Level;
use sumito_rules::{Cell, Color, Layout, Notation, PositionFormat, Rules};
use utoipa::ToSchema;

use super::position::MOST_MOVES;
use super::rules::RulesView;
use super::words::CellWord;
use crate::config::Config;

/// Everything that a page needs to offer choices.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Meta {
    #[schema(value_type = String)]
    name: &'static str,
    #[schema(value_type = String)]
    version: &'static str,
    #[schema(value_type = String)]
    licence: &'static str,
    /// What links to this server begin with, if it knows.
    public_url: Option<String>,
    /// Whether there are accounts.
    arena: bool,
    agents: Vec<AgentView>,
    levels: Vec<LevelView>,
    ratings: Vec<RatingView>,
    layouts: Vec<LayoutView>,
    rules: Vec<PresetView>,
    #[schema(value_type = Vec<String>)]
    notations: Vec<&'static str>,
    #[schema(value_type = Vec<String>)]
    position_formats: Vec<&'static str>,
    limits: LimitsView,
}

/// An agent of the registry.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AgentView {
    #[schema(value_type = String)]
    name: &'static str,
    #[schema(value_type = String)]
    summary: &'static str,
    /// The document that it comes from.
    #[schema(value_type = String)]
    source: &'static str,
    options: Vec<OptionView>,
}

/// An option of an agent.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OptionView {
    #[schema(value_type = String)]
    name: &'static str,
    /// Such as `int`, `float`, `flag`, `choice`, `time` or `text`.
    #[schema(value_type = String)]
    kind: &'static str,
    default: String,
    range: Option<RangeView>,
    #[schema(value_type = String)]
    help: &'static str,
}

/// What an option may be.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum RangeView {
    /// A number between these, both included.
    Numbers {
        #[schema(value_type = f64)]
        min: Value,
        #[schema(value_type = f64)]
        max: Value,
    },
    /// One of these words.
    Words(Vec<String>),
}

impl RangeView {
    fn words(words: &[&str]) -> RangeView {
        RangeView::Words(words.iter().map(|word| (*word).to_string()).collect())
    }
}

/// A level of the flagship.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LevelView {
    level: u8,
    #[schema(value_type = String)]
    name: &'static str,
    elo: i32,
    spec: String,
}

/// How strong an agent is beside the levels.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct RatingView {
    #[schema(value_type = String)]
    spec: &'static str,
    elo: i32,
    /// The half width of the interval of 95 %.
    error: i32,
}

/// Measured together with the levels: `experiments/logs/levels` has the commands and the games.
const RATINGS: [RatingView; 6] = [
    RatingView { spec: "aba-pro:depth=4", elo: 1610, error: 130 },
    RatingView { spec: "verloop:depth=3", elo: 880, error: 170 },
    RatingView { spec: "cornell:depth=2", elo: 810, error: 170 },
    RatingView { spec: "bcit:depth=2", elo: 680, error: 220 },
    RatingView { spec: "maastricht:depth=2", elo: 240, error: 250 },
    RatingView { spec: "random", elo: -170, error: 530 },
];

/// A starting layout.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LayoutView {
    #[schema(value_type = String)]
    name: &'static str,
    #[schema(value_type = String)]
    title: &'static str,
    fen: String,
    #[schema(value_type = Vec<CellWord>)]
    black: Vec<Cell>,
    #[schema(value_type = Vec<CellWord>)]
    white: Vec<Cell>,
    /// Whether the sources agree about it.
    agreed: bool,
    #[schema(value_type = String)]
    dispute: &'static str,
}

/// Rules by name.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PresetView {
    #[schema(value_type = String)]
    name: &'static str,
    rules: RulesView,
}

/// What a client may ask for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LimitsView {
    body_bytes: usize,
    import_bytes: usize,
    moves: usize,
    lines: usize,
    time_ms: u64,
    nodes: u64,
    depth: u32,
    think_ms: u64,
    searches: usize,
}

/// Lines of an analysis.
pub(crate) const LINES: usize = 10;
/// The longest analysis.
pub(crate) const TIME_MS: u64 = 600_000;
/// The most nodes of an analysis.
pub(crate) const NODES: u64 = 1_000_000_000;
/// The deepest analysis.
pub(crate) const DEPTH: u32 = 64;

impl Meta {
    pub(crate) fn new(config: &Config) -> Meta {
        Meta {
            name: "Sumito",
            version: env!("CARGO_PKG_VERSION"),
            licence: env!("CARGO_PKG_LICENSE"),
            public_url: config.public_url.clone(),
            arena: config.arena,
            agents: registry::entries().iter().map(|entry| agent(entry)).collect(),
            levels: Level::all().map(level).collect(),
            ratings: RATINGS.to_vec(),
            layouts: Layout::all().iter().map(layout).collect(),
            rules: Rules::PRESETS
                .iter()
                .map(|(name, rules)| PresetView { name, rules: rules.into() })
                .collect(),
            notations: Notation::ALL.map(Notation::name).to_vec(),
            position_formats: PositionFormat::ALL.map(PositionFormat::name).to_vec(),
            limits: LimitsView {
                body_bytes: config.body_bytes,
                import_bytes: config.import_bytes,
                moves: MOST_MOVES,
                lines: LINES,
                time_ms: TIME_MS,
                nodes: NODES,
                depth: DEPTH,
                think_ms: 60_000,
                searches: config.searches,
            },
        }
    }
}

fn agent(entry: &'static Entry) -> AgentView {
    let shown = |spec: &&OptionSpec| !spec.is_hidden && is_for_choice(spec.kind);
    let options = entry.options.iter().filter(shown).map(option).collect();
    AgentView { name: entry.name, summary: entry.summary, source: entry.source, options }
}

/// Whether people are asked for it: what is open, and memory up to their share.
fn is_for_choice(kind: Kind) -> bool {
    kind.access() == Access::Open || matches!(kind, Kind::Memory { .. })
}

fn option(spec: &OptionSpec) -> OptionView {
    let kind = match spec.kind {
        Kind::Memory { default, min, max, share } => {
            Kind::Int { default: default.min(share), min, max: max.min(share) }
        }
        kind => kind,
    };
    let range = match kind {
        Kind::Int { min, max, .. } => Some(RangeView::Numbers { min: min.into(), max: max.into() }),
        Kind::Float { min, max, .. } => Some(RangeView::Numbers { min: min.into(), max: max.into() }),
        Kind::Flag(_) => Some(RangeView::words(&["on", "off"])),
        Kind::Choice(words) => Some(RangeView::words(words)),
        _ => None,
    };
    OptionView { name: spec.name, kind: kind.word(), default: kind.default_text(), range, help: spec.help }
}

fn level(level: Level) -> LevelView {
    let number = level.number();
    LevelView { level: number, name: level.name(), elo: level.elo(), spec: format!("sumito:level={number}") }
}

fn layout(layout: &'static Layout) -> LayoutView {
    let position = layout.position();
    let cells = |color| position.marbles(color).sorted().collect();
    LayoutView {
        name: layout.name,
        title: layout.title,
        fen: position.to_string(),
        black: cells(Color::Black),
        white: cells(Color::White),
        agreed: !layout.is_disputed(),
        dispute: layout.dispute,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn ratings_are_those_of_the_log_that_measured_them() {
        let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/logs/levels/README.md");
        let log = std::fs::read_to_string(log).expect("the log");
        for RatingView { spec, elo, error } in RATINGS {
            let row = format!("| `{spec}` | {elo} | {error} |");
            assert!(log.contains(&row), "the log has no row {row}");
        }
        for level in Level::all() {
            let row = format!("| `sumito:level={}` | {} | ", level.number(), level.elo());
            assert!(log.contains(&row), "the log has no row {row}");
        }
    }
}
