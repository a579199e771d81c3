//! What is the next field of an object? The lines of a log are alike, so the answer is most often that of the line before.
//!
//! Everything between one value and the next (the comma, the key, the blanks) is first compared with what stood there in
//! the line before: no end of a key is looked for, and nobody is asked again what it means. Where something else stands,
//! it is read as any key is.

use std::borrow::Cow;

use crate::json::{Prefix, Reader, Syntax, Text};

/// The keys of the last object, by their place in it, and what each means to its reader.
#[derive(Debug)]
pub struct Keys<T> {
    known: Vec<Option<Known<T>>>,
    /// Which field comes next.
    next: usize,
}

#[derive(Clone, Copy, Debug)]
struct Known<T> {
    /// All that stands between the value before it, or the line's start, and its own value.
    written: Prefix,
    /// Where the key stands in that, from and to.
    key: (u8, u8),
    escaped: bool,
    meaning: T,
}

/// Where a key stands in its line.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    start: usize,
    end: usize,
    escaped: bool,
}

impl Key {
    /// Its text.
    #[inline(always)]
    pub fn text<'a>(self, reader: &Reader<'a>) -> Cow<'a, str> {
        Text::new(reader.part(self.start, self.end), self.escaped).decode()
    }
}

/// How many fields are remembered: memory must not grow with a line.
const MOST: usize = 64;

impl<T> Default for Keys<T> {
    fn default() -> Self {
        Keys { known: Vec::new(), next: 0 }
    }
}

impl<T: Copy> Keys<T> {
    /// An object begins.
    #[inline]
    pub fn restart(&mut self) {
        self.next = 0;
    }

    /// Goes on to the value of the next field, stepping into the object before the first one; `None` after the last.
    /// `mean` is asked about a key that did not stand here before.
    #[inline(always)]
    pub fn next(
        &mut self,
        reader: &mut Reader<'_>,
        mean: impl Fn(&str) -> T,
    ) -> Result<Option<(T, Key)>, Syntax> {
        let (place, start) = (self.next, reader.at());
        self.next += 1;
        if let Some(Some(known)) = self.known.get(place)
            && reader.pass(&known.written)
        {
            let at = |at: u8| start + usize::from(at);
            let key = Key { start: at(known.key.0), end: at(known.key.1), escaped: known.escaped };
            return Ok(Some((known.meaning, key)));
        }
        if place > 0 && reader.pass_end() {
            return Ok(None);
        }
        let (field, behind) = self.learn(place, *reader, &mean)?;
        *reader = behind;
        Ok(field)
    }

    #[inline(never)]
    fn learn<'a>(
        &mut self,
        place: usize,
        mut reader: Reader<'a>,
        mean: &dyn Fn(&str) -> T,
    ) -> Result<(Option<(T, Key)>, Reader<'a>), Syntax> {
        let start = reader.at();
        if !(if place == 0 { reader.enter()? } else { reader.another()? }) {
            return Ok((None, reader));
        }
        let from = reader.offset() + 1;
        let text = reader.key()?;
        let key = Key { start: from, end: from + text.written().len(), escaped: text.plain().is_none() };
        let meaning = mean(&text.decode());
        reader.offset(); // at the value
        if place < MOST
            && let Some(written) = Prefix::new(reader.since(start).as_bytes())
        {
            let (escaped, key) = (key.escaped, ((key.start - start) as u8, (key.end - start) as u8));
            if self.known.len() <= place {
                self.known.resize_with(place + 1, || None);
            }
            self.known[place] = Some(Known { written, key, escaped, meaning });
        }
        Ok((Some((meaning, key)), reader))
    }
}
