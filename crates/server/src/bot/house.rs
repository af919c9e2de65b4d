//! The house's players: agents of known strength, who are always there.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use sumito_agents::Limits;

use super::line::Line;
use super::mind::Mind;
use super::{Bot, BotError};
use crate::domain::anchor::{self, Anchor};
use crate::domain::bot::Capabilities;
use crate::domain::client::Client;
use crate::domain::date::now;
use crate::domain::error::AppError;
use crate::domain::person::{PersonId, PersonName};
use crate::domain::seat::Spec;
use crate::live::ended;
use crate::state::App;
use crate::store::bots::BotWrite;
use crate::store::{Reply, Write};

/// What their strength was measured with: none comes near it, so that each thinks as deep as it ever does.
const NODES: u64 = 10_000_000;
/// Games that each plays at a time.
const GAMES: u32 = 16;
/// Within the house nothing is silent for long.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a player of the house accepts: everything but clocks on which it could not think as deep as it has to.
fn accepts() -> Capabilities {
    Capabilities { games: GAMES, limit: (30, 24 * 3600), ..Capabilities::default() }
}

/// Has all of them come, and play until the server ends.
pub(crate) async fn open(app: &App) {
    for (number, anchor) in anchor::ALL.iter().enumerate() {
        match enter(app, anchor).await {
            Ok(Some(player)) => {
                tokio::spawn(play(app.clone(), anchor, player, number as u8 + 1));
            }
            Ok(None) => tracing::warn!(name = anchor.name, "somebody has the name of a player of the house"),
            Err(error) => tracing::warn!(name = anchor.name, %error, "a player of the house does not come"),
        }
    }
}

/// The account of a player, which is made if there is none.
async fn enter(app: &App, anchor: &Anchor) -> Result<Option<PersonId>, AppError> {
    let name = PersonName::of_house(anchor);
    let house = BotWrite::House { name, anchor: anchor.spec.to_string(), accepts: accepts(), at: now() };
    match app.store.write(Write::Bot(Box::new(house))).await? {
        Reply::Person(player) => Ok(Some(player)),
        _ => Ok(None),
    }
}

async fn play(app: App, anchor: &'static Anchor, player: PersonId, number: u8) {
    let mut ending = app.ending.subscribe();
    tokio::select! {
        result = bot(app, anchor, player, number) => {
            if let Err(error) = result {
                tracing::warn!(name = anchor.name, %error, "a player of the house has left");
            }
        }
        () = ended(&mut ending) => {}
    }
}

async fn bot(app: App, anchor: &'static Anchor, player: PersonId, number: u8) -> Result<(), BotError> {
    let spec = Spec::stored(anchor.spec).map_err(|error| BotError::Agent(error.to_string()))?;
    let line = Line::house(crate::app::app(app.clone()), player, number, PATIENCE);
    let client = Client::new(IpAddr::V4(Ipv4Addr::new(127, 7, 1, number)));
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let accepts = serde_json::to_value(accepts()).expect("plain data");
    let report = Arc::new(move |text: &str| tracing::debug!(name = anchor.name, text, "house"));
    Bot { line, mind: Mind::Server { app, spec, client, limits }, accepts, tournaments: Vec::new(), report }
        .run()
        .await
}
