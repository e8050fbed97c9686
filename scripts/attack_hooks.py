"""What schemathesis cannot know by itself: who calls. Loaded by scripts/attack-api.

Each call gets the credentials of its operation's security scheme. Tokens are fetched anew before they expire; a call
that ends a session or uses up a token has one of its own, so that the calls after it are still signed in.
"""
import base64
import datetime
import json
import os
import random
import time
import urllib.request
import uuid

import schemathesis

ROLES = json.load(open(os.environ["ATTACK_ROLES"]))
ADDRESS = os.environ["ATTACK_ADDRESS"]
PASSWORD = "Aa7-" + uuid.uuid4().hex
TOKEN_SECONDS = 240
# What ends the session of its caller.
ENDING = ("logout", "signOut", "refresh", "resetPassword", "cancel")
TOKENS = {}
# Names of parameters and members, and things of the callers that they could mean.
KNOWN = {"provider": ["bank", "demobank"], "bank": ["bank", "demobank"], "provider_id": ["bank"]}
CHANCE = random.Random(int(os.environ["ATTACK_SEED"]))


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


def basic(pair):
    return "Basic " + base64.b64encode(":".join(pair).encode()).decode()


def customer():
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    number = uuid.uuid4().int
    headers, _ = post("/api/v1/onboarding/auth/register", {
        "device_id": str(uuid.uuid4()).upper(), "platform": "ios", "contact_no": "+9655%07d" % (number % 10**7),
        "email": "c%d@utopia.example" % (number % 10**12), "locale": "en",
        "consents": [{"code": code, "version": "2026-01", "accepted_at": now} for code in ("terms", "biometrics")]})
    return {"customerToken": headers["x-access-token"], "customerRefresh": headers["x-refresh-token"]}


def agent():
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


MAKERS = {
    "customerToken": customer, "customerRefresh": customer, "agentToken": agent, "agentRefresh": agent,
    "finapticBearer": user, "oneAssistToken": shopper,
}


def token(scheme, is_ending):
    maker = MAKERS[scheme]
    if is_ending:
        return maker()[scheme]
    made, at = TOKENS.get(maker, (None, 0))
    if time.monotonic() - at > TOKEN_SECONDS:
        made, at = maker(), time.monotonic()
        TOKENS[maker] = (made, at)
    return made[scheme]


def client(path):
    clients = ROLES["clientBasic"]
    if path.startswith("/partner/"):
        path = "/OASYS/"
    return next((pair for start, pair in clients.items() if path.startswith(start)), None)


def headers(path, scheme):
    """The headers of a scheme, or none when the role is another kind of proof, which stays out of this."""
    if scheme == "clientBasic":
        pair = client(path)
        return {"Authorization": basic(pair)} if pair else {}
    if scheme == "partnerBasic":
        return {"Authorization": basic(ROLES["partnerBasic"])}
    if scheme == "finapticKey":
        return {"X-Client-Key": ROLES["finapticKey"]}
    if scheme not in MAKERS:
        return {}
    value = token(scheme, any(word in path for word in ENDING))
    if scheme == "finapticBearer":
        return {"Authorization": "Bearer " + value}
    name = {"customerRefresh": "x-refresh-token", "agentRefresh": "x-refresh-token", "oneAssistToken": "token"}
    return {name.get(scheme, "x-access-token"): value}


def place(values):
    """Names things that are there in more than half of the calls, so that these do not all end as not found."""
    for name in set(values) & set(KNOWN):
        if CHANCE.random() < 0.6:
            values[name] = CHANCE.choice(KNOWN[name])


@schemathesis.hook
def before_call(context, case, kwargs):
    for values in (case.path_parameters, case.query, case.body):
        if isinstance(values, dict):
            place(values)
    case.headers["x-forwarded-for"] = address()
    # With several alternatives the last that has the most proofs: a user rather than only an app.
    demands = case.operation.definition.raw.get("security") or []
    for scheme in max(demands, key=len, default={}):
        for name, value in headers(case.operation.path, scheme).items():
            case.headers[name] = value
