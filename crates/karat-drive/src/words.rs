//! What did the user type? Reads lists, rates and times, and says what is wrong with them.

use std::time::Duration;

use karat_input::text::{nearest, visible};

use crate::jitter::Jitter;

/// `0,1,2`: whole numbers, each once.
pub fn seeds(text: &str) -> Result<Vec<i64>, String> {
    list(text, |word| {
        word.parse()
            .map_err(|_| format!("`{}` is no whole number; expected seeds such as 0,1,2", visible(word)))
    })
}

/// `none,ws,syn`: names of jitters, each once.
pub fn jitters(text: &str) -> Result<Vec<Jitter>, String> {
    list(text, |word| {
        Jitter::named(word).ok_or_else(|| {
            let names = Jitter::ALL.map(Jitter::name);
            let near = nearest(word, names);
            let meant = near.first().map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
            format!("no jitter is called `{}`{meant}; there are: {}", visible(word), names.join(", "))
        })
    })
}

fn list<T: PartialEq>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    let mut all = Vec::new();
    for word in text.split(',').map(str::trim) {
        if word.is_empty() {
            return Err("there is nothing between two commas, or nothing at all".into());
        }
        let value = read(word)?;
        if all.contains(&value) {
            return Err(format!("`{}` stands in the list twice", visible(word)));
        }
        all.push(value);
    }
    Ok(all)
}

/// `5`, `0.5`: requests per second.
pub fn rate(text: &str) -> Result<f64, String> {
    let decimal = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    match text.parse::<f64>() {
        Ok(rate) if decimal && rate > 0.0 && rate <= 1e6 => Ok(rate),
        _ => Err(format!("`{}` is no rate; expected requests a second, such as 5 or 0.5", visible(text))),
    }
}

/// `500ms`, `30s`, `5m`, `1h`; a bare number is seconds.
pub fn time(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{}` is no time; expected one such as 500ms, 30s or 5m", visible(text));
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let seconds = match unit {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(bad()),
    };
    let time = number.parse::<f64>().ok().and_then(|n| Duration::try_from_secs_f64(n * seconds).ok());
    // A day is the longest wait that anybody means.
    time.filter(|time| !time.is_zero() && *time <= Duration::from_secs(86_400)).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_refused() {
        assert_eq!(seeds("0, 1,-2").unwrap(), [0, 1, -2]);
        assert_eq!(jitters("none,order").unwrap(), [Jitter::None, Jitter::Order]);
        for (text, said) in [
            ("0,x", "`x` is no whole number"),
            ("1.5", "no whole"),
            ("1,", "nothing"),
            ("", "nothing"),
            ("1,01", "twice"),
        ] {
            assert!(seeds(text).unwrap_err().contains(said), "{text}");
        }
        assert_eq!(
            jitters("punkt").unwrap_err(),
            "no jitter is called `punkt` (did you mean `punct`?); there are: none, ws, punct, syn, order"
        );
    }

    #[test]
    fn rates_and_times_are_read_and_refused() {
        assert_eq!((rate("5").unwrap(), rate("0.25").unwrap()), (5.0, 0.25));
        for text in ["0", "-1", "NaN", "inf", "1e3", "", "fast", "10000000"] {
            assert!(rate(text).unwrap_err().contains("is no rate"), "{text}");
        }
        let ms = |text| time(text).unwrap().as_millis();
        assert_eq!(
            (ms("500ms"), ms("1.5s"), ms("2m"), ms("1h"), ms("7")),
            (500, 1500, 120_000, 3_600_000, 7000)
        );
        for text in ["", "s", "0s", "-1s", "5 s", "1d", "2.s.", "1e9s", "9999h"] {
            assert!(time(text).unwrap_err().contains("is no time"), "{text}");
        }
    }
}
