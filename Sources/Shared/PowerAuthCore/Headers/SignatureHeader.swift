// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `X-PowerAuth-Authorization`: who signs a request, and how (powerauth.md §5.4).
public struct SignatureHeader: Hashable, Sendable {
  public static let name = "X-PowerAuth-Authorization"

  public let version: ProtocolVersion
  public let activationIdentifier: ActivationIdentifier
  public let applicationKey: ApplicationKey
  /// 16 bytes.
  public let nonce: Data
  public let type: SignatureType
  /// Of the length that type and version call for.
  public let signature: String

  /// - Throws: `malformed` for a nonce or signature of another length or alphabet.
  public init(
    version: ProtocolVersion, activationIdentifier: ActivationIdentifier, applicationKey: ApplicationKey, nonce: Data,
    type: SignatureType, signature: String
  ) throws(PowerAuthError) {
    guard nonce.count == 16 else { throw .malformed(.nonce) }
    guard Self.isWellFormed(signature, type: type, format: version.onlineSignatureFormat) else {
      throw .malformed(.signature)
    }
    self.version = version
    self.activationIdentifier = activationIdentifier
    self.applicationKey = applicationKey
    self.nonce = nonce
    self.type = type
    self.signature = signature
  }

  /// Reads and validates a header's value, before any cryptography.
  public init(value: String) throws(PowerAuthError) {
    let items = try HeaderItems(value)
    guard let nonce = Data(canonicalBase64: try items.require("pa_nonce")) else { throw .malformed(.nonce) }
    guard let type = SignatureType(rawValue: try items.require("pa_signature_type")) else {
      throw .malformed(.signature)
    }
    try self.init(
      version: ProtocolVersion(text: items.require("pa_version")),
      activationIdentifier: ActivationIdentifier(text: items.require("pa_activation_id")),
      applicationKey: ApplicationKey(text: items.require("pa_application_key")), nonce: nonce, type: type,
      signature: items.require("pa_signature"))
  }

  public var value: String {
    HeaderItems.text([
      "pa_version": version.rawValue, "pa_activation_id": activationIdentifier.text,
      "pa_application_key": applicationKey.text, "pa_nonce": nonce.base64EncodedString(),
      "pa_signature_type": type.rawValue, "pa_signature": signature,
    ])
  }

  private static func isWellFormed(_ signature: String, type: SignatureType, format: SignatureFormat) -> Bool {
    guard signature.utf8.count == format.length(factors: type.factors.count) else { return false }
    switch format {
    case .base64: return Data(canonicalBase64: signature) != nil
    case .decimal(let length):
      return signature.utf8.enumerated().allSatisfy { place, character in
        place % (length.digits + 1) == length.digits
          ? character == UInt8(ascii: "-") : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
      }
    }
  }
}
