// SPDX-License-Identifier: Apache-2.0

/// Why PowerAuth refused something. Names the rule that was broken and never the value that broke it.
public enum PowerAuthError: Error, Hashable, Sendable {
  /// Text or bytes that do not have the prescribed form or length.
  case malformed(Part)
  /// No usable key: a point off the curve, a scalar out of range, a wrong length, or an unlock key of zeros.
  case invalidKey
  /// A MAC, digest or signature that does not verify, or invalid padding.
  case notAuthentic
  /// A protocol version that is not supported, or that cannot do what was asked.
  case unsupportedVersion
  /// Longer than the named maximum of its kind.
  case tooLong(Part)
  /// A key of a factor that was needed is not there.
  case missingFactor
  /// An answer that belongs to another question: its challenge, application or activation differs.
  case mismatched(Part)

  /// What was being read.
  public enum Part: String, Hashable, Sendable {
    case activationCode, activationIdentifier, applicationKey, applicationSecret, challenge, configuration
    case counterData, cryptogram, header, nonce, protocolVersion, query, recoveryCode, signature, statusBlob
    case temporaryKey, timestamp, token, vault
  }
}
