// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import Storage

/// Something that a bank wants one of its customers to confirm, bound to what the customer is shown (dynamic linking,
/// Commission Delegated Regulation (EU) 2018/389, article 5).
package struct Operation: Sendable {
  package typealias ID = Identifier<Operation>

  let id: ID
  let provider: SaltEdgeProvider.ID
  /// The bank's name for it.
  let reference: String
  /// Whose it is; nil while its QR code is offered to any user.
  var userDigest: String?
  /// Whether a customer who picks it up has to confirm it still.
  let needsConfirmation: Bool
  package var state: OperationState
  let expiresAt: Instant
  let createdAt: Instant
  var endedAt: Instant?
  var content: Content
  var evidence: Evidence?
  var version = 0

  /// What it is about; sealed.
  struct Content: Sendable, Codable, Equatable {
    var user: String?
    let title: String
    var text: String?
    var payment: Payment?
    var origin: Origin?
    /// Binds the code to everything above.
    let salt: Data
    /// What its customer is shown; nil while it is offered.
    var shown: Shown?
    /// Whose device picked it up.
    var pickedUpOn: String?
  }

  /// Made once, when an operation has its customer: a later version of this program must not word it otherwise on one
  /// device than on another, or in the evidence.
  struct Shown: Sendable, Codable, Equatable {
    /// The whole text for devices of v2.
    let v2: String
    /// The description for devices of v1.
    let description: String
  }

  /// What is paid.
  struct Payment: Sendable, Codable, Equatable {
    let payee: String
    /// Decimal, with a point.
    let amount: String
    /// ISO 4217.
    let currency: String
    var account: String?
    var reference: String?
    var date: String?
  }

  /// Where it was asked for.
  struct Origin: Sendable, Codable, Equatable {
    var device: String?
    var location: String?
    var ip: String?
  }

  /// How it was decided, as the device signed it; sealed.
  struct Evidence: Sendable, Codable {
    let connection: String
    let apiVersion: Int
    let at: Instant
    /// The very text that the device decrypted.
    let shown: String
    /// What the device signed, and its signature.
    let signed: Data
    let signature: String
    /// The device's, in PEM.
    let publicKey: String
    /// As the device says: `biometrics`, `passcode` or `unknown`.
    var authorizationType: String?
    var geolocation: String?
    /// In v2 what was signed is encrypted for the bank: this is what the bank's key opened it to, the code among it.
    var confirmation: String?
  }

  /// Everything that the code stands for. A customer who confirms it confirms these and no others.
  var attributes: [String: String] {
    var attributes = [
      "operation": id.rawValue, "provider": provider.rawValue, "title": content.title,
      "expires_at": expiresAt.rfc3339, "created_at": createdAt.rfc3339,
    ]
    let optional: [(String, String?)] = [
      ("user", content.user), ("text", content.text), ("payee", content.payment?.payee),
      ("amount", content.payment?.amount), ("currency", content.payment?.currency),
      ("account", content.payment?.account), ("reference", content.payment?.reference),
      ("date", content.payment?.date), ("device", content.origin?.device), ("location", content.origin?.location),
      ("ip", content.origin?.ip),
    ]
    for (name, value) in optional { attributes[name] = value }
    return attributes
  }

  var code: AuthorizationCode { AuthorizationCode(binding: attributes, salt: content.salt) }
}
