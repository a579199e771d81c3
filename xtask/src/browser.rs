//! Opens the html reports in a real browser: Debian's Chromium, driven by Playwright, with axe-core as the judge of
//! accessibility. Packages and pages lie under target/browser.

use std::fs;
use std::process::Command;

use crate::setup::{self, Need};
use crate::{Outcome, cargo, root, run};

/// What the browser tests need.
pub(crate) const NEEDS: [&Need; 4] = [&setup::NODE, &setup::NPM, &setup::CHROMIUM, &setup::BROWSER_PACKAGES];

/// Installs what is missing, and runs every browser test.
pub(crate) fn test() -> Outcome {
    setup::provide(&NEEDS)?;
    run_tests()
}

/// Every browser test, on a machine that has what they need.
pub(crate) fn run_tests() -> Outcome {
    build()?;
    // Real reports in which every text is hostile, and several suites on one page: what only the library can make.
    let mut made = cargo();
    made.args(["test", "--quiet", "--locked", "--workspace", "--test", "html"]);
    run(made.env("KARAT_PAGES", setup::browser_folder().join("made")))?;
    run(node().args(["--test", "--test-reporter=spec", "--test-concurrency=2"]).args(scripts(".test.mjs")?))
}

/// Screenshots for docs/gallery.md.
pub(crate) fn gallery() -> Outcome {
    setup::provide(&NEEDS)?;
    build()?;
    run(node().arg("tests/browser/gallery.mjs"))
}

fn node() -> Command {
    let mut node = Command::new("node");
    node.current_dir(root());
    node
}

fn scripts(ending: &str) -> Result<Vec<String>, String> {
    let files = fs::read_dir(root().join("tests/browser")).map_err(|e| e.to_string())?;
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> =
        names.filter(|name| name.ends_with(ending)).map(|name| format!("tests/browser/{name}")).collect();
    names.sort();
    Ok(names)
}

/// The command, built with the whole workspace: asking for one package would build its dependencies with other features.
fn build() -> Outcome {
    run(cargo().args(["build", "--quiet", "--locked", "--workspace"]))
}
