//! Opens the html reports in a real browser: Debian's Chromium, driven by Playwright, with axe-core as the judge of
//! accessibility. Packages and pages lie under target/browser.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use crate::{Outcome, cargo, need, root, run, there};

/// Every browser test.
pub(crate) fn test() -> Outcome {
    let place = prepare()?;
    // Real reports in which every text is hostile, and several suites on one page: what only the library can make.
    let mut made = cargo();
    made.args(["test", "--quiet", "--locked", "--workspace", "--test", "html"]);
    run(made.env("KARAT_PAGES", place.join("made")))?;
    run(node().args(["--test", "--test-reporter=spec", "--test-concurrency=2"]).args(scripts(".test.mjs")?))
}

/// Screenshots for docs/gallery.md.
pub(crate) fn gallery() -> Outcome {
    prepare()?;
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

/// The command, a browser and the packages.
fn prepare() -> Result<PathBuf, String> {
    need("node", &["nodejs", "npm"])?;
    need("npm", &["npm"])?;
    if env::var_os("CHROMIUM").is_none() && !there("google-chrome") && !there("chromium-browser") {
        need("chromium", &["chromium"])?;
    }
    let place = root().join("target/browser");
    fs::create_dir_all(&place).map_err(|e| e.to_string())?;
    let (list, copy) = (root().join("tests/browser/package.json"), place.join("package.json"));
    let read = |path: &PathBuf| fs::read_to_string(path).unwrap_or_default();
    if read(&list) != read(&copy) || !place.join("node_modules/playwright-core").exists() {
        fs::copy(&list, &copy).map_err(|e| format!("{}: {e}", list.display()))?;
        let mut npm = Command::new("npm");
        npm.current_dir(&place).args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]);
        // The browser is the system's: none is fetched.
        run(npm.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))?;
    }
    // Of the whole workspace: to ask for one package would build its dependencies once more.
    run(cargo().args(["build", "--quiet", "--locked", "--workspace"]))?;
    Ok(place)
}
