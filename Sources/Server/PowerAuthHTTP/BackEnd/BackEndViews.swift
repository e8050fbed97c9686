// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import Kit
import PowerAuthCore

// What other servers get. Members without a value are left out.

struct ActivationView: Encodable, Sendable {
  let activation_id: String
  let application_id: String
  let user_id: String
  let state: String
  let blocked_reason: String?
  let name: String?
  let platform: String?
  let device_info: String?
  let extras: String?
  let external_id: String?
  let flags: [String]
  let failed_attempts: Int
  let max_failed_attempts: Int
  let remaining_attempts: Int
  let fingerprint: String?
  let created_at: WireInstant
  let expires_at: WireInstant?
  let last_used_at: WireInstant?

  init(_ activation: Activation) {
    activation_id = activation.id.rawValue
    application_id = activation.application.rawValue
    user_id = activation.user
    state = activation.state.word
    blocked_reason = activation.blockedReason
    name = activation.device.name
    platform = activation.device.platform
    device_info = activation.device.info
    extras = activation.device.extras
    external_id = activation.externalID
    flags = activation.flags
    failed_attempts = activation.failedAttempts
    max_failed_attempts = activation.maxFailedAttempts
    remaining_attempts = activation.remainingAttempts
    fingerprint = activation.fingerprint
    created_at = WireInstant(activation.createdAt)
    expires_at = activation.expiresAt.map { WireInstant($0) }
    last_used_at = activation.lastUsedAt.map { WireInstant($0) }
  }
}

struct InitiatedView: Encodable, Sendable {
  let activation: ActivationView
  let activation_code: String
  /// Base64 of DER.
  let activation_signature: String
  /// What a QR code holds.
  let qr: String

  init(_ initiated: InitiatedActivation) {
    activation = ActivationView(initiated.activation)
    activation_code = initiated.code.text
    activation_signature = initiated.signature.base64EncodedString()
    qr = initiated.scannable
  }
}

/// An answer that says whose something is: kept for a repetition, it is sealed under that user's key.
protocol UserAnswer {
  /// As the institution calls them; nil when it names no user.
  var user: String? { get }
}

extension ActivationView: UserAnswer {
  var user: String? { user_id }
}

extension InitiatedView: UserAnswer {
  var user: String? { activation.user_id }
}

extension VerdictView: UserAnswer {
  var user: String? { activation?.user_id }
}

/// A recovery code for paper. It is in this answer and nowhere else.
struct IssuedRecoveryView: Encodable, Sendable {
  let recovery_code: String
  /// In the order in which they are asked for.
  let puks: [String]

  init(_ issued: IssuedRecoveryCode) {
    recovery_code = issued.code.text
    puks = issued.puks.map(\.text)
  }
}

struct ActivationListView: Encodable, Sendable {
  let activations: [ActivationView]
}

struct ApplicationListView: Encodable, Sendable {
  struct Application: Encodable, Sendable {
    let application_id: String
    let name: String
    /// The lowest that its devices may speak.
    let protocol_version_min: String
    let created_at: WireInstant
  }

  let applications: [Application]
}

struct HistoryView: Encodable, Sendable {
  struct Entry: Encodable, Sendable {
    let sequence: Int
    let at: WireInstant
    let actor: String
    let action: String
    let facts: [String: String]
  }

  let lines: [Entry]
}

/// What came of a proof. `valid` decides; the rest tells the bank's server what a device is not told.
struct VerdictView: Encodable, Sendable {
  let valid: Bool
  /// Why a proof is not taken that may be right.
  var reason: VerdictReason?
  var signature_type: String?
  var activation: ActivationView?
  var remaining_attempts: Int?

  static let invalid = VerdictView(valid: false)
  static let protocolTooOld = VerdictView(valid: false, reason: .protocolTooOld)

  /// The proof is right. It is taken unless the user is not verified yet and the caller did not accept that.
  static func proved(_ activation: Activation, _ type: SignatureType, accepting flags: [String]?) -> VerdictView {
    let isFlagged = activation.isUnverified(accepting: flags)
    return VerdictView(
      valid: !isFlagged, reason: isFlagged ? .activationFlagged : nil, signature_type: type.rawValue,
      activation: ActivationView(activation), remaining_attempts: activation.remainingAttempts)
  }

  static func invalid(_ activation: Activation?, remainingAttempts: Int?) -> VerdictView {
    VerdictView(
      valid: false, activation: activation.map { ActivationView($0) }, remaining_attempts: remainingAttempts)
  }
}

enum VerdictReason: String, Encodable {
  /// The activation has a flag of `Activation.unverifiedFlags` that the caller did not accept.
  case activationFlagged = "ACTIVATION_FLAGGED"
  /// The application takes later versions of the protocol only. Nothing was checked or counted.
  case protocolTooOld = "PROTOCOL_TOO_OLD"
}

struct OfflinePayloadView: Encodable, Sendable {
  let offline_data: String
  /// Base64; hand it in again with the signature.
  let nonce: String
}

struct DeviceSignatureView: Encodable, Sendable {
  let valid: Bool
  let reason: VerdictReason?
}

extension ActivationState {
  /// As the protocol's documents name it (powerauth.md §3.4).
  var word: String {
    switch self {
    case .created: "CREATED"
    case .pendingCommit: "PENDING_COMMIT"
    case .active: "ACTIVE"
    case .blocked: "BLOCKED"
    case .removed: "REMOVED"
    }
  }
}

extension WireInstant {
  init(_ instant: Instant) { self.init(millisecondsSince1970: instant.milliseconds) }
}
