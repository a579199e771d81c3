//! Spans: half-open ranges of bytes in the frozen text, to check whether a citation lies within its block.

/// A range of bytes, from `start` up to but not including `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    start: u64,
    end: u64,
}

impl Span {
    /// A range that is not empty.
    #[must_use]
    pub fn new(start: u64, end: u64) -> Option<Self> {
        (start < end).then_some(Span { start, end })
    }

    /// Whether the span lies inside a block that is widened by `window` bytes at both ends.
    #[must_use]
    pub fn lies_in(self, block: Span, window: u64) -> bool {
        self.start >= block.start.saturating_sub(window) && self.end <= block.end.saturating_add(window)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_of_thirty_bytes() {
        let block = Span::new(1000, 2000).unwrap();
        let inside = |start, end| Span::new(start, end).unwrap().lies_in(block, 30);
        for (off, holds) in [(0, true), (25, true), (30, true), (31, false), (900, false)] {
            assert_eq!(inside(1000 - off, 2000), holds, "{off} before");
            assert_eq!(inside(1000, 2000 + off), holds, "{off} behind");
            assert_eq!(inside(1000 - off, 2000 + off), holds, "{off} at both ends");
        }
        assert!(inside(1400, 1500), "a part of the block");
        assert!(!inside(3000, 3100), "another place");
    }

    #[test]
    fn the_ends_of_the_numbers() {
        assert_eq!((Span::new(5, 5), Span::new(6, 5)), (None, None));
        let all = Span::new(0, u64::MAX).unwrap();
        assert!(all.lies_in(all, u64::MAX) && all.lies_in(Span::new(10, u64::MAX - 10).unwrap(), 10));
        assert!(!all.lies_in(Span::new(10, 20).unwrap(), 10));
    }
}
