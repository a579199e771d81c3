use std::path::Path;

use super::Config;
use crate::suites;

fn problems(text: &str) -> Vec<(u64, u64, String, String)> {
    let failure =
        Config::parse("karat.toml", text, Path::new(""), suites::ALL).expect_err("a wrong configuration");
    failure.problems.into_iter().map(|p| (p.line, p.column, p.message, p.expected)).collect()
}

const SOUND: &str = "[gold]\npath = \"g.jsonl\"\n[suites.b]\nkind = \"answers\"\ntraces = \"t.jsonl\"\n[suites.a]\nkind = \"agreement\"\npairs = [\"p.jsonl\"]\n";

#[test]
fn suites_keep_their_order_and_take_the_projects_gold() {
    let config = Config::parse("karat.toml", SOUND, Path::new("sub"), suites::ALL).expect("sound");
    let names: Vec<&str> = config.suites.iter().map(|suite| suite.name.as_str()).collect();
    assert_eq!(names, ["b", "a"]);
    assert_eq!(config.suites[0].request.given.file("gold").as_deref(), Some(Path::new("sub/g.jsonl")));
    assert!(!config.suites[1].request.has("gold"), "ratings have no gold");
    assert_eq!(config.suites[0].request.files_read(), ["sub/g.jsonl", "sub/t.jsonl"]);
}

#[test]
fn every_mistake_is_told_at_once_with_its_place_and_the_nearest_key() {
    let text = "[gold]\npaht = \"g.jsonl\"\n\n[suites.a]\nkind = \"answers\"\ntraces = [\"t.jsonl\", 3]\nscu = \"enforced\"\nk = 0\ngates = []\n\n[report]\nout = 5\n\n[wavers]\n";
    let told: Vec<String> = problems(text).iter().map(|(l, c, m, e)| format!("{l}:{c} {m} | {e}")).collect();
    let wanted = [
        "2:1 unknown key `paht` | did you mean `path`?",
        "6:22 `traces`: found a whole number | a file name",
        "7:7 `scu`: \"enforced\" is no word for it (did you mean enforce?)",
        "8:5 `k`: the number 0 is out of range",
        "9:9 `gates`: an empty list",
        "12:7 `out`: found a whole number",
        "14:2 unknown key `wavers` | did you mean `waivers`?",
    ];
    for wanted in wanted {
        assert!(told.iter().any(|told| told.starts_with(wanted)), "{wanted}\n{told:#?}");
    }
}

#[test]
fn what_a_suite_reads_must_be_there_once() {
    let lacks = problems("[suites.a]\nkind = \"answers\"\ntraces = \"t\"\n");
    assert_eq!((lacks[0].0, lacks[0].2.as_str()), (2, "`answers` lacks what it reads"));
    let twice = "[suites.a]\nkind = \"agreement\"\npairs = \"p\"\nraters = { x = \"a\", y = \"b\" }\n";
    assert!(problems(twice)[0].2.contains("two kinds of input"));
    let kind = problems("[suites.a]\nkind = \"anwsers\"\n");
    assert!(kind[0].2.contains("anwsers") && kind[0].3.contains("answers"));
    assert!(problems("")[0].2.contains("no suite"));
    assert!(problems("[suites.a]\n")[0].2.contains("has no `kind`"));
    assert!(problems("[suites.a]\nkind = \"answers\"\ntraces = \"t\"\npreset = \"ship\"\ngates = \"precision>=0.8\"\n[gold]\npath = \"g\"\n")[0].2.contains("both"));
}

#[test]
fn broken_toml_and_days_have_their_places() {
    assert_eq!(problems("[gold\npath = 1")[0].0, 1);
    let waiver = |expires: &str| {
        format!(
            "{SOUND}[[waivers]]\ngate = \"chr>=0.7\"\ngold = \"abc\"\nreason = \"r\"\nowner = \"o\"\nexpires = {expires}\n"
        )
    };
    assert!(Config::parse("karat.toml", &waiver("2026-12-31"), Path::new(""), suites::ALL).is_ok());
    assert!(Config::parse("karat.toml", &waiver("\"2026-12-31\""), Path::new(""), suites::ALL).is_ok());
    for wrong in ["\"soon\"", "2026-12-31T00:00:00Z", "20261231"] {
        let told = problems(&waiver(wrong));
        assert_eq!((told.len(), told[0].0), (1, 14), "{wrong}: {told:?}");
    }
    assert!(problems(&format!("{SOUND}[[waivers]]\ngate = \"x\"\n")).len() == 4);
}

#[test]
fn a_nesting_bomb_is_a_message() {
    let bomb = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(!problems(&bomb).is_empty());
}

#[test]
fn gates_of_a_lock_do_not_depend_on_spaces_or_order() {
    let gates =
        |text: &str| Config::parse("karat.toml", text, Path::new(""), suites::ALL).expect("sound").gates();
    let a = "[suites.x]\nkind = \"agreement\"\npairs = \"p\"\ngates = [\"kappa>=0.7\", \"n>=5\"]\n[suites.w]\nkind = \"agreement\"\npairs = \"p\"\n";
    let b = "[suites.w]\nkind = \"agreement\"\npairs = \"q\"\n[suites.x]\nkind = \"agreement\"\npairs = \"p\"\ngates = \"kappa>=0.7   n>=5\"\n";
    assert_eq!(gates(a), gates(b));
    assert_ne!(gates(a), gates(&a.replace("0.7", "0.6")));
}
