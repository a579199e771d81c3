//! The command as people meet it: what it prints, and its exit status. `TRYCMD=overwrite` writes the files anew.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd");
}
