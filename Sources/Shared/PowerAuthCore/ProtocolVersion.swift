// SPDX-License-Identifier: Apache-2.0

/// The versions of PowerAuth 3 that a server accepts, and what sets them apart (powerauth.md §1).
///
/// The text that stands in a header is the text that ECIES and token digests cover.
public enum ProtocolVersion: String, CaseIterable, Hashable, Comparable, Sendable {
  case v30 = "3.0"
  case v31 = "3.1"
  case v32 = "3.2"
  case v33 = "3.3"

  /// What clients speak unless told otherwise.
  public static let standard = ProtocolVersion.v33

  public static func < (one: ProtocolVersion, other: ProtocolVersion) -> Bool { one.rawValue < other.rawValue }

  /// Reads the text of a header.
  /// - Throws: `unsupportedVersion`.
  public init(text: String) throws(PowerAuthError) {
    guard let version = ProtocolVersion(rawValue: text) else { throw .unsupportedVersion }
    self = version
  }

  /// How the signature of a request is written. Offline signatures are decimal in every version.
  public var onlineSignatureFormat: SignatureFormat { self == .v30 ? .decimal(.standard) : .base64 }
  /// Whether an encrypted request carries a nonce; without it the IV is zeros.
  public var hasRequestNonce: Bool { self != .v30 }
  /// Whether an encrypted answer carries a nonce of its own; in 3.1 it reuses the IV of the request.
  public var hasResponseNonce: Bool { isRecent }
  /// Whether encrypted messages carry the time, and their MACs cover it.
  public var hasTimestamp: Bool { isRecent }
  /// Whether the MACs of encrypted messages cover version, application and activation.
  public var hasAssociatedData: Bool { isRecent }
  /// Whether requests are encrypted to a temporary key instead of a long-lived one (§4.5).
  public var hasTemporaryKey: Bool { self == .v33 }
  /// Whether the digest of a token covers the version (§7).
  public var hasVersionInTokenDigest: Bool { isRecent }

  private var isRecent: Bool { self == .v32 || self == .v33 }
}
