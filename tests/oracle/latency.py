"""An independent scorer for karat's `latency` suite, written from the specification alone.

Gold and traces in, curve out: `evaluate(inputs)` with the inputs of `load`. Accuracy is judged by `answers.py` and exact;
so are percentiles, of times as the decimals that they are written as. "Reading:" marks a choice that the text leaves open.
"""

import json
import math
from fractions import Fraction

import answers
from answers import InputError

PERCENTILES = [50, 90, 95, 99]
ACCURACY = ["precision", "chr", "under_refusal", "over_refusal"]
STAGES = ["retrieval", "rerank", "llm", "guard"]
SLO = answers.parse_gates("precision>=0.80,chr>=0.75,under_refusal<=0.05,over_refusal<=0.10")
P95_LIMIT = 2000
RISE_LIMIT = Fraction(15, 100)
DROP_LIMIT = Fraction(2, 100)


# ---------------------------------------------------------------------------------------------------- reading


class Number:
    """A number as it was written."""

    def __init__(self, text):
        self.text = text


def canonical(value):
    """JSON text: keys sorted, no spaces, numbers as written."""
    if isinstance(value, Number):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def lines(data):
    """(the object, its knobs as canonical text) of every line."""
    for line in answers.text_of(data).split("\n"):
        if line.strip(" \t\r"):
            knobs = json.loads(line, parse_int=Number, parse_float=Number).get("knobs")
            if not isinstance(knobs, dict | None):
                raise InputError("knobs that are no object")
            yield json.loads(line), canonical(knobs or {})


def milliseconds(value):
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise InputError("a time that is no number, or negative")
    return Fraction(str(value))


def duration(obj):
    """e2e_ms, or the sum of the stages, or None. A stage without a time is one that nobody measured, and not 0."""
    whole = answers.field(obj, "e2e_ms")
    if whole is not None:
        return milliseconds(whole)
    stages = answers.field(obj, "stage_ms") or {}
    given = [stages[name] for name in STAGES if name in stages]
    if not given or None in given:
        return None
    return sum(milliseconds(value) for value in given)


def group(cases, trace_files):
    """(knobs, load) -> {"times": [...], "untimed": n, "errored": n, "by_id": {case id: its last trace}}, sorted, a null load first."""
    ids = {case["id"] for case in cases}
    by_question = {case["question"]: case["id"] for case in cases}
    points = {}
    for data in trace_files:
        for obj, knobs in lines(data):
            qid = answers.id_of(obj, "qid", "q_id")
            if qid is None:
                qid = by_question.get(answers.field(obj, "q", "question"))
            if qid not in ids:
                raise InputError("a trace of a case unknown to gold")
            load = answers.field(obj, "load_rps")
            point = points.setdefault((knobs, load), {"times": [], "untimed": 0, "errored": 0, "by_id": {}})
            time, trace = duration(obj), answers.read_trace(obj)
            # Reading: the time of a failed request is none of an answer's, so that it is neither a sample nor untimed.
            if trace["errored"]:
                point["errored"] += 1
            elif time is None:
                point["untimed"] += 1
            else:
                point["times"].append(time)
            point["by_id"][qid] = trace
    return dict(sorted(points.items(), key=lambda item: (item[0][0], item[0][1] is not None, item[0][1] or 0)))


# --------------------------------------------------------------------------------------------------- the curve


def percentile(values, p):
    """Of sorted values, none for no values."""
    if not values:
        return None
    place = Fraction(p * (len(values) - 1), 100)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def measure(cases, key, point):
    """One curve point, unrounded."""
    times = sorted(point["times"])
    out = {"knobs": key[0], "load": key[1], "samples": len(times)}
    out |= {f"p{p}": percentile(times, p) for p in PERCENTILES}
    out["tail_amplification"] = out["p99"] / out["p50"] if out["p50"] else None
    rows = [answers.make_row(case, point["by_id"].get(case["id"]), "report") for case in cases]
    for name in ACCURACY:
        num, den = answers.measure(name, rows, 5)
        # Reading: precision and chr of a point that ships nothing are 1, their declared empty value, here too.
        out[name] = Fraction(num, den) if den else Fraction(answers.EMPTY_VALUE[name])
        if name == "precision":
            out["vacuous"] = not den
    out |= {name: point[name] for name in ("untimed", "errored")}
    out["missing"] = {row["case"]["id"] for row in rows if row["missing"]}
    out["unanswered"] = sum(row["missing"] or row["errored"] for row in rows)
    # An inconclusive gate is no pass; one that gold has no case for is not judged.
    judged = [answers.judge(gate, cases, rows, {}, 5) for gate in SLO]
    out["passes"] = out["p95"] is not None and out["p95"] <= P95_LIMIT and set(judged) <= {"pass", "not judged"}
    # What is missing, errored or unmeasured never counts as a pass.
    out["passes"] = out["passes"] and complete(out)
    return out


def complete(point):
    return not (point["missing"] or point["errored"] or point["untimed"])


def dominates(a, b):
    no_worse = a["p95"] <= b["p95"] and a["precision"] >= b["precision"]
    return no_worse and (a["p95"] < b["p95"] or a["precision"] > b["precision"])


def mark_frontier(points):
    timed = [point for point in points if point["samples"]]
    for point in points:
        point["on_frontier"] = bool(point["samples"]) and not any(dominates(other, point) for other in timed)


def heights(frontier):
    """Distances to the chord between the ends, up to a common factor, of points sorted by p95.

    After scaling, the fastest point is (0, 0) and the slowest (1, 1): a frontier rises in both. The distance of (x, y) to
    that chord is |y - x| / √2.
    """

    def scaled(values):
        low, high = min(values), max(values)
        return [(value - low) / (high - low) if high > low else Fraction(0) for value in values]

    xs = scaled([point["p95"] for point in frontier])
    ys = scaled([point["precision"] for point in frontier])
    return [abs(y - x) for x, y in zip(xs, ys)]


def select(points, strategy, passes):
    """The index of the selected point, or None where no point has a sample. Ties go to the earlier point."""
    frontier = [at for at, point in enumerate(points) if point["on_frontier"]]
    if not frontier:
        return None
    frontier.sort(key=lambda at: points[at]["p95"])
    if strategy == "knee":
        if len(frontier) <= 2:
            return frontier[0]  # Reading: the lowest p95, whether it passes or not.
        away = heights([points[at] for at in frontier])
        return frontier[away.index(max(away))]
    some = [at for at in frontier if passes(points[at])] or frontier
    if strategy == "most-accurate":
        return max(some, key=lambda at: points[at]["precision"])
    return some[0]


def curve(cases, trace_files):
    points = [measure(cases, key, point) for key, point in group(cases, trace_files).items()]
    mark_frontier(points)
    return points


def against(base, point):
    """p95_rise, relative, and precision_drop, absolute, against a point of the baseline."""
    return {
        "p95_rise": (point["p95"] - base["p95"]) / base["p95"] if base["p95"] else None,
        "precision_drop": base["precision"] - point["precision"],
    }


def no_regression(figures):
    return figures["p95_rise"] is not None and figures["p95_rise"] <= RISE_LIMIT and figures["precision_drop"] <= DROP_LIMIT


def score(inputs):
    """The unrounded curve and verdict."""
    cases = answers.read_gold(inputs["gold"])
    strategy = inputs.get("select", "fastest")

    def passes(point):
        return point["passes"]

    points = curve(cases, inputs["traces"])
    selected = select(points, strategy, passes)
    out = {"points": points, "selected": selected, "pass": selected is not None and points[selected]["passes"]}
    # The counts of the selected point. Reading: where nothing was timed, those of the whole log.
    shown_points = points if selected is None else [points[selected]]
    everyone = {case["id"] for case in cases}
    out["missing"] = len(everyone.intersection(*(point["missing"] for point in shown_points)))
    out |= {name: sum(point[name] for point in shown_points) for name in ("errored", "untimed")}
    if "baseline" in inputs:
        # Reading: the baseline is represented by the point that the same rule selects there.
        out["base_points"] = curve(cases, inputs["baseline"])
        out["base_selected"] = select(out["base_points"], strategy, passes)
        rise = {"p95_rise": None, "precision_drop": None}
        if None not in (selected, out["base_selected"]):
            rise = against(out["base_points"][out["base_selected"]], points[selected])
        out |= rise
        out["pass"] = out["pass"] and no_regression(rise)
        # Against what was not measured, anything is better.
        if out["base_selected"] is not None:
            base = out["base_points"][out["base_selected"]]
            out["baseline_missing"] = base["unanswered"]
            out["baseline_untimed"] = base["untimed"]
            out["pass"] = out["pass"] and not (base["unanswered"] or base["untimed"])
    return out


def shown(value):
    """Rounded as printed: the double nearest to the value, its exact binary value, ties to even."""
    return round(float(value), 4) + 0.0 if isinstance(value, Fraction | float) else value


def report(verdict):
    columns = ["knobs", "load", "samples", "p50", "p90", "p95", "p99", "tail_amplification", *ACCURACY, "on_frontier"]
    points = [
        {name: point[name] if name == "load" else shown(point[name]) for name in columns} for point in verdict["points"]
    ]
    out = {"points": points, "selected": verdict["selected"], "pass": verdict["pass"]}
    times = ["p50", "p90", "p95", "p99"]
    out["exact"] = [[None if point[p] is None else float(point[p]) for p in times] for point in verdict["points"]]
    counts = ["missing", "errored", "untimed", "baseline_missing", "baseline_untimed"]
    out |= {name: verdict[name] for name in counts if name in verdict}
    return out | {name: shown(verdict[name]) for name in ("p95_rise", "precision_drop") if name in verdict}


def evaluate(inputs):
    return report(score(inputs))


def load(words, read_bytes):
    """The inputs from the words after `karat latency`."""
    inputs = {"traces": []}
    rest = list(words)
    while rest:
        flag, value = rest.pop(0), rest.pop(0)
        if flag == "--gold":
            inputs["gold"] = read_bytes(value)
        elif flag == "--trace":
            inputs["traces"].append(read_bytes(value))
        elif flag == "--baseline":
            inputs.setdefault("baseline", []).append(read_bytes(value))
        elif flag == "--select":
            inputs["select"] = value
        elif (flag, value) != ("--preset", "slo") and flag != "--format":
            raise InputError(f"the oracle does not know {flag} {value}")
    return inputs
