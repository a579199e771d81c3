//! What is said of a point's knobs. Requests belong to the same point where their knobs have the same canonical form
//! ([`canonical`](crate::input::json::canonical)): whatever the order of the keys, with numbers as they were written.

use crate::input::json::{Reader, Syntax};

pub use karat_input::KNOBS_LIMIT as LIMIT;

/// The knobs at the top of a canonical object, each with its value as people would write it.
pub(super) fn settings(canonical: &str) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    let _ = Reader::new(canonical).object(|reader, key| {
        let start = reader.offset();
        reader.skip()?;
        let value = reader.since(start);
        let plain = Reader::new(value).string().map(|text| text.decode().into_owned());
        settings.push((key.to_owned(), plain.unwrap_or_else(|_| value.to_owned())));
        Ok::<(), Syntax>(())
    });
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_what_people_write() {
        let settings = settings(r#"{"k":20,"m":"a \"b\"","r":{"d":4}}"#);
        let shown: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(shown, ["k=20", "m=a \"b\"", r#"r={"d":4}"#]);
    }
}
