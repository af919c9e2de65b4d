//! The lines of UGI, read and written, one file for each: what the server of agents (`ugi`) and the client of external
//! engines (`external`) have in common.

pub(crate) mod go;
pub(crate) mod info;
pub(crate) mod option;
pub(crate) mod position;
