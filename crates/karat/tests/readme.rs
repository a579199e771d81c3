//! What README shows, and that of the example pipeline, is what karat prints. `TRYCMD=overwrite` writes it anew.
#![allow(clippy::expect_used)]

mod common;

#[test]
fn readme() {
    std::env::set_current_dir(common::root()).expect("the project's folder");
    trycmd::TestCases::new().case("README.md").case("examples/pipeline/README.md");
}
