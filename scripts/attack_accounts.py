# SPDX-License-Identifier: Apache-2.0
"""Accounts of every kind, made as apps, partners and banks make them, each signed in. Used by attack_hooks and
check-release. Before this is loaded, ATTACK_ROLES names the file of what the operator made, and ATTACK_ADDRESS the
server.
"""
import base64
import datetime
import json
import os
import time
import urllib.parse
import urllib.request
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

ROLES = json.load(open(os.environ["ATTACK_ROLES"]))
ADDRESS = os.environ["ATTACK_ADDRESS"]
PASSWORD = "Aa7-" + uuid.uuid4().hex
# Names of parameters and members, and things of the callers that they could mean.
KNOWN = {"provider": [ROLES["provider"]], "bank": ["bank"], "provider_id": [ROLES["provider"]]}
# Ids by the beginning of the path.
KNOWN_IDS = {"/api/authenticator/v2/configurations/": [ROLES["provider"]]}
# Queries of pages by their path.
KNOWN_QUERIES = {}
# Names of things with pages of their own, by what stands before them in the path.
KNOWN_LINKS = {}
DEVICE = serialization.load_pem_private_key(open(ROLES["key"], "rb").read(), None)


def address():
    """Where a call seems to come from: limits by address would soon end the run."""
    return "10.%d.%d.%d" % tuple(uuid.uuid4().bytes[:3])


def post(path, body, headers=()):
    request = urllib.request.Request(
        ADDRESS + path, json.dumps(body).encode(),
        {"content-type": "application/json", "x-forwarded-for": address(), **dict(headers)})
    with urllib.request.urlopen(request, timeout=120) as answer:
        text = answer.read()
        return dict((k.lower(), v) for k, v in answer.headers.items()), json.loads(text) if text else None


def get(path, headers=()):
    request = urllib.request.Request(ADDRESS + path, headers={"x-forwarded-for": address(), **dict(headers)})
    with urllib.request.urlopen(request, timeout=120) as answer:
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
    return {"oneAssistToken": answer["token"], "oneAssistOrder": sold["orderUUID"]}


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
