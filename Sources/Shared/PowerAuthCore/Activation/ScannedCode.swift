// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a QR code of an activation holds: `CODE#SIGNATURE`, or the code alone (powerauth.md §3.1).
public struct ScannedCode: Hashable, Sendable, Redacted {
  /// Longer than any: 23 characters, the sign and a DER signature of 72 bytes in Base64.
  public static let lengthMax = 160

  public let code: ActivationCode
  /// A DER signature of the server's master key over the code's text; nil when there was none.
  public let signature: Data?

  /// - Throws: `malformed`, for an empty signature too; `tooLong`.
  public init(text: String) throws(PowerAuthError) {
    guard text.utf8.count <= Self.lengthMax else { throw .tooLong(.activationCode) }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    code = try ActivationCode(text: String(parts.first ?? ""))
    guard parts.count == 2 else {
      signature = nil
      return
    }
    guard let bytes = Data(canonicalBase64: String(parts[1])), !bytes.isEmpty else { throw .malformed(.signature) }
    signature = bytes
  }

  /// Signs a code, on the server.
  public init(_ code: ActivationCode, signedBy masterKey: ECPrivateKey) throws(PowerAuthError) {
    self.code = code
    signature = try masterKey.signature(for: Data(code.text.utf8))
  }

  public var text: String { signature.map { "\(code.text)#\($0.base64EncodedString())" } ?? code.text }

  /// Whether there is a signature, and it is the server's.
  public func isSigned(by masterKey: ECPublicKey) -> Bool {
    guard let signature else { return false }
    return masterKey.isValidSignature(signature, for: Data(code.text.utf8))
  }
}
