"""Writes the files of this example: python3 examples/retrieval/make.py

A handbook of eight chapters, forty questions, and the logs of two indexes. The shadow index finds second paragraphs that
the live one misses, so that its average recall is higher; and its chunker drops every table.
"""

import json
import pathlib
import random

FOLDER = pathlib.Path(__file__).parent
TOPICS = """bucket naming|object versions|retention of deleted objects|lifecycle rules|storage classes|upload limits
multipart uploads|checksums|signed links|access keys|key rotation|bucket policies|audit logs|encryption at rest
customer keys|replication|region failover|read consistency|list pagination|event notifications|webhook retries
inventory reports|usage metering|invoices|quota increases|rate limits|backoff|error codes|request tracing|client timeouts
connection pooling|command line setup|configuration profiles|proxy settings|private endpoints|static websites|custom domains
certificate renewal|migration from tape|account closure""".replace("\n", "|").split("|")
TABLES = {"storage classes", "upload limits", "quota increases", "rate limits", "error codes", "usage metering"}
CODE = {"multipart uploads", "signed links", "backoff", "command line setup", "configuration profiles"}
FIGURES = {"replication", "region failover", "private endpoints"}
KINDS = {"p": "prose", "t": "table", "c": "code", "f": "figure"}


def write(name, rows):
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def handbook():
    """The blocks of the handbook by topic, in reading order."""
    at, number, sections = 0, 0, {}
    for i, topic in enumerate(TOPICS):
        tags = "pp" + ("t" if topic in TABLES else "") + ("c" if topic in CODE else "") + ("f" if topic in FIGURES else "")
        blocks = []
        for tag in tags:
            section, length = f"S.{i // 5 + 1}.{i % 5 + 1}", 400 + 37 * number % 500
            block = {"id": f"{section}.{tag}.Bk{number:03}", "offsets": [at, at + length], "type": KINDS[tag], "section_id": section}
            blocks.append(block)
            at, number = at + length + 12, number + 1
        sections[topic] = blocks
    return sections


def question(i, topic, blocks):
    first, second, *rest = blocks
    relevant = [first["id"]] + [block["id"] for block in rest] + ([second["id"]] if i % 4 == 3 and not rest else [])
    return {
        "qid": f"H-{i + 1:02}",
        "paraphrases": [f"How do {topic} work?", f"Explain {topic} to me."],
        "relevant": relevant,
        "anchor_section": first["section_id"],
        "content": sorted({block["type"] for block in blocks if block["id"] in relevant}),
    }


def log(gold, sections, index_hash, finds, rand):
    """A run for each paraphrase; `finds` says which relevant blocks the index returns."""
    by_id = {block["id"]: block for blocks in sections.values() for block in blocks}
    for row in gold:
        for query in row["paraphrases"]:
            found = [by_id[i] for i in row["relevant"] if finds(row, by_id[i])]
            others = rand.sample([block for block in by_id.values() if block["id"] not in row["relevant"] and block["type"] != "table"], 7)
            ranking = found + others
            yield {
                "qid": row["qid"], "query": query, "seed": 0, "index_hash": index_hash,
                "topk": [{"id": block["id"], "score": round(0.95 - 0.06 * rank, 2), "type": block["type"]} for rank, block in enumerate(ranking)],
                "ΔS": [round(0.18 + 0.05 * rank + rand.random() / 20, 4) for rank in range(len(ranking))],
                "λ_state": "→",
                "answer_citations": [{"id": block["id"], "offsets": block["offsets"]} for block in found],
            }


def main():
    sections = handbook()
    gold = [question(i, topic, blocks) for i, (topic, blocks) in enumerate(sections.items())]
    write("gold.jsonl", gold)
    write("blocks.jsonl", [block for blocks in sections.values() for block in blocks])
    live = lambda row, block: block["type"] != "prose" or block["id"] == row["relevant"][0]
    shadow = lambda row, block: block["type"] != "table"
    write("live.jsonl", log(gold, sections, "faiss:v3:hnsw:cos", live, random.Random(3)))
    write("shadow.jsonl", log(gold, sections, "faiss:v4:hnsw:cos", shadow, random.Random(4)))


main()
