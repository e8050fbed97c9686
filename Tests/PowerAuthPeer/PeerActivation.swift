// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore

/// An activation as the peer keeps it.
package struct PeerActivation: Sendable {
  package let identifier: ActivationIdentifier
  package let devicePublicKey: ECPublicKey
  package let privateKey: ECPrivateKey
  package let keys: ActivationKeys
  package var counter: SignatureCounter
  package var state = ActivationState.active
  package var failedAttempts: UInt8 = 0
  package var flags: [String] = []

  package static let failedAttemptsMax: UInt8 = 5
  package static let lookAhead = 20

  package func status(challenge: Data, nonce: Data, randomness: Randomness) throws -> Data {
    try ActivationStatus(
      state: state, counterByte: counter.byte, failedAttempts: failedAttempts,
      maxFailedAttempts: Self.failedAttemptsMax, lookAhead: UInt8(Self.lookAhead),
      counterHash: keys.transport.counterHash(of: counter.data)
    ).encrypted(transportKey: keys.transport, challenge: challenge, nonce: nonce, randomness: randomness)
  }
}

/// A signature that the peer looked at.
package struct SeenSignature: Sendable, Equatable {
  package let type: SignatureType
  /// The counter that it was made with; nil when it was wrong.
  package let counter: UInt64?
  /// How far that was ahead of the peer's.
  package let ahead: Int?

  package init(type: SignatureType, counter: UInt64?, ahead: Int?) {
    self.type = type
    self.counter = counter
    self.ahead = ahead
  }
}

/// A refusal of the peer's.
package struct Refusal: Error {
  package let status: Int
  package let failure: PowerAuthFailure

  package static let unsigned = Refusal(status: 401, failure: .signatureInvalid)
  package static let activation = Refusal(status: 400, failure: .activationInvalid)
  package static let encryption = Refusal(status: 400, failure: .encryptionFailed)
  package static let temporaryKey = Refusal(status: 400, failure: .temporaryKeyFailure)
  package static let token = Refusal(status: 401, failure: .tokenInvalid)
}
