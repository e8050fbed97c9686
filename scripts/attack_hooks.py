# SPDX-License-Identifier: Apache-2.0
"""What schemathesis cannot know by itself: who calls. Loaded by scripts/attack-api.

Each call gets the credentials of its operation's security scheme. Tokens are fetched anew before they expire; a call
that ends a session or uses up a token has one of its own, so that the calls after it are still signed in.
"""
import base64
import contextlib
import datetime
import html.parser
import http.cookiejar
import json
import os
import pathlib
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

import schemathesis
from attack_device import Devices, opened
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

ROLES = json.load(open(os.environ["ATTACK_ROLES"]))
ADDRESS = os.environ["ATTACK_ADDRESS"]
PASSWORD = "Aa7-" + uuid.uuid4().hex
TOKEN_SECONDS = 240
# What ends the session of its caller.
ENDING = ("revoke", "v1/connections", "logout", "signOut", "refresh", "resetPassword", "cancel", "sign-out")
TOKENS = {}
# Names of parameters and members, and things of the callers that they could mean.
KNOWN = {"provider": [ROLES["provider"]], "bank": ["bank"], "provider_id": [ROLES["provider"]]}
# Ids by the beginning of the path.
KNOWN_IDS = {"/api/authenticator/v2/configurations/": [ROLES["provider"]]}
# Queries of pages by their path.
KNOWN_QUERIES = {}
# Names of things with pages of their own, by what stands before them in the path.
KNOWN_LINKS = {}
# Pages of staff that list things, each with a link to its own page.
LISTS = ("/console/queue", "/console/records/applications", "/console/records/memberships",
         "/console/records/users", "/console/records/accounts", "/console/records/sca", "/console/webhooks")
DEVICE = serialization.load_pem_private_key(open(ROLES["key"], "rb").read(), None)
CHANCE = random.Random(int(os.environ["ATTACK_SEED"]))


def ends_session(path):
    """The page that locks is told by its whole path: `lockCard` ends no session."""
    return path == "/console/lock" or any(word in path for word in ENDING)


def address():
    """Where a call seems to come from: limits by address would soon end the run."""
    return "10.%d.%d.%d" % tuple(uuid.uuid4().bytes[:3])


def post(path, body, headers=()):
    request = urllib.request.Request(
        ADDRESS + path, json.dumps(body).encode(),
        {"content-type": "application/json", "x-forwarded-for": address(), **dict(headers)})
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
        return dict((k.lower(), v) for k, v in answer.headers.items()), json.loads(text) if text else None


def get(path, headers=()):
    request = urllib.request.Request(ADDRESS + path, headers={"x-forwarded-for": address(), **dict(headers)})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def basic(pair):
    return "Basic " + base64.b64encode(":".join(pair).encode()).decode()


def customer():
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    number = uuid.uuid4().int
    headers, made = post("/api/v1/onboarding/auth/register", {
        "device_id": str(uuid.uuid4()).upper(), "platform": "ios", "contact_no": "+9655%07d" % (number % 10**7),
        "email": "c%d@utopia.example" % (number % 10**12), "locale": "en",
        "consents": [{"code": code, "version": "2026-01", "accepted_at": now} for code in ("terms", "biometrics")]})
    KNOWN_IDS["/api/v1/onboarding/customers/"] = [made["id"]]
    token = [("x-access-token", headers["x-access-token"])]
    # A call for help, while there are free times; the agent starts and ends it.
    if slots := get("/api/v1/onboarding/agents/slots", token)["slots"]:
        _, call = post("/api/v1/onboarding/agents/appointments",
                       {"call_time": slots[0]["start"], "reason": "help"}, token)
        KNOWN_IDS["/api/v1/onboarding/agents/calls/"] = [call["id"]]
    return {"customerToken": headers["x-access-token"], "customerRefresh": headers["x-refresh-token"]}


def agent():
    """An agent, and a customer to look at."""
    customer()
    headers, _ = post("/api/v1/onboarding/agents/auth/token", ROLES["agent"])
    return {"agentToken": headers["x-access-token"], "agentRefresh": headers["x-refresh-token"]}


def user():
    """A customer of Finaptic with an account, some money and a card, signed in."""
    name = uuid.uuid4().hex[:12]
    credential = {"email": name + "@utopia.example", "username": name, "password": PASSWORD}
    key = [("x-client-key", ROLES["finapticKey"])]

    def call(path, body, headers=key):
        return post("/finaptic/v1/" + path, body, headers)[1]

    begun = call("onboarding/initiateApplication", {"bundle_id": "attackV1"})
    application = {"onboarding_application_id": begun["basic_details"]["application_id"]}
    call("onboarding/updatePersonalDetails", {**application, "customer_personal_details": {
        "first_name": "Ada", "last_name": "Byron", "date_of_birth": "1982-09-04"}})
    call("onboarding/updateContactDetails", {**application, "customer_contact_details": {
        "contact_phone_number": {"sms_compatible": True, "number": "+15141234567"},
        "customer_email": credential["email"]}})
    call("onboarding/acceptApplication", application)
    call("authentication/signUp", {"credential": credential})

    def signed_in():
        state = call("authentication/signIn", {"credential": credential})
        return state["access_token"], key + [("authorization", "Bearer " + state["access_token"])]

    _, headers = signed_in()
    made = call("onboarding/finalizeApplicationCreateCustomer", application, headers)
    token, headers = signed_in()
    opened = call("onboarding/finalizeApplicationCreateProduct", application, headers)
    KNOWN.update(customer_id=[made["customer_id"]], application_id=list(application.values()),
                 onboarding_application_id=list(application.values()))
    KNOWN["account_id"] = [product["product_id"] for product in opened["products"]]
    KNOWN["card_id"] = KNOWN["source_account_id"] = KNOWN["destination_account_id"] = KNOWN["account_id"]
    KNOWN_IDS["/api/v1/finaptic/accounts/"] = KNOWN_LINKS["/console/records/accounts/"] = KNOWN["account_id"]
    tests = [("authorization", basic(ROLES["clientBasic"]["/finaptic/sandbox/"]))]
    post("/finaptic/sandbox/v1/deposits", {
        "account_id": KNOWN["account_id"][0], "amount": {"amount": "500", "currency": "CAD"}}, tests)
    return {"finapticBearer": token}


def shopper():
    day = datetime.date.today()
    asset = {"productCode": "MP01", "assetMake": "Apple", "assetModel": "iPhone 14", "invoiceValue": 60000,
             "invoiceDate": (day - datetime.timedelta(1)).strftime("%d-%b-%Y")}
    seller = [("authorization", basic(ROLES["clientBasic"]["/OASYS/"]))]
    _, sold = post("/OASYS/webservice/rest/customer/onboardCustomer", {
        "initiatingSystem": 12, "customerInfo": [{
            "firstName": "Asha", "lastName": "Rao", "emailId": "asha@mail.example", "mobileNumber": "9876543210",
            "gender": "F", "relationship": "self", "customerdob": "01-Feb-1990", "assetInfo": [asset]}],
        "orderInfo": {"planCode": 729, "partnerCode": 853, "partnerBUCode": 1552, "applicationNo": uuid.uuid4().hex,
                      "applicationDate": day.strftime("%d-%b-%Y")},
        "paymentInfo": {"paymentMode": "COD"}}, seller)
    _, answer = post("/partner/v1/generateToken", {"orderUUID": sold["orderUUID"]}, seller)
    return {"oneAssistToken": answer["token"]}


def public_text(key):
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def encrypted(text, key):
    """For the owner of a key: AES-256-CBC, key and IV by RSA."""
    secret, iv = os.urandom(32), os.urandom(16)
    fill = 16 - len(text) % 16
    cipher = Cipher(algorithms.AES(secret), modes.CBC(iv)).encryptor()
    parts = {"key": key.encrypt(secret, padding.PKCS1v15()), "iv": key.encrypt(iv, padding.PKCS1v15()),
             "data": cipher.update(text.encode() + bytes([fill]) * fill) + cipher.finalize()}
    return {name: base64.b64encode(part).decode() for name, part in parts.items()}


def connect_query(version, needs_approval=False):
    """By the bank's link for a customer who is signed in there already."""
    bank = [("authorization", basic(ROLES["clientBasic"]["/api/v1/saltedge/"]))]
    path = "/api/v1/saltedge/providers/%s/connect-links" % ROLES["provider"]
    wish = {"user_id": uuid.uuid4().hex, "api_version": version, "needs_approval": needs_approval}
    return post(path, wish, bank)[1]["connect_query"]


def device_that_waits():
    """A device of version 1 that came with a link that the bank is to approve."""
    KNOWN["connect_query"] = [connect_query(1, needs_approval=True)]
    _, answer = post("/saltedge/bank/api/authenticator/v1/connections", {"data": {
        "public_key": public_text(DEVICE.public_key()), "return_url": "authenticator://oauth/redirect",
        "platform": "ios", "connect_query": KNOWN["connect_query"][0]}})
    page = urllib.parse.urlsplit(answer["data"]["connect_url"])
    KNOWN_QUERIES[page.path] = {"session": urllib.parse.parse_qs(page.query)["session"][0]}


def device_v1():
    """A device of the Authenticator, connected by version 1."""
    _, answer = post("/saltedge/bank/api/authenticator/v1/connections", {"data": {
        "public_key": public_text(DEVICE.public_key()), "return_url": "authenticator://oauth/redirect",
        "platform": "ios", "connect_query": connect_query(1)}})
    return {"saltEdgeToken": answer["data"]["access_token"]}


def device_v2():
    """The same by version 2, where the token comes encrypted for the device."""
    bank = get("/api/authenticator/v2/configurations/" + ROLES["provider"])["data"]
    key = serialization.load_pem_public_key(bank["provider_public_key"].encode())
    _, answer = post("/api/authenticator/v2/connections", {"data": {
        "provider_id": bank["provider_id"], "return_url": "authenticator://oauth/redirect", "platform": "ios",
        "connect_query": connect_query(2), "enc_rsa_public_key": encrypted(public_text(DEVICE.public_key()), key)}})
    KNOWN_IDS["/api/authenticator/v2/connections/"] = [answer["data"]["connection_id"]]
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(answer["data"]["authentication_url"]).query)
    token = DEVICE.decrypt(base64.b64decode(query["access_token"][0]), padding.PKCS1v15())
    return {"saltEdgeToken": json.loads(token)["access_token"]}


def signed(request):
    """Signs the very bytes of a request as a device does, by both versions: each looks at its own header only."""
    def signature(content):
        return DEVICE.sign(content, padding.PKCS1v15(), hashes.SHA256())

    def url_text(content):
        return base64.urlsafe_b64encode(content).rstrip(b"=")

    body = request.body or b""
    body = body.encode() if isinstance(body, str) else body
    if isinstance(body, bytes):
        expiry = str(int(time.time()) + 60)
        head = "%s|%s|%s|" % (request.method.lower(), request.url, expiry)
        request.headers["Expires-at"] = expiry
        request.headers["Signature"] = base64.b64encode(signature(head.encode() + body)).decode()
        header = url_text(b'{"alg":"RS256"}')
        request.headers["x-jws-signature"] = (
            header + b".." + url_text(signature(header + b"." + url_text(body)))).decode()
    return request


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
        with self.opener.open(request, timeout=30) as answer:
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
