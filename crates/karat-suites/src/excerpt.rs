//! What did a trace say, for people to look at, and in as little memory as can be?
//!
//! Words are read again from a file where they are needed. Of a stream they are kept, one trace a case, so there they are one
//! text and where its parts end.

use crate::model::{Id, Trace};
use crate::text;

/// What a trace said, cut to what people look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The claim.
    pub claim: Option<String>,
    /// The retrieved ids, best first.
    pub retrieved: Vec<String>,
    /// The cited ids.
    pub cited: Vec<String>,
    /// The constraints as the answer repeats them.
    pub echoed: Vec<String>,
    /// Why the pipeline stopped.
    pub reason: Option<String>,
}

/// The same while it is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    words: Box<str>,
    /// Where each part ends: the claim, the ids retrieved and cited, the constraints, the reason.
    ends: Box<[u16]>,
    /// How many there are of each.
    counts: [u8; 5],
}

/// At most so many characters of a claim, of an id or a reason; so many ids of a list.
const CLAIM: usize = 2000;
const ID: usize = 200;
const IDS: usize = 20;

impl Kept {
    /// What a trace says.
    #[must_use]
    pub fn of(trace: &Trace<'_>) -> Self {
        let (mut words, mut ends) = (String::new(), Vec::new());
        let mut add = |part: &str, most: usize| {
            words += &text::shorten(part, most);
            // Parts are few and short: all of them together are shorter than this counts.
            ends.push(u16::try_from(words.len()).unwrap_or(u16::MAX));
        };
        let mut counts = [0; 5];
        if let Some(claim) = &trace.claim {
            add(claim, CLAIM);
            counts[0] = 1;
        }
        for (count, ids) in counts[1..4].iter_mut().zip([&trace.retrieved, &trace.cited, &trace.echoed]) {
            let ids: &[Id<'_>] = ids.get(..IDS).unwrap_or(ids);
            ids.iter().for_each(|id| add(&id.text, ID));
            *count = ids.len() as u8;
        }
        if let Some(reason) = trace.reason {
            add(&reason.decode(), ID);
            counts[4] = 1;
        }
        Kept { words: words.into(), ends: ends.into(), counts }
    }

    /// The same to look at.
    #[must_use]
    pub fn evidence(&self) -> Excerpt {
        let mut start = 0;
        let mut parts = self.ends.iter().map(|&end| {
            let part = self.words.get(start..usize::from(end)).unwrap_or_default();
            start = usize::from(end);
            part.to_owned()
        });
        let mut list = |count: u8| parts.by_ref().take(usize::from(count)).collect::<Vec<String>>();
        let [claim, retrieved, cited, echoed, reason] = self.counts.map(&mut list);
        let one = |list: Vec<String>| list.into_iter().next();
        Excerpt { claim: one(claim), retrieved, cited, echoed, reason: one(reason) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        let ids = |count: usize| -> Vec<Id<'static>> {
            (0..count).map(|i| Id::new(format!("é{i}").into(), false)).collect()
        };
        let said = |ids: &[Id<'_>]| ids.iter().take(IDS).map(|id| id.text.to_string()).collect::<Vec<_>>();
        for (claim, retrieved, cited, echoed) in
            [(None, 0, 0, 0), (Some(""), 1, 0, 2), (Some("größer"), 30, 2, 0), (None, 0, 0, 1)]
        {
            let trace = Trace {
                claim: claim.map(Into::into),
                retrieved: ids(retrieved),
                cited: ids(cited),
                echoed: ids(echoed),
                ..Trace::default()
            };
            let evidence = Kept::of(&trace).evidence();
            assert_eq!(evidence.claim.as_deref(), claim);
            let lists = (&evidence.retrieved, &evidence.cited, &evidence.echoed);
            let asked = (said(&trace.retrieved), said(&trace.cited), said(&trace.echoed));
            assert_eq!(lists, (&asked.0, &asked.1, &asked.2));
            assert_eq!(evidence.reason, None);
        }
    }

    #[test]
    fn the_longest_fits() {
        let long = "\u{10348}".repeat(5000);
        let ids: Vec<Id<'_>> = (0..50).map(|_| Id::new(long.as_str().into(), false)).collect();
        let claim = Some(long.as_str().into());
        let trace =
            Trace { claim, retrieved: ids.clone(), cited: ids.clone(), echoed: ids, ..Trace::default() };
        let evidence = Kept::of(&trace).evidence();
        assert!(evidence.claim.is_some_and(|claim| claim.chars().count() == CLAIM && claim.ends_with('…')));
        assert!(evidence.echoed.len() == IDS && evidence.echoed.iter().all(|id| id.chars().count() == ID));
    }
}
