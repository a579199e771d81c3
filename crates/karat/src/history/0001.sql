-- One row a suite run. What differs from suite to suite is JSON, as in a report; the view takes it apart.
CREATE TABLE runs (
    id          INTEGER PRIMARY KEY,                        -- the order in which runs were recorded
    time        TEXT NOT NULL,                              -- 2026-11-16T02:50:00Z
    commit_id   TEXT,                                       -- of the repository, where there is one
    name        TEXT NOT NULL,                              -- of the suite in karat.toml
    suite       TEXT NOT NULL,                              -- its kind: answers, retrieval, …
    karat       TEXT NOT NULL,                              -- the version that scored it
    gold        TEXT,                                       -- sha256:…, where the suite has gold
    verdict     TEXT NOT NULL,                              -- SHIP, NO-SHIP or INCONCLUSIVE
    settings    TEXT NOT NULL CHECK (json_valid(settings)),
    counts      TEXT NOT NULL CHECK (json_valid(counts)),
    metrics     TEXT NOT NULL CHECK (json_valid(metrics)),
    gates       TEXT NOT NULL CHECK (json_valid(gates))
) STRICT;

-- SELECT time, value FROM figures WHERE name = 'answers' AND metric = 'precision' ORDER BY run;
CREATE VIEW figures AS
    SELECT runs.id AS run, runs.time, runs.commit_id, runs.name, runs.verdict,
           metric.key AS metric,
           metric.value ->> 'value' AS value, metric.value ->> 'num' AS num, metric.value ->> 'den' AS den
    FROM runs, json_each(runs.metrics) AS metric;
