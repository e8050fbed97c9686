#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""screening_sample.py FOLDER: an invented list with pairs and queries, for `bench-screening` without --data.

Everything is invented and the same at each run: families of syllables, given names that many people have, days of birth.
It shows speed and faults of the machinery. How well real names are found, only real lists can show.
"""
import csv
import pathlib
import random
import sys

GIVEN = (
    "Ahmed Ali Omar Hassan Fatima Layla Yusuf Ivan Dmitri Sergei Olga Natalia Andrei Maria Jose Carlos Lucia Ana Juan "
    "John William Robert Elizabeth Mary Thomas Anna Peter Karl Greta Hans Pierre Claire Michel Wei Ming Li Hiroshi Yuki "
    "Kwame Amina Chidi Ngozi Ravi Priya Arjun Mehmet Ayse Goran Milena Jan Katarzyna Piotr"
).split()
SYLLABLES = "an bar dov el fer gor hal im jor kas lin mar nov or pet qui ros sol tur ul ver wen xan yar zel".split()
ENDS = "berg dez ev ford ghan ini kov lund mann oglu ov quist ski son stein ton ulla vic wala zade".split()
FORMS = ["Ltd", "GmbH", "LLC", "S.A.", "OOO", "Inc", "AG", "Co"]
TRADES = ["Trading", "Shipping", "Holding", "Energy", "Logistics", "Industries", "Bank", "Group"]
NATIONS = "DE FR ES GB US RU UA TR IR IQ SY NG ZA CN JP IN PK PL RS BR".split()
ENTRIES, QUERIES, STRANGERS, PAIRS = 10_000, 400, 2_000, 400

chance = random.Random(27)


def family():
    return "".join(chance.choice(SYLLABLES) for _ in range(chance.choice((1, 2, 2, 3)))).capitalize() + chance.choice(ENDS)


def person():
    return [chance.choice(GIVEN) for _ in range(chance.choice((1, 1, 2)))] + [family()]


def born():
    return [chance.randint(1930, 2004), chance.randint(1, 12), chance.randint(1, 28)]


def iso(day):
    return "%04d-%02d-%02d" % tuple(day)


def slip(name):
    """One letter other, out, or in another's place, behind the first of the last word."""
    place = chance.randint(len(name) - len(name.split()[-1]) + 1, len(name) - 2)
    kind = chance.randrange(3)
    if kind == 0:
        return name[:place] + chance.choice("aeinorst") + name[place + 1:]
    if kind == 1:
        return name[:place] + name[place + 1:]
    return name[:place] + name[place + 1] + name[place] + name[place + 2:]


def typed(name):
    """A listed name as a customer may type it."""
    words = name.split()
    return chance.choice([name, slip(name), f"{words[-1]}, {' '.join(words[:-1])}", name.upper()])


def near(day):
    """A day of birth as a customer may type it."""
    day = list(day)
    if chance.random() < 0.2:
        part = chance.randrange(3)
        day[part] += chance.choice((-1, 1))
        day[1], day[2] = min(12, max(1, day[1])), min(28, max(1, day[2]))
    return iso(day)


def write(path, columns, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(columns)
        table.writerows(rows)


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "lists").mkdir(parents=True, exist_ok=True)
    entries, people, names = [], [], set()
    for number in range(ENTRIES):
        ref = f"INV-{number}"
        if number % 4 == 3:
            name = f"{family()} {chance.choice(TRADES)} {chance.choice(FORMS)}"
            entries.append([ref, "entity", name, "", "", chance.choice(NATIONS)])
            continue
        words, day, nation = person(), born(), chance.choice(NATIONS)
        name = " ".join(words)
        alias = slip(name) if chance.random() < 0.3 else ""
        entries.append([ref, "person", name, alias, iso(day), nation])
        people.append((ref, name, day, nation))
        names |= {(word, words[-1]) for word in words}
    write(folder / "lists" / "invented.csv", ["ref", "kind", "name", "aliases", "dob", "nationality"], entries)
    write(
        folder / "positives_invented.csv", ["query_name", "date_of_birth", "nationality", "expected_ref"],
        [[typed(name), near(day), nation, ref] for ref, name, day, nation in chance.sample(people, QUERIES)])
    strangers = []
    while len(strangers) < STRANGERS:
        words = person()
        if not any((word, words[-1]) in names for word in words):
            strangers.append([" ".join(words), iso(born()), chance.choice(NATIONS)])
    write(folder / "negatives_invented.csv", ["full_name", "date_of_birth", "nationality"], strangers)
    pairs = []
    for number in range(PAIRS):
        name = " ".join(person())
        same = number % 2 == 0
        pairs.append(["Person", name, typed(name) if same else " ".join(person()), str(same).lower(), ""])
    write(folder / "name_pairs.csv", ["schema", "name1", "name2", "is_match", "quality"], pairs)


if __name__ == "__main__":
    main()
