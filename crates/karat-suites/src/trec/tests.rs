use super::layout::layout;
use super::measures::{Over, of_all, of_topics};
use super::*;
use proptest::prelude::*;

fn read_bytes(qrels: &[u8], run: &[u8], threads: usize) -> Result<Rankings, Failure> {
    let source = |name: &str, bytes: &[u8]| [Source::bytes(name, bytes.to_vec())];
    read(&source("qrels", qrels), &source("run", run), threads, &|_| ())
}

fn read_text(qrels: &str, run: &str) -> Rankings {
    read_bytes(qrels.as_bytes(), run.as_bytes(), 2).unwrap()
}

/// Ranks of the relevant documents, topic by topic.
fn ranks(rankings: &Rankings) -> Vec<(&str, Vec<u32>)> {
    let of = |topic: &Topic| topic.ranked.found.iter().map(|found| found.rank).collect();
    rankings.topics.iter().map(|topic| (&*topic.name, of(topic))).collect()
}

/// The problems, a line each.
#[track_caller]
fn refused(qrels: &str, run: &str, problems: &[&str]) {
    let failure = read_bytes(qrels.as_bytes(), run.as_bytes(), 2).unwrap_err();
    assert_eq!(failure.to_string().lines().collect::<Vec<_>>(), problems);
    assert_eq!(failure.total, problems.len() as u64);
}

const QRELS: &str = "q1 0 a 1\nq1 0 b 0\nq1 0 c 2\nq1 0 d -1\nq2 0 x 0\nq10 0 y 1\n";

#[test]
fn ranks_by_score_then_by_document_backwards() {
    let run =
        "q1 Q0 a 1 1.00000001 t\nq1 Q0 b 2 1.0 t\nq1 Q0 c 9 1.00000002 t\nq1 Q0 d 1 -.5 t\nq9 Q0 x 1 1 t\n";
    let rankings = read_text(QRELS, run);
    assert_eq!(ranks(&rankings), [("q1", vec![1, 3]), ("q10", vec![]), ("q2", vec![])]);
    let q1 = &rankings.topics[0];
    assert_eq!((q1.ranked.retrieved, q1.ranked.nonrelevant, &q1.ranked.grades[..]), (4, 1, &[2, 1][..]));
    assert_eq!(q1.ranked.found[1].nonrelevant_above, 1);
    assert_eq!(rankings.topics.iter().map(|topic| topic.in_run).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(rankings.unknown.iter().map(|name| &**name).collect::<Vec<_>>(), ["q9"]);
    assert_eq!(rankings.inputs.iter().map(|input| input.rows).collect::<Vec<_>>(), [6, 5]);
}

#[test]
fn prints_as_trec_eval_does() {
    let rankings = read_text(QRELS, "q1 Q0 c 1 2 t\nq1 Q0 a 1 1 t\n");
    let topics: Vec<_> = rankings.asked().collect();
    let text = layout(of_topics(&topics, &[]));
    assert!(text.starts_with("num_ret               \tq1\t2\nnum_rel               \tq1\t2\n"), "{text}");
    let all = layout(of_all(&topics, Over::Run, &[]));
    assert!(all.starts_with("num_q                 \tall\t1\n"), "{all}");
    assert!(all.contains("map                   \tall\t1.0000\n"), "{all}");
    assert!(layout(of_all(&topics, Over::Complete, &[])).contains("map                   \tall\t0.3333\n"));
}

#[test]
fn reads_beir_and_comments_and_any_blanks() {
    let run = "#topics\n q1\tQ0  a 1 5 t \r\n\n\u{b}\nq1 Q0 b 1 6 t";
    let beir = "\u{feff}query-id\tcorpus-id\tscore\r\nq1\ta\t1\r\nq 2\tb c\t2\r\n";
    assert_eq!(ranks(&read_text(beir, run)), [("q 2", vec![]), ("q1", vec![2])]);
    assert_eq!(ranks(&read_text("q1  0 \t a   1\r\n", run)), [("q1", vec![2])]);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    refused(
        "q1 0 a 1\nq1 0 b\nq1 0 c 1.0\nq1 0 d 1 9\nq1 0 é 1\nq1 0 é 2\n",
        "",
        &[
            "qrels:2:7: error[trec/columns]: this line has 3 columns",
            "qrels:3:8: error[trec/relevance]: `1.0` is not a whole number",
            "qrels:4:10: error[trec/columns]: this line has 5 columns",
            "qrels:6:6: error[trec/duplicate]: `é` is listed twice for topic `q1`: first on line 5",
        ],
    );
    refused(
        "q1 0 a 1\n",
        "q1 Q0 q1 1 5 t\nq1 Q0 b 1 5\nq1 Q0 c 1 nan t\nq1 Q0 d 1 -inf t\nq1 Q0 e 1 1e999 t\nq2 Q0 f 1 5x t\nq1 Q0 q1 2 4 t\n",
        &[
            "run:2:12: error[trec/columns]: this line has 5 columns",
            "run:3:11: error[trec/score]: `nan` is not a finite number",
            "run:4:11: error[trec/score]: `-inf` is not a finite number",
            "run:5:11: error[trec/score]: `1e999` is not a finite number",
            "run:6:11: error[trec/score]: `5x` is not a finite number",
            "run:7:7: error[trec/duplicate]: `q1` is listed twice for topic `q1`: first on line 1",
        ],
    );
    refused(
        "query-id\tcorpus-id\tscore\nq1\ta\nq1\t\t1\n",
        "",
        &[
            "qrels:2:5: error[trec/columns]: this line has 2 columns",
            "qrels:3:4: error[trec/columns]: column 2 of this line is empty",
        ],
    );
    refused("\n# nothing\n", "", &["qrels: error[trec/empty]: there is no judgement in it"]);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let failure = read_bytes(b"q1 0 a 1\n", b"q1 Q0 a 1 5 t\nq1 Q0 \xff 1 5 t\n", 1).unwrap_err();
    assert_eq!(failure.to_string(), "run:2:7: error[input/not-utf8]: byte 0xff is not UTF-8 here");
}

#[test]
fn a_document_may_be_twice_in_two_files() {
    let run = [Source::bytes("one", *b"q1 Q0 a 1 5 t\n"), Source::bytes("two", *b"\nq1 Q0 a 1 5 t\n")];
    let failure = read(&[Source::bytes("qrels", *b"q1 0 a 1\n")], &run, 2, &|_| ()).unwrap_err();
    let expected =
        "two:2:7: error[trec/duplicate]: `a` is listed twice for topic `q1`: first on line 1 of one";
    assert_eq!(failure.to_string(), expected);
}

/// Large enough for several blocks; scattered, so that no topic is in one piece.
#[test]
fn blocks_and_threads_make_no_difference() {
    let (topics, documents) = (7, 20_000);
    let line =
        |n: u32| format!("q{} Q0 doc{:06} 1 {}.5 t\n", n % topics, n / topics, (n / topics * 7919) % 1000);
    let run: String = (0..topics * documents).map(line).collect();
    let qrels: String = (0..topics * 60)
        .map(|n| format!("q{} 0 doc{:06} {}\n", n % topics, n * 331 % documents, n % 3))
        .collect();
    let one = read_bytes(qrels.as_bytes(), run.as_bytes(), 1).unwrap();
    let three = read_bytes(qrels.as_bytes(), run.as_bytes(), 3).unwrap();
    assert!(run.len() > 3 << 20 && one.topics == three.topics);
    // The ranks, the plain way.
    let mut all: Vec<(u32, String)> =
        (0..documents).map(|n| ((n * 7919) % 1000, format!("doc{n:06}"))).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    for (number, topic) in one.topics.iter().enumerate() {
        let relevant = |document: &str| {
            let mut judged = (0..topics * 60).filter(|n| n % topics == number as u32 && n % 3 > 0);
            judged.any(|n| document == format!("doc{:06}", n * 331 % documents))
        };
        let plain: Vec<u32> =
            all.iter().zip(1..).filter(|(row, _)| relevant(&row.1)).map(|(_, rank)| rank).collect();
        assert_eq!(topic.ranked.found.iter().map(|found| found.rank).collect::<Vec<_>>(), plain);
    }
    // A line far into the file, twice: its number is right in spite of blocks and threads.
    let again = format!("{run}{}", line(3 * topics + 1));
    let failure = read_bytes(qrels.as_bytes(), again.as_bytes(), 3).unwrap_err();
    let expected =
        "run:140001:7: error[trec/duplicate]: `doc000003` is listed twice for topic `q1`: first on line 23";
    assert_eq!(failure.to_string(), expected);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        qrels in proptest::collection::vec(any::<u8>(), 0..200),
        run in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let _ = read_bytes(&qrels, &run, 2);
        let _ = read_bytes(b"q 0 d 1\n", &run, 2);
    }

    #[test]
    fn any_lines_are_read_or_refused(qrels in "([qé#]?[ \t][01]? ?[ab]\t[-+0-9.]{0,4}[ \r]?\n?){0,9}", run in "([qé] [Q0]? ?[ab]{0,2} 1 [-+0-9.e]{1,5} t?[ \r]?\n?){0,9}") {
        let _ = read_bytes(qrels.as_bytes(), run.as_bytes(), 2);
        let _ = read_bytes(format!("query-id\tcorpus-id\tscore\n{qrels}").as_bytes(), run.as_bytes(), 1);
        let _ = read_bytes(b"q 0 a 1\n", run.as_bytes(), 2);
    }

    /// Few scores and few documents, in any order: counting, ties and sorting all give the rank of a plain sort.
    #[test]
    fn ranks_are_those_of_a_sort(
        scores in proptest::collection::vec(0u32..6, 1..120),
        judged in proptest::collection::vec(0usize..120, 1..90),
        sorted: bool,
    ) {
        let mut rows: Vec<(u32, String)> =
            scores.into_iter().enumerate().map(|(n, score)| (score, format!("d{}", n * 7 % 121))).collect();
        if sorted {
            rows.sort_by_key(|row| std::cmp::Reverse(row.0));
        }
        let run: String = rows.iter().map(|(score, doc)| format!("q Q0 {doc} 0 {score} t\n")).collect();
        let judged: std::collections::BTreeSet<_> = judged.iter().map(|n| format!("d{n}")).collect();
        let qrels: String = judged.iter().map(|doc| format!("q 0 {doc} 1\n")).collect();
        rows.sort_unstable_by(|a, b| b.cmp(a));
        let plain: Vec<u32> =
            rows.iter().zip(1..).filter(|(row, _)| judged.contains(&row.1)).map(|(_, rank)| rank).collect();
        let rankings = read_text(&qrels, &run);
        prop_assert_eq!(ranks(&rankings), [("q", plain)]);
    }
}
