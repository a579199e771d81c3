//! Which requests are made? Every knob setting × seed × jitter × wording, in a fixed order, none of it kept in memory.
//!
//! Wordings come innermost: a run that is cut short has asked whole passes over the gold set.

use std::borrow::Cow;

use karat_input::questions::Question;
use karat_input::text::group;

use crate::jitter::Jitter;
use crate::json;

/// Everything that is to be asked.
#[derive(Debug)]
pub struct Plan {
    questions: Vec<Question>,
    /// Each question's number and which paraphrase of it, in gold's order.
    wordings: Vec<(u32, Option<u32>)>,
    grid: Grid,
}

/// What a plan consists of, besides the questions.
#[derive(Debug, Default)]
pub struct Grid {
    /// Whether gold's paraphrases are asked too.
    pub paraphrases: bool,
    /// The seeds; none: 0.
    pub seeds: Vec<i64>,
    /// The jitters; none: the question as it stands.
    pub jitters: Vec<Jitter>,
    /// The knob settings, each as canonical JSON; none: an empty object, which the traces leave out.
    pub knobs: Vec<Box<str>>,
    /// Requests per second, which every trace repeats.
    pub load: Option<f64>,
    /// Whether the plan is repeated until time is up, so that traces name their round.
    pub rounds: bool,
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Its place in the plan; the count continues from round to round.
    pub number: u64,
    /// The case.
    pub id: Box<str>,
    /// How the trace begins: an object's fields, without its end. No two requests of a plan have the same, and a trace
    /// begins with it to the byte, so that a resumed run recognises a request by it.
    pub head: String,
    /// What is sent.
    pub body: String,
}

/// The fields that a trace's head may have.
pub const HEAD: &[&str] =
    &["qid", "case_id", "q", "paraphrase", "seed", "jitter", "knobs", "load_rps", "round"];

/// What identifies a request: 128 bits of its head's hash.
pub type Key = [u8; 16];

/// The key of a head.
#[must_use]
pub fn key(head: &str) -> Key {
    let mut key = [0; 16];
    key.copy_from_slice(&blake3::hash(head.as_bytes()).as_bytes()[..16]);
    key
}

impl Plan {
    /// A plan over these questions.
    #[must_use]
    pub fn new(questions: Vec<Question>, mut grid: Grid) -> Self {
        if grid.seeds.is_empty() {
            grid.seeds.push(0);
        }
        if grid.jitters.is_empty() {
            grid.jitters.push(Jitter::None);
        }
        let of = |(number, question): (u32, &Question)| {
            let wordings = question.wordings(grid.paraphrases);
            wordings.map(|(paraphrase, _)| (number, paraphrase)).collect::<Vec<_>>()
        };
        Plan { wordings: (0..).zip(&questions).flat_map(of).collect(), questions, grid }
    }

    /// How many requests one round has.
    #[must_use]
    pub fn size(&self) -> u64 {
        let Grid { seeds, jitters, knobs, .. } = &self.grid;
        let sizes = [self.wordings.len(), seeds.len(), jitters.len(), knobs.len().max(1)];
        sizes.iter().fold(1, |product: u64, &size| product.saturating_mul(size as u64))
    }

    /// A question, and its text or the text of one of its paraphrases.
    fn wording(&self, number: u32, paraphrase: Option<u32>) -> Option<(&Question, &str)> {
        let question = self.questions.get(number as usize)?;
        let text = match paraphrase {
            None => question.text.as_deref()?,
            Some(number) => question.paraphrases.get(number as usize)?,
        };
        Some((question, text))
    }

    /// The texts that every trace repeats, and where each stands: ids, questions as they are asked, settings.
    pub fn texts(&self) -> impl Iterator<Item = (String, Cow<'_, str>)> {
        let ids = (1..).zip(&self.questions).map(|(number, question)| {
            (format!("the id of gold's question {}", group(number)), Cow::Borrowed(&*question.id))
        });
        let wordings = self.wordings.iter().flat_map(|&(number, paraphrase)| {
            let place = format!("gold's question {}", group(u64::from(number) + 1));
            let text = self.wording(number, paraphrase).map(|(_, text)| text).into_iter();
            let spelt = text.flat_map(|text| self.grid.jitters.iter().map(|jitter| jitter.apply(text)));
            spelt.map(move |text| (place.clone(), Cow::Owned(text)))
        });
        let knobs = (1..).zip(&self.grid.knobs).map(|(number, knobs)| {
            (format!("setting {} of --knobs", group(number)), Cow::Borrowed(&**knobs))
        });
        ids.chain(wordings).chain(knobs)
    }

    /// The request at a place; the count continues from round to round.
    #[must_use]
    pub fn ask(&self, number: u64) -> Option<Ask> {
        let Grid { seeds, jitters, knobs, load, rounds, .. } = &self.grid;
        let (round, mut rest) = (number.checked_div(self.size())?, number.checked_rem(self.size())?);
        let mut place = |size: usize| {
            let at = rest % size.max(1) as u64;
            rest /= size.max(1) as u64;
            at as usize
        };
        let &(question, paraphrase) = self.wordings.get(place(self.wordings.len()))?;
        let jitter = jitters.get(place(jitters.len()))?;
        let seed = seeds.get(place(seeds.len()))?;
        let knobs = knobs.get(place(knobs.len()));
        let (question, wording) = self.wording(question, paraphrase)?;
        let (id, q) = (json::quoted(&question.id), json::quoted(&jitter.apply(wording)));
        let spelt = format!(",\"seed\":{seed},\"jitter\":\"{}\"", jitter.name());
        let given = |name: &str, value: Option<String>| value.map(|value| format!(",\"{name}\":{value}"));
        let fields = [
            given("paraphrase", paraphrase.map(|number| number.to_string())),
            Some(spelt.clone()),
            given("knobs", knobs.map(ToString::to_string)),
            given("load_rps", load.map(|load| load.to_string())),
            given("round", rounds.then(|| (round + 1).to_string())),
        ];
        let head = format!(
            "{{\"{}\":{id},\"q\":{q}{}",
            question.key,
            fields.map(Option::unwrap_or_default).concat()
        );
        let body =
            format!("{{\"q\":{q},\"qid\":{id}{spelt},\"knobs\":{}}}", knobs.map_or("{}", |knobs| knobs));
        Some(Ask { number, id: question.id.clone(), head, body })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use karat_input::Source;
    use karat_input::questions::questions;

    use super::*;
    use crate::knobs;

    fn plan(grid: Grid) -> Plan {
        let gold = "{\"qid\":\"A\",\"question\":\"list \\\"x\\\"\",\"paraphrases\":[\"x?\"]}\n{\"qid\":2,\"question\":\"y?\"}\n";
        Plan::new(questions(&Source::bytes("gold", gold.as_bytes().to_vec())).unwrap(), grid)
    }

    #[test]
    fn the_least_plan_asks_each_question_once() {
        let plan = plan(Grid::default());
        assert_eq!(plan.size(), 2);
        let first = plan.ask(0).unwrap();
        assert_eq!(first.head, r#"{"qid":"A","q":"list \"x\"","seed":0,"jitter":"none""#);
        assert_eq!(first.body, r#"{"q":"list \"x\"","qid":"A","seed":0,"jitter":"none","knobs":{}}"#);
        assert_eq!(plan.ask(1).unwrap().head, r#"{"qid":"2","q":"y?","seed":0,"jitter":"none""#);
    }

    #[test]
    fn every_combination_comes_once_and_the_gold_set_is_innermost() {
        let source = Source::bytes("knobs", &b"[{\"k\": 5},{\"k\":9}]"[..]);
        let plan = plan(Grid {
            paraphrases: true,
            seeds: vec![0, 7],
            jitters: vec![Jitter::None, Jitter::Syn],
            knobs: knobs::read(&source).unwrap(),
            load: Some(2.5),
            rounds: true,
        });
        assert_eq!(plan.size(), 3 * 2 * 2 * 2);
        let heads: Vec<String> = (0..plan.size()).map(|i| plan.ask(i).unwrap().head).collect();
        assert_eq!(heads.iter().map(|head| key(head)).collect::<BTreeSet<_>>().len(), heads.len());
        assert_eq!(
            heads[1],
            r#"{"qid":"A","q":"x?","paraphrase":0,"seed":0,"jitter":"none","knobs":{"k":5},"load_rps":2.5,"round":1"#
        );
        assert!(heads[3].contains(r#""q":"enumerate \"x\"","seed":0,"jitter":"syn","knobs":{"k":5}"#));
        assert!(heads[6].contains(r#""seed":7,"jitter":"none","knobs":{"k":5}"#));
        assert!(heads[12].contains(r#""seed":0,"jitter":"none","knobs":{"k":9}"#));
        assert!(plan.ask(plan.size()).unwrap().head.ends_with(r#""round":2"#));
    }
}
