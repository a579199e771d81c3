//! Breaks text at spaces, so that no line takes more than eighty columns of a terminal.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// How many columns a line may take.
pub const WIDTH: usize = 80;

/// Wraps one line of text: the first line begins with `lead`, every further one with `indent`.
///
/// A wide character counts as the two columns it takes, a colour code as none, and a word longer than a line stands alone on
/// its line. A no-break space is printed as a space at which no line is broken.
#[must_use]
pub fn wrap(lead: &str, indent: &str, text: &str) -> String {
    let options = Options::new(WIDTH)
        .initial_indent(lead)
        .subsequent_indent(indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let mut out = String::with_capacity(text.len() + lead.len());
    for (number, line) in textwrap::wrap(text, options).iter().enumerate() {
        let (begin, prefix) = if number == 0 { ("", lead) } else { ("\n", indent) };
        let words = line.strip_prefix(prefix).unwrap_or(line);
        out.push_str(begin);
        out.push_str(prefix);
        // A CI server takes a line that begins so for a command.
        if words.starts_with("::") {
            out.push('·');
        }
        out.push_str(&words.replace('\u{a0}', " "));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lead: &str, indent: &str, text: &str, expected: &[&str]) {
        assert_eq!(wrap(lead, indent, text).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn lines_break_at_spaces_and_columns() {
        let (word, wide) = ("x".repeat(38), "漢".repeat(19));
        check("- ", "  ", &format!("{word} {word} y"), &[&format!("- {word} {word}"), "  y"]);
        check("- ", "  ", &format!("{wide} {wide} y"), &[&format!("- {wide} {wide}"), "  y"]);
        check("- ", "    ", &format!("{wide}漢 {wide}"), &[&format!("- {wide}漢"), &format!("    {wide}")]);
        let long = "x".repeat(200);
        check("", " ", &format!("a {long} b"), &["a", &format!(" {long}"), " b"]);
        check("", " ", &format!("{word} {word}\u{a0}yyyy"), &[&word, &format!(" {word} yyyy")]);
        check(
            "\u{1b}[1m- \u{1b}[0m",
            "",
            &format!("{word} {word}"),
            &[&format!("\u{1b}[1m- \u{1b}[0m{word} {word}")],
        );
    }

    #[test]
    fn spaces_inside_stay_and_an_empty_text_is_its_lead() {
        check("- ", "  ", "a  b", &["- a  b"]);
        check("- ", "  ", "", &["- "]);
        check("", "    ", "  a", &["  a"]);
    }

    #[test]
    fn no_line_is_a_command_to_a_ci_server() {
        let word = "x".repeat(76);
        check(
            "- ",
            "  ",
            &format!("::set {word} ::error"),
            &["- ·::set", &format!("  {word}"), "  ·::error"],
        );
    }
}
