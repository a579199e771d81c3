//! Did anything that was retrieved come from the right section?
//!
//! After re-chunking, ids change and sections do not: this figure survives.

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};
use crate::suites::retrieval::judge::Anchor;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "anchor_hit@k",
        summary: "How often one of the first k ids lies in the anchor section.",
        definition: "mean over questions with an anchor of the mean over runs of [some id of R_k lies in anchor_section]",
        over: "questions with an anchor",
        empty: Empty::Undefined,
        cuts: &[5],
        fold: Fold::Mean,
        source: "WFGY Global Fix Map: chunking evaluation",
        ..About::PLAIN
    },
    |sides, p| {
        sides.mean(p, |v| match v.anchor {
            Anchor::None => None,
            Anchor::Missed => Some(Observation::share(0, 1)),
            Anchor::At(rank) => Some(Observation::share((rank <= p.k).into(), 1)),
        })
    },
);
