"""Runs the oracle over folders of conformance samples and compares every figure that a sample states.

Usage: python3 check_conformance.py [FOLDER...]   (sample folders, or any folders above sample folders; without one, the
samples beside this folder)
"""

import json
import shlex
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import agreement  # noqa: E402
import answers  # noqa: E402
import latency  # noqa: E402
import release  # noqa: E402
import retrieval  # noqa: E402
import stability  # noqa: E402


def compare(name, want, got):
    """Differences of two objects of which each key must be in both."""
    return [
        f"{name}{key}: expected {want.get(key)}, oracle {got.get(key)}"
        for key in sorted(set(want) | set(got))
        if want.get(key) != got.get(key)
    ]


def answers_differences(sample, args, expected):
    gold, traces, options = answers.options_from_args(args)
    got = answers.score((sample / gold).read_bytes(), [(sample / one).read_bytes() for one in traces], options)
    found = []
    for key, want in expected.items():
        if key == "labels":
            found += compare("labels.", want, got["labels"])
        elif key not in got:
            found.append(f"{key}: the oracle has no such figure")
        elif want != got[key]:
            found.append(f"{key}: expected {want}, oracle {got[key]}")
    return found


def release_differences(sample, args, expected):
    """A release sample states the first failed stage of every row, by the row's id, and that the call exits with 0."""
    got = release.evaluate(*release.load(args, lambda name: (sample / name).read_bytes()))
    found = compare("", expected, {row["id"]: row["stage"] for row in got["rows"]})
    if "exit 0" in (sample / "args.txt").read_text(encoding="utf-8") and not got["pass"]:
        found.append(f"expected to pass, oracle: {got['checks']}, missing {got['missing']}")
    return found


def retrieval_differences(sample, args, expected):
    got = retrieval.evaluate(*retrieval.inputs_of(lambda name: (sample / name).read_bytes(), args))
    return compare("", expected, {key: value for key, value in got.items() if key in expected})


def agreement_differences(sample, args, expected):
    got = agreement.evaluate(*agreement.load(args, lambda name: (sample / name).read_bytes()))
    return compare("", expected, {key: value for key, value in got.items() if key in expected})


def latency_differences(sample, args, expected):
    got = latency.evaluate(latency.load(args, lambda name: (sample / name).read_bytes()))
    return compare("", expected, {key: value for key, value in got.items() if key in expected})


def stability_differences(sample, args, expected):
    """A stability sample states some figures of every case: the `details`."""
    got = stability.evaluate(*stability.load(args, lambda name: (sample / name).read_bytes()))["details"]
    found = compare("", dict.fromkeys(expected, "a case"), dict.fromkeys(got, "a case"))
    for qid, want in expected.items():
        found += compare(f"{qid}.", want, {key: value for key, value in got.get(qid, {}).items() if key in want})
    return found


SUITES = {
    "agreement": agreement_differences,
    "answers": answers_differences,
    "latency": latency_differences,
    "release": release_differences,
    "retrieval": retrieval_differences,
    "stability": stability_differences,
}


def differences(sample):
    call = shlex.split((sample / "args.txt").read_text(encoding="utf-8"), comments=True)
    if call[0] != "karat" or call[1] not in SUITES:
        return None  # another suite
    expected = json.loads((sample / "expected.json").read_text(encoding="utf-8"))
    return SUITES[call[1]](sample, call[2:], expected)


def main(folders):
    samples = sorted(path.parent for folder in folders for path in Path(folder).rglob("args.txt"))
    checked = failed = 0
    for sample in samples:
        found = differences(sample)
        if found is None:
            continue
        checked += 1
        failed += bool(found)
        for line in found:
            print(f"{sample}: {line}")
    print(f"{checked} samples checked, {failed} with mismatches")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    beside = Path(__file__).resolve().parent.parent
    sys.exit(main(sys.argv[1:] or [beside / "conformance"]))
