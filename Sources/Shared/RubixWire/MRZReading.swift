// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// A machine readable zone as read and parsed (ICAO Doc 9303; rubix-onboarding §6.8).
public struct MRZReading: Codable, Sendable, Equatable {
  /// `TD1`, `TD2`, `TD3`, `MRV-A` or `MRV-B`.
  public var format: String
  /// The lines as read.
  public var lines: [String]
  /// Whether it has no errors; warnings do not count.
  public var valid: Bool
  /// The parsed fields.
  public var fields: MRZFields
  /// By the name of the field that each protects.
  public var checkDigits: [String: MRZCheckDigit]
  /// Codes of oddities.
  public var warnings: [String]
  /// Who read it; left out for the server itself.
  public var source: ReadingSource?

  /// Creates the value from its members.
  public init(
    format: String,
    lines: [String],
    valid: Bool,
    fields: MRZFields,
    checkDigits: [String: MRZCheckDigit],
    warnings: [String] = [],
    source: ReadingSource? = nil
  ) {
    self.format = format
    self.lines = lines
    self.valid = valid
    self.fields = fields
    self.checkDigits = checkDigits
    self.warnings = warnings
    self.source = source
  }

  enum CodingKeys: String, CodingKey {
    case format
    case lines
    case valid
    case fields
    case checkDigits = "check_digits"
    case warnings
    case source
  }
}

/// Who read a value (rubix-onboarding §6.7).
public struct ReadingSource: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `server`.
  public static let server = ReadingSource(rawValue: "server")
  /// A hint of the app, used because the server could not read.
  public static let client = ReadingSource(rawValue: "client")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [ReadingSource] = [.server, .client]
}
