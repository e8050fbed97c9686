// SPDX-License-Identifier: Apache-2.0

/// Names and values that both versions of the Authenticator's wire share (saltedge-authenticator §2).
public enum SaltEdge {
  /// The single member of every success (§2).
  public struct Body<Content: Codable & Sendable>: Codable, Sendable {
    /// What there is to say.
    public var data: Content

    /// Creates the value from its members.
    public init(data: Content) { self.data = data }
  }

  /// What is signed in v2 (§5.5): the data, and until when the signature holds.
  public struct SignedBody<Content: Codable & Sendable>: Codable, Sendable {
    /// What there is to say.
    public var data: Content
    /// Seconds since 1970, UTC.
    public var exp: Int64

    /// Creates the value from its members.
    public init(data: Content, exp: Int64) {
      self.data = data
      self.exp = exp
    }
  }

  /// What only the owner of a key can read (§4.10), as it travels. Empty members stand for nothing to read (§5.6).
  public struct Ciphertext: Codable, Sendable, Equatable {
    /// Base64.
    public var key: String
    /// Base64.
    public var iv: String
    /// Base64.
    public var data: String

    /// Creates the value from its members.
    public init(key: String, iv: String, data: String) {
      self.key = key
      self.iv = iv
      self.data = data
    }

    /// As entities that are final or closed have it.
    public static let none = Ciphertext(key: "", iv: "", data: "")
  }
}
