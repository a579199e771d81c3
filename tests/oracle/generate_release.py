"""Writes random evidence/gold/case files for `karat release`, each set with the oracle's result.

Usage: python3 generate_release.py --seed S --count N --dir DIR

DIR/00000/ holds evidence.jsonl, gold.jsonl, cases.jsonl, sometimes cases2.jsonl, args.json (the arguments after
`karat release`) and expected.json. The same seed writes the same bytes. A set starts from rows that release and then
breaks some of them in one to three ways. Nothing that the specification calls an input error is written.
"""

import argparse
import json
import random
import sys
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True
import generate  # noqa: E402
import release  # noqa: E402

# How often gold repeats an id or point it requires, and requires a source that the evidence store does not hold.
REQUIRED_TWICE = 0.02
REQUIRED_UNKNOWN = 0.015

PHRASES = [
    "cold-room doors stay shut", "two probe readings", "the Duty Pharmacist signs", "within 30 minutes", "lot is quarantined",
    "no night transfers", "Form VX-9", "between 2 and 8 \u00b0C", "seal number is logged", "a second keeper is present",
    "spare battery on site", "returns go to bay 4", "LOT-77", "call the depot first", "weekly drill", "dry ice only",
    "\u039f\u0394\u039f\u03a3 12", "\u039f\u0394\u039f\u03a3", "\u039b\u03cc\u03b3\u03bf\u03c2", "\u0391\u03a3 \u03a3\u0391", "\u0130zmir depot", "Stra\u00dfe 9", "STRASSE 9", "Gr\u00f6\u00dfe \u00fcber 5",
    "\ufb01nal count", "\u65e5\u672c\u306e\u68da", "\u212aelvin log", "\u01c5ep gate", "\U00010400\U00010401 mark", "cafe\u0301 stock", "caf\u00e9 stock",
    'so-called "grey" area', "path c:\\vault", "nul\u0000mark", "sep\u2028line",
]
LOST_PHRASES = ["doors may stay open", "no signature needed", "\u039f\u0394\u039f\u03a3\u03a3 99", "ohne Gr\u00f6\u00dfe", "\u0131zmir annex", "\u7121\u3044"]
GLUE = [". ", ", and ", "; ", " - ", " \u2014 ", ".\n", "\u0391", "s "]
OPENERS = ["Rule: ", "Note. ", "", "\u00a77 ", "\u0130: ", "Re "]
IDS = [f"shelf-{number:02}" for number in range(12)]
IDS += ["Shelf-01", "007", "7", "12", "-3", "0", "9007199254740993", "18446744073709551616", "\u00e9#1", "e\u0301#1", "a b", "\u65e5-1", "\U0001f980"]
UNKNOWN_IDS = ["nowhere", "shelf-1", "SHELF-02", "99", "7.0", "\u00c9#1", "null"]
POINTS = ["storage", "sign-off", "probes", "deadline", "Ausnahme", "\u70b9\u691c", "5", "Storage"]
CASE_IDS = ["vaccine-transfer-1", "vaccine-transfer-2", "night-shift", "5", "\u00fc-case", "recall 9", "Night-shift", "12"]
WORKFLOWS = ["transfer", "recall", "\u68da\u5378\u3057", "night shift", "Transfer", 7, True, False]
USERS = ["imke", "ops", "Imke", "j.doe", "\u00e5sa"]
GROUPS = ["ops", "pharmacy", "team:cold", "Pharmacy", "imke"]
VERSION_KEYS = release.VERSION_KEYS
BLANKS = ["", " ", "\t ", None]
NO_CITATION = [None, "", "  ", {"id": "shelf-01"}, ["shelf-01"], True, False, 1.5, []]
NO_CLAIM = [None, "the doors stay shut", 7, [], True, ["storage"]]
NO_LIST = [None, "two claims", 3, {"claim_id": "c0"}, True]
NO_ANSWER = [None, "You may transfer the lot.", 42, [], True, [{"claims": []}], {}]
NO_PHRASES = [None, "two probe readings", 5, [None], [3, "weekly drill"], {"a": "b"}, True]


class Maker(generate.Maker):
    """The JSON spelling (escapes, spaces, line ends) is that of the generator of the answers suite."""

    def dump(self, value, newlines=False):
        if isinstance(value, Decimal):
            return str(value)
        if isinstance(value, release.Obj):
            members = (self.string(key) + self.space(newlines) + ":" + self.dump(one) for key, one in value.pairs)
            return "{" + ", ".join(members) + "}"
        return super().dump(value, newlines)

    def some(self, items, most):
        items = list(items)
        return self.r.sample(items, self.r.randint(0, min(most, len(items))))

    def shuffled(self, items):
        return self.r.sample(items, len(items))

    def spell(self, one):
        """An id that reads as a whole number is written as a number half the time."""
        number = one.lstrip("-")
        whole = number.isascii() and number.isdigit() and str(int(one)) == one
        return int(one) if whole and self.chance(0.5) else one

    # -------------------------------------------------------------------------------------------------- time

    def instant(self):
        """A moment near the set's own, in whole seconds or with a few decimals."""
        step = Fraction(1, self.pick([1, 1, 1, 10, 1000, 10**6, 10**9, 10**12]))
        return self.now + self.pick([1, -1]) * (self.r.randint(1, 10**6) * self.pick([step, 1]))

    def time(self, at):
        """One of the spellings of an exact moment: RFC 3339 with any offset, or epoch seconds."""
        seconds = at.numerator // at.denominator
        rest = at - seconds
        digits = f"{Decimal(rest.numerator) / Decimal(rest.denominator):.12f}"[2:].rstrip("0")
        if self.chance(0.5):
            if not digits and self.chance(0.7):
                return seconds
            exact = Decimal(at.numerator) / Decimal(at.denominator)
            if self.chance(0.1):
                return Decimal(f"{exact:E}")
            return Decimal(f"{exact:f}" + ("" if digits else "." + "0" * self.r.randint(1, 3)))
        digits += "0" * self.pick([0, 0, 0, 1, 3])
        minutes = self.pick([0, 0, 0, 120, -330, 345, -720, 840, 1])
        local = datetime(1970, 1, 1) + timedelta(seconds=seconds + minutes * 60)
        zone = f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
        if minutes == 0:
            zone = self.pick(["Z", "Z", "+00:00", "-00:00"])
        return local.isoformat(timespec="seconds") + ("." + digits if digits else "") + zone

    # ------------------------------------------------------------------------------------- evidence and gold

    def cased(self, phrase):
        return self.pick([str.upper, str.lower, str.title, str.swapcase, str.capitalize])(phrase)

    def phrases_of(self, one, most=2):
        """Phrases that the chunk's text holds, most of them in a spelling that lower-casing levels."""
        text, known = self.chunks[one]["text"], self.held[one]
        found = []
        for phrase in self.r.sample(known, self.r.randint(1, min(most, len(known)))):
            x = self.r.random()
            if x < 0.05:
                start = self.r.randrange(len(text))
                phrase = text[start : start + self.r.randint(1, 12)].strip() or phrase
            elif x < 0.3 and (phrase.isascii() or self.chance(0.5)):
                phrase = self.cased(phrase)
            found.append(phrase)
        return found

    def evidence(self, plan):
        self.chunks, self.held = {}, {}
        for one in self.r.sample(IDS, self.r.randint(4, 15)):
            phrases = [self.pick(PHRASES) for _ in range(self.r.randint(1, 4))]
            document = f"doc-{self.r.randint(1, 6)}"
            chunk = {
                "chunk_id": self.spell(one),
                "document_id": document,
                "parent_id": f"{document}-p{self.r.randint(1, 3)}",
                "version": f"{document}/2026-0{self.r.randint(1, 3)}",
                "permitted": not self.chance(plan["bad"]),
                "current": not self.chance(plan["bad"]),
                "text": self.pick(OPENERS) + "".join(p + self.pick(GLUE) for p in phrases) + "end",
            }
            if self.chance(plan["acl"]):
                mine = [f"user:{self.principal['user']}"] + [f"group:{name}" for name in self.principal["groups"]]
                every = [f"user:{name}" for name in USERS] + [f"group:{name}" for name in GROUPS]
                on_it = not self.chance(plan["bad"] + 0.02)
                chunk["acl"] = self.some(every, 3) + [self.pick(mine)] if on_it else self.some(every, self.pick([0, 3]))
            elif self.chance(0.05):
                chunk["acl"] = None
            if self.chance(plan["window"]):
                bounds = sorted({self.instant(), self.instant()})
                if not self.chance(plan["bad"]):
                    bounds = [min(bounds[0], self.now), max(bounds[-1], self.now + self.pick([1, Fraction(1, 10**9)]))]
                sides = self.pick(["from", "until", "both"])
                if sides != "until":
                    chunk["valid_from"] = self.time(bounds[0])
                if sides != "from" and (len(bounds) == 2 or sides == "until"):
                    chunk["valid_until"] = self.time(bounds[-1])
            elif self.chance(0.05):
                chunk["valid_from"] = chunk["valid_until"] = None
            self.chunks[one], self.held[one] = chunk, phrases
        self.good = [
            one
            for one, chunk in self.chunks.items()
            if release.permitted(chunk, self.principal) and release.current(chunk, self.time(self.now))
        ]

    def gold_case(self, case_id, plan):
        home = self.good or list(self.chunks)
        required = self.r.sample(home, min(len(home), self.pick([1, 1, 2, 3])))
        points = self.r.sample(POINTS, self.pick([1, 2, 3, 3, 4]))
        owners = {point: self.pick(required) for point in points}
        row = {"case_id": self.spell(case_id), "question": self.pick(["May the lot move?", "\u79fb\u9001\u3057\u3066\u3088\u3044\u304b", "Q"])}
        row["required_source_ids"] = [self.spell(one) for one in required]
        row["required_points"] = list(points)
        for key in ("required_source_ids", "required_points"):
            if self.chance(REQUIRED_TWICE):
                row[key].append(self.pick(row[key]))
        if self.chance(REQUIRED_UNKNOWN):
            row["required_source_ids"].append("nowhere")
        share = plan["gold_phrases"]
        if share or self.chance(0.2):
            row["points"] = {point: self.phrases_of(owners[point]) for point in points if self.chance(share)}
            for point in points:
                if point not in row["points"] and self.chance(0.1):
                    row["points"][point] = []
            if self.chance(0.05):
                row["points"]["not required"] = [self.pick(PHRASES)]
        for field in plan["fields"]:
            if self.chance(plan["valued"]):
                listed = [value for value in WORKFLOWS if isinstance(value, str)]
                row[field] = self.r.sample(listed, 2) if self.chance(0.08) else self.pick(WORKFLOWS)
            elif self.chance(0.2):
                row[field] = None
        return {"id": case_id, "row": row, "required": required, "owners": owners}

    # --------------------------------------------------------------------------------------------------- rows

    def claim(self, case, point, owner):
        gold = case["row"].get("points", {}).get(point)
        claim = {"claim_id": f"c{self.r.randint(0, 99)}", "text": self.pick(["The lot may move.", "Doors: shut.", "\u306f\u3044"])}
        claim |= {"citation_id": self.spell(owner), "answer_point": point}
        if not gold or self.chance(0.6):
            claim["support_phrases"] = self.phrases_of(owner)
        return claim

    def clean_row(self, case, plan):
        """A trace and an answer that release, unless the case itself stands in the way."""
        extras = self.some([one for one in self.good if one not in case["required"]], 4)
        pool = case["required"] + extras
        kept = case["required"] + self.some(extras, 4)
        selected = self.shuffled(case["required"] + self.some(kept[len(case["required"]) :], 1))
        trace = {
            "case_id": case["id"],
            "first_stage_ids": self.shuffled(pool),
            "rerank_input_ids": self.shuffled(kept),
            "reranked_ids": self.shuffled(kept),
            "selected_context_ids": selected,
            "selected_versions": [self.chunks[one]["version"] for one in selected],
            "versions": [[key, f"{key}-v{self.r.randint(1, 9)}"] for key in plan["keys"]],
        }
        if plan["acl"] or self.chance(0.2):
            trace["principal"] = dict(self.principal)
        if plan["window"] or self.chance(0.2):
            trace["ts"] = self.time(self.now)
        claims = [self.claim(case, point, owner) for point, owner in case["owners"].items()]
        if self.chance(0.1):
            claims.append(self.claim(case, self.pick([*case["owners"], "aside"]), self.pick(case["required"])))
        row = {"name": f"row {self.r.randint(0, 999)}", "case_id": case["id"], "trace": trace}
        return row | {"answer": {"answer_id": "a", "claims": self.shuffled(claims)}}

    # ---------------------------------------------------------------------------------------------- mutations

    def break_ids(self, row, case):
        trace = row["trace"]
        stages = [stage for stage in release.STAGES if trace.get(stage)]
        if not stages:
            return
        stage = self.pick(stages)
        ids = trace[stage]
        kind = self.pick(["drop", "add", "repeat", "order", "many", "swap"])
        if kind == "drop":
            ids.pop(self.r.randrange(len(ids)))
        elif kind == "repeat":
            for _ in range(self.pick([1, 1, 2, 3])):
                ids.insert(self.r.randint(0, len(ids)), self.pick(ids))
        elif kind == "order":
            self.r.shuffle(ids)
        elif kind == "swap":
            ids[self.r.randrange(len(ids))] = self.pick([*self.chunks, *UNKNOWN_IDS])
        else:
            fresh = self.r.sample([*self.chunks, *self.r.sample(UNKNOWN_IDS, 2)], self.pick([1, 1, 2]))
            for one in [stage] if kind == "add" else self.r.sample(stages, self.r.randint(1, len(stages))):
                for new in fresh:
                    trace[one].insert(self.r.randint(0, len(trace[one])), new)

    def break_path(self, row, case):
        """One fault of the path, the versions keeping step: a source is lost, a chunk travels along or slips in."""
        trace = row["trace"]
        lists = [trace.get(stage) for stage in release.STAGES]
        if not all(lists):
            return
        x = self.r.random()
        if x < 0.5:
            lost = self.pick(case["required"])
            start = self.pick([0, 0, 1, 3, 3])
            for stage in release.STAGES[start:]:
                trace[stage] = [one for one in trace[stage] if one != lost]
        elif x < 0.75:
            new = self.pick([*self.chunks, *UNKNOWN_IDS[:3]])
            for stage in release.STAGES[: self.r.randint(1, 4)]:
                if new not in trace[stage]:
                    trace[stage].append(new)
        elif x < 0.9:
            others = [one for one in self.good if one not in trace["reranked_ids"]]
            trace["selected_context_ids"] += self.r.sample(others, min(len(others), self.pick([1, 1, 2])))
        else:
            gone = self.r.sample(trace["reranked_ids"], 1)
            for stage in self.pick([release.STAGES[:1], release.STAGES[1:3]]):
                trace[stage] = [one for one in trace[stage] if one not in gone]
        if not trace["selected_context_ids"] and trace["reranked_ids"]:
            trace["selected_context_ids"] = trace["reranked_ids"][:1]
        known = [self.chunks.get(one, {"version": "doc/x"}) for one in trace["selected_context_ids"]]
        trace["selected_versions"] = [chunk["version"] for chunk in known]

    def break_lists(self, row, case):
        key = self.pick([*release.STAGES, "selected_versions", "versions"])
        self.remove(row["trace"], key, [])

    def remove(self, obj, key, empty=None):
        """Absent, null or empty: the same thing."""
        x = self.r.random()
        if x < 0.4:
            obj.pop(key, None)
        else:
            obj[key] = None if x < 0.7 else empty

    def break_selected_versions(self, row, case):
        versions = row["trace"].get("selected_versions")
        if not versions:
            row["trace"]["selected_versions"] = ["doc-1/2026-01"]
            return
        at = self.r.randrange(len(versions))
        kind = self.pick(["change", "drop", "extra", "order"])
        if kind == "change":
            versions[at] = self.pick(["doc-1/2026-01", "doc-9/1999", versions[at].upper(), versions[at] + "0"])
        elif kind == "drop":
            versions.pop(at)
        elif kind == "extra":
            versions.insert(at, self.pick(versions))
        else:
            self.r.shuffle(versions)

    def break_versions(self, row, case):
        pairs = row["trace"].get("versions") or []
        for _ in range(self.pick([1, 1, 2])):
            if not pairs:
                return
            at = self.r.randrange(len(pairs))
            kind = self.pick(["drop", "repeat", "repeat", "blank", "extra", "case", "blank twice"])
            if kind == "drop":
                pairs.pop(at)
            elif kind == "repeat":
                pairs.insert(self.r.randint(0, len(pairs)), [pairs[at][0], self.pick([pairs[at][1], "other", *BLANKS])])
            elif kind == "blank":
                pairs[at][1] = self.pick(BLANKS)
            elif kind == "blank twice":
                pairs[at][1] = self.pick(BLANKS)
                pairs.append([pairs[at][0], self.pick(BLANKS)])
            elif kind == "extra":
                pairs.append([self.pick(["router", "prompt", "\u00fcber"]), "v1"])
            else:
                pairs[at][0] = pairs[at][0].title()

    def break_case_id(self, row, case):
        trace = row["trace"]
        if row.get("case_id") is None:
            return
        if self.chance(0.3):
            self.remove(row, "case_id")  # then the trace's own id decides
            trace["case_id"] = case["id"]
        elif self.chance(0.4):
            self.remove(trace, "case_id")
        else:
            trace["case_id"] = self.pick(CASE_IDS + ["other", case["id"].upper(), case["id"] + "x"])
        row["nested"] = True

    def break_principal(self, row, case):
        trace = row["trace"]
        kind = self.pick(["absent", "none", "no user", "no groups", "user", "groups", "both"])
        principal = dict(trace.get("principal") or self.principal)
        if kind == "absent":
            trace.pop("principal", None)
        elif kind == "none":
            trace["principal"] = self.pick([None, {}, {"user": None}, {"groups": []}, {"user": None, "groups": None}])
        else:
            if kind == "no user":
                self.remove(principal, "user")
            if kind == "no groups":
                self.remove(principal, "groups", [])
            if kind in ("user", "both"):
                principal["user"] = self.pick(USERS)
            if kind in ("groups", "both"):
                principal["groups"] = self.some(GROUPS, 3)
            trace["principal"] = principal

    def break_ts(self, row, case):
        trace = row["trace"]
        bounds = [c[key] for c in self.chunks.values() for key in ("valid_from", "valid_until") if c.get(key) is not None]
        if self.chance(0.25):
            self.remove(trace, "ts")
        elif bounds and self.chance(0.8):
            shift = self.pick([0, 0, 0, Fraction(1, 10**9), Fraction(-1, 10**9), 1, -1, Fraction(-1, 1000)])
            trace["ts"] = self.time(release.moment(self.pick(bounds)) + shift)
        else:
            trace["ts"] = self.time(self.instant())

    def claims_of(self, row):
        claims = row["answer"].get("claims") if isinstance(row["answer"], dict) else None
        return claims if isinstance(claims, list) else []

    def break_answer(self, row, case):
        claims = self.claims_of(row)
        x = self.r.random()
        if x < 0.3 and claims:
            claims.pop(self.r.randrange(len(claims)))
        elif x < 0.45:
            claims.clear()
        elif x < 0.6:
            row["answer"] = self.pick(NO_ANSWER)
        elif x < 0.7 and isinstance(row["answer"], dict):
            self.remove(row["answer"], "claims", self.pick(NO_LIST))
        elif x < 0.85:
            claims.insert(self.r.randint(0, len(claims)), self.pick(NO_CLAIM))
        elif x < 0.9:
            claims.append({})
        elif claims:
            claims[self.r.randrange(len(claims))] = self.pick(NO_CLAIM)

    def break_claim(self, row, case):
        claims = [claim for claim in self.claims_of(row) if isinstance(claim, dict)]
        if not claims:
            return
        for claim in [self.pick(claims)] if self.chance(0.8) else claims:
            kind = self.pick(["citation", "citation", "no citation", "point", "phrases", "phrases", "spread", "case", "bare"])
            if kind == "citation":
                claim["citation_id"] = self.spell(self.pick([*self.chunks, *self.chunks, *UNKNOWN_IDS]))
            elif kind == "no citation":
                self.remove(claim, "citation_id", self.pick(NO_CITATION))
            elif kind == "point":
                if claim.get("answer_point") == "5":
                    claim["answer_point"] = 5
                elif self.chance(0.3):
                    self.remove(claim, "answer_point", self.pick([5, ["storage"], {}, True, ""]))
                else:
                    claim["answer_point"] = self.pick([*case["owners"], *POINTS, "aside"])
            elif kind == "phrases":
                if self.chance(0.2):
                    claim["support_phrases"] = []
                elif self.chance(0.2):
                    claim.pop("support_phrases", None)
                else:
                    claim["support_phrases"] = [*(claim.get("support_phrases") or [])[:1], self.pick(LOST_PHRASES + PHRASES)]
                self.own_point(claim, case)
            elif kind == "spread":
                context = [one for one in row["trace"].get("selected_context_ids") or [] if one in self.chunks]
                spread = context if self.chance(0.7) else self.some(self.chunks, 3)
                claim["support_phrases"] = [phrase for one in spread for phrase in self.phrases_of(one, 1)]
                self.own_point(claim, case)
            elif kind == "case":
                claim["support_phrases"] = [self.cased(p) for p in claim.get("support_phrases") or [self.pick(PHRASES)]]
                self.own_point(claim, case)
            else:
                claim.pop("text", None)
                claim.pop("claim_id", None)

    def own_point(self, claim, case):
        """Often a point for which gold has no phrases, so that the claim's own count."""
        if self.chance(0.5):
            claim["answer_point"] = "aside"

    # -------------------------------------------------------------------------------------------- a whole set

    def row(self, case, plan):
        row = self.clean_row(case, plan)
        if self.chance(plan["broken"]):
            breaks = [
                self.break_ids, self.break_ids, self.break_path, self.break_path, self.break_lists,
                self.break_selected_versions, self.break_versions, self.break_versions, self.break_case_id,
                self.break_principal, self.break_ts, self.break_answer, self.break_answer, self.break_claim,
                self.break_claim, self.break_claim, self.break_claim,
            ]
            for _ in range(self.pick([1, 1, 1, 2, 3])):
                self.pick(breaks)(row, case)
        nested = row.pop("nested", False) or not self.chance(plan["inline"])
        if self.chance(0.1):
            self.remove(row, "name", None)
        trace = row["trace"]
        pairs = trace.get("versions")
        if pairs is not None and self.chance(0.5):
            trace["versions"] = release.Obj([tuple(pair) for pair in pairs])
        if not nested:
            row |= {key: value for key, value in row.pop("trace").items() if key != "case_id"}
        self.label(row, case, plan)
        self.spell_row(row, row["trace"] if nested else row)
        self.spoil_unused(row, case, plan)
        if self.chance(0.05):
            row["note"] = "not read"
        return row

    def label(self, row, case, plan):
        """Controls carry their true outcome most of the time; in a tidy set every row does what is expected of it."""
        outcome = lambda: release.score_row(row, plan["gold"], self.chunks, plan["settings"])["released"]  # noqa: E731
        control = self.chance(plan["controls"])
        if plan["tidy"] and not control:
            control = not outcome()
        if control:
            row["should_release"] = True  # a control, whichever label follows
            row["should_release"] = outcome() if plan["tidy"] or self.chance(0.9) else self.chance(0.5)
        elif self.chance(0.03):
            row["should_release"] = None

    def spell_row(self, row, trace):
        for obj in (row, trace):
            if isinstance(obj.get("case_id"), str):
                obj["case_id"] = self.spell(obj["case_id"])
        for stage in release.STAGES:
            if trace.get(stage):
                trace[stage] = [one if isinstance(one, int) else self.spell(one) for one in trace[stage]]

    def spoil_unused(self, row, case, plan):
        """A malformed list of phrases where nobody may read it."""
        usable = plan["settings"].get("trust_claim_phrases") or row.get("should_release") is not None
        for claim in self.claims_of(row):
            if isinstance(claim, dict) and self.chance(0.04):
                point = claim.get("answer_point")
                gold = case["row"].get("points", {}).get(point) if isinstance(point, str) else None
                if gold or not usable:
                    claim["support_phrases"] = self.pick(NO_PHRASES)

    def near_the_limit(self, cases, plan):
        """Twenty rows of one case, of which 18, 19 or 20 do what their label says, and one row of each other case."""
        rows = [self.row(case, plan) for case in cases[:1] * 20 + cases[1:]]
        for row in self.r.sample(rows[:20], self.pick([0, 1, 1, 1, 2])):
            row["should_release"] = not row["should_release"]
        return rows

    def one_set(self):
        keys = self.pick([VERSION_KEYS] * 4 + [["retriever", "router"], ["index"], VERSION_KEYS[:3]])
        fields = self.pick([["workflow"]] * 4 + [["workflow", "region"], ["region"], []])
        plan = {
            "bad": self.pick([0, 0.1, 0.2]),
            "acl": self.pick([0, 0, 0.3, 0.7]),
            "window": self.pick([0, 0, 0.3, 0.7]),
            "gold_phrases": self.pick([1, 1, 1, 0.6, 0]),
            "fields": fields,
            "valued": self.pick([1, 1, 0.7]),
            "broken": self.pick([0, 0.3, 0.6, 0.9]),
            "controls": self.pick([0, 0.3, 0.7, 1]),
            "inline": self.pick([0, 0.3, 1]),
            "tidy": self.chance(0.5),
            "keys": self.shuffled(keys if self.chance(0.9) else VERSION_KEYS),
        }
        self.now = Fraction(self.pick([1_780_272_000, 1_780_272_000, 0, 951_782_400]))
        self.now += self.pick([0, 0, Fraction(1, 10), Fraction(123_456_789, 10**9)])
        self.principal = {"user": self.pick(USERS), "groups": self.r.sample(GROUPS, self.r.randint(0, 3))}
        self.evidence(plan)
        cases = [self.gold_case(one, plan) for one in self.r.sample(CASE_IDS, self.r.randint(1, 6))]
        near = self.chance(0.03)

        pairs = [["--evidence", "evidence.jsonl"], ["--gold", "gold.jsonl"]]
        if keys is not VERSION_KEYS or self.chance(0.05):
            pairs.append(["--version-keys", ",".join(keys)])
        if self.chance(0.2):
            pairs.append(["--trust-claim-phrases"])
        named = [field for field in fields if any(case["row"].get(field) is not None for case in cases)]
        if named and self.chance(0.5 if "region" in named else 0.1):
            pairs.append(["--slice", named[-1]])
        plan["settings"] = release.settings_from_args([word for pair in pairs for word in pair])[3]
        plan["gold"] = release.read_gold([case["row"] for case in cases])

        rows = []
        if near:
            rows = self.near_the_limit(cases, plan | {"tidy": True, "controls": 1})
        elif not self.chance(0.02):
            for case in cases:
                if not self.chance(0 if plan["tidy"] else 0.08):
                    rows += [self.row(case, plan) for _ in range(self.pick([1, 1, 2, 3, 5]))]
        if self.chance(0.7):
            self.r.shuffle(rows)
        files = {
            "evidence.jsonl": self.lines(self.shuffled(list(self.chunks.values()))),
            "gold.jsonl": self.lines([case["row"] for case in cases]),
        }
        cut = self.r.randint(0, len(rows)) if self.chance(0.2) else len(rows)
        files["cases.jsonl"] = self.lines(rows[:cut])
        traces = [["--trace", "cases.jsonl"]]
        if cut < len(rows):
            files["cases2.jsonl"] = self.lines(rows[cut:])
            traces.append(["--trace", "cases2.jsonl"])
        if self.chance(0.5):
            self.r.shuffle(pairs)
        at = self.r.randint(0, len(pairs))
        return files, [word for pair in pairs[:at] + traces + pairs[at:] for word in pair]


def in_doubt(gold, settings, rows, verdict):
    """What the text does not settle: a tie of the fourth decimal that no double holds, and cases without a slice value
    none of which has a row."""
    for value in verdict["figures"].values():
        if value is not None and (value * 20_000).denominator == 1 and (value * 10_000).denominator == 2:
            if value.denominator & (value.denominator - 1):
                return True
    field = settings.get("slice") or "workflow"
    without = {str(row["case_id"]) for row in gold if row.get(field) is None}
    return bool(without) and not without & {row["case_id"] for row in rows}


def main():
    parser = argparse.ArgumentParser(description="Random sets for `karat release` with the oracle's results.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--dir", type=Path, required=True)
    call = parser.parse_args()
    maker = Maker(random.Random(call.seed))
    number = 0
    while number < call.count:
        files, args = maker.one_set()
        evidence, gold, cases, settings = release.load(args, files.__getitem__)
        rows, verdict = release.score(evidence, gold, cases, settings)
        if in_doubt(gold, settings, rows, verdict):
            continue
        folder = call.dir / f"{number:05}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        expected = release.report(rows, verdict)
        (folder / "args.json").write_text(json.dumps(args, ensure_ascii=False), encoding="utf-8")
        (folder / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1), encoding="utf-8")
        number += 1


if __name__ == "__main__":
    main()
