#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""screening_peer.py FOLDER SAMPLE: what nomenklatura's logic matchers find and how fast, as JSON.

Reads the folder that `gatehouse-lab bench screening` reads. Name pairs are compared one by one. For whole searches a
plain index of words and of their first four letters hands the best 50 people to the matcher, as yente's search engine
does; only persons are searched. Processor time of this one thread is counted, without HTTP and without that engine.
"""
import collections
import csv
import itertools
import json
import math
import pathlib
import re
import sys
import time
import unicodedata

from followthemoney import ValueEntity, model
from nomenklatura.matching import get_algorithm

THRESHOLD = 0.70
CANDIDATES = 50
MONTHS = {m: n for n, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
IDS = itertools.count()


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def date(text):
    words = text.strip().lower().split()
    if len(words) == 3 and words[1][:3] in MONTHS and words[0].isdigit():
        return f"{words[2]}-{MONTHS[words[1][:3]]:02d}-{int(words[0]):02d}"
    return text.strip() if re.fullmatch(r"\d{4}(-\d\d){0,2}", text.strip()) else None


def entity(schema, names, births=(), countries=()):
    # Analyses of names are kept by id, so that every entity needs one of its own.
    found = ValueEntity(model.get(schema), {"id": f"e{next(IDS)}"})
    for name in names:
        found.add("name", name)
    for birth in filter(None, map(date, births)):
        found.add("birthDate", birth)
    for country in filter(None, countries):
        found.add("nationality", country)
    return found


def fold(text):
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return set(re.findall(r"\w+", plain))


def parts(field):
    return [part.strip() for part in (field or "").split(";") if part.strip()]


class People:
    """The persons of all lists, with an index of words."""

    def __init__(self, folder):
        self.entities, self.refs, self.words = [], [], collections.defaultdict(list)
        for path in sorted((folder / "lists").glob("*.csv")):
            for row in rows(path):
                if row.get("kind", "person").lower() not in ("person", "individual", ""):
                    continue
                names = [row["name"]] + parts(row.get("original_script")) + parts(row.get("aliases"))
                number = len(self.entities)
                self.entities.append(entity("Person", names, parts(row.get("dob")), parts(row.get("nationality"))))
                self.refs.append(row["ref"])
                words = set().union(*map(fold, names))
                for word in words | {"#" + word[:4] for word in words if len(word) > 3}:
                    self.words[word].append(number)

    def candidates(self, name):
        weights = collections.Counter()
        for word in fold(name):
            for key, weight in ((word, 2.0), ("#" + word[:4], 1.0)):
                listed = self.words.get(key, ())
                if listed:
                    rare = weight * math.log(1 + len(self.entities) / len(listed))
                    for number in listed:
                        weights[number] += rare
        return [number for number, _ in weights.most_common(CANDIDATES)]


def area(scored):
    scored = sorted(scored)
    ranks, start = 0.0, 0
    while start < len(scored):
        end = start
        while end < len(scored) and scored[end][0] == scored[start][0]:
            end += 1
        ranks += sum(true for _, true in scored[start:end]) * (start + end + 1) / 2
        start = end
    true = sum(true for _, true in scored)
    false = len(scored) - true
    return (ranks - true * (true + 1) / 2) / (true * false) if true and false else 0.0


def main():
    folder, sample = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    people = People(folder)
    pairs = rows(folder / "name_pairs.csv")
    stems = sorted(path.stem for path in folder.glob("*.csv"))
    tables = [s for s in stems if s.startswith("positives")]
    tables += [s for s in stems if s.startswith("negatives") and f"{s}_5k" not in stems]
    results = []
    for name in ("logic-v2", "logic-v1"):
        matcher = get_algorithm(name)
        config = matcher.default_config()

        def score(one, other):
            return float(matcher.compare(one, other, config).score)

        scored = []
        wrong = 0
        for row in pairs:
            value = score(entity(row["schema"], [row["name1"]]), entity(row["schema"], [row["name2"]]))
            true = row["is_match"].lower() == "true"
            scored.append((value, true))
            wrong += row.get("quality") == "STRONG" and (value >= THRESHOLD) != true
        hits = [true for value, true in scored if value >= THRESHOLD]
        precision = sum(hits) / max(1, len(hits))
        recall = sum(hits) / max(1, sum(true for _, true in scored))
        found = positives = alarms = negatives = searches = 0
        begun = time.process_time()
        for table in tables:
            for row in rows(folder / f"{table}.csv")[:sample]:
                asked = row.get("query_name") or row["full_name"]
                query = entity("Person", [asked], [row.get("date_of_birth", "")], [row.get("nationality", "")])
                best = [(score(query, people.entities[n]), n) for n in people.candidates(asked)]
                flagged = {people.refs[n] for value, n in best if value >= THRESHOLD}
                searches += 1
                expected = set(filter(None, (row.get("expected_ref") or "").split("|")))
                if expected:
                    positives += 1
                    found += bool(expected & flagged)
                elif table.startswith("negatives"):
                    negatives += 1
                    alarms += bool(flagged)
        results.append({
            "matcher": name, "threshold": THRESHOLD, "precision": precision, "recall": recall,
            "f1": 2 * precision * recall / max(1e-9, precision + recall), "auc": area(scored), "strongWrong": wrong,
            "found": found, "positives": positives, "alarms": alarms, "negatives": negatives,
            "rate": searches / (time.process_time() - begun), "sample": sample,
        })
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
