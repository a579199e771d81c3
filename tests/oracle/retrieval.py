"""An independent scorer for karat's `retrieval` suite, written from the specification alone.

It favours being obviously right over being fast: rational figures are Fractions, percentiles and nDCG are doubles,
and every metric is one expression over questions and runs. "Reading:" marks a choice that the text leaves open.

    evaluate(gold_rows, blocks or None, trace_rows, settings, baseline_rows=None) -> the figures, rounded to 4 decimals
    settings_from_args(words after `karat retrieval`) -> (file names, settings)
"""

import json
import math
import re
from fractions import Fraction

CUTS = [1, 3, 5, 10]
COMMON_GATES = "coverage>=0.70,citation_accuracy>=0.95,ds_median<=0.40,ds_p90<=0.55,lambda_convergent>=0.95"
PRESETS = {"index": COMMON_GATES, "canary": COMMON_GATES + ",recall_drop@5<=0.02"}
LOWER_IS_BETTER = {
    "anchor_proximity", "ds_median", "ds_p90", "ds_topk_median", "ds_topk_p90", "ds_over_limit", "negatives_above",
    "missing", "recall_drop",
}
STATES = {
    "\u2192": "convergent", "->": "convergent", "\u2190": "divergent", "<-": "divergent",
    "<>": "recursive", "\u00d7": "chaotic", "x": "chaotic",
}
TYPES = {"prose": "prose", "paragraph": "prose", "code": "code", "table": "table", "figure": "figure"}
TAGS = {"p": "prose", "c": "code", "t": "table", "f": "figure"}
# Reading: `delta` has these, and no other, keys.
FIXED_METRICS = [
    "MRR", "MAP", "Rprec", "bpref", "coverage", "coverage_any", "citation_accuracy", "anchor_proximity", "ds_median",
    "ds_p90", "ds_topk_median", "ds_topk_p90", "ds_over_limit", "lambda_convergent", "negatives_above",
]


class InputError(ValueError):
    """What the specification calls an input error (exit status 2)."""


def mean(values):
    """None where there is nothing to measure; exact unless a value is a double."""
    values = list(values)
    return sum(values, Fraction(0)) / len(values) if values else None


def percentile(values, p):
    values = sorted(values)
    if not values:
        return None
    place = p / 100 * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


# ----------------------------------------------------------------------------------------- ids, sections, types

DOTTED = re.compile(r"([A-Z](?:\.[0-9A-Za-z]+)*?)(?:\.(p|c|t|f|cap))?\.(?:Bk|bk)[0-9]+[a-z]?")


def components(section):
    return tuple(int(part) if re.fullmatch("[0-9]+", part) else part for part in section.split("."))


def parse_id(one):
    """(section text or None, type tag or None)"""
    if "|" in one:
        fields = dict(part.split("=", 1) for part in one.split("|")[1:] if "=" in part)
        return fields.get("s") or None, None
    found = DOTTED.fullmatch(one)
    return found.groups() if found else (None, None)


def section_of(one, blocks):
    """A tuple of components, or None where it is unknown."""
    text = blocks.get(one, {}).get("section_id")
    if text is None:
        text = parse_id(one)[0]
    return None if text is None else components(text)


def type_of(one, blocks, own=None):
    word = own if own is not None else blocks.get(one, {}).get("type")
    if word is not None:
        return TYPES.get(word, "other")
    return TAGS.get(parse_id(one)[1], "other")


def distance(a, b):
    """Edges in the title tree through the lowest common ancestor."""
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    return len(a) + len(b) - 2 * shared


# ----------------------------------------------------------------------------------------------------- reading


def first_of(row, *names):
    for name in names:
        if row.get(name) is not None:
            return row[name]
    return None


def state_of(text):
    state = STATES.get(text, text.lower())
    if state not in STATES.values():
        raise InputError(f"no state of \u03bb: {text}")
    return state


def delta_s(query, item):
    size = math.sqrt(sum(x * x for x in query)) * math.sqrt(sum(x * x for x in item))
    if size == 0:
        return 1.0
    return min(1.0, max(0.0, 1 - sum(x * y for x, y in zip(query, item, strict=True)) / size))


class Run:
    """One counted line of a trace."""

    def __init__(self, row, paraphrase, seed, lenient):
        self.paraphrase, self.seed = paraphrase, seed
        logged = first_of(row, "\u0394S", "delta_s")
        query = row.get("query_vec")
        self.ids, self.types, self.ds, self.dropped = [], [], [], 0
        for place, item in enumerate(row["topk"]):
            if item["id"] in self.ids:
                if not lenient:
                    raise InputError(f"{item['id']} twice in one ranking")
                self.dropped += 1
                continue
            self.ids.append(item["id"])
            self.types.append(item.get("type"))
            if logged is not None:
                self.ds.append(logged[place])
            elif query is not None and item.get("vec") is not None:
                self.ds.append(delta_s(query, item["vec"]))
            else:
                self.ds.append(None)
        self.source = None
        if any(value is not None for value in self.ds):
            self.source = "computed" if logged is None else "logged"
        state = first_of(row, "\u03bb_state", "lambda_state")
        self.state = None if state is None else state_of(state)
        self.citations = first_of(row, "answer_citations") or []
        self.answered = bool(self.citations)

    def cited_ds(self):
        """\u0394S of the first citation; 1 where it was not retrieved or has none."""
        first = self.citations[0]["id"]
        value = self.ds[self.ids.index(first)] if first in self.ids else None
        return 1.0 if value is None else value


class Question:
    def __init__(self, row):
        self.qid = row["qid"]
        self.paraphrases = row.get("paraphrases") or []
        relevant = row["relevant"]
        grades = relevant if isinstance(relevant, dict) else dict.fromkeys(relevant, 1)
        self.grades = {one: grade for one, grade in grades.items() if grade > 0}
        if not self.grades:
            raise InputError(f"{self.qid} has no relevant id")
        self.negatives = set(row.get("negatives") or [])
        self.judged_bad = (self.negatives | set(grades)) - set(self.grades)
        anchor = row.get("anchor_section")
        self.anchor = None if anchor is None else components(anchor)
        self.offsets = row.get("offsets") or {}
        self.runs = []


def paraphrase_of(row, question):
    """Which wording a run is of: an index of the list, or the key of a further one."""
    number = row.get("paraphrase")
    if number is None:
        if row.get("query") not in question.paraphrases:
            return ("further query", row.get("query"))
        number = question.paraphrases.index(row["query"])
    return number if number < len(question.paraphrases) else ("further index", number)


def join(gold_rows, trace_rows, lenient):
    """Questions with their runs, and the count of lines that belong to none."""
    questions = {row["qid"]: Question(row) for row in gold_rows}
    if not questions or len(questions) != len(gold_rows):
        raise InputError("gold is empty or names a question twice")
    kept, unmatched = {qid: {} for qid in questions}, 0
    for row in trace_rows:
        question = questions.get(row["qid"])
        if question is None:
            unmatched += 1
            continue
        kept[question.qid][paraphrase_of(row, question), row.get("seed", 0)] = row  # the last one counts
    for qid, rows in kept.items():
        questions[qid].runs = [Run(row, *key, lenient) for key, row in rows.items()]
    return list(questions.values()), unmatched


# ------------------------------------------------------------------------------- figures of one run, as trec_eval


def hits(question, run, k):
    return sum(1 for one in run.ids[:k] if one in question.grades)


def reciprocal_rank(question, run):
    ranks = [rank for rank, one in enumerate(run.ids, start=1) if one in question.grades]
    return Fraction(1, ranks[0]) if ranks else Fraction(0)


def average_precision(question, run):
    found = [Fraction(hits(question, run, rank), rank) for rank, one in enumerate(run.ids, 1) if one in question.grades]
    return sum(found, Fraction(0)) / len(question.grades)


def ndcg(question, run, k):
    def gain(grades):
        return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades[:k], start=1))

    best = sorted(question.grades.values(), reverse=True)
    return gain([question.grades.get(one, 0) for one in run.ids]) / gain(best)


def r_precision(question, run):
    return Fraction(hits(question, run, len(question.grades)), len(question.grades))


def bpref(question, run):
    """Judged documents only: how few of the known bad ones stand above each relevant one."""
    bound = min(len(question.grades), len(question.judged_bad))
    bad, total = 0, Fraction(0)
    for one in run.ids:
        if one in question.judged_bad:
            bad += 1
        elif one in question.grades:
            total += 1 - (Fraction(min(bad, bound), bound) if bad else 0)
    return total / len(question.grades)


def negative_above(question, run):
    for one in run.ids:
        if one in question.grades:
            return False
        if one in question.negatives:
            return True
    return False


# ------------------------------------------------------------------------------------------------------ one side


def right(question, citation, blocks):
    """The citation is in G or in the anchor section."""
    if citation["id"] in question.grades:
        return True
    return question.anchor is not None and section_of(citation["id"], blocks) == question.anchor


def accurate(question, run, blocks, window):
    """The first citation is in G, its span inside that block widened by the window."""
    first = run.citations[0]
    # Reading: a relevant id whose span neither the table nor gold knows cannot be cited accurately.
    block = blocks.get(first["id"], {}).get("offsets") or question.offsets.get(first["id"])
    span = first.get("offsets")
    if first["id"] not in question.grades or block is None or span is None:
        return False
    return span[0] >= block[0] - window and span[1] <= block[1] + window


def derived_state(question, runs, blocks):
    if not any(run.answered for run in runs):
        return "divergent"
    firsts = [next((c["id"] for c in run.citations if right(question, c, blocks)), None) for run in runs]
    if all(one is None for one in firsts):
        return "chaotic"
    places = {section_of(one, blocks) or one for one in firsts if one is not None}
    return "convergent" if None not in firsts and len(places) == 1 else "recursive"


def lambda_figures(questions, blocks):
    """(share of convergent groups, groups where a logged state and the derived one differ)"""
    outcomes, conflicts = [], []
    for question in questions:
        groups = {}
        for run in question.runs:
            groups.setdefault(run.seed, []).append(run)
        for seed, runs in sorted(groups.items()):
            derived = derived_state(question, runs, blocks)
            complete = set(range(len(question.paraphrases))) <= {run.paraphrase for run in runs}
            outcomes.append(complete and all((run.state or derived) == "convergent" for run in runs))
            if any(run.state not in (None, derived) for run in runs):
                conflicts.append([question.qid, seed])
        if not groups:
            outcomes.append(False)
    return mean(map(Fraction, outcomes)), conflicts


def by_type_figures(questions, blocks, cuts):
    figures = {}
    for kind in ("prose", "code", "table", "figure", "other"):
        one = {}
        for k in cuts:
            precision, recall = [], []
            for question in questions:
                wanted = {g for g in question.grades if type_of(g, blocks) == kind}
                shares, found = [], []
                for run in question.runs:
                    top = list(zip(run.ids, run.types))[:k]
                    of_kind = [i for i, own in top if type_of(i, blocks, own) == kind]
                    if of_kind:
                        shares.append(Fraction(sum(i in question.grades for i in of_kind), len(of_kind)))
                    if wanted:
                        found.append(Fraction(sum(i in wanted for i, _ in top), len(wanted)))
                if shares:
                    precision.append(mean(shares))
                if wanted:
                    recall.append(mean(found) or Fraction(0))
            one[f"P@{k}"], one[f"R@{k}"] = mean(precision), mean(recall)
        # Reading: a type occurs where it has a figure (a relevant id, or an item among the first k of some run).
        if any(value is not None for value in one.values()):
            figures[kind] = one
    return figures


def measure(gold_rows, blocks, trace_rows, settings, more_cuts=()):
    """Every figure of one trace, unrounded; `more_cuts` asks for further k (gates may name them)."""
    blocks = {row["id"]: row for row in blocks or []}
    questions, unmatched = join(gold_rows, trace_rows, settings.get("lenient", False))
    window, ds_k = settings.get("window", 30), settings.get("ds_k", 5)
    cuts = settings.get("ks") or CUTS

    def macro(some, figure):
        """Mean over questions of the mean over runs; a question without a run counts 0."""
        return mean(mean(figure(q, run) for run in q.runs) or Fraction(0) for q in some)

    runs = [(q, run) for q in questions for run in q.runs]
    answered = [(q, run) for q, run in runs if run.answered]
    anchored = [q for q in questions if q.anchor is not None]
    out = {"questions": len(questions), "runs": len(runs), "missing": sum(not q.runs for q in questions)}

    for k in sorted({*CUTS, *cuts, *more_cuts}):

        def precision(q, run):
            size = k if settings.get("trec") else len(run.ids[:k])
            return Fraction(hits(q, run, k), size) if size else Fraction(0)

        def anchor_hit(q, run):
            return Fraction(any(section_of(one, blocks) == q.anchor for one in run.ids[:k]))

        out[f"P@{k}"] = macro(questions, precision)
        out[f"R@{k}"] = macro(questions, lambda q, run: Fraction(hits(q, run, k), len(q.grades)))
        out[f"hit@{k}"] = macro(questions, lambda q, run: Fraction(hits(q, run, k) > 0))
        out[f"nDCG@{k}"] = macro(questions, lambda q, run: ndcg(q, run, k))
        out[f"anchor_hit@{k}"] = macro(anchored, anchor_hit)

    out["MRR"] = macro(questions, reciprocal_rank)
    out["MAP"] = macro(questions, average_precision)
    out["Rprec"] = macro(questions, r_precision)
    out["bpref"] = macro(questions, bpref)

    def covers(q, run):
        return any(right(q, citation, blocks) for citation in run.citations)

    out["coverage"] = macro(questions, lambda q, run: Fraction(covers(q, run)))
    out["coverage_any"] = mean(Fraction(any(covers(q, run) for run in q.runs)) for q in questions)
    uncovered = {q.qid for q in questions if not any(covers(q, run) for run in q.runs)}

    def over_answered(figure):
        """Mean over the runs that have a figure, then over the questions that have such a run."""
        rows = {}
        for q, run in answered:
            value = figure(q, run)
            if value is not None:
                rows.setdefault(q.qid, []).append(value)
        return mean(map(mean, rows.values())), [value for values in rows.values() for value in values]

    def proximity(q, run):
        place = section_of(run.citations[0]["id"], blocks)
        return None if q.anchor is None or place is None else Fraction(distance(place, q.anchor))

    out["citation_accuracy"], _ = over_answered(lambda q, run: Fraction(accurate(q, run, blocks, window)))
    out["anchor_proximity"], steps = over_answered(proximity)
    out["anchor_histogram"] = {str(n): steps.count(n) for n in range(4)} | {"4+": sum(n >= 4 for n in steps)}

    cited = [run.cited_ds() for _, run in answered]
    out["ds_median"], out["ds_p90"] = percentile(cited, 50), percentile(cited, 90)
    tops = [[value for value in run.ds[:ds_k] if value is not None] for _, run in runs]
    tops = [values for values in tops if values]
    out["ds_topk_median"] = percentile([percentile(values, 50) for values in tops], 50)
    out["ds_topk_p90"] = percentile([percentile(values, 90) for values in tops], 50)
    # Reading: the page's "ds_* are null" holds for this count too where no run is answered.
    out["ds_over_limit"] = sum(value > 0.45 for value in cited) if cited else None
    stable, risk = sum(value < 0.40 for value in cited), sum(value >= 0.60 for value in cited)
    out["ds_zones"] = {"stable": stable, "transitional": len(cited) - stable - risk, "risk": risk}
    sources = {run.source for _, run in runs if run.source}
    out["ds_source"] = "mixed" if len(sources) > 1 else next(iter(sources), None)

    out["lambda_convergent"], out["lambda_conflicts"] = lambda_figures(questions, blocks)
    out["negatives_above"] = sum(any(negative_above(q, run) for run in q.runs) for q in questions)
    far = {q.qid for q, run in answered if run.cited_ds() > 0.60}
    out["bad_qids"] = [q.qid for q in questions if q.qid in uncovered | far]
    out["by_type"] = by_type_figures(questions, blocks, cuts)
    out["unmatched"] = unmatched
    out["duplicate_ids"] = sum(run.dropped for _, run in runs)
    out["cited_ds"] = [(value, run.source) for value, (_, run) in zip(cited, answered)]  # for the generator alone
    return out


# ------------------------------------------------------------------------------------------- gates and the result

GATE = re.compile(r"([A-Za-z][A-Za-z0-9_]*)(@[0-9]+)?\s*(>=|<=|==|>|<|=)\s*(-?[0-9]+(?:\.[0-9]+)?)(?=[,\s]|$)")


def parse_gates(text):
    """[(metric, op, threshold text)]"""
    gates, at = [], 0
    while at < len(text):
        found = GATE.match(text, at)
        if not found:
            raise InputError(f"not a gate: {text[at:]}")
        name, cut, op, threshold = found.groups()
        if op == "=":
            op = "<=" if name in LOWER_IS_BETTER else ">="
        gates.append((name + (cut or ""), op, threshold))
        at = found.end() + len(re.match(r"[,\s]*", text[found.end():]).group())
    return gates


def chosen_gates(settings, has_baseline):
    text = settings.get("gates")
    if text is None:
        text = PRESETS[settings.get("preset") or ("canary" if has_baseline else "index")]
    return parse_gates(text)


def holds(value, op, threshold):
    """Exact for rationals; a double meets the double nearest to the threshold. Nothing measured: the gate fails."""
    if value is None:
        return False
    limit = float(threshold) if isinstance(value, float) else Fraction(threshold)
    return {">=": value >= limit, "<=": value <= limit, ">": value > limit, "<": value < limit, "==": value == limit}[op]


def metric_names(settings):
    """The metrics that `flat` shows, without counts of rows."""
    cuts = settings.get("ks") or CUTS
    top = [f"{name}@{max(settings['ks'])}" for name in ("nDCG", "anchor_hit")] if settings.get("ks") else ["nDCG@10", "anchor_hit@5"]
    return [f"{name}@{k}" for name in ("P", "R", "hit") for k in cuts] + top + FIXED_METRICS


def raw_figures(gold_rows, blocks, trace_rows, settings, baseline_rows=None):
    """(figures of the trace, figures of the baseline or None), unrounded, with every k that a gate names."""
    named = [name.split("@") for name, _, _ in chosen_gates(settings, baseline_rows is not None)]
    more = [int(part[1]) for part in named if len(part) == 2]
    new = measure(gold_rows, blocks, trace_rows, settings, more)
    if baseline_rows is None:
        return new, None
    base = measure(gold_rows, blocks, baseline_rows, settings, more)
    # Reading: always at 5, whatever --k lists.
    new["recall_drop@5"] = base["R@5"] - new["R@5"]
    return new, base


def shown(value):
    """Rounded as printed: the double nearest to the value, its exact binary value, ties to even."""
    if isinstance(value, dict):
        return {key: shown(one) for key, one in value.items()}
    if isinstance(value, (Fraction, float)):
        return round(float(value), 4) + 0.0
    return value


def evaluate(gold_rows, blocks, trace_rows, settings, baseline_rows=None):
    new, base = raw_figures(gold_rows, blocks, trace_rows, settings, baseline_rows)
    names = metric_names(settings)
    keys = ["questions", "runs", "missing", *names, "bad_qids", "by_type", "unmatched", "lambda_conflicts", "ds_source",
            "ds_zones", "anchor_histogram"] + (["duplicate_ids"] if settings.get("lenient") else [])
    result = {key: shown(new[key]) for key in keys}
    if base is not None:
        result["baseline"] = {key: shown(base[key]) for key in keys}
        result["delta"] = {
            name: None if new[name] is None or base[name] is None else shown(new[name] - base[name]) for name in names
        }
        result["recall_drop@5"] = shown(new["recall_drop@5"])
    gates = chosen_gates(settings, base is not None)
    # "Missing trace: never a pass" (principle 2 of the specification), unless a gate says how many may be missing.
    if not any(name == "missing" for name, _, _ in gates):
        gates = [*gates, ("missing", "<=", "0")]
    # The same of the baseline: against nothing, anything is better.
    if base is not None:
        gates = [*gates, ("baseline_missing", "<=", "0")]
        new["baseline_missing"] = base["missing"]
    # Whatever the gates allow, nothing that was run is nothing that may ship.
    result["pass"] = new["runs"] > 0 and all(holds(new[name], op, threshold) for name, op, threshold in gates)
    return result


# ---------------------------------------------------------------------------------------------------- the call


def settings_from_args(words):
    """({"gold", "blocks", "trace", "baseline"}: file names, settings) from the words after `karat retrieval`."""
    files, settings = {"gold": None, "blocks": None, "trace": [], "baseline": []}, {}
    words = list(words)
    while words:
        flag = words.pop(0)
        if flag in ("--trec", "--lenient"):
            settings[flag[2:]] = True
            continue
        value = words.pop(0)
        if flag in ("--gold", "--blocks"):
            files[flag[2:]] = value
        elif flag in ("--trace", "--baseline"):
            files[flag[2:]].append(value)
        elif flag == "--k":
            settings["ks"] = sorted({*settings.get("ks", []), int(value)})
        elif flag in ("--window", "--ds-k"):
            settings[flag[2:].replace("-", "_")] = int(value)
        elif flag in ("--gates", "--preset"):
            settings[flag[2:]] = value
        elif flag != "--format":
            raise InputError(f"the oracle does not know {flag}")
    return files, settings


def json_lines(data):
    lines = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip(" \t\r")]


def inputs_of(read, words):
    """The arguments of `evaluate`; `read` gives the bytes of a file of the call."""
    files, settings = settings_from_args(words)

    def rows(names):
        return [row for name in names for row in json_lines(read(name))]

    blocks = rows([files["blocks"]]) if files["blocks"] else None
    baseline = rows(files["baseline"]) if files["baseline"] else None
    return rows([files["gold"]]), blocks, rows(files["trace"]), settings, baseline
