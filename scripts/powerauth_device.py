#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""powerauth_device.py [--vectors FOLDER]

A device of PowerAuth 3.0 to 3.3, written from the published protocol and without any code of this repository: it
activates, signs, encrypts and uses tokens. Used by attack-api. As a program it compares itself with the published
vectors (signatures-v3.json, signatures-v31.json, ecies-v32.json, ecies-v33.json, compute-derived-keys.json) and leaves
with 1 when one differs.
"""
import base64
import hashlib
import hmac
import json
import os
import struct
import sys
import time
import urllib.error
import urllib.request

from cryptography.hazmat.primitives import hashes, padding, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

CURVE = ec.SECP256R1()
FACTORS = ("possession", "knowledge", "biometry")
# Shared info 1 of the encryptors, and whether they are of an activation.
APPLICATION, ACTIVATION, LAYER_2 = "/pa/generic/application", "/pa/generic/activation", "/pa/activation"
OF_APPLICATION = (APPLICATION, LAYER_2)


def b64(content):
    return base64.b64encode(content).decode()


def unb64(text):
    return base64.b64decode(text, validate=True)


def mac(key, content):
    return hmac.new(key, content, hashlib.sha256).digest()


def fold(content):
    return bytes(a ^ b for a, b in zip(content[:16], content[16:]))


def aes(key, iv, content, encrypts=True):
    """AES-128-CBC without padding."""
    cipher = Cipher(algorithms.AES(key), modes.CBC(iv))
    part = cipher.encryptor() if encrypts else cipher.decryptor()
    return part.update(content) + part.finalize()


def padded(content):
    fill = padding.PKCS7(128).padder()
    return fill.update(content) + fill.finalize()


def unpadded(content):
    fill = padding.PKCS7(128).unpadder()
    return fill.update(content) + fill.finalize()


def derived(secret, index):
    return aes(secret, bytes(16), bytes(8) + struct.pack(">Q", index))[:16]


def internal(secret, content):
    return fold(mac(secret, content))


def x963(secret, info, length):
    blocks = (hashlib.sha256(secret + struct.pack(">I", n) + info).digest() for n in range(1, length // 32 + 2))
    return b"".join(blocks)[:length]


def sizes(*parts):
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)


def point(key, is_compressed=True):
    form = serialization.PublicFormat
    return key.public_bytes(serialization.Encoding.X962,
                            form.CompressedPoint if is_compressed else form.UncompressedPoint)


def public_key(content):
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, content)


def advanced(counter):
    return fold(hashlib.sha256(counter).digest())


def normalized(method, uri, nonce, body, secret):
    return "&".join((method.upper(), b64(uri.encode()), b64(nonce), b64(body), secret)).encode()


def signature(keys, counter, data, is_decimal=False):
    """One part for each key, in the order possession, knowledge, biometry."""
    parts = []
    for i, key in enumerate(keys):
        made = mac(key, counter)
        for j in range(i):
            made = mac(mac(keys[j + 1], counter), made)
        parts.append(mac(made, data))
    if is_decimal:
        return "-".join("%08d" % ((struct.unpack(">I", part[-4:])[0] & 0x7FFFFFFF) % 10**8) for part in parts)
    return b64(b"".join(part[16:] for part in parts))


class Refused(Exception):
    """The server answered with something else than 200."""

    def __init__(self, status, body):
        super().__init__("%d %s" % (status, body[:200]))
        self.status, self.body = status, body


class Envelope:
    """Encrypts one request and decrypts its answer (ECIES)."""

    def __init__(self, version, secret, ephemeral, info, base, data, key_id=None):
        """
        Args:
            secret: what the ephemeral key and the server's share: the temporary one of 3.3, else that of the scope.
            ephemeral: the public point, as it is sent.
            base: shared info 2 of the scope.
            data: associated data, of 3.2 and later.
        """
        self.version, self.base, self.data, self.key_id, self.ephemeral = version, base, data, key_id, ephemeral
        prefix = version.encode() if version >= "3.2" else b""
        keys = x963(secret, prefix + info.encode() + ephemeral, 48)
        self.encryption, self.mac_key, self.iv_key, self.nonce = keys[:16], keys[16:32], keys[32:], b""

    def iv(self, nonce):
        return internal(self.iv_key, nonce) if nonce else bytes(16)

    def sealed(self, content, nonce, moment, ephemeral):
        second = self.base
        if self.version >= "3.2":
            second = sizes(self.base, nonce, struct.pack(">Q", moment), ephemeral, self.data)
        return mac(self.mac_key, content + second)

    def request(self, content, nonce=None, moment=None):
        moment = moment or int(time.time() * 1000)
        self.nonce = (nonce or os.urandom(16)) if self.version >= "3.1" else b""
        body = aes(self.encryption, self.iv(self.nonce), padded(content))
        made = {"ephemeralPublicKey": b64(self.ephemeral), "encryptedData": b64(body),
                "mac": b64(self.sealed(body, self.nonce, moment, self.ephemeral))}
        if self.nonce:
            made["nonce"] = b64(self.nonce)
        if self.version >= "3.2":
            made["timestamp"] = moment
        if self.key_id:
            made["temporaryKeyId"] = self.key_id
        return made

    def answer(self, made):
        """The plaintext of an answer. Raises ValueError where the server did not make it."""
        body = unb64(made["encryptedData"])
        nonce = unb64(made["nonce"]) if self.version >= "3.2" else self.nonce
        if not hmac.compare_digest(self.sealed(body, nonce, made.get("timestamp") or 0, b""), unb64(made["mac"])):
            raise ValueError("the MAC of the answer is wrong")
        return unpadded(aes(self.encryption, self.iv(nonce), body, False))


class Application:
    """What an app is configured with."""

    def __init__(self, configuration):
        content = unb64(configuration)
        fields, at = [], 1
        while at < len(content):
            length, at = content[at], at + 1
            if len(fields) == 2 and length == 1 and content[at] == 1:
                # One key, and its kind.
                at += 1
                continue
            fields.append(content[at:at + length])
            at += length
        self.key, self.secret, self.raw_secret = b64(fields[0]), b64(fields[1]), fields[1]
        self.master = public_key(fields[2])


class Device:
    """One activation. Not for several threads: the counter belongs to one call at a time."""

    def __init__(self, address, application, version="3.3", headers=dict):
        """
        Args:
            address: of the server, with the base path of its calls.
            headers: makes headers that every call has.
        """
        self.address, self.application, self.version, self.headers = address, application, version, headers
        self.id, self.temporary, self.tokens = None, {}, {}

    # Calls.

    def send(self, path, body, headers=()):
        """Answers what the server said; a path that is a whole address is another server's. Raises Refused."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(
            path if "://" in path else self.address + path, content, {"content-type": "application/json", **self.headers(), **dict(headers)})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            raise Refused(error.code, error.read().decode(errors="replace")) from None

    # Encryption.

    def key_of(self, is_application):
        """The key of a scope, and its id. A temporary one is fetched anew before it expires."""
        if self.version < "3.3":
            return (self.application.master if is_application else self.server), None
        held = self.temporary.get(is_application)
        if held and held[2] > time.time() + 10:
            return held[:2]
        request, challenge = self.key_request(is_application)
        answer = self.send("/pa/v3/keystore/create", {"requestObject": {"jwt": request}})
        head, body, sign = answer["responseObject"]["jwt"].split(".")
        verifier = self.application.master if is_application else self.server
        raw = base64.urlsafe_b64decode(sign + "==")
        verifier.verify(encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")),
                        (head + "." + body).encode(), ec.ECDSA(hashes.SHA256()))
        told = json.loads(base64.urlsafe_b64decode(body + "=="))
        if told["challenge"] != challenge:
            raise ValueError("the temporary key is not for this challenge")
        self.temporary[is_application] = (public_key(unb64(told["publicKey"])), told["sub"], told["exp"])
        return self.temporary[is_application][:2]

    def key_request(self, is_application):
        """A request for a temporary key, and the challenge in it."""
        claims = {"applicationKey": self.application.key, "challenge": b64(os.urandom(18))}
        secret = self.application.raw_secret
        if not is_application:
            claims["activationId"], secret = self.id, internal(self.transport, secret)
        signed = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in (
            b'{"alg":"HS256","typ":"JWT"}', json.dumps(claims).encode()))
        made = signed + b"." + base64.urlsafe_b64encode(mac(secret, signed)).rstrip(b"=")
        return made.decode(), claims["challenge"]

    def envelope(self, info):
        is_application = info in OF_APPLICATION
        key, key_id = self.key_of(is_application)
        secret = self.application.secret.encode()
        base = hashlib.sha256(secret).digest() if is_application else mac(self.transport, secret)
        parts = [self.version, self.application.key] + ([] if is_application else [self.id])
        parts += [key_id] if key_id else []
        private = ec.generate_private_key(CURVE)
        return Envelope(self.version, private.exchange(ec.ECDH(), key), point(private.public_key()), info, base,
                        sizes(*(part.encode() for part in parts)), key_id)

    def encryption_header(self, info):
        text = 'PowerAuth version="%s", application_key="%s"' % (self.version, self.application.key)
        if info not in OF_APPLICATION:
            text += ', activation_id="%s"' % self.id
        return {"X-PowerAuth-Encryption": text}

    def encrypted(self, path, info, content, headers=None):
        """A call with an encrypted body, and the plaintext of its answer."""
        envelope = self.envelope(info)
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        answer = self.send(path, envelope.request(content), headers or self.encryption_header(info))
        return json.loads(envelope.answer(answer) or b"null")

    # Activation.

    def activate(self, attributes, kind="CUSTOM", name="Attack", otp=None):
        private = ec.generate_private_key(CURVE)
        inner = self.envelope(LAYER_2)
        device = {"devicePublicKey": b64(point(private.public_key())), "activationName": name, "platform": "iOS",
                  "deviceInfo": "iPhone12,3"}
        if otp:
            device["activationOtp"] = otp
        answer = self.encrypted("/pa/v3/activation/create", APPLICATION, {
            "type": kind, "identityAttributes": attributes,
            "activationData": inner.request(json.dumps(device).encode())})
        made = json.loads(inner.answer(answer["activationData"]))
        self.id, self.counter, self.private = made["activationId"], unb64(made["ctrData"]), private
        self.server = public_key(unb64(made["serverPublicKey"]))
        self.recovery = made.get("activationRecovery")
        master = fold(private.exchange(ec.ECDH(), self.server))
        self.keys = {name: derived(master, n) for n, name in enumerate(FACTORS, 1)}
        self.transport = derived(master, 1000)
        return self

    def status(self):
        """The state (1 to 5) and the failed attempts of the activation, as the server's blob tells them."""
        challenge = os.urandom(16)
        told = self.send("/pa/v3/activation/status", {"requestObject": {
            "activationId": self.id, "challenge": b64(challenge)}})["responseObject"]
        iv = internal(derived(self.transport, 3000), challenge + unb64(told["nonce"]))
        blob = aes(self.transport, iv, unb64(told["encryptedStatusBlob"]), False)
        if blob[:4] != bytes.fromhex("dec0ded1"):
            raise ValueError("the status is not of this activation")
        return blob[4], blob[13], told.get("customObject") or {}

    # Proofs.

    def sign(self, method, uri, body, kind="possession_knowledge"):
        """The header of a signature. The counter goes on whatever becomes of it."""
        nonce = os.urandom(16)
        data = normalized(method, uri, nonce, body, self.application.secret)
        made = signature([self.keys[name] for name in kind.split("_")], self.counter, data, self.version < "3.1")
        self.counter = advanced(self.counter)
        return {"X-PowerAuth-Authorization": (
            'PowerAuth pa_version="%s", pa_activation_id="%s", pa_application_key="%s", pa_nonce="%s", '
            'pa_signature_type="%s", pa_signature="%s"' % (
                self.version, self.id, self.application.key, b64(nonce), kind, made))}

    def encrypted_then_signed(self, path, content, kind="possession_knowledge"):
        """A call of PowerAuth itself, whose encrypted body is signed: its path below /pa/v3 names it."""
        uri = "/pa" + path
        envelope = self.envelope(uri)
        body = json.dumps(envelope.request(json.dumps(content).encode())).encode()
        return json.loads(envelope.answer(self.send("/pa/v3" + path, body, self.sign("POST", uri, body, kind))))

    def token(self, kind="possession"):
        """The header of a token of these factors, which is made once."""
        if kind not in self.tokens:
            made = self.encrypted_then_signed("/token/create", {}, kind)
            self.tokens[kind] = (made["tokenId"], unb64(made["tokenSecret"]))
        name, secret = self.tokens[kind]
        nonce, moment = os.urandom(16), str(int(time.time() * 1000))
        parts = [nonce, moment.encode()] + ([self.version.encode()] if self.version >= "3.2" else [])
        return {"X-PowerAuth-Token": (
            'PowerAuth version="%s", token_id="%s", token_digest="%s", nonce="%s", timestamp="%s"' % (
                self.version, name, b64(mac(secret, b"&".join(parts))), b64(nonce), moment))}


def compare(folder):
    """What differs from the published vectors, and how many were compared."""
    wrong, count = [], 0

    def vectors(name):
        with open(os.path.join(folder, name + ".json")) as file:
            return [(pair["input"], pair["output"]) for pair in json.load(file)["data"]]

    def check(name, is_right):
        nonlocal count
        count += 1
        if not is_right:
            wrong.append(name)

    for name, is_decimal in ("signatures-v3", True), ("signatures-v31", False):
        for given, wanted in vectors(name):
            keys = [unb64(given["signature%sKey" % factor.title()]) for factor in given["signatureType"].split("_")]
            made = signature(keys, unb64(given["counterData"]), unb64(given["data"]), is_decimal)
            check(name, made == wanted["signature"])
    for given, wanted in vectors("compute-derived-keys"):
        indices = {"signaturePossessionKey": 1, "signatureKnowledgeKey": 2, "signatureBiometryKey": 3,
                   "transportKey": 1000, "vaultEncryptionKey": 2000}
        check("derived keys", all(b64(derived(unb64(given["masterSecretKey"]), index)) == wanted[name]
                                  for name, index in indices.items()))
    for name in ("ecies-v32", "ecies-v33"):
        for given, wanted in vectors(name):
            request, text = wanted["request"], given["applicationSecret"].encode()
            private = ec.derive_private_key(int.from_bytes(unb64(given["serverPrivateKey"]), "big"), CURVE)
            ephemeral = unb64(request["ephemeralPublicKey"])
            base = hashlib.sha256(text).digest()
            if given["transportKey"]:
                base = mac(unb64(given["transportKey"]), text)
            parts = [given["protocolVersion"], given["applicationKey"], given["activationId"], given["temporaryKeyId"]]
            data = sizes(*(part.encode() for part in parts if part))
            envelope = Envelope(given["protocolVersion"], private.exchange(ec.ECDH(), public_key(ephemeral)), ephemeral,
                                given["sharedInfo1"], base, data, given["temporaryKeyId"])
            made = envelope.request(unb64(given["plainRequest"] or ""), unb64(request["nonce"]), request["timestamp"])
            check(name + " request", all(made[part] == request[part] for part in ("encryptedData", "mac", "nonce")))
            check(name + " answer", b64(envelope.answer(wanted["response"])) == (given["plainResponse"] or ""))
    return wrong, count


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "--vectors":
        raise SystemExit(__doc__)
    differing, compared = compare(sys.argv[2])
    print("%d vectors compared, %d differ %s" % (compared, len(differing), " ".join(sorted(set(differing)))))
    raise SystemExit(bool(differing) or not compared)
