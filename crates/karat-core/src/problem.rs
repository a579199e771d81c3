//! What is wrong with an input, where exactly, and what should its owner do?
//!
//! Three things never mix: a *verdict* (the pipeline did badly: counted), a *problem* (an input record broke its
//! contract: collected here) and a [`Failure`] (nothing could be decided: exit 2).
//! Every problem has a stable slug; `karat explain SLUG` prints what stands here.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::text;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is scored.
    Error,
    /// Scored, and said.
    Warning,
}

/// A kind of problem, declared once.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The stable name: `gold/duplicate-id`.
    pub slug: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// What to do about it.
    pub help: &'static str,
}

macro_rules! kinds {
    ($($name:ident $severity:ident $slug:literal $meaning:literal $help:literal)*) => {
        $(#[doc = $meaning] pub const $name: Kind =
            Kind { slug: $slug, severity: Severity::$severity, meaning: $meaning, help: $help };)*
        /// Every kind of problem, in the order of the pipeline.
        pub const KINDS: &[&Kind] = &[$(&$name),*];
    };
}

kinds! {
    UNREADABLE Error "input/unreadable" "A file could not be opened, or could not be read to its end."
        "check the path, the pattern and the permissions; a compressed file can be tested with `gzip -t` or `zstd -t`"
    NOT_UTF8 Error "input/not-utf8" "A line contains bytes that are not UTF-8."
        "write the file as UTF-8 (`iconv -t utf-8`); with --lenient such a trace is skipped and counted"
    BAD_JSON Error "input/bad-json" "A line, or the file, is not JSON."
        "write one JSON object per line, not pretty-printed (gold may be one array); a torn line in a log often means that two processes wrote it or that one was killed; --lenient skips and counts such lines of the traces"
    REPEATED_FIELD Error "input/repeated-field" "A row has the same field twice, so it is ambiguous."
        "write each field once; the evidence path is in `trace` or at the top level, not in both"
    LINE_TOO_LONG Error "input/line-too-long" "A line is longer than 64 MiB."
        "a trace is one line of JSON; a file without line ends is probably something else; with --lenient the line is skipped and counted"
    GOLD_EMPTY Error "gold/empty" "The gold set has no rows."
        "an empty gold set would pass every gate; write at least one row"
    GOLD_NOT_AN_OBJECT Error "gold/not-an-object" "A gold row is not a JSON object."
        "write one object per line, or one array of objects"
    GOLD_MISSING_FIELD Error "gold/missing-field" "A gold row lacks a required field."
        "add the field; `karat schema SUITE.gold` prints the contract: answers.gold, release.gold, retrieval.gold"
    GOLD_WRONG_TYPE Error "gold/wrong-type" "A field of a gold row has the wrong type."
        "correct the value; `karat schema SUITE.gold` prints the contract: answers.gold, release.gold, retrieval.gold"
    GOLD_UNKNOWN_VALUE Error "gold/unknown-value" "A field of a gold row has a value that is not allowed."
        "use one of the values that the message lists"
    GOLD_DUPLICATE_ID Error "gold/duplicate-id" "Two gold rows have the same id."
        "give each row its own id; a changed question deserves a new one"
    GOLD_EMPTY_LIST Error "gold/empty-list" "A list that a gold case relies on is empty, or contains an empty text."
        "an empty list would always pass: write what the case requires"
    GOLD_UNKNOWN_SOURCE Warning "gold/unknown-source" "A case requires a source that the evidence store does not have, so it can never be released."
        "correct the id, or add the chunk to the store"
    GOLD_NO_PHRASES Warning "gold/no-phrases" "A required point has no support phrases in gold, so no claim of a production trace can support it."
        "add `points`: {\"point\": [\"phrase\", …]} to the row, or trust the claims' own phrases with --trust-claim-phrases"
    GOLD_SHORT_PHRASE Warning "gold/short-phrase" "A support phrase has fewer than five characters, so almost any chunk contains it."
        "use a longer phrase: short ones match by accident"
    GOLD_UNKNOWN_NEGATIVE Warning "gold/unknown-negative" "A negative is not in the block table, so it can never be ranked above a relevant id."
        "correct the id, or remove it: the block may have disappeared when the text was chunked again"
    GOLD_AMBIGUOUS_QUESTION Error "gold/ambiguous-question" "A trace without a qid asks a question that several gold rows ask."
        "log the qid with the trace, or make the questions differ"
    GOLD_SAME_QUESTION Warning "gold/same-question" "Two gold rows ask the same question."
        "harmless while every trace carries a qid; otherwise make the questions differ"
    GOLD_SHORT_SUBSTRING Warning "gold/short-substring" "A gold substring has fewer than five characters after lower-casing, so it can never match."
        "use a longer phrase: short ones match by accident"
    GOLD_NO_CITATION Warning "gold/no-citation" "An answerable row names no gold citation, so only an answer that cites nothing is a hit."
        "name at least one chunk that supports the answer"
    GOLD_REFUSAL_WITH_IDS Warning "gold/refusal-with-ids" "An unanswerable row names gold citations."
        "either the row is answerable, or the ids are left over: remove them"
    GOLD_NO_RELEVANT Error "gold/no-relevant" "A question has no relevant id, so recall is undefined."
        "name at least one block with a grade above 0"
    GOLD_UNKNOWN_BLOCK Error "gold/unknown-block" "A relevant id is not in the block table."
        "gold and block table must come from the same chunking: correct the id, or give the table that gold was written for"
    GOLD_RELEVANT_NEGATIVE Warning "gold/relevant-negative" "A question lists an id both as relevant and as a negative; it counts as relevant."
        "remove it from one of the two lists"
    GOLD_NEAR_DUPLICATE Warning "gold/near-duplicate" "Two gold rows ask almost the same question."
        "keep the better of the two, or word them so that the difference shows: together they count one question twice"
    GOLD_SHARED_SUBSTRING Warning "gold/shared-substring" "A gold substring also occurs in what the answer to another question must say, so a wrong answer may pass."
        "use a longer phrase, one that only this answer says"
    GOLD_IN_QUESTION Warning "gold/in-question" "A gold substring occurs in the question itself, so an answer that repeats the question passes."
        "use a phrase that the question does not give away"
    GOLD_FORBIDDEN_REQUIRED Warning "gold/forbidden-required" "A row forbids a text that its right answer must contain, so no answer can be right."
        "make the forbidden text longer, or change the required one"
    GOLD_HIDDEN_CHARACTER Warning "gold/hidden-character" "An id or a substring of a gold row contains an invisible character, so texts that look the same do not match."
        "remove the character; it often comes with text copied from a web page or a PDF"
    GOLD_FEW_UNANSWERABLE Warning "gold/few-unanswerable" "Too few gold rows are unanswerable: a set of only answerable questions cannot measure refusal."
        "add questions that the documents do not answer, one in ten or more, close to what they do answer"
    GOLD_THIN_SLICE Warning "gold/thin-slice" "A value of a slice field occurs in fewer than five gold rows, so one case moves its rates by a fifth or more."
        "add rows for that value, or slice by a coarser field"
    GOLD_HALF_CHARACTER Error "gold/half-character" "A text of a gold row that should be frozen contains half of a surrogate pair."
        "write the whole character: all halves read the same, so a change could not be detected"
    LOCK_MISSING Error "lock/missing" "The lock of the gold set does not exist."
        "create it with `karat gold freeze GOLD…` and commit it; without a lock nobody can tell whether the gold set changed"
    LOCK_NOT_NFC Error "lock/not-nfc" "A gold row is not in Unicode form NFC; a lock could not tell it from a row that looks the same and matches other answers."
        "write the row in NFC, as editors do: `uconv -x nfc`, or unicodedata.normalize(\"NFC\", …) in Python"
    LOCK_INVALID Error "lock/invalid" "A file is not a lock of this karat, or contradicts itself."
        "do not edit a lock by hand: restore the committed one, or freeze again with `karat gold freeze` and have the change reviewed"
    SIGNATURE_INVALID Error "call/sign" "A signature cannot be read."
        "write --sign 'NAME:ROLE', such as 'Ada Lovelace:QA lead'; neither part may be empty"
    OFFSETS_ORDER Error "offsets/order" "The start of a range of offsets is not before its end."
        "offsets are bytes of the frozen text, as half-open ranges [start, end)"
    BLOCKS_MISSING_FIELD Error "blocks/missing-field" "A block has no id."
        "write one block per line, each with its `id`; `karat schema retrieval.blocks` prints the contract"
    BLOCKS_WRONG_TYPE Error "blocks/wrong-type" "A row of the block table, or a field of it, has the wrong type."
        "correct the value; `karat schema retrieval.blocks` prints the contract"
    BLOCKS_DUPLICATE_ID Error "blocks/duplicate-id" "Two rows of the block table have the same id."
        "give each block its own id; otherwise a citation could not be checked"
    TRACE_NOT_AN_OBJECT Error "trace/not-an-object" "A trace line is not a JSON object."
        "write one object per line; with --lenient such a line is skipped and counted"
    TRACE_WRONG_TYPE Error "trace/wrong-type" "A field of a trace has the wrong type."
        "correct the logger; `karat schema SUITE.trace` prints the contract: answers.trace, latency.trace, release.trace, retrieval.trace, stability.trace; with --lenient the line is skipped and counted"
    TRACE_NO_CASE Error "trace/no-case" "A trace names no case: it has neither a qid nor a question."
        "log the case with every trace: `qid` (or `q`, the exact text of the question), or `case_id` in `release`; with --lenient the line is skipped and counted"
    TREC_COLUMNS Error "trec/columns" "A line of a TREC file has too few or too many columns."
        "qrels have four columns (`topic iter docno relevance`), or the three of BEIR under their header; runs have six (`topic Q0 docno rank score tag`); ids and tags contain no spaces"
    TREC_SCORE Error "trec/score" "The score in a line of a run is not a finite number."
        "write a decimal such as 12.5 or 1e-3, higher for better; NaN and infinity cannot be ranked"
    TREC_RELEVANCE Error "trec/relevance" "A judgement is not a whole number."
        "write 0 for not relevant, 1 or more for relevant, a negative number for not judged"
    TREC_DUPLICATE Error "trec/duplicate" "A document is listed twice for one topic."
        "keep one line for each topic and document; score two concatenated runs separately"
    TREC_EMPTY Error "trec/empty" "The qrels contain no judgement."
        "without judgements nothing can be measured; check that the file is the right one"
    TRACE_DUPLICATE_ID Error "trace/duplicate-id" "A ranking contains the same id twice."
        "a retriever that merges several lists must drop repeated ids; with --lenient the first place counts, and `duplicate_ids` says how many were dropped"
    TRACE_DS_LENGTH Error "trace/ds-length" "The list of ΔS and the ranking have different lengths."
        "log one ΔS for each id of `topk`, in the same order, null where there is none; with --lenient the line is skipped and counted"
    TRACE_DS_RANGE Error "trace/ds-range" "A ΔS is not between 0 and 1."
        "ΔS is 1 − cosine, clamped to [0, 1]; with --lenient the line is skipped and counted"
    TRACE_LAMBDA Error "trace/lambda" "A λ is not a known state."
        "write →, ←, <> or ×, ->, <- or x, or convergent, divergent, recursive, chaotic; with --lenient the line is skipped and counted"
    TRACE_VECTOR Error "trace/vector" "A vector for computing ΔS cannot be used."
        "log `query_vec` and each `vec` as lists of numbers of the same length, or log ΔS itself; with --lenient the line is skipped and counted"
    TRACE_INDEX_HASH Error "trace/index-hash" "The traces of one side come from different indexes."
        "score one index at a time; to compare two, give one as --trace and the other as --baseline"
    CALL_BASELINE Error "call/baseline" "A gate compares with a baseline, but there is none."
        "name the traces to compare with in --baseline, or leave such gates out"
    TRACE_UNKNOWN_CASE Error "trace/unknown-case" "A trace belongs to a case that is not in gold."
        "score traces against the gold set that was used to record them; `answers` and `retrieval` only count such traces"
    TRACE_UNKNOWN_VALUE Error "trace/unknown-value" "A field of a trace has a value that is not allowed."
        "correct the logger; the message says what is expected; with --lenient the line is skipped and counted"
    TRACE_TIME Error "trace/time" "A time is negative or too long for a request."
        "log milliseconds as a number from 0 up, measured with a clock that does not jump; with --lenient the line is skipped and counted"
    TRACE_KNOBS Error "trace/knobs" "The knobs of a trace are longer than 4,096 bytes."
        "knobs are the few settings that distinguish the points of the curve, such as {\"k\": 20, \"rerank\": true}; prompts and answers are not knobs"
    STABILITY_KNOBS Error "stability/knobs" "The runs of one log were made with different settings."
        "runs with different settings are not repetitions of each other: score each setting separately (one file per setting, or `jq -c 'select(.knobs.k == 20)'`), and compare the reports with `karat compare`"
    LATENCY_POINTS Error "latency/points" "There are more than 1,000 combinations of knobs and load."
        "knobs describe how the pipeline was run, not a single request: leave out what differs from request to request, such as an id, a seed or a time"
    CSV_COLUMNS Error "csv/columns" "The header of the latency CSV lacks a required column, or a row does not fit the header."
        "the first line names the columns: ts, qid, e2e_ms, retrieval_ms, rerank_ms, llm_ms, guard_ms, knobs (any order; load_rps is read too); a cell with a comma or a quote is quoted, its quotes doubled, and knobs are on one line"
    CSV_VALUE Error "csv/value" "A cell of the latency CSV cannot be read."
        "times are milliseconds, knobs a JSON object, load_rps a number; an empty cell is an absent value; with --lenient the row is skipped and counted"
    EVIDENCE_NOT_AN_OBJECT Error "evidence/not-an-object" "A row of the evidence store is not a JSON object."
        "write one chunk per line, as an object"
    EVIDENCE_MISSING_FIELD Error "evidence/missing-field" "A chunk lacks a required field."
        "add the field; `karat schema release.evidence` prints the contract; nobody may use a chunk without `permitted`"
    EVIDENCE_WRONG_TYPE Error "evidence/wrong-type" "A field of a chunk has the wrong type."
        "correct the export; `karat schema release.evidence` prints the contract"
    EVIDENCE_UNKNOWN_VALUE Error "evidence/unknown-value" "A field of a chunk has a value that is not allowed."
        "use a value that the message lists"
    EVIDENCE_DUPLICATE_ID Error "evidence/duplicate-id" "Two rows of the evidence store have the same chunk id and do not agree."
        "one id is one chunk in one version: keep the row that is in force, or give each version its own id"
    LABEL_UNKNOWN Error "agreement/unknown-label" "A rater gives a label that karat does not know."
        "use VALID, NOT_IN_CONTEXT, REJECT or ABSTAIN (INVALID reads as REJECT)"
    RATING_TWICE Error "agreement/duplicate-id" "A rater judges the same answer twice."
        "keep one rating per answer and rater; karat does not guess which one counts"
    RATERS_INVALID Error "call/raters" "The raters are not named correctly."
        "give --pairs FILE, or --rater NAME=FILE twice or more, each name once; --truth names one of them"
    GRID_INVALID Error "call/grid" "The grid of runs cannot be read."
        "write the axes with their values: --grid seeds=0,1,2 jitters=none,ws; an axis that is not named is taken from the log"
    RULES_INVALID Error "rules/invalid" "A contradiction rule pack cannot be used."
        "a pack is TOML: [[rule]] with id, lock, claim and optionally unless; the three are regular expressions"
    REFUSAL_INVALID Error "call/refusal" "A refusal text or pattern cannot be used."
        "give an exact text, or a /pattern/, which is searched anywhere in the claim: anchor it with ^ and $"
    PRESET_UNKNOWN Error "call/preset" "The suite has no preset of this name."
        "`karat explain` lists the presets"
    CASE_UNKNOWN Error "call/case" "No case has this name."
        "name a case as the report does: by its `name`, else its id"
    SLICE_UNKNOWN Error "slice/unknown-field" "No gold row has the field to slice by."
        "name a field of the gold rows"
    CALL_URL Error "call/url" "The URL of a pipeline cannot be used."
        "give --http a URL with its scheme and host, such as http://localhost:8000/ask; credentials belong in --header"
    CALL_HEADER Error "call/header" "A header cannot be sent."
        "write --header NAME=VALUE; a secret comes from the environment: --header 'Authorization=Bearer $TOKEN'"
    CALL_MAP Error "call/map" "A mapping of a reply's fields cannot be read."
        "write --map FIELD=/json/pointer, such as --map answer_json.claim=/result/text or --map 'retrieved_ids=/hits/*/id'"
    CALL_SEEDS Error "call/seeds" "The seeds are not a list of whole numbers."
        "write them as 0,1,2, each once"
    CALL_JITTERS Error "call/jitters" "The jitters are not a list of names that karat knows."
        "choose from none, ws, punct, syn and order, each once"
    CALL_PACE Error "call/pace" "A rate, a time or a number of requests cannot be used."
        "rates are numbers above 0 (--rps 5), times have a unit (--timeout 30s, --duration 5m)"
    CALL_SECRET Error "call/secret" "A secret cannot be taken from the environment, or could not be kept out of traces."
        "export the variable before the run, with a value that occurs in no question, setting or field name; it then appears in no trace or message"
    KNOBS_INVALID Error "knobs/invalid" "A file of knobs contains something that is not a setting."
        "write one JSON object, a list of objects, or one object per line: {\"k\": 5, \"rerank\": true}"
    RUN_UNREACHABLE Error "run/unreachable" "The pipeline cannot be reached, so nothing was asked."
        "start it first, and check the host and port of --http"
    RUN_EXEC Error "run/exec" "The command of the pipeline cannot be run."
        "try it by hand: it reads requests from standard input, one per line, and writes one line for each"
    RUN_OUT Error "run/out" "Traces cannot be written to the output file."
        "name a regular file in an existing folder; only one run at a time can write to a file"
    RUN_BROKEN_OFF Error "run/broken-off" "A trace could not be written, and the run was stopped there."
        "free some space, or fix what the message names; then give the same command with --resume, which asks only what the file does not contain"
    RUN_OUT_EXISTS Error "run/out-exists" "The output file for the traces is not empty."
        "name another file, or continue that run with --resume"
    RUN_OUT_FOREIGN Error "run/out-foreign" "A file that should be resumed contains a line that is not a trace."
        "name the file of the run that was interrupted; karat cuts off a torn last line; any other broken line has to be removed by hand"
    PARTIAL_INVALID Error "partial/invalid" "A file is not a partial that this karat wrote."
        "create it with `karat answers … --format partial`, with the same version of karat"
    PARTIAL_INCOMPATIBLE Error "partial/incompatible" "A partial does not belong to the same whole as the others."
        "create every partial with the same gold set, gates and settings"
    COMPARE_DIFFERENT Error "compare/different" "Two reports differ in a setting that changes their figures, so their differences would mean nothing."
        "score both with the same karat, suite and settings; with --gold both are scored from their traces"
    COMPARE_GOLD Error "compare/gold" "Two reports were scored against different gold, so their figures describe different questions."
        "score both against the same gold; --allow-gold-change compares the cases that both have"
    COMPARE_CASES Error "compare/cases" "A report does not list all its cases, so it cannot be paired."
        "write it with `--cases all`, which is the default"
    COMPARE_ALLOW Error "compare/allow" "An --allow cannot be read, or no figure has that name."
        "write --allow METRIC=0.05, or --allow METRIC=15% of the base; `karat explain` lists the metrics"
    COMPARE_SUITE Error "compare/suite" "An option does not belong to the suite that scores the traces, or one that it needs is missing."
        "`karat compare --help` says which suite an option belongs to; for other settings, score each side with the command of the suite and compare the reports"
    REPORT_INVALID Error "report/invalid" "A file is not a report that this karat can read."
        "create it with `--format json` or `--out report.json`; a report of a newer karat needs that version"
    HISTORY_UNAVAILABLE Error "history/unavailable" "The history cannot be opened or written."
        "check the path and the permissions: SQLite writes a journal beside the file, so the folder must be writable too"
    HISTORY_FOREIGN Error "history/foreign" "A file is not a history; it was not changed."
        "name another file; karat creates one if it does not exist"
    HISTORY_NEWER Error "history/newer" "A newer karat wrote the history."
        "use that version, or name another file"
    HISTORY_DAMAGED Error "history/damaged" "The history is damaged; it was not changed."
        "move it away, and karat starts a new one; `sqlite3 FILE .recover` saves what can be read"
    HISTORY_BUSY Error "history/busy" "Another process keeps the history locked."
        "wait for that process, or end it; karat waits 20 seconds"
    HISTORY_UNKNOWN Error "history/unknown" "The history does not contain what was asked for, or an added report has no readable time."
        "`karat trend` lists the suites and their figures; the history is the file that karat.toml names, or --history FILE"
    CONFIG_INVALID Error "config/invalid" "A configuration cannot be used as it is."
        "`karat init` writes a working example; docs/config.md lists every key"
    GATE_INVALID Error "gate/invalid" "A gate expression cannot be read."
        "write metric, operator, threshold: `precision>=0.80`, `under=0.05`, `chr>=0.75@95`, `precision[workflow=*]>=0.75`"
    GATE_UNKNOWN_METRIC Error "gate/unknown-metric" "A gate names a metric that the suite does not have."
        "`karat explain` lists the metrics"
}

/// Looks a kind up by its slug.
#[must_use]
pub fn kind(slug: &str) -> Option<&'static Kind> {
    KINDS.iter().copied().find(|kind| kind.slug == slug)
}

/// A part of a line, cut to what a person can take in, and the spot in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The text, control characters made visible.
    pub text: String,
    /// The spot, in characters of `text`.
    pub mark: Range<usize>,
}

/// One thing that is wrong, at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which kind.
    pub kind: &'static Kind,
    /// The file as it was named, or `<stdin>`.
    pub source: Arc<str>,
    /// The line, from 1; 0 where the problem has none.
    pub line: u64,
    /// The column in characters, from 1; 0 where the problem has none.
    pub column: u64,
    /// The field: `gold_citations[2]`; empty for the whole line.
    pub path: String,
    /// What was found.
    pub message: String,
    /// What was expected at the spot; may be empty.
    pub expected: String,
    /// The line around the spot.
    pub excerpt: Excerpt,
}

impl Problem {
    /// A problem of a whole file.
    #[must_use]
    pub fn of_file(kind: &'static Kind, source: &str, message: impl Into<String>) -> Self {
        Problem {
            kind,
            source: source.into(),
            line: 0,
            column: 0,
            path: String::new(),
            message: message.into(),
            expected: String::new(),
            excerpt: Excerpt::default(),
        }
    }

    /// A problem at `span` (bytes) of `line`, the text of line `number`.
    #[must_use]
    pub fn at(
        kind: &'static Kind,
        source: &Arc<str>,
        number: u64,
        line: &str,
        span: Range<usize>,
        message: String,
        expected: impl Into<String>,
    ) -> Self {
        let (column, excerpt) = excerpt(line, span);
        Problem {
            source: source.clone(),
            line: number,
            column,
            excerpt,
            expected: expected.into(),
            ..Problem::of_file(kind, "", message)
        }
    }

    /// The same problem, with the field it is about.
    #[must_use]
    pub fn on(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
}

impl fmt::Display for Problem {
    /// `gold.jsonl:7:9: error[gold/duplicate-id]: …`, the one-line form that editors jump to.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", text::visible(&self.source))?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        let severity = if self.kind.severity == Severity::Error { "error" } else { "warning" };
        write!(f, ": {severity}[{}]: {}", self.kind.slug, self.message)
    }
}

/// Column (from 1) and surroundings of a byte span of one line.
fn excerpt(line: &str, span: Range<usize>) -> (u64, Excerpt) {
    const BEFORE: usize = 36;
    const MARK: usize = 36;
    const SHOWN: usize = 88;
    let floor = |at: usize| (0..=at.min(line.len())).rev().find(|&i| line.is_char_boundary(i)).unwrap_or(0);
    let (start, end) = (floor(span.start), floor(span.end.max(span.start)));
    let column = line[..start].chars().count();
    let marked = line[start..end].chars().take(MARK).count();
    let skipped = column.saturating_sub(BEFORE);
    let mut shown = line[..start].chars().skip(skipped).collect::<String>();
    let mut from = column - skipped;
    if skipped > 0 {
        shown.insert(0, '…');
        from += 1;
    }
    let mut rest = line[start..].chars();
    shown.extend(rest.by_ref().take(SHOWN - from));
    if rest.next().is_some() {
        shown.push('…');
    }
    let text = text::visible(&shown).into_owned();
    (column as u64 + 1, Excerpt { text, mark: from..from + marked.max(1) })
}

/// Nothing could be decided: the input or the call is wrong. Exit status 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong, in the order of the input; at most [`Failure::SHOWN`].
    pub problems: Vec<Problem>,
    /// How many there are in all.
    pub total: u64,
}

impl Failure {
    /// How many problems are told at once.
    pub const SHOWN: usize = 20;

    /// A failure of all these problems.
    #[must_use]
    pub fn new(mut problems: Vec<Problem>) -> Self {
        let total = problems.len() as u64;
        problems.truncate(Self::SHOWN);
        Failure { problems, total }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Failure::new(vec![problem])
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            write!(f, "{}{problem}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_unique_and_speak() {
        for (i, kind) in KINDS.iter().enumerate() {
            assert!(KINDS[i + 1..].iter().all(|other| other.slug != kind.slug), "{}", kind.slug);
            assert!(
                kind.slug.contains('/') && kind.meaning.ends_with('.') && !kind.help.is_empty(),
                "{}",
                kind.slug
            );
        }
    }

    #[test]
    fn an_excerpt_keeps_the_spot_in_view() {
        let line = format!("{}é\tX{}", "a".repeat(50), "b".repeat(200));
        let spot = line.find('X').unwrap();
        let (column, excerpt) = excerpt(&line, spot..spot + 1);
        assert_eq!(column, 53);
        assert_eq!(excerpt.text.chars().nth(excerpt.mark.start), Some('X'));
        assert!(excerpt.text.contains("é␉X") && excerpt.text.starts_with('…') && excerpt.text.ends_with('…'));
    }
}
