//! The reports that every format is tried on are those that karat makes. `cargo xtask codegen` writes them (it sets
//! `KARAT_WRITE`).
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::{env, fs};

#[test]
fn fixtures_are_what_karat_makes() {
    let folder = common::root().join("tests/fixtures/report");
    let list = fs::read_to_string(folder.join("commands.txt")).expect("the list of calls");
    let calls = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut stale = Vec::new();
    for words in calls.map(common::words) {
        let (name, args) = (&words[0], &words[2..]);
        let mut karat = common::karat(&common::root());
        karat.args(args).args(["--format", "json", "--quiet"]);
        let (made, err, exit) = common::text(karat.output().expect("karat runs"));
        assert!(exit < 2, "{name}: {err}");
        let file = folder.join(format!("{name}.json"));
        if env::var_os("KARAT_WRITE").is_some() {
            fs::write(file, made).expect("a file that can be written");
        } else if fs::read_to_string(file).unwrap_or_default() != made {
            stale.push(name.clone());
        }
    }
    assert!(stale.is_empty(), "{stale:?} are stale: run `cargo xtask codegen`");
}
