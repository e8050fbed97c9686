# SPDX-License-Identifier: Apache-2.0
"""Devices of PowerAuth and of Wultra's onboarding, for attack-api: schemathesis draws what is inside of an envelope and
under a signature, and a device that is what the call is for signs and encrypts the very bytes. Used by attack_hooks."""
import base64
import io
import json
import os
import struct
import sys
import time
import uuid
import zipfile
import zlib

from powerauth_device import (
    ACTIVATION, APPLICATION, CURVE, LAYER_2, Application, Device, Refused, advanced, b64, ec, normalized, point, signature, unb64)

POWERAUTH, ONBOARDING = "/enrollment-server/pa/v3", "/enrollment-onboarding-server/api"
SECONDS = 240
TEXT = {"type": "string", "maxLength": 300}
PROOFS = ("Authorization", "X-PowerAuth-Authorization", "X-PowerAuth-Token", "X-PowerAuth-Encryption")


def members(**schemas):
    return {"type": "object", "required": list(schemas), "properties": schemas}


def asked(**schemas):
    return members(requestObject=members(**schemas))


PROCESS = asked(processId=TEXT)
ANYTHING = {"type": "object"}
DOCUMENT = members(filename=TEXT, type={"enum": ["ID_CARD", "PASSPORT", "DRIVING_LICENSE"]},
                   side={"enum": ["FRONT", "BACK"]}, originalDocumentId={"type": ["string", "null"]})


class Call:
    """How a call is proved and hidden.

    Attributes:
        kind: signed, token, encrypted, both (encrypted, and then signed), create, or nothing.
        name: what a signature names (its URI id), or shared info 1 of the encryption.
        factors: of the signature or the token.
        info: of a body that is encrypted after it was signed, or beside a token.
        inside: the schema of what is encrypted; None where the description has it.
        stage: what has become of the device.
        is_last: whether the device, or its process, is of no use afterwards.
    """

    def __init__(self, kind, name=None, factors="possession", info=None, inside=None, stage="device", is_last=False):
        self.kind, self.name, self.factors, self.info = kind, name, factors, info
        self.inside, self.stage, self.is_last = inside, stage, is_last


def verification(path, is_encrypted=False, **options):
    return Call("signed", "/api" + path, info=ACTIVATION if is_encrypted else None, **options)


TWO = "possession_knowledge"
CALLS = {
    POWERAUTH + "/activation/create": Call("create", stage="none", inside=members(
        type={"enum": ["CODE", "CUSTOM", "RECOVERY", "DIRECT"]},
        identityAttributes={"type": "object", "additionalProperties": TEXT},
        activationData=members(devicePublicKey=TEXT, activationName=TEXT, platform=TEXT, deviceInfo=TEXT))),
    POWERAUTH + "/activation/status": Call("nothing"),
    POWERAUTH + "/activation/remove": Call("signed", "/pa/activation/remove", TWO, is_last=True),
    POWERAUTH + "/activation/detail": Call("token", factors=TWO, info=ACTIVATION, inside=ANYTHING),
    POWERAUTH + "/activation/rename": Call(
        "signed", "/pa/activation/rename", TWO, ACTIVATION, asked(activationName=TEXT)),
    POWERAUTH + "/signature/validate": Call("signed", "/pa/signature/validate", TWO),
    POWERAUTH + "/token/create": Call("both", "/pa/token/create", TWO, inside=ANYTHING),
    POWERAUTH + "/token/remove": Call("signed", "/pa/token/remove", TWO),
    POWERAUTH + "/vault/unlock": Call("both", "/pa/vault/unlock", TWO, inside=members(reason=TEXT)),
    POWERAUTH + "/keystore/create": Call("nothing"),
    POWERAUTH + "/user/info": Call("encrypted", ACTIVATION, inside=ANYTHING),
    POWERAUTH + "/recovery/confirm": Call("both", "/pa/recovery/confirm", TWO, inside=members(recoveryCode=TEXT)),
    ONBOARDING + "/onboarding/start": Call("encrypted", APPLICATION, stage="none", inside=asked(
        identification={"type": "object", "additionalProperties": {"type": ["string", "number", "boolean", "null"]}})),
    ONBOARDING + "/onboarding/status": Call("encrypted", APPLICATION, stage="process", inside=PROCESS),
    ONBOARDING + "/onboarding/otp/resend": Call("encrypted", APPLICATION, stage="process", inside=PROCESS),
    ONBOARDING + "/onboarding/otp/detail": Call("encrypted", APPLICATION, stage="process", inside=asked(
        processId=TEXT, otpType={"enum": ["ACTIVATION", "USER_VERIFICATION"]})),
    ONBOARDING + "/onboarding/cleanup": Call(
        "encrypted", APPLICATION, stage="process", inside=PROCESS, is_last=True),
    ONBOARDING + "/identity/status": Call("token", stage="verifying"),
    ONBOARDING + "/identity/init": verification("/identity/init", stage="consented", is_last=True),
    ONBOARDING + "/identity/cleanup": verification("/identity/cleanup", stage="uploading", is_last=True),
    ONBOARDING + "/identity/consent/text": Call("token", stage="verifying"),
    ONBOARDING + "/identity/consent/approve": verification(
        "/identity/consent/approve", stage="verifying", is_last=True),
    ONBOARDING + "/identity/document/init-sdk": verification(
        "/identity/document/init-sdk", True, stage="uploading",
        inside=asked(processId=TEXT, attributes={"type": "object", "additionalProperties": TEXT})),
    ONBOARDING + "/identity/document/submit": Call("token", info=ACTIVATION, stage="uploading", is_last=True, inside=asked(
        processId=TEXT, data=TEXT, resubmit={"type": "boolean"}, documents={"type": "array", "items": DOCUMENT})),
    # The plaintext is an archive and no JSON: its bytes in Base64 here.
    ONBOARDING + "/identity/document/upload": Call("token", info=ACTIVATION, stage="uploading", inside=TEXT),
    ONBOARDING + "/identity/document/status": Call("token", stage="uploading"),
    ONBOARDING + "/identity/presence-check/init": verification(
        "/identity/presence-check/init", True, stage="presence", inside=PROCESS),
    ONBOARDING + "/identity/presence-check/submit": verification(
        "/identity/presence-check/submit", stage="captured", is_last=True),
    # Proved by the token that the session began with.
    ONBOARDING + "/presence-check/capture": Call("session", stage="session"),
    ONBOARDING + "/identity/otp/resend": verification("/identity/otp/resend", stage="early"),
    ONBOARDING + "/identity/otp/verify": Call("encrypted", ACTIVATION, stage="judged", is_last=True, inside=asked(
        processId=TEXT, otpCode=TEXT)),
}
# What a verification comes to only with documents that can be read, one after another. Where there are none, and after
# so many were made, calls about them are of a verification that waits for documents.
LATE = ("presence", "session", "captured", "judged", "early")
LATE_MAX = 24
# How a document's pictures are named, and what they are.
SPECIMENS = {"id-front.png": ("ID_CARD", "FRONT"), "id-back.png": ("ID_CARD", "BACK"),
             "passport.png": ("PASSPORT", "FRONT")}
REVIEWS = "/api/v1/wultra/reviews"
# Seconds in which a program that was not optimised has read three pictures, on a machine with other work.
PATIENCE = 180
# Calls of a back end about a device, by what must have become of it.
ABOUT = {"commit": "exchanged", "block": "spare", "unblock": "blocked", "remove": "spare"}


def opened(document):
    """The description with what is inside of envelopes in the place of the envelopes."""
    for path, call in CALLS.items():
        for operation in document["paths"].get(path, {}).values():
            if call.inside and isinstance(operation, dict) and "requestBody" in operation:
                operation["requestBody"] = {
                    "required": True, "content": {"application/json": {"schema": call.inside}}}
    return document


def picture(width=800, height=600):
    """A PNG with nothing to read on it."""
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = b"".join(bytes([0]) + bytes((x * y) % 251 for x in range(width)) for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + chunk(
        b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def archive(pictures):
    """Of pictures by their names."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        for name, content in pictures.items():
            made.writestr(name, content)
    return b64(packed.getvalue())


class Devices:
    """Makes devices, and has them prove calls."""

    def __init__(self, address, application, back_end, headers, chance, specimens=None):
        """
        Args:
            application: its id and what its app is configured with.
            back_end: calls a path of the back end, with a body or to read, and answers what it says.
            headers: makes the headers of every call.
            specimens: pictures of one person's documents, and of the person, by name (`SPECIMENS`, selfie.jpg).
        """
        self.specimens, self.late = specimens or {}, 0
        self.address, self.application_id = address, application["id"]
        self.application = Application(application["configuration"])
        self.back_end, self.headers, self.chance, self.picture = back_end, headers, chance, picture()
        self.held, self.envelope, self.answered = {}, None, 0
        # A code is sent again after half a minute only.
        self.early = self.process()

    # What there is to call with.

    def device(self):
        return Device(self.address + POWERAUTH.removesuffix("/pa/v3"), self.application, headers=self.headers)

    def onboard(self, path, members):
        """A call that is encrypted for the application only."""
        return self.device().encrypted(self.address + ONBOARDING + path, APPLICATION, {"requestObject": members})

    def process(self):
        return self.onboard("/onboarding/start", {"identification": {"clientNumber": uuid.uuid4().hex}})[
            "responseObject"]["processId"]

    def code(self, **options):
        """A code with which a device is activated, and whose it is."""
        user = uuid.uuid4().hex
        return self.back_end("/api/v1/powerauth/activations", {
            "application_id": self.application_id, "user_id": user, **options})["activation_code"], user

    def verify(self, device, path, members):
        """A call of a verification, signed by possession."""
        body = json.dumps({"requestObject": {"processId": device.process, **members}}).encode()
        device.send(self.address + ONBOARDING + path, body, device.sign("POST", "/api" + path, body, "possession"))

    def make(self, stage):
        if stage in ("device", "spare", "blocked", "exchanged"):
            code, user = self.code(auto_commit=stage != "exchanged")
            device = self.device().activate({"code": code}, "CODE")
            device.process, device.user = "", user
            if stage == "device":
                device.token(TWO)
            if stage == "blocked":
                self.back_end("/api/v1/powerauth/activations/%s/block" % device.id, {})
            return device
        process = self.process()
        device = self.device()
        device.process, device.session = process, "none"
        if stage == "process":
            return device
        code = self.onboard("/onboarding/otp/detail", {"processId": process, "otpType": "ACTIVATION"})
        device.activate({"processId": process, "otpCode": code["responseObject"]["otpCode"],
                         "credentialsType": "ONBOARDING"})
        device.token()
        if stage != "verifying":
            self.verify(device, "/identity/consent/approve", {"consentType": "GDPR", "approved": True})
        if stage not in ("verifying", "consented"):
            self.verify(device, "/identity/init", {})
        if stage in LATE and self.specimens and self.late < LATE_MAX:
            self.late += 1
            try:
                self.go_on(device, stage)
            except (OSError, ValueError, KeyError, Refused) as error:
                # The calls are refused then, and the table at the end has it.
                print("attack: no verification comes to %s: %s" % (stage, error), file=sys.stderr, flush=True)
                self.specimens = {}
        return device

    def go_on(self, device, stage):
        """Has documents read, and goes on to what is asked for: a presence check, its picture, or the last code."""
        documents = [{"filename": name, "type": kind, "side": side, "originalDocumentId": None}
                     for name, (kind, side) in SPECIMENS.items()]
        pictures = archive({name: self.specimens[name] for name in SPECIMENS})
        device.encrypted(self.address + ONBOARDING + "/identity/document/submit", ACTIVATION, {"requestObject": {
            "processId": device.process, "data": pictures, "resubmit": False, "documents": documents}},
            {**device.token(), **device.encryption_header(ACTIVATION)})
        self.wait(device, "PRESENCE_CHECK")
        if stage == "presence":
            return
        asked = json.dumps({"requestObject": {"processId": device.process}}).encode()
        proof = device.sign("POST", "/api/identity/presence-check/init", asked, "possession")
        session = device.encrypted(self.address + ONBOARDING + "/identity/presence-check/init", ACTIVATION, asked,
                                   {**proof, **device.encryption_header(ACTIVATION)})
        device.session = session["responseObject"]["sessionAttributes"]["sessionToken"]
        if stage == "session":
            return
        device.send(self.address + ONBOARDING + "/presence-check/capture", self.specimens["selfie.jpg"],
                    {"content-type": "image/jpeg", "authorization": "Bearer " + device.session})
        if stage == "captured":
            return
        self.verify(device, "/identity/presence-check/submit", {})
        self.wait(device, "OTP_VERIFICATION")
        if stage == "early":
            # A code is sent again after half a minute only.
            time.sleep(31)

    def wait(self, device, phase):
        """Until a verification is at a phase. Where people are asked, a reviewer says that all is well."""
        end = time.monotonic() + PATIENCE
        while True:
            told = device.send(self.address + ONBOARDING + "/identity/status", {"requestObject": {}}, device.token())
            state = told["responseObject"]
            if state.get("identityVerificationPhase") == phase:
                return
            if time.monotonic() > end or state.get("identityVerificationStatus") in ("REJECTED", "FAILED"):
                raise ValueError("the verification came to %s" % state)
            for review in self.back_end(REVIEWS)["reviews"]:
                self.back_end(REVIEWS + "/%s/decision" % review["review_id"], {"verdict": "accepted"})
            time.sleep(0.5)

    def made(self, stage, is_last):
        device, at = self.held.get(stage, (None, 0))
        if time.monotonic() - at > SECONDS:
            device, at = self.make(stage), time.monotonic()
        self.held[stage] = (device, 0 if is_last else at)
        return device

    # What they send.

    def meant(self, path, device):
        """What an app would send. None where what was drawn will do."""
        process = {"requestObject": {"processId": device.process}} if device else None
        name = path.removeprefix(POWERAUTH).removeprefix(ONBOARDING)
        if name == "/activation/create":
            return {"type": "CODE", "identityAttributes": {"code": self.code(auto_commit=True)[0]}, "activationData": {
                "devicePublicKey": b64(point(ec.generate_private_key(CURVE).public_key())), "activationName": "Phone",
                "platform": "iOS", "deviceInfo": "iPhone12,3"}}
        if name == "/activation/status":
            return {"requestObject": {"activationId": device.id, "challenge": b64(os.urandom(16))}}
        if name == "/activation/rename":
            return {"requestObject": {"activationName": "Renamed"}}
        if name == "/token/remove":
            return {"requestObject": {"tokenId": device.encrypted_then_signed("/token/create", {}, TWO)["tokenId"]}}
        if name == "/vault/unlock":
            return {"reason": "ADD_BIOMETRY"}
        if name == "/keystore/create":
            return {"requestObject": {"jwt": device.key_request(True)[0]}}
        if name == "/recovery/confirm":
            return {"recoveryCode": self.back_end("/api/v1/powerauth/recovery-codes", {
                "application_id": self.application_id, "user_id": device.user})["recovery_code"]}
        if name == "/onboarding/start":
            return {"requestObject": {"identification": {"clientNumber": uuid.uuid4().hex}}}
        if name == "/onboarding/otp/resend":
            return {"requestObject": {"processId": self.early}}
        if name == "/onboarding/otp/detail":
            process["requestObject"]["otpType"] = "ACTIVATION"
        if "/consent/" in name:
            process["requestObject"].update(
                consentType="GDPR", **({"approved": True} if name.endswith("approve") else {}))
        if name == "/identity/document/init-sdk":
            process["requestObject"]["attributes"] = {"sdk-init-token": "challenge"}
        if name == "/identity/document/upload":
            return archive({"passport_front.jpg": self.picture})
        if name == "/identity/document/submit":
            process["requestObject"].update(data=archive({"passport_front.jpg": self.picture}), resubmit=False, documents=[
                {"filename": "passport_front.jpg", "type": "PASSPORT", "side": "FRONT", "originalDocumentId": None}])
        if name == "/presence-check/capture":
            return self.specimens.get("selfie.jpg", self.picture)
        if name == "/identity/otp/verify" and self.specimens:
            code = self.onboard("/onboarding/otp/detail", {"processId": device.process, "otpType": "USER_VERIFICATION"})
            process["requestObject"]["otpCode"] = code["responseObject"]["otpCode"]
        if name == "/identity/status":
            return {"requestObject": {}}
        return process if path.startswith(ONBOARDING) else None

    def prepare(self, case, kwargs, is_first, share):
        """Puts what the device has into the body, and has it prove the call; some calls stay as they were drawn."""
        call = CALLS.get(case.operation.path)
        self.envelope = None
        if not call or not is_first and self.chance.random() < 0.1:
            return
        device = self.made(call.stage, call.is_last) if call.stage != "none" else None
        meant = self.meant(case.operation.path, device) if is_first or self.chance.random() < 0.2 else None
        if meant is not None:
            case.body = meant
        elif device and isinstance(case.body, dict):
            inner = case.body.get("requestObject", case.body)
            for name, value in (("processId", device.process), ("activationId", device.id)):
                if isinstance(inner, dict) and name in inner and self.chance.random() < share:
                    inner[name] = value
        kwargs["auth"] = lambda request: self.prove(request, call, device or self.device(), is_first)

    def prove(self, request, call, device, is_right):
        body = request.body or b""
        body = body.encode() if isinstance(body, str) else body
        if not isinstance(body, bytes):
            return request
        for name in PROOFS:
            request.headers.pop(name, None)
        if call.inside is TEXT:
            try:
                body = base64.b64decode(json.loads(body), validate=True)
            except (ValueError, TypeError):
                pass
        proofs, envelope = {}, None
        if call.kind == "signed":
            proofs = device.sign(request.method, call.name, body, call.factors)
        elif call.kind == "session":
            proofs = {"Authorization": "Bearer " + device.session}
        elif call.kind == "token":
            proofs = device.token(call.factors)
        if call.kind == "create":
            body = self.nested(device, body)
        info = call.name if call.kind in ("encrypted", "both") else APPLICATION if call.kind == "create" else call.info
        if info:
            envelope = device.envelope(info)
            body = json.dumps(envelope.request(body)).encode()
            if call.kind not in ("signed", "both"):
                proofs.update(device.encryption_header(info))
        if call.kind == "both":
            proofs = device.sign(request.method, call.name, body, call.factors)
        if not is_right and proofs and self.chance.random() < 0.1:
            # One letter of a proof. Five wrong signatures block the device, and the next call has another one.
            name = self.chance.choice(sorted(proofs))
            at = self.chance.randrange(len(proofs[name]))
            proofs[name] = proofs[name][:at] + self.chance.choice("aZ0+=\"\\,") + proofs[name][at + 1:]
            self.held.pop(call.stage, None)
            envelope = None
        self.envelope = envelope
        request.headers.update(proofs)
        if request.method != "GET":
            request.body = body
        return request

    @staticmethod
    def nested(device, body):
        """A request for an activation, its inner envelope made."""
        try:
            asked = json.loads(body)
            inner = asked["activationData"]
        except (ValueError, TypeError, KeyError):
            return body
        asked["activationData"] = device.envelope(LAYER_2).request(json.dumps(inner).encode())
        return json.dumps(asked).encode()

    def about(self, case, share):
        """A back end asks about a device that there is, and that can become what is asked for."""
        path = case.operation.path
        if "/powerauth/activations/{id}" in path and self.chance.random() < share:
            stage = ABOUT.get(path.rpartition("/")[2], "device")
            case.path_parameters["id"] = self.made(stage, stage != "device").id
        if path.startswith("/api/v1/powerauth/") and isinstance(case.body, dict) and self.chance.random() < share:
            device = self.made("device", False)
            known = {"application_id": self.application_id, "activation_id": device.id}
            if path.endswith("/signatures/verify"):
                known.update(method="POST", uri_id="/transfer", body=b64(b"100 to Ada"), header=device.sign(
                    "POST", "/transfer", b"100 to Ada")["X-PowerAuth-Authorization"])
            if path.endswith("/tokens/verify"):
                known["header"] = device.token(TWO)["X-PowerAuth-Token"]
            if "/offline/" in path:
                # It is for an application or for an activation.
                case.body.pop("application_id", None)
                case.body["activation_id"] = device.id
            if path.endswith("/offline/verify"):
                known.update(self.typed(device))
            for name in set(known) & set(case.body):
                case.body[name] = known[name]

    def typed(self, device):
        """What a person types who reads a signature off a device that is not connected."""
        data = "A1*A100CZK*ICZ2730300000001165254011*D20260301*Tescape"
        nonce = self.back_end("/api/v1/powerauth/offline/payloads", {"activation_id": device.id, "data": data})["nonce"]
        text = normalized("POST", "/operation/authorize/offline", unb64(nonce), data.encode(), "offline")
        made = signature([device.keys[name] for name in TWO.split("_")], device.counter, text, True)
        device.counter = advanced(device.counter)
        return {"data": data, "nonce": nonce, "signature": made}

    def read(self, answer):
        """Whether the device reads an encrypted answer; True for any other."""
        envelope, self.envelope = self.envelope, None
        if not envelope or answer.status_code != 200:
            return True
        self.answered += 1
        try:
            return envelope.answer(json.loads(answer.content)) is not None
        except (ValueError, KeyError, TypeError):
            return False
