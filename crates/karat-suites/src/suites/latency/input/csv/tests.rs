use super::*;
use crate::Request;
use crate::suites::latency::SUITE;
use proptest::prelude::*;

fn texts(line: &str) -> Vec<String> {
    split(line).unwrap().into_iter().map(|cell| cell.text.into_owned()).collect()
}

#[test]
fn cells_and_their_places() {
    assert_eq!(
        texts(r#"1, A1 ,"{""k"": 1, ""m"": ""a,b""}", "x" ,"#),
        ["1", "A1", r#"{"k": 1, "m": "a,b"}"#, "x", ""]
    );
    let line = r#"a,"b""c",d"#;
    let spans: Vec<&str> = split(line).unwrap().iter().map(|cell| &line[cell.span.clone()]).collect();
    assert_eq!(spans, ["a", r#""b""c""#, "d"]);
    assert_eq!(texts(""), [""]);
}

#[test]
fn broken_quotes_are_named() {
    assert!(split(r#"a,"b"#).unwrap_err().wrong.message.contains("not closed"));
    assert!(split(r#"a,"b"c,d"#).unwrap_err().wrong.message.contains("after its closing quote"));
}

#[test]
fn a_column_that_is_named_twice() {
    let found = |line: &str| {
        let wrong = twice(&split(line).unwrap());
        wrong.into_iter().map(|wrong| (wrong.message, wrong.span)).collect::<Vec<_>>()
    };
    assert_eq!(found("ts,qid,e2e_ms,,,llm_ms"), [], "columns without a name are none");
    let message = "`E2E_MS` names two columns, the 1st and the 3rd".to_owned();
    assert_eq!(found("e2e_ms,qid,E2E_MS"), [(message, 11..17)]);
    assert_eq!(found("knobs,knobs,e2e_ms,e2e_ms").len(), 2);
    assert_eq!([0, 1, 3, 10, 11, 12, 20, 110].map(nth).join(" "), "1st 2nd 4th 11th 12th 13th 21st 111th");
}

#[test]
fn columns_by_their_names() {
    assert_eq!(Column::named("LLM_ms"), Column::Stage(Stage::Llm));
    assert_eq!(Column::named("ts"), Column::Other);
    assert_eq!(Column::named("other_ms"), Column::Other);
}

#[test]
fn a_quoted_cell_may_contain_line_ends() {
    let read = |csv: &str| {
        let sources = vec![Source::bytes("times.csv", csv.as_bytes())];
        let request = Request::new(&SUITE).sources("latency_csv", sources).set("gates", "p95<=9");
        request.evaluate().map_err(|failure| {
            let places = failure.problems.iter().map(|p| (p.line, p.column, p.message.clone()));
            places.collect::<Vec<_>>()
        })
    };
    let report = read("e2e_ms,knobs\n5,\"{\"\"k\"\":\r\n\n 1}\"\n7,\"{\"\"k\"\": 2}\"\n").unwrap();
    let points = &report.curve().unwrap().points;
    assert_eq!(points.iter().map(|point| point.name.as_str()).collect::<Vec<_>>(), ["k=1", "k=2"]);
    assert_eq!(report.rows("latency-csv"), 3);
    let bad = |line, column, message: &str| Err(vec![(line, column, message.to_owned())]);
    let wrong = read("e2e_ms,knobs,load_rps\n5,\"{\n}\",x\n").map(|_| ());
    assert_eq!(wrong, bad(3, 4, "`load_rps` is not a number"));
    // Where nothing closes a quote, each line is a row.
    let open = "a quote is opened here and not closed";
    assert_eq!(read("e2e_ms,knobs\n5,\"{\n6,\n").map(|_| ()), bad(2, 3, open));
    assert_eq!(read("e2e_ms,knobs\n5,\"{\n6,\n7,\"{}\"\n").map(|_| ()), bad(2, 3, open));
}

proptest! {
    /// What somebody's writer wrote is read as they meant it.
    #[test]
    fn cells_come_back(cells in prop::collection::vec("[a\",;é{}:1\n]{0,6}", 1..6)) {
        let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
        writer.write_record(&cells).unwrap();
        let line = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        prop_assert_eq!(texts(line.strip_suffix('\n').unwrap_or(&line)), cells);
    }

    /// No line makes it fail but by a message, and places lie in the line.
    #[test]
    fn any_line_is_split_or_refused(line in "[a\", é\t]{0,12}") {
        match split(&line) {
            Ok(cells) => for cell in cells {
                prop_assert!(line.get(cell.span).is_some());
            },
            Err(broken) => prop_assert!(line.get(broken.wrong.span).is_some()),
        }
    }
}
