"""Compares karat with trec_eval, through pytrec_eval, on generated qrels and runs.

    python tests/oracle/trec.py --karat target/release/examples/trec [--sets 300] [--seed 1]

Needs pytrec_eval. CI runs it from `cargo xtask test`, which makes a virtual environment under target/ with
`pytrec_eval-terrier` in it (wheels of the same extension: no compiler needed) and gives this script the built program.
`--karat` takes the example `trec`, or karat itself, which is then called as
`karat retrieval --qrels FILE --run FILE --format trec --per-topic [--complete]`.

Every measure that both print is compared, for each topic and over all topics, with and without `-c`: what karat prints
has to be trec_eval's double rounded to four decimals (a double that lies within 1e-9 of the middle may go either way,
since one side adds doubles and the other whole numbers). Topics have to come in the order of their bytes.
"""

import argparse
import collections
import gzip
import math
import os
import random
import subprocess
import sys
import tempfile

import pytrec_eval

CUTS = [5, 10, 15, 20, 30, 100, 200, 500, 1000]
COUNTS = ["num_ret", "num_rel", "num_rel_ret"]
MEASURES = (
    COUNTS
    + ["map", "Rprec", "bpref", "recip_rank", "ndcg"]
    + [f"{name}_{k}" for name in ("P", "recall", "ndcg_cut") for k in CUTS]
    + [f"success_{k}" for k in (1, 5, 10)]
)

# Scores that collide as floats, or look as if they did, or are written in unusual ways.
ODD_SCORES = [
    "0.1", "0.100000001", "0.10000000149011612", "1", "1.00000001", "1.000000059604644775390626",
    "1.0000001", "16777216", "16777217", "16777218", "1e-3", "0.001", "-2", "-2.0000000001", "5", "5.", ".5", "0.5",
    "0", "-0", "-0.0", "1e-50", "-1e-50", "1e39", "1e300", "-1e39", "+0.25", "2.5E-1", "3.4028235e38",
    "0.30000000000000004", "0.3", "123456789012345678", "123456789012345680",
]
PIECES = ["d", "D", "doc", "0", "1", "9", "10", "-", "_", ".", "#", "é", "ß", "文", "𝄞", "a", "Z", "~"]


def document(rng):
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 6)))


def score(rng, pool):
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(pool)
    if kind < 0.6:
        return rng.choice(ODD_SCORES)
    return repr(rng.uniform(-3, 30)) if kind < 0.7 else f"{rng.uniform(-3, 30):.{rng.randint(0, 9)}f}"


def make(rng, number):
    """Qrels and a run as {topic: {document: value}}, and the run's scores as they are written."""
    large = number % 60 == 59
    names = {document(rng).lstrip("#") or "t" for _ in range(rng.randint(1, 12))} | {str(rng.randint(1, 400))}
    names = sorted(names - {"all"})
    rng.shuffle(names)
    qrels, run = {}, {}
    for name in names:
        size = rng.randint(8000, 30000) if large else rng.choice([1, 3, 8, 30, 150, rng.randint(1, 1400)])
        universe = [f"{document(rng)}{i}" if rng.random() < 0.9 else str(i) for i in range(size + rng.randint(0, 40))]
        universe = list(dict.fromkeys(universe))
        if rng.random() < 0.9:
            grades = rng.choice([[1], [0, 1], [0, 0, 1, 2, 3], [-1, 0, 1], [-2, -1, 0, 1, 2, 7], [0], [0, 40]])
            judged = rng.sample(universe, min(len(universe), rng.choice([1, 2, 10, 60, 400])))
            rows = {doc: rng.choice(grades) for doc in judged}
            # Where every judgement is negative, trec_eval reads memory that it never wrote.
            rows[judged[0]] = max(0, rows[judged[0]])
            qrels[name] = rows
        if rng.random() < 0.85 or name == names[0]:
            pool = [score(rng, ["1"]) for _ in range(rng.choice([1, 2, 10, 1000]))]
            run[name] = {doc: score(rng, pool) for doc in rng.sample(universe, min(size, len(universe)))}
    if not qrels:
        qrels[names[0]] = {next(iter(run[names[0]])): 1}
    return qrels, run


def ordered(rng, rows):
    """Lines in one of the orders that files have: scattered, by topic, by topic and score."""
    order = rng.random()
    if order < 0.3:
        rng.shuffle(rows)
    elif order < 0.6:
        rows.sort(key=lambda row: (row[0], -float(row[2])))
    return rows


def write(rng, path, lines):
    end = rng.choice(["\n", "\n", "\r\n"])
    text = "".join(line + end for line in lines)
    if rng.random() < 0.2:
        text = text.removesuffix(end)
    data = text.encode()
    with open(path, "wb") as file:
        file.write(gzip.compress(data, 1) if rng.random() < 0.1 else data)


def write_files(rng, qrels, run, folder):
    blank = rng.choice([" ", "\t", "  ", " \t "])
    rows = ordered(rng, [(topic, doc, rel) for topic, docs in qrels.items() for doc, rel in docs.items()])
    if rng.random() < 0.25:
        lines = ["query-id\tcorpus-id\tscore"] + ["\t".join(map(str, row)) for row in rows]
    else:
        lines = [blank.join([topic, "0", doc, str(rel)]) for topic, doc, rel in rows]
    write(rng, os.path.join(folder, "qrels"), lines)
    rows = ordered(rng, [(topic, doc, s) for topic, docs in run.items() for doc, s in docs.items()])
    lines = [blank.join([topic, "Q0", doc, str(rng.randint(0, 99)), s, "tag"]) for topic, doc, s in rows]
    if rng.random() < 0.2:
        lines.insert(rng.randint(0, len(lines)), "")
        lines.insert(rng.randint(0, len(lines)), "# a comment")
    write(rng, os.path.join(folder, "run"), lines)


def command(karat, folder, complete):
    qrels, run = os.path.join(folder, "qrels"), os.path.join(folder, "run")
    if os.path.basename(karat).startswith("trec"):
        return [karat, "-q", *(["-c"] if complete else []), qrels, run]
    more = ["--complete"] if complete else []
    return [karat, "retrieval", "--qrels", qrels, "--run", run, "--format", "trec", "--per-topic", *more]


def printed(karat, folder, complete):
    out = subprocess.run(command(karat, folder, complete), stdout=subprocess.PIPE, check=False).stdout.decode()
    values = collections.defaultdict(dict)
    for line in out.splitlines():
        name, topic, value = line.split("\t")
        values[topic][name.strip()] = value
    return values


def differs(shown, value):
    if shown is None:
        return True
    if "." not in shown:
        return float(shown) != value
    return len(shown.split(".")[1]) != 4 or abs(float(shown) - value) > 0.5e-4 + 1e-9


def check(karat, qrels, run, folder):
    """What differs, as texts."""
    scores = {topic: {doc: float(s) for doc, s in docs.items()} for topic, docs in run.items()}
    measures = {"num_ret", "num_rel", "num_rel_ret", "map", "Rprec", "bpref", "recip_rank", "ndcg"}
    measures |= {"P", "recall", "ndcg_cut", "success"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(scores)
    wrong = []
    for complete in (False, True):
        ours = printed(karat, folder, complete)
        topics = [topic for topic in ours if topic != "all"]
        if topics != sorted(theirs, key=str.encode):
            wrong.append(f"topics {topics} instead of {sorted(theirs)}")
            continue
        for topic in topics:
            for name in MEASURES:
                if differs(ours[topic].get(name), theirs[topic][name]):
                    wrong.append(f"{name} of {topic}: {ours[topic].get(name)} instead of {theirs[topic][name]}")
        over = len(qrels) if complete else len(theirs)
        expected = {"num_q": over}
        for name in MEASURES:
            total = math.fsum(values[name] for values in theirs.values())
            expected[name] = total if name in COUNTS else total / over if over else 0.0
        for name, value in expected.items():
            if differs(ours["all"].get(name), value):
                wrong.append(f"{name} of all, complete={complete}: {ours['all'].get(name)} instead of {value}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--karat", required=True)
    parser.add_argument("--sets", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.sets):
            rng = random.Random(args.seed * 1_000_003 + number)
            qrels, run = make(rng, number)
            write_files(rng, qrels, run, folder)
            wrong = check(args.karat, qrels, run, folder)
            if wrong:
                print(f"set {number} of seed {args.seed}: {len(wrong)} differences", *wrong[:10], sep="\n  ")
                return 1
            compared += 2 * len(MEASURES) * (len(qrels.keys() & run.keys()) + 1)
    print(f"{args.sets} sets, {compared} figures: karat and trec_eval agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
