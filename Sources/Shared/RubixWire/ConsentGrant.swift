// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// What was consented to. Registration needs both known ones (rubix-onboarding §6.1).
public struct ConsentCode: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Terms of the onboarding.
  public static let terms = ConsentCode(rawValue: "terms")
  /// Processing of face images.
  public static let biometrics = ConsentCode(rawValue: "biometrics")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [ConsentCode] = [.terms, .biometrics]
}

/// A consent, given to one version of one text at one time.
public struct ConsentGrant: Codable, Sendable, Equatable {
  /// Which text.
  public var code: ConsentCode
  /// Which version of it.
  public var version: String
  /// When the customer agreed.
  public var acceptedAt: WireInstant

  /// Creates the value from its members.
  public init(code: ConsentCode, version: String, acceptedAt: WireInstant) {
    self.code = code
    self.version = version
    self.acceptedAt = acceptedAt
  }

  enum CodingKeys: String, CodingKey {
    case code
    case version
    case acceptedAt = "accepted_at"
  }
}
