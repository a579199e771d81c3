//! Who takes a field of a trace? The lines of a log are alike, so the answer for a line is most often that of the last one.
//!
//! Each field's key is first compared with what stood at its place in the line before, to the blank: no end of it is
//! looked for, and nobody is asked again who takes it. Where it is another one, it is read as any key is.

use crate::dialects::{self, TakeTrace};
use crate::input::json::{Reader, Syntax, Text};

/// Who takes a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Taker {
    Id,
    OtherId,
    Question,
    OtherQuestion,
    Ok,
    Reason,
    Dialect(TakeTrace),
    Nobody,
}

impl Taker {
    fn of(key: &str) -> Self {
        match key {
            "qid" => Taker::Id,
            "q_id" => Taker::OtherId,
            "q" => Taker::Question,
            "question" => Taker::OtherQuestion,
            "ok" => Taker::Ok,
            "reason" => Taker::Reason,
            _ => dialects::ALL
                .iter()
                .filter(|dialect| dialect.trace.iter().any(|field| field.name == key))
                .find_map(|dialect| dialect.by_field)
                .map_or(Taker::Nobody, |read| Taker::Dialect(read.trace)),
        }
    }
}

/// The keys of the last line, by their place in it.
#[derive(Debug, Default)]
pub(super) struct Keys {
    known: Vec<Known>,
    /// Which field comes next.
    next: usize,
}

/// A key with what stood around it, from the comma to the value.
#[derive(Clone, Copy, Debug)]
struct Known {
    written: [u8; LONGEST],
    length: u8,
    /// Where the key stands in it, and how long it is.
    key: (u8, u8),
    taker: Taker,
}

impl Known {
    /// A key that is too long to be remembered.
    const NONE: Known = Known { written: [0; LONGEST], length: 0, key: (0, 0), taker: Taker::Nobody };
}

/// Only so many fields are remembered, and no longer keys: memory does not follow a line.
const MOST: usize = 64;
const LONGEST: usize = 32;

impl Keys {
    /// A line begins.
    pub(super) fn restart(&mut self) {
        self.next = 0;
    }

    /// Reads the next key, up to its value.
    #[inline(always)]
    pub(super) fn next<'a>(&mut self, reader: &mut Reader<'a>) -> Result<(Text<'a>, Taker), Syntax> {
        let place = self.next;
        self.next += 1;
        if let Some(known) = self.known.get(place).filter(|known| known.length > 0)
            && let Some(key) = reader.key_if(&known.written, known.length, known.key)
        {
            return Ok((key, known.taker));
        }
        let (key, taker, behind) = self.learn(place, *reader)?;
        *reader = behind;
        Ok((key, taker))
    }

    #[inline(never)]
    fn learn<'a>(
        &mut self,
        place: usize,
        mut reader: Reader<'a>,
    ) -> Result<(Text<'a>, Taker, Reader<'a>), Syntax> {
        let before = reader.at();
        let blank = reader.offset() - before;
        let key = reader.key()?;
        let length = reader.offset() - before;
        let taker = Taker::of(&key.decode());
        let written = reader.since(before).as_bytes();
        if place < MOST
            && length <= LONGEST
            && let Some(plain) = key.plain()
        {
            let key = (blank as u8 + 1, plain.len() as u8);
            let mut known = Known { written: [0; LONGEST], length: length as u8, key, taker };
            known.written[..length].copy_from_slice(written);
            if self.known.len() <= place {
                self.known.resize(place + 1, Known::NONE);
            }
            self.known[place] = known;
        }
        Ok((key, taker, reader))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_one_taker() {
        let envelope = |name: &str| dialects::TRACE_ENVELOPE.iter().any(|field| field.name == name);
        let by_field = dialects::ALL.iter().filter(|dialect| dialect.by_field.is_some());
        let mut names: Vec<&str> = by_field
            .flat_map(|dialect| dialect.trace)
            .map(|field| field.name)
            .filter(|name| !envelope(name))
            .collect();
        assert!(names.contains(&"retrieved_ids") && names.contains(&"chunks"));
        assert!(names.iter().all(|name| matches!(Taker::of(name), Taker::Dialect(_))));
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }
}
