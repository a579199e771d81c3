//! How does a suite's declaration become a command, and what was typed a request?

use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command};
use karat_engine::input::Source;
use karat_engine::problem::{self, Failure, Problem};
use karat_engine::request::key::{Key, Shape};
use karat_engine::request::{Cache, Entries, Output, Request, RunContext, Value};
use karat_engine::suite::{Reads, Suite};

use super::WRONG;
use super::report::ReportArgs;
use crate::output::Terminal;
use crate::problems;
use crate::progress;

const EXIT_STATUS: &str = "\
Exit status: 0 all gates pass; 1 a gate failed or is inconclusive; 2 the input or the
call is wrong and nothing was scored.";

/// The command of a suite.
pub(crate) fn command(suite: &'static Suite) -> Command {
    let command = suite.keys().fold(Command::new(suite.name).about(suite.about), |command, key| {
        with_key(command, key, |arg| related(arg, key, suite))
    });
    let command = <ReportArgs as clap::Args>::augment_args(command);
    let formats = ReportArgs::formats_of(suite);
    command
        .mut_arg("format", |arg| arg.value_parser(formats))
        .after_help(format!("Examples:\n  {}\n\n{EXIT_STATUS}", suite.examples))
}

/// Every key of every suite, each once, for verbs that take the files of any.
pub(crate) fn any(mut command: Command, suites: &[&'static Suite], leave_out: &[&str]) -> Command {
    let mut known: Vec<&str> = leave_out.to_vec();
    for key in suites.iter().flat_map(|suite| suite.keys()) {
        if known.contains(&key.name) {
            continue;
        }
        known.push(key.name);
        // Two suites may take one key in two shapes: the chosen suite reads what was typed.
        let mut shapes = suites.iter().filter_map(|suite| suite.key(key.name));
        let widest =
            shapes.find(|other| matches!(other.shape, Shape::Numbers(..) | Shape::Texts)).unwrap_or(key);
        let open = Key { default: "", ..*widest };
        command = with_key(command, &open, |arg| {
            let arg = arg.help(meanings(key.name, suites)).help_heading("What is scored");
            match key.shape {
                Shape::Flag => arg,
                _ => arg.value_parser(clap::builder::StringValueParser::new()),
            }
        });
    }
    command
}

/// What a key means to each suite that has it, those together to which it means the same.
fn meanings(key: &str, suites: &[&'static Suite]) -> String {
    let mut meanings: Vec<(Vec<&str>, String)> = Vec::new();
    for (suite, key) in suites.iter().filter_map(|suite| Some((suite.name, suite.key(key)?))) {
        let words = match key.shape {
            Shape::Word(words) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                format!(" [{}]", words.join(", "))
            }
            _ => String::new(),
        };
        let default =
            if key.default.is_empty() { String::new() } else { format!(" [default: {}]", key.default) };
        let meaning = format!("{}{words}{default}", key.meaning);
        match meanings.iter_mut().find(|(_, known)| *known == meaning) {
            Some((whose, _)) => whose.push(suite),
            None => meanings.push((vec![suite], meaning)),
        }
    }
    match meanings.as_slice() {
        [(whose, meaning)] if whose.len() == suites.len() => meaning.clone(),
        each => {
            let each = each.iter().map(|(whose, meaning)| format!("{}: {meaning}", whose.join(", ")));
            each.collect::<Vec<_>>().join("; ")
        }
    }
}

/// Adds the flag of a key, and its shorthand.
fn with_key(command: Command, key: &Key, finish: impl FnOnce(Arg) -> Arg) -> Command {
    let flag = key.flag.replace('_', "-");
    let mut arg = Arg::new(key.name).long(flag.clone()).help(key.meaning).value_name(key.value_name);
    for other in [key.flag, key.name] {
        for spelling in [other.to_owned(), other.replace('_', "-")] {
            arg = if spelling == flag { arg } else { arg.alias(spelling) };
        }
    }
    arg = match key.shape {
        Shape::Flag => arg.action(ArgAction::SetTrue),
        Shape::File | Shape::Text | Shape::Word(_) | Shape::Number(..) => arg.action(ArgAction::Set),
        _ if key.several => arg.action(ArgAction::Append).num_args(1..),
        _ => arg.action(ArgAction::Append),
    };
    if !key.default.is_empty() {
        arg = arg.default_value(key.default);
    }
    match key.shape {
        Shape::Word(words) => {
            let value =
                |&(word, meaning): &(&'static str, &'static str)| PossibleValue::new(word).help(meaning);
            arg = arg.value_parser(PossibleValuesParser::new(words.iter().map(value)));
        }
        Shape::Number(..) | Shape::Numbers(..) => {
            let key = *key;
            arg = arg.value_parser(move |word: &str| {
                Value::typed(&key, &[word.to_owned()]).map(|_| word.to_owned())
            });
        }
        Shape::Texts if key.name == "refusal" => arg = arg.allow_hyphen_values(true),
        _ => {}
    }
    let command = command.arg(finish(arg));
    match key.shorthand {
        Some((flag, value)) => command.arg(
            Arg::new(flag)
                .long(flag)
                .alias(flag.replace('_', "-"))
                .action(ArgAction::SetTrue)
                .hide(true)
                .help(format!("The published spelling of {} {value}", key.typed())),
        ),
        None => command,
    }
}

/// Says which inputs belong together, as [`Reads`] declares it.
fn related(arg: Arg, key: &Key, suite: &Suite) -> Arg {
    let arg = if key.name == "gates" { arg.conflicts_with("preset") } else { arg };
    let (mine, others): (Vec<&[&str]>, Vec<&[&str]>) =
        suite.reads.groups().iter().partition(|group| group.contains(&key.name));
    let arg = match mine.as_slice() {
        [] => return arg,
        _ if others.is_empty() => return arg.required(true),
        [group] => {
            group.iter().filter(|other| **other != key.name).fold(arg, |arg, other| arg.requires(*other))
        }
        _ => arg,
    };
    let arg = arg.required_unless_present_any(others.concat());
    match suite.reads {
        Reads::OneOf(_) => arg.conflicts_with_all(others.concat()),
        Reads::AnyOf(_) => arg,
    }
}

/// What was typed, as the suite reads it.
pub(crate) fn typed(suite: &Suite, matches: &ArgMatches) -> Result<Entries, Problem> {
    let mut given = Entries::typed();
    for key in suite.keys() {
        let typed = matches.try_contains_id(key.name).is_ok()
            && matches.value_source(key.name) == Some(clap::parser::ValueSource::CommandLine);
        let short = key
            .shorthand
            .filter(|(flag, _)| matches.try_get_one::<bool>(flag).ok().flatten().copied().unwrap_or(false));
        if let Some((_, value)) = short {
            given.set(key.name, value.into());
        } else if typed && key.shape == Shape::Flag {
            given.set(key.name, true.into());
        } else if typed {
            let words: Vec<String> =
                matches.get_many::<String>(key.name).unwrap_or_default().cloned().collect();
            let value = Value::typed(key, &words).map_err(|message| {
                let mut problem = Problem::of_file(&problem::CALL_VALUE, &key.typed(), message);
                problem.expected = key.meaning.into();
                problem
            });
            given.set(key.name, value?);
        }
    }
    Ok(given)
}

/// Whether any key of any suite was typed, and which.
pub(crate) fn typed_keys(suites: &[&'static Suite], matches: &ArgMatches) -> Vec<&'static Key> {
    let mut keys: Vec<&'static Key> = Vec::new();
    for key in suites.iter().flat_map(|suite| suite.keys()) {
        let typed = matches.try_contains_id(key.name).is_ok()
            && matches.value_source(key.name) == Some(clap::parser::ValueSource::CommandLine);
        if typed && !keys.iter().any(|known| known.name == key.name) {
            keys.push(key);
        }
    }
    keys
}

/// Runs the command of a suite.
pub(crate) fn run(suite: &'static Suite, matches: &ArgMatches, terminal: &Terminal) -> ExitCode {
    let args = match <ReportArgs as clap::FromArgMatches>::from_arg_matches(matches) {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    let given = match typed(suite, matches) {
        Ok(given) => given,
        Err(problem) => {
            terminal.complain(&problems::render(&problem.into(), terminal.color_err()));
            return ExitCode::from(WRONG);
        }
    };
    let request = Request::with(suite, given).show(args.cases(suite), args.detail());
    let request = request.threads(args.threads()).extra(args.extra(suite));
    let read = request.files_read();
    args.run(terminal, &read, || score(&request, terminal))
}

/// Scores, with a bar on the terminal where the wait is worth one.
pub(crate) fn score(request: &Request, terminal: &Terminal) -> Result<Output, Failure> {
    let read = request.files_read();
    let sources: Vec<Source> = read.iter().filter_map(|name| Source::expand(name).ok()).flatten().collect();
    let bar = progress::bar(&sources, terminal);
    let made = request.run(&RunContext { cache: &Cache::default(), progress: &|bytes| bar.inc(bytes) });
    bar.finish_and_clear();
    made
}
