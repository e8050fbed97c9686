// SPDX-License-Identifier: Apache-2.0

import Activations
import Kit

/// An app as commands print it as JSON.
struct ApplicationRow: Encodable {
  let id, name, protocolMin: String
  let recoveryCodes: Bool
  var versions: [ApplicationVersionRow]?
  /// What the app is built with; holds its secret.
  var configuration: String?

  init(
    _ application: PowerAuthApplication, versions: [PowerAuthApplicationVersion]? = nil, configuration: String? = nil
  ) {
    (id, name) = (application.id.rawValue, application.name)
    (protocolMin, recoveryCodes) = (application.protocolMin.rawValue, application.issuesRecoveryCodes)
    self.versions = versions?.map(ApplicationVersionRow.init)
    self.configuration = configuration
  }
}

/// A released version of an app.
struct ApplicationVersionRow: Encodable {
  let id, name: String
  let supported: Bool
  let masterKey: Int

  init(_ version: PowerAuthApplicationVersion) {
    (id, name) = (version.id.rawValue, version.name)
    (supported, masterKey) = (version.isSupported, Int(version.masterKeyGeneration))
  }
}

/// A device as commands print it as JSON. Nothing secret is in it.
struct ActivationRow: Encodable {
  struct HistoryEntry: Encodable {
    let at, action, actor: String
    let facts: [String: String]
  }

  let id, state, user, application: String
  let blockedReason, version, device, platform, model, externalID, fingerprint: String?
  let failedAttempts, maxFailedAttempts: Int
  let flags: [String]
  let createdAt: String
  let expiresAt, lastUsedAt: String?
  var history: [HistoryEntry]?

  enum CodingKeys: String, CodingKey {
    case id, state, user, application, blockedReason, version, device, platform, model, fingerprint, failedAttempts
    case maxFailedAttempts, flags, createdAt, expiresAt, lastUsedAt, history
    case externalID = "external_id"
  }

  init(_ activation: Activation, history: [AuditLine]? = nil) {
    (id, state, user) = (activation.id.rawValue, activation.state.name, activation.user)
    (application, version) = (activation.application.rawValue, activation.applicationVersion?.rawValue)
    (device, platform, model) = (activation.device.name, activation.device.platform, activation.device.info)
    (blockedReason, externalID) = (activation.blockedReason, activation.externalID)
    fingerprint = activation.fingerprint
    (failedAttempts, maxFailedAttempts) = (Int(activation.failedAttempts), Int(activation.maxFailedAttempts))
    flags = activation.flags
    createdAt = activation.createdAt.rfc3339
    (expiresAt, lastUsedAt) = (activation.expiresAt?.rfc3339, activation.lastUsedAt?.rfc3339)
    self.history = history?.map { HistoryEntry(at: $0.at.rfc3339, action: $0.action, actor: $0.actor, facts: $0.facts) }
  }
}
