"""The same five figures as one lazy Polars query over the files.

python3 bench/score_polars.py GOLD TRACE
"""

import json
import sys

import polars as pl

strings = pl.List(pl.String)
gold = pl.scan_ndjson(sys.argv[1], schema={
    "qid": pl.String, "answerable": pl.Boolean, "gold_claim_substr": strings, "gold_citations": strings})
trace = pl.scan_ndjson(sys.argv[2], schema={
    "qid": pl.String, "retrieved_ids": strings, "answer_json": pl.Struct({"claim": pl.String, "citations": strings})})
last = trace.group_by("qid").last().with_columns(
    claim=pl.col("answer_json").struct.field("claim"),
    cited=pl.col("answer_json").struct.field("citations"),
    traced=pl.lit(True)).drop("answer_json")
empty = pl.lit([], dtype=strings)
rows = gold.join(last, on="qid", how="left").with_columns(
    pl.col("traced").fill_null(False),
    pl.col("claim").fill_null("").str.to_lowercase(),
    pl.coalesce("cited", empty).alias("cited"),
    pl.coalesce("retrieved_ids", empty).alias("retrieved"))
refused = pl.col("claim").str.strip_chars() == "not in context"
wanted, cited, retrieved = pl.col("gold_citations"), pl.col("cited"), pl.col("retrieved")
subset = lambda a, b: a.list.set_difference(b).list.len() == 0
hit = pl.col("traced") & subset(cited, retrieved) & pl.when(wanted.list.len() > 0).then(
    cited.list.set_intersection(wanted).list.len() > 0).otherwise(cited.list.len() == 0)
# One phrase a row in this data; Polars has no "contains any of this row's list" over strings.
phrase = pl.col("gold_claim_substr").list.first().str.to_lowercase()
contained = (pl.col("claim").str.strip_chars() != "") & pl.when(pl.col("gold_claim_substr").list.len() == 0).then(True).otherwise(
    (phrase.str.len_chars() >= 5) & pl.col("claim").str.contains(phrase, literal=True))
recalled = pl.col("traced") & subset(wanted, retrieved.list.head(5))
answerable = pl.col("answerable")
counts = rows.select(
    shipped=(~refused).sum(), right=(~refused & answerable & hit & contained).sum(),
    hits=(~refused & answerable & hit).sum(), under=(~refused & ~answerable).sum(), unanswerable=(~answerable).sum(),
    over=(refused & answerable).sum(), answerable=answerable.sum(), recalled=(answerable & recalled).sum(),
).collect().row(0, named=True)
rate = lambda num, den, empty: round(counts[num] / counts[den] if counts[den] else empty, 4)
print(json.dumps({
    "precision": rate("right", "shipped", 1.0), "chr": rate("hits", "shipped", 1.0),
    "under_refusal": rate("under", "unanswerable", 0.0), "over_refusal": rate("over", "answerable", 0.0),
    "recall@k": rate("recalled", "answerable", 0.0)}))
