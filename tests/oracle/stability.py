"""An independent scorer for karat's `stability` suite, written from the specification alone.

Gold and runs in, figures out: `evaluate(gold_bytes, trace_files)`. Refusal and citation hit are those of `answers.py`;
every figure is a Fraction until it is shown. "Reading:" marks a choice that the text leaves open.
"""

import string
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import answers
from answers import InputError

GATES = {"fail": 0, "missing_runs": 0}
PER_CASE = ["acr", "cghc", "css", "ned50", "rcr", "refusal_rate", "scu_cons", "iaa"]
MEANS = ["css", "ned50", "rcr", "iaa"]
DROP = str.maketrans("", "", string.punctuation)


# ---------------------------------------------------------------------------------------------------- reading


def canonical(text):
    return " ".join(text.lower().translate(DROP).split())


def read_runs(cases, trace_files):
    """case id -> {(seed, jitter, paraphrase): run}, of which the last counts; no paraphrase is the question itself."""
    runs = {case["id"]: {} for case in cases}
    for data in trace_files:
        for obj in answers.json_lines(data):
            qid = answers.id_of(obj, "qid", "q_id")
            if qid not in runs:
                raise InputError("a run of a case unknown to gold")
            seed = answers.field(obj, "seed")
            jitter = answers.field(obj, "jitter")
            if not (seed is None or answers.is_integer(seed)) or not (jitter is None or isinstance(jitter, str)):
                raise InputError("seed is no whole number or jitter no text")
            paraphrase = answers.field(obj, "paraphrase")
            if not (paraphrase is None or answers.is_integer(paraphrase) and paraphrase >= 0):
                raise InputError("paraphrase is no whole number from 0")
            runs[qid][seed or 0, "none" if jitter is None else jitter, paraphrase] = answers.read_trace(obj)
    return runs


def listed_paraphrases(gold_bytes):
    """case id -> how many paraphrases gold lists of it."""
    rows = answers.json_lines(gold_bytes)
    lists = {answers.id_of(row, "qid"): row.get("paraphrases") for row in rows}
    return {qid: len(one) if isinstance(one, list) else 0 for qid, one in lists.items()}


def missing_runs(runs, listed):
    """Every case in every seed and jitter that is seen anywhere, in every wording that it has.

    Reading: the question itself where any run asks it; where any run asks a paraphrase, those that gold lists of the case and those
    that the case was asked in, or, where gold lists none of any case, all that are seen anywhere.
    """
    keys = [key for own in runs.values() for key in own]
    if not keys:
        return len(runs)  # Reading: where no run is seen at all, every case lacks one.
    seeds, jitters = {key[0] for key in keys}, {key[1] for key in keys}
    seen = {key[2] for key in keys}
    missing = 0
    for qid, own in runs.items():
        wordings = {key[2] for key in own} | (seen & {None})
        if seen - {None}:
            wordings |= set(range(listed[qid])) if any(listed.values()) else seen
        missing += sum((seed, jitter, one) not in own for seed in seeds for jitter in jitters for one in wordings)
    return missing


# --------------------------------------------------------------------------------------------------- one case


@lru_cache(maxsize=10_000)
def lev(a, b):
    if a == b:
        return 0
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        row = [i]
        for j, y in enumerate(b, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
        above = row
    return above[-1]


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def contains(case, said, refused):
    """Whether a canonical claim holds the canonical substrings.

    An empty list asks for nothing, of a refusal too; but a run that says nothing, errored ones among them, contains nothing.
    """
    if not case["substr"]:
        return refused or said != ""
    found = []
    for phrase in case["substr"]:
        wanted = canonical(phrase)
        found.append(len(phrase.lower()) >= 5 and wanted != "" and wanted in said)
    return all(found) if case["match"] == "all" else any(found)


def cited_ids(row):
    """Ids alone: an element that is neither text nor a whole number is none. A refusal's set is empty."""
    if row["refused"]:
        return set()
    return {one for one in row["cited"] if not isinstance(one, answers.Foreign)}


def hit(row):
    return not row["gold"] if row["refused"] else row["H"]


def jaccard(sets):
    union = set().union(*sets)
    return Fraction(len(set.intersection(*sets)), len(union)) if union else Fraction(1)


def claim_of(trace):
    return "" if trace["errored"] else trace["claim"]


def distances(rows, claims):
    # Reading: a claim of nothing but punctuation is empty, for it is the canonical claim that counts.
    words = [said for row, said in zip(rows, claims) if not row["refused"] and said]
    return [Fraction(lev(*sorted((a, b))), max(len(a), len(b), 1)) for a, b in combinations(words, 2)]


def measure(case, traces):
    """The metrics of one case over its runs; no run, no value."""
    n = len(traces)
    if not n:
        return {"runs": 0, **{name: None for name in PER_CASE}}
    rows = [answers.make_row(case, trace, "report") for trace in traces]
    claims = [canonical(claim_of(trace)) for trace in traces]
    refusals = sum(row["refused"] for row in rows)
    away = distances(rows, claims)
    # Reading: the pairs are those of all runs, refusals and empty claims too; one run has no pair and no value.
    equal = [a == b for a, b in combinations(claims, 2)]
    echoed = [
        answers.echo_matches(case["constraints"], trace["echo"])
        for row, trace in zip(rows, traces)
        if not row["refused"]
    ]
    return {
        "runs": n,
        "acr": Fraction(sum(contains(case, said, row["refused"]) for row, said in zip(rows, claims)), n),
        "cghc": Fraction(sum(hit(row) for row in rows), n),
        "css": jaccard([cited_ids(row) for row in rows]),
        "ned50": median(away) if away else Fraction(0),
        "rcr": Fraction(max(refusals, n - refusals), n),
        "refusal_rate": Fraction(refusals, n),
        "scu_cons": int(all(echoed)) if case["constraints"] else None,
        "iaa": Fraction(sum(equal), len(equal)) if equal else None,
    }


def holds(case, figures):
    if not figures["runs"]:
        return False
    if not case["answerable"]:
        return min(figures["rcr"], figures["refusal_rate"]) >= Fraction(98, 100)
    return (
        figures["acr"] >= Fraction(95, 100)
        and figures["cghc"] >= Fraction(95, 100)
        and figures["css"] >= Fraction(70, 100)
        and figures["ned50"] <= Fraction(20, 100)
        and figures["scu_cons"] != 0
    )


# ---------------------------------------------------------------------------------------------------- the whole


def score(gold_bytes, trace_files):
    """The unrounded figures."""
    cases = answers.read_gold(gold_bytes)
    runs = read_runs(cases, trace_files)
    missing = missing_runs(runs, listed_paraphrases(gold_bytes))
    details, means, silent = {}, {}, 0
    for case in cases:
        traces = list(runs[case["id"]].values())
        figures = measure(case, traces)
        rows = [answers.make_row(case, trace, "report") for trace in traces]
        mute = [not row["refused"] and not canonical(claim_of(trace)) for row, trace in zip(rows, traces)]
        silent += sum(quiet and not trace["errored"] for quiet, trace in zip(mute, traces))
        # Runs that all say nothing agree on nothing.
        for name in ("rcr", "iaa", *(["css", "ned50"] if case["answerable"] else [])):
            if figures[name] is not None and not all(mute):
                means.setdefault(name, []).append(figures[name])
        details[case["id"]] = {**figures, "holds": holds(case, figures)}
    failed = sum(not one["holds"] for one in details.values())
    answerable = sum(case["answerable"] for case in cases)
    return {
        "totals": {
            "answerable": answerable, "unanswerable": len(cases) - answerable,
            "pass": len(cases) - failed, "fail": failed,
        },
        "missing_runs": missing,
        # Reading: the preset's gates are the two totals; the limits of a case are no gates.
        "gates": GATES,
        "pass": failed == 0 and missing == 0,
        "details": details,
        "errored": sum(trace["errored"] for own in runs.values() for trace in own.values()),
        "silent": silent,
        "means": {name: round(float(sum(means[name]) / len(means[name])), 9) if name in means else None for name in MEANS},
    }


def shown(value):
    """Rounded as printed: the double nearest to the value, its exact binary value, ties to even."""
    if isinstance(value, dict):
        return {key: shown(one) for key, one in value.items()}
    return round(float(value), 4) + 0.0 if isinstance(value, Fraction) else value


def evaluate(gold_bytes, trace_files):
    return shown(score(gold_bytes, trace_files))


def load(words, read_bytes):
    """The two arguments of `evaluate` from the words after `karat stability`."""
    gold, traces = None, []
    rest = list(words)
    while rest:
        flag, value = rest.pop(0), rest.pop(0)
        if flag == "--gold":
            gold = read_bytes(value)
        elif flag == "--trace":
            traces.append(read_bytes(value))
        elif (flag, value) != ("--preset", "stable") and flag != "--format":
            raise InputError(f"the oracle does not know {flag} {value}")
    return gold, traces
