//! A command as a pipeline: processes that hang, die, say too much or too late.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::{GOOD, common, folder, many, traces};

#[test]
fn a_hostile_process_is_killed_and_started_anew() {
    let questions =
        ["one", "hang", "die", "noise", "long", "mute", "twice", "after", "chatty", "wrong", "last"];
    let folder = folder("hostile-exec", &questions);
    let script = format!(
        r#"
while read -r request; do
  echo "$$" >> pids
  case $request in
    *hang*) sleep 600 & echo "$!" >> pids; wait ;;
    *die*) echo 'out of luck' >&2; exit 3 ;;
    *noise*) echo 'Loading the model' ;;
    *long*) head -c 104857600 /dev/zero | tr '\0' ' ' ;;
    *mute*) exec >&-; sleep 600 & echo "$!" >> pids; wait ;;
    *twice*) printf '%s\n' '{GOOD}' '{GOOD}' ;;
    *chatty*) printf '%s\n' '{GOOD}' 'that was that' '' ;;
    *wrong*) echo '{{"qid":"one","answer":"x"}}' ;;
    *) echo '{GOOD}' ;;
  esac
done
"#
    );
    fs::write(folder.join("pipeline.sh"), script).expect("a script");
    let (out, err, status) = common::run(
        &folder,
        &[
            "run",
            "--gold",
            "gold.jsonl",
            "--exec",
            "exec sh pipeline.sh",
            "--out",
            "t.jsonl",
            "--timeout",
            "3s",
            "--retries",
            "0",
            "--max-reply",
            "1",
        ],
    );
    assert_eq!(status, 1, "{out}{err}");
    assert!(err.contains("pipeline: out of luck"), "{err}");
    // After `twice` one line, after `chatty` another, the two that were no replies, and a whole mebibyte.
    assert!(out.contains(" lines on standard output replied to nothing that was asked"), "{out}");
    assert!(out.contains("  the command was started anew 8 times\n"), "{out}");
    let traces = traces(&folder.join("t.jsonl"));
    assert_eq!(traces.len(), questions.len());
    for (id, expected) in [
        ("one", ""),
        ("hang", "timeout: no reply within 3 s; the process was killed"),
        ("die", "died: the process ended with status 3; it last said: out of luck"),
        ("noise", "not json: found `L`, expected a value at byte 0 of `Loading the model`"),
        ("long", "too long: the reply is longer than 1 MiB"),
        ("mute", "died: the process closed its standard output; it was killed"),
        ("twice", "protocol: the process replied more than once to one question"),
        ("after", ""),
        ("chatty", ""),
        ("wrong", "wrong case: the reply is for `one`"),
        ("last", ""),
    ] {
        let reason = traces[id]["reason"].as_str().unwrap_or_default();
        assert!(reason.starts_with(expected) && reason.is_empty() == expected.is_empty(), "{id}: {reason}");
    }
    for pid in fs::read_to_string(folder.join("pids")).expect("pids").lines() {
        let alive = || {
            Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
        };
        let gone = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            !alive()
        });
        assert!(gone, "process {pid} was left behind");
    }
}

#[test]
fn a_process_may_end_after_each_reply() {
    let questions = many(5);
    let folder = folder("one-shot", &questions.iter().map(String::as_str).collect::<Vec<_>>());
    let command = format!("read -r request; echo '{GOOD}'");
    let args = ["run", "--gold", "gold.jsonl", "--exec", &command, "--out", "t.jsonl", "--retries", "0"];
    let (out, err, status) = common::run(&folder, &args);
    assert_eq!((status, traces(&folder.join("t.jsonl")).len()), (0, 5), "{out}{err}");
}

/// A pipeline that answers each question with its own words, and, when it is asked the sixth, says one thing too many
/// while it is at a later one. Its second argument is put in front of every reply's fields.
const LATE: &str = r#"
import json, sys, threading, time
def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
def reply(request):
    named = {"qid": request["qid"]} if sys.argv[1] == "named" else {}
    return json.dumps({**named, "answer_json": {"claim": request["q"]}, "retrieved_ids": []})
for line in sys.stdin:
    request = json.loads(line)
    time.sleep(0.03)
    say(reply(request))
    if request["qid"] == "Q005" and not sys.argv[2:]:
        threading.Timer(0.05, say, ["tuning done" if sys.argv[1] == "noise" else reply(request)]).start()
"#;

/// Runs the late pipeline; its output, and the last trace of each case.
fn late(name: &str, how: &str) -> (String, Vec<Value>, usize) {
    let questions = many(20);
    let folder = folder(name, &questions.iter().map(String::as_str).collect::<Vec<_>>());
    fs::write(folder.join("late.py"), LATE).expect("a script");
    let command = format!("python3 late.py {how}");
    let args = ["run", "--gold", "gold.jsonl", "--exec", &command, "--out", "t.jsonl", "--retries", "0"];
    let (out, err, _) = common::run(&folder, &args);
    let text = fs::read_to_string(folder.join("t.jsonl")).expect("traces");
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a trace")).collect();
    let last =
        questions.iter().map(|id| all.iter().rfind(|trace| trace["qid"] == **id).expect("a trace").clone());
    (format!("{out}{err}"), last.collect(), all.len())
}

#[test]
fn a_reply_too_many_is_nobody_elses() {
    // Nobody can tell which reply was to which: none of them counts, once that is known.
    let (out, last, lines) = late("late", "nameless");
    for trace in &last {
        let right = trace["answer_json"]["claim"] == trace["q"];
        let reason = trace["reason"].as_str().unwrap_or_default();
        assert!(right || reason.starts_with("protocol: the process wrote more lines"), "{trace}");
    }
    assert!(lines > 20 && out.contains(" answers taken back, as a surplus reply"), "{out}");
    let failed = last.iter().filter(|trace| trace["ok"] == false).count();
    assert!(
        failed >= 6 && out.contains(&format!(": {} answered, {failed} failed", 20 - failed)),
        "{failed}: {out}"
    );

    // Replies that name their case are told apart: the question is asked again, and nothing is lost.
    let (out, last, lines) = late("late-named", "named");
    assert!(last.iter().all(|trace| trace["answer_json"]["claim"] == trace["q"]), "{last:?}");
    assert!(lines == 20 && out.contains("20 answered, 0 failed"), "{out}");
    assert!(
        out.contains("  1 line on standard output replied to nothing")
            && out.contains("started anew 1 time\n"),
        "{out}"
    );

    // What is no reply at all shifts nothing.
    let (out, last, lines) = late("late-noise", "noise");
    assert!(last.iter().all(|trace| trace["answer_json"]["claim"] == trace["q"]), "{last:?}");
    assert!(lines == 20 && out.contains("20 answered, 0 failed"), "{out}");
}

#[test]
fn what_comes_after_a_timeout_is_not_heard() {
    let folder = folder("late-timeout", &["first", "slow", "later"]);
    let script = r#"
while read -r request; do
  case $request in
    *slow*) sleep 2; echo '{"answer":"slow"}' ;;
    *first*) echo '{"answer":"first"}' ;;
    *later*) sleep 1; echo '{"answer":"later"}' ;;
  esac
done
"#;
    fs::write(folder.join("pipeline.sh"), script).expect("a script");
    let args =
        ["run", "--gold", "gold.jsonl", "--exec", "sh pipeline.sh", "--out", "t.jsonl", "--retries", "0"];
    let (out, err, status) = common::run(&folder, &[&args[..], &["--timeout", "1700ms"]].concat());
    assert_eq!(status, 1, "{out}{err}");
    let traces = traces(&folder.join("t.jsonl"));
    assert_eq!((&traces["first"]["answer"], &traces["later"]["answer"]), (&"first".into(), &"later".into()));
    assert!(traces["slow"]["reason"].as_str().expect("a reason").starts_with("timeout: "), "{out}");
}
