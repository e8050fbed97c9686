// SPDX-License-Identifier: Apache-2.0

/// The name of a token: a UUID, its letters kept as they were sent.
public struct TokenIdentifier: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// - Throws: `malformed` unless the text is a UUID in 36 characters.
  public init(text: String) throws(PowerAuthError) {
    guard isUUID(text) else { throw .malformed(.token) }
    self.text = text
  }

  public var description: String { text }
}
