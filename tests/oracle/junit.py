"""Are the JUnit files sound? Each is held against an XML Schema and read by a reader that is not karat's.

usage: junit.py SCHEMA FILE...     needs lxml and junitparser
"""

import sys

import junitparser
from lxml import etree

KINDS = {"failures": junitparser.Failure, "errors": junitparser.Error, "skipped": junitparser.Skipped}

schema = etree.XMLSchema(etree.parse(sys.argv[1]))
files = sys.argv[2:]
assert files, "no file"
for name in files:
    # Names of entities or external files in a report would be an attack: nothing of the kind is resolved.
    tree = etree.parse(name, etree.XMLParser(resolve_entities=False, no_network=True))
    assert not tree.docinfo.doctype, f"{name}: a document type"
    schema.assertValid(tree)
    suites = list(junitparser.JUnitXml.fromfile(name))
    cases = [case for suite in suites for case in suite]
    count = {kind: sum(isinstance(r, made) for c in cases for r in c.result) for kind, made in KINDS.items()}
    root = tree.getroot()
    assert int(root.get("tests")) == len(cases), name
    for kind, n in count.items():
        assert int(root.get(kind)) == n, f"{name}: {kind}: {root.get(kind)} and {n}"
    print(f"{name}: {len(cases)} test cases, {count}")
