//! How does each suite go from its files to a report? One suite a file, top to bottom.
//!
//! What a suite counts and gates is data ([`crate::profiles`]); what happens once its cases are judged is shared
//! ([`crate::pipeline`]).

pub mod agreement;
pub mod answers;
pub mod latency;
pub mod release;
pub mod retrieval;
pub mod stability;
