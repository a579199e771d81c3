//! How is it asked as a process? A request a line on standard input, a reply a line on standard output, until the input
//! ends.

use std::io::{self, BufRead, Read, Write};

use serde_json::json;

use crate::pipeline::Pipeline;
use crate::request::{LONGEST, Request};

/// Answers every line; a bad one is answered too, with `ok: false`.
pub(crate) fn answer(pipeline: &Pipeline, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(LONGEST as u64).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let reply = if line.len() == LONGEST && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            Err(vec![format!("the line is longer than {LONGEST} bytes")])
        } else if line.trim_ascii().is_empty() {
            continue;
        } else {
            Request::read(&line, &pipeline.defaults)
        };
        let reply = match reply {
            Ok(request) => pipeline.ask(&request),
            Err(wrong) => json!({ "ok": false, "reason": wrong.join("; ") }),
        };
        match writeln!(output, "{reply}").and_then(|()| output.flush()) {
            // Nobody reads any more: there is nothing left to do.
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            outcome => outcome?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knobs::Knobs;
    use serde_json::Value;

    fn replies(input: &[u8]) -> Vec<Value> {
        let mut output = Vec::new();
        answer(&Pipeline::new(Knobs::default()), input, &mut output).unwrap();
        output
            .split(|b| *b == b'\n')
            .filter(|l| !l.is_empty())
            .map(|l| serde_json::from_slice(l).unwrap())
            .collect()
    }

    #[test]
    fn each_line_has_its_reply_and_a_bad_one_says_why() {
        let long = [b" ".repeat(LONGEST), b"{}\n".to_vec()].concat();
        let input =
            [b"{\"qid\":\"a\",\"q\":\"swollen battery pack\"}\n\nx\n".as_slice(), &long, b"{\"q\":\"\"}"]
                .concat();
        let replies = replies(&input);
        assert_eq!(replies.len(), 4);
        assert_eq!(replies[0]["qid"], "a");
        assert_eq!(replies[0]["answer_json"]["citations"], json!(["batteries#4"]));
        assert_eq!(replies[1]["ok"], false);
        assert_eq!(replies[2]["reason"], "the line is longer than 65536 bytes");
        assert_eq!(replies[3]["answer_json"], json!({"claim": "not in context", "citations": []}));
    }
}
