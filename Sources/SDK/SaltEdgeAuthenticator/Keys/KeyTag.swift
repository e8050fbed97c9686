// SPDX-License-Identifier: Apache-2.0

/// The names that a connection's keys have in the device's store (specification §10.2).
public enum KeyTag {
  private static let prefix = "com.saltedge.authenticator."

  /// Of the pair of a connection.
  /// - Parameter guid: of the connection.
  public static func pair(_ guid: String) -> String { prefix + guid }

  /// The guid that the tag of a pair was made of; nil for any other name.
  package static func guid(ofPair tag: String) -> String? {
    guard tag.hasPrefix(prefix), tag.utf8.count > prefix.utf8.count else { return nil }
    return String(tag.dropFirst(prefix.count))
  }

  /// Of the bank's public key, in v2.
  /// - Parameter guid: of the connection.
  public static func provider(_ guid: String) -> String { "\(guid)_provider_public_key" }
}
