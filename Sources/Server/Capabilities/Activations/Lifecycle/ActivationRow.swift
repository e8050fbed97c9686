import Foundation
import Kit
import PowerAuthCore

/// An activation as it is stored: secrets sealed, people behind digests.
struct ActivationRow: Sendable {
  let id: Activation.ID
  let application: PowerAuthApplication.ID
  let tenant: String
  var applicationVersion: PowerAuthApplicationVersion.ID?
  /// Of the protocol, when the device joined; nil until then.
  var protocolVersion: ProtocolVersion?
  var state: ActivationState
  /// Counted up by every change: who writes must have read the latest.
  var version: Int
  let userDigest: String
  var sealedDetails: Data
  var flags: [String]
  var blockedReason: String?
  var codeDigest: String?
  var otp: OTP?
  let commitsItself: Bool
  var failedAttempts: Int
  let maxFailedAttempts: Int
  var publicKeys: ActivationPublicKeys?
  var sealedServerKey: Data?
  var sealedKeys: Data?
  var counter: SignatureCounter?
  let createdAt: Instant
  var expiresAt: Instant?
  var lastUsedAt: Instant?

  struct OTP: Sendable {
    let digest: String
    let check: ActivationOTPCheck
  }

  /// Whether the device may sign by a version. Decimal signatures can be guessed: they are for devices that know no
  /// others.
  func accepts(_ version: ProtocolVersion) -> Bool { version != .v30 || protocolVersion == .v30 }

  /// The state that counts: one whose time is over is gone, whether or not a sweep has said so yet.
  func state(at now: Instant) -> ActivationState {
    guard let expiresAt, expiresAt <= now else { return state }
    return .removed
  }
}

/// What is known about the person and the device, sealed as one.
struct ActivationDetails: Sendable, Codable {
  var user: String
  var device: ActivationDeviceDetails
  var externalID: String?

  private static func context(_ id: Activation.ID) -> String { "activation.sealed_details:\(id)" }

  func sealed(for id: Activation.ID, by vault: Vault) throws -> Data { try vault.seal(self, as: Self.context(id)) }

  static func open(_ row: ActivationRow, by vault: Vault) throws -> ActivationDetails {
    try vault.open(row.sealedDetails, as: Self.self, context: context(row.id))
  }
}
