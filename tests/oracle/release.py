"""An independent scorer for karat's `release` suite, written from the specification alone.

Rows in, figures out: `evaluate(evidence_rows, gold_rows, case_rows, settings)`. Every rate is a Fraction until it is
shown. The engine is compared with it; code is never shared. "Reading:" marks a choice that the text leaves open.
"""

import json
import re
from collections import Counter
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

VERSION_KEYS = ["retriever", "index", "sparse", "dense", "fusion", "reranker"]
STAGES = ["first_stage_ids", "rerank_input_ids", "reranked_ids", "selected_context_ids"]
RATES = [
    "candidate_recall", "context_recall", "context_precision", "faithfulness", "citation_coverage",
    "citation_support", "point_coverage",
]
NO_VALUE = "(none)"
ENOUGH = Fraction(95, 100)


class InputError(ValueError):
    """What the specification calls an input error (exit status 2)."""


# ---------------------------------------------------------------------------------------------------- reading


class Obj(dict):
    """A JSON object that remembers its members as written, repeated keys included."""

    def __init__(self, pairs):
        super().__init__(pairs)
        self.pairs = list(pairs)


def read_rows(data):
    """The objects of a JSON Lines file; numbers with a point or an exponent stay exact."""
    rows = []
    for line in data.removeprefix(b"\xef\xbb\xbf").decode("utf-8").split("\n"):
        if line.strip(" \t\r"):
            rows.append(json.loads(line, object_pairs_hook=Obj, parse_float=Decimal))
    return rows


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def id_text(value):
    """An id is a string or a whole number, compared as text."""
    if not isinstance(value, str) and not is_whole(value):
        raise InputError(f"no id: {value!r}")
    return str(value)


def blank(value):
    return isinstance(value, str) and not value.strip()


def once(items):
    return list(dict.fromkeys(items))


RFC3339 = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(?:Z|([+-])(\d\d):(\d\d))")


def moment(value):
    """Exact seconds since 1970 of an RFC 3339 text or a number of epoch seconds."""
    if is_whole(value) or isinstance(value, Decimal):
        return Fraction(value)
    day, clock, part, sign, hours, minutes = RFC3339.fullmatch(value).groups()
    since = datetime.fromisoformat(f"{day}T{clock}") - datetime(1970, 1, 1)
    offset = 0 if sign is None else (int(hours) * 3600 + int(minutes) * 60) * (1 if sign == "+" else -1)
    return since.days * 86400 + since.seconds - offset + Fraction("0" + (part or ""))


def read_evidence(rows):
    chunks = {id_text(row["chunk_id"]): row for row in rows}
    if len(chunks) != len(rows):
        raise InputError("one chunk_id twice")
    return chunks


def read_gold(rows):
    gold = {}
    for row in rows:
        case = {
            "required": {id_text(one) for one in row["required_source_ids"]},
            "points": set(row["required_points"]),
            "phrases": row.get("points") or {},
            "fields": row,
        }
        if not case["required"] or not case["points"] or any("" in one for one in case["phrases"].values()):
            raise InputError("nothing required, or an empty phrase")
        gold[id_text(row["case_id"])] = case
    if not gold or len(gold) != len(rows):
        raise InputError("gold is empty, or one case_id twice")
    return gold


def read_case(row):
    """One row of --trace with its two case ids, its trace, its answer and its label."""
    nested = row.get("trace") is not None
    trace = row["trace"] if nested else row
    own = row.get("case_id")
    inner = trace.get("case_id")
    if own is None and inner is None:
        raise InputError("a row that names no case")
    case = {
        "case_id": id_text(inner if own is None else own),
        # The trace's own case id, where there is one to compare with the row's.
        "second_id": None if inner is None else id_text(inner),
        "compare_ids": nested and own is not None,
        "selected_versions": trace.get("selected_versions") or [],
        "principal": trace.get("principal"),
        "ts": trace.get("ts"),
        "label": row.get("should_release"),
        "answer": row.get("answer"),
    }
    case["id"] = case["case_id"] if row.get("name") is None else row["name"]
    for stage in STAGES:
        case[stage] = [id_text(one) for one in trace.get(stage) or []]
    versions = trace.get("versions") or []
    if isinstance(versions, dict):
        versions = versions.pairs if isinstance(versions, Obj) else versions.items()
    case["versions"] = [tuple(pair) for pair in versions]
    return case


# ---------------------------------------------------------------------------------------------- admissibility


def permitted(chunk, principal):
    if chunk["permitted"] is not True:
        return False
    if chunk.get("acl") is None:
        return True
    if principal is None:
        return False
    names = [f"group:{one}" for one in principal.get("groups") or []]
    if principal.get("user") is not None:
        names.append(f"user:{principal['user']}")
    return any(name in chunk["acl"] for name in names)


def current(chunk, ts):
    if chunk["current"] is not True:
        return False
    since, until = chunk.get("valid_from"), chunk.get("valid_until")
    if since is None and until is None:
        return True
    if ts is None:
        return False
    now = moment(ts)
    return (since is None or moment(since) <= now) and (until is None or now < moment(until))


def repeated(items):
    """What occurs again. Reading: in the order in which the repetitions, not the first mentions, are met."""
    return once(item for at, item in enumerate(items) if item in items[:at])


def reasons(case, chunks, version_keys):
    """Every reason against the evidence path, in the specification's order, as (reason, id or key at fault)."""
    first, rerank_input, reranked, selected = (case[stage] for stage in STAGES)
    traced = once(first + rerank_input + reranked + selected)
    known = [one for one in traced if one in chunks]
    keys = [key for key, _ in case["versions"]]
    given = {key for key, value in case["versions"] if value is not None and not blank(value)}
    faults = {
        "not_permitted": [one for one in known if not permitted(chunks[one], case["principal"])],
        "not_current": [one for one in known if not current(chunks[one], case["ts"])],
        "case_mismatch": [case["second_id"]] if case["compare_ids"] and case["second_id"] != case["case_id"] else [],
        "empty_context": [] if selected else [None],
        "version_count": [None] if len(selected) != len(case["selected_versions"]) else [],
        "duplicate_version_key": repeated(keys),
        "missing_version_key": [key for key in version_keys if key not in given],
        "duplicate_id": [one for stage in STAGES for one in repeated(case[stage])],
        "unknown_id": [one for one in traced if one not in chunks],
        "rerank_input_not_retrieved": [one for one in rerank_input if one not in first],
        "reranked_set_changed": [one for one in rerank_input if one not in reranked]
        + [one for one in reranked if one not in rerank_input],
        "selected_not_reranked": [one for one in selected if one not in reranked],
        "version_mismatch": [
            one
            for one, version in zip(selected, case["selected_versions"])
            if one in chunks and chunks[one]["version"] != version
        ],
    }
    return [[reason, at] for reason, ats in faults.items() for at in once(ats)]


# --------------------------------------------------------------------------------------------- claims and rates


def supports(chunk, phrases):
    text = chunk["text"].lower()
    return bool(phrases) and all(phrase.lower() in text for phrase in phrases)


def read_claims(case, gold_case, trust):
    """The answer as [(phrases, citation or None, point or None)]; what the model got wrong counts against it."""
    answer = case["answer"]
    claims = answer.get("claims") if isinstance(answer, dict) else None
    read = []
    for claim in claims if isinstance(claims, list) else []:
        if not isinstance(claim, dict):
            read.append(([], None, None))
            continue
        point = claim.get("answer_point")
        point = point if isinstance(point, str) else None
        phrases = gold_case["phrases"].get(point)
        if not phrases:
            phrases = (claim.get("support_phrases") or []) if trust or case["label"] is not None else []
        cited = claim.get("citation_id")
        is_citation = is_whole(cited) or (isinstance(cited, str) and not blank(cited))
        read.append((phrases, str(cited) if is_citation else None, point))
    return read


def measure(case, gold_case, chunks, trust):
    """The rates of one case, and whether it has any claim."""
    first, selected = set(case["first_stage_ids"]), set(case["selected_context_ids"])
    required, points = gold_case["required"], gold_case["points"]
    context = {one: chunks[one] for one in selected if one in chunks}
    claims = read_claims(case, gold_case, trust)
    supported = [any(supports(chunk, phrases) for chunk in context.values()) for phrases, _, _ in claims]
    cited = [citation is not None for _, citation, _ in claims]
    proven = [citation in context and supports(context[citation], phrases) for phrases, citation, _ in claims]
    covered = {point for (_, _, point), good in zip(claims, supported) if good}

    def share(flags):
        return Fraction(sum(flags), len(flags)) if flags else Fraction(0)

    length = len(case["selected_context_ids"])  # repetitions count
    rates = {
        "candidate_recall": Fraction(len(first & required), len(required)),
        "context_recall": Fraction(len(selected & required), len(required)),
        "context_precision": Fraction(len(selected & required), length) if length else Fraction(0),
        "faithfulness": share(supported),
        "citation_coverage": share(cited),
        "citation_support": share(proven),
        "point_coverage": Fraction(len(covered & points), len(points)),
    }
    return rates, bool(claims)


def first_failed_stage(against, rates, has_claims):
    if against:
        return "admissibility"
    if rates["candidate_recall"] < 1:
        return "candidate_retrieval"
    if rates["context_recall"] < 1:
        return "context_selection"
    if not has_claims:
        return "answer_completeness"
    if rates["faithfulness"] < 1:
        return "answer_faithfulness"
    if rates["citation_support"] < 1:
        return "citation_support"
    if rates["point_coverage"] < 1:
        return "answer_completeness"
    return "pass"


# ---------------------------------------------------------------------------------------------------- the whole


def score_row(row, gold, chunks, settings):
    case = read_case(row)
    if case["case_id"] not in gold:
        raise InputError("a row of an unknown case")
    gold_case = gold[case["case_id"]]
    against = reasons(case, chunks, settings.get("version_keys") or VERSION_KEYS)
    rates, has_claims = measure(case, gold_case, chunks, settings.get("trust_claim_phrases", False))
    stage = first_failed_stage(against, rates, has_claims)
    expected = case["label"] is not False
    return {
        "id": case["id"], "case_id": case["case_id"], "label": case["label"], "stage": stage, "reasons": against,
        "released": stage == "pass", "should": expected, "correct": (stage == "pass") == expected, "rates": rates,
    }


def slice_values(gold_case, field):
    value = gold_case["fields"].get(field)
    if value is None:
        return [NO_VALUE]
    if isinstance(value, list):
        return once(value)
    return [value if isinstance(value, str) else json.dumps(value)]


def mean(values):
    return Fraction(sum(values), len(values)) if values else None


def round4(value):
    """Four decimals of the exact value, ties to even."""
    return None if value is None else round(value * 10_000) / 10_000


def judge(rows, gold, settings):
    """The unrounded figures."""
    field = settings.get("slice") or "workflow"
    slices = {}
    for case in gold.values():
        for value in slice_values(case, field):
            # Reading: "(none)" is a slice of rows; a value is one of gold, and empty where no row has it.
            if value != NO_VALUE:
                slices.setdefault(value, [])
    for row in rows:
        for value in slice_values(gold[row["case_id"]], field):
            slices.setdefault(value, []).append(row["correct"])
    rates = {value: mean(correct) for value, correct in slices.items()}

    should = [row for row in rows if row["should"]]
    good = [row for row in rows if row["label"] is True]
    bad = [row for row in rows if row["label"] is False]
    checks = {
        "admissible_evidence_path": bool(should) and not any(row["reasons"] for row in should),
        "supported_answer_released": all(row["released"] for row in good) if good else None,
        "known_bad_answers_blocked": not any(row["released"] for row in bad) if bad else None,
        "slice_regression_clear": bool(rows) and all(rate is not None and rate >= ENOUGH for rate in rates.values()),
    }
    missing = len(set(gold) - {row["case_id"] for row in rows})
    figures = {"release_correct": mean([row["correct"] for row in rows])}
    figures |= {name: mean([row["rates"][name] for row in rows]) for name in RATES}
    return {
        "figures": figures, "slices": rates, "checks": checks, "missing": missing,
        "pass": missing == 0 and False not in checks.values(),
    }


def score(evidence_rows, gold_rows, case_rows, settings):
    """(rows, unrounded verdict)"""
    chunks, gold = read_evidence(evidence_rows), read_gold(gold_rows)
    rows = [score_row(row, gold, chunks, settings) for row in case_rows]
    return rows, judge(rows, gold, settings)


def evaluate(evidence_rows, gold_rows, case_rows, settings):
    """settings: slice (a field), version_keys (a list), trust_claim_phrases (a bool); all optional."""
    return report(*score(evidence_rows, gold_rows, case_rows, settings))


def report(rows, verdict):
    released = sum(row["released"] for row in rows)
    return {
        "cases": len(rows),
        "released": released,
        "blocked": len(rows) - released,
        "missing": verdict["missing"],
        **{name: round4(value) for name, value in verdict["figures"].items()},
        "first_failed_stage": dict(sorted(Counter(row["stage"] for row in rows).items())),
        "checks": verdict["checks"],
        "slices": {value: round4(rate) for value, rate in verdict["slices"].items()},
        "pass": verdict["pass"],
        "rows": [{key: row[key] for key in ("id", "stage", "reasons", "released")} for row in rows],
    }


def settings_from_args(args):
    """(evidence file, gold file, trace files, settings) from the arguments after `karat release`."""
    evidence, gold, traces, settings = None, None, [], {}
    rest = list(args)
    while rest:
        flag = rest.pop(0)
        if flag == "--trust-claim-phrases":
            settings["trust_claim_phrases"] = True
            continue
        value = rest.pop(0)
        if flag == "--evidence":
            evidence = value
        elif flag == "--gold":
            gold = value
        elif flag == "--trace":
            traces.append(value)
        elif flag == "--slice":
            settings["slice"] = value
        elif flag == "--version-keys":
            settings["version_keys"] = value.split(",")
        elif flag != "--format":
            raise InputError(f"the oracle does not know {flag}")
    return evidence, gold, traces, settings


def load(args, read_bytes):
    """The four arguments of `evaluate`, the files read by name."""
    evidence, gold, traces, settings = settings_from_args(args)
    cases = [row for name in traces for row in read_rows(read_bytes(name))]
    return read_rows(read_bytes(evidence)), read_rows(read_bytes(gold)), cases, settings
