//! The rows that `release` is measured on: evidence paths with answers, two thirds of them sound, the rest broken in
//! every way that has a stage or a reason.

use std::fmt::Write as _;

use super::super::data::Random;
use super::chunk::{Acl, Chunk, TEAMS, Window};
use super::data::{Case, POINTS, Size};

/// What is wrong with a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Sound,
    NotPermitted,
    OtherTeam,
    NoPrincipal,
    NotCurrent,
    WindowOver,
    NoTime,
    OtherCase,
    EmptyContext,
    VersionCount,
    VersionTwice,
    VersionMissing,
    IdTwice,
    UnknownId,
    InputNotRetrieved,
    RerankedChanged,
    SelectedElsewhere,
    OtherVersion,
    NotRetrieved,
    NotSelected,
    Unsupported,
    Uncited,
    WronglyCited,
    NoClaims,
    PointLeftOut,
}

/// Of a hundred rows, how many break in each of these ways; the others are sound.
#[rustfmt::skip]
const BROKEN: [(u64, &[Way]); 3] = [
    (1, &[
        Way::NotPermitted, Way::OtherTeam, Way::NoPrincipal, Way::NotCurrent, Way::WindowOver, Way::NoTime,
        Way::OtherCase, Way::EmptyContext, Way::VersionCount, Way::VersionTwice, Way::VersionMissing, Way::IdTwice,
        Way::UnknownId, Way::InputNotRetrieved, Way::RerankedChanged, Way::SelectedElsewhere, Way::OtherVersion,
    ]),
    (2, &[Way::Uncited, Way::WronglyCited, Way::NoClaims, Way::PointLeftOut]),
    (3, &[Way::NotRetrieved, Way::NotSelected, Way::Unsupported]),
];

fn way(random: &mut Random) -> Way {
    let mut at = random.below(100);
    for (share, ways) in BROKEN {
        let all = share * ways.len() as u64;
        if at < all {
            return ways[(at / share) as usize];
        }
        at -= all;
    }
    Way::Sound
}

/// A row while it is made.
struct Draft {
    first: Vec<String>,
    input: Vec<String>,
    reranked: Vec<String>,
    selected: Vec<u64>,
    versions: Vec<String>,
    /// The parts of the pipeline, each with its version.
    parts: Vec<(&'static str, &'static str)>,
    claims: Vec<Claim>,
}

struct Claim {
    point: &'static str,
    cites: Option<String>,
    phrases: Vec<String>,
}

const PARTS: [(&str, &str); 6] = [
    ("retriever", "hybrid-12"),
    ("index", "kb-2026-05"),
    ("sparse", "bm25-3"),
    ("dense", "embed-7"),
    ("fusion", "rrf-60"),
    ("reranker", "cross-4"),
];

fn id(chunk: u64) -> String {
    Chunk::new(chunk).id()
}

fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for i in (1..list.len()).rev() {
        list.swap(i, random.below(i as u64 + 1) as usize);
    }
}

/// A sound path and answer: twenty candidates, twelve of them reranked, three of those selected.
fn sound(case: &Case, others: &[u64], random: &mut Random) -> Draft {
    let required = &case.pool[..case.required];
    let with = |count: usize| -> Vec<u64> {
        required.iter().chain(&others[..count - required.len()]).copied().collect()
    };
    let ids = |chunks: Vec<u64>, random: &mut Random| -> Vec<String> {
        let mut ids: Vec<String> = chunks.into_iter().map(id).collect();
        shuffle(&mut ids, random);
        ids
    };
    let (first, input, reranked) = (ids(with(20), random), ids(with(12), random), ids(with(12), random));
    let selected = with(3);
    let claim = |point: usize| {
        let (proof, phrases) = case.proof(point);
        Claim { point: POINTS[point], cites: Some(id(proof)), phrases }
    };
    let mut claims: Vec<Claim> = (0..case.points()).map(claim).collect();
    if claims.len() == 2 && random.below(2) == 0 {
        claims.push(claim(0));
    }
    let versions = selected.iter().map(|&chunk| Chunk::new(chunk).version()).collect();
    Draft { first, input, reranked, selected, versions, parts: PARTS.to_vec(), claims }
}

/// Some chunk of even number that is as one wants it.
fn find(chunks: u64, random: &mut Random, is: impl Fn(&Chunk) -> bool) -> String {
    let start = random.below(chunks / 2);
    let found = (0..chunks / 2).map(|i| Chunk::new((start + i) % (chunks / 2) * 2)).find(|chunk| is(chunk));
    found.map(|chunk| chunk.id()).unwrap_or_default()
}

impl Draft {
    /// Puts another candidate into the place of one that the reranker never saw.
    fn retrieve(&mut self, id: String) {
        let unseen = self.first.iter_mut().find(|first| !self.input.contains(first));
        if let Some(place) = unseen {
            *place = id;
        }
    }

    /// Puts another chunk into the place of a selected one.
    fn select(&mut self, place: usize, chunk: u64) {
        self.selected[place] = chunk;
        self.versions[place] = Chunk::new(chunk).version();
    }

    fn break_in(&mut self, way: Way, case: &Case, others: &[u64], chunks: u64, random: &mut Random) {
        let last = self.claims.len() - 1;
        match way {
            Way::Sound | Way::OtherCase => {}
            Way::NotPermitted => self.retrieve(find(chunks, random, |chunk| !chunk.permitted())),
            Way::OtherTeam => self.retrieve(find(
                chunks,
                random,
                |chunk| matches!(chunk.acl(), Acl::Team(team) if team != case.team),
            )),
            Way::NoPrincipal => self.retrieve(find(chunks, random, |chunk| chunk.acl() == Acl::Everyone)),
            Way::NotCurrent => self.retrieve(find(chunks, random, |chunk| !chunk.current())),
            Way::WindowOver => self.retrieve(find(chunks, random, |chunk| chunk.window() == Window::Closed)),
            Way::NoTime => self.retrieve(find(chunks, random, |chunk| chunk.window() == Window::Open)),
            Way::EmptyContext => {
                self.selected.clear();
                self.versions.clear();
            }
            Way::VersionCount => _ = self.versions.pop(),
            Way::VersionTwice => self.parts.push(("index", "kb-2026-04")),
            Way::VersionMissing => _ = self.parts.remove(random.below(6) as usize),
            Way::IdTwice => self.retrieve(id(others[0])),
            Way::UnknownId => self.retrieve(format!("kb-gone#{:02}", random.below(99))),
            Way::InputNotRetrieved => self.first.retain(|first| *first != id(others[0])),
            Way::RerankedChanged => self.reranked.retain(|reranked| *reranked != id(others[5])),
            Way::SelectedElsewhere => self.select(2, others[15]),
            Way::OtherVersion => self.versions[2] = "v0.9".into(),
            Way::NotRetrieved => {
                let (gone, instead) = (id(case.pool[0]), id(others[22]));
                for stage in [&mut self.first, &mut self.input, &mut self.reranked] {
                    stage.iter_mut().filter(|id| **id == gone).for_each(|id| id.clone_from(&instead));
                }
                self.select(0, others[22]);
            }
            Way::NotSelected => self.select(0, others[3]),
            // Gold knows the phrases of the one, and no chunk holds them; nobody knows those of the other.
            Way::Unsupported if random.below(2) == 0 => self.claims[last].point = "caveat",
            Way::Unsupported => {
                self.claims[last].point = "aside";
                self.claims[last].phrases = vec!["nobody ever wrote this down".into()];
            }
            Way::Uncited => self.claims[last].cites = None,
            Way::WronglyCited => {
                let instead = if random.below(2) == 0 { self.selected[2] } else { others[9] };
                self.claims[last].cites = Some(id(instead));
            }
            Way::NoClaims => self.claims.clear(),
            Way::PointLeftOut => {
                let point = POINTS[case.points() - 1];
                self.claims.retain(|claim| claim.point != point);
            }
        }
    }
}

/// One row. The first rows take the cases in turn, so that none is missing.
pub(super) fn row(number: u64, size: Size, random: &mut Random) -> String {
    let drawn = random.below(size.cases);
    let case = Case::new(if number < size.cases { number } else { drawn }, size.chunks);
    let way = way(random);
    // The proof of the caveat stays out of it.
    let mut others = case.pool[case.required..29].to_vec();
    shuffle(&mut others, random);
    let mut draft = sound(&case, &others, random);
    draft.break_in(way, &case, &others, size.chunks, random);

    let control = random.below(10) == 0;
    if control && way == Way::Sound && random.below(2) == 0 {
        // A control may bring phrases of its own where gold has none.
        let chunk = draft.selected[0];
        draft.claims.push(Claim {
            point: "aside",
            cites: Some(id(chunk)),
            phrases: vec![Chunk::new(chunk).fact(1)],
        });
    }
    let mut row = format!("{{\"name\": \"row-{number:06}\", \"case_id\": \"{}\"", case.id());
    if control {
        // One label in a hundred is wrong.
        let _ = write!(row, ", \"should_release\": {}", (way == Way::Sound) != (random.below(100) == 0));
    }
    let nested = way == Way::OtherCase || random.below(4) > 0;
    if nested {
        let of = if way == Way::OtherCase { "case-other".to_owned() } else { case.id() };
        let _ = write!(row, ", \"trace\": {{\"case_id\": \"{of}\"");
    }
    path(&mut row, &draft, way, &case, number, random);
    row.push_str(if nested { "}" } else { "" });
    answer(&mut row, &draft, number);
    row
}

fn path(row: &mut String, draft: &Draft, way: Way, case: &Case, number: u64, random: &mut Random) {
    let selected: Vec<String> = draft.selected.iter().map(|&chunk| id(chunk)).collect();
    for (name, list) in [
        ("first_stage_ids", &draft.first),
        ("rerank_input_ids", &draft.input),
        ("reranked_ids", &draft.reranked),
        ("selected_context_ids", &selected),
        ("selected_versions", &draft.versions),
    ] {
        let _ = write!(row, ", \"{name}\": {}", strings(list));
    }
    let pairs = random.below(2) == 0;
    let part = |(name, version): &(&str, &str)| {
        if pairs { format!("[\"{name}\", \"{version}\"]") } else { format!("\"{name}\": \"{version}\"") }
    };
    let parts = draft.parts.iter().map(part).collect::<Vec<_>>().join(", ");
    let _ = if pairs {
        write!(row, ", \"versions\": [{parts}]")
    } else {
        write!(row, ", \"versions\": {{{parts}}}")
    };
    if way != Way::NoPrincipal {
        let (user, team) = (random.below(500), TEAMS[case.team]);
        let _ =
            write!(row, ", \"principal\": {{\"user\": \"u{user}\", \"groups\": [\"everyone\", \"{team}\"]}}");
    }
    if way != Way::NoTime {
        let day = random.below(28) + 1;
        let _ = match random.below(2) {
            0 => write!(row, ", \"ts\": {}", 1_780_000_000 + number),
            _ => write!(row, ", \"ts\": \"2026-06-{day:02}T08:15:{:02}+02:00\"", number % 60),
        };
    }
}

fn answer(row: &mut String, draft: &Draft, number: u64) {
    let claim = |(i, claim): (usize, &Claim)| {
        let cites = claim.cites.as_ref().map_or_else(|| "null".to_owned(), |id| format!("\"{id}\""));
        format!(
            "{{\"claim_id\": \"c{i}\", \"text\": \"As the handbook has it, {}.\", \"citation_id\": {cites}, \
             \"support_phrases\": {}, \"answer_point\": \"{}\"}}",
            claim.phrases.join(", and "),
            strings(&claim.phrases),
            claim.point
        )
    };
    let claims: Vec<String> = draft.claims.iter().enumerate().map(claim).collect();
    let _ = writeln!(
        row,
        ", \"answer\": {{\"answer_id\": \"a{number}\", \"claims\": [{}]}}}}",
        claims.join(", ")
    );
}

fn strings(list: &[String]) -> String {
    if list.is_empty() { "[]".to_owned() } else { format!("[\"{}\"]", list.join("\", \"")) }
}
