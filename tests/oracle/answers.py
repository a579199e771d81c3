"""An independent scorer for karat's `answers` suite, written from the specification alone.

It favours being obviously right over being fast: every trace becomes a row of plain facts, every metric is
"count these rows over those rows", in the words of the specification. The engine is compared with it; code is
never shared between the two. Where the text of the specification leaves a choice, the comment says "Reading:".
"""

import json
import math
import re
from decimal import Decimal
from fractions import Fraction

REFUSAL = "not in context"

# Unicode White_Space, and U+001C..U+001F, which the specification adds.
WHITE = (
    "\t\n\x0b\x0c\r \x1c\x1d\x1e\x1f\x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
QUOTES = "\"'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a"

# Worst first: with --runs all a case carries the label of its worst run.
SEVERITY = [
    "HALLUCINATION", "SCU_VIOLATION", "FORBIDDEN", "OUT_OF_SCOPE", "ANS_NO_HIT", "NO_CLAIM_MATCH",
    "OVER_REFUSAL", "ERROR", "MISSING", "REFUSAL_OK", "OK",
]

# metric -> (which way is better, the kind of gold case without which a gate on it is not judged)
METRICS = {
    "precision": ("up", None),
    "chr": ("up", None),
    "chr_bound": ("up", None),
    "answer_hit_rate": ("up", None),
    "citation_precision": ("up", None),
    "citation_recall": ("up", None),
    "compliance": ("up", None),
    "under_refusal": ("down", "unanswerable"),
    "over_refusal": ("down", "answerable"),
    "recall@k": ("up", "answerable"),
    "hit@k": ("up", "answerable"),
    "mrr": ("up", "answerable"),
    "ndcg@k": ("up", "answerable"),
    "answerable_chr": ("up", "answerable"),
    "containment": ("up", "answerable"),
    "scu_integrity": ("up", "constrained"),
    "scu_violations": ("down", None),
    "missing": ("down", None),
    "errored": ("down", None),
    "unmatched": ("down", None),
    "malformed": ("down", None),
}
COUNTS = {"scu_violations", "missing", "errored", "unmatched", "malformed"}
ALIASES = {"under": "under_refusal", "over": "over_refusal"}
EMPTY_VALUE = {
    "precision": 1, "chr": 1, "chr_bound": 1, "citation_precision": 1, "scu_integrity": 1,
    "under_refusal": 0, "over_refusal": 0, "recall@k": 0, "hit@k": 0, "mrr": 0, "ndcg@k": 0,
    "answer_hit_rate": 0, "citation_recall": 0, "answerable_chr": 0, "containment": 0, "compliance": 0,
}
PRESETS = {
    "ship": "precision>=0.80,chr>=0.75,under_refusal<=0.05,over_refusal<=0.10",
    "quality": "answer_hit_rate>=0.80,under_refusal<=0.05,over_refusal<=0.25,answerable_chr>=0.75,compliance>=0.98",
}
FLAT_RATES = [
    "precision", "chr", "under_refusal", "over_refusal", "recall@k", "hit@k", "chr_bound", "mrr", "ndcg@k",
    "answer_hit_rate", "citation_precision", "citation_recall", "answerable_chr", "containment", "compliance",
]
SLICE_RATES = ["precision", "chr", "under_refusal", "over_refusal", "recall@k"]


class InputError(ValueError):
    """What the specification calls an input error (exit status 2)."""


# ---------------------------------------------------------------------------------------------------- reading


def trim(text):
    return text.strip(WHITE)


def field(obj, *names):
    """The first of these fields that is there; a null is an absent field."""
    for name in names:
        if obj.get(name) is not None:
            return obj[name]
    return None


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def id_of(obj, *names):
    """A case id: a string or an integer; an empty one is absent. Reading: it is not trimmed."""
    for name in names:
        value = obj.get(name)
        if is_integer(value):
            return str(value)
        if isinstance(value, str):
            if value:
                return value
        elif value is not None:
            raise InputError(f"{name} is neither a string nor an integer")
    return None


class Foreign:
    """A list element that is no id: distinct by its JSON text, equal to no id."""

    def __init__(self, value):
        self.text = json.dumps(value, sort_keys=True)

    def __eq__(self, other):
        return isinstance(other, Foreign) and self.text == other.text

    def __hash__(self):
        return hash(self.text)


def elements(values):
    """The elements of a list as trimmed texts, empty ones dropped, others kept as Foreign."""
    kept = []
    for value in values:
        if isinstance(value, str):
            if trim(value):
                kept.append(trim(value))
        elif is_integer(value):
            kept.append(str(value))
        else:
            kept.append(Foreign(value))
    return kept


def text_of(data):
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")


def json_lines(data):
    for line in text_of(data).split("\n"):
        if line.strip(" \t\r"):
            row = json.loads(line)
            if not isinstance(row, dict):
                raise InputError("a line that is no object")
            yield row


def list_of(value, name, also_integers):
    if not isinstance(value, list):
        raise InputError(f"{name} is missing or no list")
    for item in value:
        if not isinstance(item, str) and not (also_integers and is_integer(item)):
            raise InputError(f"{name} holds something of a wrong type")
    return value


def read_gold(data):
    if text_of(data).lstrip(" \t\r\n").startswith("["):
        objects = json.loads(text_of(data))
    else:
        objects = list(json_lines(data))
    if not objects:
        raise InputError("gold is empty")
    cases = []
    for obj in objects:
        case = {
            "id": id_of(obj, "qid"),
            "question": field(obj, "question", "q"),
            "answerable": obj.get("answerable"),
            "fields": obj,
        }
        if case["id"] is None or not isinstance(case["answerable"], bool):
            raise InputError("qid or answerable is missing or of a wrong type")
        substr, cites = field(obj, "gold_claim_substr"), field(obj, "gold_citations")
        case["array"] = substr is None and cites is None and field(obj, "gold_ids", "gold_claim") is not None
        if case["array"]:
            case["citations"] = set(elements(list_of(field(obj, "gold_ids"), "gold_ids", True)))
            case["substr"] = None
            case["gold_claim"] = field(obj, "gold_claim")
        else:
            case["citations"] = set(elements(list_of(cites, "gold_citations", True)))
            case["substr"] = list_of(substr, "gold_claim_substr", False)
            case["gold_claim"] = None
        case["match"] = field(obj, "match") or "any"
        if case["match"] not in ("any", "all"):
            raise InputError("match is neither any nor all")
        case["forbidden"] = list_of(field(obj, "forbidden_substr") or [], "forbidden_substr", False)
        case["constraints"] = elements(list_of(field(obj, "constraints") or [], "constraints", False))
        cases.append(case)
    if len({case["id"] for case in cases}) != len(cases):
        raise InputError("duplicate qid in gold")
    return cases


NOT_A_LIST = None
CITATIONS_IN_TEXT = re.compile(r"citations\s*:\s*\[([^\]]*)\]", re.IGNORECASE)


def citations_in_text(text):
    """The ids of the first `citations: [a, b]` in an answer text, or None where there is no such list."""
    found = CITATIONS_IN_TEXT.search(text)
    if not found:
        return None
    ids = [part.strip(QUOTES) for part in re.split(r"[,\s]+", found.group(1))]
    return [one for one in ids if one]


def read_trace(obj):
    """What one line of a log says: retrieved slots, the claim, the citations, the echo."""
    slots = field(obj, "retrieved_ids")
    if slots is None:
        slots = field(obj, "chunks") or []
        if isinstance(slots, list):
            slots = [chunk.get("id") if isinstance(chunk, dict) else chunk for chunk in slots]
    if not isinstance(slots, list):
        raise InputError("retrieved ids that are no list")
    trace = {"retrieved": elements(slots)}

    answer_json = field(obj, "answer_json")
    if answer_json is not None:
        if not isinstance(answer_json, dict):
            raise InputError("answer_json is no object")
        claim = answer_json.get("claim")
        cited = field(answer_json, "citations")
        echo = field(answer_json, "constraints_echo")
    else:
        claim = obj.get("answer")
        cited = field(obj, "citations")
        echo = None
        if cited is None and isinstance(claim, str):
            cited = citations_in_text(claim)
    trace["claim"] = claim if isinstance(claim, str) else ""
    trace["echo"] = echo

    # An absent list is an empty one, though not a list for compliance; a present field of another type is none.
    trace["carries_list"] = isinstance(cited, list)
    if cited is None:
        trace["citations"] = []
    elif isinstance(cited, list):
        trace["citations"] = elements(cited)
    else:
        trace["citations"] = NOT_A_LIST

    ok = field(obj, "ok")
    if ok is not None and not isinstance(ok, bool):
        raise InputError("ok is no bool")
    trace["errored"] = ok is False and trim(trace["claim"]) == ""
    return trace


def join(cases, trace_files):
    """Traces by case id, in input order, and how many belong to no case."""
    by_id = {case["id"]: [] for case in cases}
    by_question = {}
    for case in cases:
        by_question.setdefault(case["question"], []).append(case["id"])
    unmatched = 0
    for data in trace_files:
        for obj in json_lines(data):
            case_id = id_of(obj, "qid", "q_id")
            if case_id is None:
                question = field(obj, "q", "question")
                if question is None:
                    raise InputError("a trace with neither a qid nor a question")
                owners = by_question.get(question, [])
                if len(owners) > 1:
                    raise InputError("two gold rows with one question, and a trace joins by it")
                case_id = owners[0] if owners else None
            trace = read_trace(obj)
            if case_id in by_id:
                by_id[case_id].append(trace)
            else:
                unmatched += 1
    return by_id, unmatched


# ------------------------------------------------------------------------------------------- checks on one row


def contains(case, claim):
    """C. None where it is unknown (array contract without a gold claim)."""
    # Reading: an empty claim (nothing but white space is empty too) contains nothing, even where nothing is asked.
    if trim(claim) == "":
        return False
    claim = claim.lower()
    if case["substr"] is None:
        if case["gold_claim"] is None:
            return None
        runs = [run.strip() for run in re.findall(r"[a-z0-9][a-z0-9\-\s]{4,}", case["gold_claim"].lower())]
        return any(len(run) >= 5 and run in claim for run in runs)
    wanted = [phrase.lower() for phrase in case["substr"]]
    if not wanted:
        return True
    found = [len(phrase) >= 5 and phrase in claim for phrase in wanted]
    return all(found) if case["match"] == "all" else any(found)


def contradicts(constraints, claim):
    """The fixed subset of the rules that this oracle knows: "rejects null keys" against "permits null keys"."""
    if not any(re.search(r"\brejects\s+null\s+keys\b", lock, re.IGNORECASE) for lock in constraints):
        return False
    for found in re.finditer(r"\b(allow|accept|support|permit)s?\s+null\s+keys\b", claim, re.IGNORECASE):
        sentence_so_far = re.split(r"[.!?\n]", claim[: found.start()])[-1]
        before = [word.strip(",;:()").lower() for word in sentence_so_far.split()][-4:]
        negated = any(
            word in ("not", "no", "never", "cannot", "without", "neither", "nor") or word.endswith(("n't", "n\u2019t"))
            for word in before
        )
        if not negated:
            return True
    return False


def echo_matches(constraints, echo):
    if not isinstance(echo, list):
        return False
    said = elements(echo)
    if any(isinstance(item, Foreign) for item in said):
        return False
    return sorted(said) == sorted(constraints)


def ndcg(slots, gold, k):
    """Binary gains at the first rank of each gold id among the first k slots."""
    seen, gain = set(), 0.0
    for rank, one in enumerate(slots[:k], start=1):
        if one in gold and one not in seen:
            seen.add(one)
            gain += 1 / math.log2(rank + 1)
    ideal = 0.0
    for rank in range(1, min(len(gold), k) + 1):
        ideal += 1 / math.log2(rank + 1)
    return gain / ideal


def make_row(case, trace, scu):
    """The facts of one case under one trace (None: missing)."""
    missing = trace is None
    errored = not missing and trace["errored"]
    lost = missing or errored  # scored as a shipped empty answer that retrieved, cited and echoed nothing
    gold = case["citations"]
    claim = "" if lost else trace["claim"]
    slots = [] if lost else trace["retrieved"]
    cited = [] if lost else trace["citations"]
    echo = None if lost else trace["echo"]
    refused = trim(claim).lower() == REFUSAL

    row = {
        "case": case,
        "answerable": case["answerable"],
        "refused": refused,
        "shipped": not refused,
        "missing": missing,
        "errored": errored,
        "lost": lost,
        "slots": slots,
        "gold": gold,
    }

    is_list = cited is not NOT_A_LIST
    ids = set(cited) if is_list else set()
    in_scope = all(not isinstance(one, Foreign) and one in slots for one in ids)
    row["cited"] = ids
    row["overlap"] = bool(ids & gold)
    row["compliant"] = not missing and (refused or trace["carries_list"])

    c = False if lost else contains(case, claim)
    row["C"] = c is not False
    row["contained"] = c is True
    row["H"] = not lost and is_list and in_scope and (row["overlap"] if gold else not ids)
    row["F"] = not any(phrase.lower() in claim.lower() for phrase in case["forbidden"])

    row["constrained"] = bool(case["constraints"])
    row["echo_mismatch"] = row["shipped"] and row["constrained"] and not echo_matches(case["constraints"], echo)
    row["contradiction"] = (
        row["shipped"] and row["constrained"] and not row["echo_mismatch"] and contradicts(case["constraints"], claim)
    )
    row["K"] = not (row["echo_mismatch"] or row["contradiction"])
    enforced = scu == "enforce"
    row["correct"] = row["C"] and row["H"] and row["F"] and (row["K"] or not enforced)

    # Evidence: some gold citation anywhere among the retrieved; with none in gold there is nothing to find.
    row["evidence"] = not lost and (not gold or any(one in gold for one in slots))

    if missing:
        label = "MISSING"
    elif errored:
        label = "ERROR"
    elif refused:
        label = "OVER_REFUSAL" if case["answerable"] else "REFUSAL_OK"
    elif not case["answerable"]:
        label = "HALLUCINATION"
    elif enforced and not row["K"]:
        label = "SCU_VIOLATION"
    elif not row["F"]:
        label = "FORBIDDEN"
    elif is_list and not in_scope:
        label = "OUT_OF_SCOPE"
    elif not row["H"]:
        label = "ANS_NO_HIT"
    elif not row["C"]:
        label = "NO_CLAIM_MATCH"
    else:
        label = "OK"
    row["label"] = label

    if lost:
        stage = "pipeline"
    elif label == "REFUSAL_OK":
        stage = "pass"  # Reading: even where the unanswerable row lists gold ids that were not retrieved.
    elif label == "HALLUCINATION":
        stage = "refusal"
    elif label == "OVER_REFUSAL":
        stage = "refusal" if row["evidence"] else "retrieval"
    elif not row["evidence"]:
        stage = "retrieval"
    elif enforced and not row["K"]:
        stage = "constraints"
    elif not row["H"]:
        stage = "citation"
    elif not row["C"] or not row["F"]:
        stage = "claim"
    else:
        stage = "pass"
    row["stage"] = stage
    return row


# ----------------------------------------------------------------------------------------------------- metrics


def recall_at(row, k):
    return not row["lost"] and row["gold"] <= set(row["slots"][:k])


def hit_at(row, k):
    return not row["lost"] and (not row["gold"] or any(one in row["gold"] for one in row["slots"][:k]))


def reciprocal_rank(row):
    if row["lost"]:
        return Fraction(0)
    if not row["gold"]:
        return Fraction(1)
    for rank, one in enumerate(row["slots"], start=1):
        if one in row["gold"]:
            return Fraction(1, rank)
    return Fraction(0)


def ndcg_at(row, k):
    if row["lost"]:
        return 0.0
    return ndcg(row["slots"], row["gold"], k) if row["gold"] else 1.0


def measure(metric, rows, k):
    """(numerator, denominator) of a rate over the rows."""
    shipped = [row for row in rows if row["shipped"]]
    answerable = [row for row in rows if row["answerable"]]
    unanswerable = [row for row in rows if not row["answerable"]]
    shipped_answerable = [row for row in shipped if row["answerable"]]

    def count(some, test):
        return sum(1 for row in some if test(row))

    if metric == "precision":
        return count(shipped_answerable, lambda row: row["correct"]), len(shipped)
    if metric == "chr":
        return count(shipped_answerable, lambda row: row["H"]), len(shipped)
    if metric == "chr_bound":
        return count(shipped_answerable, lambda row: row["evidence"]), len(shipped)
    if metric == "answer_hit_rate":
        return count(shipped_answerable, lambda row: row["overlap"]), len(shipped)
    if metric == "answerable_chr":
        return count(shipped_answerable, lambda row: row["overlap"]), len(answerable)
    if metric == "containment":
        return count(shipped_answerable, lambda row: row["contained"]), len(answerable)
    if metric == "under_refusal":
        return count(unanswerable, lambda row: row["shipped"]), len(unanswerable)
    if metric == "over_refusal":
        return count(answerable, lambda row: row["refused"]), len(answerable)
    if metric == "recall@k":
        return count(answerable, lambda row: recall_at(row, k)), len(answerable)
    if metric == "hit@k":
        return count(answerable, lambda row: hit_at(row, k)), len(answerable)
    if metric == "mrr":
        return sum((reciprocal_rank(row) for row in answerable), Fraction(0)), len(answerable)
    if metric == "ndcg@k":
        return sum((ndcg_at(row, k) for row in answerable), 0.0), len(answerable)
    if metric == "citation_precision":
        good = sum(len(row["cited"] & row["gold"]) for row in shipped_answerable)
        return good, sum(len(row["cited"]) for row in shipped_answerable)
    if metric == "citation_recall":
        good = sum(len(row["cited"] & row["gold"]) for row in shipped_answerable)
        return good, sum(len(row["gold"]) for row in shipped_answerable)
    if metric == "compliance":
        traced = [row for row in rows if not row["missing"]]
        return count(traced, lambda row: row["compliant"]), len(traced)
    if metric == "scu_integrity":
        constrained = [row for row in shipped if row["constrained"]]
        return count(constrained, lambda row: row["K"]), len(constrained)
    raise InputError(f"unknown metric {metric}")


def value_of(metric, rows, k):
    """The value as it is shown, before rounding."""
    num, den = measure(metric, rows, k)
    return float(num / den) if den else float(EMPTY_VALUE[metric])


# ------------------------------------------------------------------------------------------------------- gates

GATE = re.compile(r"([A-Za-z_]+(?:@(?:k|[0-9]+))?)\s*(>=|<=|==|>|<|=)\s*(-?[0-9]+(?:\.[0-9]+)?)(?=[,\s]|$)")


def parse_gates(text):
    """[(metric, k or None for the suite's, op, threshold text)]"""
    gates, at = [], 0
    while True:
        at += len(re.match(r"[,\s]*", text[at:]).group())
        if at == len(text):
            return gates
        found = GATE.match(text, at)
        if not found:
            raise InputError(f"not a gate: {text[at:]}")
        name, op, threshold = found.groups()
        name, k = ALIASES.get(name, name), None
        if "@" in name:
            name, rank = name.split("@")
            name, k = name + "@k", None if rank == "k" else int(rank)
        if name not in METRICS:
            raise InputError(f"unknown metric {name}")
        if op == "=":
            op = ">=" if METRICS[name][0] == "up" else "<="
        gates.append((name, k, op, threshold))
        at = found.end()


def holds(value, op, threshold):
    if op == ">=":
        return value >= threshold
    if op == "<=":
        return value <= threshold
    if op == ">":
        return value > threshold
    if op == "<":
        return value < threshold
    return value == threshold


def judge(gate, cases, rows, counts, suite_k):
    name, k, op, threshold = gate
    limit = Fraction(Decimal(threshold))
    if name in COUNTS:
        if counts[name] is None:
            return "fail"  # nothing could be measured
        return "pass" if holds(counts[name], op, limit) else "fail"
    kind = METRICS[name][1]
    exists = {
        None: True,
        "answerable": any(case["answerable"] for case in cases),
        "unanswerable": any(not case["answerable"] for case in cases),
        "constrained": any(case["constraints"] for case in cases),
    }[kind]
    if not exists:
        return "not judged"
    if name == "scu_integrity" and counts["scu_violations"] is None:
        return "fail"
    num, den = measure(name, rows, k or suite_k)
    if den == 0:
        return "inconclusive"
    return "pass" if holds(Fraction(num) / den, op, limit) else "fail"


def choose_gates(options, cases, skip, scu):
    text = options.get("gates")
    if text is None:
        preset = options.get("preset")
        if preset is None:
            preset = "quality" if all(case["array"] for case in cases) else "ship"
        text = PRESETS[preset]
    gates = parse_gates(text)
    asked = len(gates)
    named = {gate[0] for gate in gates}
    always = ["errored"] if skip else ["missing", "errored"]
    if scu == "enforce":
        always.append("scu_violations")
    for name in always:
        if name not in named:
            gates.append((name, None, "<=", "0"))
    return gates, asked


# ------------------------------------------------------------------------------------------------------- suite


def make_rows(cases, by_id, scu, skip, runs):
    """Every row that is scored, in gold order, and the rows that name each case (a skipped one too)."""
    rows, rows_of = [], {}
    for case in cases:
        traces = by_id[case["id"]]
        if runs == "last":
            traces = traces[-1:]
        own = [make_row(case, trace, scu) for trace in traces or [None]]
        rows_of[case["id"]] = own
        if traces or not skip:
            rows.extend(own)
    return rows, rows_of


def slice_text(case, name):
    value = case["fields"].get(name)
    if value is None:
        return "(none)"
    return value if isinstance(value, str) else json.dumps(value)


def score(gold_bytes, trace_files, options):
    k = options.get("k", 5)
    scu = options.get("scu", "report")
    skip = options.get("missing", "score") == "skip"
    runs = options.get("runs", "last")

    cases = read_gold(gold_bytes)
    by_id, unmatched = join(cases, trace_files)
    rows, rows_of = make_rows(cases, by_id, scu, skip, runs)

    shipped = [row for row in rows if row["shipped"]]
    counts = {
        "missing": sum(1 for case in cases if not by_id[case["id"]]),
        "errored": sum(1 for row in rows if row["errored"]),
        "unmatched": unmatched,
        "malformed": 0,
        "scu_violations": None if scu == "off" else sum(1 for row in shipped if not row["K"]),
    }
    result = {
        "answered": len(shipped),
        "refused": len(rows) - len(shipped),
        "answerable": sum(1 for row in rows if row["answerable"]),
        "unanswerable": sum(1 for row in rows if not row["answerable"]),
        **counts,
        "k": k,
    }
    for metric in FLAT_RATES:
        result[metric] = round(value_of(metric, rows, k), 4)

    gates, asked = choose_gates(options, cases, skip, scu)
    outcomes = [judge(gate, cases, rows, counts, k) for gate in gates]
    thresholds = {}
    for name, own_k, _, threshold in gates:
        name = name.replace("@k", f"@{own_k or k}")
        number = float(threshold) if "." in threshold else int(threshold)
        thresholds.setdefault(name, []).append(number)
    result["gates"] = {name: one[0] if len(one) == 1 else one for name, one in thresholds.items()}
    if "fail" in outcomes:
        result["verdict"] = "NO-SHIP"
    elif "inconclusive" in outcomes or not any(by_id.values()):  # without a trace nothing was measured
        result["verdict"] = "INCONCLUSIVE"
    elif "pass" not in outcomes[:asked]:  # gates that nobody chose carry no release
        result["verdict"] = "INCONCLUSIVE"
    else:
        result["verdict"] = "SHIP"
    result["pass"] = result["verdict"] == "SHIP"

    result["labels"], result["stages"] = {}, {}
    for case_id, own in rows_of.items():
        # Reading: of several equally bad runs the last one speaks for the stage.
        worst = min(reversed(own), key=lambda row: SEVERITY.index(row["label"]))
        result["labels"][case_id] = worst["label"]
        result["stages"][case_id] = worst["stage"]

    off = scu == "off"
    result["scu_integrity"] = None if off else round(value_of("scu_integrity", rows, k), 4)
    result["echo_mismatch"] = None if off else sum(1 for row in shipped if row["echo_mismatch"])
    result["contradiction"] = None if off else sum(1 for row in shipped if row["contradiction"])

    if options.get("slice") is not None:
        # Reading: every value that gold holds is a slice, also one whose cases were all skipped.
        result["slices"] = {}
        for text in dict.fromkeys(slice_text(case, options["slice"]) for case in cases):
            own = [row for row in rows if slice_text(row["case"], options["slice"]) == text]
            result["slices"][text] = {metric: round(value_of(metric, own, k), 4) for metric in SLICE_RATES}
    return result


def options_from_args(args):
    """(gold file, trace files, options) from the command-line arguments after `karat answers`."""
    gold, traces, options = None, [], {}
    rest = list(args)
    while rest:
        flag, value = rest.pop(0), rest.pop(0)
        if flag == "--gold":
            gold = value
        elif flag == "--trace":
            traces.append(value)
        elif flag == "--k":
            options["k"] = int(value)
        elif flag in ("--scu", "--missing", "--runs", "--gates", "--preset", "--slice"):
            options[flag[2:]] = value
        elif flag != "--format":
            raise InputError(f"the oracle does not know {flag}")
    return gold, traces, options
