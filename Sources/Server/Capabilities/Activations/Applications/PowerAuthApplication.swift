// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore

/// An app of a tenant that can be activated (powerauth.md §2).
package struct PowerAuthApplication: Sendable, Equatable {
  package typealias ID = Identifier<PowerAuthApplication>

  /// Signatures of 3.0 are eight digits and its envelopes have no nonce. 3.3 is the recommended version.
  package static let standardProtocolMin = ProtocolVersion.v31

  package let id: ID
  package let tenant: String
  /// Unique in its tenant.
  package let name: String
  /// Whether activations of this app get a recovery code.
  package let issuesRecoveryCodes: Bool
  /// The lowest version of the protocol that its devices may speak.
  package var protocolMin = standardProtocolMin
  package let createdAt: Instant
}

/// One released app, with the names and the master key that it was built with.
package struct PowerAuthApplicationVersion: Sendable, Equatable {
  package typealias ID = Identifier<PowerAuthApplicationVersion>

  package let id: ID
  package let application: PowerAuthApplication.ID
  package let name: String
  package let applicationKey: ApplicationKey
  /// Which of the application's master keys it was built with, counted from 1.
  package let masterKeyGeneration: Int
  /// Whether the server still talks to it.
  package let isSupported: Bool
  package let createdAt: Instant
}

/// A version with what its app is built with.
package struct ReleasedApplicationVersion: Sendable {
  package let application: PowerAuthApplication
  package let version: PowerAuthApplicationVersion
  /// Holds the application's secret: for the app's build and nothing else.
  package let configuration: SDKConfiguration
}
