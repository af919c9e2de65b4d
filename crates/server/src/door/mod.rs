//! Who may have how much: clients and their shares of requests, places, bytes, threads and connections.

pub(crate) mod admit;
pub(crate) mod buckets;
pub(crate) mod builds;
pub(crate) mod caller;
pub(crate) mod files;
pub(crate) mod growth;
pub(crate) mod logins;
pub(crate) mod patient;
pub(crate) mod place;
pub(crate) mod programs;
pub(crate) mod quota;
pub(crate) mod shares;
pub(crate) mod talk;

use std::sync::Arc;

use crate::config::Config;
use logins::Logins;
use programs::Programs;
use shares::Shares;
use talk::Talk;

/// What decides who comes in.
#[derive(Clone)]
pub(crate) struct Door {
    pub(crate) config: Arc<Config>,
    pub(crate) shares: Arc<Shares>,
    pub(crate) logins: Arc<Logins>,
    pub(crate) programs: Arc<Programs>,
    pub(crate) talk: Arc<Talk>,
}

impl Door {
    pub(crate) fn new(config: Arc<Config>) -> Door {
        let (shares, programs) = (Arc::new(Shares::new(&config)), Arc::new(Programs::new(&config)));
        Door { shares, programs, logins: Arc::default(), talk: Arc::default(), config }
    }
}
