//! Passes over a value, however deep it nests.

use super::ends::{escaped_end, fail, number_end};
use super::{Expected, Kind, MAX_DEPTH, Reader, Result};
use crate::string::plain_until;

impl Reader<'_> {
    /// Reads any value and drops it; iterative, so that depth costs no stack.
    #[inline]
    pub fn skip(&mut self) -> Result<()> {
        match self.peek()? {
            Kind::String => self.pass_text(),
            Kind::Number => self.pass_number(),
            Kind::Bool => self.boolean().map(drop),
            Kind::Null => self.literal("null"),
            Kind::Array | Kind::Object => {
                *self = self.behind_nested()?;
                Ok(())
            }
        }
    }

    /// Passes over a key, up to its value.
    #[inline(always)]
    fn pass_key(&mut self) -> Result<()> {
        self.white();
        if self.byte() != Some(b'"') {
            return fail(self.at, Expected::Key);
        }
        self.pass_text()?;
        self.white();
        self.expect(b':', Expected::Colon)
    }

    /// Passes over the string whose opening quote comes next.
    #[inline(always)]
    fn pass_text(&mut self) -> Result<()> {
        let end = plain_until(self.text.as_bytes(), self.at + 1);
        let plain = self.text.as_bytes().get(end) == Some(&b'"');
        self.at = 1 + if plain { end } else { escaped_end(self.text.as_bytes(), end)? };
        Ok(())
    }

    /// Passes over the number that comes next.
    #[inline(always)]
    fn pass_number(&mut self) -> Result<()> {
        self.at = number_end(self.text.as_bytes(), self.at)?;
        Ok(())
    }

    /// The place after a list or an object.
    fn behind_nested(mut self) -> Result<Self> {
        let mut open = Nesting::default();
        let mut object = false; // the innermost that is open
        loop {
            // at a value
            match self.peek()? {
                Kind::String => self.pass_text()?,
                Kind::Number => self.pass_number()?,
                Kind::Bool => _ = self.boolean()?,
                Kind::Null => self.literal("null")?,
                kind => {
                    let (start, inner) = (self.at, kind == Kind::Object);
                    self.at += 1;
                    self.white();
                    if !self.take(closing(inner)) {
                        if !open.push(inner) {
                            return fail(start, Expected::Depth);
                        }
                        object = inner;
                        if object {
                            self.pass_key()?;
                        }
                        continue;
                    }
                    if open.depth == 0 {
                        return Ok(self);
                    }
                }
            }
            // after a value: close what ends here, or go on to the next one
            let expected = |object| if object { Expected::MoreOfObject } else { Expected::MoreOfList };
            while !self.more(closing(object), expected(object))? {
                open.pop();
                let Some(outer) = open.top() else { return Ok(self) };
                object = outer;
            }
            if object {
                self.pass_key()?;
            }
        }
    }
}

/// One bit per level: whether it is an object.
#[derive(Default)]
struct Nesting {
    bits: [u64; MAX_DEPTH / 64],
    depth: usize,
}

impl Nesting {
    fn push(&mut self, object: bool) -> bool {
        if self.depth == MAX_DEPTH {
            return false;
        }
        let (word, bit) = (self.depth / 64, self.depth % 64);
        self.bits[word] = self.bits[word] & !(1 << bit) | u64::from(object) << bit;
        self.depth += 1;
        true
    }

    fn top(&self) -> Option<bool> {
        let last = self.depth.checked_sub(1)?;
        Some(self.bits[last / 64] >> (last % 64) & 1 == 1)
    }

    fn pop(&mut self) {
        self.depth -= 1;
    }
}

pub(super) fn closing(object: bool) -> u8 {
    if object { b'}' } else { b']' }
}
