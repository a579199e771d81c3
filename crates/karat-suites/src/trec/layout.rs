//! How does trec_eval print its figures? Name, topic and value with tabs between them, the name padded.

use std::borrow::Cow;
use std::fmt::Write;

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<'a> {
    /// The measure: `ndcg_cut_10`.
    pub name: Cow<'a, str>,
    /// The topic, or `all`.
    pub topic: &'a str,
    /// The value.
    pub value: Value,
}

/// A value, and with it how it is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Count(u64),
    /// Four decimals.
    Figure(f64),
}

/// The lines as trec_eval prints them.
#[must_use]
pub fn layout<'a>(lines: impl IntoIterator<Item = Line<'a>>) -> String {
    let mut text = String::new();
    for Line { name, topic, value } in lines {
        // Writing to a String cannot fail.
        let _ = match value {
            Value::Count(count) => writeln!(text, "{name:<22}\t{topic}\t{count}"),
            Value::Figure(figure) => writeln!(text, "{name:<22}\t{topic}\t{figure:6.4}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_trec_eval_prints() {
        let line = |name: &'static str, topic, value| Line { name: name.into(), topic, value };
        let lines = [
            line("num_ret", "301", Value::Count(1000)),
            line("map", "all", Value::Figure(0.123_45)),
            line("recip_rank", "all", Value::Figure(1.0)),
            line("a_name_of_more_than_22_characters", "x", Value::Figure(0.031_25)),
        ];
        assert_eq!(
            layout(lines),
            "num_ret               \t301\t1000\n\
             map                   \tall\t0.1235\n\
             recip_rank            \tall\t1.0000\n\
             a_name_of_more_than_22_characters\tx\t0.0312\n"
        );
    }
}
