// SPDX-License-Identifier: Apache-2.0

/// Why a secret could not be read or kept. Carries no name, path or content.
public struct SecureStoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure. More may come: switch with a default.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// A stable word.
    public let rawValue: String
    /// Wraps a word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What is stored was changed, damaged, or sealed under another key.
    public static let tampered = Code(rawValue: "tampered")
    /// There is a sealed file but no key.
    public static let keyMissing = Code(rawValue: "key-missing")
    /// The key is not 32 bytes, or others can read its file.
    public static let keyUnusable = Code(rawValue: "key-unusable")
    /// The device is locked and was not unlocked since it started.
    public static let locked = Code(rawValue: "locked")
    /// The file system or the keychain refused; `status` tells more.
    public static let unavailable = Code(rawValue: "unavailable")
  }

  /// The kind of failure.
  public let code: Code
  /// `errno` or `OSStatus`, 0 without one.
  public let status: Int32

  /// Creates the error.
  public init(_ code: Code, status: Int32 = 0) {
    self.code = code
    self.status = status
  }

  /// The code's word and the status.
  public var description: String { "SecureStoreError(\(code.rawValue), \(status))" }
}
