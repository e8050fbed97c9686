// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore

/// A device that a user made their own, as the server may show it: without keys and without the counter (powerauth.md
/// §3).
package struct Activation: Sendable, Equatable {
  package typealias ID = Identifier<Activation>

  package let id: ID
  package let application: PowerAuthApplication.ID
  package let tenant: String
  /// The app that the device runs; nil until a device joined.
  package let applicationVersion: PowerAuthApplicationVersion.ID?
  /// The user's name for themselves in the system that asked for the activation. Opaque here.
  package let user: String
  package let state: ActivationState
  /// Why it is blocked; nil when it is not.
  package let blockedReason: String?
  /// What the device told about itself.
  package let device: ActivationDeviceDetails
  /// What another system calls the activation; personal data, sealed at rest.
  package let externalID: String?
  /// Words that other systems keep with the activation, in the order in which they came.
  package let flags: [String]
  package let failedAttempts: Int
  package let maxFailedAttempts: Int
  /// Nil until a device joined.
  package let publicKeys: ActivationPublicKeys?
  package let createdAt: Instant
  /// When it lapses unless it was committed; nil afterwards.
  package let expiresAt: Instant?
  package let lastUsedAt: Instant?
  /// Of the row: every change counts it up.
  let version: Int

  /// Wrong signatures that are left before it is blocked; none when it is blocked.
  package var remainingAttempts: Int { state == .active ? max(0, maxFailedAttempts - failedAttempts) : 0 }

  /// Eight digits that device and server show alike; nil until a device joined.
  package var fingerprint: String? {
    guard let publicKeys, let device = try? ECPublicKey(publicKeys.device),
      let server = try? ECPublicKey(publicKeys.server)
    else { return nil }
    return ActivationFingerprint(
      devicePublicKey: device, activationIdentifier: id.rawValue, serverPublicKey: server
    ).text
  }
}

/// What a device says about itself. Personal data: sealed at rest.
package struct ActivationDeviceDetails: Sendable, Equatable, Codable {
  package var name: String?
  package var extras: String?
  /// Such as `iOS`.
  package var platform: String?
  /// Such as `iPhone12,3`.
  package var info: String?

  package init(name: String? = nil, extras: String? = nil, platform: String? = nil, info: String? = nil) {
    self.name = name
    self.extras = extras
    self.platform = platform
    self.info = info
  }
}

/// The public halves that an activation agreed on.
package struct ActivationPublicKeys: Sendable, Equatable {
  /// 33 bytes each.
  package let device: Data
  package let server: Data
}
