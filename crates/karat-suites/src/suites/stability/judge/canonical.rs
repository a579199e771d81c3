//! The canonical form of a claim, in which claims that differ only in how they are written are equal.
//!
//! It is lower-case, without the 32 ASCII punctuation characters, and with each run of white space reduced to one space:
//! `X  rejects null-keys!` becomes `x rejects nullkeys`.

use crate::text;

/// Writes the canonical form of a lower-cased text into `out`, reusing its memory.
pub fn canonical_into(lower: &str, out: &mut String) {
    out.clear();
    let mut gap = false;
    for c in lower.chars() {
        if c.is_ascii_punctuation() {
            continue;
        }
        if text::is_space(c) {
            gap = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut gap) {
            out.push(' ');
        }
        out.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_wording_is_left() {
        let check = |lower: &str| {
            let mut out = "old".to_owned();
            canonical_into(lower, &mut out);
            out
        };
        assert_eq!(check("  x\u{a0}\t rejects null-keys! "), "x rejects nullkeys");
        assert_eq!(check("a - b"), "a b", "what stood between two blanks leaves one");
        assert_eq!(check("\u{1c}straße, „größer“\n"), "straße „größer“", "only ASCII's punctuation goes");
        assert_eq!(check(" . , ; "), "");
        assert_eq!(check("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"), "");
    }
}
