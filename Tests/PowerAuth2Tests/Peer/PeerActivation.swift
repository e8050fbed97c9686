import Foundation
import PowerAuthCore

/// An activation as the peer keeps it.
struct PeerActivation: Sendable {
  let identifier: ActivationIdentifier
  let devicePublicKey: ECPublicKey
  let privateKey: ECPrivateKey
  let keys: ActivationKeys
  var counter: SignatureCounter
  var state = ActivationState.active
  var failedAttempts: UInt8 = 0
  var flags: [String] = []

  static let failedAttemptsMax: UInt8 = 5
  static let lookAhead = 20

  func status(challenge: Data, nonce: Data, randomness: Randomness) throws -> Data {
    try ActivationStatus(
      state: state, counterByte: counter.byte, failedAttempts: failedAttempts,
      maxFailedAttempts: Self.failedAttemptsMax, lookAhead: UInt8(Self.lookAhead),
      counterHash: keys.transport.counterHash(of: counter.data)
    ).encrypted(transportKey: keys.transport, challenge: challenge, nonce: nonce, randomness: randomness)
  }
}

/// A signature that the peer looked at.
struct SeenSignature: Sendable, Equatable {
  let type: SignatureType
  /// The counter that it was made with; nil when it was wrong.
  let counter: UInt64?
  /// How far that was ahead of the peer's.
  let ahead: Int?
}

/// A refusal of the peer's.
struct Refusal: Error {
  let status: Int
  let failure: PowerAuthFailure

  static let unsigned = Refusal(status: 401, failure: .signatureInvalid)
  static let activation = Refusal(status: 400, failure: .activationInvalid)
  static let encryption = Refusal(status: 400, failure: .encryptionFailed)
  static let temporaryKey = Refusal(status: 400, failure: .temporaryKeyFailure)
  static let token = Refusal(status: 401, failure: .tokenInvalid)
}
