//! Helpers for JSON text that is passed on without being interpreted.

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A valid JSON value without the white space between its parts. What stands in its strings stays.
pub(crate) fn compact(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in raw.chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else {
            if matches!(c, ' ' | '\t' | '\n' | '\r') {
                continue;
            }
            in_string = c == '"';
        }
        out.push(c);
    }
    out
}

/// A valid JSON value on one line: as it is, unless it runs over several.
pub(crate) fn one_line(raw: &str) -> std::borrow::Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', raw.as_bytes()).is_some() { compact(raw).into() } else { raw.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_between_parts_goes() {
        let text = "{ \"a b\" : [1,\n\t2 ] , \"\\\" c\\\\\" : \"\\\\\" }";
        assert_eq!(compact(text), "{\"a b\":[1,2],\"\\\" c\\\\\":\"\\\\\"}");
        assert_eq!(one_line("[1, 2]"), "[1, 2]");
        assert_eq!(one_line("[1,\r\n 2]"), "[1,2]");
    }
}
