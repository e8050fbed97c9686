// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthCore

/// What an application behind the peer asks of a call.
package struct ApplicationRule: Sendable {
  package enum Proof: Sendable {
    case none
    case signature(uriId: String)
    case token
  }

  package let proof: Proof
  /// Nil for a call in the clear.
  package let scope: EncryptorIdentifier?

  package init(_ proof: Proof, _ scope: EncryptorIdentifier? = nil) {
    self.proof = proof
    self.scope = scope
  }
}

/// A call of an application that kept the rule.
package struct ApplicationRequest {
  package let plaintext: Data
  /// Nil when nothing said whose request it is.
  package let activation: String?
  let answer: ECIESResponseEncryptor?
}

/// How applications take calls (wultra-onboarding.md §1).
extension Peer {
  /// Checks a call to the letter: no proof and no header more than the rule says.
  package func receive(
    _ body: Data, _ headers: TransportHeaders, by rule: ApplicationRule
  ) throws -> ApplicationRequest {
    guard headers["Content-Type"] == "application/json", headers["Accept"] == "application/json",
      headers["Accept-Language"]?.isEmpty == false, headers["User-Agent"]?.isEmpty == false
    else { throw Refusal(status: 400, failure: .requestInvalid) }
    let encryption = try headers[EncryptionHeader.name].map { try EncryptionHeader(value: $0) }
    let signature = headers[SignatureHeader.name]
    let token = headers[TokenHeader.name]
    switch rule.proof {
    case .none:
      guard signature == nil, token == nil else { throw Refusal.unsigned }
      let opened = try open(body, rule.scope, encryption, encryption?.activationIdentifier?.text)
      return ApplicationRequest(
        plaintext: opened.plaintext, activation: encryption?.activationIdentifier?.text, answer: opened.answer)
    case .token:
      guard signature == nil, let token else { throw Refusal.token }
      let activation = try verifyToken(token).activation
      let opened = try open(body, rule.scope, encryption, activation)
      return ApplicationRequest(plaintext: opened.plaintext, activation: activation, answer: opened.answer)
    case .signature(let uriId):
      // The signature says whose request it is.
      guard token == nil, encryption == nil, let signature else { throw Refusal.unsigned }
      let claimed = try SignatureHeader(value: signature).activationIdentifier.text
      let opened = try open(body, rule.scope, nil, claimed, isSigned: true)
      let verified = try verify(signature, method: "POST", uriId: uriId, body: opened.plaintext)
      return ApplicationRequest(
        plaintext: opened.plaintext, activation: verified.identifier.text, answer: opened.answer)
    }
  }

  /// The answer's body, encrypted if the request was.
  package func reply(_ plaintext: Data, to request: ApplicationRequest) throws -> Data {
    guard let answer = request.answer else { return plaintext }
    return try JSONEncoder().encode(try answer.encrypt(plaintext, timestamp: now, randomness: randomness))
  }

  private func open(
    _ body: Data, _ scope: EncryptorIdentifier?, _ header: EncryptionHeader?, _ activation: String?,
    isSigned: Bool = false
  ) throws -> (plaintext: Data, answer: ECIESResponseEncryptor?) {
    guard let scope else {
      guard header == nil else { throw Refusal.encryption }
      return (body, nil)
    }
    guard isSigned || header != nil, (header?.activationIdentifier != nil) == (scope == .genericActivation && !isSigned)
    else { throw Refusal.encryption }
    let owner = scope == .genericActivation ? self.activation(activation) : nil
    guard (owner != nil) == (scope == .genericActivation) else { throw Refusal.encryption }
    return try open(bytes: body, scope, owner)
  }
}
