//! The suite `release`, top to bottom.
