"""An independent scorer for karat's `agreement` suite, written from the specification alone.

Raters in, figures out: `evaluate(*load(words, read_bytes))`. Every figure is a Fraction until it is shown. The engine is
compared with it; code is never shared. "Reading:" marks a choice that the text leaves open.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import answers
from answers import InputError

LABELS = ["VALID", "NOT_IN_CONTEXT", "REJECT", "ABSTAIN"]
FLAGS = ["provenance_violation", "constraints_mismatch"]
PRESET = {
    "percent_agreement": (">=", Fraction(90, 100)),
    "kappa": (">=", Fraction(75, 100)),
    "abstain_rate": ("<=", Fraction(2, 100)),
    "unpaired": ("<=", Fraction(0)),
}


# ---------------------------------------------------------------------------------------------------- reading


def label_of(obj):
    label = obj.get("label")
    if not isinstance(label, str):
        raise InputError("a label that is no text")
    label = answers.trim(label).upper()
    label = "REJECT" if label == "INVALID" else label
    if label not in LABELS:
        raise InputError(f"unknown label {label}")
    return label


def add(rater, qid, label):
    if qid is None or qid in rater:
        raise InputError("no qid, or one qid twice")
    rater[qid] = label


def read_rater(data):
    """qid -> label, in the order of the file."""
    labels = {}
    for row in answers.json_lines(data):
        add(labels, answers.id_of(row, "qid"), label_of(row))
    return labels


def read_pairs(data):
    """The two raters of a merged file, and what else arbitration looks at: qid -> the row."""
    scholar, auditor, rows = {}, {}, {}
    for row in answers.json_lines(data):
        qid = answers.id_of(row, "qid")
        add(scholar, qid, label_of(row["scholar"]))
        add(auditor, qid, label_of(row["auditor"]))
        rows[qid] = row
    return {"scholar": scholar, "auditor": auditor}, rows


# -------------------------------------------------------------------------------------------------- agreement


def ratio(num, den):
    return Fraction(num) / den if den else None


def beyond_chance(observed, by_chance):
    """None where chance alone agrees always (degenerate)."""
    return ratio(observed - by_chance, 1 - by_chance)


def cohen(pairs):
    """Cohen's kappa of a list of two labels each."""
    n = len(pairs)
    if not n:
        return None
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = Fraction(sum(a == b for a, b in pairs), n)
    return beyond_chance(observed, sum(Fraction(first[label] * second[label], n * n) for label in LABELS))


def figures(items):
    """percent_agreement, kappa, ac1, abstain_rate, disagreements of a list of items, each a list of labels."""
    n = len(items)
    out = {
        "percent_agreement": None, "kappa": None, "ac1": None,
        "abstain_rate": ratio(sum("ABSTAIN" in item for item in items), n),
        "disagreements": sum(len(set(item)) > 1 for item in items),
    }
    if not n:
        return out
    raters = len(items[0])
    pairs = [pair for item in items for pair in combinations(item, 2)]
    observed = Fraction(sum(a == b for a, b in pairs), len(pairs))
    counts = Counter(label for item in items for label in item)
    shares = [Fraction(counts[label], n * raters) for label in LABELS]
    out["percent_agreement"] = observed
    # Two raters: Cohen's kappa. More: Fleiss' kappa.
    out["kappa"] = cohen(items) if raters == 2 else beyond_chance(observed, sum(share**2 for share in shares))
    # Gwet's AC1: all four labels count as possible, used or not.
    out["ac1"] = beyond_chance(observed, sum(share * (1 - share) for share in shares) / (len(LABELS) - 1))
    return out


def against_truth(truth, rater):
    """REJECT is the positive label. Reading: over the items that these two have, whoever else lacks them."""
    pairs = [(truth[qid], label) for qid, label in rater.items() if qid in truth]
    hits = sum(pair == ("REJECT", "REJECT") for pair in pairs)
    true = sum(a == "REJECT" for a, _ in pairs)
    said = sum(b == "REJECT" for _, b in pairs)
    return {
        "precision": ratio(hits, said),
        "recall": ratio(hits, true),
        # Reading: 2·hits / (said + true), so 0 and not undefined where only one side ever rejects.
        "f1": ratio(2 * hits, said + true),
        "kappa": cohen(pairs),
        "n": len(pairs),
    }


# ------------------------------------------------------------------------------------------------- arbitration


def within_scope(row):
    """Reading: only what is absent cites nothing; an answer that is no object, and citations that are no list, null too, are
    what the model said, and a failure. An answer that is null is absent."""
    answer = row.get("answer_json")
    if answer is None:
        return True
    if not isinstance(answer, dict):
        return False
    cited = answer.get("citations", [])
    if not isinstance(cited, list):
        return False
    retrieved = answers.elements(answers.field(row, "retrieved_ids") or [])
    return all(not isinstance(one, answers.Foreign) and one in retrieved for one in answers.elements(cited))


def arbitrate(scholar, auditor, row):
    flags = answers.field(row, "flags") or {}
    if not all(isinstance(value, bool | None) for value in flags.values()):
        raise InputError("a flag that is neither true nor false")
    if any(flags.get(name) is True for name in FLAGS):
        return "REJECT", "hard_flag"
    if not within_scope(row):
        return "REJECT", "citation_out_of_scope"
    if scholar == auditor == "NOT_IN_CONTEXT":
        return "REFUSE", "agreed_refusal"
    if auditor != "VALID":
        return "REJECT", "auditor_veto"
    if scholar == "VALID":
        return "VALID", "auditor_ok"
    if scholar == "NOT_IN_CONTEXT":
        return "REVIEW", "needs_review"
    return "REJECT", "incoherent_pair"


# ---------------------------------------------------------------------------------------------------- the whole


def score(raters, rows, truth):
    """The unrounded figures. raters: name -> {qid: label}; rows: qid -> row of a merged file; truth: a name or None."""
    names = list(raters)
    if len(names) < 2:
        raise InputError("fewer than two raters")
    everyone = list(dict.fromkeys(qid for name in names for qid in raters[name]))
    paired = [qid for qid in everyone if all(qid in raters[name] for name in names)]
    items = [[raters[name][qid] for name in names] for qid in paired]
    out = {"n": len(paired), "unpaired": len(everyone) - len(paired), **figures(items)}
    # Reading: more than two raters are no pair, so nothing is arbitrated.
    out["finals"] = []
    if len(names) == 2:
        for qid, (scholar, auditor) in zip(paired, items):
            out["finals"].append([qid, scholar, auditor, *arbitrate(scholar, auditor, rows.get(qid, {}))])
    out["final"] = dict(sorted(Counter(one[3] for one in out["finals"]).items()))
    # No value: inconclusive or failed, never a pass.
    out["pass"] = all(
        out[name] is not None and (out[name] >= limit if op == ">=" else out[name] <= limit)
        for name, (op, limit) in PRESET.items()
    )
    if truth is not None:
        out["truth"] = {name: against_truth(raters[truth], raters[name]) for name in names if name != truth}
        # Reading: of several judges the worst is gated; where one of them has no value, there is none.
        out["judges"] = {}
        for name in ("precision", "recall", "f1", "kappa"):
            values = [one[name] for one in out["truth"].values()]
            out["judges"][name] = None if None in values else min(values)
    return out


def shown(value):
    """Rounded as printed: the double nearest to the value, its exact binary value, ties to even."""
    if isinstance(value, dict):
        return {key: shown(one) for key, one in value.items()}
    return round(float(value), 4) + 0.0 if isinstance(value, Fraction) else value


def report(verdict):
    gates = {name: float(limit) if limit else 0 for name, (_, limit) in PRESET.items()}
    return {**shown(verdict), "gates": gates}


def evaluate(raters, rows, truth):
    return report(score(raters, rows, truth))


def load(words, read_bytes):
    """The three arguments of `evaluate` from the words after `karat agreement`."""
    raters, rows, truth = {}, {}, None
    rest = list(words)
    while rest:
        flag, value = rest.pop(0), rest.pop(0)
        if flag == "--pairs":
            raters, rows = read_pairs(read_bytes(value))
        elif flag == "--rater":
            name, file = value.split("=", 1)
            raters[name] = read_rater(read_bytes(file))
        elif flag == "--truth":
            truth = value
        elif (flag, value) != ("--preset", "consistency") and flag != "--format":
            raise InputError(f"the oracle does not know {flag} {value}")
    return raters, rows, truth
