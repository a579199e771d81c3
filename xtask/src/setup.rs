//! What the tests need beyond Rust: which of it this machine has, and how it gets the rest.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use crate::{Outcome, root, run};

/// Something that tests need and a fresh machine may not have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Need {
    /// Its name, for people.
    pub(crate) name: &'static str,
    source: Source,
}

/// Where a [`Need`] comes from.
#[derive(Debug, PartialEq, Eq)]
enum Source {
    /// The first of these programs that runs will do; else these Debian packages bring one.
    Program(&'static [&'static str], &'static [&'static str]),
    /// Modules of Python's standard library that Debian packages on its own.
    Modules(&'static str, &'static [&'static str]),
    /// Python packages, installed into target/python: what to import, and what to ask pip for.
    Pip(&'static str, &'static [&'static str]),
    /// The packages that tests/browser/package.json lists, installed into target/browser.
    Npm,
}

const fn program(name: &'static str, packages: &'static [&'static str]) -> Need {
    Need { name, source: Source::Program(&[], packages) }
}

pub(crate) const PYTHON: Need = program("python3", &["python3-minimal"]);
pub(crate) const NODE: Need = program("node", &["nodejs"]);
pub(crate) const NPM: Need = program("npm", &["npm"]);
pub(crate) const VALGRIND: Need = program("valgrind", &["valgrind"]);
pub(crate) const CXX: Need = program("c++", &["g++"]);
pub(crate) const CHROMIUM: Need = Need {
    name: "chromium",
    source: Source::Program(&["chromium", "chromium-browser", "google-chrome"], &["chromium"]),
};
pub(crate) const VENV: Need =
    Need { name: "python3's venv", source: Source::Modules("ensurepip, venv", &["python3-venv"]) };
pub(crate) const TREC_EVAL: Need =
    Need { name: "pytrec_eval", source: Source::Pip("pytrec_eval", &["pytrec_eval-terrier"]) };
pub(crate) const JUNIT: Need =
    Need { name: "lxml and junitparser", source: Source::Pip("lxml, junitparser", &["lxml", "junitparser"]) };
pub(crate) const STATISTICS: Need = Need {
    name: "scipy and statsmodels",
    source: Source::Pip("scipy, statsmodels", &["scipy>=1.15", "statsmodels"]),
};
pub(crate) const BROWSER_PACKAGES: Need = Need { name: "playwright-core and axe-core", source: Source::Npm };

impl Need {
    /// Whether this machine has it.
    pub(crate) fn met(&self) -> bool {
        match self.source {
            Source::Program(names, _) => {
                self == &CHROMIUM && env::var_os("CHROMIUM").is_some()
                    || runs(self.name)
                    || names.iter().any(|name| runs(name))
            }
            Source::Modules(modules, _) => imports("python3".into(), modules),
            Source::Pip(modules, _) => imports(python(), modules),
            Source::Npm => {
                let text = |path: PathBuf| fs::read_to_string(path).unwrap_or_default();
                browser_folder().join("node_modules/playwright-core").exists()
                    && text(browser_folder().join("package.json")) == text(browser_list())
            }
        }
    }

    /// What installing it does, for people.
    fn plan(&self) -> String {
        match self.source {
            Source::Program(_, packages) | Source::Modules(_, packages) => {
                format!("apt-get install {}", packages.join(" "))
            }
            Source::Pip(_, packages) => format!("pip install {}, into target/python", packages.join(" ")),
            Source::Npm => "npm install, into target/browser".into(),
        }
    }

    fn install(&self) -> Outcome {
        match self.source {
            Source::Program(_, packages) | Source::Modules(_, packages) => {
                if !runs("apt-get") {
                    return Err(format!("{} is needed", self.name));
                }
                run(Command::new("apt-get").args(["update", "--quiet"]))?;
                let mut install = Command::new("apt-get");
                install.args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(packages);
                run(install.env("DEBIAN_FRONTEND", "noninteractive"))
            }
            Source::Pip(_, packages) => {
                if !python().exists() {
                    run(Command::new("python3").args(["-m", "venv"]).arg(root().join("target/python")))?;
                }
                run(Command::new(python()).args(["-m", "pip", "install", "--quiet"]).args(packages))
            }
            Source::Npm => {
                fs::create_dir_all(browser_folder()).map_err(|e| e.to_string())?;
                let list = browser_list();
                fs::copy(&list, browser_folder().join("package.json"))
                    .map_err(|e| format!("{}: {e}", list.display()))?;
                let mut npm = Command::new("npm");
                npm.current_dir(browser_folder());
                npm.args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]);
                // The browser is the system's: none is fetched.
                run(npm.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))
            }
        }
    }
}

/// Installs what is missing of `needs`, in their order, after it has said what that will be.
pub(crate) fn provide(needs: &[&Need]) -> Outcome {
    let missing: Vec<&&Need> = needs.iter().filter(|need| !need.met()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    eprintln!("xtask: about to install what this machine does not have:");
    for need in &missing {
        eprintln!("  {:<30} {}", need.name, need.plan());
    }
    for need in missing {
        // What came before may have brought it along.
        if !need.met() {
            need.install()?;
        }
        if !need.met() {
            return Err(format!("{} is needed, and still not there", need.name));
        }
    }
    Ok(())
}

/// The Python that has the packages of [`Source::Pip`].
pub(crate) fn python() -> PathBuf {
    root().join("target/python/bin/python")
}

/// Where the browser tests have their packages and pages.
pub(crate) fn browser_folder() -> PathBuf {
    root().join("target/browser")
}

fn browser_list() -> PathBuf {
    root().join("tests/browser/package.json")
}

fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success())
}

fn imports(python: PathBuf, modules: &str) -> bool {
    let import = Command::new(python).args(["-c", &format!("import {modules}")]).output();
    import.is_ok_and(|out| out.status.success())
}
