"""Compares the statistics of `karat compare` with scipy's and statsmodels', on generated pairs of reports.

    python tests/oracle/compare.py --karat target/debug/karat [--sets 60] [--seed 1]

Needs scipy and statsmodels. CI runs it from `cargo xtask test`, which makes a virtual environment under target/.

- McNemar's exact p-value: statsmodels' `mcnemar(exact=True)`, to 1e-9.
- Newcombe's interval: from scipy's Wilson intervals, to 1e-9.
- the paired permutation: scipy's `permutation_test` over pairs; where karat takes every way to swap, to 1e-9, else within
  five standard errors of two draws of 10,000.
- the BCa interval: scipy's `bootstrap`, paired; ends within a seventh of the width, which is what 2,000 resamples leave open.
- Holm's correction: statsmodels' `multipletests`, to 1e-12.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

# Gates that any figure passes: a report whose gates contradict its figures is refused.
GATED = {
    "precision": (">=", 0),
    "over_refusal": ("<=", 1),
    "mrr": (">=", 0),
    "citation_precision": (">=", 0),
}


def word(part, bits):
    if part is None:
        return "-"
    num, den = part
    if bits:
        return str(int(num))
    text = repr(num) if isinstance(num, float) else str(num)
    return text if den == 1 else f"{text}/{den}"


def make(rng, cases):
    """What each case adds to each figure on both sides, as (num, den) or None."""
    base, new = {}, {}
    quality = rng.choice([0.5, 0.8, 0.95])
    change = rng.choice([0.0, 0.02, 0.1, 0.3])
    drift = rng.choice([-0.5, 0.0, 0.3])

    def bit(before):
        if before is not None and rng.random() > change:
            return before
        return (int(rng.random() < min(1.0, max(0.0, quality + drift * change))), 1)

    answered = [rng.random() < 0.9 for _ in range(cases)]
    base["precision"] = [(int(rng.random() < quality), 1) if a else None for a in answered]
    new["precision"] = [
        bit(before) if (before is None) != (rng.random() > change / 2) else None for before in base["precision"]
    ]
    asked = [rng.random() < 0.8 for _ in range(cases)]
    asked[0] = True
    base["over_refusal"] = [(int(rng.random() > quality), 1) if a else None for a in asked]
    new["over_refusal"] = [bit(before) if before is not None else None for before in base["over_refusal"]]
    ranks = [0.0, 1.0, 1 / 2, 1 / 3, 0.25, 0.2]
    base["mrr"] = [(rng.choice(ranks), 1) for _ in range(cases)]
    new["mrr"] = [b if rng.random() > change else (rng.choice(ranks), 1) for b in base["mrr"]]

    def pooled():
        den = rng.randint(0, 4)
        return (rng.randint(0, den), den)

    base["citation_precision"] = [pooled() for _ in range(cases)]
    new["citation_precision"] = [b if rng.random() > change else pooled() for b in base["citation_precision"]]
    return base, new


def value(column):
    num = sum(part[0] for part in column if part is not None)
    den = sum(part[1] for part in column if part is not None)
    return (num / den if den else None), num, den


def report(columns, version):
    metrics, gates, observed = {}, [], {}
    cases = len(next(iter(columns.values())))
    for name, column in columns.items():
        found, num, den = value(column)
        metrics[name] = {"value": found, "den": den, "over": "cases", "vacuous": den == 0}
        if name != "mrr":
            metrics[name]["num"] = num
        op, threshold = GATED[name]
        gates.append({
            "metric": name, "op": op, "threshold": threshold, "text": f"{name}{op}{threshold}", "value": found,
            "pass": True, "outcome": "pass", "origin": "explicit",
        })
        bits = name in ("precision", "over_refusal")
        observed[name] = ("" if bits else " ").join(word(part, bits) for part in column)
    return {
        "schema": "karat.report/1", "karat": version, "suite": "answers", "pass": True, "verdict": "SHIP",
        "settings": {"k": 5, "gates": "explicit", "bootstrap": {"method": "", "resamples": 2000, "seed": 24}},
        "inputs": [], "counts": {}, "metrics": metrics, "gates": gates, "slices": [], "labels": {}, "stages": {},
        "diagnosis": [], "hints": [], "warnings": [], "warnings_total": 0, "offenders": [],
        "cases": [
            {"id": f"c{i}", "label": "OK", "first_failed_stage": "pass", "line": i + 1} for i in range(cases)
        ],
        "observed": observed,
    }


def near(a, b, by):
    return a == b or abs(a - b) <= by * max(abs(a), abs(b), 1e-300)


def sums(column):
    num = np.array([part[0] if part else 0 for part in column], dtype=float)
    den = np.array([part[1] if part else 0 for part in column], dtype=float)
    return num, den


def check_mcnemar(change, base, new):
    pairs = [(b, n) for b, n in zip(base, new) if b is not None]
    table = [[0, 0], [0, 0]]
    for b, n in pairs:
        table[b[0]][n[0]] += 1
    want = mcnemar(table, exact=True).pvalue
    assert near(change["p"], want, 1e-9), (change["p"], want, table)
    n, b, c = len(pairs), table[1][0], table[0][1]
    one, two = table[1][1] + c, table[1][1] + b
    ci = [stats.binomtest(k, n).proportion_ci(method="wilson") for k in (one, two)]
    l1, u1, l2, u2 = ci[0].low, ci[0].high, ci[1].low, ci[1].high
    p1, p2 = one / n, two / n
    margins = [two, n - two, one, n - one]
    phi = 0.0
    if 0 not in margins:
        product = table[1][1] * table[0][0] - b * c
        product = product - n / 2 if product > n / 2 else min(product, 0)
        phi = product / math.sqrt(math.prod(margins))
    low = p1 - p2 - math.sqrt(max(0, (p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2))
    high = p1 - p2 + math.sqrt(max(0, (u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2))
    for got, want in zip(change["ci95"], (low, high)):
        assert abs(got - want) < 1e-9, (change["ci95"], low, high, table)


def check_permutation(change, base, new, seed):
    num_b, den_b = sums(base)
    num_n, den_n = sums(new)
    moves = np.flatnonzero((num_b != num_n) | (den_b != den_n))
    count = len(moves)
    if count == 1:  # scipy wants two at least; swapped or not, it is as far apart
        assert change["p"] == 1.0 and change["test"] == "permutation-all", change
        return
    num, den = np.concatenate([num_b[moves], num_n[moves]]), np.concatenate([den_b[moves], den_n[moves]])
    still = np.ones(len(num_b), dtype=bool)
    still[moves] = False
    rest = (num_b[still].sum(), den_b[still].sum())

    def statistic(x, y, axis):
        x, y = x.astype(int), y.astype(int)
        with np.errstate(invalid="ignore", divide="ignore"):
            before = (num[x].sum(axis=axis) + rest[0]) / (den[x].sum(axis=axis) + rest[1])
            after = (num[y].sum(axis=axis) + rest[0]) / (den[y].sum(axis=axis) + rest[1])
            found = np.abs(after - before)
        return np.where(np.isnan(found), np.inf, np.round(found, 12))

    if count == 0:
        assert change["p"] == 1.0, change
        return
    exact = change["test"] == "permutation-all"
    assert exact == (count <= 13), (change["test"], count)
    draws = 2**count if exact else 10_000
    # scipy says `rng` since 1.15, `random_state` before.
    found = stats.permutation_test(
        (np.arange(count, dtype=float), np.arange(count, 2 * count, dtype=float)), statistic,
        permutation_type="samples", vectorized=True, n_resamples=draws if exact else draws - 1,
        alternative="greater", batch=2000, rng=np.random.default_rng(seed),
    ).pvalue
    if exact:
        assert near(change["p"], found, 1e-9), (change, found)
    else:
        error = math.sqrt(2 * max(found * (1 - found), 1e-4) / draws)
        assert abs(change["p"] - found) <= 5 * error, (change["p"], found, count)


def check_bca(change, base, new, seed):
    num_b, den_b = sums(base)
    num_n, den_n = sums(new)

    def statistic(cases, axis=-1):
        cases = cases.astype(int)
        with np.errstate(invalid="ignore", divide="ignore"):
            before = num_b[cases].sum(axis=axis) / den_b[cases].sum(axis=axis)
            return num_n[cases].sum(axis=axis) / den_n[cases].sum(axis=axis) - before

    counted = np.flatnonzero((den_b > 0) | (den_n > 0)).astype(float)
    if change.get("ci95") is None or change["ci95"][0] == change["ci95"][1] or len(counted) < 40:
        return 0
    moved = int(((num_b != num_n) | (den_b != den_n)).sum())
    if moved < 12:
        return 0  # steps of a few cases are wider than what is measured
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ci = stats.bootstrap(
            (counted,), statistic, method="BCa", n_resamples=9999, batch=1000, rng=np.random.default_rng(seed)
        ).confidence_interval
    width = ci.high - ci.low
    for got, want in zip(change["ci95"], ci):
        assert abs(got - want) <= width / 7, (change["ci95"], ci, moved)
    return 1


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--karat", required=True)
    arguments.add_argument("--sets", type=int, default=60)
    arguments.add_argument("--seed", type=int, default=1)
    args = arguments.parse_args()
    version = subprocess.run([args.karat, "--version"], capture_output=True, text=True, check=True)
    version = version.stdout.split()[1]
    seen = {"mcnemar": 0, "permutation": 0, "permutation-all": 0, "bca": 0}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.sets):
            seed = args.seed * 1_000_003 + number
            rng = random.Random(seed)
            cases = rng.choice([3, 8, 12, 20, 60, 200, 500])
            base, new = make(rng, cases)
            paths = [os.path.join(folder, name) for name in ("base.json", "new.json")]
            for path, columns in zip(paths, (base, new)):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(report(columns, version), file)
            run = subprocess.run(
                [args.karat, "compare", *paths, "--format", "json", "--threads", "2"], capture_output=True, text=True
            )
            if run.returncode == 2:
                sys.exit(f"set {seed}: {run.stderr}")
            found = {change["metric"]: change for change in json.loads(run.stdout)["metrics"]}
            for name, change in found.items():
                if change.get("p") is None:
                    assert value(base[name])[0] is None or value(new[name])[0] is None, (seed, change)
                    continue
                seen[change["test"]] += 1
                try:
                    if change["test"] == "mcnemar":
                        check_mcnemar(change, base[name], new[name])
                    else:
                        check_permutation(change, base[name], new[name], seed)
                        seen["bca"] += check_bca(change, base[name], new[name], seed)
                except AssertionError as error:
                    sys.exit(f"set {seed}, {name}: {error}")
            tested = [change for change in found.values() if change.get("p") is not None]
            if tested:
                want = multipletests([change["p"] for change in tested], method="holm")[1]
                for change, p in zip(tested, want):
                    assert near(change["p_holm"], p, 1e-12), (seed, change, p)
    if args.sets >= 40 and min(seen.values()) == 0:
        sys.exit(f"something was never asked: {seen}")
    print(f"compare: {args.sets} pairs of reports agree with scipy and statsmodels: {seen}")


if __name__ == "__main__":
    main()
