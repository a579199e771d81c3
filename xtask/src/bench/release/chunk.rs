//! A chunk of the evidence store that `release` is measured on. Everything about it follows from its number.

use std::fmt::Write as _;

use super::super::data::Random;

/// Who may be on a list.
pub(super) const TEAMS: [&str; 8] =
    ["billing", "legal", "support", "platform", "sales", "security", "people", "field"];

/// Before every trace; after every trace.
const PAST: u64 = 1_760_000_000;
const FUTURE: u64 = 1_900_000_000;

/// A chunk of the store.
pub(super) struct Chunk {
    number: u64,
    /// All that chance decides about it.
    dice: u64,
}

/// Who is on a chunk's list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Acl {
    None,
    Nobody,
    Everyone,
    Team(usize),
}

/// When a chunk is valid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Window {
    None,
    Open,
    Closed,
}

impl Chunk {
    pub(super) fn new(number: u64) -> Self {
        Chunk { number, dice: Random(number.wrapping_mul(0xd134_2543_de82_ef95)).next() }
    }

    pub(super) fn id(&self) -> String {
        format!("kb-{:06}#{:02}", self.number / 20, self.number % 20)
    }

    pub(super) fn version(&self) -> String {
        format!("v{}.{}", self.dice % 4 + 1, (self.dice >> 2) % 8)
    }

    pub(super) fn permitted(&self) -> bool {
        !(self.dice >> 5).is_multiple_of(32)
    }

    pub(super) fn current(&self) -> bool {
        !(self.dice >> 10).is_multiple_of(32)
    }

    pub(super) fn acl(&self) -> Acl {
        match (self.dice >> 15) % 64 {
            0 => Acl::Nobody,
            1..=5 => Acl::Everyone,
            6..=12 => Acl::Team((self.dice >> 21) as usize % TEAMS.len()),
            _ => Acl::None,
        }
    }

    pub(super) fn window(&self) -> Window {
        match (self.dice >> 24) % 32 {
            0 => Window::Closed,
            1..=4 => Window::Open,
            _ => Window::None,
        }
    }

    /// A member of a team may use it when the traces are made.
    pub(super) fn open_to(&self, team: usize) -> bool {
        let listed = match self.acl() {
            Acl::None | Acl::Everyone => true,
            Acl::Team(of) => of == team,
            Acl::Nobody => false,
        };
        self.permitted() && self.current() && listed && self.window() != Window::Closed
    }

    /// One of the two things that it says and no other chunk does.
    pub(super) fn fact(&self, which: u64) -> String {
        let number = self.number;
        let thing = OBJECTS[(self.dice >> 29) as usize % 16];
        if which == 0 {
            format!("Rule {number} keeps {thing} for {} days", (self.dice >> 33) % 90 + 1)
        } else {
            format!(
                "Under rule {number} the desk approves {thing} up to {} euros",
                (self.dice >> 33) % 900 + 100
            )
        }
    }

    pub(super) fn write(&self, out: &mut String) {
        let (number, id) = (self.number, self.id());
        let _ = write!(
            out,
            "{{\"chunk_id\": \"{id}\", \"document_id\": \"kb-{0:06}\", \"parent_id\": \"kb-{0:06}/{1}\", \
             \"version\": \"{2}\", \"permitted\": {3}, \"current\": {4}",
            number / 20,
            number % 20 / 5,
            self.version(),
            self.permitted(),
            self.current()
        );
        let _ = match self.acl() {
            Acl::None => Ok(()),
            Acl::Nobody => write!(out, ", \"acl\": []"),
            Acl::Everyone => write!(out, ", \"acl\": [\"user:auditor\", \"group:everyone\"]"),
            Acl::Team(team) => write!(out, ", \"acl\": [\"group:{}\"]", TEAMS[team]),
        };
        let day = self.dice >> 42;
        let from = format!("\"2024-{:02}-{:02}T06:00:00Z\"", day % 12 + 1, day % 28 + 1);
        let _ = match self.window() {
            Window::None => Ok(()),
            Window::Open if day.is_multiple_of(3) => write!(out, ", \"valid_from\": {from}"),
            Window::Open => {
                write!(out, ", \"valid_from\": {from}, \"valid_until\": {}", FUTURE + day % 99_999)
            }
            Window::Closed => {
                write!(out, ", \"valid_from\": {from}, \"valid_until\": {}", PAST + day % 99_999)
            }
        };
        out.push_str(", \"text\": \"");
        self.write_text(out);
        out.push_str("\"}\n");
    }

    /// About ten sentences, its two facts among them; every other chunk has paragraphs.
    fn write_text(&self, out: &mut String) {
        let mut random = Random(self.dice);
        let end = out.len() + 640 + random.below(320) as usize;
        let (first, second) = (random.below(4), 4 + random.below(3));
        let mut sentence = 0;
        while out.len() < end || sentence <= second {
            if sentence > 0 {
                let paragraph = self.number & 2 == 0 && sentence % 4 == 0;
                out.push_str(if paragraph { "\\n\\n" } else { " " });
            }
            if sentence == first || sentence == second {
                out.push_str(&self.fact(u64::from(sentence == second)));
            } else {
                let dice = random.next() as usize;
                for (words, shift) in [(&SUBJECTS, 0), (&VERBS, 4), (&OBJECTS, 8), (&TAILS, 12)] {
                    out.push_str(words[dice >> shift & 15]);
                    out.push_str(if shift == 12 { "" } else { " " });
                }
            }
            out.push('.');
            sentence += 1;
        }
    }
}

#[rustfmt::skip]
const SUBJECTS: [&str; 16] = [
    "The archive", "Each team lead", "The night shift", "A new customer", "The regional office", "Our supplier",
    "The on-call engineer", "Every contract", "The Zürich branch", "An external auditor", "The help desk",
    "A returned parcel", "The finance system", "Whoever opened the ticket", "The data owner", "A pilot customer",
];
#[rustfmt::skip]
const VERBS: [&str; 16] = [
    "keeps", "reviews", "may request", "must not change", "forwards", "signs off", "is told about", "collects",
    "publishes", "has to confirm", "replaces", "no longer needs", "stores", "compares", "answers for", "withdraws",
];
#[rustfmt::skip]
pub(super) const OBJECTS: [&str; 16] = [
    "open invoices", "access logs", "travel claims", "signed contracts", "customer exports", "audit trails",
    "backup tapes", "refund requests", "shift plans", "price lists", "delivery notes", "key cards",
    "training records", "incident reports", "meter readings", "consent forms",
];
#[rustfmt::skip]
const TAILS: [&str; 16] = [
    "before the end of the quarter", "unless the customer objects in writing", "after two working days",
    "as long as the contract runs", "within the same region", "once a month", "without asking again",
    "if the amount is above the limit", "when the system is under maintenance", "in the shared folder",
    "together with the previous version", "at the latest by Friday noon", "and notes the reason in the ticket",
    "under the heading \\\"open matters\\\"", "for every location separately", "only from a managed device",
];
