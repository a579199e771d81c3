//! One row a case, for spreadsheets. A cell that a spreadsheet would run as a formula is defused with an apostrophe.

use super::Format;
use crate::report::Report;

/// The declaration.
pub const FORMAT: Format = Format {
    name: "csv",
    ending: ".csv",
    summary: "one row a case, for spreadsheets",
    render: |report, _| csv(report),
};

fn csv(report: &Report) -> String {
    let mut out =
        String::from("id,label,first_failed_stage,line,answerable,answered,refusal,hit,runs,skipped\r\n");
    for case in &report.cases {
        let cells = [
            cell(&case.id),
            case.label.name().into(),
            case.first_failed_stage.name().into(),
            case.line.to_string(),
            case.answerable.to_string(),
            case.answered.to_string(),
            case.refusal.to_string(),
            case.hit.to_string(),
            case.runs.to_string(),
            case.skipped.to_string(),
        ];
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    out
}

fn cell(text: &str) -> String {
    let armed = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if armed { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_are_quoted_and_defused() {
        assert_eq!(cell("A1"), "A1");
        assert_eq!(cell("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(cell("-1"), "'-1");
    }
}
