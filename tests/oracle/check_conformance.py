"""Runs the oracle over folders of conformance samples and compares every figure that a sample states.

Usage: python3 check_conformance.py FOLDER...   (a sample folder, or any folder above sample folders)
"""

import json
import shlex
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import answers  # noqa: E402


def differences(sample):
    call = shlex.split((sample / "args.txt").read_text(encoding="utf-8"))
    if call[:2] != ["karat", "answers"]:
        return None  # another suite
    gold, traces, options = answers.options_from_args(call[2:])
    got = answers.score((sample / gold).read_bytes(), [(sample / one).read_bytes() for one in traces], options)
    expected = json.loads((sample / "expected.json").read_text(encoding="utf-8"))
    found = []
    for key, want in expected.items():
        if key == "labels":
            for case in sorted(set(want) | set(got["labels"])):
                if want.get(case) != got["labels"].get(case):
                    found.append(f"labels.{case}: expected {want.get(case)}, oracle {got['labels'].get(case)}")
        elif key not in got:
            found.append(f"{key}: the oracle has no such figure")
        elif want != got[key]:
            found.append(f"{key}: expected {want}, oracle {got[key]}")
    return found


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
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
