# SPDX-License-Identifier: Apache-2.0
"""What schemathesis cannot know by itself: who calls with what. Loaded by scripts/attack-api.

Each call gets the credentials of its operation's security scheme. Tokens are fetched anew before they expire; a call
that ends a session or uses up a token has one of its own, so that the calls after it are still signed in.
"""
import contextlib
import datetime
import html.parser
import http.cookiejar
import os
import pathlib
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request

import schemathesis
from attack_accounts import (
    ADDRESS, KNOWN, KNOWN_IDS, KNOWN_LINKS, KNOWN_QUERIES, ROLES, address, agent, basic, customer, device_that_waits,
    device_v1, device_v2, get, post, shopper, signed, user)
from attack_device import Devices, opened

TOKEN_SECONDS = 240
# What ends the session of its caller.
ENDING = ("revoke", "v1/connections", "logout", "signOut", "refresh", "resetPassword", "cancel", "sign-out")
TOKENS = {}
# Pages of staff that list things, each with a link to its own page.
LISTS = ("/console/queue", "/console/records/applications", "/console/records/memberships",
         "/console/records/users", "/console/records/accounts", "/console/records/sca", "/console/webhooks")
CHANCE = random.Random(int(os.environ["ATTACK_SEED"]))


def ends_session(path):
    """The page that locks is told by its whole path: `lockCard` ends no session."""
    return path == "/console/lock" or any(word in path for word in ENDING)


class Field:
    """What a form has for a name: how it is typed, what stands there before, and what can be chosen."""

    def __init__(self, kind, value, is_ticked):
        self.kind, self.value, self.is_ticked, self.options = kind, value, is_ticked, []

    def answer(self, name, day):
        """What a reader would send who means it; None for a box that is not ticked.

        Args:
            day: from which on dates are, so that the last day of a time is not before its first.
        """
        if self.kind == "checkbox":
            return (self.value or "on") if self.is_ticked or CHANCE.random() < 0.5 else None
        if self.options:
            return CHANCE.choice(self.options)
        if self.value:
            return self.value
        is_end = any(word in name for word in ("until", "to", "closes", "last", "end"))
        return {"date": (day + datetime.timedelta(int(is_end))).isoformat(), "time": "17:00" if is_end else "09:00",
                "email": "ada@b.example", "number": "12", "tel": "+96550000000"}.get(self.kind, "Ada")


class Forms(html.parser.HTMLParser):
    """The forms of a page: their fields by name, by where they are sent."""

    def __init__(self, page):
        super().__init__()
        self.forms, self.fields, self.choosing = {}, {}, ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form":
            self.fields = self.forms.setdefault(values.get("action"), {})
        elif values.get("name") and tag != "option":
            self.choosing = values["name"]
            field = self.fields.setdefault(
                values["name"], Field(values.get("type", tag), values.get("value") or "", "checked" in values))
            if field.kind == "radio":
                field.options.append(values.get("value") or "on")
        elif tag == "option" and values.get("value") and self.choosing in self.fields:
            self.fields[self.choosing].options.append(values["value"])


class Browser:
    """A browser that is signed in on pages of the server: its cookies, and what its forms carry."""

    def __init__(self, base, sign_in, fields):
        jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        _, page = self.load(base)
        fields = dict(fields, csrf=self.form(page))
        path, page = self.load(sign_in, urllib.parse.urlencode(fields).encode())
        if path == sign_in:
            raise RuntimeError("the sign-in at %s is refused" % sign_in)
        self.cookie = "; ".join("%s=%s" % (cookie.name, cookie.value) for cookie in jar)
        self.csrf, self.pages = self.form(page), {}

    def load(self, path, body=None):
        request = urllib.request.Request(ADDRESS + path, body, {"x-forwarded-for": address()})
        with self.opener.open(request, timeout=120) as answer:
            return urllib.parse.urlsplit(answer.url).path, answer.read().decode()

    def fields(self, path):
        """Of a form that is sent to a path: on the page of that path, or on one above it."""
        above = path
        while above:
            # What was entered in a calendar stands in its forms.
            if above not in self.pages or above.startswith(CALENDAR):
                query = urllib.parse.urlencode(KNOWN_QUERIES.get(above, {}))
                try:
                    self.pages[above] = Forms(self.load(above + (query and "?" + query))[1]).forms
                except urllib.error.HTTPError:
                    self.pages[above] = {}
            if path in self.pages[above]:
                return self.pages[above][path]
            above = above.rpartition("/")[0]
        return {}

    def prepare(self, path):
        """Makes what a form of the calendar is about: a customer to call, a leave to take back."""
        if path == CALENDAR + "/book":
            made_by(customer, False)
            day = datetime.date.today() + datetime.timedelta(CHANCE.randrange(1, 7))
            KNOWN_QUERIES[path] = {"customer": KNOWN_IDS["/api/v1/onboarding/customers/"][0], "reason": "help",
                                   "day": day.isoformat()}
        elif path == CALENDAR + "/leave/remove" and not self.fields(path):
            # Of this week, which is the one that the page shows.
            days = {"from": datetime.date.today().isoformat(), "until": datetime.date.today().isoformat()}
            entered = dict(answers(self.fields(CALENDAR + "/leave")), **days)
            with contextlib.suppress(urllib.error.HTTPError):
                self.load(CALENDAR + "/leave", urllib.parse.urlencode(dict(entered, csrf=self.csrf)).encode())

    @staticmethod
    def form(page):
        return re.search(r'name="csrf" value="([^"]+)"', page)[1]


def administrator():
    """On the console, with every permission, and customers to look at."""
    for maker in (customer, user, shopper):
        made_by(maker, False)
    browser = Browser("/console/sign-in", "/console/sign-in", ROLES["administrator"])
    # The colleague: who changes the administrator ends the session.
    rows = browser.load("/console/staff")[1].split("<tr")
    members = [re.search(r'href="/console/staff/([0-9a-f-]{36})"', row) for row in rows if "colleague@" in row]
    KNOWN["member"] = [found[1] for found in members if found]
    for page in LISTS:
        for start, name in re.findall(r'href="(/console/[a-z/]+/)([0-9A-Za-z-]{8,64})["?]', browser.load(page)[1]):
            if any(letter.isdigit() for letter in name):
                KNOWN_LINKS.setdefault(start, []).append(name)
    return {"browser": browser}


def bank_customer():
    return {"browser": Browser("/demo-bank", "/demo-bank/sign-in", ROLES["demoBank"])}


# Whose pages they are, by the beginning of the path. Who is not signed in is only sent to the sign-in.
PAGES = {"/console": administrator, "/demo-bank": bank_customer}
# What is typed into forms.
TYPED = ["", "Ada", "a@b.example", "2026-03-01", "10:00", "12", "-1", "x" * 5000, "<b>\"'&\u202e\u0000", "on",
         "00000000-0000-0000-0000-000000000000", "en"]
# Forms that asked for the administrator's password.
GUESSES = []
CALENDAR = "/console/calendar"
# Forms that were sent once as their reader would have, so that each operation is reached at least once.
MEANT = set()
# What is called by somebody who is not signed in.
ENTRANCES = ("/console/sign-in", "/console/first-run/", "/console/invitation/", "/console/openid/", "/demo-bank/sign-in",
             "/demo-bank/enrol", "/demo-bank/webhook")

MAKERS = {
    "customerToken": customer, "customerRefresh": customer, "agentToken": agent, "agentRefresh": agent,
    "finapticBearer": user, "oneAssistToken": shopper, "saltEdgeToken": device_v1,
}


def token(scheme, is_ending, is_v2=False):
    maker = MAKERS[scheme]
    if maker is device_v1 and is_v2:
        maker = device_v2
    return made_by(maker, is_ending)[scheme]


def made_by(maker, is_ending):
    """What a maker makes: anew for a call that ends it, else for as long as tokens are good."""
    if is_ending:
        return maker()
    made, at = TOKENS.get(maker, (None, 0))
    if time.monotonic() - at > TOKEN_SECONDS:
        made, at = maker(), time.monotonic()
        TOKENS[maker] = (made, at)
    return made


def answers(fields):
    """What a reader would send who fills a form in and means it."""
    day = datetime.date.today() + datetime.timedelta(CHANCE.randrange(1, 300))
    sent = {name: field.answer(name, day) for name, field in fields.items()}
    return {name: value for name, value in sent.items() if value is not None}


def browse(case):
    """The cookies of whose pages they are, and in most forms what shows that they are of this browser."""
    path = case.operation.path
    maker = next((maker for start, maker in PAGES.items() if path == start or path.startswith(start + "/")), None)
    if not maker or path.startswith(ENTRANCES):
        return
    browser = made_by(maker, ends_session(path))["browser"]
    case.headers["Cookie"] = browser.cookie
    # The desk may block the user whose app calls next: that one is another.
    if path.endswith("/acts"):
        TOKENS.pop(user, None)
    is_first = path not in MEANT
    if case.method == "POST" and (is_first or CHANCE.random() < 0.8):
        MEANT.add(path)
        browser.prepare(path)
        fields = browser.fields(case.formatted_path)
        sent = dict(answers(fields), csrf=browser.csrf)
        # What the reader would have typed; in half of the forms now and then something else.
        if not is_first and CHANCE.random() < 0.5:
            for name in sent.keys() - {"csrf"}:
                if not fields[name].value or CHANCE.random() < 0.2:
                    sent[name] = CHANCE.choice(TYPED)
        # Ten wrong passwords lock the administrator out, and with them every session that is begun later.
        # A form that was not found on its page is sent without one, which counts as wrong.
        if "current" in sent or path.startswith("/console/account/") and not path.endswith("/display"):
            GUESSES.append(path)
            if len(GUESSES) > int(os.environ["ATTACK_GUESSES"]):
                sent["csrf"] = ""
        case.body = sent


def client(path):
    clients = ROLES["clientBasic"]
    if path.startswith("/partner/"):
        path = "/OASYS/"
    starts = [start for start in clients if path.startswith(start)]
    # The longest beginning is the nearest: a bank has a client for each of its systems.
    return clients[max(starts, key=len)] if starts else None


def headers(path, scheme):
    """The headers of a scheme, or none when the role is another kind of proof, which stays out of this."""
    if scheme == "clientBasic":
        pair = client(path)
        return {"Authorization": basic(pair)} if pair else {}
    if scheme == "partnerBasic":
        return {"Authorization": basic(ROLES["partnerBasic"])}
    if scheme == "finapticKey":
        return {"X-Client-Key": ROLES["finapticKey"]}
    if scheme == "saltEdgeBank":
        return {"provider-id": ROLES["remoteProvider"]}
    if scheme not in MAKERS:
        return {}
    value = token(scheme, ends_session(path), "/v2/" in path)
    if scheme == "finapticBearer":
        return {"Authorization": "Bearer " + value}
    name = {"customerRefresh": "x-refresh-token", "agentRefresh": "x-refresh-token", "oneAssistToken": "token",
            "saltEdgeToken": "Access-Token"}
    return {name.get(scheme, "x-access-token"): value}


def place(values, share):
    """Names things that are there in that share of the calls, so that these do not all end as not found."""
    for name in set(values) & set(KNOWN):
        if CHANCE.random() < share:
            values[name] = CHANCE.choice(KNOWN[name])


def specimens():
    """Pictures of documents that can be read, where the program that draws them was there."""
    folder = ROLES.get("specimens")
    return {file.name: file.read_bytes() for file in pathlib.Path(folder).iterdir()} if folder else {}


def devices():
    """Devices of PowerAuth, and what is called with."""
    if not DEVICES:
        back_end = [("authorization", basic(ROLES["clientBasic"]["/api/v1/powerauth/"]))]
        DEVICES.append(Devices(
            ADDRESS, ROLES["application"],
            lambda path, body=None: get(path, back_end) if body is None else post(path, body, back_end)[1],
            lambda: {"x-forwarded-for": address()}, CHANCE, specimens()))
    return DEVICES[0]


DEVICES = []
# How many cases of the borders of each operation were offered.
BORDERS = {}
# Operations that were called.
CALLED = set()


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """What is inside of an envelope is drawn, and the envelope is made when the call is sent."""
    opened(raw_schema)


@schemathesis.hook
def filter_case(context, case):
    """All of the first borders of an operation, and of the others fewer and fewer: an operation has hundreds."""
    if case.meta is None or case.meta.phase.name.value != "coverage":
        return True
    label, most = case.operation.label, int(os.environ["ATTACK_BORDERS"])
    BORDERS[label] = BORDERS.get(label, 0) + 1
    return CHANCE.random() < most / BORDERS[label]


@schemathesis.hook
def before_call(context, case, kwargs):
    # Credentials first: an id of what was made with them goes with them. With several alternatives the last that has
    # the most proofs: a user rather than only an app.
    demands = case.operation.definition.raw.get("security") or []
    proofs = {}
    for scheme in max(demands, key=len, default={}):
        proofs.update(headers(case.operation.path, scheme))
    if any(part in case.operation.path for part in ("/connect-links/", "/authenticator/approval")):
        device_that_waits()
    # The first call of an operation is about things that are there.
    is_first = case.operation.label not in CALLED
    share = 1 if is_first else 0.6
    CALLED.add(case.operation.label)
    if case.operation.path.startswith("/console"):
        made_by(administrator, False)
    for start, values in KNOWN_LINKS.items():
        named = re.match(re.escape(start) + r"\{(\w+)\}", case.operation.path)
        if named and CHANCE.random() < share:
            case.path_parameters[named[1]] = CHANCE.choice(values)
    if share == 1 and isinstance(case.path_parameters, dict):
        place(case.path_parameters, share)
    browse(case)
    for values in (case.path_parameters, case.query, case.body):
        if isinstance(values, dict):
            place(values, share)
    for start, values in KNOWN_IDS.items():
        if case.operation.path.startswith(start + "{id}") and CHANCE.random() < share:
            case.path_parameters["id"] = CHANCE.choice(values)
    if case.operation.path in KNOWN_QUERIES and CHANCE.random() < share:
        case.query.update(KNOWN_QUERIES[case.operation.path])
    case.headers["x-forwarded-for"] = address()
    if case.operation.path.startswith(("/enrollment-", "/api/v1/powerauth/")):
        devices().prepare(case, kwargs, is_first, share)
        devices().about(case, share)
    if {"saltEdgeToken": []} in demands or {"saltEdgeBank": []} in demands:
        kwargs["auth"] = signed
        if isinstance(case.body, dict) and "exp" in case.body:
            case.body["exp"] = int(time.time()) + 60
    case.headers.update(proofs)


@schemathesis.check
def encrypted_answer_is_read(context, response, case):
    """What a device cannot decrypt was answered to it in vain."""
    assert not DEVICES or DEVICES[0].read(response), "the device cannot read the encrypted answer"
