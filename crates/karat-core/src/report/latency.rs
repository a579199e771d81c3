//! What does `latency` tell beside the figures of the selected point? The curve.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Figure;

/// The curve, and the baseline's beside it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// How the point was selected: fastest, most-accurate or knee.
    pub select: String,
    /// The curve.
    #[serde(flatten)]
    pub curve: Curve,
    /// The baseline's curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Curve>,
}

/// Points, and the one that counts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Curve {
    /// Which of the points counts, from 0; null where no request was timed.
    pub selected: Option<u64>,
    /// The points by knobs, then load, no load first.
    pub points: Vec<CurvePoint>,
}

impl Curve {
    /// The point that counts.
    #[must_use]
    pub fn chosen(&self) -> Option<&CurvePoint> {
        self.points.get(usize::try_from(self.selected?).ok()?)
    }
}

/// One set of knobs at one load.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CurvePoint {
    /// What it is called among the others: the knobs that differ between points.
    pub name: String,
    /// The knobs as canonical JSON: keys sorted, no spaces, numbers as they were written.
    pub knobs: String,
    /// Requests a second; null where the traces do not say.
    pub load: Option<f64>,
    /// From question to answer.
    #[serde(flatten)]
    pub times: Times,
    /// Each stage that some request tells.
    pub stages: IndexMap<String, Times>,
    /// Precision, chr, under_refusal and over_refusal, over the last trace of each case; none where there are no traces.
    pub accuracy: IndexMap<String, Figure>,
    /// Cases without a trace at this point.
    pub missing: u64,
    /// Requests here that failed: every one, also where the case was answered later. Their times are not among the samples.
    pub errored: u64,
    /// Requests without a time.
    #[serde(default)]
    pub untimed: u64,
    /// No other point is at least as fast and as precise, and better in one.
    pub on_frontier: bool,
    /// It is the one that counts.
    pub selected: bool,
    /// Every gate passes here.
    pub passes: bool,
    /// The gates that do not.
    pub stuck: Vec<String>,
    /// How many requests took how long, from the first bin that is not empty to the last.
    pub histogram: Vec<Bin>,
}

/// How long requests took, in milliseconds.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Times {
    /// How many were timed.
    pub samples: u64,
    /// The median; null where nothing was timed.
    pub p50: Option<f64>,
    /// The 90th percentile.
    pub p90: Option<f64>,
    /// The 95th percentile.
    pub p95: Option<f64>,
    /// The 99th percentile.
    pub p99: Option<f64>,
    /// p99/p50; null where the median is 0.
    pub tail_amplification: Option<f64>,
}

/// A bar of a histogram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bin {
    /// Milliseconds from here.
    pub from: f64,
    /// Up to here, and not at it; null for no end.
    pub to: Option<f64>,
    /// How many requests.
    pub count: u64,
}
