//! Contradiction rules: which words in a claim contradict a locked constraint.
//!
//! A rule pack is TOML: `[[rule]]` with `id`, `lock`, `claim` and optionally `unless`, all regular expressions, all
//! case-insensitive. Where `lock` matches a constraint, `{name}` in `claim` and `unless` stands for exactly the text
//! that its group `name` captured (white space is flexible). A match of `claim` is a contradiction, unless `unless`
//! matches the same sentence up to the beginning of the match, or up to its end: `not (\w+ ){0,3}$` is thus a negation
//! within the four words before it. The rule ignores a constraint in which `unless` matches before the match of `lock`.
//!
//! A pattern with a capture in it can only be compiled once the capture is known. That is expensive, so a looser
//! pattern, with "anything" in place of the capture, is compiled once and tried first; it decides alone for nearly every
//! claim. Most gold sets lock nothing, so the built-in patterns are compiled only when they are needed.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use crate::input::table;
use crate::problem::{self, Problem};
use crate::rows::Wrong;
use crate::text;

/// The built-in rules.
pub const BUILT_IN: &str = include_str!("contradictions.toml");

/// The longest capture that is used: no claim would repeat a longer phrase.
const CAPTURE_LIMIT: usize = 200;

/// Contradiction rules: the built-in ones, and those that were added.
#[derive(Clone, Debug, Default)]
pub struct RulePack {
    added: Vec<Arc<Rule>>,
    /// The texts of the packs that were added.
    texts: Vec<String>,
}

#[derive(Debug)]
struct Rule {
    id: String,
    lock: Pattern,
    claim: Pattern,
    unless: Option<Pattern>,
}

/// A regular expression with places for captures.
#[derive(Debug)]
struct Pattern {
    source: String,
    /// The capture names that occur in it.
    names: Vec<String>,
    /// The pattern with anything in those places; it contains `None` if it does not compile.
    loose: OnceLock<Option<Regex>>,
}

/// A cache of patterns with their captures filled in, so that a repeated lock is not compiled again.
#[derive(Debug, Default)]
pub struct Cache(HashMap<(String, Vec<String>), Option<Regex>>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PackFile {
    #[serde(default, rename = "rule")]
    rules: Vec<toml::Spanned<RuleFile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    id: String,
    lock: toml::Spanned<String>,
    claim: toml::Spanned<String>,
    unless: Option<toml::Spanned<String>>,
}

impl RulePack {
    /// Reads a pack and checks its patterns; `name` is the file for messages.
    pub fn parse(name: &str, toml: &str) -> Result<Self, Problem> {
        read(name, toml, true).map(|added| RulePack { added, texts: vec![toml.to_owned()] })
    }

    /// Every rule as text: the built-in ones, then those that were added.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(BUILT_IN).chain(self.texts.iter().map(String::as_str))
    }

    /// Appends the rules of another pack.
    pub fn extend(&mut self, other: RulePack) {
        self.added.extend(other.added);
        self.texts.extend(other.texts);
    }

    /// The first rule, by its id, that finds a contradiction between one of the constraints and the claim.
    pub fn contradiction(&self, locks: &[&str], claim: &str, cache: &mut Cache) -> Option<&str> {
        // A test checks that the built-in pack can be read; if it were broken, running without rules beats not starting.
        static RULES: LazyLock<Vec<Arc<Rule>>> =
            LazyLock::new(|| read("built-in", BUILT_IN, false).unwrap_or_default());
        let mut fires = |rule: &Rule| locks.iter().any(|lock| rule.fires(lock, claim, cache));
        RULES.iter().chain(&self.added).find(|rule| fires(rule)).map(|rule| rule.id.as_str())
    }
}

fn read(name: &str, toml: &str, check: bool) -> Result<Vec<Arc<Rule>>, Problem> {
    let at = |span: Option<Range<usize>>, message: String| place(name, toml, span, message);
    let file: PackFile = toml::from_str(toml).map_err(|e| at(e.span(), e.message().to_owned()))?;
    let mut rules = Vec::new();
    for rule in file.rules {
        let RuleFile { id, lock, claim, unless } = rule.into_inner();
        let names = group_names(lock.get_ref());
        let pattern = |text: &toml::Spanned<String>, names: &[&str]| {
            let pattern = Pattern::new(text.get_ref(), names);
            let checked = if check { pattern.check() } else { Ok(()) };
            checked.map(|()| pattern).map_err(|e| at(Some(text.span()), e))
        };
        let (lock, claim) = (pattern(&lock, &[])?, pattern(&claim, &names)?);
        let unless = unless.as_ref().map(|text| pattern(text, &names)).transpose()?;
        rules.push(Arc::new(Rule { id, lock, claim, unless }));
    }
    Ok(rules)
}

/// The names of a pattern's groups.
fn group_names(pattern: &str) -> Vec<&str> {
    let starts = pattern.match_indices("(?").filter_map(|(at, _)| {
        let rest = &pattern[at + 2..];
        rest.strip_prefix("P<").or_else(|| rest.strip_prefix('<'))?.split_once('>').map(|(name, _)| name)
    });
    starts.collect()
}

impl Rule {
    fn fires(&self, lock: &str, claim: &str, cache: &mut Cache) -> bool {
        if !self.claim.loose().is_some_and(|loose| loose.is_match(claim)) {
            return false;
        }
        for captures in self.lock.loose().iter().flat_map(|regex| regex.captures_iter(lock)) {
            let unless = match &self.unless {
                Some(unless) => match unless.fill(&captures, cache) {
                    Some(regex) => Some(regex),
                    None => continue,
                },
                None => None,
            };
            let matches = |text: &str| unless.as_ref().is_some_and(|unless| unless.is_match(text));
            let before = |text: &str, at: usize| matches(&text[sentence_start(text, at)..at]);
            if captures.get(0).is_none_or(|all| before(lock, all.start())) {
                continue;
            }
            let suppressed = |found: &Range<usize>| {
                before(claim, found.start) || matches(&claim[sentence_start(claim, found.start)..found.end])
            };
            let Some(pattern) = self.claim.fill(&captures, cache) else { continue };
            if pattern.find_iter(claim).any(|found| !suppressed(&found.range())) {
                return true;
            }
        }
        false
    }
}

impl Pattern {
    fn new(source: &str, known: &[&str]) -> Self {
        let used = known.iter().filter(|name| source.contains(&format!("{{{name}}}")));
        Pattern {
            source: source.to_owned(),
            names: used.map(|name| (*name).to_owned()).collect(),
            loose: OnceLock::new(),
        }
    }

    /// The pattern with one text in the place of every capture.
    fn with(&self, text: &str) -> String {
        self.names.iter().fold(self.source.clone(), |p, name| p.replace(&format!("{{{name}}}"), text))
    }

    fn loose(&self) -> Option<&Regex> {
        self.loose.get_or_init(|| build(&self.with("(?s:.+?)")).ok()).as_ref()
    }

    /// Whether it compiles, whatever is captured: loose, and with the longest text that a capture may be.
    fn check(&self) -> Result<(), String> {
        build(&self.with("(?s:.+?)"))?;
        build(&self.with(&"x".repeat(CAPTURE_LIMIT))).map(|_| ())
    }

    /// The pattern with a lock's captures in their places; `None` where one of them is empty or too long.
    fn fill(&self, captures: &Captures<'_>, cache: &mut Cache) -> Option<Regex> {
        if self.names.is_empty() {
            return self.loose().cloned();
        }
        let words = |name: &String| {
            let words: Vec<String> =
                captures.name(name)?.as_str().split_whitespace().map(str::to_lowercase).collect();
            let text = words.join(" ");
            (!text.is_empty() && text.len() <= CAPTURE_LIMIT).then_some(text)
        };
        let values: Vec<String> = self.names.iter().map(words).collect::<Option<_>>()?;
        if cache.0.len() >= 1024 {
            cache.0.clear();
        }
        cache
            .0
            .entry((self.source.clone(), values))
            .or_insert_with_key(|(source, values)| {
                let mut filled = source.clone();
                for (name, value) in self.names.iter().zip(values) {
                    let words: Vec<String> = value.split(' ').map(regex::escape).collect();
                    filled = filled.replace(&format!("{{{name}}}"), &format!("(?:{})", words.join(r"\s+")));
                }
                build(&filled).ok()
            })
            .clone()
    }
}

fn build(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern).case_insensitive(true).build().map_err(|e| match e {
        regex::Error::Syntax(text) => {
            text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
        }
        other => other.to_string(),
    })
}

/// The beginning of the sentence that contains `at`: after the last `.!?;` before white space, or after a line end. It is at
/// most a kibibyte back, so a claim without a full stop costs no more than one with many.
fn sentence_start(text: &str, at: usize) -> usize {
    const FARTHEST: usize = 1024;
    let first = (at.saturating_sub(FARTHEST)..=at).find(|&i| text.is_char_boundary(i)).unwrap_or(at);
    let before = &text[first..at];
    let mut ends = before.char_indices().rev().filter(|&(i, c)| {
        c == '\n' || matches!(c, '.' | '!' | '?' | ';') && before[i + 1..].starts_with(text::is_space)
    });
    ends.next().map_or(first, |(i, c)| first + i + c.len_utf8())
}

fn place(name: &str, toml: &str, span: Option<Range<usize>>, message: String) -> Problem {
    let span = span.unwrap_or(0..0);
    let span = span.start.min(toml.len())..span.end.min(toml.len());
    table::place(&name.into(), toml, Wrong::new(&problem::RULES_INVALID, span, "", message, ""), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_pack_is_sound() {
        assert!(RulePack::parse("built-in", BUILT_IN).unwrap().added.len() >= 5);
    }

    #[track_caller]
    fn check(lock: &str, claim: &str, rule: &str) {
        let found = RulePack::default();
        let fired = found.contradiction(&[lock], claim, &mut Cache::default()).unwrap_or("-").to_owned();
        assert_eq!(fired, rule, "lock: {lock} | claim: {claim}");
    }

    #[test]
    fn rejects_against_allows() {
        check("X rejects null keys.", "X permits null keys", "rejects-allows");
        check("X rejects null keys.", "X supports  Null keys.", "rejects-allows");
        check("X rejects null keys.", "Null keys are allowed.", "rejects-allows");
        check("X rejects null keys.", "X does not support null keys", "-");
        check("X rejects null keys.", "Null keys are not allowed.", "-");
        check("X rejects null keys.", "X rejects null keys, but accepts empty maps", "-");
        check("X rejects null keys.", "It never, under any load, allows null keys", "-");
        check("X rejects null keys.", "That was not so. X allows null keys.", "rejects-allows");
        check(
            "The API denies anonymous access to the admin pages.",
            "It allows anonymous access.",
            "rejects-allows",
        );
        check("X does not allow null keys.", "X allows null keys", "rejects-allows");
        check("X does not allow null keys.", "X rejects null keys", "-");
        check("X supports null keys.", "X rejects null keys", "allows-rejects");
        check("X supports null keys.", "X supports null keys", "-");
    }

    #[test]
    fn only_against_any() {
        check("Only domain example.com is allowed.", "Any domain is allowed.", "only-any");
        check("Only domain example.com is allowed.", "gmail.com is allowed too", "only-other");
        check("Only domain example.com is allowed.", "we accept gmail.com", "only-other");
        check("Only example.com.", "Only domain EXAMPLE.com is allowed.", "-");
        check("Only domain example.com is allowed.", "gmail.com is not allowed", "-");
        check("Only domain example.com is allowed.", "It does not accept gmail.com.", "-");
        check("Only domain example.com is allowed.", "not any domain", "-");
    }

    #[test]
    fn must_against_may() {
        check("Requests must be signed.", "Requests may be signed.", "must-may");
        check("Requests must be signed.", "It is not required to be signed", "must-may");
        check("A request id must be present.", "The request id is optional.", "must-optional");
        check("Requests must be signed.", "the May 2024 release", "-");
        check("Requests must be signed.", "Requests must be signed.", "-");
        check("You must not delete backups.", "You may not delete backups.", "-");
    }

    #[test]
    fn never_against_can() {
        check("Never delete backups.", "You can delete backups.", "never-can");
        check("You must not delete backups.", "You may delete  backups.", "never-can");
        check("Never delete backups.", "Backups can be restored.", "-");
        check("Never delete backups.", "You can not delete backups.", "-");
        check("Never delete backups.", "No one can delete backups.", "-");
    }

    #[test]
    fn a_pack_of_ones_own() {
        let toml = "[[rule]]\nid = 'ttl'\nlock = 'TTL (?P<n>\\d+)s'\nclaim = 'TTL (?:is|of) (?:[^\\s{n}]|\\d{3,})'\n";
        let mut pack = RulePack::default();
        pack.extend(RulePack::parse("mine.toml", toml).unwrap());
        let mut cache = Cache::default();
        assert_eq!(pack.contradiction(&["TTL 5s"], "a TTL of 3600", &mut cache), Some("ttl"));
        assert_eq!(pack.contradiction(&["TTL 5s"], "a TTL of 5s", &mut cache), None);
    }

    #[test]
    fn a_bad_pack_is_named_with_its_place() {
        let error = RulePack::parse("p.toml", "[[rule]]\nid = 'a'\nlock = '('\nclaim = 'x'\n").unwrap_err();
        assert_eq!((error.line, error.column, &*error.source), (3, 8, "p.toml"));
        assert!(error.message.contains("unclosed group"), "{}", error.message);
        let error = RulePack::parse("p.toml", "[[rule]]\nid = 'a'\nlok = 'x'\n").unwrap_err();
        assert_eq!(error.line, 3);
    }
}
