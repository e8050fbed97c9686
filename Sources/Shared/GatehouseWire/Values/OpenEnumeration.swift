// SPDX-License-Identifier: Apache-2.0

/// A closed word list as it looks from outside: known words have names, unknown words survive a round trip.
///
/// A server may learn a new word before an app is updated; the app must neither fail to decode it nor lose it
/// (rubix-onboarding §1: unknown response members are ignored, and so are unknown values).
public protocol OpenEnumeration: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
  /// Wraps any word, also one that this version does not know.
  init(rawValue: String)

  /// Every word that this version knows.
  static var known: [Self] { get }
}

extension OpenEnumeration {
  /// The word on the wire.
  public var description: String { rawValue }

  /// Whether this version knows the word. A server uses it to refuse words that it cannot act on.
  public var isKnown: Bool { Self.known.contains(self) }
}
