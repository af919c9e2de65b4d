//! What every request and answer goes through: bodies and queries, headers, errors as answers, the files of the pages.

pub(crate) mod answer;
pub(crate) mod assets;
pub(crate) mod cookie;
pub(crate) mod extract;
pub(crate) mod headers;
pub(crate) mod ndjson;
pub(crate) mod pack;
