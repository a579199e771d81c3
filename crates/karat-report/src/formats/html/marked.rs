//! Where in a claim do gold's phrases stand?

/// A phrase of fewer characters never matches.
const LEAST: usize = 5;

/// A claim in parts: plain, marked, plain, … A part may be empty, so that every second one is marked.
pub(super) fn marked(claim: &str, phrases: &[String]) -> Vec<String> {
    let phrases: Vec<&str> =
        phrases.iter().map(String::as_str).filter(|phrase| phrase.chars().count() >= LEAST).collect();
    // The claim in lower case, and where in the claim each of its bytes comes from.
    let (mut lower, mut from) = (String::new(), Vec::new());
    if !phrases.is_empty() {
        for (at, c) in claim.char_indices() {
            lower.extend(c.to_lowercase());
            from.resize(lower.len(), (at, at + c.len_utf8()));
        }
    }
    let mut spots: Vec<(usize, usize)> = Vec::new();
    for phrase in phrases {
        for (at, found) in lower.match_indices(phrase) {
            spots.push((from[at].0, from[at + found.len() - 1].1));
        }
    }
    spots.sort_unstable();
    let (mut parts, mut done) = (Vec::new(), 0);
    for (start, end) in spots {
        let start = start.max(done);
        if end > start {
            parts.push(claim[done..start].to_owned());
            parts.push(claim[start..end].to_owned());
            done = end;
        }
    }
    parts.push(claim[done..].to_owned());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(claim: &str, phrases: &[&str], parts: &[&str]) {
        let phrases: Vec<String> = phrases.iter().map(|&phrase| phrase.into()).collect();
        assert_eq!(marked(claim, &phrases), parts);
    }

    #[test]
    fn phrases_are_marked_where_they_stand() {
        check("HashMap Rejects Null keys.", &["null keys"], &["HashMap Rejects ", "Null keys", "."]);
        check("abcdefgh", &["abcde", "defgh"], &["", "abcde", "", "fgh", ""]);
        check("İstanbul airport", &["stanbul"], &["İ", "stanbul", " airport"]);
        check("no such thing", &["no", "other phrase"], &["no such thing"]);
        check("", &["phrase"], &[""]);
    }
}
