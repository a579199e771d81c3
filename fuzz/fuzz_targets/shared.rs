// Whole runs over bytes that somebody made up: strict and lenient, every format, one case explained.

use karat_report::formats::{ALL, Style};
use karat_engine::pipeline::Cases;
use karat_engine::detail::Detail;
use karat_engine::{Request, Source, Suite};
use karat_report::explain;

/// A request with inputs in memory.
pub fn request(suite: &'static Suite, inputs: &[(&str, &[u8])]) -> Request {
    inputs.iter().fold(Request::new(suite).threads(1), |request, (key, bytes)| {
        request.sources(key, vec![Source::bytes(*key, *bytes)])
    })
}

/// Scores strictly, and leniently with `loose`; what is refused has a reason.
pub fn exercise(request: &Request, loose: impl Fn(Request) -> Request) {
    for request in [request.clone(), loose(request.clone().set("lenient", true))] {
        match request.evaluate() {
            Ok(report) => {
                for format in ALL {
                    (format.render)(&report, &Style { color: true, brief: false });
                }
                if let Some(case) = report.cases.first() {
                    let told = request.clone().show(Cases::All, Detail::Named(case.id.clone()));
                    let told = told.evaluate().map(|report| explain::case(&report, &case.id));
                    assert!(matches!(told, Ok(Some(_))), "{}", case.id);
                }
            }
            Err(failure) => assert!(!failure.problems.is_empty() && !failure.to_string().is_empty()),
        }
    }
}
