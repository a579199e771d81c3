//! From a question to a reply, top to bottom: retrieve, rerank, answer, guard, each with its time.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::corpus::{self, Chunk};
use crate::index::Index;
use crate::knobs::Knobs;
use crate::question::Question;
use crate::request::Request;
use crate::{answer, guard, rerank};

/// The handbook, its index and how it is asked when a request says nothing else.
pub(crate) struct Pipeline {
    chunks: Vec<Chunk>,
    index: Index,
    pub(crate) defaults: Knobs,
}

impl Pipeline {
    pub(crate) fn new(defaults: Knobs) -> Self {
        let chunks = corpus::chunks();
        let index = Index::new(&chunks);
        Self { chunks, index, defaults }
    }

    /// The reply: the fields of a trace. All but `stage_ms` follows from question, seed and knobs.
    pub(crate) fn ask(&self, request: &Request) -> Value {
        let knobs = &request.knobs;
        let mut clock = Clock::start();

        let question = Question::new(&request.q, &self.index);
        let mut candidates = self.index.candidates(&request.q, knobs.intersect);
        clock.stage("retrieval");

        rerank::rerank(&question, &self.chunks, &mut candidates, knobs.rerank);
        candidates.truncate(knobs.k);
        clock.stage("rerank");

        let draft = answer::draft(&question, &self.chunks, &candidates, request.seed, knobs);
        // The suites know the step that writes the answer by this name.
        clock.stage("llm");

        let objection = guard::objection(draft.as_ref(), &self.chunks, knobs);
        clock.stage("guard");

        let mut reply = Map::new();
        if let Some(qid) = &request.qid {
            reply.insert("qid".into(), qid.clone());
        }
        reply.insert("retrieved_ids".into(), self.ids(&candidates));
        reply.insert(
            "answer_json".into(),
            match draft.filter(|_| objection.is_none()) {
                Some(draft) => self.shipped(&draft),
                None => json!({ "claim": guard::REFUSAL, "citations": [] }),
            },
        );
        reply.insert("ok".into(), true.into());
        if let Some(objection) = objection {
            reply.insert("reason".into(), objection.into());
        }
        reply.insert("stage_ms".into(), clock.stages.into());
        reply.into()
    }

    fn shipped(&self, draft: &answer::Draft) -> Value {
        let mut said = json!({ "claim": draft.claim, "citations": self.ids(&draft.from) });
        let rules: Vec<&str> = draft
            .from
            .iter()
            .filter_map(|&number| self.chunks.get(number))
            .flat_map(|chunk| chunk.rules.iter().map(String::as_str))
            .collect();
        if !rules.is_empty() {
            said["constraints_echo"] = rules.into();
        }
        said
    }

    fn ids(&self, numbers: &[usize]) -> Value {
        numbers.iter().filter_map(|&number| self.chunks.get(number)).map(|chunk| chunk.id.as_str()).collect()
    }
}

/// How long each stage took, in milliseconds to the microsecond.
struct Clock {
    last: Instant,
    stages: Map<String, Value>,
}

impl Clock {
    fn start() -> Self {
        Self { last: Instant::now(), stages: Map::new() }
    }

    fn stage(&mut self, name: &str) {
        let now = Instant::now();
        let took: Duration = now - self.last;
        self.stages.insert(name.to_owned(), (took.as_micros() as f64 / 1000.0).into());
        self.last = now;
    }
}
