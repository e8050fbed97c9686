// SPDX-License-Identifier: Apache-2.0

internal import SaltEdgeAuthenticator

/// What the key pair of a connection is kept under.
public struct SETagHelper {
  /// - Parameter code: the connection's GUID.
  public static func create(for code: String) -> String { SaltEdgeAuthenticator.KeyTag.pair(code) }

  /// Whether the text is what `create(for:)` returns.
  package static func isPair(_ tag: String) -> Bool { SaltEdgeAuthenticator.KeyTag.guid(ofPair: tag) != nil }

  /// What a bank's public key is kept under, in v2.
  /// - Parameter code: the connection's GUID.
  public static func provider(for code: String) -> String { SaltEdgeAuthenticator.KeyTag.provider(code) }
}
