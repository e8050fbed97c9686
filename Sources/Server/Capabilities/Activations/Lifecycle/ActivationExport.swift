// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore

/// An activation as its user may have it (GDPR art. 15 and 20): without keys, digests and secrets.
package struct ActivationExport: Encodable, Sendable {
  package let id: String
  /// Name of the app that was activated.
  let application: String
  let state: String
  let blockedReason: String?
  let device: ActivationDeviceDetails
  let externalID: String?
  let flags: [String]
  let failedAttempts: Int
  let createdAt: String
  let expiresAt: String?
  let lastUsedAt: String?
  let tokens: [Token]
  /// What was signed by two factors, where the institution had it kept.
  let signedTexts: [SignedText]
  let history: [ExportedAuditEntry]

  /// A token of the activation: which factors signed the request for it, and when it was made.
  struct Token: Encodable, Sendable {
    let signatureType: String
    let createdAt: String
  }

  struct SignedText: Encodable, Sendable {
    let signedAt: String
    let text: String
  }

  /// - Parameter application: nil when it is gone.
  init(
    _ activation: Activation, of application: PowerAuthApplication?, tokens: [ActivationTokenRow],
    signed: [(at: Instant, text: String)], history: [ExportedAuditEntry]
  ) {
    id = activation.id.rawValue
    self.application = application?.name ?? activation.application.rawValue
    (state, blockedReason) = (activation.state.name, activation.blockedReason)
    (device, externalID, flags) = (activation.device, activation.externalID, activation.flags)
    failedAttempts = activation.failedAttempts
    (createdAt, expiresAt) = (activation.createdAt.rfc3339, activation.expiresAt?.rfc3339)
    lastUsedAt = activation.lastUsedAt?.rfc3339
    self.tokens = tokens.map { Token(signatureType: $0.type.rawValue, createdAt: $0.createdAt.rfc3339) }
    signedTexts = signed.map { SignedText(signedAt: $0.at.rfc3339, text: $0.text) }
    self.history = history
  }
}

/// A recovery code of a user and its state, without the code and its PUKs.
package struct RecoveryCodeExport: Encodable, Sendable {
  /// Whose device it brings back; nil for a code on paper.
  let activationID: String?
  let state: String
  /// Of the PUK that is asked for next, counted from 1.
  let nextPUK: Int
  let failedAttempts: Int
  let createdAt: String

  init(_ row: RecoveryCodeRow) {
    (activationID, state) = (row.activation?.rawValue, row.state.rawValue)
    (nextPUK, failedAttempts) = (row.pukIndex, row.failedAttempts)
    createdAt = row.createdAt.rfc3339
  }
}
