// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit

/// Everything that is kept of a bank's customer, opened, for the customer (GDPR art. 15 and 20). Structure:
/// docs/rights.md.
///
/// Tokens, keys, signatures, codes and digests are not in it; nor is what a bank with a server of its own sealed for a
/// device, which the server cannot read. Instants are RFC 3339 in UTC.
package struct UserExport: Encodable, Sendable {
  let format = "gatehouse-saltedge-user-export/1"
  let exportedAt: String
  let bank: Bank
  /// As the bank names them.
  let user: String
  let devices: [Device]
  /// What the bank wanted confirmed on the devices.
  let actions: [Action]
  /// What a bank without a server of its own wanted confirmed.
  let operations: [Confirmation]
  /// Links that the bank made for the customer and that have not run out.
  let links: [Link]

  struct Bank: Encodable, Sendable {
    let code: String
    let name: String
  }

  struct Device: Encodable, Sendable {
    let id: String
    /// 1 or 2: which wire it speaks.
    let apiVersion: Int
    let state: String
    let platform: String
    /// In which it is written to.
    let language: String?
    let returnURL: String
    /// Whether it is sent notifications.
    let isNotified: Bool
    let createdAt: String
    /// Until when the customer had to sign in.
    let enrolmentEndsAt: String
    /// Until when it is taken for the customer's; nil without a sign-in.
    let accessEndsAt: String?
    let authorizations: [Authorization]
    let consents: [Consent]
    /// What the bank was told of it.
    let told: [ExportedWebhook]
    let history: [ExportedAuditEntry]
  }

  struct Link: Encodable, Sendable {
    /// Whether the bank has to agree to a device that came by it, and whether it did.
    let needsApproval, isApproved: Bool
    let expiresAt: String
  }

  struct Action: Encodable, Sendable {
    let id: String
    /// The bank's name for it.
    let reference: String
    /// Whether its authorizations are decided independently.
    let isMultiple: Bool
    let isOpen: Bool
    let createdAt: String
    let expiresAt: String
  }

  /// An action on one device. What it says is sealed for that device.
  struct Authorization: Encodable, Sendable {
    let id: String
    let actionID: String
    let reference: String
    let state: String
    let createdAt: String
    let expiresAt: String
    let decidedAt: String?
    let finishedAt: String?
  }

  /// A permission on one device. What it says is sealed for that device.
  struct Consent: Encodable, Sendable {
    let id: String
    let reference: String
    let state: String
    let createdAt: String
    let expiresAt: String
  }

  struct Confirmation: Encodable, Sendable {
    let id: String
    /// The bank's name for it.
    let reference: String
    let state: String
    let needsConfirmation: Bool
    let title: String
    let text: String?
    let payment: Operation.Payment?
    /// Where it was asked for.
    let origin: Operation.Origin?
    /// Which of the devices picked it up.
    let pickedUpOn: String?
    let createdAt: String
    let expiresAt: String
    let endedAt: String?
    let decision: Decision?
    /// What the bank was told of it.
    let told: [ExportedWebhook]
    let history: [ExportedAuditEntry]
  }

  /// How it was decided; `state` says what was.
  struct Decision: Encodable, Sendable {
    let at: String
    /// On which of the devices.
    let deviceID: String
    /// As the device says: `biometrics`, `passcode` or `unknown`.
    let authorizationType: String?
    let geolocation: String?
  }
}

// Rows as their subject is shown them.

extension UserExport.Device {
  init(
    _ connection: SaltEdgeConnection, authorizations: [UserExport.Authorization], consents: [UserExport.Consent],
    told: [ExportedWebhook], history: [ExportedAuditEntry]
  ) {
    self.init(
      id: connection.id.rawValue, apiVersion: connection.apiVersion, state: connection.state.rawValue,
      platform: connection.platform, language: connection.secrets.language, returnURL: connection.returnURL,
      isNotified: connection.secrets.pushToken != nil, createdAt: connection.createdAt.rfc3339,
      enrolmentEndsAt: connection.enrolmentEndsAt.rfc3339, accessEndsAt: connection.tokenExpiresAt?.rfc3339,
      authorizations: authorizations, consents: consents, told: told, history: history)
  }
}

extension UserExport.Action {
  init(_ action: SaltEdgeAction) {
    self.init(
      id: action.id.rawValue, reference: action.reference, isMultiple: action.isMultiple, isOpen: action.isOpen,
      createdAt: action.createdAt.rfc3339, expiresAt: action.expiresAt.rfc3339)
  }
}

extension UserExport.Authorization {
  init(_ authorization: SaltEdgeAuthorization) {
    self.init(
      id: authorization.id.rawValue, actionID: authorization.action.rawValue, reference: authorization.reference,
      state: authorization.state.rawValue, createdAt: authorization.createdAt.rfc3339,
      expiresAt: authorization.expiresAt.rfc3339, decidedAt: authorization.decision?.at.rfc3339,
      finishedAt: authorization.finishedAt?.rfc3339)
  }
}

extension UserExport.Consent {
  init(_ consent: SaltEdgeConsent) {
    self.init(
      id: consent.id.rawValue, reference: consent.reference, state: consent.state.rawValue,
      createdAt: consent.createdAt.rfc3339, expiresAt: consent.expiresAt.rfc3339)
  }
}

extension UserExport.Confirmation {
  init(_ operation: Operation, told: [ExportedWebhook], history: [ExportedAuditEntry]) {
    let content = operation.content
    self.init(
      id: operation.id.rawValue, reference: operation.reference, state: operation.state.rawValue,
      needsConfirmation: operation.needsConfirmation, title: content.title, text: content.text,
      payment: content.payment, origin: content.origin, pickedUpOn: content.pickedUpOn,
      createdAt: operation.createdAt.rfc3339, expiresAt: operation.expiresAt.rfc3339,
      endedAt: operation.endedAt?.rfc3339, decision: operation.evidence.map { UserExport.Decision($0) }, told: told,
      history: history)
  }
}

extension UserExport.Decision {
  init(_ evidence: Operation.Evidence) {
    self.init(
      at: evidence.at.rfc3339, deviceID: evidence.connection, authorizationType: evidence.authorizationType,
      geolocation: evidence.geolocation)
  }
}
