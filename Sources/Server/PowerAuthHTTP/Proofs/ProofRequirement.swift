// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import Kit
import PowerAuthCore

/// What a request must prove, and how its body comes: declared with the route, checked before its handler runs.
///
/// ```swift
/// routes.post("api/identity/init", .signed("/api/identity/init", by: [.possession])) { call in … }
/// ```
///
/// PowerAuth's own calls are encrypted first and then signed as encrypted; an application's are signed in the open and
/// then encrypted. Both are here, and they are not the same (powerauth.md §4.4).
package struct ProofRequirement<Proof: Sendable>: Sendable {
  /// What came of a check.
  struct Proven: Sendable {
    let proof: Proof
    let plaintext: Data
    /// Nil when the body was not encrypted; then neither is the answer.
    var envelope: Decrypted?
  }

  let isEncrypted: Bool
  let prove: @Sendable (ProofGate, DeviceRequest) async throws -> Proven

  init(encrypted: Bool, prove: @escaping @Sendable (ProofGate, DeviceRequest) async throws -> Proven) {
    isEncrypted = encrypted
    self.prove = prove
  }
}

extension ProofRequirement where Proof == NoProof {
  /// Anybody may call.
  package static var nothing: ProofRequirement {
    ProofRequirement(encrypted: false) { _, request in
      Proven(proof: NoProof(), plaintext: try await request.readBody())
    }
  }
}

extension ProofRequirement where Proof == FactorProof {
  /// A signature over the request, which is not encrypted.
  /// - Parameters:
  ///   - uriID: what the signature covers in place of the URL.
  ///   - factors: the types that are accepted.
  package static func signed(_ uriID: String, by factors: Set<SignatureType>) -> ProofRequirement {
    ProofRequirement(encrypted: false) { gate, request in
      let header = try gate.signatureHeader(request)
      let body = try await request.readBody()
      guard let bytes = try? request.signedBytes(body) else { throw Problem.signatureInvalid }
      let proof = try await gate.signature(header, of: request, uriID: uriID, over: bytes, by: factors)
      return Proven(proof: proof, plaintext: body)
    }
  }

  /// An application's call: signed in the open, then encrypted in the scope of the activation. It needs no encryption
  /// header, because the signature's names the same.
  /// - Precondition: the encryptor is in the scope of an activation.
  package static func signed(
    _ uriID: String, by factors: Set<SignatureType>, thenEncrypted encryptor: EncryptorIdentifier
  ) -> ProofRequirement {
    precondition(encryptor.scope == .activation, "a signed call is encrypted for its activation")
    return ProofRequirement(encrypted: true) { gate, request in
      let header = try gate.signatureHeader(request)
      let keys = try gate.keys(header, request)
      let envelope = try await gate.decryptSigned(try await request.readBody(), encryptor, keys)
      let proof = try await gate.signature(header, of: request, uriID: uriID, over: envelope.plaintext, by: factors)
      return Proven(proof: proof, plaintext: envelope.plaintext, envelope: envelope)
    }
  }

  /// One of PowerAuth's own calls: encrypted in the scope of the activation, then signed as it is sent.
  /// - Precondition: the encryptor is in the scope of an activation.
  package static func encrypted(
    _ encryptor: EncryptorIdentifier, thenSigned uriID: String, by factors: Set<SignatureType>
  ) -> ProofRequirement {
    precondition(encryptor.scope == .activation, "a signed call is encrypted for its activation")
    return ProofRequirement(encrypted: true) { gate, request in
      let header = try gate.signatureHeader(request)
      let keys = try gate.keys(header, request)
      let body = try await request.readBody()
      let proof = try await gate.signature(header, of: request, uriID: uriID, over: body, by: factors)
      let envelope = try await gate.decrypt(body, encryptor, keys)
      return Proven(proof: proof, plaintext: envelope.plaintext, envelope: envelope)
    }
  }

  /// A token that was made under one of these types. It does not cover the body, which is read after the proof.
  package static func token(by factors: Set<SignatureType>) -> ProofRequirement {
    ProofRequirement(encrypted: false) { gate, request in
      let proof = try await gate.token(request, by: factors)
      return Proven(proof: proof, plaintext: try await request.readBody())
    }
  }

  /// The same with a body that is encrypted in the scope of the token's activation, by its own header.
  /// - Parameter admit: refuses, after the proof and before the body is read, what will be refused whatever the body is.
  /// - Precondition: the encryptor is in the scope of an activation.
  package static func token(
    by factors: Set<SignatureType>, encrypted encryptor: EncryptorIdentifier,
    admit: @escaping @Sendable (FactorProof) async throws -> Void = { _ in }
  ) -> ProofRequirement {
    precondition(encryptor.scope == .activation, "a token's call is encrypted for its activation")
    return ProofRequirement(encrypted: true) { gate, request in
      let proof = try await gate.token(request, by: factors)
      let keys = try gate.keys(.activation, request)
      // Two proofs of two devices are no proof.
      guard keys.activation?.text == proof.activation.id.rawValue else { throw Problem.encryptionFailed }
      try await admit(proof)
      let envelope = try await gate.decrypt(try await request.readBody(), encryptor, keys)
      return Proven(proof: proof, plaintext: envelope.plaintext, envelope: envelope)
    }
  }
}

extension ProofRequirement where Proof == TransportProof {
  /// Encrypted in the scope of an activation, and neither signed nor under a token.
  /// - Precondition: the encryptor is in the scope of an activation.
  package static func encryptedByActivation(_ encryptor: EncryptorIdentifier = .genericActivation) -> ProofRequirement {
    precondition(encryptor.scope == .activation, "the encryptor of an activation")
    return ProofRequirement(encrypted: true) { gate, request in
      let keys = try gate.keys(.activation, request)
      let envelope = try await gate.decrypt(try await request.readBody(), encryptor, keys)
      guard let activation = envelope.activation else { throw Problem.encryptionFailed }
      return Proven(proof: TransportProof(activation), plaintext: envelope.plaintext, envelope: envelope)
    }
  }
}

extension ProofRequirement where Proof == ApplicationProof {
  /// Encrypted in the scope of an application.
  /// - Precondition: the encryptor is in the scope of an application.
  package static func encryptedByApplication(
    _ encryptor: EncryptorIdentifier = .genericApplication
  ) -> ProofRequirement {
    precondition(encryptor.scope == .application, "the encryptor of an application")
    return ProofRequirement(encrypted: true) { gate, request in
      let keys = try gate.keys(.application, request)
      let envelope = try await gate.decrypt(try await request.readBody(), encryptor, keys)
      let proof = ApplicationProof(
        application: envelope.application, applicationKey: keys.applicationKey, version: keys.version)
      return Proven(proof: proof, plaintext: envelope.plaintext, envelope: envelope)
    }
  }
}

extension ProofRequirement where Proof: ProofOfActivation {
  /// The same, for activations without any of these flags; others are refused with `Problem.activationUnfit` after
  /// the proof, which counts.
  package func refusing(flags: Set<String>) -> ProofRequirement {
    ProofRequirement(encrypted: isEncrypted) { gate, request in
      let proven = try await prove(gate, request)
      guard flags.isDisjoint(with: proven.proof.activation.flags) else { throw Problem.activationUnfit }
      return proven
    }
  }
}
