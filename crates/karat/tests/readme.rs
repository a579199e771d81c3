//! Every console block in the README, the pages of docs/ and the example pipeline shows what karat prints.
//! `TRYCMD=overwrite` rewrites the blocks.
#![allow(clippy::expect_used)]

mod common;

#[test]
fn readme() {
    std::env::set_current_dir(common::root()).expect("the project's folder");
    trycmd::TestCases::new().case("README.md").case("docs/*.md").case("examples/pipeline/README.md");
}
