//! docs/config.md: every key of karat.toml.

use std::fmt::Write;

use crate::request::key::{self, Key};
use crate::suite::Suite;

pub(super) fn page(suites: &[&'static Suite]) -> String {
    let mut out = String::from(super::NOTE);
    out.push_str(
        "# karat.toml\n\nWhat `karat check` runs, and what it asks of it. `karat init` writes a working example. Names of files are \
         relative to the folder of karat.toml. An unknown key, a value of a wrong type or a missing one is an error with its \
         place, all of them at once; `karat schema config` prints the JSON Schema (many editors take it for completion).\n",
    );
    section(&mut out, "`[gold]`", &key::GOLD.iter().collect::<Vec<_>>());
    section(&mut out, "`[report]`", &key::REPORT.iter().collect::<Vec<_>>());
    let every: Vec<&Key> = std::iter::once(&key::KIND).chain(key::COMMON).collect();
    section(&mut out, "`[suites.NAME]`, whatever its kind", &every);
    for suite in suites {
        let keys: Vec<&Key> =
            suite.inputs.iter().chain(suite.options).filter(|key| !key.typed_only).collect();
        section(&mut out, &format!("`kind = \"{}\"`", suite.name), &keys);
        let inputs: Vec<String> =
            suite.reads.groups().iter().map(|group| format!("`{}`", group.join("` and `"))).collect();
        let _ = writeln!(out, "\nIt reads {}.", inputs.join(", or "));
    }
    section(&mut out, "`[[waivers]]`", &key::WAIVER.iter().collect::<Vec<_>>());
    out.push_str(
        "\nA waiver lets a check pass although one gate does not, on somebody's word and until a day. The gate is printed as \
         `FAIL (waived)`. It holds for one gold set: the hash is the one that `karat gold freeze` writes into the lock, whole or \
         its first twelve characters. What can never be waived: constraints, admissibility, missing data (a count of missing, \
         errored or malformed rows, or a figure that could not be measured) and the gold lock. The day comes from `--today` or the \
         system clock (UTC). A waiver that waives nothing (expired, of other gold, of a gate that passes) is listed.\n",
    );
    out
}

fn section(out: &mut String, title: &str, keys: &[&Key]) {
    let _ = writeln!(out, "\n## {title}\n\n| key | value | |\n|---|---|---|");
    for key in keys {
        let required = if key.required { " (required)" } else { "" };
        let default =
            if key.default.is_empty() { String::new() } else { format!(" (default: {})", key.default) };
        let _ = writeln!(
            out,
            "| `{}`{required} | {} | {}{default} |",
            key.name,
            key.shape.expected(),
            crate::text::capital(key.meaning)
        );
    }
}
