// SPDX-License-Identifier: Apache-2.0

import Kit

/// What PowerAuth refuses. A dialect turns the codes into the protocol's names (powerauth.md §8); none tells an unknown
/// activation from a blocked one or from a wrong proof.
extension Problem {
  package static let signatureInvalid = Problem(.unauthenticated, "signature-invalid", "The proof is not valid.")
  package static let signatureTypeInvalid = Problem(
    .unauthenticated, "signature-type-invalid", "The proof is of a type that is not accepted here.")
  package static let tokenInvalid = Problem(.unauthenticated, "token-invalid", "The token is not valid.")
  package static let activationInvalid = Problem(
    .badRequest, "activation-invalid", "The device could not be activated.")
  package static let encryptionFailed = Problem(
    .badRequest, "encryption-failed", "The request could not be decrypted.")
  /// The app has to be updated: its application takes later versions of the protocol only.
  package static let protocolTooOld = Problem(
    .badRequest, "protocol-too-old", "The application does not take this version of the protocol any more.")
  package static let temporaryKeyFailure = Problem(
    .badRequest, "temporary-key-failure", "There is no such temporary key, or none can be made.")
  package static let recoveryInvalid = Problem(.badRequest, "recovery-invalid", "The recovery code is not valid.")
  package static let activationStateCode = "activation-state"
  /// For those who manage activations; devices never see it.
  package static func activationState(_ state: String) -> Problem {
    Problem(.conflict, activationStateCode, "The activation is \(state), and that cannot be done to it now.")
  }
}
