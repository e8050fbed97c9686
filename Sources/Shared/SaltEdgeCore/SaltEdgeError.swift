// SPDX-License-Identifier: Apache-2.0

/// Why Salt Edge's rules refused something. Names the rule that was broken and never the value that broke it.
public enum SaltEdgeError: Error, Hashable, Sendable {
  /// Text or bytes that do not have the prescribed form.
  case malformed(Part)
  /// Longer than the named maximum of its kind.
  case tooLong(Part)
  /// No RSA key, or one that is too small, too large, inconsistent or of a kind that is not sent.
  case invalidKey
  /// A payload that says it was encrypted in a way that there is not.
  case unsupportedAlgorithm
  /// Not encrypted for this key, or changed since. There is one such error on purpose: an attacker who learns *where*
  /// decryption failed can decrypt (PKCS #1 v1.5 and CBC padding oracles), so keep it from the network.
  case undecryptable
  /// A request without the signature that it needs.
  case signatureMissing
  /// Without expiry, past it, or with one too far ahead.
  case signatureExpired
  /// A signature that is not this key's over these bytes.
  case invalidSignature

  /// What was being read.
  public enum Part: String, Hashable, Sendable {
    case accessToken, authorizationCode, body, deepLink, payload, pem, redirect, url
  }

  /// The class that the error has on the wire (specification §6).
  public var errorClass: String {
    switch self {
    case .signatureMissing: "SignatureMissing"
    case .signatureExpired: "SignatureExpired"
    case .invalidSignature: "InvalidSignature"
    case .malformed, .tooLong, .invalidKey, .unsupportedAlgorithm, .undecryptable: "WrongRequestFormat"
    }
  }
}
