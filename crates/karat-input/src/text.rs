//! Text: trimming and lower-casing to the character, shortening, and what is safe to show.
//!
//! The contracts were born in Python, so both are Python's: lower-casing is the full Unicode mapping (final sigma, `İ`
//! becoming two characters), and white space includes the four ASCII separators U+001C to U+001F.

use std::borrow::Cow;

use wide::u8x16;

/// Python's `str.isspace` for one character.
#[inline]
#[must_use]
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Python's `str.strip`.
#[inline(always)]
#[must_use]
pub fn trim(text: &str) -> &str {
    let plain = |b: Option<&u8>| b.is_some_and(|&b| b > b' ' && b < 0x80);
    if plain(text.as_bytes().first()) && plain(text.as_bytes().last()) {
        return text; // nearly every id: no character to decode
    }
    trim_any(text)
}

#[inline(never)]
fn trim_any(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Python's `str.strip` on text that may be owned; allocates only where an owned text loses something.
#[inline]
#[must_use]
pub fn trim_cow(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
        Cow::Owned(text) if trim(&text).len() == text.len() => Cow::Owned(text),
        Cow::Owned(text) => Cow::Owned(trim(&text).to_owned()),
    }
}

/// Puts the lower-cased `text` into `out`, whose memory is kept.
#[inline]
pub fn lower_into(text: &str, out: &mut String) {
    out.clear();
    push_lower(text, out);
}

/// Appends the lower-cased `text` to `out`.
#[inline]
pub fn push_lower(text: &str, out: &mut String) {
    const STEP: usize = 32;
    const BLANKS: &str = "                                ";
    let start = out.len();
    out.push_str(text);
    // Blanks fill the last step up: a step is lower-cased at once, what is less than one byte by byte.
    out.push_str(&BLANKS[text.len() % STEP..]);
    out[start..].make_ascii_lowercase();
    let mut other = beyond_ascii(&out.as_bytes()[start..]);
    out.truncate(start + text.len());
    // Most texts beyond ASCII have no capital there: then they are done.
    while let Some(at) = other
        && let Some(c) = text.get(at..).and_then(|rest| rest.chars().next())
    {
        if !is_lower(c) && !c.to_lowercase().eq([c]) {
            out.truncate(start);
            out.push_str(&text.to_lowercase());
            return;
        }
        let behind = at + c.len_utf8();
        other = beyond_ascii(&text.as_bytes()[behind..]).map(|at| behind + at);
    }
}

/// Common letters that are certainly their own lower case: those of western Europe, kana and ideographs.
#[inline]
fn is_lower(c: char) -> bool {
    matches!(c, 'ß'..='ÿ' | '\u{3040}'..='\u{9fff}')
}

/// Where the first byte is that is not ASCII.
#[inline]
fn beyond_ascii(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        let high = u8x16::new(*chunk).to_bitmask();
        if high != 0 {
            return Some(at + high.trailing_zeros() as usize);
        }
        at += 16;
    }
    bytes[at..].iter().position(|b| !b.is_ascii()).map(|i| at + i)
}

/// Cuts `text` to at most `most` characters, the last one an ellipsis where something went.
#[must_use]
pub fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some(_) => Cow::Owned(text.chars().take(most.saturating_sub(1)).chain(['…']).collect()),
    }
}

/// One line of text that no terminal, table or log can be fooled by: control characters as their pictures; the
/// directional marks, invisible letters and spaces and tags of Unicode as U+FFFD. Joiners (U+200C, U+200D) and variation
/// selectors stay: scripts and emoji are written with them.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| !c.is_control() && !is_override(c);
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let show = |c: char| match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        c if harmless(c) => c,
        _ => char::REPLACEMENT_CHARACTER,
    };
    Cow::Owned(text.chars().map(show).collect())
}

fn is_override(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}'
        | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// `1 case`, `2 cases`.
#[must_use]
pub fn count(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", group(n), if n == 1 { "" } else { "s" })
}

/// A whole number with its thousands separated: `1,000,000`.
#[must_use]
pub fn group(n: u64) -> String {
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or_default());
    groups.collect::<Vec<_>>().join(",")
}

/// What was expected, and the names that somebody may have meant: `expected a qid of gold; did you mean "A1" or "A2"?`.
#[must_use]
pub fn suggest(expected: &str, near: &[&str]) -> String {
    let near: Vec<String> = near.iter().map(|name| quoted(name)).collect();
    if near.is_empty() {
        expected.to_owned()
    } else {
        format!("{expected}; did you mean {}?", near.join(" or "))
    }
}

/// The first few names of a list: `A1, A2, …`.
#[must_use]
pub fn first_few(names: &[impl AsRef<str>], most: usize, separator: &str) -> String {
    let first: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let more = if names.len() > most { format!("{separator}…") } else { String::new() };
    first.join(separator) + &more
}

/// A name in quotes, shortened for a message.
#[must_use]
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", visible(&shorten(name, 60)))
}

/// The candidates nearest to `wanted`, best first, three at most; none that is not alike.
#[must_use]
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = wanted.to_lowercase();
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|name| {
            let lower = name.to_lowercase();
            let contained = wanted.len() >= 3 && (lower.contains(&wanted) || wanted.contains(&lower));
            (strsim::jaro_winkler(&wanted, &lower).max(if contained { 0.85 } else { 0.0 }), name)
        })
        .filter(|&(score, _)| score >= 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

/// The shape of a line of JSON without its words: signs, `true`, `false`, `null` and the keys in `known` stay, each other
/// letter and digit is a dot.
#[must_use]
pub fn mask(line: &str, known: &[&str]) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let taken = if first == '"' {
            let end = string_end(rest);
            let (string, after) = rest.split_at(end);
            if after.trim_start().starts_with(':') && known.contains(&string.trim_matches('"')) {
                out.push_str(string);
            } else {
                out.extend(string.chars().map(|c| if c == '"' { '"' } else { '·' }));
            }
            end
        } else if first.is_alphanumeric() {
            let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            let literal = matches!(&rest[..end], "true" | "false" | "null");
            out.extend(rest[..end].chars().map(|c| if literal { c } else { '·' }));
            end
        } else {
            let kept = first.is_ascii_punctuation() || is_space(first);
            out.push(if kept { first } else { '·' });
            first.len_utf8()
        };
        rest = &rest[taken..];
    }
    out
}

/// Where the string that `text` begins with ends, after its closing quote.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// With a capital letter.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_keeps_the_shape_and_no_word() {
        let known = ["text", "permitted", "n"];
        let line = r#"{"text": "top é", "permitted": flase, "n": -1.5e3, "a b": true} plain 42"#;
        let masked = r#"{"text": "·····", "permitted": ·····, "n": -·.···, "···": true} ····· ··"#;
        assert_eq!(mask(line, &known), masked);
        for line in
            [r#"{"text": "a 5" pipe "Meier-HIV": treat"}"#, "4111 1111 1111", r#"{"text": "torn \" secret"#]
        {
            let words = mask(line, &known).replace("\"text\"", "");
            assert!(!words.contains(char::is_alphanumeric), "{words}");
        }
        for line in ["\"", "\"\\", "{\"", "é\"é"] {
            assert_eq!(mask(line, &known).chars().count(), line.chars().count());
        }
    }

    #[test]
    fn trims_as_python_does() {
        for (text, trimmed) in
            [("\u{1c}\u{a0} a b\u{2003}\n", "a b"), ("a", "a"), (" \u{1f}", ""), ("é", "é")]
        {
            assert_eq!(trim(text), trimmed);
        }
    }

    #[test]
    fn lower_cases_as_python_does() {
        let mut out = String::new();
        for (text, lower) in [
            ("ΤΈΛΟΣ", "τέλος"),
            ("İabc", "i\u{307}abc"),
            ("ẞ", "ß"),
            ("ABC", "abc"),
            ("größer als ÖL", "größer als öl"),
            ("ein sehr langer Text, größer als SECHZEHN", "ein sehr langer text, größer als sechzehn"),
        ] {
            lower_into(text, &mut out);
            assert_eq!(out, lower);
        }
    }

    #[test]
    fn what_is_taken_for_lower_case_is() {
        let letters = || ('\u{80}'..='\u{ffff}').filter(|&c| is_lower(c));
        assert!(letters().count() > 20_000 && letters().all(|c| c.to_lowercase().eq([c])));
    }

    #[test]
    fn shows_what_would_hide() {
        assert_eq!(visible("a\u{1b}[31mb\n\u{202e}c"), "a␛[31mb␊\u{fffd}c");
        assert_eq!(shorten("äöüß", 3), "äö…");
        assert_eq!(group(1_234_567), "1,234,567");
    }

    #[test]
    fn finds_the_nearest_names() {
        let names = ["precision", "recall@k", "under_refusal", "over_refusal"];
        assert_eq!(nearest("presision", names), ["precision"]);
        assert_eq!(nearest("refusal", names), ["over_refusal", "under_refusal"]);
        assert!(nearest("zzz", names).is_empty());
    }
}
