//! What `agreement` reports beside its figures.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who says what.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Agreement {
    /// The raters, in their order.
    pub raters: Vec<String>,
    /// How often each rater gives each label.
    pub marginals: IndexMap<String, IndexMap<String, u64>>,
    /// Of two raters: rows are the first one's labels, columns the second one's, both in the order of `marginals`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confusion: Vec<Vec<u64>>,
    /// The rater that the others are measured against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<String>,
    /// How well each other rater finds what the truth rejects.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub calibration: IndexMap<String, Calibration>,
}

/// How well a rater finds what the truth rejects.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// Answers that both judged.
    pub n: u64,
    /// Of what it rejects, how much the truth rejects.
    pub precision: Option<f64>,
    /// Of what the truth rejects, how much it rejects.
    pub recall: Option<f64>,
    /// The harmonic mean of the two.
    pub f1: Option<f64>,
    /// Agreement beyond chance over all labels.
    pub kappa: Option<f64>,
}
