// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What security keys answer: CBOR, authenticator data, and a whole registration behind any signature.
func fuzz(_ bytes: Data) {
  if let (item, length) = try? CBOR.decodeFirst(bytes) {
    precondition((1...bytes.count).contains(length) && (try? CBOR.decode(bytes.prefix(length))) == item)
  }
  if let data = try? AuthenticatorData(bytes) { precondition((data.credential?.publicKey.count ?? 65) == 65) }
  let desk = WebAuthn(relyingParty: "desk.example", origin: "https://desk.example")
  let zeros = String(repeating: "A", count: 43)
  let client = #"{"type": "webauthn.create", "challenge": "\#(zeros)", "origin": "https://desk.example"}"#
  if let made = try? desk.register(clientData: Data(client.utf8), attestation: bytes, challenge: Data(count: 32)) {
    precondition((1...WebAuthn.credentialIDMax).contains(made.id.count))
  }
}
