"""The same five figures as one DuckDB query over the files.

python3 bench/score_duckdb.py GOLD TRACE
"""

import json
import sys

import duckdb

QUERY = """
with gold as (
  select qid, answerable, gold_claim_substr as phrases, gold_citations as wanted
  from read_json(?, format = 'newline_delimited', columns = {
    qid: 'VARCHAR', answerable: 'BOOLEAN', gold_claim_substr: 'VARCHAR[]', gold_citations: 'VARCHAR[]'})
), trace as (
  select qid, retrieved_ids, answer_json.claim as claim, answer_json.citations as cited, row_number() over () as pos
  from read_json(?, format = 'newline_delimited', columns = {
    qid: 'VARCHAR', retrieved_ids: 'VARCHAR[]', answer_json: 'STRUCT(claim VARCHAR, citations VARCHAR[])'})
), last as (
  select qid, arg_max(retrieved_ids, pos) as retrieved, arg_max(claim, pos) as claim, arg_max(cited, pos) as cited
  from trace group by qid
), judged as (
  select gold.answerable, coalesce(last.qid is not null, false) as traced,
    trim(lower(coalesce(last.claim, ''))) = 'not in context' as refused,
    lower(coalesce(last.claim, '')) as claim, phrases, wanted,
    coalesce(last.cited, []) as cited, coalesce(last.retrieved, []) as retrieved
  from gold left join last using (qid)
), checked as (
  select *,
    traced and list_has_all(retrieved, cited)
      and case when len(wanted) > 0 then list_has_any(cited, wanted) else len(cited) = 0 end as hit,
    trim(claim) <> '' and (len(phrases) = 0
      or len(list_filter(phrases, lambda p: len(lower(p)) >= 5 and contains(claim, lower(p)))) > 0) as contained,
    traced and list_has_all(retrieved[1:5], wanted) as recalled
  from judged
)
select
  coalesce(count(*) filter (not refused and answerable and hit and contained) / nullif(count(*) filter (not refused), 0), 1),
  coalesce(count(*) filter (not refused and answerable and hit) / nullif(count(*) filter (not refused), 0), 1),
  coalesce(count(*) filter (not refused and not answerable) / nullif(count(*) filter (not answerable), 0), 0),
  coalesce(count(*) filter (refused and answerable) / nullif(count(*) filter (answerable), 0), 0),
  coalesce(count(*) filter (answerable and recalled) / nullif(count(*) filter (answerable), 0), 0)
from checked
"""

figures = duckdb.execute(QUERY, [sys.argv[1], sys.argv[2]]).fetchone()
names = ["precision", "chr", "under_refusal", "over_refusal", "recall@k"]
print(json.dumps({name: round(float(figure), 4) for name, figure in zip(names, figures)}))
