//! What does `retrieval` tell of an index beside its figures?

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Figure;

/// What was found about one index, beside the figures.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Findings {
    /// P@k over retrieved items of a type of content, R@k over relevant ids of it; types that do not occur are left out.
    pub by_type: IndexMap<String, ByType>,
    /// Questions that no run covers, or with a cited ΔS above 0.60.
    pub bad_qids: Vec<String>,
    /// Groups of runs whose logged λ is not what they show.
    pub lambda_conflicts: Vec<LambdaConflict>,
    /// Ids whose section is not known, of questions that have an anchor.
    pub unknown_sections: UnknownSections,
    /// Where ΔS comes from: logged, computed or mixed; null where no run has one.
    pub ds_source: Option<String>,
    /// How many answered runs cite first a snippet in each zone of ΔS.
    pub ds_zones: IndexMap<String, u64>,
    /// The answered runs that cite first a snippet with ΔS above 0.45.
    pub ds_over_limit: Vec<FarRun>,
    /// How many answered runs are so many steps from the anchor section.
    pub anchor_histogram: IndexMap<String, u64>,
    /// The index that was asked, where the traces name it.
    pub index_hash: Option<String>,
}

/// The figures of one type of content.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ByType {
    /// Its figures.
    pub metrics: IndexMap<String, Figure>,
    /// How much larger they are than the baseline's.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub delta: IndexMap<String, Delta>,
}

/// A group of runs whose logged λ is not what they show.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LambdaConflict {
    /// The question.
    pub qid: String,
    /// The seed of the runs.
    pub seed: i64,
    /// What the log says, each state once.
    pub logged: Vec<String>,
    /// What the runs show.
    pub derived: String,
}

/// Ids whose section is not known.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct UnknownSections {
    /// How often such an id was returned or cited.
    pub total: u64,
    /// The first ones in alphabetical order.
    pub ids: Vec<String>,
}

/// A run that cites something far from the question.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FarRun {
    /// The question.
    pub qid: String,
    /// ΔS of the first cited snippet.
    pub ds: f64,
    /// Where the run stands.
    pub trace: String,
    /// Its line there.
    pub trace_line: u64,
}

/// How much larger a figure is than the baseline's.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Delta {
    /// New minus baseline; null where one of them has no value.
    pub value: Option<f64>,
    /// The paired 95 % interval over questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci95: Option<[f64; 2]>,
}

/// The index that a new one is compared with.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Baseline {
    /// Its counts.
    pub counts: IndexMap<String, u64>,
    /// Its figures.
    pub metrics: IndexMap<String, Figure>,
    /// What was found about it.
    pub retrieval: Findings,
}
